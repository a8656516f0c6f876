/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-graph-focus.h"
#include "app/fore-graph-overview.h"
#include "app/fore-graph-painter.h"
#include "app/fore-graph-view.h"

G_BEGIN_DECLS

#define FORE_GRAPH_MIN_ZOOM 0.02
#define FORE_GRAPH_MAX_ZOOM 2.5
#define FORE_GRAPH_NARROW 480

typedef enum
{
  FORE_GRAPH_DRAG_NONE,
  FORE_GRAPH_DRAG_PAN,
  FORE_GRAPH_DRAG_MINIMAP,
} ForeGraphDrag;

struct _ForeGraphView
{
  GtkWidget parent_instance;

  GListModel *model;
  ForeGraphScene *scene;
  GHashTable *icons;
  ForeGraphCardStyle style;
  gboolean style_valid;

  double zoom;
  double offset_x;
  double offset_y;
  gboolean automatic;
  gboolean compact;
  gboolean show_minimap;

  char *selected_id;
  guint hovered;
  char *search;
  guint status_mask;

  GtkWidget *focuses[2];
  guint current_focus;

  GCancellable *layout_cancellable;
  guint layout_timeout;
  gint64 layout_begun;
  gboolean layout_dirty;
  gboolean laid_out;

  guint tick;
  gint64 move_begun;
  double progress;

  GdkTexture *overview;
  ForeGraphBox overview_bounds;
  gboolean overview_dirty;
  GCancellable *overview_cancellable;

  GtkGesture *pinch;
  double pinch_zoom;
  double pointer_x;
  double pointer_y;
  ForeGraphDrag drag;
  double drag_x;
  double drag_y;
};

void fore_graph_view_init_input (ForeGraphView *self);
void fore_graph_view_class_init_input (GtkWidgetClass *widget_class);

void fore_graph_view_schedule_layout (ForeGraphView *self);
void fore_graph_view_drop_jobs (ForeGraphView *self);
void fore_graph_view_make_overview (ForeGraphView *self);

void fore_graph_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot);
void fore_graph_view_draw_cues (ForeGraphView *self, GtkSnapshot *snapshot);
gboolean fore_graph_view_press_cue (ForeGraphView *self, double x, double y);
void fore_graph_view_ensure_style (ForeGraphView *self);
void fore_graph_view_forget_style (ForeGraphView *self);
void fore_graph_view_init_painter (ForeGraphView *self, ForeGraphPainter *painter);
gboolean fore_graph_view_get_minimap (ForeGraphView *self,
                                      graphene_rect_t *frame,
                                      graphene_rect_t *extent,
                                      double *scale);

void fore_graph_view_dim_node (ForeGraphView *self, ForeGraphSceneNode *node);
void fore_graph_view_dim_nodes (ForeGraphView *self);

void fore_graph_view_to_scene (ForeGraphView *self, double x, double y, ForeGraphPoint *point);
void fore_graph_view_pan (ForeGraphView *self, double dx, double dy);
void fore_graph_view_zoom_at (ForeGraphView *self, double zoom, double x, double y);
void fore_graph_view_center_on (ForeGraphView *self, double x, double y);
void fore_graph_view_fit_automatically (ForeGraphView *self);
void fore_graph_view_select (ForeGraphView *self, guint index, gboolean reveal);
void fore_graph_view_activate (ForeGraphView *self, guint index);
void fore_graph_view_place_focus (ForeGraphView *self);
guint fore_graph_view_get_selected (ForeGraphView *self);
void fore_graph_view_update_label (ForeGraphView *self);

G_END_DECLS
