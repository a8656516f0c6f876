/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-narrow-layout.h"

#include "app/fore-graph-card.h"

/* Gives all the room to each child and tells its widget when that room becomes narrow, or is so no
 * more. A widget counts as narrow before it has any room: what it needs at least is what the
 * narrow form needs.
 */

struct _ForeNarrowLayout
{
  GtkLayoutManager parent_instance;

  ForeNarrowFunc func;
  ForeWidthFunc width_func;
  int width;
  int below;
  gboolean narrow;
  guint idle;
};

G_DEFINE_FINAL_TYPE (ForeNarrowLayout, fore_narrow_layout, GTK_TYPE_LAYOUT_MANAGER)

static void
fore_narrow_layout_measure (GtkLayoutManager *manager,
                            GtkWidget *widget,
                            GtkOrientation orientation,
                            int for_size,
                            int *minimum,
                            int *natural,
                            int *minimum_baseline,
                            int *natural_baseline)
{
  *minimum = 0;
  *natural = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int least;
      int wanted;

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, orientation, for_size, &least, &wanted, NULL, NULL);
      *minimum = MAX (*minimum, least);
      *natural = MAX (*natural, wanted);
    }
}

static gboolean
tell_cb (gpointer data)
{
  ForeNarrowLayout *self = data;

  self->idle = 0;
  if (self->width_func != NULL)
    self->width_func (gtk_layout_manager_get_widget (GTK_LAYOUT_MANAGER (self)), self->width);
  else
    self->func (gtk_layout_manager_get_widget (GTK_LAYOUT_MANAGER (self)), self->narrow);

  return G_SOURCE_REMOVE;
}

static void
fore_narrow_layout_allocate (
    GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  ForeNarrowLayout *self = FORE_NARROW_LAYOUT (manager);
  double scale = fore_graph_card_get_scale (gtk_widget_get_pango_context (widget));
  gboolean narrow = width < self->below * scale;
  int scaled = self->width_func != NULL ? (int) (width / scale) : self->width;

  /* What is told changes the layout, which must not happen while it is made. */
  if (narrow != self->narrow || scaled != self->width)
    {
      self->narrow = narrow;
      self->width = scaled;
      if (self->idle == 0)
        self->idle = g_idle_add_full (GDK_PRIORITY_REDRAW - 10, tell_cb, self, NULL);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      if (gtk_widget_should_layout (child))
        gtk_widget_allocate (child, width, height, baseline, NULL);
    }
}

static GtkSizeRequestMode
fore_narrow_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
fore_narrow_layout_unroot (GtkLayoutManager *manager)
{
  g_clear_handle_id (&FORE_NARROW_LAYOUT (manager)->idle, g_source_remove);

  GTK_LAYOUT_MANAGER_CLASS (fore_narrow_layout_parent_class)->unroot (manager);
}

static void
fore_narrow_layout_class_init (ForeNarrowLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->measure = fore_narrow_layout_measure;
  layout_class->allocate = fore_narrow_layout_allocate;
  layout_class->get_request_mode = fore_narrow_layout_get_request_mode;
  layout_class->unroot = fore_narrow_layout_unroot;
}

static void
fore_narrow_layout_init (ForeNarrowLayout *self)
{
  self->narrow = TRUE;
}

/**
 * fore_narrow_layout_install:
 * @widget: a widget, which lays out its children with this from now on
 * @below: how many pixels are too few for its wide form, with text of the usual size
 * @func: told whenever @widget became narrow or wide; at once as narrow
 */
void
fore_narrow_layout_install (GtkWidget *widget, int below, ForeNarrowFunc func)
{
  ForeNarrowLayout *self;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (func != NULL);

  self = g_object_new (FORE_TYPE_NARROW_LAYOUT, NULL);
  self->below = below;
  self->func = func;
  gtk_widget_set_layout_manager (widget, GTK_LAYOUT_MANAGER (self));
  func (widget, TRUE);
}

/**
 * fore_narrow_layout_install_width:
 * @widget: a widget, which lays out its children with this from now on
 * @func: told whenever the width of @widget changed; at once that it has none
 */
void
fore_narrow_layout_install_width (GtkWidget *widget, ForeWidthFunc func)
{
  ForeNarrowLayout *self;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (func != NULL);

  self = g_object_new (FORE_TYPE_NARROW_LAYOUT, NULL);
  self->width_func = func;
  self->narrow = FALSE;
  gtk_widget_set_layout_manager (widget, GTK_LAYOUT_MANAGER (self));
  func (widget, 0);
}
