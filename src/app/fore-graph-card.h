/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-graph-node.h"
#include "app/fore-palette.h"

G_BEGIN_DECLS

typedef void (*ForeGraphIconFunc) (GtkSnapshot *snapshot,
                                   const char *icon_name,
                                   double size,
                                   const GdkRGBA *colour,
                                   gpointer data);

/**
 * ForeGraphCardStyle:
 * @palette: the colours
 * @context: what texts are laid out with
 * @scale: how much larger than usual the text is, at least 1
 * @rtl: whether the card is mirrored
 * @draw_icon: (nullable): draws an icon at the origin; without it a dot stands for the icon
 * @data: for @draw_icon
 */
typedef struct
{
  ForePalette palette;
  PangoContext *context;
  double scale;
  gboolean rtl;
  ForeGraphIconFunc draw_icon;
  gpointer data;
} ForeGraphCardStyle;

typedef enum
{
  FORE_GRAPH_CARD_PLAIN = 0,
  FORE_GRAPH_CARD_SELECTED = 1 << 0,
  FORE_GRAPH_CARD_HOVERED = 1 << 1,
} ForeGraphCardFlags;

double fore_graph_card_get_scale (PangoContext *context);
void fore_graph_card_snapshot (GtkSnapshot *snapshot,
                               const ForeGraphCardStyle *style,
                               ForeGraphNode *node,
                               double width,
                               double height);
void fore_graph_card_snapshot_outline (GtkSnapshot *snapshot,
                                       const ForeGraphCardStyle *style,
                                       double width,
                                       double height,
                                       ForeGraphCardFlags flags);

G_END_DECLS
