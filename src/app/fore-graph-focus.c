/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-focus.h"

struct _ForeGraphFocus
{
  GtkWidget parent_instance;

  char *name;
};

G_DEFINE_FINAL_TYPE (ForeGraphFocus, fore_graph_focus, GTK_TYPE_WIDGET)

static void
fore_graph_focus_finalize (GObject *object)
{
  ForeGraphFocus *self = FORE_GRAPH_FOCUS (object);

  g_free (self->name);

  G_OBJECT_CLASS (fore_graph_focus_parent_class)->finalize (object);
}

static void
fore_graph_focus_class_init (ForeGraphFocusClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = fore_graph_focus_finalize;
  gtk_widget_class_set_css_name (widget_class, "graphfocus");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_BUTTON);
}

static void
fore_graph_focus_init (ForeGraphFocus *self)
{
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

GtkWidget *
fore_graph_focus_new (void)
{
  return g_object_new (FORE_TYPE_GRAPH_FOCUS, NULL);
}

/**
 * fore_graph_focus_set_name:
 * @self: a focus
 * @name: what a screen reader says
 * @description: (nullable): more about it
 */
void
fore_graph_focus_set_name (ForeGraphFocus *self, const char *name, const char *description)
{
  g_return_if_fail (FORE_IS_GRAPH_FOCUS (self));
  g_return_if_fail (name != NULL);

  if (g_strcmp0 (self->name, name) != 0)
    {
      g_free (self->name);
      self->name = g_strdup (name);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                      -1);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  description != NULL ? description : "", -1);
}

const char *
fore_graph_focus_get_name (ForeGraphFocus *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_FOCUS (self), NULL);

  return self->name;
}
