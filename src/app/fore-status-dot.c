/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-status-dot.h"

/* A round mark in the colour of a status, or its icon. The word of the status is its name for
 * those who do not see it.
 */
struct _ForeStatusDot
{
  GtkWidget parent_instance;

  GtkWidget *image;
  ForeViewStatus status;
  gboolean show_icon;
};

G_DEFINE_FINAL_TYPE (ForeStatusDot, fore_status_dot, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_STATUS,
  PROP_SHOW_ICON,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

static void
show_status (ForeStatusDot *self)
{
  const char *classes[] = { "status-dot", fore_view_status_get_css_class (self->status), NULL };

  if (self->show_icon)
    classes[0] = "status-icon";
  gtk_widget_set_css_classes (GTK_WIDGET (self), classes);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->image),
                                fore_view_status_get_icon_name (self->status));
  gtk_widget_set_visible (self->image, self->show_icon);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), fore_view_status_get_word (self->status));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  fore_view_status_get_word (self->status), -1);
}

static void
fore_status_dot_dispose (GObject *object)
{
  ForeStatusDot *self = FORE_STATUS_DOT (object);

  g_clear_pointer (&self->image, gtk_widget_unparent);

  G_OBJECT_CLASS (fore_status_dot_parent_class)->dispose (object);
}

static void
fore_status_dot_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  ForeStatusDot *self = FORE_STATUS_DOT (object);

  switch (prop_id)
    {
    case PROP_STATUS:
      g_value_set_enum (value, self->status);
      break;
    case PROP_SHOW_ICON:
      g_value_set_boolean (value, self->show_icon);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
fore_status_dot_set_property (GObject *object,
                              guint prop_id,
                              const GValue *value,
                              GParamSpec *pspec)
{
  ForeStatusDot *self = FORE_STATUS_DOT (object);

  switch (prop_id)
    {
    case PROP_STATUS:
      fore_status_dot_set_status (self, g_value_get_enum (value));
      break;
    case PROP_SHOW_ICON:
      fore_status_dot_set_show_icon (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
fore_status_dot_class_init (ForeStatusDotClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose = fore_status_dot_dispose;
  object_class->get_property = fore_status_dot_get_property;
  object_class->set_property = fore_status_dot_set_property;

  properties[PROP_STATUS] = g_param_spec_enum ("status", NULL, NULL, FORE_TYPE_VIEW_STATUS,
                                               FORE_VIEW_PENDING, flags);
  properties[PROP_SHOW_ICON] = g_param_spec_boolean ("show-icon", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_css_name (widget_class, "statusdot");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
fore_status_dot_init (ForeStatusDot *self)
{
  self->image = gtk_image_new ();
  gtk_widget_set_parent (self->image, GTK_WIDGET (self));
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  gtk_widget_set_halign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  show_status (self);
}

GtkWidget *
fore_status_dot_new (ForeViewStatus status)
{
  return g_object_new (FORE_TYPE_STATUS_DOT, "status", status, NULL);
}

ForeViewStatus
fore_status_dot_get_status (ForeStatusDot *self)
{
  g_return_val_if_fail (FORE_IS_STATUS_DOT (self), FORE_VIEW_PENDING);

  return self->status;
}

void
fore_status_dot_set_status (ForeStatusDot *self, ForeViewStatus status)
{
  g_return_if_fail (FORE_IS_STATUS_DOT (self));
  g_return_if_fail (status < FORE_N_VIEW_STATUSES);

  if (self->status == status)
    return;

  self->status = status;
  show_status (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATUS]);
}

/**
 * fore_status_dot_set_show_icon:
 * @self: a status dot
 * @show_icon: whether to show the icon of the status instead of a dot
 */
void
fore_status_dot_set_show_icon (ForeStatusDot *self, gboolean show_icon)
{
  g_return_if_fail (FORE_IS_STATUS_DOT (self));

  show_icon = !!show_icon;
  if (self->show_icon == show_icon)
    return;

  self->show_icon = show_icon;
  show_status (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOW_ICON]);
}
