/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-layout-place.h"

#include <math.h>

/* How much more an old node resists being moved than a new one or a dummy. */
#define OLD_WEIGHT 10000.0

/* Neighbours that had to be pushed together, as one. */
typedef struct
{
  double sum;
  double weight;
  guint n;
} Pool;

/* How far the old neighbours of an item stand from where the fresh layout puts them: what is new
 * follows them. Items further off learn it from their neighbours, round by round.
 */
static void
spread_shifts (const ForeLayeredGraph *self, double *shift, guint8 *known)
{
  for (guint round = 0; round < 6; round++)
    for (guint k = 0; k < self->n_items; k++)
      {
        guint item = round % 2 == 0 ? k : self->n_items - 1 - k;
        double sum = 0;
        guint n = 0;

        if (fore_layered_graph_has_previous (self, item))
          continue;
        for (guint s = self->up_offset[item]; s < self->up_offset[item + 1]; s++)
          {
            guint other = self->upper[self->up_segment[s]];

            if (known[other])
              sum += shift[other], n++;
          }
        for (guint s = self->down_offset[item]; s < self->down_offset[item + 1]; s++)
          {
            guint other = self->lower[self->down_segment[s]];

            if (known[other])
              sum += shift[other], n++;
          }
        if (n > 0)
          {
            shift[item] = sum / n;
            known[item] = TRUE;
          }
      }
}

static double *
get_wanted (const ForeLayeredGraph *self)
{
  double *wanted = g_new0 (double, self->n_items + 1);
  g_autofree guint8 *known = g_new0 (guint8, self->n_items + 1);
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < self->n_nodes; i++)
    {
      if (!fore_layered_graph_has_previous (self, i))
        continue;
      wanted[i] = fore_layered_graph_get_previous_x (self, i) - self->x[i];
      known[i] = TRUE;
      sum += wanted[i];
      n++;
    }
  spread_shifts (self, wanted, known);
  for (guint i = 0; i < self->n_items; i++)
    wanted[i] = self->x[i] + (known[i] ? wanted[i] : n > 0 ? sum / n : 0);

  return wanted;
}

/* The places nearest to the wanted ones (least squares) that keep order and distances: pools of
 * neighbours, merged while they overlap.
 */
static void
settle_layer (ForeLayeredGraph *self, guint layer, const double *wanted, Pool *pools)
{
  guint begin = self->layer_offset[layer];
  guint n = self->layer_offset[layer + 1] - begin;
  guint n_pools = 0;
  double reach = 0;
  guint k = 0;

  for (guint i = 0; i < n; i++)
    {
      guint item = self->order[begin + i];
      double weight = fore_layered_graph_has_previous (self, item) ? OLD_WEIGHT : 1;

      if (i > 0)
        reach += fore_layered_graph_get_gap (self, self->order[begin + i - 1], item);
      pools[n_pools++] = (Pool){ (wanted[item] - reach) * weight, weight, 1 };
      while (n_pools > 1
             && pools[n_pools - 2].sum / pools[n_pools - 2].weight
                    > pools[n_pools - 1].sum / pools[n_pools - 1].weight)
        {
          n_pools--;
          pools[n_pools - 1].sum += pools[n_pools].sum;
          pools[n_pools - 1].weight += pools[n_pools].weight;
          pools[n_pools - 1].n += pools[n_pools].n;
        }
    }

  reach = 0;
  for (guint p = 0; p < n_pools; p++)
    for (guint i = 0; i < pools[p].n; i++, k++)
      {
        if (k > 0)
          reach += fore_layered_graph_get_gap (self, self->order[begin + k - 1],
                                               self->order[begin + k]);
        self->x[self->order[begin + k]] = pools[p].sum / pools[p].weight + reach;
      }
}

/* Moves everything as near as possible to where it was before. */
void
fore_layered_graph_settle (ForeLayeredGraph *self)
{
  g_autofree double *wanted = get_wanted (self);
  g_autofree Pool *pools = g_new (Pool, self->n_items + 1);

  for (guint l = 0; l < self->n_layers; l++)
    settle_layer (self, l, wanted, pools);
}
