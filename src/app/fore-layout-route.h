/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-layered-graph.h"

G_BEGIN_DECLS

/**
 * ForeLayoutRoutes:
 * @boxes: of #ForeGraphBox, one a node
 * @points: of #ForeGraphPoint, those of all edges
 * @offsets: of #guint, where the points of an edge begin; one more than there are edges
 */
typedef struct
{
  GArray *boxes;
  GArray *points;
  GArray *offsets;
} ForeLayoutRoutes;

void fore_layout_routes_init (ForeLayoutRoutes *self);
void fore_layout_routes_clear (ForeLayoutRoutes *self);
void fore_layout_routes_make (ForeLayoutRoutes *self, const ForeLayeredGraph *graph);

G_END_DECLS
