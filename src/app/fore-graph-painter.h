/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-graph-card.h"
#include "app/fore-graph-scene.h"

G_BEGIN_DECLS

/* Below this zoom cards are plain rectangles and nothing is written. */
#define FORE_GRAPH_DETAIL_ZOOM 0.4

/**
 * ForeGraphPainter:
 * @scene: what to draw
 * @style: how
 * @visible: the part of the scene that is seen
 * @zoom: pixels a unit of the scene
 * @selected: the selected node, or %FORE_NO_NODE
 * @hovered: the node below the pointer, or %FORE_NO_NODE
 * @progress: how far the nodes are on their way, 0 to 1
 *
 * Draws a scene into snapshots whose origin is that of the scene. Needs no display.
 */
typedef struct
{
  ForeGraphScene *scene;
  const ForeGraphCardStyle *style;
  ForeGraphBox visible;
  double zoom;
  guint selected;
  guint hovered;
  double progress;
} ForeGraphPainter;

void fore_graph_painter_draw (const ForeGraphPainter *self,
                              GtkSnapshot *snapshot,
                              GdkTexture *overview,
                              const ForeGraphBox *overview_bounds);
guint fore_graph_painter_count (const ForeGraphPainter *self);
void fore_graph_painter_draw_dots (GtkSnapshot *snapshot,
                                   const ForePalette *palette,
                                   double width,
                                   double height,
                                   double offset_x,
                                   double offset_y,
                                   double zoom);

G_END_DECLS
