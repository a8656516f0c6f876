/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-layout-order.h"

/* Comparing two stars costs the product of their sizes: above this it is not worth it. */
#define MAX_PAIR_WORK 1024

static gint64
count_pair (const ForeLayeredGraph *self,
            const guint *left,
            guint n_left,
            const guint *right,
            guint n_right,
            const guint *ends)
{
  gint64 gain = 0;

  if (n_left * n_right > MAX_PAIR_WORK)
    return 0;

  for (guint i = 0; i < n_left; i++)
    {
      guint a = self->position[ends[left[i]]];

      for (guint k = 0; k < n_right; k++)
        {
          guint b = self->position[ends[right[k]]];

          gain += (a > b) - (a < b);
        }
    }

  return gain;
}

/* How many crossings fewer there are when the two neighbours change places. */
static gint64
measure_swap (const ForeLayeredGraph *self, guint v, guint w)
{
  const guint *down = self->down_offset;
  const guint *up = self->up_offset;

  return count_pair (self, self->down_segment + down[v], down[v + 1] - down[v],
                     self->down_segment + down[w], down[w + 1] - down[w], self->lower)
         + count_pair (self, self->up_segment + up[v], up[v + 1] - up[v], self->up_segment + up[w],
                       up[w + 1] - up[w], self->upper);
}

static gboolean
may_swap (const ForeLayeredGraph *self, guint v, guint w)
{
  return !self->stable || !fore_layered_graph_has_previous (self, v)
         || !fore_layered_graph_has_previous (self, w);
}

static gint64
transpose_layer (ForeLayeredGraph *self, guint layer)
{
  gint64 total = 0;

  for (guint k = self->layer_offset[layer]; k + 1 < self->layer_offset[layer + 1]; k++)
    {
      guint v = self->order[k];
      guint w = self->order[k + 1];
      gint64 gain;

      if (!may_swap (self, v, w))
        continue;
      gain = measure_swap (self, v, w);
      if (gain <= 0)
        continue;

      self->order[k] = w;
      self->order[k + 1] = v;
      self->position[w]--;
      self->position[v]++;
      total += gain;
    }

  return total;
}

/* Swaps neighbours as long as that removes crossings, at most @max_rounds times over all. In a
 * stable graph two nodes that were there before never swap.
 */
void
fore_layered_graph_transpose (ForeLayeredGraph *self, guint max_rounds)
{
  for (guint round = 0; round < max_rounds; round++)
    {
      gint64 gain = 0;

      for (guint l = 0; l < self->n_layers; l++)
        gain += transpose_layer (self, l);
      if (gain == 0)
        break;
    }
}
