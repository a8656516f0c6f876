/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-view-private.h"

#define LAYOUT_INTERVAL_US (200 * 1000)
#define MOVE_US (220 * 1000)
#define OVERVIEW_SIDE 2048
#define OVERVIEW_IN_PLACE 400

typedef struct
{
  ForeGraphLayout *layout;
  guint serial;
} LayoutJob;

static void
layout_job_free (gpointer data)
{
  LayoutJob *self = data;

  fore_graph_layout_free (self->layout);
  g_free (self);
}

static void
run_layout (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  LayoutJob *job = data;
  GError *error = NULL;

  if (fore_graph_layout_run (job->layout, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static double
ease_out (double t)
{
  double left = 1 - t;

  return 1 - left * left * left;
}

static gboolean
move_nodes (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (widget);
  double t = (double) (gdk_frame_clock_get_frame_time (clock) - self->move_begun) / MOVE_US;

  self->progress = t >= 1 ? 1 : ease_out (MAX (t, 0));
  fore_graph_scene_move (self->scene, self->progress);
  fore_graph_view_place_focus (self);
  gtk_widget_queue_draw (widget);
  if (t < 1)
    return G_SOURCE_CONTINUE;

  self->tick = 0;
  return G_SOURCE_REMOVE;
}

static gboolean
wants_motion (ForeGraphView *self)
{
  gboolean animations;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &animations,
                NULL);

  return animations && self->laid_out && gtk_widget_get_mapped (GTK_WIDGET (self))
         && self->scene->nodes->len <= 2000;
}

static void
begin_move (ForeGraphView *self, gboolean moved)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (self));

  if (!moved || clock == NULL || !wants_motion (self))
    {
      self->progress = 1;
      fore_graph_scene_move (self->scene, 1);
      return;
    }

  self->progress = 0;
  self->move_begun = gdk_frame_clock_get_frame_time (clock);
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), move_nodes, NULL, NULL);
}

static guint
choose_anchor (ForeGraphView *self)
{
  if (self->automatic)
    return FORE_NO_NODE;
  if (self->hovered != FORE_NO_NODE)
    return self->hovered;

  return fore_graph_view_get_selected (self);
}

static void
take_layout (ForeGraphView *self, const ForeGraphLayout *layout)
{
  gboolean moved = fore_graph_scene_apply (self->scene, layout, choose_anchor (self));

  begin_move (self, moved);
  self->laid_out = TRUE;
  if (self->automatic)
    fore_graph_view_fit_automatically (self);
  self->overview_dirty = TRUE;
  fore_graph_view_place_focus (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
layout_done (GObject *source, GAsyncResult *result, gpointer data)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (source);
  LayoutJob *job = g_task_get_task_data (G_TASK (result));

  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return;

  g_clear_object (&self->layout_cancellable);
  if (job->serial == self->scene->serial)
    take_layout (self, job->layout);
  if (self->layout_dirty)
    fore_graph_view_schedule_layout (self);
}

static void
start_layout (ForeGraphView *self)
{
  LayoutJob *job = g_new (LayoutJob, 1);
  g_autoptr (GTask) task = NULL;

  job->layout = fore_graph_scene_make_layout (self->scene);
  job->serial = self->scene->serial;
  self->layout_dirty = FALSE;
  self->layout_begun = g_get_monotonic_time ();
  self->layout_cancellable = g_cancellable_new ();

  task = g_task_new (self, self->layout_cancellable, layout_done, NULL);
  g_task_set_source_tag (task, start_layout);
  g_task_set_name (task, "graph layout");
  g_task_set_task_data (task, job, layout_job_free);
  g_task_run_in_thread (task, run_layout);
}

static gboolean
layout_timeout (gpointer data)
{
  ForeGraphView *self = data;

  self->layout_timeout = 0;
  start_layout (self);
  return G_SOURCE_REMOVE;
}

/* Lays the graph out again, in a thread, and not more often than every 200 ms. */
void
fore_graph_view_schedule_layout (ForeGraphView *self)
{
  gint64 wait;

  self->layout_dirty = TRUE;
  if (self->layout_cancellable != NULL || self->layout_timeout != 0)
    return;

  wait = self->layout_begun + LAYOUT_INTERVAL_US - g_get_monotonic_time ();
  if (wait <= 0)
    start_layout (self);
  else
    self->layout_timeout = g_timeout_add (wait / 1000 + 1, layout_timeout, self);
}

static void
take_overview (ForeGraphView *self, GdkTexture *texture, const ForeGraphOverview *overview)
{
  g_set_object (&self->overview, texture);
  fore_graph_overview_get_bounds (overview, &self->overview_bounds);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
paint_overview (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_pointer (task, fore_graph_overview_paint (data, OVERVIEW_SIDE), g_object_unref);
}

static void
overview_done (GObject *source, GAsyncResult *result, gpointer data)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = g_task_propagate_pointer (G_TASK (result), &error);

  if (error != NULL)
    return;

  g_clear_object (&self->overview_cancellable);
  take_overview (self, texture, g_task_get_task_data (G_TASK (result)));
}

static void
free_overview (gpointer data)
{
  fore_graph_overview_free (data);
}

/* Paints the small picture of the whole graph again when it is out of date: small graphs at once,
 * others in a thread.
 */
void
fore_graph_view_make_overview (ForeGraphView *self)
{
  g_autoptr (ForeGraphOverview) overview = NULL;
  g_autoptr (GTask) task = NULL;

  if (!self->overview_dirty || self->overview_cancellable != NULL || self->scene->nodes->len == 0)
    return;

  self->overview_dirty = FALSE;
  overview = fore_graph_overview_new (self->scene, &self->style.palette);
  if (self->scene->nodes->len <= OVERVIEW_IN_PLACE)
    {
      g_autoptr (GdkTexture) texture = fore_graph_overview_paint (overview, 256);

      g_set_object (&self->overview, texture);
      fore_graph_overview_get_bounds (overview, &self->overview_bounds);
      return;
    }

  self->overview_cancellable = g_cancellable_new ();
  task = g_task_new (self, self->overview_cancellable, overview_done, NULL);
  g_task_set_source_tag (task, fore_graph_view_make_overview);
  g_task_set_name (task, "graph overview");
  g_task_set_task_data (task, g_steal_pointer (&overview), free_overview);
  g_task_run_in_thread (task, paint_overview);
}

void
fore_graph_view_drop_jobs (ForeGraphView *self)
{
  g_cancellable_cancel (self->layout_cancellable);
  g_clear_object (&self->layout_cancellable);
  g_cancellable_cancel (self->overview_cancellable);
  g_clear_object (&self->overview_cancellable);
  g_clear_handle_id (&self->layout_timeout, g_source_remove);
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
}

/**
 * fore_graph_view_is_settled:
 * @self: a graph view
 *
 * Returns: whether the last change has been laid out and nothing moves any more; for tests and
 *   pictures
 */
gboolean
fore_graph_view_is_settled (ForeGraphView *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_VIEW (self), FALSE);

  return self->layout_cancellable == NULL && self->layout_timeout == 0 && !self->layout_dirty
         && self->tick == 0 && self->overview_cancellable == NULL;
}
