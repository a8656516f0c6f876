/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter.h"
#include "ctl/fore-ctl-entries.h"
#include "ctl/fore-ctl-follow.h"
#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-prompt.h"
#include "engine/fore-transcript.h"
#include "platform/fore-watch.h"
#include "store/fore-capture.h"
#include "text/fore-tokens.h"

#include <glib/gi18n.h>

#define RAW_POLL_MS 500

/* The attempt that is meant: the one that was named, else the newest. */
static const ForeAttempt *
find_attempt (ForeCtl *ctl, const ForeRunDelta *delta, const ForeTask *task)
{
  gint64 n = fore_ctl_get_number (ctl, "attempt", 0);
  const ForeAttempt *found = NULL;

  for (guint i = 0; i < delta->attempts->len; i++)
    {
      const ForeAttempt *attempt = delta->attempts->pdata[i];

      if (g_strcmp0 (attempt->task, task->key) == 0 && (n == 0 || attempt->n == n)
          && (found == NULL || attempt->n > found->n))
        found = attempt;
    }

  return found;
}

typedef struct
{
  ForeCtl *ctl;
  GMainLoop *loop;
  ForeCtlEntryPrinter *printer;
  gboolean interrupted;
} Follow;

static gboolean
on_interrupt (gpointer user_data)
{
  Follow *follow = user_data;

  follow->interrupted = TRUE;
  g_main_loop_quit (follow->loop);

  return G_SOURCE_CONTINUE;
}

static void
on_entries (ForeTranscript *transcript, GPtrArray *entries, gpointer user_data)
{
  Follow *follow = user_data;

  for (guint i = 0; i < entries->len; i++)
    fore_ctl_entry_printer_print (follow->printer, entries->pdata[i]);
  fore_ctl_flush ();
}

static void
on_ended (ForeTranscript *transcript, gpointer user_data)
{
  Follow *follow = user_data;

  g_main_loop_quit (follow->loop);
}

static gboolean
follow_entries (ForeCtl *ctl, const char *run_id, const char *task, GError **error)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (ForeCtlEntryPrinter) printer = fore_ctl_entry_printer_new (ctl);
  Follow follow = { ctl, loop, printer, FALSE };
  g_autoptr (ForeTranscript) transcript = NULL;
  guint interrupts[2];

  transcript = fore_transcript_new (ctl->store, run_id, task,
                                    fore_ctl_get_number (ctl, "attempt", 0));
  g_signal_connect (transcript, "entries", G_CALLBACK (on_entries), &follow);
  g_signal_connect (transcript, "ended", G_CALLBACK (on_ended), &follow);
  fore_ctl_watch_interrupt (on_interrupt, &follow, interrupts);
  fore_transcript_start (transcript);
  g_main_loop_run (loop);
  fore_transcript_stop (transcript);
  fore_ctl_unwatch_interrupt (interrupts);
  fore_ctl_entry_printer_finish (printer);

  if (!follow.interrupted)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_CANCELLED, _ ("Stopped following; run %s goes on."),
               run_id);
  return FALSE;
}

static gboolean
write_capture (ForeCapture *capture, GError **error)
{
  for (;;)
    {
      g_autoptr (GBytes) bytes = fore_capture_read (capture, error);
      gsize length;
      const char *data;

      if (bytes == NULL)
        return FALSE;

      data = g_bytes_get_data (bytes, &length);
      if (length == 0)
        break;
      fore_ctl_write (data, length);
    }

  fore_ctl_flush ();
  return TRUE;
}

static gboolean
print_raw (ForeCtl *ctl,
           const char *run_id,
           const ForeTask *task,
           const ForeAttempt *attempt,
           GError **error)
{
  g_autofree char *path = NULL;
  g_autoptr (ForeCapture) capture = NULL;

  if (attempt == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("Task “%s” has had no such attempt."), task->key);
      return FALSE;
    }

  path = fore_capture_dup_path (fore_store_get_home (ctl->store), run_id, task->key, attempt->n,
                                "out");
  capture = fore_capture_new (path);
  return write_capture (capture, error);
}

typedef struct
{
  GMainLoop *loop;
  ForeCtl *ctl;
  const char *run_id;
  const char *task;
  guint n;
  ForeCapture *capture;
  gboolean interrupted;
} RawFollow;

static gboolean
on_raw_interrupt (gpointer user_data)
{
  RawFollow *follow = user_data;

  follow->interrupted = TRUE;
  g_main_loop_quit (follow->loop);

  return G_SOURCE_CONTINUE;
}

static gboolean
is_finished (RawFollow *follow)
{
  g_autoptr (ForeRunDelta) delta = fore_run_read (follow->ctl->store, follow->run_id, 0, 0, 0,
                                                  NULL);

  for (guint i = 0; delta != NULL && i < delta->attempts->len; i++)
    {
      const ForeAttempt *attempt = delta->attempts->pdata[i];

      if (attempt->n == follow->n && g_strcmp0 (attempt->task, follow->task) == 0)
        return attempt->finished > 0;
    }

  return FALSE;
}

static void
on_raw_changed (const char *path, ForeWatchEvents events, gpointer user_data)
{
  RawFollow *follow = user_data;

  write_capture (follow->capture, NULL);
}

/* What was written before the attempt ended is read after that is known. */
static gboolean
on_raw_poll (gpointer user_data)
{
  RawFollow *follow = user_data;
  gboolean finished = is_finished (follow);

  write_capture (follow->capture, NULL);
  if (finished)
    g_main_loop_quit (follow->loop);

  return G_SOURCE_CONTINUE;
}

static gboolean
follow_raw (ForeCtl *ctl, const char *run_id, const char *task, guint n, GError **error)
{
  g_autofree char *path = fore_capture_dup_path (fore_store_get_home (ctl->store), run_id, task, n,
                                                 "out");
  g_autoptr (ForeCapture) capture = fore_capture_new (path);
  g_autoptr (GMainLoop) loop = NULL;
  g_autoptr (ForeWatch) watch = NULL;
  RawFollow follow;
  guint interrupts[2], poll;

  loop = g_main_loop_new (NULL, FALSE);
  follow = (RawFollow){ loop, ctl, run_id, task, n, capture, FALSE };
  watch = fore_watch_new (path, on_raw_changed, &follow, NULL, NULL);
  poll = g_timeout_add (RAW_POLL_MS, on_raw_poll, &follow);
  fore_ctl_watch_interrupt (on_raw_interrupt, &follow, interrupts);
  write_capture (capture, NULL);
  g_main_loop_run (loop);
  fore_ctl_unwatch_interrupt (interrupts);
  g_source_remove (poll);

  if (!follow.interrupted)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_CANCELLED, _ ("Stopped following; run %s goes on."),
               run_id);
  return FALSE;
}

static gboolean
print_entries (ForeCtl *ctl, const char *run_id, const char *task, GError **error)
{
  g_autoptr (GPtrArray) entries = fore_transcript_read (
      ctl->store, run_id, task, fore_ctl_get_number (ctl, "attempt", 0), error);

  if (entries == NULL)
    return FALSE;

  if (ctl->json)
    {
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "run", run_id);
      json_object_set_string_member (object, "task", task);
      json_object_set_array_member (object, "entries", fore_ctl_json_entries (entries));
      fore_ctl_print_object (ctl, object);
    }
  else
    fore_ctl_print_entries (ctl, entries);

  return TRUE;
}

gboolean
fore_ctl_do_transcript (ForeCtl *ctl, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_ctl_read_run (ctl, fore_ctl_get_word (ctl, 0), 0, error);
  gboolean follows = fore_ctl_has (ctl, "follow");
  const ForeAttempt *attempt;
  const ForeTask *task;

  if (delta == NULL
      || (task = fore_ctl_find_task (ctl, delta, fore_ctl_get_word (ctl, 1), error)) == NULL)
    return FALSE;

  attempt = find_attempt (ctl, delta, task);
  if (fore_ctl_has (ctl, "raw") && follows && attempt != NULL)
    return follow_raw (ctl, delta->run->id, task->key, attempt->n, error);
  if (fore_ctl_has (ctl, "raw"))
    return print_raw (ctl, delta->run->id, task, attempt, error);
  if (follows)
    return follow_entries (ctl, delta->run->id, task->key, error);

  return print_entries (ctl, delta->run->id, task->key, error);
}

static void
add_block_row (ForeCtlTable *table, const char *name, gsize bytes, ForeTokens tokens)
{
  g_autofree char *size = g_strdup_printf ("%" G_GSIZE_FORMAT, bytes);
  g_autofree char *count = g_strdup_printf ("%" G_GUINT64_FORMAT, tokens.tokens);

  fore_ctl_table_add_row (table);
  fore_ctl_table_add (table, FORE_CTL_BOLD, name);
  fore_ctl_table_add (table, FORE_CTL_PLAIN, size);
  fore_ctl_table_add (table, FORE_CTL_PLAIN, count);
}

/* What a prompt is made of, with what each part costs. */
static void
print_blocks (ForeCtl *ctl, const char *prompt, const char *model)
{
  const char *headings[] = { N_ ("BLOCK"), N_ ("BYTES"), N_ ("TOKENS"), NULL };
  g_autoptr (GPtrArray) blocks = fore_prompt_split (prompt);
  g_autoptr (ForeCtlTable) table = fore_ctl_table_new (headings);

  for (guint i = 0; i < blocks->len; i++)
    {
      const ForePromptBlock *block = g_ptr_array_index (blocks, i);

      add_block_row (table, block->name, strlen (block->text),
                     fore_tokens_count (block->text, -1, model));
    }
  add_block_row (table, _ ("in all"), strlen (prompt), fore_tokens_count (prompt, -1, model));
  fore_ctl_table_print (ctl, table);
}

static JsonArray *
blocks_to_json (const char *prompt, const char *model)
{
  g_autoptr (GPtrArray) blocks = fore_prompt_split (prompt);
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < blocks->len; i++)
    {
      const ForePromptBlock *block = g_ptr_array_index (blocks, i);
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "name", block->name);
      json_object_set_int_member (object, "bytes", (gint64) strlen (block->text));
      json_object_set_int_member (object, "tokens",
                                  (gint64) fore_tokens_count (block->text, -1, model).tokens);
      json_array_add_object_element (array, object);
    }

  return array;
}

gboolean
fore_ctl_do_prompt (ForeCtl *ctl, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_ctl_read_run (ctl, fore_ctl_get_word (ctl, 0), 0, error);
  g_autofree char *prompt = NULL;
  const ForeAttempt *attempt;
  const ForeTask *task;
  const char *model;
  ForeTokens tokens;
  JsonObject *object;

  if (delta == NULL
      || (task = fore_ctl_find_task (ctl, delta, fore_ctl_get_word (ctl, 1), error)) == NULL)
    return FALSE;

  prompt = fore_transcript_read_prompt (ctl->store, delta->run->id, task->key,
                                        fore_ctl_get_number (ctl, "attempt", 0), error);
  if (prompt == NULL)
    return FALSE;

  attempt = find_attempt (ctl, delta, task);
  model = attempt != NULL ? attempt->model : task->model;
  if (!ctl->json && fore_ctl_has (ctl, "blocks"))
    {
      print_blocks (ctl, prompt, model);
      return TRUE;
    }
  if (!ctl->json)
    {
      fore_ctl_write (prompt, -1);
      if (!g_str_has_suffix (prompt, "\n"))
        fore_ctl_write ("\n", 1);
      return TRUE;
    }

  tokens = fore_tokens_count (prompt, -1, model);
  object = json_object_new ();
  json_object_set_string_member (object, "run", delta->run->id);
  json_object_set_string_member (object, "task", task->key);
  json_object_set_boolean_member (object, "sent", attempt != NULL);
  fore_ctl_json_set_text (object, "prompt", prompt);
  json_object_set_array_member (object, "blocks", blocks_to_json (prompt, model));
  json_object_set_int_member (object, "tokens", tokens.tokens);
  json_object_set_string_member (object, "tokens_kind", fore_tokens_kind_to_string (tokens.kind));
  fore_ctl_print_object (ctl, object);

  return TRUE;
}
