/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-review-bar.h"

#include "app/fore-application.h"
#include "app/fore-compat.h"
#include "app/fore-errors.h"
#include "app/fore-review-card.h"
#include "app/fore-review-jobs.h"
#include "app/fore-review-places.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _ForeReviewBar
{
  GtkWidget parent_instance;

  GtkWidget *revealer;
  GtkLabel *label;
  GtkWidget *send;

  ForeDiffView *diff;
  ForeFileList *files;
  ForeRunModel *model;
  ForeDiffDoc *doc;
  ForeReview *review;
  GHashTable *shown; /* "LINE:PATH" of what is shown below a line */
  char *run_id;
  char *task; /* whose changes are looked at; NULL for the whole run */
  char *states;
  ForeReviewComment *editing;
  gboolean sending;
};

G_DEFINE_FINAL_TYPE (ForeReviewBar, fore_review_bar, GTK_TYPE_WIDGET)

enum
{
  MARKS_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void take_review (ForeReviewBar *self, ForeReview *review);

static const ForeTask *
find_task (ForeReviewBar *self, const char *key)
{
  ForeTaskItem *item = self->model != NULL && key != NULL
                           ? fore_run_model_find_task (self->model, key)
                           : NULL;

  return item != NULL ? fore_task_item_get_task (item) : NULL;
}

/* Where comments are by now */

/* Comments on several lines stand below the last one. */
static guint
find_place (ForeReviewBar *self, const ForeReviewComment *comment)
{
  const ForeDiffDocFile *file = self->doc != NULL && self->task == NULL
                                    ? fore_diff_doc_find_file (self->doc, comment->path)
                                    : NULL;
  guint first = file != NULL ? fore_review_find_line (comment, file) : 0;

  return first > 0 ? first + (comment->last - comment->first) : 0;
}

/* Files that were viewed */

static char *
dup_viewed_key (ForeReviewBar *self, const char *path)
{
  return self->task != NULL ? g_strdup_printf ("%s//%s", self->task, path) : g_strdup (path);
}

static void
show_viewed (ForeReviewBar *self)
{
  for (guint i = 0; self->doc != NULL && i < fore_diff_doc_get_n_files (self->doc); i++)
    {
      const ForeDiffDocFile *file = fore_diff_doc_get_file (self->doc, i);
      g_autofree char *key = dup_viewed_key (self, file->path);
      const char *kept = g_hash_table_lookup (self->review->viewed, key);
      g_autofree char *stamp = kept != NULL ? fore_review_make_stamp (file) : NULL;

      fore_file_list_set_viewed (self->files, file->path,
                                 kept != NULL && strcmp (kept, stamp) == 0);
    }
  g_signal_emit (self, signals[MARKS_CHANGED], 0);
}

/* Comments below their lines */

static void
hide_comments (ForeReviewBar *self)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->shown);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      char *path;
      guint line = (guint) strtoul (key, &path, 10);

      fore_diff_view_set_comment (self->diff, path + 1, line, NULL);
      fore_file_list_set_comments (self->files, path + 1, 0);
    }
  g_hash_table_remove_all (self->shown);
}

/* All comments of a line, as its row is read out. */
static char *
join_comments (ForeReviewBar *self, const char *path, guint line)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->review->comments->len; i++)
    {
      const ForeReviewComment *comment = self->review->comments->pdata[i];
      const ForeTask *task = find_task (self, comment->task);
      g_autofree char *state = NULL;

      if (strcmp (comment->path, path) != 0 || find_place (self, comment) != line)
        continue;

      state = fore_review_card_dup_state (comment, task);
      g_string_append_printf (text, "%s%s%s%s", text->len > 0 ? "\n" : "", comment->text,
                              state != NULL ? "\n" : "", state != NULL ? state : "");
    }

  return g_strdup (text->str);
}

static guint
count_in (ForeReviewBar *self, const char *path)
{
  guint n = 0;

  for (guint i = 0; i < self->review->comments->len; i++)
    n += strcmp (((ForeReviewComment *) self->review->comments->pdata[i])->path, path) == 0;

  return n;
}

static void
show_comments (ForeReviewBar *self)
{
  hide_comments (self);
  for (guint i = 0; i < self->review->comments->len; i++)
    {
      const ForeReviewComment *comment = self->review->comments->pdata[i];
      guint line = find_place (self, comment);
      g_autofree char *text = NULL;

      if (line == 0)
        continue;

      text = join_comments (self, comment->path, line);
      fore_diff_view_set_comment (self->diff, comment->path, line, text);
      fore_file_list_set_comments (self->files, comment->path, count_in (self, comment->path));
      g_hash_table_add (self->shown, g_strdup_printf ("%u:%s", line, comment->path));
    }
}

static void
show_bar (ForeReviewBar *self)
{
  guint n = self->review != NULL ? fore_review_count_unsent (self->review) : 0;
  g_autofree char *text = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u comment", "%u comments", n), n);

  gtk_label_set_text (self->label, text);
  gtk_widget_set_sensitive (self->send, !self->sending);
  gtk_widget_set_visible (GTK_WIDGET (self), n > 0 && self->task == NULL);
}

static void
show_all (ForeReviewBar *self)
{
  if (self->review == NULL)
    return;

  show_viewed (self);
  show_comments (self);
  show_bar (self);
}

/* Changes */

static void
changed_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeReviewBar *self = owner;

  if (error != NULL)
    fore_show_error (GTK_WIDGET (self), error);
  else
    take_review (self, result);
}

static void
sent_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeReviewBar *self = owner;

  self->sending = FALSE;
  if (error == NULL)
    fore_show_note (GTK_WIDGET (self), _ ("Sent: an agent works on your comments."));
  changed_cb (owner, result, error, data);
  show_bar (self);
}

static void
send_clicked_cb (GtkButton *button, ForeReviewBar *self)
{
  g_assert (FORE_IS_REVIEW_BAR (self));

  self->sending = TRUE;
  show_bar (self);
  fore_review_job_send (self, fore_application_get_store (), self->run_id, sent_cb);
}

static void
take_review (ForeReviewBar *self, ForeReview *review)
{
  if (g_strcmp0 (review->run_id, self->run_id) != 0
      || (self->review != NULL && review->revision < self->review->revision))
    return;

  fore_review_ref (review);
  g_clear_pointer (&self->review, fore_review_unref);
  self->review = review;
  show_all (self);
}

/* Writing */

static void
written_cb (gpointer owner, const char *response, const char *text, gpointer data)
{
  ForeReviewBar *self = owner;
  g_autoptr (ForeReviewComment) comment = g_steal_pointer (&self->editing);

  if (comment == NULL || strcmp (response, "ok") != 0)
    return;

  g_free (comment->text);
  comment->text = g_strdup (text);
  fore_review_job_put (self, fore_application_get_store (), self->run_id, comment, changed_cb);
}

static void
write_comment (ForeReviewBar *self, ForeReviewComment *comment)
{
  g_autofree char *place = fore_review_comment_dup_place (comment);

  g_clear_pointer (&self->editing, fore_review_comment_free);
  self->editing = comment;
  fore_alert_text (GTK_WIDGET (self->diff), _ ("Comment"), place, _ ("Comment"), _ ("Save"),
                   comment->text, self, written_cb, NULL);
}

static void
card_cb (gpointer owner, const char *id, gboolean remove)
{
  ForeReviewBar *self = owner;
  const ForeReviewComment *comment = fore_review_find (self->review, id);

  if (comment == NULL)
    return;

  if (remove)
    fore_review_job_remove (self, fore_application_get_store (), self->run_id, id, changed_cb);
  else
    write_comment (self, fore_review_comment_copy (comment));
}

static GtkWidget *
make_cards (const char *path, guint line, gpointer data)
{
  ForeReviewBar *self = data;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);

  for (guint i = 0; self->review != NULL && i < self->review->comments->len; i++)
    {
      const ForeReviewComment *comment = self->review->comments->pdata[i];

      if (strcmp (comment->path, path) == 0 && find_place (self, comment) == line)
        gtk_box_append (
            GTK_BOX (box),
            fore_review_card_new (comment, find_task (self, comment->task), self, card_cb));
    }

  return box;
}

static void
line_activated_cb (
    ForeDiffView *diff, const char *path, guint new_number, guint old_number, ForeReviewBar *self)
{
  g_assert (FORE_IS_REVIEW_BAR (self));

  fore_review_bar_comment (self);
}

static void
viewed_changed_cb (ForeFileList *files, const char *path, gboolean viewed, ForeReviewBar *self)
{
  g_assert (FORE_IS_REVIEW_BAR (self));

  fore_review_bar_set_viewed (self, path, viewed);
}

static void
fore_review_bar_dispose (GObject *object)
{
  ForeReviewBar *self = FORE_REVIEW_BAR (object);

  if (self->diff != NULL)
    fore_diff_view_set_card_func (self->diff, NULL, NULL);
  g_clear_object (&self->diff);
  g_clear_object (&self->files);
  g_clear_object (&self->model);
  g_clear_pointer (&self->revealer, gtk_widget_unparent);

  G_OBJECT_CLASS (fore_review_bar_parent_class)->dispose (object);
}

static void
fore_review_bar_finalize (GObject *object)
{
  ForeReviewBar *self = FORE_REVIEW_BAR (object);

  g_clear_pointer (&self->doc, fore_diff_doc_unref);
  g_clear_pointer (&self->review, fore_review_unref);
  g_clear_pointer (&self->editing, fore_review_comment_free);
  g_hash_table_unref (self->shown);
  g_free (self->run_id);
  g_free (self->task);
  g_free (self->states);

  G_OBJECT_CLASS (fore_review_bar_parent_class)->finalize (object);
}

static void
fore_review_bar_class_init (ForeReviewBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_review_bar_dispose;
  G_OBJECT_CLASS (klass)->finalize = fore_review_bar_finalize;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);

  /**
   * ForeReviewBar::marks-changed:
   * @self: a review bar
   *
   * Emitted when it set the marks of the files anew.
   */
  signals[MARKS_CHANGED] = g_signal_new ("marks-changed", G_TYPE_FROM_CLASS (klass),
                                         G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fore_review_bar_init (ForeReviewBar *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 14);

  self->shown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->label = GTK_LABEL (gtk_label_new (NULL));
  self->send = gtk_button_new_with_label (_ ("Send as Follow-up"));
  gtk_widget_add_css_class (self->send, "suggested-action");
  g_signal_connect (self->send, "clicked", G_CALLBACK (send_clicked_cb), self);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->label));
  gtk_box_append (GTK_BOX (box), self->send);
  gtk_widget_add_css_class (box, "card");
  gtk_widget_add_css_class (box, "review-bar");
  self->revealer = box;
  gtk_widget_set_parent (box, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/**
 * fore_review_bar_attach:
 * @self: a review bar
 * @diff: where comments are written and shown
 * @files: where files are marked as viewed
 */
void
fore_review_bar_attach (ForeReviewBar *self, ForeDiffView *diff, ForeFileList *files)
{
  g_return_if_fail (FORE_IS_REVIEW_BAR (self));
  g_return_if_fail (FORE_IS_DIFF_VIEW (diff));
  g_return_if_fail (FORE_IS_FILE_LIST (files));

  g_set_object (&self->diff, diff);
  g_set_object (&self->files, files);
  fore_diff_view_set_card_func (diff, make_cards, self);
  g_signal_connect_object (diff, "line-activated", G_CALLBACK (line_activated_cb), self, 0);
  g_signal_connect_object (files, "viewed-changed", G_CALLBACK (viewed_changed_cb), self, 0);
}

/**
 * fore_review_bar_set_run:
 * @self: a review bar
 * @run_id: id of the run whose changes are read
 */
void
fore_review_bar_set_run (ForeReviewBar *self, const char *run_id)
{
  g_return_if_fail (FORE_IS_REVIEW_BAR (self));

  g_free (self->run_id);
  self->run_id = g_strdup (run_id);
  hide_comments (self);
  g_clear_pointer (&self->review, fore_review_unref);
  g_clear_pointer (&self->doc, fore_diff_doc_unref);
  g_clear_object (&self->model);
  show_bar (self);
}

/**
 * fore_review_bar_set_doc:
 * @self: a review bar
 * @doc: what is read now
 * @task: (nullable): key of the task whose changes these are; %NULL for the whole run
 *
 * Shows what is noted about @doc, read anew.
 */
void
fore_review_bar_set_doc (ForeReviewBar *self, ForeDiffDoc *doc, const char *task)
{
  g_return_if_fail (FORE_IS_REVIEW_BAR (self));
  g_return_if_fail (doc != NULL);

  fore_diff_doc_ref (doc);
  g_clear_pointer (&self->doc, fore_diff_doc_unref);
  self->doc = doc;
  g_free (self->task);
  self->task = g_strdup (task);
  show_all (self);
  fore_review_job_load (self, fore_application_get_store (), self->run_id, changed_cb);
}

/* What is said of the comments that were sent. */
static char *
dup_states (ForeReviewBar *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; self->review != NULL && i < self->review->comments->len; i++)
    {
      const ForeReviewComment *comment = self->review->comments->pdata[i];
      const ForeTask *task = find_task (self, comment->task);

      if (task != NULL)
        g_string_append_printf (text, "%s %d %d\n", task->key, task->status, task->result != NULL);
    }

  return g_strdup (text->str);
}

/**
 * fore_review_bar_update:
 * @self: a review bar
 * @model: the run, which may have changed
 */
void
fore_review_bar_update (ForeReviewBar *self, ForeRunModel *model)
{
  g_autofree char *states = NULL;

  g_return_if_fail (FORE_IS_REVIEW_BAR (self));

  g_set_object (&self->model, model);
  states = dup_states (self);
  if (g_strcmp0 (states, self->states) == 0)
    return;

  g_free (self->states);
  self->states = g_steal_pointer (&states);
  show_all (self);
}

/**
 * fore_review_bar_comment:
 * @self: a review bar
 *
 * Asks for a comment on the lines that are selected.
 */
void
fore_review_bar_comment (ForeReviewBar *self)
{
  guint first, last;
  g_autofree char *quote = NULL;
  const char *path;
  ForeReviewComment *comment;

  g_return_if_fail (FORE_IS_REVIEW_BAR (self));

  path = fore_diff_view_get_path (self->diff);
  if (self->task != NULL)
    fore_show_note (GTK_WIDGET (self), _ ("Comments are written on the changes of the whole run."));
  else if (path == NULL || !fore_diff_view_get_selection (self->diff, &first, &last, &quote))
    fore_show_note (GTK_WIDGET (self), _ ("Select a line that is in the new file to comment on."));
  else
    {
      comment = fore_review_comment_new (path, first, last, "");
      comment->quote = g_steal_pointer (&quote);
      write_comment (self, comment);
    }
}

/**
 * fore_review_bar_set_viewed:
 * @self: a review bar
 * @path: a file
 * @viewed: whether it was looked at
 */
void
fore_review_bar_set_viewed (ForeReviewBar *self, const char *path, gboolean viewed)
{
  const ForeDiffDocFile *file;
  g_autofree char *key = NULL;
  g_autofree char *stamp = NULL;

  g_return_if_fail (FORE_IS_REVIEW_BAR (self));
  g_return_if_fail (path != NULL);

  file = self->doc != NULL ? fore_diff_doc_find_file (self->doc, path) : NULL;
  if (file == NULL)
    return;

  key = dup_viewed_key (self, path);
  stamp = viewed ? fore_review_make_stamp (file) : NULL;
  fore_review_job_set_viewed (self, fore_application_get_store (), self->run_id, key, stamp,
                              changed_cb);
}
