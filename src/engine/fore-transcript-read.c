/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-transcript.h"

#include "agents/fore-adapter.h"
#include "engine/fore-entry-list.h"
#include "engine/fore-error-output.h"
#include "engine/fore-prompt.h"
#include "engine/fore-transcript-private.h"
#include "model/fore-error.h"
#include "store/fore-capture.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>

#define MAX_PROMPT (64 * 1024 * 1024)

static gboolean
is_wanted (const ForeAttempt *attempt, const char *task, guint n)
{
  return g_strcmp0 (attempt->task, task) == 0 && (n == 0 || attempt->n == n);
}

/**
 * fore_transcript_find_attempt:
 * @delta: everything about a run, or what changed in it
 * @task: key of a task
 * @n: number of an attempt, or 0 for the newest one
 *
 * Returns: (transfer none) (nullable): the attempt, owned by @delta
 */
const ForeAttempt *
fore_transcript_find_attempt (const ForeRunDelta *delta, const char *task, guint n)
{
  const ForeAttempt *found = NULL;

  for (guint i = 0; i < delta->attempts->len; i++)
    {
      const ForeAttempt *attempt = delta->attempts->pdata[i];

      if (is_wanted (attempt, task, n) && (found == NULL || attempt->n > found->n))
        found = attempt;
    }

  return found;
}

/**
 * fore_transcript_find_task:
 * @delta: everything about a run, or what changed in it
 * @key: key of a task
 *
 * Returns: (transfer none) (nullable): the task, owned by @delta
 */
const ForeTask *
fore_transcript_find_task (const ForeRunDelta *delta, const char *key)
{
  for (guint i = 0; i < delta->tasks->len; i++)
    {
      const ForeTask *task = delta->tasks->pdata[i];

      if (g_strcmp0 (task->key, key) == 0)
        return task;
    }

  return NULL;
}

/**
 * fore_transcript_new_decoder:
 * @attempt: an attempt
 *
 * Returns: (transfer full): a decoder for what it printed
 */
ForeDecoder *
fore_transcript_new_decoder (const ForeAttempt *attempt)
{
  const ForeAdapter *adapter = fore_adapter_lookup (attempt->cli);

  /* What a CLI that this version does not know printed is still shown, line by line. */
  if (adapter == NULL)
    adapter = fore_adapter_lookup ("command");

  return fore_adapter_new_decoder (adapter, attempt->live);
}

/**
 * fore_transcript_says:
 * @entry: an entry
 *
 * Returns: whether there is anything in it to read
 */
gboolean
fore_transcript_says (const ForeEntry *entry)
{
  return entry->kind != FORE_ENTRY_USAGE && entry->kind != FORE_ENTRY_SESSION
         && entry->kind != FORE_ENTRY_PROMPT;
}

typedef struct
{
  ForeEntryList *list;
  gboolean said;
} Reading;

static void
on_list_entry (const ForeEntry *entry, gpointer user_data)
{
  Reading *reading = user_data;

  reading->said = reading->said || fore_transcript_says (entry);
  fore_entry_list_add (reading->list, entry);
}

static void
read_errors (Reading *reading, ForeErrorOutput *errors, gboolean finished)
{
  if (!fore_error_output_is_shown (errors, finished && !reading->said))
    return;

  while (fore_error_output_read (errors, on_list_entry, reading))
    ;
  if (finished)
    fore_error_output_finish (errors, on_list_entry, reading);
}

static GPtrArray *
decode_all (ForeCapture *capture, ForeErrorOutput *errors, ForeDecoder *decoder, gboolean finished)
{
  g_autoptr (ForeEntryList) list = fore_entry_list_new ();
  Reading reading = { list, FALSE };

  for (;;)
    {
      /* A file that shrank is read on at its new end. */
      g_autoptr (GBytes) bytes = fore_capture_read (capture, NULL);
      gsize length = 0;
      const char *data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;

      if (length == 0)
        break;
      fore_decoder_feed (decoder, data, length, on_list_entry, &reading);
    }

  if (finished)
    fore_decoder_finish (decoder, on_list_entry, &reading);
  read_errors (&reading, errors, finished);

  return fore_entry_list_steal (list);
}

static void
set_not_begun (const ForeRunDelta *delta, const char *task, guint n, GError **error)
{
  if (n > 0)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("Task “%s” has had no attempt %u."),
                 task, n);
  else if (fore_transcript_find_task (delta, task) == NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("There is no task “%s”."), task);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("Task “%s” has not begun; there is no transcript yet."), task);
}

/**
 * fore_transcript_read:
 * @store: the store
 * @run_id: whole id of the run
 * @task: key of the task
 * @attempt: number of the attempt, or 0 for the newest one
 * @error: where to put an error
 *
 * Decodes all that is in the capture now; blocking.
 *
 * Returns: (transfer full) (element-type ForeEntry) (nullable): the entries, each id once
 */
GPtrArray *
fore_transcript_read (
    ForeStore *store, const char *run_id, const char *task, guint attempt, GError **error)
{
  g_autoptr (ForeRunDelta) delta = NULL;
  g_autoptr (ForeDecoder) decoder = NULL;
  g_autoptr (ForeCapture) capture = NULL;
  g_autoptr (ForeErrorOutput) errors = NULL;
  g_autofree char *path = NULL;
  const ForeAttempt *found;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);
  g_return_val_if_fail (task != NULL, NULL);

  delta = fore_run_read (store, run_id, 0, 0, 0, error);
  if (delta == NULL)
    return NULL;

  found = fore_transcript_find_attempt (delta, task, attempt);
  if (found == NULL)
    {
      set_not_begun (delta, task, attempt, error);
      return NULL;
    }

  path = fore_capture_dup_path (fore_store_get_home (store), run_id, task, found->n, "out");
  capture = fore_capture_new (path);
  errors = fore_error_output_new (fore_store_get_home (store), run_id, found);
  decoder = fore_transcript_new_decoder (found);
  return decode_all (capture, errors, decoder, found->finished > 0);
}

static char *
load_prompt (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info = NULL;
  g_autofree char *text = NULL;
  gsize length;

  info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL,
                            error);
  if (info == NULL)
    return NULL;
  if (g_file_info_get_size (info) > MAX_PROMPT)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_LIMIT,
                   _ ("The prompt is too large to be shown; it lies in %s."), path);
      return NULL;
    }
  if (!g_file_load_contents (file, NULL, &text, &length, NULL, error))
    return NULL;

  return fore_text_make_valid (text, length);
}

/* The prompt that a task would get with the results that are there now. */
static char *
predict_prompt (ForeStore *store, const ForeRunDelta *delta, const ForeTask *task, GError **error)
{
  g_autoptr (ForeRunContext) context = fore_run_context_load (store, delta->run, error);
  g_autoptr (GPtrArray) before = g_ptr_array_new ();
  g_autoptr (GPtrArray) blocks = NULL;
  ForePromptInput input = { 0 };

  if (context == NULL)
    return NULL;

  for (guint i = 0; task->depends_on != NULL && task->depends_on[i] != NULL; i++)
    {
      const ForeTask *dependency = fore_transcript_find_task (delta, task->depends_on[i]);

      if (dependency != NULL)
        g_ptr_array_add (before, (gpointer) dependency);
    }

  input.goal = delta->run->goal;
  input.task = task;
  input.dependencies = before;
  input.tree = task->worktree != NULL ? task->worktree : delta->run->project;
  input.feedback = task->feedback;
  input.attempt = task->attempts + 1;
  blocks = fore_prompt_build (context, &input);

  return fore_prompt_join (blocks);
}

/**
 * fore_transcript_read_prompt:
 * @store: the store
 * @run_id: whole id of the run
 * @task: key of the task
 * @attempt: number of the attempt, or 0 for the newest one
 * @error: where to put an error
 *
 * Reads the exact prompt of an attempt. For a task that has not begun this is the prompt that it
 * would get with the results that are there now. Blocking.
 *
 * Returns: (transfer full) (nullable): the prompt
 */
char *
fore_transcript_read_prompt (
    ForeStore *store, const char *run_id, const char *task, guint attempt, GError **error)
{
  g_autoptr (ForeRunDelta) delta = NULL;
  const ForeAttempt *found;
  const ForeTask *row;
  g_autofree char *path = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);
  g_return_val_if_fail (task != NULL, NULL);

  delta = fore_run_read (store, run_id, 0, 0, 0, error);
  if (delta == NULL)
    return NULL;

  found = fore_transcript_find_attempt (delta, task, attempt);
  row = fore_transcript_find_task (delta, task);
  if (found == NULL && attempt == 0 && row != NULL && delta->run != NULL)
    return predict_prompt (store, delta, row, error);
  if (found == NULL)
    {
      set_not_begun (delta, task, attempt, error);
      return NULL;
    }

  path = fore_capture_dup_path (fore_store_get_home (store), run_id, task, found->n, "in");
  return load_prompt (path, error);
}
