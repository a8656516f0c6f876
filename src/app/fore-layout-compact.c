/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-layout-place.h"

#include <math.h>

#define ROUNDS 8

/* Shorter ways than this, in cards, stay as they are: there straight lines matter more. */
#define LEAST_MOVE 1.2

typedef struct
{
  ForeLayeredGraph *graph;
  guint *root;
  guint *next;
  GArray *values;
  double least_move;
} Compactor;

static int
compare_values (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a;
  double right = *(const double *) b;

  return left < right ? -1 : left > right;
}

/* The value nearest to @x that lies in the middle of the collected ones. */
static double
get_median (GArray *values, double x)
{
  double low, high;

  if (values->len == 0)
    return x;

  g_array_sort (values, compare_values);
  low = g_array_index (values, double, (values->len - 1) / 2);
  high = g_array_index (values, double, values->len / 2);

  return CLAMP (x, low, high);
}

/* Moves all that lies below a gap as a whole, so that most lines across it become short. */
static void
shift_below (Compactor *self)
{
  ForeLayeredGraph *graph = self->graph;
  double shift = 0;

  for (guint l = 1; l < graph->n_layers; l++)
    {
      double more;

      g_array_set_size (self->values, 0);
      for (guint k = graph->layer_offset[l]; k < graph->layer_offset[l + 1]; k++)
        {
          guint item = graph->order[k];

          graph->x[item] += shift;
          for (guint s = graph->up_offset[item]; s < graph->up_offset[item + 1]; s++)
            {
              double way = graph->x[graph->upper[graph->up_segment[s]]] - graph->x[item];

              g_array_append_val (self->values, way);
            }
        }
      more = get_median (self->values, 0);
      if (fabs (more) < self->least_move)
        continue;
      for (guint k = graph->layer_offset[l]; k < graph->layer_offset[l + 1]; k++)
        graph->x[graph->order[k]] += more;
      shift += more;
    }
}

/* Joins what stands straight below each other to blocks, linked from the top down. */
static void
find_blocks (Compactor *self)
{
  ForeLayeredGraph *graph = self->graph;

  for (guint i = 0; i < graph->n_items; i++)
    {
      self->root[i] = i;
      self->next[i] = G_MAXUINT;
    }
  for (guint k = 0; k < graph->n_items; k++)
    {
      guint item = graph->order[k];

      for (guint s = graph->down_offset[item]; s < graph->down_offset[item + 1]; s++)
        {
          guint lower = graph->lower[graph->down_segment[s]];

          if (fabs (graph->x[lower] - graph->x[item]) > 0.5 || self->root[lower] != lower)
            continue;
          self->root[lower] = self->root[item];
          self->next[item] = lower;
          break;
        }
    }
}

static void
add_neighbours (Compactor *self, guint item)
{
  ForeLayeredGraph *graph = self->graph;

  for (guint s = graph->up_offset[item]; s < graph->up_offset[item + 1]; s++)
    {
      guint other = graph->upper[graph->up_segment[s]];

      if (self->root[other] != self->root[item])
        g_array_append_val (self->values, graph->x[other]);
    }
  for (guint s = graph->down_offset[item]; s < graph->down_offset[item + 1]; s++)
    {
      guint other = graph->lower[graph->down_segment[s]];

      if (self->root[other] != self->root[item])
        g_array_append_val (self->values, graph->x[other]);
    }
}

static void
narrow_room (Compactor *self, guint item, double *low, double *high)
{
  ForeLayeredGraph *graph = self->graph;
  guint begin = graph->layer_offset[graph->layer[item]];
  guint end = graph->layer_offset[graph->layer[item] + 1];
  guint place = begin + graph->position[item];

  if (place > begin)
    {
      guint left = graph->order[place - 1];

      *low = MAX (*low, graph->x[left] + fore_layered_graph_get_gap (graph, left, item));
    }
  if (place + 1 < end)
    {
      guint right = graph->order[place + 1];

      *high = MIN (*high, graph->x[right] - fore_layered_graph_get_gap (graph, item, right));
    }
}

static gboolean
move_block (Compactor *self, guint root)
{
  ForeLayeredGraph *graph = self->graph;
  double low = -INFINITY, high = INFINITY;
  double before = graph->x[root];
  double x;

  g_array_set_size (self->values, 0);
  for (guint item = root; item != G_MAXUINT; item = self->next[item])
    {
      add_neighbours (self, item);
      narrow_room (self, item, &low, &high);
    }
  x = get_median (self->values, before);
  if (fabs (x - before) < self->least_move || low > high)
    return FALSE;

  x = CLAMP (x, low, high);
  for (guint item = root; item != G_MAXUINT; item = self->next[item])
    graph->x[item] = x;

  return fabs (x - before) > 0.5;
}

static gboolean
move_blocks (Compactor *self, gboolean forwards)
{
  ForeLayeredGraph *graph = self->graph;
  gboolean moved = FALSE;

  for (guint k = 0; k < graph->n_items; k++)
    {
      guint item = graph->order[forwards ? k : graph->n_items - 1 - k];

      if (self->root[item] == item)
        moved |= move_block (self, item);
    }

  return moved;
}

/* Takes long ways out of a placed graph. Order and distances hold, and what was straight stays so.
 */
void
fore_layered_graph_compact (ForeLayeredGraph *self)
{
  g_autofree guint *root = g_new (guint, self->n_items + 1);
  g_autofree guint *next = g_new (guint, self->n_items + 1);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  Compactor compactor = { self, root, next, values, 0 };
  double widest = 0;

  for (guint i = 0; i < self->n_nodes; i++)
    widest = MAX (widest, fore_layered_graph_get_width (self, i));
  compactor.least_move = LEAST_MOVE * (widest + self->config.node_gap);

  shift_below (&compactor);
  for (guint round = 0; round < ROUNDS; round++)
    {
      find_blocks (&compactor);
      if (!move_blocks (&compactor, round % 2 == 1))
        break;
    }
}
