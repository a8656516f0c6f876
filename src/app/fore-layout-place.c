/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-layout-place.h"

#include <math.h>

/* Horizontal places after Brandes and Köpf: items are joined into vertical blocks in four ways
 * (from above or below, leaning left or right), each way is pushed together, and every item gets
 * the mean of the two middle ones of its four places. The order of a layer and the least distances
 * hold in each way and therefore in the mean.
 */
typedef struct
{
  ForeLayeredGraph *graph;
  guint8 *marked;
  guint *root;
  guint *align;
  guint *queue;
  guint *missing;
  double *block_x;
  double *x[4];
} Placer;

static void
placer_clear (Placer *self)
{
  g_free (self->marked);
  g_free (self->root);
  g_free (self->align);
  g_free (self->queue);
  g_free (self->missing);
  g_free (self->block_x);
  for (guint i = 0; i < G_N_ELEMENTS (self->x); i++)
    g_free (self->x[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Placer, placer_clear)

static void
placer_init (Placer *self, ForeLayeredGraph *graph)
{
  guint n = graph->n_items + 1;

  *self = (Placer){ .graph = graph };
  self->marked = g_new0 (guint8, graph->n_segments + 1);
  self->root = g_new (guint, n);
  self->align = g_new (guint, n);
  self->queue = g_new (guint, n);
  self->missing = g_new (guint, n);
  self->block_x = g_new (double, n);
  for (guint i = 0; i < G_N_ELEMENTS (self->x); i++)
    self->x[i] = g_new0 (double, n);
}

static gboolean
is_inner (const ForeLayeredGraph *graph, guint segment)
{
  return graph->upper[segment] >= graph->n_nodes && graph->lower[segment] >= graph->n_nodes;
}

static gboolean
find_inner_upper (const ForeLayeredGraph *graph, guint item, guint *position)
{
  for (guint s = graph->up_offset[item]; s < graph->up_offset[item + 1]; s++)
    {
      if (is_inner (graph, graph->up_segment[s]))
        {
          *position = graph->position[graph->upper[graph->up_segment[s]]];
          return TRUE;
        }
    }

  return FALSE;
}

static void
mark_item (Placer *self, guint item, guint first, guint last)
{
  ForeLayeredGraph *graph = self->graph;

  for (guint s = graph->up_offset[item]; s < graph->up_offset[item + 1]; s++)
    {
      guint segment = graph->up_segment[s];
      guint position = graph->position[graph->upper[segment]];

      if ((position < first || position > last) && !is_inner (graph, segment))
        self->marked[segment] = TRUE;
    }
}

/* A trunk stays straight: what crosses it cannot be aligned. */
static void
mark_conflicts (Placer *self)
{
  ForeLayeredGraph *graph = self->graph;

  for (guint l = 1; l < graph->n_layers; l++)
    {
      guint begin = graph->layer_offset[l];
      guint n = graph->layer_offset[l + 1] - begin;
      guint first = 0, scan = 0;

      for (guint k = 0; k < n; k++)
        {
          guint last = begin - graph->layer_offset[l - 1] - 1;
          gboolean inner = find_inner_upper (graph, graph->order[begin + k], &last);

          if (!inner && k + 1 < n)
            continue;
          for (; scan <= k; scan++)
            mark_item (self, graph->order[begin + scan], first, last);
          first = last;
        }
    }
}

/* The part of an item's segments that may be aligned along: a trunk follows itself, loose edges
 * only ever follow their own dummies.
 */
static guint
collect_candidates (const Placer *self, guint item, gboolean below, GArray *candidates)
{
  const ForeLayeredGraph *graph = self->graph;
  const guint *offset = below ? graph->down_offset : graph->up_offset;
  const guint *segments = below ? graph->down_segment : graph->up_segment;

  g_array_set_size (candidates, 0);
  for (guint s = offset[item]; s < offset[item + 1]; s++)
    {
      guint segment = segments[s];

      if (is_inner (graph, segment))
        {
          g_array_set_size (candidates, 0);
          g_array_append_val (candidates, segment);
          break;
        }
      if (!graph->loose[segment])
        g_array_append_val (candidates, segment);
    }

  return candidates->len;
}

static gint64
align_item (Placer *self, guint item, gboolean below, gboolean mirrored, gint64 limit, GArray *list)
{
  const ForeLayeredGraph *graph = self->graph;
  guint n = collect_candidates (self, item, below, list);

  for (guint m = n == 0 ? 1 : (n - 1) / 2; m <= n / 2 && m < n; m++)
    {
      guint segment = g_array_index (list, guint, mirrored ? n - 1 - m : m);
      guint other = below ? graph->lower[segment] : graph->upper[segment];
      gint64 position = graph->position[other];

      if (mirrored)
        position = (gint64) graph->n_items - position;
      if (self->align[item] != item || self->marked[segment] || position <= limit)
        continue;
      self->align[other] = item;
      self->root[item] = self->root[other];
      self->align[item] = self->root[item];
      limit = position;
    }

  return limit;
}

static void
align_blocks (Placer *self, gboolean below, gboolean mirrored)
{
  const ForeLayeredGraph *graph = self->graph;
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < graph->n_items; i++)
    self->root[i] = self->align[i] = i;

  for (guint i = 1; i < graph->n_layers; i++)
    {
      guint l = below ? graph->n_layers - 1 - i : i;
      guint begin = graph->layer_offset[l];
      guint n = graph->layer_offset[l + 1] - begin;
      gint64 limit = -1;

      for (guint k = 0; k < n; k++)
        limit = align_item (self, graph->order[begin + (mirrored ? n - 1 - k : k)], below, mirrored,
                            limit, list);
    }
}

/* The neighbour on the right (on the left when mirrored), or G_MAXUINT. */
static guint
get_next (const ForeLayeredGraph *graph, guint item, gboolean mirrored)
{
  guint layer = graph->layer[item];
  guint begin = graph->layer_offset[layer];
  guint n = graph->layer_offset[layer + 1] - begin;
  guint position = graph->position[item];

  if (mirrored)
    return position > 0 ? graph->order[begin + position - 1] : G_MAXUINT;

  return position + 1 < n ? graph->order[begin + position + 1] : G_MAXUINT;
}

/* Puts each block as far to the left as its neighbours let it. Returns the order of work. */
static guint
push_left (Placer *self, gboolean mirrored)
{
  const ForeLayeredGraph *graph = self->graph;
  guint head = 0, tail = 0;

  memset (self->missing, 0, graph->n_items * sizeof (guint));
  for (guint i = 0; i < graph->n_items; i++)
    {
      guint next = get_next (graph, i, mirrored);

      self->block_x[i] = 0;
      if (next != G_MAXUINT)
        self->missing[self->root[next]]++;
    }
  for (guint i = 0; i < graph->n_items; i++)
    if (self->root[i] == i && self->missing[i] == 0)
      self->queue[tail++] = i;

  while (head < tail)
    {
      guint root = self->queue[head++];
      guint item = root;

      do
        {
          guint next = get_next (graph, item, mirrored);

          if (next != G_MAXUINT)
            {
              guint other = self->root[next];
              double x = self->block_x[root] + fore_layered_graph_get_gap (graph, item, next);

              self->block_x[other] = MAX (self->block_x[other], x);
              if (--self->missing[other] == 0)
                self->queue[tail++] = other;
            }
          item = self->align[item];
        }
      while (item != root);
    }

  return tail;
}

/* Takes out the room that is left between blocks, from the right. */
static void
pull_right (Placer *self, gboolean mirrored, guint n_blocks)
{
  const ForeLayeredGraph *graph = self->graph;

  for (guint i = n_blocks; i > 0; i--)
    {
      guint root = self->queue[i - 1];
      guint item = root;
      double most = INFINITY;

      do
        {
          guint next = get_next (graph, item, mirrored);

          if (next != G_MAXUINT)
            most = MIN (most, self->block_x[self->root[next]]
                                  - fore_layered_graph_get_gap (graph, item, next));
          item = self->align[item];
        }
      while (item != root);

      if (!isinf (most))
        self->block_x[root] = MAX (self->block_x[root], most);
    }
}

static void
place_one_way (Placer *self, guint way)
{
  gboolean mirrored = way & 1;
  guint n_blocks;

  align_blocks (self, way & 2, mirrored);
  n_blocks = push_left (self, mirrored);
  pull_right (self, mirrored, n_blocks);
  for (guint i = 0; i < self->graph->n_items; i++)
    {
      double x = self->block_x[self->root[i]];

      self->x[way][i] = mirrored ? -x : x;
    }
}

static void
get_extent (const Placer *self, guint way, double *left, double *right)
{
  *left = INFINITY;
  *right = -INFINITY;
  for (guint i = 0; i < self->graph->n_items; i++)
    {
      double half = fore_layered_graph_get_width (self->graph, i) / 2;

      *left = MIN (*left, self->x[way][i] - half);
      *right = MAX (*right, self->x[way][i] + half);
    }
}

/* Brings the four ways side by side: all to the narrowest, at the side they lean to. */
static void
match_ways (Placer *self)
{
  double left[4], right[4];
  guint narrowest = 0;

  for (guint way = 0; way < 4; way++)
    {
      get_extent (self, way, &left[way], &right[way]);
      if (right[way] - left[way] < right[narrowest] - left[narrowest])
        narrowest = way;
    }
  for (guint way = 0; way < 4; way++)
    {
      double shift = way & 1 ? right[narrowest] - right[way] : left[narrowest] - left[way];

      for (guint i = 0; i < self->graph->n_items; i++)
        self->x[way][i] += shift;
    }
}

static double
get_middle (const Placer *self, guint item)
{
  double least = INFINITY, most = -INFINITY, sum = 0;

  for (guint way = 0; way < 4; way++)
    {
      double x = self->x[way][item];

      sum += x;
      least = MIN (least, x);
      most = MAX (most, x);
    }

  return (sum - least - most) / 2;
}

gboolean
fore_layered_graph_place (ForeLayeredGraph *self, GCancellable *cancellable, GError **error)
{
  g_auto (Placer) placer = { NULL };

  if (self->n_items == 0)
    return TRUE;

  placer_init (&placer, self);
  mark_conflicts (&placer);
  for (guint way = 0; way < 4; way++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      place_one_way (&placer, way);
    }
  match_ways (&placer);
  for (guint i = 0; i < self->n_items; i++)
    self->x[i] = get_middle (&placer, i);

  return TRUE;
}
