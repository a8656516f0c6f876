/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-review-private.h"

#include "engine/fore-actions.h"
#include "model/fore-error.h"
#include "store/fore-run-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define COMMAND_TIMEOUT_MS 30000
#define MAX_QUOTE_LINES 20

static void
append_quote (GString *text, const char *quote)
{
  g_auto (GStrv) lines = g_strsplit (quote, "\n", MAX_QUOTE_LINES + 1);

  for (guint i = 0; lines[i] != NULL && i < MAX_QUOTE_LINES; i++)
    g_string_append_printf (text, "   > %s\n", lines[i]);
}

static void
append_comment (GString *text, const ForeReviewComment *comment)
{
  g_auto (GStrv) lines = g_strsplit (comment->text, "\n", -1);
  g_autofree char *place = fore_review_comment_dup_place (comment);

  g_string_append_printf (text, "%u. %s\n", comment->number, place);
  if (comment->quote != NULL)
    append_quote (text, comment->quote);
  for (guint i = 0; lines[i] != NULL; i++)
    g_string_append_printf (text, "   %s\n", lines[i]);
  g_string_append_c (text, '\n');
}

/* Agents are spoken to in English, as in all other prompts. */
static char *
make_text (const ForeReview *review)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < review->comments->len; i++)
    {
      ForeReviewComment *comment = review->comments->pdata[i];

      if (comment->task != NULL)
        continue;
      comment->number = ++n;
      append_comment (text, comment);
    }
  g_string_append (
      text, "Deal with each comment; change nothing that none of them asks for. End with one "
            "line for each, beginning with its number, that says what you did about it.\n");
  if (n == 1)
    g_string_prepend (text, "Answer a comment on the result\n\nA person read what was done so far "
                            "and has a comment:\n\n");
  else
    {
      g_autofree char *head = g_strdup_printf ("Answer %u comments on the result\n\nA person read "
                                               "what was done so far and has comments:\n\n",
                                               n);

      g_string_prepend (text, head);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
find_task (ForeStore *store, const char *run_id, const char *text, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_run_read (store, run_id, 0, 0, 0, error);
  const ForeTask *found = NULL;

  if (delta == NULL)
    return NULL;

  for (guint i = 0; i < delta->tasks->len; i++)
    {
      const ForeTask *task = delta->tasks->pdata[i];

      if (g_strcmp0 (task->text, text) == 0 && (found == NULL || task->position > found->position))
        found = task;
    }
  if (found == NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("The follow-up of the comments is not in run %s; send them again."), run_id);

  return found != NULL ? g_strdup (found->key) : NULL;
}

/**
 * fore_review_send:
 * @store: the store
 * @run_id: whole id of a run
 * @by: who sends them
 * @error: return location for an error
 *
 * Sends all comments that were not sent yet as one task that follows up what was done. Blocking,
 * until the run's owner took it up.
 *
 * Returns: (transfer full) (nullable): all that is kept then; %FORE_ERROR_REFUSED if there is
 *   nothing to send or the run cannot be followed up
 */
ForeReview *
fore_review_send (ForeStore *store, const char *run_id, const char *by, GError **error)
{
  g_autoptr (ForeLock) lock = NULL;
  g_autoptr (ForeReview) review = NULL;
  g_autofree char *text = NULL;
  g_autofree char *key = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);

  if ((lock = fore_review_lock (store, run_id, error)) == NULL
      || (review = fore_review_load (store, run_id, error)) == NULL)
    return NULL;
  if (fore_review_count_unsent (review) == 0)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_REFUSED,
                           _ ("There is no comment that was not sent yet."));
      return NULL;
    }

  text = make_text (review);
  if (!fore_actions_command (store, run_id, FORE_COMMAND_FOLLOW_UP,
                             (const char *const[]){ "", text, NULL }, by, COMMAND_TIMEOUT_MS, NULL,
                             error)
      || (key = find_task (store, run_id, text, error)) == NULL)
    return NULL;

  for (guint i = 0; i < review->comments->len; i++)
    {
      ForeReviewComment *comment = review->comments->pdata[i];

      if (comment->task == NULL)
        comment->task = g_strdup (key);
    }

  return fore_review_save (store, run_id, review, error) ? g_steal_pointer (&review) : NULL;
}
