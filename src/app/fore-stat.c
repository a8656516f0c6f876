/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-stat.h"

#include "app/fore-outside.h"

#include <glib/gi18n-lib.h>

struct _ForeStat
{
  GtkBox parent_instance;

  GtkWidget *caption;
  GtkWidget *value_box;
  GtkWidget *icon;
  GtkWidget *value;
  GtkWidget *removed;
  GtkWidget *bar;
  const char *status_class;
};

G_DEFINE_FINAL_TYPE (ForeStat, fore_stat, GTK_TYPE_BOX)

enum
{
  PROP_0,
  PROP_CAPTION,
  PROP_VALUE,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

static void
fore_stat_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ForeStat *self = FORE_STAT (object);

  switch (id)
    {
    case PROP_CAPTION:
      g_value_set_string (value, gtk_label_get_text (GTK_LABEL (self->caption)));
      break;
    case PROP_VALUE:
      g_value_set_string (value, gtk_label_get_text (GTK_LABEL (self->value)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fore_stat_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ForeStat *self = FORE_STAT (object);

  switch (id)
    {
    case PROP_CAPTION:
      gtk_label_set_text (GTK_LABEL (self->caption), g_value_get_string (value));
      break;
    case PROP_VALUE:
      fore_stat_set_value (self, g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fore_stat_class_init (ForeStatClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = fore_stat_get_property;
  object_class->set_property = fore_stat_set_property;

  props[PROP_CAPTION] = g_param_spec_string ("caption", NULL, NULL, "",
                                             G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  props[PROP_VALUE] = g_param_spec_string ("value", NULL, NULL, "",
                                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static GtkWidget *
new_label (const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, css_class);

  return label;
}

static void
fore_stat_init (ForeStat *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class (GTK_WIDGET (self), "fore-stat");
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_START);

  self->caption = new_label ("stat-caption");
  self->value = new_label ("stat-value");
  self->removed = new_label ("stat-value");
  gtk_widget_add_css_class (self->removed, "fore-removed");
  /* A sign stands before its number in any writing direction. */
  gtk_widget_set_direction (self->removed, GTK_TEXT_DIR_LTR);
  gtk_widget_set_visible (self->removed, FALSE);
  self->icon = gtk_image_new ();
  gtk_widget_set_visible (self->icon, FALSE);
  self->value_box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5);
  gtk_box_append (GTK_BOX (self->value_box), self->icon);
  gtk_box_append (GTK_BOX (self->value_box), self->value);
  gtk_box_append (GTK_BOX (self->value_box), self->removed);
  self->bar = gtk_progress_bar_new ();
  gtk_widget_add_css_class (self->bar, "fore-budget");
  gtk_widget_set_visible (self->bar, FALSE);

  gtk_box_append (GTK_BOX (self), self->caption);
  gtk_box_append (GTK_BOX (self), self->value_box);
  gtk_box_append (GTK_BOX (self), self->bar);
}

/**
 * fore_stat_new:
 * @caption: what the figure is
 *
 * Returns: (transfer floating): a figure without a value
 */
GtkWidget *
fore_stat_new (const char *caption)
{
  return g_object_new (FORE_TYPE_STAT, "caption", caption, NULL);
}

/**
 * fore_stat_set_value:
 * @self: a figure
 * @value: (nullable): its value; %NULL hides the figure
 */
void
fore_stat_set_value (ForeStat *self, const char *value)
{
  g_return_if_fail (FORE_IS_STAT (self));

  gtk_widget_set_visible (GTK_WIDGET (self), value != NULL);
  if (value != NULL)
    fore_outside_show (GTK_LABEL (self->value), value);
}

/**
 * fore_stat_set_changes:
 * @self: a figure
 * @insertions: lines added, or -1
 * @deletions: lines removed, or -1
 */
void
fore_stat_set_changes (ForeStat *self, int insertions, int deletions)
{
  g_autofree char *added = NULL;
  g_autofree char *removed = NULL;

  g_return_if_fail (FORE_IS_STAT (self));

  gtk_widget_set_visible (self->removed, insertions >= 0 && deletions >= 0);
  if (insertions < 0 || deletions < 0)
    {
      gtk_widget_remove_css_class (self->value, "fore-added");
      fore_stat_set_value (self, "–");
      return;
    }

  added = g_strdup_printf ("+%d", insertions);
  removed = g_strdup_printf ("−%d", deletions);
  fore_stat_set_value (self, added);
  gtk_widget_add_css_class (self->value, "fore-added");
  gtk_widget_set_direction (self->value, GTK_TEXT_DIR_LTR);
  gtk_label_set_text (GTK_LABEL (self->removed), removed);
}

/**
 * fore_stat_set_fraction:
 * @self: a figure
 * @fraction: how much of its limit is used, or below 0 for no limit
 * @tooltip: (nullable): the same in words
 */
void
fore_stat_set_fraction (ForeStat *self, double fraction, const char *tooltip)
{
  g_return_if_fail (FORE_IS_STAT (self));

  gtk_widget_set_visible (self->bar, fraction >= 0);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), tooltip);
  if (fraction < 0)
    return;

  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), MIN (fraction, 1));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tooltip != NULL ? tooltip : _ ("Budget used"), -1);
  if (fraction >= 0.8)
    gtk_widget_add_css_class (self->bar, "high");
  else
    gtk_widget_remove_css_class (self->bar, "high");
}

/**
 * fore_stat_set_status:
 * @self: a figure
 * @status: what the value looks like: colour and icon
 */
void
fore_stat_set_status (ForeStat *self, ForeViewStatus status)
{
  g_return_if_fail (FORE_IS_STAT (self));

  /* A class that goes and comes begins a transition, and so do many frames. */
  if (g_strcmp0 (self->status_class, fore_view_status_get_css_class (status)) == 0)
    return;

  if (self->status_class != NULL)
    gtk_widget_remove_css_class (self->value_box, self->status_class);
  self->status_class = fore_view_status_get_css_class (status);
  gtk_widget_add_css_class (self->value_box, self->status_class);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), fore_view_status_get_icon_name (status));
  gtk_widget_set_visible (self->icon, TRUE);
}

/**
 * fore_stat_set_mono:
 * @self: a figure
 * @mono: whether the value is set in the font of code
 */
void
fore_stat_set_mono (ForeStat *self, gboolean mono)
{
  g_return_if_fail (FORE_IS_STAT (self));

  if (mono)
    gtk_widget_add_css_class (self->value, "fore-mono");
  else
    gtk_widget_remove_css_class (self->value, "fore-mono");
  gtk_label_set_ellipsize (GTK_LABEL (self->value),
                           mono ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
}
