/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-flow.h"

/* Children one after the other, each as wide as it likes; what does not fit goes to the next line.
 * A child that is wider than a line alone is cut to it.
 */

struct _ForeFlow
{
  GtkWidget parent_instance;

  int spacing;
  int line_spacing;
  gboolean centred;
};

static void fore_flow_buildable_init (GtkBuildableIface *iface);

static GtkBuildableIface *parent_buildable;

G_DEFINE_FINAL_TYPE_WITH_CODE (ForeFlow,
                               fore_flow,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE, fore_flow_buildable_init))

enum
{
  PROP_0,
  PROP_SPACING,
  PROP_LINE_SPACING,
  PROP_CENTRED,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

static void
fore_flow_add_child (GtkBuildable *buildable, GtkBuilder *builder, GObject *child, const char *type)
{
  if (GTK_IS_WIDGET (child))
    fore_flow_append (FORE_FLOW (buildable), GTK_WIDGET (child));
  else
    parent_buildable->add_child (buildable, builder, child, type);
}

static void
fore_flow_buildable_init (GtkBuildableIface *iface)
{
  parent_buildable = g_type_interface_peek_parent (iface);
  iface->add_child = fore_flow_add_child;
}

static int
get_width (GtkWidget *child, int room)
{
  int least;
  int wanted;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wanted, NULL, NULL);
  return MAX (least, MIN (wanted, room));
}

static int
get_height (GtkWidget *child, int width)
{
  int height;

  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL, NULL);
  return height;
}

/* The children of one line begin at @child; @height and @used are what they take. Returns what
 * comes after them.
 */
static GtkWidget *
find_line_end (ForeFlow *self, GtkWidget *child, int room, int *height, int *used)
{
  gboolean empty = TRUE;

  *height = 0;
  *used = 0;
  for (; child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      int width;

      if (!gtk_widget_should_layout (child))
        continue;
      width = get_width (child, room);
      if (!empty && *used + self->spacing + width > room)
        return child;
      *used += (empty ? 0 : self->spacing) + width;
      *height = MAX (*height, get_height (child, width));
      empty = FALSE;
    }

  return NULL;
}

static void
place_line (ForeFlow *self, GtkWidget *child, GtkWidget *end, int x, int y, int room, int height)
{
  gboolean rtl = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;

  for (; child != end; child = gtk_widget_get_next_sibling (child))
    {
      int width;

      if (!gtk_widget_should_layout (child))
        continue;
      width = get_width (child, room);
      gtk_widget_size_allocate (
          child, &(GtkAllocation){ rtl ? room - x - width : x, y, width, height }, -1);
      x += width + self->spacing;
    }
}

static int
get_total_height (ForeFlow *self, int room)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self));
  int total = 0;

  while (child != NULL)
    {
      int height;
      int used;

      child = find_line_end (self, child, room, &height, &used);
      total += height + (total > 0 && height > 0 ? self->line_spacing : 0);
    }

  return total;
}

static void
measure_width (ForeFlow *self, int *minimum, int *natural)
{
  gboolean empty = TRUE;

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int least;
      int wanted;

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wanted, NULL, NULL);
      *minimum = MAX (*minimum, least);
      *natural += wanted + (empty ? 0 : self->spacing);
      empty = FALSE;
    }
}

static void
fore_flow_measure (GtkWidget *widget,
                   GtkOrientation orientation,
                   int for_size,
                   int *minimum,
                   int *natural,
                   int *minimum_baseline,
                   int *natural_baseline)
{
  *minimum = 0;
  *natural = 0;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    measure_width (FORE_FLOW (widget), minimum, natural);
  else
    *minimum = *natural = get_total_height (FORE_FLOW (widget),
                                            for_size >= 0 ? for_size : G_MAXINT16);
}

static void
fore_flow_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  ForeFlow *self = FORE_FLOW (widget);
  GtkWidget *child = gtk_widget_get_first_child (widget);
  int y = 0;

  while (child != NULL)
    {
      int line;
      int used;
      GtkWidget *end = find_line_end (self, child, width, &line, &used);

      place_line (self, child, end, self->centred ? (width - used) / 2 : 0, y, width, line);
      y += line + self->line_spacing;
      child = end;
    }
}

static GtkSizeRequestMode
fore_flow_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
fore_flow_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);

  G_OBJECT_CLASS (fore_flow_parent_class)->dispose (object);
}

static void
fore_flow_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ForeFlow *self = FORE_FLOW (object);

  switch (id)
    {
    case PROP_SPACING:
      g_value_set_int (value, self->spacing);
      break;
    case PROP_LINE_SPACING:
      g_value_set_int (value, self->line_spacing);
      break;
    case PROP_CENTRED:
      g_value_set_boolean (value, self->centred);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fore_flow_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ForeFlow *self = FORE_FLOW (object);

  switch (id)
    {
    case PROP_SPACING:
      self->spacing = g_value_get_int (value);
      break;
    case PROP_LINE_SPACING:
      self->line_spacing = g_value_get_int (value);
      break;
    case PROP_CENTRED:
      self->centred = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
    }
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
fore_flow_class_init (ForeFlowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = fore_flow_dispose;
  object_class->get_property = fore_flow_get_property;
  object_class->set_property = fore_flow_set_property;
  widget_class->measure = fore_flow_measure;
  widget_class->size_allocate = fore_flow_size_allocate;
  widget_class->get_request_mode = fore_flow_get_request_mode;

  props[PROP_SPACING] = g_param_spec_int ("spacing", NULL, NULL, 0, G_MAXINT16, 0, flags);
  props[PROP_LINE_SPACING] = g_param_spec_int ("line-spacing", NULL, NULL, 0, G_MAXINT16, 0, flags);
  props[PROP_CENTRED] = g_param_spec_boolean ("centred", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);

  gtk_widget_class_set_css_name (widget_class, "foreflow");
}

static void
fore_flow_init (ForeFlow *self)
{
}

/**
 * fore_flow_new:
 *
 * Returns: (transfer floating): a flow without children
 */
GtkWidget *
fore_flow_new (void)
{
  return g_object_new (FORE_TYPE_FLOW, NULL);
}

/**
 * fore_flow_append:
 * @self: a flow
 * @child: what comes last
 */
void
fore_flow_append (ForeFlow *self, GtkWidget *child)
{
  g_return_if_fail (FORE_IS_FLOW (self));
  g_return_if_fail (GTK_IS_WIDGET (child));

  gtk_widget_insert_before (child, GTK_WIDGET (self), NULL);
}
