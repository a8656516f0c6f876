/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-result-file.h"

#include "engine/fore-hand-off.h"
#include "engine/fore-pool.h"
#include "platform/fore-dirs.h"
#include "text/fore-prune.h"

#include <string.h>

typedef struct
{
  ForeRedactor *redactor;
  char *text;
  char *path;
  gsize inline_bytes;
  gsize row_bytes;
  char *output;
  char *run_dir;
  char *tree;
  gint64 since;
} Keeping;

static void
keeping_free (Keeping *keeping)
{
  fore_redactor_free (keeping->redactor);
  g_free (keeping->text);
  g_free (keeping->path);
  g_free (keeping->output);
  g_free (keeping->run_dir);
  g_free (keeping->tree);
  g_free (keeping);
}

static gboolean
write_whole (const char *path, const char *text, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  return fore_dirs_ensure_dir (folder, error)
         && g_file_set_contents_full (path, text, -1,
                                      G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                      0600, error);
}

/* What the agent wrote under the file's name is the file; else what it said is. */
static void
keep_output (const Keeping *keeping, const char *said)
{
  g_autofree char *path = fore_hand_off_dup_path (keeping->run_dir, keeping->output);
  g_autofree char *written = NULL;
  g_autofree char *clean = NULL;
  g_autoptr (GError) error = NULL;

  if (keeping->tree != NULL)
    written = fore_hand_off_read_tree (keeping->tree, keeping->output, keeping->since, NULL);
  if (written != NULL)
    clean = fore_redactor_apply (keeping->redactor, written);

  if (!write_whole (path, clean != NULL ? clean : said, &error))
    g_warning ("The output of a task could not be written: %s", error->message);
}

static void
keep_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Keeping *keeping = data;
  g_autofree char *clean = fore_redactor_apply (keeping->redactor, keeping->text);
  g_autoptr (GError) error = NULL;

  if (keeping->output != NULL)
    keep_output (keeping, clean);
  if (strlen (clean) > keeping->inline_bytes && !write_whole (keeping->path, clean, &error))
    g_warning ("A result could not be written: %s", error->message);

  g_task_return_pointer (task, fore_prune_text (clean, keeping->row_bytes, keeping->path), g_free);
}

/**
 * fore_result_keep_async:
 * @redactor: secret values
 * @text: what an agent said last
 * @path: where it goes if it is long
 * @inline_bytes: how much of it goes into the prompts of others
 * @row_bytes: how much of it a row may hold; of more the middle is left out
 * @output: the file that its step leaves for others
 * @callback: called when it is on the disk
 * @user_data: data for @callback
 *
 * Takes secrets out and writes what is longer than @inline_bytes, durably, to @path. A file that
 * cannot be written is logged: the work is done all the same.
 */
void
fore_result_keep_async (ForeRedactor *redactor,
                        const char *text,
                        const char *path,
                        gsize inline_bytes,
                        gsize row_bytes,
                        const ForeResultOutput *output,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Keeping *keeping;

  g_return_if_fail (redactor != NULL && text != NULL && path != NULL && output != NULL);

  keeping = g_new0 (Keeping, 1);
  keeping->redactor = fore_redactor_ref (redactor);
  keeping->text = g_strdup (text);
  keeping->path = g_strdup (path);
  keeping->inline_bytes = inline_bytes;
  keeping->row_bytes = row_bytes;
  keeping->output = g_strdup (output->name);
  keeping->run_dir = g_strdup (output->run_dir);
  keeping->tree = g_strdup (output->tree);
  keeping->since = output->since;
  task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_name (task, "keep a result");
  g_task_set_source_tag (task, fore_result_keep_async);
  g_task_set_task_data (task, keeping, (GDestroyNotify) keeping_free);
  fore_pool_run (FORE_POOL_FILE, task, keep_in_thread);
}

/**
 * fore_result_keep_finish:
 * @result: what the callback got
 * @error: return location for an error; nothing sets it so far
 *
 * Returns: (transfer full): what of the text a row may hold
 */
char *
fore_result_keep_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
