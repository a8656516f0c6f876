/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-layered-graph.h"

#include <math.h>

/* The ranked edges between nodes as a table from node to edges. */
typedef struct
{
  guint *offset;
  guint *edge;
} EdgeTable;

static void
edge_table_clear (EdgeTable *table)
{
  g_free (table->offset);
  g_free (table->edge);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EdgeTable, edge_table_clear)

typedef guint (*EndFunc) (const ForeLayeredGraph *self, guint edge);

static void
edge_table_fill (EdgeTable *table, const ForeLayeredGraph *self, EndFunc get_end)
{
  g_autofree guint *next = NULL;

  table->offset = g_new0 (guint, self->n_nodes + 1);
  table->edge = g_new (guint, MAX (self->n_edges, 1));
  for (guint e = 0; e < self->n_edges; e++)
    if (fore_layered_graph_is_ranked (self, e))
      table->offset[get_end (self, e) + 1]++;
  for (guint i = 0; i < self->n_nodes; i++)
    table->offset[i + 1] += table->offset[i];

  next = g_memdup2 (table->offset, (self->n_nodes + 1) * sizeof (guint));
  for (guint e = 0; e < self->n_edges; e++)
    if (fore_layered_graph_is_ranked (self, e))
      table->edge[next[get_end (self, e)]++] = e;
}

/* Turns round the edges that close a cycle, found by a search in depth from every node. */
static void
reverse_cycles (ForeLayeredGraph *self)
{
  g_auto (EdgeTable) out = { NULL, NULL };
  g_autofree guint8 *state = g_new0 (guint8, MAX (self->n_nodes, 1));
  g_autofree guint *cursor = g_new0 (guint, MAX (self->n_nodes, 1));
  g_autofree guint *stack = g_new (guint, self->n_nodes + 1);
  g_autofree guint8 *back = g_new0 (guint8, MAX (self->n_edges, 1));

  edge_table_fill (&out, self, fore_layered_graph_get_from);
  for (guint root = 0; root < self->n_nodes; root++)
    {
      guint depth = 0;

      if (state[root] != 0)
        continue;
      state[root] = 1;
      cursor[root] = out.offset[root];
      stack[depth++] = root;
      while (depth > 0)
        {
          guint node = stack[depth - 1];
          guint edge, to;

          if (cursor[node] == out.offset[node + 1])
            {
              state[node] = 2;
              depth--;
              continue;
            }
          edge = out.edge[cursor[node]++];
          to = fore_layered_graph_get_to (self, edge);
          if (state[to] == 1)
            back[edge] = TRUE;
          else if (state[to] == 0)
            {
              state[to] = 1;
              cursor[to] = out.offset[to];
              stack[depth++] = to;
            }
        }
    }

  memcpy (self->reversed, back, self->n_edges);
}

/* Kahn's order; complete, because the cycles are broken. */
static guint *
sort_topologically (const ForeLayeredGraph *self, const EdgeTable *out, const EdgeTable *in)
{
  guint *sorted = g_new (guint, MAX (self->n_nodes, 1));
  g_autofree guint *missing = g_new0 (guint, MAX (self->n_nodes, 1));
  guint head = 0, tail = 0;

  for (guint i = 0; i < self->n_nodes; i++)
    {
      missing[i] = in->offset[i + 1] - in->offset[i];
      if (missing[i] == 0)
        sorted[tail++] = i;
    }

  while (head < tail)
    {
      guint node = sorted[head++];

      for (guint k = out->offset[node]; k < out->offset[node + 1]; k++)
        {
          guint to = fore_layered_graph_get_to (self, out->edge[k]);

          if (--missing[to] == 0)
            sorted[tail++] = to;
        }
    }

  g_assert (tail == self->n_nodes);
  return sorted;
}

static void
rank_longest_path (ForeLayeredGraph *self, const guint *sorted, const EdgeTable *in)
{
  for (guint i = 0; i < self->n_nodes; i++)
    {
      guint node = sorted[i];
      guint layer = 0;

      for (guint k = in->offset[node]; k < in->offset[node + 1]; k++)
        {
          guint from = fore_layered_graph_get_from (self, in->edge[k]);

          layer = MAX (layer, self->layer[from] + 1);
        }
      if (self->stable && fore_layered_graph_has_previous (self, node))
        layer = MAX (layer, g_array_index (self->previous_layer, guint, node));
      self->layer[node] = layer;
    }
}

/* Lets a node sink to its dependants where that makes more edges shorter than longer. */
static void
tighten (ForeLayeredGraph *self, const guint *sorted, const EdgeTable *out, const EdgeTable *in)
{
  for (guint i = self->n_nodes; i > 0; i--)
    {
      guint node = sorted[i - 1];
      guint n_out = out->offset[node + 1] - out->offset[node];
      guint n_in = in->offset[node + 1] - in->offset[node];
      guint lowest = G_MAXUINT;

      if (n_out <= n_in || (self->stable && fore_layered_graph_has_previous (self, node)))
        continue;
      for (guint k = out->offset[node]; k < out->offset[node + 1]; k++)
        {
          guint to = fore_layered_graph_get_to (self, out->edge[k]);

          lowest = MIN (lowest, self->layer[to]);
        }
      self->layer[node] = MAX (self->layer[node], lowest - 1);
    }
}

/* Nodes without any edge would make the first layer as wide as they are many: they fill rows. */
static void
wrap_isolated (ForeLayeredGraph *self, const EdgeTable *out, const EdgeTable *in)
{
  guint n_isolated = 0, n = 0, per_row;

  for (guint i = 0; i < self->n_nodes; i++)
    n_isolated += out->offset[i + 1] == out->offset[i] && in->offset[i + 1] == in->offset[i];
  if (n_isolated <= 4)
    return;

  per_row = MAX (4, (guint) ceil (sqrt (n_isolated) * 0.7));
  for (guint i = 0; i < self->n_nodes; i++)
    {
      if (out->offset[i + 1] != out->offset[i] || in->offset[i + 1] != in->offset[i])
        continue;
      if (!self->stable || !fore_layered_graph_has_previous (self, i))
        self->layer[i] = n / per_row;
      n++;
    }
}

static void
close_empty_layers (ForeLayeredGraph *self)
{
  g_autofree guint *map = NULL;
  guint n_layers = 0;
  guint last = 0;

  for (guint i = 0; i < self->n_nodes; i++)
    last = MAX (last, self->layer[i]);
  map = g_new0 (guint, last + 1);
  for (guint i = 0; i < self->n_nodes; i++)
    map[self->layer[i]] = 1;
  for (guint l = 0; l <= last; l++)
    {
      gboolean used = map[l];

      map[l] = n_layers;
      n_layers += used;
    }
  for (guint i = 0; i < self->n_nodes; i++)
    self->layer[i] = map[self->layer[i]];

  self->n_layers = n_layers;
}

static void
point_loose_edges_down (ForeLayeredGraph *self)
{
  for (guint e = 0; e < self->n_edges; e++)
    {
      if (!fore_layered_graph_is_ranked (self, e)
          && self->layer[g_array_index (self->from, guint, e)]
                 > self->layer[g_array_index (self->to, guint, e)])
        self->reversed[e] = TRUE;
    }
}

/* Gives every node its layer. */
void
fore_layered_graph_rank (ForeLayeredGraph *self)
{
  g_auto (EdgeTable) out = { NULL, NULL };
  g_auto (EdgeTable) in = { NULL, NULL };
  g_autofree guint *sorted = NULL;

  self->reversed = g_new0 (guint8, MAX (self->n_edges, 1));
  self->layer = g_new0 (guint, MAX (self->n_nodes, 1));
  reverse_cycles (self);

  edge_table_fill (&out, self, fore_layered_graph_get_from);
  edge_table_fill (&in, self, fore_layered_graph_get_to);
  sorted = sort_topologically (self, &out, &in);
  rank_longest_path (self, sorted, &in);
  tighten (self, sorted, &out, &in);
  wrap_isolated (self, &out, &in);
  close_empty_layers (self);
  point_loose_edges_down (self);
}
