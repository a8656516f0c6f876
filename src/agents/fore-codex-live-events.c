/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-codex-live-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_HELPERS 1000

void
fore_codex_live_finish_turn (CodexLive *self)
{
  g_autoptr (GList) ids = g_list_sort (g_hash_table_get_keys (self->texts), (GCompareFunc) strcmp);

  for (GList *l = ids; l != NULL; l = l->next)
    fore_decoder_end_text (&self->parent,
                           GPOINTER_TO_INT (g_hash_table_lookup (self->texts, l->data)), l->data);
  g_hash_table_remove_all (self->texts);

  fore_decoder_withdraw_all (&self->parent);
  fore_decoder_fail_open_tools (&self->parent);
  self->stage = CODEX_READY;
}

static void
on_turn_completed (CodexLive *self, const ForeJsonSlice *params)
{
  static const char *const names[] = { "status", "error" };
  ForeJsonSlice turn, values[G_N_ELEMENTS (names)];
  g_autofree char *message = NULL;
  ForeCause cause;

  fore_json_slice_get_member (params, "turn", &turn);
  fore_json_slice_get_members (&turn, names, G_N_ELEMENTS (names), values);
  fore_codex_live_finish_turn (self);
  if (fore_codex_live_send_next (self))
    return;

  if (fore_json_slice_equals (&values[0], "completed"))
    {
      fore_decoder_complete (&self->parent);
    }
  else if (fore_json_slice_equals (&values[0], "interrupted"))
    {
      fore_decoder_fail (&self->parent, FORE_CAUSE_INTERRUPTED, _ ("The agent was interrupted."));
    }
  else
    {
      cause = fore_codex_error_cause (&values[1], &message);
      fore_decoder_fail (&self->parent, cause, message);
    }
  fore_decoder_emit_result (&self->parent);
}

/* An error after which it tries again is a notice. */
static void
on_error_event (CodexLive *self, const ForeJsonSlice *params)
{
  static const char *const names[] = { "error", "willRetry" };
  ForeJsonSlice values[G_N_ELEMENTS (names)], details;
  g_autofree char *message = NULL;
  g_autofree char *more = NULL;
  ForeCause cause;

  fore_json_slice_get_members (params, names, G_N_ELEMENTS (names), values);
  cause = fore_codex_error_cause (&values[0], &message);
  fore_json_slice_get_member (&values[0], "additionalDetails", &details);
  more = fore_json_slice_dup_string (&details);
  if (fore_json_slice_get_bool (&values[1], FALSE))
    fore_decoder_emit_notice (&self->parent, NULL, "retry", _ ("Tries again"),
                              more != NULL ? more : message);
  else
    fore_decoder_emit_error (&self->parent, cause, message);
}

static void
on_delta (CodexLive *self, const ForeJsonSlice *params, ForeEntryKind kind)
{
  static const char *const names[] = { "itemId", "delta" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  g_autofree char *id = NULL;
  g_autofree char *delta = NULL;

  fore_json_slice_get_members (params, names, G_N_ELEMENTS (names), values);
  id = fore_json_slice_dup_string (&values[0]);
  delta = fore_json_slice_dup_string (&values[1]);
  if (id == NULL || delta == NULL)
    return;

  fore_decoder_emit_text (&self->parent, kind, id, NULL, delta, TRUE);
  g_hash_table_insert (self->texts, g_steal_pointer (&id), GINT_TO_POINTER (kind));
}

/* Pieces of what a command prints; the item says it all again when it is over. */
static void
on_output (CodexLive *self, const ForeJsonSlice *params)
{
  static const char *const names[] = { "itemId", "delta" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_TOOL);
  const ForeEntry *earlier;
  g_autofree char *id = NULL;
  g_autofree char *delta = NULL;
  g_autofree char *text = NULL;

  fore_json_slice_get_members (params, names, G_N_ELEMENTS (names), values);
  id = fore_json_slice_dup_string (&values[0]);
  delta = fore_json_slice_dup_string (&values[1]);
  earlier = id != NULL ? fore_decoder_find_tool (&self->parent, id) : NULL;
  if (earlier == NULL || delta == NULL
      || (earlier->text != NULL && strlen (earlier->text) > FORE_DECODER_OUTPUT_KEPT))
    return;

  text = g_strconcat (earlier->text != NULL ? earlier->text : "", delta, NULL);
  entry.id = id;
  entry.text = text;
  entry.state = FORE_ENTRY_RUNNING;
  fore_decoder_emit_tool (&self->parent, &entry);
}

/* Threads that a call started belong to it. */
static void
note_helpers (CodexLive *self, const ForeJsonSlice *item, const char *id)
{
  ForeJsonSlice threads, thread;
  ForeJsonSliceIter iter;

  fore_json_slice_get_member (item, "receiverThreadIds", &threads);
  fore_json_slice_iter_init (&iter, &threads);
  while (threads.kind == FORE_JSON_ARRAY_START && fore_json_slice_iter_next (&iter, NULL, &thread))
    {
      char *name = fore_json_slice_dup_string (&thread);

      if (name != NULL && g_hash_table_size (self->helpers) < MAX_HELPERS)
        g_hash_table_insert (self->helpers, name, g_strdup (id));
      else
        g_free (name);
    }
}

static void
on_item (CodexLive *self,
         const ForeJsonSlice *params,
         gboolean completed,
         const char *thread,
         const char *text,
         gsize length)
{
  ForeJsonSlice item, value;
  const char *parent = NULL;
  g_autofree char *id = NULL;

  fore_json_slice_get_member (params, "item", &item);
  fore_json_slice_get_member (&item, "id", &value);
  id = fore_json_slice_dup_string (&value);
  if (completed && id != NULL)
    g_hash_table_remove (self->texts, id);
  if (id != NULL)
    note_helpers (self, &item, id);
  if (thread != NULL)
    parent = g_hash_table_lookup (self->helpers, thread);
  if (thread != NULL && parent == NULL)
    parent = thread;
  fore_codex_on_item (&self->parent, &item, completed, parent, text, length);
}

static gboolean
is_silent (const ForeJsonSlice *method)
{
  static const char *const methods[] = { "thread/status/changed",
                                         "turn/diff/updated",
                                         "mcpServer/startupStatus/updated",
                                         "thread/name/updated",
                                         "item/reasoning/summaryPartAdded",
                                         "remoteControl/status/changed",
                                         "deprecationNotice",
                                         "thread/goal/cleared",
                                         "item/fileChange/outputDelta",
                                         "account/updated",
                                         "skills/changed" };

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      if (fore_json_slice_equals (method, methods[i]))
        return TRUE;
    }

  return FALSE;
}

static gboolean
on_item_event (CodexLive *self,
               const ForeJsonSlice *method,
               const ForeJsonSlice *params,
               const char *thread,
               const char *text,
               gsize length)
{
  if (fore_json_slice_equals (method, "item/agentMessage/delta"))
    on_delta (self, params, FORE_ENTRY_TEXT);
  else if (fore_json_slice_equals (method, "item/reasoning/summaryTextDelta"))
    on_delta (self, params, FORE_ENTRY_THINKING);
  else if (fore_json_slice_equals (method, "item/commandExecution/outputDelta"))
    on_output (self, params);
  else if (fore_json_slice_equals (method, "item/started"))
    on_item (self, params, FALSE, thread, text, length);
  else if (fore_json_slice_equals (method, "item/completed"))
    on_item (self, params, TRUE, thread, text, length);
  else
    return FALSE;

  return TRUE;
}

/* The thread of an event, unless it is that of the session. */
static char *
dup_helper_thread (CodexLive *self, const ForeJsonSlice *params)
{
  const char *session = self->parent.summary.session;
  ForeJsonSlice thread;

  fore_json_slice_get_member (params, "threadId", &thread);
  if (thread.kind != FORE_JSON_STRING || session == NULL
      || fore_json_slice_equals (&thread, session))
    return NULL;

  return fore_json_slice_dup_string (&thread);
}

void
fore_codex_live_on_notification (CodexLive *self,
                                 const ForeJsonSlice *method,
                                 const ForeJsonSlice *params,
                                 const char *text,
                                 gsize length)
{
  ForeJsonSlice value;
  g_autofree char *name = NULL;
  g_autofree char *thread = dup_helper_thread (self, params);

  if (on_item_event (self, method, params, thread, text, length))
    return;

  if (fore_json_slice_equals (method, "thread/tokenUsage/updated"))
    fore_codex_on_usage (&self->parent, thread, params);
  else if (thread != NULL)
    return;
  else if (fore_json_slice_equals (method, "turn/started"))
    {
      fore_json_slice_get_member (params, "turn", &value);
      fore_decoder_reopen (&self->parent);
      fore_codex_live_note_turn (self, &value);
    }
  else if (fore_json_slice_equals (method, "turn/completed"))
    on_turn_completed (self, params);
  else if (fore_json_slice_equals (method, "account/rateLimits/updated"))
    fore_codex_on_rate_limits (&self->parent, params);
  else if (fore_json_slice_equals (method, "serverRequest/resolved"))
    fore_codex_on_resolved (&self->parent, params);
  else if (fore_json_slice_equals (method, "error"))
    on_error_event (self, params);
  else if (!fore_json_slice_equals (method, "thread/started") && !is_silent (method))
    fore_decoder_emit_raw (&self->parent, name = fore_json_slice_dup_string (method), text, length,
                           FALSE);
}
