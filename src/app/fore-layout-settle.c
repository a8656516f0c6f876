/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-layout-place.h"

#include <math.h>

/* How much more an old node resists being moved than a new one or a dummy. */
#define OLD_WEIGHT 10000.0
#define FAR_AWAY 1e9

/* Neighbours that had to be pushed together, as one. */
typedef struct
{
  double sum;
  double weight;
  guint n;
} Pool;

/* Room to work in, enough for the longest layer. */
typedef struct
{
  guint *items;
  double *wanted;
  double *weights;
  double *reach;
  double *places;
  Pool *pools;
} Settler;

static void
settler_init (Settler *self, guint n)
{
  self->items = g_new (guint, n);
  self->wanted = g_new (double, n);
  self->weights = g_new (double, n);
  self->reach = g_new (double, n);
  self->places = g_new (double, n);
  self->pools = g_new (Pool, n);
}

static void
settler_clear (Settler *self)
{
  g_free (self->items);
  g_free (self->wanted);
  g_free (self->weights);
  g_free (self->reach);
  g_free (self->places);
  g_free (self->pools);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Settler, settler_clear)

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

  for (guint i = 0; i < self->n_items; i++)
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
 * neighbours, merged while they overlap. @reach is how far each item must at least stand from the
 * first.
 */
static void
find_nearest (const double *wanted,
              const double *weights,
              const double *reach,
              guint n,
              Pool *pools,
              double *places)
{
  guint n_pools = 0;
  guint k = 0;

  for (guint i = 0; i < n; i++)
    {
      pools[n_pools++] = (Pool){ (wanted[i] - reach[i]) * weights[i], weights[i], 1 };
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

  for (guint p = 0; p < n_pools; p++)
    for (guint i = 0; i < pools[p].n; i++, k++)
      places[k] = pools[p].sum / pools[p].weight + reach[k];
}

/* How far two nodes that follow each other must stand apart, with lines between them or without.
 * Two that stood nearer before may go on doing so.
 */
static double
get_node_distance (const ForeLayeredGraph *self, guint left, guint right, double with_lines)
{
  double before;

  if (!fore_layered_graph_has_previous (self, left)
      || !fore_layered_graph_has_previous (self, right))
    return with_lines;

  before = fore_layered_graph_get_previous_x (self, right)
           - fore_layered_graph_get_previous_x (self, left);

  return MAX (fore_layered_graph_get_gap (self, left, right), MIN (with_lines, before));
}

static void
settle_nodes (ForeLayeredGraph *self, guint layer, const double *all_wanted, Settler *settler)
{
  guint begin = self->layer_offset[layer];
  guint end = self->layer_offset[layer + 1];
  double way = 0;
  guint last = G_MAXUINT;
  guint n = 0;

  for (guint k = begin; k < end; k++)
    {
      guint item = self->order[k];

      if (k > begin)
        way += fore_layered_graph_get_gap (self, self->order[k - 1], item);
      if (item >= self->n_nodes)
        continue;
      settler->reach[n] = n == 0
                              ? 0
                              : settler->reach[n - 1] + get_node_distance (self, last, item, way);
      settler->wanted[n] = all_wanted[item];
      settler->weights[n] = fore_layered_graph_has_previous (self, item) ? OLD_WEIGHT : 1;
      settler->items[n++] = item;
      last = item;
      way = 0;
    }

  find_nearest (settler->wanted, settler->weights, settler->reach, n, settler->pools,
                settler->places);
  for (guint i = 0; i < n; i++)
    self->x[settler->items[i]] = settler->places[i];
}

/* Puts the lines from @begin to @end into the room that the nodes beside them leave. */
static void
settle_lines (ForeLayeredGraph *self,
              guint begin,
              guint end,
              double low,
              double high,
              const double *all_wanted,
              Settler *settler)
{
  guint n = end - begin;
  double step = MIN (self->config.lane_gap, (high - low) / (n + 1));

  for (guint i = 0; i < n; i++)
    {
      settler->reach[i] = i * step;
      settler->wanted[i] = all_wanted[self->order[begin + i]];
      settler->weights[i] = 1;
    }
  find_nearest (settler->wanted, settler->weights, settler->reach, n, settler->pools,
                settler->places);
  for (guint i = 0; i < n; i++)
    self->x[self->order[begin + i]] = CLAMP (settler->places[i], low + (i + 1) * step,
                                             high - (n - i) * step);
}

static double
get_side (const ForeLayeredGraph *self, guint node, double side)
{
  return self->x[node] + side * fore_layered_graph_get_width (self, node) / 2;
}

static void
settle_layer (ForeLayeredGraph *self, guint layer, const double *wanted, Settler *settler)
{
  guint end = self->layer_offset[layer + 1];
  guint first = self->layer_offset[layer];
  double low = -FAR_AWAY;

  settle_nodes (self, layer, wanted, settler);
  for (guint k = first; k <= end; k++)
    {
      gboolean at_node = k < end && self->order[k] < self->n_nodes;

      if (k < end && !at_node)
        continue;
      if (k > first)
        settle_lines (self, first, k, low, at_node ? get_side (self, self->order[k], -1) : FAR_AWAY,
                      wanted, settler);
      if (at_node)
        low = get_side (self, self->order[k], 1);
      first = k + 1;
    }
}

/* Moves everything as near as possible to where it was before. */
void
fore_layered_graph_settle (ForeLayeredGraph *self)
{
  g_autofree double *wanted = get_wanted (self);
  g_auto (Settler) settler = { NULL };

  settler_init (&settler, self->n_items + 1);
  for (guint l = 0; l < self->n_layers; l++)
    settle_layer (self, l, wanted, &settler);
}
