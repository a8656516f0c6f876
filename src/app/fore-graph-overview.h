/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-graph-scene.h"
#include "app/fore-palette.h"

G_BEGIN_DECLS

/**
 * ForeGraphOverview:
 *
 * A small picture of a whole graph, each node a rectangle in the colour of its status: for the
 * minimap, and for zooms at which thousands of nodes are seen at once. Made from a copy of the
 * scene, so it can be painted in any thread.
 */
typedef struct _ForeGraphOverview ForeGraphOverview;

ForeGraphOverview *fore_graph_overview_new (const ForeGraphScene *scene,
                                            const ForePalette *palette);
void fore_graph_overview_free (ForeGraphOverview *self);
GdkTexture *fore_graph_overview_paint (const ForeGraphOverview *self, guint max_side);
void fore_graph_overview_get_bounds (const ForeGraphOverview *self, ForeGraphBox *bounds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeGraphOverview, fore_graph_overview_free)

G_END_DECLS
