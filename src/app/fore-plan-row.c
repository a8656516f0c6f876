/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-plan-row.h"

#include "app/fore-format.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>

struct _ForePlanRow
{
  GtkListBoxRow parent_instance;

  GtkWidget *check;
  guint position;
};

G_DEFINE_FINAL_TYPE (ForePlanRow, fore_plan_row, GTK_TYPE_LIST_BOX_ROW)

enum
{
  KEPT_CHANGED,
  EDIT,
  MOVE,
  DROPPED_ON,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
check_toggled_cb (GtkCheckButton *check, ForePlanRow *self)
{
  g_signal_emit (self, signals[KEPT_CHANGED], 0, gtk_check_button_get_active (check));
}

static void
edit_clicked_cb (GtkButton *button, ForePlanRow *self)
{
  g_signal_emit (self, signals[EDIT], 0);
}

static void
up_clicked_cb (GtkButton *button, ForePlanRow *self)
{
  g_signal_emit (self, signals[MOVE], 0, -1);
}

static void
down_clicked_cb (GtkButton *button, ForePlanRow *self)
{
  g_signal_emit (self, signals[MOVE], 0, 1);
}

static gboolean
move_binding (GtkWidget *widget, GVariant *args, gpointer data)
{
  g_signal_emit (widget, signals[MOVE], 0, g_variant_get_int32 (args));
  return GDK_EVENT_STOP;
}

static GdkContentProvider *
drag_prepare_cb (GtkDragSource *source, double x, double y, ForePlanRow *self)
{
  return gdk_content_provider_new_typed (G_TYPE_UINT, self->position);
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, ForePlanRow *self)
{
  g_signal_emit (self, signals[DROPPED_ON], 0, g_value_get_uint (value));
  return TRUE;
}

static void
fore_plan_row_class_init (ForePlanRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  signals[KEPT_CHANGED] = g_signal_new ("kept-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  signals[EDIT] = g_signal_new ("edit", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                0);
  signals[MOVE] = g_signal_new ("move", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_INT);
  signals[DROPPED_ON] = g_signal_new ("dropped-on", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                      G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Up, GDK_ALT_MASK, move_binding, "i", -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Down, GDK_ALT_MASK, move_binding, "i", 1);
}

static void
fore_plan_row_init (ForePlanRow *self)
{
}

static GtkWidget *
new_pill (const char *text, const char *css_class)
{
  g_autofree char *visible = fore_format_line (text, 48);
  GtkWidget *label = gtk_label_new (visible);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "fore-pill");
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  gtk_widget_set_valign (label, GTK_ALIGN_CENTER);

  return label;
}

static char *
describe_dependencies (const ForePlan *plan, const ForePlanItem *item)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; item->depends_on != NULL && item->depends_on[i] != NULL; i++)
    {
      const ForePlanItem *before = fore_plan_find_item (plan, item->depends_on[i]);

      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "",
                              before != NULL ? before->title : item->depends_on[i]);
    }
  if (text->len == 0)
    return NULL;

  return g_strdup_printf (_ ("after %s"), text->str);
}

static char *
describe (const ForePlan *plan, const ForePlanItem *item)
{
  g_autofree char *after = describe_dependencies (plan, item);
  g_autofree char *text = fore_format_line (item->text != NULL ? item->text : "", 180);

  if (item->dropped)
    return g_strdup (_ ("you left this out"));
  if (after != NULL && *text != 0)
    return g_strdup_printf ("%s\n%s", text, after);

  return after != NULL ? g_steal_pointer (&after) : g_steal_pointer (&text);
}

static GtkWidget *
new_headline (const ForePlanItem *item, ForePlanMark mark, guint version)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  g_autofree char *title = fore_format_line (item->title, 160);
  GtkWidget *label = gtk_label_new (title);
  g_autofree char *marked = NULL;

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, item->dropped ? "item-dropped" : "item-title");
  gtk_box_append (GTK_BOX (box), label);
  if (item->role != NULL)
    gtk_box_append (GTK_BOX (box), new_pill (item->role, NULL));
  for (guint i = 0; item->checks != NULL && i < MIN (item->checks->len, 2); i++)
    {
      g_autofree char *check = fore_check_dup_label (g_ptr_array_index (item->checks, i));

      gtk_box_append (GTK_BOX (box), new_pill (check, "fore-mono"));
    }
  if (item->live)
    gtk_box_append (GTK_BOX (box), new_pill (_ ("live session"), NULL));
  if (mark != FORE_PLAN_MARK_NONE)
    {
      marked = g_strdup_printf (
          mark == FORE_PLAN_MARK_ADDED ? _ ("new in v%u") : _ ("changed in v%u"), version);
      gtk_box_append (GTK_BOX (box), new_pill (marked, "changed"));
    }

  return box;
}

static GtkWidget *
new_tool (const char *icon, const char *label, GCallback callback, ForePlanRow *self)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  g_signal_connect (button, "clicked", callback, self);

  return button;
}

static void
add_tools (ForePlanRow *self, GtkWidget *box, guint n_items)
{
  GtkWidget *tools = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *up = new_tool ("fore-up-symbolic", _ ("Move Up"), G_CALLBACK (up_clicked_cb), self);
  GtkWidget *down = new_tool ("fore-down-symbolic", _ ("Move Down"), G_CALLBACK (down_clicked_cb),
                              self);
  GtkDragSource *source = gtk_drag_source_new ();
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_UINT, GDK_ACTION_COPY);

  gtk_widget_add_css_class (tools, "item-tools");
  gtk_widget_set_sensitive (up, self->position > 0);
  gtk_widget_set_sensitive (down, self->position + 1 < n_items);
  gtk_box_append (GTK_BOX (tools),
                  new_tool ("fore-edit-symbolic", _ ("Edit"), G_CALLBACK (edit_clicked_cb), self));
  gtk_box_append (GTK_BOX (tools), up);
  gtk_box_append (GTK_BOX (tools), down);
  gtk_box_append (GTK_BOX (box), tools);

  g_signal_connect (source, "prepare", G_CALLBACK (drag_prepare_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (source));
  g_signal_connect (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

static void
fill (ForePlanRow *self,
      const ForePlan *plan,
      const ForePlanItem *item,
      GtkWidget *headline,
      gboolean editable)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  g_autofree char *text = describe (plan, item);
  GtkWidget *label = gtk_label_new (text);

  self->check = gtk_check_button_new ();
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->check), !item->dropped);
  gtk_widget_set_valign (self->check, GTK_ALIGN_START);
  gtk_widget_set_sensitive (self->check, editable);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->check), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  item->title, -1);
  g_signal_connect (self->check, "toggled", G_CALLBACK (check_toggled_cb), self);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (label, "item-text");
  gtk_widget_set_visible (label, text != NULL && *text != 0);
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_box_append (GTK_BOX (texts), headline);
  gtk_box_append (GTK_BOX (texts), label);
  gtk_box_append (GTK_BOX (box), self->check);
  gtk_box_append (GTK_BOX (box), texts);
  if (editable)
    add_tools (self, box, plan->items->len);
  gtk_widget_add_css_class (box, "plan-item");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
}

/**
 * fore_plan_row_new:
 * @plan: a plan
 * @position: position of the item in it
 * @mark: how it differs from the version before
 * @version: version of @plan, for the mark
 * @editable: whether the person may change it
 *
 * Returns: (transfer floating): a row that shows the item as it is now
 */
GtkWidget *
fore_plan_row_new (
    const ForePlan *plan, guint position, ForePlanMark mark, guint version, gboolean editable)
{
  ForePlanRow *self;
  const ForePlanItem *item;

  g_return_val_if_fail (plan != NULL && position < plan->items->len, NULL);

  item = g_ptr_array_index (plan->items, position);
  self = g_object_new (FORE_TYPE_PLAN_ROW, "activatable", FALSE, NULL);
  self->position = position;
  fill (self, plan, item, new_headline (item, mark, version), editable);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, item->title,
                                  -1);
  if (item->text != NULL)
    {
      g_autofree char *whole = fore_text_make_visible (item->text);

      gtk_widget_set_tooltip_text (GTK_WIDGET (self), whole);
    }

  return GTK_WIDGET (self);
}
