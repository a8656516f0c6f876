/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-layered-graph.h"

#include <math.h>

ForeLayeredGraph *
fore_layered_graph_new (const ForeGraphLayoutConfig *config)
{
  ForeLayeredGraph *self = g_new0 (ForeLayeredGraph, 1);

  self->config = *config;
  self->widths = g_array_new (FALSE, FALSE, sizeof (double));
  self->heights = g_array_new (FALSE, FALSE, sizeof (double));
  self->previous_x = g_array_new (FALSE, FALSE, sizeof (double));
  self->previous_layer = g_array_new (FALSE, FALSE, sizeof (guint));
  self->previous_trunks = g_array_new (FALSE, FALSE, sizeof (ForeLayeredTrunk));
  self->from = g_array_new (FALSE, FALSE, sizeof (guint));
  self->to = g_array_new (FALSE, FALSE, sizeof (guint));
  self->ranked = g_array_new (FALSE, FALSE, sizeof (guint8));

  return self;
}

/* Forgets what a run made, so that the same graph can be laid out again. */
void
fore_layered_graph_reset (ForeLayeredGraph *self)
{
  g_clear_pointer (&self->reversed, g_free);
  g_clear_pointer (&self->layer, g_free);
  g_clear_pointer (&self->chain_start, g_free);
  g_clear_pointer (&self->chain_layer, g_free);
  g_clear_pointer (&self->chain_length, g_free);
  g_clear_pointer (&self->edge_chain, g_free);
  g_clear_pointer (&self->upper, g_free);
  g_clear_pointer (&self->lower, g_free);
  g_clear_pointer (&self->loose, g_free);
  g_clear_pointer (&self->down_offset, g_free);
  g_clear_pointer (&self->down_segment, g_free);
  g_clear_pointer (&self->up_offset, g_free);
  g_clear_pointer (&self->up_segment, g_free);
  g_clear_pointer (&self->layer_offset, g_free);
  g_clear_pointer (&self->order, g_free);
  g_clear_pointer (&self->position, g_free);
  g_clear_pointer (&self->previous, g_free);
  g_clear_pointer (&self->x, g_free);
  self->n_items = self->n_segments = self->n_layers = self->n_chains = 0;
}

void
fore_layered_graph_free (ForeLayeredGraph *self)
{
  fore_layered_graph_reset (self);
  g_array_unref (self->widths);
  g_array_unref (self->heights);
  g_array_unref (self->previous_x);
  g_array_unref (self->previous_layer);
  g_array_unref (self->previous_trunks);
  g_array_unref (self->from);
  g_array_unref (self->to);
  g_array_unref (self->ranked);
  g_free (self);
}

guint
fore_layered_graph_get_from (const ForeLayeredGraph *self, guint edge)
{
  gboolean reversed = self->reversed != NULL && self->reversed[edge];

  return g_array_index (reversed ? self->to : self->from, guint, edge);
}

guint
fore_layered_graph_get_to (const ForeLayeredGraph *self, guint edge)
{
  gboolean reversed = self->reversed != NULL && self->reversed[edge];

  return g_array_index (reversed ? self->from : self->to, guint, edge);
}

gboolean
fore_layered_graph_is_ranked (const ForeLayeredGraph *self, guint edge)
{
  return g_array_index (self->ranked, guint8, edge);
}

double
fore_layered_graph_get_width (const ForeLayeredGraph *self, guint item)
{
  return item < self->n_nodes ? g_array_index (self->widths, double, item) : 0;
}

double
fore_layered_graph_get_height (const ForeLayeredGraph *self, guint item)
{
  return item < self->n_nodes ? g_array_index (self->heights, double, item) : 0;
}

/* The least distance between the centres of two neighbours in a layer. Lines need less room
 * between each other than cards do.
 */
double
fore_layered_graph_get_gap (const ForeLayeredGraph *self, guint left, guint right)
{
  gboolean left_is_node = left < self->n_nodes;
  gboolean right_is_node = right < self->n_nodes;
  double space = self->config.lane_gap;

  if (left_is_node && right_is_node)
    space = self->config.node_gap;
  else if (left_is_node || right_is_node)
    space = self->config.node_gap / 2;

  return space
         + (fore_layered_graph_get_width (self, left) + fore_layered_graph_get_width (self, right))
               / 2;
}

gboolean
fore_layered_graph_has_previous (const ForeLayeredGraph *self, guint item)
{
  if (item < self->n_nodes)
    return g_array_index (self->previous_layer, guint, item) != FORE_NO_LAYER;

  return !isnan (self->previous[item]);
}

double
fore_layered_graph_get_previous_x (const ForeLayeredGraph *self, guint item)
{
  return item < self->n_nodes ? g_array_index (self->previous_x, double, item)
                              : self->previous[item];
}

/* Finds the dummies that stand where a trunk passed before. */
static void
recall_trunks (ForeLayeredGraph *self)
{
  self->previous = g_new (double, self->n_items + 1);
  for (guint i = 0; i < self->n_items; i++)
    self->previous[i] = NAN;

  for (guint i = 0; i < self->previous_trunks->len; i++)
    {
      const ForeLayeredTrunk *trunk = &g_array_index (self->previous_trunks, ForeLayeredTrunk, i);
      guint first = self->chain_layer[trunk->node];

      if (trunk->layer >= first && trunk->layer - first < self->chain_length[trunk->node])
        self->previous[self->chain_start[trunk->node] + trunk->layer - first] = trunk->x;
    }
}

static void
count_chains (ForeLayeredGraph *self)
{
  self->edge_chain = g_new (guint, MAX (self->n_edges, 1));
  self->n_chains = self->n_nodes;

  for (guint e = 0; e < self->n_edges; e++)
    {
      if (fore_layered_graph_is_ranked (self, e))
        self->edge_chain[e] = fore_layered_graph_get_from (self, e);
      else
        self->edge_chain[e] = self->n_chains++;
    }

  self->chain_start = g_new0 (guint, MAX (self->n_chains, 1));
  self->chain_layer = g_new0 (guint, MAX (self->n_chains, 1));
  self->chain_length = g_new0 (guint, MAX (self->n_chains, 1));
}

static void
measure_chains (ForeLayeredGraph *self)
{
  guint n_items = self->n_nodes;

  for (guint e = 0; e < self->n_edges; e++)
    {
      guint top = self->layer[fore_layered_graph_get_from (self, e)];
      guint bottom = self->layer[fore_layered_graph_get_to (self, e)];
      guint chain = self->edge_chain[e];

      self->chain_layer[chain] = top + 1;
      if (bottom > top + 1)
        self->chain_length[chain] = MAX (self->chain_length[chain], bottom - top - 1);
    }

  for (guint c = 0; c < self->n_chains; c++)
    {
      self->chain_start[c] = n_items;
      n_items += self->chain_length[c];
    }

  self->layer = g_renew (guint, self->layer, MAX (n_items, 1));
  for (guint c = 0; c < self->n_chains; c++)
    for (guint i = 0; i < self->chain_length[c]; i++)
      self->layer[self->chain_start[c] + i] = self->chain_layer[c] + i;

  self->n_items = n_items;
}

static void
add_segment (ForeLayeredGraph *self, guint upper, guint lower, gboolean loose)
{
  self->upper[self->n_segments] = upper;
  self->lower[self->n_segments] = lower;
  self->loose[self->n_segments] = loose;
  self->n_segments++;
}

static void
add_edge_segments (ForeLayeredGraph *self, guint edge, guint8 *begun, GHashTable *seen)
{
  guint from = fore_layered_graph_get_from (self, edge);
  guint to = fore_layered_graph_get_to (self, edge);
  guint chain = self->edge_chain[edge];
  gboolean loose = !fore_layered_graph_is_ranked (self, edge);
  guint n_dummies = self->layer[to] > self->layer[from] ? self->layer[to] - self->layer[from] - 1
                                                        : 0;
  guint last = n_dummies > 0 ? self->chain_start[chain] + n_dummies - 1 : from;

  if (self->layer[to] == self->layer[from])
    return;

  if (self->chain_length[chain] > 0 && !begun[chain])
    {
      begun[chain] = TRUE;
      add_segment (self, from, self->chain_start[chain], loose);
      for (guint i = 1; i < self->chain_length[chain]; i++)
        add_segment (self, self->chain_start[chain] + i - 1, self->chain_start[chain] + i, loose);
    }

  if (loose)
    add_segment (self, last, to, TRUE);
  else
    {
      gint64 key = ((gint64) last << 32) | to;

      if (g_hash_table_lookup (seen, &key) == NULL)
        {
          g_hash_table_add (seen, g_memdup2 (&key, sizeof key));
          add_segment (self, last, to, FALSE);
        }
    }
}

static void
make_segments (ForeLayeredGraph *self)
{
  g_autofree guint8 *begun = g_new0 (guint8, MAX (self->n_chains, 1));
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  guint most = self->n_edges + (self->n_items - self->n_nodes) + 1;

  self->upper = g_new (guint, most);
  self->lower = g_new (guint, most);
  self->loose = g_new (guint8, most);
  self->n_segments = 0;

  for (guint e = 0; e < self->n_edges; e++)
    add_edge_segments (self, e, begun, seen);
}

static void
fill_adjacency (
    guint n_items, guint n_segments, const guint *ends, guint **offset, guint **segments)
{
  g_autofree guint *next = NULL;

  *offset = g_new0 (guint, n_items + 1);
  *segments = g_new (guint, MAX (n_segments, 1));
  for (guint s = 0; s < n_segments; s++)
    (*offset)[ends[s] + 1]++;
  for (guint i = 0; i < n_items; i++)
    (*offset)[i + 1] += (*offset)[i];

  next = g_memdup2 (*offset, (n_items + 1) * sizeof (guint));
  for (guint s = 0; s < n_segments; s++)
    (*segments)[next[ends[s]]++] = s;
}

/* Makes dummies, segments and the tables that lead from an item to its segments. */
void
fore_layered_graph_split (ForeLayeredGraph *self)
{
  count_chains (self);
  measure_chains (self);
  recall_trunks (self);
  make_segments (self);
  fill_adjacency (self->n_items, self->n_segments, self->upper, &self->down_offset,
                  &self->down_segment);
  fill_adjacency (self->n_items, self->n_segments, self->lower, &self->up_offset,
                  &self->up_segment);

  self->layer_offset = g_new0 (guint, self->n_layers + 1);
  for (guint i = 0; i < self->n_items; i++)
    self->layer_offset[self->layer[i] + 1]++;
  for (guint l = 0; l < self->n_layers; l++)
    self->layer_offset[l + 1] += self->layer_offset[l];

  self->order = g_new0 (guint, MAX (self->n_items, 1));
  self->position = g_new0 (guint, MAX (self->n_items, 1));
  self->x = g_new0 (double, MAX (self->n_items, 1));
}

static void
sort_segments (guint *segments, guint n, const guint *ends, const guint *position)
{
  for (guint i = 1; i < n; i++)
    {
      guint segment = segments[i];
      guint key = position[ends[segment]];
      guint k = i;

      for (; k > 0 && position[ends[segments[k - 1]]] > key; k--)
        segments[k] = segments[k - 1];
      segments[k] = segment;
    }
}

typedef struct
{
  const guint *ends;
  const guint *position;
} SortKeys;

static int
compare_segments (gconstpointer a, gconstpointer b, gpointer data)
{
  const SortKeys *keys = data;
  guint left = keys->position[keys->ends[*(const guint *) a]];
  guint right = keys->position[keys->ends[*(const guint *) b]];

  return left < right ? -1 : left > right;
}

static void
sort_row (guint *segments, guint n, const guint *ends, const guint *position)
{
  SortKeys keys = { ends, position };

  if (n <= 24)
    sort_segments (segments, n, ends, position);
  else
    g_qsort_with_data (segments, n, sizeof (guint), compare_segments, &keys);
}

/* Brings the segments of each item into the order of their other ends. */
void
fore_layered_graph_sort_adjacency (ForeLayeredGraph *self)
{
  for (guint i = 0; i < self->n_items; i++)
    {
      sort_row (self->down_segment + self->down_offset[i],
                self->down_offset[i + 1] - self->down_offset[i], self->lower, self->position);
      sort_row (self->up_segment + self->up_offset[i], self->up_offset[i + 1] - self->up_offset[i],
                self->upper, self->position);
    }
}
