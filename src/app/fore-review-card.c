/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-review-card.h"

#include "app/fore-format.h"
#include "app/fore-outside.h"
#include "app/fore-status-dot.h"
#include "app/fore-task-text.h"
#include "app/fore-view-status.h"

#include <glib/gi18n-lib.h>

static ForeReviewCardFunc
get_func (GtkWidget *button)
{
  return (ForeReviewCardFunc) g_object_get_data (G_OBJECT (button), "fore-func");
}

static void
edit_clicked_cb (GtkButton *button, gpointer owner)
{
  get_func (GTK_WIDGET (button)) (owner, g_object_get_data (G_OBJECT (button), "fore-id"), FALSE);
}

static void
remove_clicked_cb (GtkButton *button, gpointer owner)
{
  get_func (GTK_WIDGET (button)) (owner, g_object_get_data (G_OBJECT (button), "fore-id"), TRUE);
}

static void
add_button (GtkWidget *box,
            const char *label,
            const ForeReviewComment *comment,
            GCallback callback,
            gpointer owner,
            ForeReviewCardFunc func)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  g_object_set_data_full (G_OBJECT (button), "fore-id", g_strdup (comment->id), g_free);
  g_object_set_data (G_OBJECT (button), "fore-func", (gpointer) func);
  g_signal_connect_object (button, "clicked", callback, owner, 0);
  gtk_box_append (GTK_BOX (box), button);
}

static GtkWidget *
add_text (GtkWidget *card, const char *text)
{
  GtkWidget *label = gtk_label_new (NULL);

  fore_outside_show (GTK_LABEL (label), text);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_box_append (GTK_BOX (card), label);

  return label;
}

static void
add_head (GtkWidget *card, const ForeReviewComment *comment)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *who = gtk_label_new (_ ("You"));
  g_autofree char *line = comment->last > comment->first
                              ? g_strdup_printf (_ ("lines %u–%u"), comment->first, comment->last)
                              : g_strdup_printf (_ ("line %u"), comment->first);
  GtkWidget *where = gtk_label_new (line);

  gtk_widget_add_css_class (who, "heading");
  gtk_widget_add_css_class (where, "dim-label");
  gtk_box_append (GTK_BOX (head), who);
  gtk_box_append (GTK_BOX (head), where);
  gtk_box_append (GTK_BOX (card), head);
}

/**
 * fore_review_card_dup_state:
 * @comment: a comment
 * @task: (nullable): the follow-up that it was sent with
 *
 * Returns: (transfer full) (nullable): what became of @comment in a few words; %NULL if it was not
 *   sent
 */
char *
fore_review_card_dup_state (const ForeReviewComment *comment, const ForeTask *task)
{
  g_autofree char *title = NULL;

  g_return_val_if_fail (comment != NULL, NULL);

  if (comment->task == NULL)
    return NULL;
  if (task == NULL)
    return g_strdup (_ ("Sent"));

  title = fore_task_dup_title (task);
  return g_strdup_printf (_ ("Sent with “%s” · %s"), title, fore_format_task_status (task->status));
}

static void
add_outcome (GtkWidget *card, const ForeReviewComment *comment, const ForeTask *task)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  g_autofree char *state = fore_review_card_dup_state (comment, task);
  g_autofree char *answer = task != NULL ? fore_review_comment_dup_answer (comment, task) : NULL;
  GtkWidget *label = gtk_label_new (NULL);

  if (task != NULL)
    gtk_box_append (GTK_BOX (row), fore_status_dot_new (fore_view_status_from_task (task->status)));
  fore_outside_show (GTK_LABEL (label), state);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (row), label);
  gtk_widget_set_margin_top (row, 4);
  gtk_box_append (GTK_BOX (card), row);
  if (answer != NULL)
    gtk_widget_add_css_class (add_text (card, answer), "review-answer");
}

/**
 * fore_review_card_new:
 * @comment: a comment
 * @task: (nullable): the follow-up that it was sent with
 * @owner: (type GObject): for @func
 * @func: called when it is to be edited or removed
 *
 * Returns: (transfer floating): what a comment looks like below its line
 */
GtkWidget *
fore_review_card_new (const ForeReviewComment *comment,
                      const ForeTask *task,
                      gpointer owner,
                      ForeReviewCardFunc func)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *buttons;

  g_return_val_if_fail (comment != NULL, NULL);
  g_return_val_if_fail (func != NULL, NULL);

  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, "diff-comment");
  add_head (card, comment);
  add_text (card, comment->text);
  if (comment->task != NULL)
    {
      add_outcome (card, comment, task);
      return card;
    }

  buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_set_margin_top (buttons, 4);
  add_button (buttons, _ ("Edit"), comment, G_CALLBACK (edit_clicked_cb), owner, func);
  add_button (buttons, _ ("Remove"), comment, G_CALLBACK (remove_clicked_cb), owner, func);
  gtk_box_append (GTK_BOX (card), buttons);

  return card;
}
