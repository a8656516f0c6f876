/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-layered-graph.h"

G_BEGIN_DECLS

gboolean
fore_layered_graph_arrange (ForeLayeredGraph *self, GCancellable *cancellable, GError **error);
guint64 fore_layered_graph_count_crossings (const ForeLayeredGraph *self);
void fore_layered_graph_transpose (ForeLayeredGraph *self, guint max_rounds);

G_END_DECLS
