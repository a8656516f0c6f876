/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeGraph:
 *
 * A directed acyclic graph of keys with counters of unmet dependencies: what may start is known
 * in O(1) per completion. Nodes can join at run time. Not thread-safe.
 */
typedef struct _ForeGraph ForeGraph;

/**
 * ForeGraphWeigh:
 * @key: key of a node
 * @user_data: data of the caller
 *
 * Returns: how long the node itself takes, at least 0
 */
typedef gint64 (*ForeGraphWeigh) (const char *key, gpointer user_data);

ForeGraph *fore_graph_new (void);
void fore_graph_free (ForeGraph *graph);

gboolean
fore_graph_add (ForeGraph *graph, const char *key, const char *const *depends_on, GError **error);
gboolean fore_graph_add_all (ForeGraph *graph,
                             const char *const *keys,
                             GStrv const *depends_on,
                             guint n_keys,
                             GError **error);
gboolean fore_graph_connect (ForeGraph *graph, const char *before, const char *after);
void fore_graph_truncate (ForeGraph *graph, guint n_keep);
gboolean fore_graph_check (ForeGraph *graph, GError **error);
guint fore_graph_get_size (ForeGraph *graph);
gboolean fore_graph_contains (ForeGraph *graph, const char *key);
guint fore_graph_get_unmet (ForeGraph *graph, const char *key);
gboolean fore_graph_is_satisfied (ForeGraph *graph, const char *key);
GPtrArray *fore_graph_satisfy (ForeGraph *graph, const char *key);
GPtrArray *fore_graph_list_dependants (ForeGraph *graph, const char *key, gboolean transitive);
GPtrArray *fore_graph_list_dependencies (ForeGraph *graph, const char *key, gboolean transitive);
GPtrArray *fore_graph_list_roots (ForeGraph *graph);
GPtrArray *fore_graph_sort (ForeGraph *graph);
void fore_graph_measure (ForeGraph *graph, ForeGraphWeigh weigh, gpointer user_data);
gint64 fore_graph_get_chain (ForeGraph *graph, const char *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeGraph, fore_graph_free)

G_END_DECLS
