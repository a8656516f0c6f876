/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-plan-items.h"

#include "app/fore-item-dialog.h"
#include "app/fore-outside.h"
#include "app/fore-plan-edit.h"
#include "app/fore-plan-row.h"

#include <glib/gi18n-lib.h>

struct _ForePlanItems
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkListBox *list;
  GtkLabel *removed;
  GtkWidget *add_button;

  ForePlan *plan;
  ForePlan *before;
  gboolean editable;
};

G_DEFINE_FINAL_TYPE (ForePlanItems, fore_plan_items, GTK_TYPE_WIDGET)

enum
{
  EDITED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void show_items (ForePlanItems *self);

static void
changed (ForePlanItems *self)
{
  show_items (self);
  g_signal_emit (self, signals[EDITED], 0);
}

static gboolean
has_id (GPtrArray *ids, const char *id)
{
  for (guint i = 0; i < ids->len; i++)
    {
      if (g_strcmp0 (g_ptr_array_index (ids, i), id) == 0)
        return TRUE;
    }

  return FALSE;
}

static void
show_removed (ForePlanItems *self, ForePlanDelta *delta)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; delta != NULL && i < delta->removed->len; i++)
    {
      const ForePlanItem *item = fore_plan_find_item (self->before,
                                                      g_ptr_array_index (delta->removed, i));

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", item != NULL ? item->title : "");
    }
  gtk_widget_set_visible (GTK_WIDGET (self->removed), text->len > 0);
  if (text->len > 0)
    {
      g_autofree char *label = g_strdup_printf (_ ("No longer in the plan: %s"), text->str);

      fore_outside_show (self->removed, label);
    }
}

static ForePlanMark
find_mark (const ForePlanDelta *delta, const ForePlanItem *item)
{
  /* Leaving it out is the person's change, not that of the version. */
  if (item->dropped)
    return FORE_PLAN_MARK_NONE;
  if (delta != NULL && has_id (delta->added, item->id))
    return FORE_PLAN_MARK_ADDED;
  if (delta != NULL && has_id (delta->changed, item->id))
    return FORE_PLAN_MARK_CHANGED;

  return FORE_PLAN_MARK_NONE;
}

/* Rows that were made anew would take the focus, and with it what is in sight, elsewhere. */
static void
kept_changed_cb (ForePlanRow *row, gboolean kept, ForePlanItems *self)
{
  int position = gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row));
  ForePlanItem *item = g_ptr_array_index (self->plan->items, position);
  ForePlanDelta *delta = NULL;

  item->dropped = !kept;
  if (self->before != NULL)
    delta = fore_plan_compare (self->before, self->plan);
  fore_plan_row_update (row, self->plan, find_mark (delta, item));
  g_clear_pointer (&delta, fore_plan_delta_free);
  g_signal_emit (self, signals[EDITED], 0);
}

static void
moved_cb (ForePlanRow *row, int by, ForePlanItems *self)
{
  int position = gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row));
  int to = CLAMP (position + by, 0, (int) self->plan->items->len - 1);

  fore_plan_move_item (self->plan, position, to);
  changed (self);
  gtk_widget_grab_focus (GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, to)));
}

static void
dropped_on_cb (ForePlanRow *row, guint from, ForePlanItems *self)
{
  int to = gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row));

  if (from >= self->plan->items->len)
    return;

  fore_plan_move_item (self->plan, from, to);
  changed (self);
}

static void
item_edited_cb (gpointer owner, const ForePlanItem *edited)
{
  ForePlanItems *self = owner;
  ForePlanItem *item = fore_plan_item_copy (edited);

  if (self->plan == NULL)
    {
      fore_plan_item_free (item);
      return;
    }

  for (guint i = 0; i < self->plan->items->len; i++)
    {
      const ForePlanItem *old = g_ptr_array_index (self->plan->items, i);

      if (g_strcmp0 (old->id, item->id) != 0)
        continue;
      g_ptr_array_remove_index (self->plan->items, i);
      g_ptr_array_insert (self->plan->items, (int) i, item);
      changed (self);
      return;
    }

  fore_plan_add_item (self->plan, item);
  changed (self);
}

static void
edit_cb (ForePlanRow *row, ForePlanItems *self)
{
  int position = gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row));

  fore_item_dialog_open (GTK_WIDGET (self), self->plan,
                         g_ptr_array_index (self->plan->items, position), self, item_edited_cb);
}

static void
add_clicked_cb (GtkButton *button, ForePlanItems *self)
{
  fore_item_dialog_open (GTK_WIDGET (self), self->plan, NULL, self, item_edited_cb);
}

static void
show_items (ForePlanItems *self)
{
  GtkWidget *child;
  ForePlanDelta *delta = NULL;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->list))) != NULL)
    gtk_list_box_remove (self->list, child);
  if (self->before != NULL)
    delta = fore_plan_compare (self->before, self->plan);
  for (guint i = 0; i < self->plan->items->len; i++)
    {
      const ForePlanItem *item = g_ptr_array_index (self->plan->items, i);
      GtkWidget *row = fore_plan_row_new (self->plan, i, find_mark (delta, item),
                                          self->plan->version, self->editable);

      g_signal_connect (row, "kept-changed", G_CALLBACK (kept_changed_cb), self);
      g_signal_connect (row, "move", G_CALLBACK (moved_cb), self);
      g_signal_connect (row, "dropped-on", G_CALLBACK (dropped_on_cb), self);
      g_signal_connect (row, "edit", G_CALLBACK (edit_cb), self);
      gtk_list_box_append (self->list, row);
    }
  show_removed (self, delta);
  g_clear_pointer (&delta, fore_plan_delta_free);
}

static void
fore_plan_items_dispose (GObject *object)
{
  ForePlanItems *self = FORE_PLAN_ITEMS (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->before, fore_plan_free);
  self->plan = NULL;

  G_OBJECT_CLASS (fore_plan_items_parent_class)->dispose (object);
}

static void
fore_plan_items_class_init (ForePlanItemsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fore_plan_items_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[EDITED] = g_signal_new ("edited", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void
fore_plan_items_init (ForePlanItems *self)
{
  GtkWidget *list = gtk_list_box_new ();
  GtkWidget *removed = gtk_label_new (NULL);

  self->list = GTK_LIST_BOX (list);
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_widget_add_css_class (list, "plan-items");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Tasks of the plan"), -1);
  self->removed = GTK_LABEL (removed);
  gtk_label_set_xalign (self->removed, 0);
  gtk_label_set_wrap (self->removed, TRUE);
  gtk_widget_add_css_class (removed, "dim-label");
  self->add_button = gtk_button_new_with_label (_ ("Add a Task…"));
  gtk_widget_set_halign (self->add_button, GTK_ALIGN_START);
  gtk_widget_add_css_class (self->add_button, "flat");
  g_signal_connect (self->add_button, "clicked", G_CALLBACK (add_clicked_cb), self);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 14);
  gtk_box_append (GTK_BOX (self->box), list);
  gtk_box_append (GTK_BOX (self->box), removed);
  gtk_box_append (GTK_BOX (self->box), self->add_button);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

/**
 * fore_plan_items_show:
 * @self: a list of items
 * @plan: the plan, which the person changes here; it has to stay until the next call
 * @before: (nullable): an older version to mark the differences to, copied
 * @editable: whether the person may change it
 */
void
fore_plan_items_show (ForePlanItems *self,
                      ForePlan *plan,
                      const ForePlan *before,
                      gboolean editable)
{
  g_return_if_fail (FORE_IS_PLAN_ITEMS (self));
  g_return_if_fail (plan != NULL);

  self->plan = plan;
  g_clear_pointer (&self->before, fore_plan_free);
  self->before = before != NULL ? fore_plan_copy (before) : NULL;
  self->editable = editable;
  gtk_widget_set_visible (self->add_button, editable);
  show_items (self);
}

/**
 * fore_plan_items_clear:
 * @self: a list of items
 *
 * Forgets the plan.
 */
void
fore_plan_items_clear (ForePlanItems *self)
{
  g_return_if_fail (FORE_IS_PLAN_ITEMS (self));

  self->plan = NULL;
}
