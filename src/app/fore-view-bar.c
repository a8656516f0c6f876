/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-view-bar.h"

#include "app/fore-accessible.h"

#include <glib/gi18n-lib.h>

struct _ForeViewBar
{
  GtkWidget parent_instance;

  GtkWidget *toggles;
  GtkWidget *drop_down;
  GtkWidget *shown;
  GtkStringList *labels;
  GPtrArray *ids;
  GPtrArray *buttons;
  const char *selected;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (ForeViewBar, fore_view_bar, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_SELECTED,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

static void
fore_view_bar_measure (GtkWidget *widget,
                       GtkOrientation orientation,
                       int for_size,
                       int *minimum,
                       int *natural,
                       int *minimum_baseline,
                       int *natural_baseline)
{
  ForeViewBar *self = FORE_VIEW_BAR (widget);
  int wide_min;
  int wide_nat;
  int small_min;
  int small_nat;

  gtk_widget_measure (self->toggles, orientation, -1, &wide_min, &wide_nat, NULL, NULL);
  gtk_widget_measure (self->drop_down, orientation, -1, &small_min, &small_nat, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = MIN (small_min, wide_min);
      *natural = wide_nat;
    }
  else
    {
      *minimum = MAX (small_min, wide_min);
      *natural = MAX (small_nat, wide_nat);
    }
}

static void
fore_view_bar_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  ForeViewBar *self = FORE_VIEW_BAR (widget);
  GtkWidget *shown;
  int wide;
  int wanted;
  int least;

  gtk_widget_measure (self->toggles, GTK_ORIENTATION_HORIZONTAL, -1, &wide, NULL, NULL, NULL);
  shown = width >= wide ? self->toggles : self->drop_down;
  gtk_widget_set_child_visible (self->toggles, shown == self->toggles);
  gtk_widget_set_child_visible (self->drop_down, shown == self->drop_down);
  if (shown != self->shown)
    {
      fore_accessible_set_hidden (self->toggles, shown != self->toggles);
      fore_accessible_set_hidden (self->drop_down, shown != self->drop_down);
      self->shown = shown;
    }
  gtk_widget_measure (shown, GTK_ORIENTATION_VERTICAL, -1, &least, &wanted, NULL, NULL);
  wanted = MIN (wanted, MAX (height, least));
  gtk_widget_size_allocate (shown, &(GtkAllocation){ 0, (height - wanted) / 2, width, wanted }, -1);
}

static void
select_index (ForeViewBar *self, guint index)
{
  if (index >= self->ids->len || self->updating)
    return;

  self->updating = TRUE;
  for (guint i = 0; i < self->buttons->len; i++)
    gtk_toggle_button_set_active (g_ptr_array_index (self->buttons, i), i == index);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->drop_down), index);
  self->updating = FALSE;

  if (self->selected != g_ptr_array_index (self->ids, index))
    {
      self->selected = g_ptr_array_index (self->ids, index);
      g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SELECTED]);
    }
}

static void
toggled_cb (GtkToggleButton *button, ForeViewBar *self)
{
  guint index;

  if (self->updating || !g_ptr_array_find (self->buttons, button, &index))
    return;

  select_index (self, index);
}

static void
drop_down_selected_cb (GtkDropDown *drop_down, GParamSpec *pspec, ForeViewBar *self)
{
  if (!self->updating)
    select_index (self, gtk_drop_down_get_selected (drop_down));
}

static void
fore_view_bar_dispose (GObject *object)
{
  ForeViewBar *self = FORE_VIEW_BAR (object);

  g_clear_pointer (&self->toggles, gtk_widget_unparent);
  g_clear_pointer (&self->drop_down, gtk_widget_unparent);

  G_OBJECT_CLASS (fore_view_bar_parent_class)->dispose (object);
}

static void
fore_view_bar_finalize (GObject *object)
{
  ForeViewBar *self = FORE_VIEW_BAR (object);

  g_ptr_array_unref (self->ids);
  g_ptr_array_unref (self->buttons);

  G_OBJECT_CLASS (fore_view_bar_parent_class)->finalize (object);
}

static void
fore_view_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ForeViewBar *self = FORE_VIEW_BAR (object);

  if (id == PROP_SELECTED)
    g_value_set_string (value, self->selected);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
fore_view_bar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SELECTED)
    fore_view_bar_set_selected (FORE_VIEW_BAR (object), g_value_get_string (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
fore_view_bar_class_init (ForeViewBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fore_view_bar_dispose;
  object_class->finalize = fore_view_bar_finalize;
  object_class->get_property = fore_view_bar_get_property;
  object_class->set_property = fore_view_bar_set_property;
  widget_class->measure = fore_view_bar_measure;
  widget_class->size_allocate = fore_view_bar_size_allocate;

  props[PROP_SELECTED] = g_param_spec_string ("selected", NULL, NULL, NULL,
                                              G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
                                                  | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, props);
  gtk_widget_class_set_css_name (widget_class, "viewbar");
}

static void
fore_view_bar_init (ForeViewBar *self)
{
  self->ids = g_ptr_array_new_with_free_func (g_free);
  self->buttons = g_ptr_array_new ();
  self->labels = gtk_string_list_new (NULL);
  self->toggles = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  gtk_widget_add_css_class (self->toggles, "segments");
  gtk_widget_set_parent (self->toggles, GTK_WIDGET (self));
  self->drop_down = gtk_drop_down_new (G_LIST_MODEL (self->labels), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("View"), -1);
  gtk_widget_set_parent (self->drop_down, GTK_WIDGET (self));
  g_signal_connect (self->drop_down, "notify::selected", G_CALLBACK (drop_down_selected_cb), self);
}

/**
 * fore_view_bar_new:
 *
 * Returns: (transfer floating): a bar without words
 */
GtkWidget *
fore_view_bar_new (void)
{
  return g_object_new (FORE_TYPE_VIEW_BAR, NULL);
}

/**
 * fore_view_bar_add:
 * @self: a view bar
 * @id: id of a new word
 * @label: the word
 * @tooltip: (nullable): more about it
 *
 * The first word is selected.
 */
void
fore_view_bar_add (ForeViewBar *self, const char *id, const char *label, const char *tooltip)
{
  GtkWidget *button;

  g_return_if_fail (FORE_IS_VIEW_BAR (self));

  button = gtk_toggle_button_new_with_label (label);
  if (tooltip != NULL)
    gtk_widget_set_tooltip_text (button, tooltip);
  if (self->buttons->len > 0)
    gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), g_ptr_array_index (self->buttons, 0));

  self->updating = TRUE;
  g_ptr_array_add (self->ids, g_strdup (id));
  g_ptr_array_add (self->buttons, button);
  gtk_string_list_append (self->labels, label);
  self->updating = FALSE;
  g_signal_connect (button, "toggled", G_CALLBACK (toggled_cb), self);
  gtk_box_append (GTK_BOX (self->toggles), button);
  if (self->ids->len == 1)
    select_index (self, 0);
}

/**
 * fore_view_bar_clear:
 * @self: a view bar
 *
 * Takes all words out. Nothing is selected then, which is not told.
 */
void
fore_view_bar_clear (ForeViewBar *self)
{
  g_return_if_fail (FORE_IS_VIEW_BAR (self));

  self->updating = TRUE;
  for (guint i = 0; i < self->buttons->len; i++)
    gtk_box_remove (GTK_BOX (self->toggles), g_ptr_array_index (self->buttons, i));
  g_ptr_array_set_size (self->buttons, 0);
  self->selected = NULL;
  g_ptr_array_set_size (self->ids, 0);
  gtk_string_list_splice (self->labels, 0, g_list_model_get_n_items (G_LIST_MODEL (self->labels)),
                          NULL);
  self->updating = FALSE;
}

/**
 * fore_view_bar_get_selected:
 * @self: a view bar
 *
 * Returns: (transfer none) (nullable): id of the word chosen
 */
const char *
fore_view_bar_get_selected (ForeViewBar *self)
{
  g_return_val_if_fail (FORE_IS_VIEW_BAR (self), NULL);

  return self->selected;
}

/**
 * fore_view_bar_set_selected:
 * @self: a view bar
 * @id: (nullable): id of the word to choose; one that is not there is ignored
 */
void
fore_view_bar_set_selected (ForeViewBar *self, const char *id)
{
  g_return_if_fail (FORE_IS_VIEW_BAR (self));

  for (guint i = 0; i < self->ids->len; i++)
    {
      if (g_strcmp0 (g_ptr_array_index (self->ids, i), id) == 0)
        select_index (self, i);
    }
}
