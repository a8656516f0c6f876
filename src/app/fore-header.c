/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-header.h"

#include <glib/gi18n-lib.h>

struct _ForeHeader
{
  GtkWidget parent_instance;

  GtkWidget *handle;
  GtkWidget *sidebar_button;
  GtkWidget *title;
  GtkWidget *subtitle;
  GtkWidget *title_box;
  GtkWidget *end_box;
  GtkWidget *controls;
};

static void fore_header_buildable_init (GtkBuildableIface *iface);

static GtkBuildableIface *parent_buildable;

G_DEFINE_FINAL_TYPE_WITH_CODE (ForeHeader,
                               fore_header,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE,
                                                      fore_header_buildable_init))

enum
{
  PROP_0,
  PROP_TITLE,
  PROP_SUBTITLE,
  PROP_SHOW_CONTROLS,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

static void
fore_header_add_child (GtkBuildable *buildable,
                       GtkBuilder *builder,
                       GObject *child,
                       const char *type)
{
  ForeHeader *self = FORE_HEADER (buildable);

  if (g_strcmp0 (type, "end") == 0)
    fore_header_add_end (self, GTK_WIDGET (child));
  else if (g_strcmp0 (type, "title") == 0)
    fore_header_add_title (self, GTK_WIDGET (child));
  else
    parent_buildable->add_child (buildable, builder, child, type);
}

static void
fore_header_buildable_init (GtkBuildableIface *iface)
{
  parent_buildable = g_type_interface_peek_parent (iface);
  iface->add_child = fore_header_add_child;
}

static void
fore_header_dispose (GObject *object)
{
  ForeHeader *self = FORE_HEADER (object);

  g_clear_pointer (&self->handle, gtk_widget_unparent);

  G_OBJECT_CLASS (fore_header_parent_class)->dispose (object);
}

static void
fore_header_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ForeHeader *self = FORE_HEADER (object);

  switch (id)
    {
    case PROP_TITLE:
      g_value_set_string (value, gtk_label_get_text (GTK_LABEL (self->title)));
      break;
    case PROP_SUBTITLE:
      g_value_set_string (value, gtk_label_get_text (GTK_LABEL (self->subtitle)));
      break;
    case PROP_SHOW_CONTROLS:
      g_value_set_boolean (value, gtk_widget_get_visible (self->controls));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fore_header_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ForeHeader *self = FORE_HEADER (object);

  switch (id)
    {
    case PROP_TITLE:
      fore_header_set_title (self, g_value_get_string (value));
      break;
    case PROP_SUBTITLE:
      fore_header_set_subtitle (self, g_value_get_string (value));
      break;
    case PROP_SHOW_CONTROLS:
      gtk_widget_set_visible (self->controls, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fore_header_class_init (ForeHeaderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = fore_header_dispose;
  object_class->get_property = fore_header_get_property;
  object_class->set_property = fore_header_set_property;

  props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, "", flags);
  props[PROP_SUBTITLE] = g_param_spec_string ("subtitle", NULL, NULL, "", flags);
  props[PROP_SHOW_CONTROLS] = g_param_spec_boolean ("show-controls", NULL, NULL, TRUE, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);

  gtk_widget_class_set_css_name (widget_class, "foreheader");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
new_title_label (const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, css_class);

  return label;
}

static void
fore_header_init (ForeHeader *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->handle = gtk_window_handle_new ();
  gtk_widget_set_parent (self->handle, GTK_WIDGET (self));
  gtk_window_handle_set_child (GTK_WINDOW_HANDLE (self->handle), box);

  self->sidebar_button = gtk_button_new_from_icon_name ("fore-sidebar-symbolic");
  gtk_widget_add_css_class (self->sidebar_button, "flat");
  gtk_widget_set_valign (self->sidebar_button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->sidebar_button, _ ("Show or Hide the Sidebar"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->sidebar_button), "win.toggle-sidebar");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->sidebar_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Sidebar"), -1);

  self->title = new_title_label ("fore-title");
  self->subtitle = new_title_label ("fore-subtitle");
  gtk_widget_set_visible (self->subtitle, FALSE);
  self->title_box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  gtk_widget_set_hexpand (self->title_box, TRUE);
  gtk_box_append (GTK_BOX (self->title_box), self->title);
  gtk_box_append (GTK_BOX (self->title_box), self->subtitle);

  self->end_box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_valign (self->end_box, GTK_ALIGN_CENTER);
  self->controls = gtk_window_controls_new (GTK_PACK_END);

  gtk_box_append (GTK_BOX (box), self->sidebar_button);
  gtk_box_append (GTK_BOX (box), self->title_box);
  gtk_box_append (GTK_BOX (box), self->end_box);
  gtk_box_append (GTK_BOX (box), self->controls);
}

/**
 * fore_header_new:
 * @title: (nullable): title
 *
 * Returns: (transfer floating): a header
 */
GtkWidget *
fore_header_new (const char *title)
{
  return g_object_new (FORE_TYPE_HEADER, "title", title, NULL);
}

/**
 * fore_header_set_title:
 * @self: a header
 * @title: (nullable): title of the page, never markup
 */
void
fore_header_set_title (ForeHeader *self, const char *title)
{
  g_return_if_fail (FORE_IS_HEADER (self));

  gtk_label_set_text (GTK_LABEL (self->title), title != NULL ? title : "");
  gtk_widget_set_tooltip_text (self->title, title);
}

/**
 * fore_header_set_subtitle:
 * @self: a header
 * @subtitle: (nullable): what stands behind the title
 */
void
fore_header_set_subtitle (ForeHeader *self, const char *subtitle)
{
  g_return_if_fail (FORE_IS_HEADER (self));

  gtk_label_set_text (GTK_LABEL (self->subtitle), subtitle != NULL ? subtitle : "");
  gtk_widget_set_visible (self->subtitle, subtitle != NULL && *subtitle != 0);
}

/**
 * fore_header_add_end:
 * @self: a header
 * @child: what is added at its end
 */
void
fore_header_add_end (ForeHeader *self, GtkWidget *child)
{
  g_return_if_fail (FORE_IS_HEADER (self));

  gtk_widget_set_valign (child, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (self->end_box), child);
}

/**
 * fore_header_add_title:
 * @self: a header
 * @child: what is added behind the title
 */
void
fore_header_add_title (ForeHeader *self, GtkWidget *child)
{
  g_return_if_fail (FORE_IS_HEADER (self));

  gtk_widget_set_valign (child, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (self->title_box), child);
}
