/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-conversation-view.h"

#include "app/fore-accessible.h"
#include "app/fore-empty.h"
#include "app/fore-format.h"
#include "app/fore-mail-composer.h"
#include "app/fore-outside.h"
#include "app/fore-page-keys.h"
#include "app/fore-talk-item.h"

#include <glib/gi18n-lib.h>

struct _ForeConversationView
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkStack *stack;
  ForeMailComposer *composer;
  GtkListView *view;
  GtkNoSelection *selection;
};

G_DEFINE_FINAL_TYPE (ForeConversationView, fore_conversation_view, GTK_TYPE_WIDGET)

enum
{
  TASK_ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static GtkWidget *
add_label (GtkWidget *box, const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (box), label);

  return label;
}

static void
setup_cb (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *who = add_label (head, "heading");
  GtkWidget *text;

  gtk_label_set_ellipsize (GTK_LABEL (who), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_ellipsize (GTK_LABEL (add_label (head, "dim-label")), PANGO_ELLIPSIZE_END);
  add_label (head, "dim-label");
  gtk_box_append (GTK_BOX (row), head);
  text = add_label (row, "body");
  gtk_label_set_wrap (GTK_LABEL (text), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (text), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_margin_top (row, 8);
  gtk_widget_set_margin_bottom (row, 8);
  gtk_widget_set_margin_start (row, 20);
  gtk_widget_set_margin_end (row, 20);
  gtk_list_item_set_child (item, row);
}

static void
bind_cb (GtkListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  ForeTalkItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *row = gtk_list_item_get_child (list_item);
  GtkWidget *who = gtk_widget_get_first_child (gtk_widget_get_first_child (row));
  GtkWidget *what = gtk_widget_get_next_sibling (who);
  GtkWidget *when = gtk_widget_get_next_sibling (what);
  GtkWidget *text = gtk_widget_get_last_child (row);
  g_autofree char *names = fore_talk_item_dup_who (item);
  g_autofree char *time = fore_format_time (fore_talk_item_get_time (item));
  g_autofree char *name = g_strdup_printf ("%s, %s %s: %s", names, fore_talk_item_get_what (item),
                                           time, fore_talk_item_get_text (item));

  fore_outside_show (GTK_LABEL (who), names);
  gtk_label_set_text (GTK_LABEL (what), fore_talk_item_get_what (item));
  gtk_label_set_text (GTK_LABEL (when), time);
  fore_outside_show (GTK_LABEL (text), fore_talk_item_get_text (item));
  if (gtk_widget_get_parent (row) != NULL)
    fore_outside_name (gtk_widget_get_parent (row), name);
}

static void
items_changed_cb (
    GListModel *model, guint position, guint removed, guint added, ForeConversationView *self)
{
  gtk_stack_set_visible_child_name (self->stack,
                                    g_list_model_get_n_items (model) > 0 ? "list" : "empty");
}

static void
activate_cb (GtkListView *view, guint position, ForeConversationView *self)
{
  g_autoptr (ForeTalkItem) item = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (item != NULL)
    g_signal_emit (self, signals[TASK_ACTIVATED], 0, fore_talk_item_get_task (item));
}

static void
fore_conversation_view_dispose (GObject *object)
{
  ForeConversationView *self = FORE_CONVERSATION_VIEW (object);

  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->selection);

  G_OBJECT_CLASS (fore_conversation_view_parent_class)->dispose (object);
}

static void
fore_conversation_view_class_init (ForeConversationViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_conversation_view_dispose;
  signals[TASK_ACTIVATED] = g_signal_new ("task-activated", G_TYPE_FROM_CLASS (klass),
                                          G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                          G_TYPE_STRING);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
add_pages (ForeConversationView *self)
{
  GtkWidget *empty = fore_empty_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  fore_empty_set (FORE_EMPTY (empty), "fore-message-symbolic", _ ("Nothing Said Yet"),
                  _ ("Questions, answers and messages between you and the agents of this run stand "
                     "here, in order."));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->view));
  gtk_stack_add_named (self->stack, empty, "empty");
  gtk_stack_add_named (self->stack, scrolled, "list");
}

static void
fore_conversation_view_init (ForeConversationView *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), NULL);
  self->selection = gtk_no_selection_new (NULL);
  self->view = GTK_LIST_VIEW (gtk_list_view_new (
      GTK_SELECTION_MODEL (g_object_ref (self->selection)), g_object_ref (factory)));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Conversation"), -1);
  g_signal_connect (self->view, "activate", G_CALLBACK (activate_cb), self);
  g_signal_connect (self->selection, "items-changed", G_CALLBACK (items_changed_cb), self);

  self->stack = GTK_STACK (gtk_stack_new ());
  add_pages (self);
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  self->composer = FORE_MAIL_COMPOSER (fore_mail_composer_new ());
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->stack));
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->composer));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  fore_accessible_watch_stack (self->stack);
  fore_page_keys_set_target (GTK_WIDGET (self), GTK_WIDGET (self->view));
}

/**
 * fore_conversation_view_follow:
 * @self: a view
 * @model: the run whose conversation is shown
 */
void
fore_conversation_view_follow (ForeConversationView *self, ForeRunModel *model)
{
  g_return_if_fail (FORE_IS_CONVERSATION_VIEW (self) && FORE_IS_RUN_MODEL (model));

  gtk_no_selection_set_model (self->selection, fore_run_model_get_conversation (model));
  fore_mail_composer_follow (self->composer, model);
}
