/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-plan-row.h"

#include "app/fore-flow.h"
#include "app/fore-format.h"
#include "app/fore-item-text.h"
#include "app/fore-outside.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Longer texts are shown whole when the person asks. */
#define SHORT_TEXT 240
#define LONGEST_FACT 2000

struct _ForePlanRow
{
  GtkListBoxRow parent_instance;

  GtkWidget *check;
  GtkWidget *texts;
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
new_label (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (label, css_class);

  return label;
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

static void
add_pills (ForeFlow *flow, const ForePlanItem *item, ForePlanMark mark, guint version)
{
  if (item->role != NULL)
    fore_flow_append (flow, new_pill (item->role, NULL));
  if (item->plans)
    fore_flow_append (flow, new_pill (_ ("plans what follows"), NULL));
  if (item->live)
    {
      GtkWidget *live = new_pill (_ ("live session"), NULL);

      gtk_widget_set_tooltip_text (live, _ ("The agent stays in one conversation while it works: "
                                            "what you write to it reaches it at once."));
      fore_flow_append (flow, live);
    }
  if (mark != FORE_PLAN_MARK_NONE)
    {
      g_autofree char *marked = g_strdup_printf (
          mark == FORE_PLAN_MARK_ADDED ? _ ("new in v%u") : _ ("changed in v%u"), version);

      fore_flow_append (flow, new_pill (marked, "changed"));
    }
}

static void
append_line (GString *text, const char *line)
{
  if (text->len > 0)
    g_string_append_c (text, '\n');
  g_string_append (text, line);
}

static char *
describe_dependencies (const ForePlan *plan, const ForePlanItem *item)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; item->depends_on != NULL && item->depends_on[i] != NULL; i++)
    {
      const ForePlanItem *before = fore_plan_find_item (plan, item->depends_on[i]);
      g_autofree char *title = fore_format_line (
          before != NULL && before->title != NULL ? before->title : item->depends_on[i], 160);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", title);
    }

  return text->len > 0 ? g_strdup_printf (_ ("after %s"), text->str) : NULL;
}

static char *
describe_paths (const ForePlanItem *item)
{
  g_autofree char *words = NULL;
  g_autofree char *paths = NULL;

  if (item->paths == NULL || item->paths[0] == NULL)
    return NULL;

  words = fore_item_words_to_text ((const char *const *) item->paths);
  paths = fore_format_line (words, LONGEST_FACT);
  return g_strdup_printf (_ ("writes %s"), paths);
}

/**
 * fore_plan_row_dup_facts:
 * @plan: a plan
 * @item: one of its items
 *
 * Returns: (transfer full): what it comes after, what it may write and what checks it, a line each,
 *   with nothing in them that acts without being seen
 */
char *
fore_plan_row_dup_facts (const ForePlan *plan, const ForePlanItem *item)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *after = NULL;
  g_autofree char *writes = NULL;

  g_return_val_if_fail (plan != NULL && item != NULL, NULL);

  after = describe_dependencies (plan, item);
  writes = describe_paths (item);
  if (after != NULL)
    append_line (text, after);
  if (writes != NULL)
    append_line (text, writes);
  for (guint i = 0; item->checks != NULL && i < item->checks->len; i++)
    {
      g_autofree char *command = fore_check_dup_label (g_ptr_array_index (item->checks, i));
      g_autofree char *shown = fore_format_line (command, LONGEST_FACT);
      g_autofree char *line = g_strdup_printf (_ ("checked by %s"), shown);

      append_line (text, line);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
whole_toggled_cb (GtkToggleButton *button, GtkLabel *label)
{
  gboolean whole = gtk_toggle_button_get_active (button);

  fore_outside_show (label,
                     g_object_get_data (G_OBJECT (label), whole ? "fore-whole" : "fore-short"));
  gtk_button_set_label (GTK_BUTTON (button), whole ? _ ("Show Less") : _ ("Show All"));
}

static void
add_text (GtkWidget *box, const char *text)
{
  g_autofree char *whole = g_strstrip (fore_text_make_valid (text, -1));
  g_autofree char *brief = fore_format_line (text, SHORT_TEXT);
  GtkWidget *label = new_label (brief, "item-text");
  GtkWidget *button;

  gtk_box_append (GTK_BOX (box), label);
  if (g_utf8_strlen (whole, -1) <= SHORT_TEXT && strchr (whole, '\n') == NULL)
    return;

  g_object_set_data_full (G_OBJECT (label), "fore-whole", g_steal_pointer (&whole), g_free);
  g_object_set_data_full (G_OBJECT (label), "fore-short", g_steal_pointer (&brief), g_free);
  button = gtk_toggle_button_new_with_label (_ ("Show All"));
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "fore-link");
  gtk_widget_add_css_class (button, "fore-inline");
  g_signal_connect (button, "toggled", G_CALLBACK (whole_toggled_cb), label);
  gtk_box_append (GTK_BOX (box), button);
}

static GtkWidget *
new_texts (const ForePlan *plan, const ForePlanItem *item, ForePlanMark mark, guint version)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *head = g_object_new (FORE_TYPE_FLOW, "spacing", 7, "line-spacing", 3, NULL);
  g_autofree char *title = fore_format_line (item->title, 400);
  g_autofree char *facts = fore_plan_row_dup_facts (plan, item);

  gtk_widget_set_hexpand (box, TRUE);
  fore_flow_append (FORE_FLOW (head),
                    new_label (title, item->dropped ? "item-dropped" : "item-title"));
  add_pills (FORE_FLOW (head), item, mark, version);
  gtk_box_append (GTK_BOX (box), head);
  if (item->dropped)
    gtk_box_append (GTK_BOX (box), new_label (_ ("you left this out"), "item-text"));
  else
    {
      if (item->text != NULL && *item->text != 0)
        add_text (box, item->text);
      if (*facts != 0)
        gtk_box_append (GTK_BOX (box), new_label (facts, "item-text"));
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
      GtkWidget *texts,
      gboolean editable)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  g_autofree char *title = fore_format_line (item->title, 400);

  self->check = gtk_check_button_new ();
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->check), !item->dropped);
  gtk_widget_set_valign (self->check, GTK_ALIGN_START);
  gtk_widget_set_sensitive (self->check, editable);
  fore_outside_name (self->check, title);
  fore_outside_name (GTK_WIDGET (self), title);
  g_signal_connect (self->check, "toggled", G_CALLBACK (check_toggled_cb), self);

  gtk_box_append (GTK_BOX (box), self->check);
  self->texts = texts;
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
  fill (self, plan, item, new_texts (plan, item, mark, version), editable);

  return GTK_WIDGET (self);
}

/**
 * fore_plan_row_update:
 * @self: a row
 * @plan: its plan
 * @mark: how the item differs from the version before
 *
 * Shows the item as it is now; what the person has the focus and the pointer on stays where it is.
 */
void
fore_plan_row_update (ForePlanRow *self, const ForePlan *plan, ForePlanMark mark)
{
  GtkWidget *box;
  GtkWidget *texts;

  g_return_if_fail (FORE_IS_PLAN_ROW (self));
  g_return_if_fail (plan != NULL && self->position < plan->items->len);

  box = gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (self));
  texts = new_texts (plan, g_ptr_array_index (plan->items, self->position), mark, plan->version);
  gtk_box_insert_child_after (GTK_BOX (box), texts, self->texts);
  gtk_box_remove (GTK_BOX (box), self->texts);
  self->texts = texts;
}
