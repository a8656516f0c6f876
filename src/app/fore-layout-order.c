/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-layout-order.h"

#include <math.h>

/* Bounds of the work: items and segments looked at in all sweeps together. */
#define MAX_WORK 3000000u
#define MAX_SWEEPS 40u
#define MIN_SWEEPS 4u
#define MAX_TRANSPOSE_WORK 60000u
#define PATIENCE 8u

typedef struct
{
  double key;
  guint item;
  guint slot;
} SortKey;

typedef struct
{
  ForeLayeredGraph *graph;
  GCancellable *cancellable;
  SortKey *keys;
  guint *slots;
  guint *best;
  guint64 n_best;
} Arranger;

static void
arranger_clear (Arranger *self)
{
  g_free (self->keys);
  g_free (self->slots);
  g_free (self->best);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arranger, arranger_clear)

static void
add_to_tree (guint *tree, guint n, guint index)
{
  for (guint i = index + 1; i <= n; i += i & -i)
    tree[i]++;
}

static guint
count_in_tree (const guint *tree, guint index)
{
  guint count = 0;

  for (guint i = index + 1; i > 0; i -= i & -i)
    count += tree[i];

  return count;
}

static guint64
count_gap (const ForeLayeredGraph *graph, guint layer, guint *tree)
{
  guint n_lower = graph->layer_offset[layer + 2] - graph->layer_offset[layer + 1];
  guint n_added = 0;
  guint64 crossings = 0;

  memset (tree, 0, (n_lower + 1) * sizeof (guint));
  for (guint k = graph->layer_offset[layer]; k < graph->layer_offset[layer + 1]; k++)
    {
      guint item = graph->order[k];
      guint begin = graph->down_offset[item];
      guint end = graph->down_offset[item + 1];

      for (guint s = begin; s < end; s++)
        {
          guint lower = graph->lower[graph->down_segment[s]];

          crossings += n_added - count_in_tree (tree, graph->position[lower]);
        }
      for (guint s = begin; s < end; s++)
        add_to_tree (tree, n_lower, graph->position[graph->lower[graph->down_segment[s]]]);
      n_added += end - begin;
    }

  return crossings;
}

guint64
fore_layered_graph_count_crossings (const ForeLayeredGraph *self)
{
  g_autofree guint *tree = g_new (guint, self->n_items + 2);
  guint64 crossings = 0;

  for (guint l = 0; l + 1 < self->n_layers; l++)
    crossings += count_gap (self, l, tree);

  return crossings;
}

static void
place_item (ForeLayeredGraph *graph, guint item, guint *filled, guint8 *placed)
{
  guint layer = graph->layer[item];

  placed[item] = TRUE;
  graph->position[item] = filled[layer];
  graph->order[graph->layer_offset[layer] + filled[layer]++] = item;
}

/* The first order: what hangs together stands together, by a search in depth from the sources. */
static void
order_in_depth (ForeLayeredGraph *graph)
{
  g_autofree guint *filled = g_new0 (guint, graph->n_layers + 1);
  g_autofree guint8 *placed = g_new0 (guint8, graph->n_items + 1);
  g_autofree guint *stack = g_new (guint, graph->n_items + graph->n_segments + 1);

  for (guint start = 0; start < graph->n_items; start++)
    {
      guint depth = 0;

      if (placed[start] || graph->up_offset[start + 1] > graph->up_offset[start])
        continue;
      stack[depth++] = start;
      while (depth > 0)
        {
          guint item = stack[--depth];

          if (placed[item])
            continue;
          place_item (graph, item, filled, placed);
          for (guint s = graph->down_offset[item + 1]; s > graph->down_offset[item]; s--)
            {
              guint lower = graph->lower[graph->down_segment[s - 1]];

              if (!placed[lower])
                stack[depth++] = lower;
            }
        }
    }
}

static void
order_as_given (ForeLayeredGraph *graph)
{
  g_autofree guint *filled = g_new0 (guint, graph->n_layers + 1);
  g_autofree guint8 *placed = g_new0 (guint8, graph->n_items + 1);

  for (guint item = 0; item < graph->n_items; item++)
    place_item (graph, item, filled, placed);
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  const SortKey *left = a;
  const SortKey *right = b;

  if (left->key != right->key)
    return left->key < right->key ? -1 : 1;

  return left->slot < right->slot ? -1 : left->slot > right->slot;
}

static double
get_barycentre (const ForeLayeredGraph *graph, guint item, gboolean down)
{
  const guint *offset = down ? graph->up_offset : graph->down_offset;
  const guint *segments = down ? graph->up_segment : graph->down_segment;
  const guint *ends = down ? graph->upper : graph->lower;
  guint n = offset[item + 1] - offset[item];
  double sum = 0;

  for (guint s = offset[item]; s < offset[item + 1]; s++)
    sum += graph->position[ends[segments[s]]];

  return n > 0 ? sum / n : -1;
}

/* Sorts the items of a layer that have neighbours there; the others keep their places. */
static void
sort_layer (Arranger *self, guint layer, gboolean down, gboolean mirrored)
{
  ForeLayeredGraph *graph = self->graph;
  guint begin = graph->layer_offset[layer];
  guint n = graph->layer_offset[layer + 1] - begin;
  guint n_keys = 0;

  for (guint k = 0; k < n; k++)
    {
      guint item = graph->order[begin + k];
      double key = get_barycentre (graph, item, down);

      if (key < 0)
        continue;
      self->slots[n_keys] = k;
      self->keys[n_keys++] = (SortKey){ key, item, mirrored ? n - k : k };
    }

  qsort (self->keys, n_keys, sizeof (SortKey), compare_keys);
  for (guint k = 0; k < n_keys; k++)
    {
      graph->order[begin + self->slots[k]] = self->keys[k].item;
      graph->position[self->keys[k].item] = self->slots[k];
    }
}

static void
sweep (Arranger *self, gboolean down, gboolean mirrored)
{
  guint n_layers = self->graph->n_layers;

  for (guint i = 1; i < n_layers; i++)
    {
      if (g_cancellable_is_cancelled (self->cancellable))
        return;
      sort_layer (self, down ? i : n_layers - 1 - i, down, mirrored);
    }
}

static gboolean
keep_if_better (Arranger *self)
{
  guint64 crossings = fore_layered_graph_count_crossings (self->graph);

  if (crossings >= self->n_best)
    return FALSE;

  self->n_best = crossings;
  memcpy (self->best, self->graph->order, self->graph->n_items * sizeof (guint));
  return TRUE;
}

static void
take_order (ForeLayeredGraph *graph, const guint *order)
{
  if (order != graph->order)
    memcpy (graph->order, order, graph->n_items * sizeof (guint));
  for (guint l = 0; l < graph->n_layers; l++)
    for (guint k = graph->layer_offset[l]; k < graph->layer_offset[l + 1]; k++)
      graph->position[graph->order[k]] = k - graph->layer_offset[l];
}

static void
improve (Arranger *self, guint n_sweeps, gboolean transpose)
{
  guint without_gain = 0;

  keep_if_better (self);
  for (guint i = 0; i < n_sweeps && without_gain < PATIENCE && self->n_best > 0; i++)
    {
      sweep (self, i % 2 == 0, i % 4 >= 2);
      if (g_cancellable_is_cancelled (self->cancellable))
        return;
      if (transpose)
        fore_layered_graph_transpose (self->graph, 2);
      without_gain = keep_if_better (self) ? 0 : without_gain + 1;
    }
}

static void
arrange_freely (Arranger *self)
{
  ForeLayeredGraph *graph = self->graph;
  guint work = graph->n_items + graph->n_segments;
  guint n_sweeps = CLAMP (MAX_WORK / MAX (work, 1), MIN_SWEEPS, MAX_SWEEPS);
  gboolean transpose = work <= MAX_TRANSPOSE_WORK;

  order_in_depth (graph);
  improve (self, n_sweeps, transpose);
  if (self->n_best > 0 && transpose)
    {
      order_as_given (graph);
      improve (self, n_sweeps, transpose);
    }

  take_order (graph, self->best);
  if (transpose)
    fore_layered_graph_transpose (graph, 8);
}

/* The mean place of the neighbours whose place is known, NaN without any. */
static double
get_mean_key (const ForeLayeredGraph *graph, const double *keys, guint item)
{
  double sum = 0;
  guint n = 0;

  for (guint s = graph->up_offset[item]; s < graph->up_offset[item + 1]; s++)
    {
      double key = keys[graph->upper[graph->up_segment[s]]];

      if (!isnan (key))
        sum += key, n++;
    }
  for (guint s = graph->down_offset[item]; s < graph->down_offset[item + 1]; s++)
    {
      double key = keys[graph->lower[graph->down_segment[s]]];

      if (!isnan (key))
        sum += key, n++;
    }

  return n > 0 ? sum / n : NAN;
}

static void
spread_keys (const ForeLayeredGraph *graph, double *keys)
{
  for (guint round = 0; round < 6; round++)
    for (guint i = 0; i < graph->n_items; i++)
      {
        guint item = round % 2 == 0 ? i : graph->n_items - 1 - i;
        double key;

        if (fore_layered_graph_has_previous (graph, item))
          continue;
        key = get_mean_key (graph, keys, item);
        if (!isnan (key))
          keys[item] = key;
      }
}

/* Old nodes keep their order from left to right; new ones and dummies go where their neighbours
 * are.
 */
static void
arrange_around_old (Arranger *self)
{
  ForeLayeredGraph *graph = self->graph;
  g_autofree double *keys = g_new (double, graph->n_items + 1);
  guint work = graph->n_items + graph->n_segments;

  for (guint i = 0; i < graph->n_items; i++)
    keys[i] = fore_layered_graph_has_previous (graph, i)
                  ? fore_layered_graph_get_previous_x (graph, i)
                  : NAN;
  spread_keys (graph, keys);
  order_as_given (graph);

  for (guint l = 0; l < graph->n_layers; l++)
    {
      guint begin = graph->layer_offset[l];
      guint n = graph->layer_offset[l + 1] - begin;

      for (guint k = 0; k < n; k++)
        {
          guint item = graph->order[begin + k];

          self->keys[k] = (SortKey){ isnan (keys[item]) ? G_MAXDOUBLE : keys[item], item, k };
        }
      qsort (self->keys, n, sizeof (SortKey), compare_keys);
      for (guint k = 0; k < n; k++)
        graph->order[begin + k] = self->keys[k].item;
    }

  take_order (graph, graph->order);
  if (work <= MAX_TRANSPOSE_WORK)
    fore_layered_graph_transpose (graph, 8);
}

/* Finds the order inside each layer. */
gboolean
fore_layered_graph_arrange (ForeLayeredGraph *self, GCancellable *cancellable, GError **error)
{
  g_auto (Arranger) arranger = { .graph = self, .cancellable = cancellable };

  arranger.keys = g_new (SortKey, self->n_items + 1);
  arranger.slots = g_new (guint, self->n_items + 1);
  arranger.best = g_new0 (guint, self->n_items + 1);
  arranger.n_best = G_MAXUINT64;

  if (self->stable)
    arrange_around_old (&arranger);
  else
    arrange_freely (&arranger);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;

  fore_layered_graph_sort_adjacency (self);
  return TRUE;
}
