/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-layered-graph.h"

G_BEGIN_DECLS

gboolean
fore_layered_graph_place (ForeLayeredGraph *self, GCancellable *cancellable, GError **error);
void fore_layered_graph_compact (ForeLayeredGraph *self);
void fore_layered_graph_settle (ForeLayeredGraph *self);

G_END_DECLS
