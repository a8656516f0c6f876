/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-changes.h"
#include "engine/fore-review.h"

#include <glib/gi18n.h>
#include <string.h>

/* "PATH:LINE" or "PATH:FIRST-LAST" */
static ForeReviewComment *
read_place (const char *place, const char *text, GError **error)
{
  const char *colon = strrchr (place, ':');
  g_autofree char *path = colon != NULL ? g_strndup (place, colon - place) : NULL;
  guint64 first = 0;
  guint64 last = 0;
  char *end = NULL;

  if (colon != NULL && g_ascii_isdigit (colon[1]))
    first = last = g_ascii_strtoull (colon + 1, &end, 10);
  if (end != NULL && *end == '-' && g_ascii_isdigit (end[1]))
    last = g_ascii_strtoull (end + 1, &end, 10);
  if (first > 0 && first <= last && last <= G_MAXINT && *end == '\0' && *path != '\0')
    return fore_review_comment_new (path, (guint) first, (guint) last, text);

  g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
               _ ("“%s” is no place; write PATH:LINE, or PATH:FIRST-LAST for several lines."),
               place);
  return NULL;
}

static const ForeDiffFile *
find_file (const ForeDiff *diff, const char *path)
{
  for (guint i = 0; i < diff->files->len; i++)
    {
      const ForeDiffFile *file = diff->files->pdata[i];

      if (g_strcmp0 (file->change->path, path) == 0)
        return file;
    }

  return NULL;
}

/* Of a file that is gone, the lines that it had. */
static int
get_number (const ForeDiffFile *file, const ForeDiffLine *line)
{
  return file->change->status == FORE_FILE_DELETED ? line->old_line : line->new_line;
}

static void
append_lines (GString *quote, const ForeDiffFile *file, const ForeReviewComment *comment)
{
  for (guint i = 0; i < file->hunks->len; i++)
    {
      const ForeDiffHunk *hunk = file->hunks->pdata[i];

      for (guint k = 0; k < hunk->lines->len; k++)
        {
          const ForeDiffLine *line = &g_array_index (hunk->lines, ForeDiffLine, k);
          g_autofree char *text = g_utf8_make_valid (line->text != NULL ? line->text : "", -1);
          int number = get_number (file, line);

          if (number >= (int) comment->first && number <= (int) comment->last)
            g_string_append_printf (quote, "%s%s", quote->len > 0 ? "\n" : "", g_strchomp (text));
        }
    }
}

static guint
count_lines (const ForeDiffFile *file)
{
  int n = 1;

  for (guint i = 0; i < file->hunks->len; i++)
    {
      const ForeDiffHunk *hunk = file->hunks->pdata[i];

      for (guint k = 0; k < hunk->lines->len; k++)
        n = MAX (n, get_number (file, &g_array_index (hunk->lines, ForeDiffLine, k)));
    }

  return (guint) n;
}

/* A file without hunks is one that is too large to be looked at, binary, or empty. */
static gboolean
check_end (const ForeDiffFile *file, const ForeReviewComment *comment, GError **error)
{
  guint n_lines = count_lines (file);

  if (file->hunks->len == 0 || comment->last <= n_lines)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
               g_dngettext (NULL, "“%s” has %u line; there is no line %u to comment on.",
                            "“%s” has %u lines; there is no line %u to comment on.", n_lines),
               comment->path, n_lines, comment->last);
  return FALSE;
}

static gboolean
add_quote (ForeCtl *ctl, const char *run_id, ForeReviewComment *comment, GError **error)
{
  g_autoptr (ForeDiff) diff = fore_changes_load_file (ctl->store, run_id, NULL, comment->path, 0,
                                                      error);
  g_autoptr (GString) quote = g_string_new (NULL);
  const ForeDiffFile *file;

  if (diff == NULL)
    return FALSE;

  file = find_file (diff, comment->path);
  if (file == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("The run changed no file “%s”; “foredeckctl diff --stat” lists them."),
                   comment->path);
      return FALSE;
    }
  if (!check_end (file, comment, error))
    return FALSE;

  append_lines (quote, file, comment);
  if (quote->len > 0)
    comment->quote = g_strdup (quote->str);

  return TRUE;
}

static const ForeTask *
find_task (const ForeRunDelta *delta, const char *key)
{
  for (guint i = 0; key != NULL && i < delta->tasks->len; i++)
    {
      const ForeTask *task = delta->tasks->pdata[i];

      if (g_strcmp0 (task->key, key) == 0)
        return task;
    }

  return NULL;
}

static JsonObject *
make_comment (const ForeReviewComment *comment, const ForeTask *task)
{
  g_autofree char *answer = task != NULL ? fore_review_comment_dup_answer (comment, task) : NULL;
  JsonObject *object = json_object_new ();

  fore_ctl_json_set_text (object, "id", comment->id);
  fore_ctl_json_set_text (object, "path", comment->path);
  json_object_set_int_member (object, "first", comment->first);
  json_object_set_int_member (object, "last", comment->last);
  fore_ctl_json_set_text (object, "text", comment->text);
  fore_ctl_json_set_text (object, "quote", comment->quote);
  fore_ctl_json_set_text (object, "task", comment->task);
  if (task != NULL)
    fore_ctl_json_set_text (object, "status", fore_task_status_to_string (task->status));
  fore_ctl_json_set_text (object, "answer", answer);
  fore_ctl_json_set_time (object, "time", comment->time);

  return object;
}

static void
print_comment (ForeCtl *ctl, const ForeReviewComment *comment, const ForeTask *task)
{
  g_autofree char *place = fore_review_comment_dup_place (comment);
  g_autofree char *clean = fore_ctl_dup_clean (place);
  g_autofree char *text = fore_ctl_dup_clean (comment->text);
  g_autofree char *answer = task != NULL ? fore_review_comment_dup_answer (comment, task) : NULL;
  g_autofree char *said = fore_ctl_dup_clean (answer);

  fore_ctl_print_styled (ctl, FORE_CTL_DIM, comment->id);
  fore_ctl_print (ctl, " %s", clean);
  if (comment->task != NULL)
    fore_ctl_print (ctl, " · %s %s", comment->task,
                    task != NULL ? fore_task_status_to_string (task->status) : "");
  fore_ctl_print (ctl, "\n  %s\n", text);
  if (answer != NULL)
    fore_ctl_print (ctl, "  → %s\n", said);
}

static gboolean
print_comments (ForeCtl *ctl, const char *run_id, const ForeReview *review, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_run_read (ctl->store, run_id, 0, 0, 0, error);
  JsonObject *object;
  JsonArray *array;

  if (delta == NULL)
    return FALSE;

  if (!ctl->json)
    {
      for (guint i = 0; i < review->comments->len; i++)
        {
          const ForeReviewComment *comment = review->comments->pdata[i];

          print_comment (ctl, comment, find_task (delta, comment->task));
        }
      return TRUE;
    }

  object = json_object_new ();
  array = json_array_new ();
  for (guint i = 0; i < review->comments->len; i++)
    {
      const ForeReviewComment *comment = review->comments->pdata[i];

      json_array_add_object_element (array,
                                     make_comment (comment, find_task (delta, comment->task)));
    }
  json_object_set_string_member (object, "run", run_id);
  json_object_set_array_member (object, "comments", array);
  fore_ctl_print_object (ctl, object);

  return TRUE;
}

static ForeReview *
change (ForeCtl *ctl, const char *run_id, GError **error)
{
  const char *removed = fore_ctl_get (ctl, "remove");
  g_autofree char *text = fore_ctl_join_words (ctl, 2);
  g_autoptr (ForeReviewComment) comment = NULL;

  if (removed != NULL)
    return fore_review_remove (ctl->store, run_id, removed, error);
  if (ctl->words->len == 1)
    return fore_review_load (ctl->store, run_id, error);

  comment = read_place (fore_ctl_get_word (ctl, 1), text != NULL ? text : "", error);
  if (comment == NULL || !add_quote (ctl, run_id, comment, error))
    return NULL;

  return fore_review_put (ctl->store, run_id, comment, error);
}

gboolean
fore_ctl_do_comment (ForeCtl *ctl, GError **error)
{
  g_autofree char *run_id = fore_ctl_find_run (ctl, fore_ctl_get_word (ctl, 0), error);
  g_autoptr (ForeReview) review = NULL;

  if (run_id == NULL || (review = change (ctl, run_id, error)) == NULL)
    return FALSE;

  if (fore_ctl_has (ctl, "send"))
    {
      g_autoptr (ForeReview) sent = fore_review_send (ctl->store, run_id, FORE_CTL_NAME, error);

      return sent != NULL && print_comments (ctl, run_id, sent, error);
    }

  return print_comments (ctl, run_id, review, error);
}
