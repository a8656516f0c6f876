/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-header.h"

#include "app/fore-outside.h"

#include <glib/gi18n-lib.h>

#define GAP 8
/* A title is cut to this before the rest of the bar goes to a row of its own. */
#define LEAST_TITLE 110
#define LEAST_SUBTITLE 70

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

/* What stands below the first row, and whether the two of them need a row each. */
typedef struct
{
  gboolean extras_below;
  gboolean end_below;
  gboolean apart;
} Rows;

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

static int
width_of (GtkWidget *widget, gboolean natural)
{
  int least;
  int wanted;

  if (!gtk_widget_get_visible (widget))
    return 0;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wanted, NULL, NULL);
  return natural ? wanted : least;
}

static int
height_of (GtkWidget *widget, int width)
{
  int least;

  if (!gtk_widget_get_visible (widget))
    return 0;

  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width, &least, NULL, NULL, NULL);
  return least;
}

static int
get_title_natural (ForeHeader *self)
{
  int subtitle = width_of (self->subtitle, TRUE);
  int extras = width_of (self->title_box, TRUE);

  return width_of (self->title, TRUE) + (subtitle > 0 ? subtitle + GAP : 0)
         + (extras > 0 ? extras + GAP : 0);
}

/* What stands beside the title on the first row, with the gaps. */
static int
get_frame_width (ForeHeader *self)
{
  return width_of (self->sidebar_button, TRUE) + width_of (self->controls, TRUE) + 2 * GAP;
}

/* Decides what stands on the first row: the end goes below first, then what follows the title. */
static Rows
find_rows (ForeHeader *self, int width)
{
  int extras = width_of (self->title_box, FALSE);
  int end = width_of (self->end_box, FALSE);
  int least = get_frame_width (self) + LEAST_TITLE;
  Rows rows = { FALSE, FALSE, FALSE };

  rows.end_below = end > 0 && width < least + (extras > 0 ? extras + GAP : 0) + end + GAP;
  rows.extras_below = extras > 0 && width < least + extras + GAP;
  rows.apart = rows.end_below && rows.extras_below && width < extras + GAP + end;

  return rows;
}

static int
get_height_below (ForeHeader *self, Rows rows)
{
  int extras = rows.extras_below ? height_of (self->title_box, -1) + GAP : 0;
  int end = rows.end_below ? height_of (self->end_box, -1) + GAP : 0;

  return rows.apart ? extras + end : MAX (extras, end);
}

static int
get_first_height (ForeHeader *self, Rows rows)
{
  int height = MAX (height_of (self->sidebar_button, -1),
                    MAX (height_of (self->controls, -1), height_of (self->title, -1)));

  if (!rows.extras_below)
    height = MAX (height, height_of (self->title_box, -1));
  if (!rows.end_below)
    height = MAX (height, height_of (self->end_box, -1));

  return height;
}

static void
fore_header_measure (GtkWidget *widget,
                     GtkOrientation orientation,
                     int for_size,
                     int *minimum,
                     int *natural,
                     int *minimum_baseline,
                     int *natural_baseline)
{
  ForeHeader *self = FORE_HEADER (widget);
  Rows rows = find_rows (self, for_size >= 0 ? for_size : G_MAXINT16);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = MAX (get_frame_width (self) + width_of (self->title, FALSE),
                      MAX (width_of (self->end_box, FALSE), width_of (self->title_box, FALSE)));
      *natural = get_frame_width (self) + get_title_natural (self) + width_of (self->end_box, TRUE)
                 + GAP;
      return;
    }
  *minimum = *natural = get_first_height (self, rows) + get_height_below (self, rows);
}

static void
place (ForeHeader *self, GtkWidget *child, int x, int y, int width, int height)
{
  gboolean rtl = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  int whole = gtk_widget_get_width (GTK_WIDGET (self));

  if (gtk_widget_get_visible (child))
    gtk_widget_size_allocate (
        child, &(GtkAllocation){ rtl ? whole - x - width : x, y, width, height }, -1);
}

/* The title comes first, then what follows it; the subtitle takes what is left, or goes. */
static void
place_titles (ForeHeader *self, int x, int width, int height, gboolean extras_below)
{
  int extras = extras_below ? 0 : width_of (self->title_box, TRUE);
  int room = width - (extras > 0 ? extras + GAP : 0);
  int title = MAX (MIN (width_of (self->title, TRUE), room), width_of (self->title, FALSE));
  int subtitle = MIN (width_of (self->subtitle, TRUE), room - title - GAP);
  gboolean shown = subtitle >= LEAST_SUBTITLE;

  place (self, self->title, x, 0, title, height);
  x += title + GAP;
  gtk_widget_set_child_visible (self->subtitle, shown);
  if (shown)
    {
      place (self, self->subtitle, x, 0, subtitle, height);
      x += subtitle + GAP;
    }
  if (!extras_below)
    place (self, self->title_box, x, 0, extras, height);
}

static void
place_below (ForeHeader *self, Rows rows, int y, int width)
{
  int extras = height_of (self->title_box, -1);
  int end = height_of (self->end_box, -1);
  int row = rows.apart ? extras : MAX (extras, rows.end_below ? end : 0);
  int used = 0;

  if (rows.extras_below)
    {
      used = rows.apart ? width : MIN (width_of (self->title_box, TRUE), width);
      place (self, self->title_box, 0, y + GAP, used, row);
    }
  if (!rows.end_below)
    return;
  if (rows.apart)
    place (self, self->end_box, 0, y + GAP + row + GAP, width, end);
  else
    place (self, self->end_box, used > 0 ? used + GAP : 0, y + GAP,
           width - (used > 0 ? used + GAP : 0), rows.extras_below ? row : end);
}

static void
fore_header_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  ForeHeader *self = FORE_HEADER (widget);
  Rows rows = find_rows (self, width);
  int start = width_of (self->sidebar_button, TRUE);
  int controls = width_of (self->controls, TRUE);
  int row = height - get_height_below (self, rows);
  int extras = rows.extras_below ? 0 : width_of (self->title_box, FALSE);
  int end_room = width - get_frame_width (self) - LEAST_TITLE - (extras > 0 ? extras + GAP : 0)
                 - GAP;
  int end = CLAMP (width_of (self->end_box, TRUE), width_of (self->end_box, FALSE),
                   MAX (end_room, width_of (self->end_box, FALSE)));
  int title = width - get_frame_width (self) - (rows.end_below || end == 0 ? 0 : end + GAP);

  gtk_widget_size_allocate (self->handle, &(GtkAllocation){ 0, 0, width, height }, -1);
  place (self, self->sidebar_button, 0, 0, start, row);
  place_titles (self, start + GAP, title, row, rows.extras_below);
  place (self, self->controls, width - controls, 0, controls, row);
  if (!rows.end_below)
    place (self, self->end_box, width - controls - GAP - end, 0, end, row);
  place_below (self, rows, row, width);
}

static GtkSizeRequestMode
fore_header_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
fore_header_dispose (GObject *object)
{
  ForeHeader *self = FORE_HEADER (object);

  g_clear_pointer (&self->handle, gtk_widget_unparent);
  g_clear_pointer (&self->sidebar_button, gtk_widget_unparent);
  g_clear_pointer (&self->title, gtk_widget_unparent);
  g_clear_pointer (&self->subtitle, gtk_widget_unparent);
  g_clear_pointer (&self->title_box, gtk_widget_unparent);
  g_clear_pointer (&self->end_box, gtk_widget_unparent);
  g_clear_pointer (&self->controls, gtk_widget_unparent);

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
  widget_class->measure = fore_header_measure;
  widget_class->size_allocate = fore_header_size_allocate;
  widget_class->get_request_mode = fore_header_get_request_mode;

  props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, "", flags);
  props[PROP_SUBTITLE] = g_param_spec_string ("subtitle", NULL, NULL, "", flags);
  props[PROP_SHOW_CONTROLS] = g_param_spec_boolean ("show-controls", NULL, NULL, TRUE, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);

  gtk_widget_class_set_css_name (widget_class, "foreheader");
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
  self->handle = gtk_window_handle_new ();

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
  gtk_widget_set_can_target (self->title, FALSE);
  gtk_widget_set_can_target (self->subtitle, FALSE);

  self->end_box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_valign (self->end_box, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (self->end_box, GTK_ALIGN_FILL);
  self->controls = gtk_window_controls_new (GTK_PACK_END);

  /* The handle lies below everything, so that the bar can be grabbed where nothing else is. */
  gtk_widget_set_parent (self->handle, GTK_WIDGET (self));
  gtk_widget_set_parent (self->sidebar_button, GTK_WIDGET (self));
  gtk_widget_set_parent (self->title, GTK_WIDGET (self));
  gtk_widget_set_parent (self->subtitle, GTK_WIDGET (self));
  gtk_widget_set_parent (self->title_box, GTK_WIDGET (self));
  gtk_widget_set_parent (self->end_box, GTK_WIDGET (self));
  gtk_widget_set_parent (self->controls, GTK_WIDGET (self));
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

  fore_outside_show (GTK_LABEL (self->title), title);
  fore_outside_explain (self->title, title);
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

  fore_outside_show (GTK_LABEL (self->subtitle), subtitle);
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
