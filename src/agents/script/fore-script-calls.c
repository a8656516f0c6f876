/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/script/fore-script-calls.h"

#include "platform/fore-watch.h"

#define LOOK_MS 500

typedef struct
{
  char *path;
  char *id;
} Call;

struct _ForeScriptCalls
{
  GQueue calls;
  ForeWatch *watch;
  gboolean looked_for;
};

static void
call_free (Call *call)
{
  g_free (call->path);
  g_free (call->id);
  g_free (call);
}

static void
something_came (const char *path, ForeWatchEvents events, gpointer user_data)
{
  ((ForeScriptCalls *) user_data)->looked_for = FALSE;
}

/**
 * fore_script_calls_new:
 *
 * Returns: (transfer full): no calls, of the task that this process works for
 */
ForeScriptCalls *
fore_script_calls_new (void)
{
  ForeScriptCalls *self = g_new0 (ForeScriptCalls, 1);
  g_autofree char *answers = fore_calls_dup_answers_folder ();

  if (answers != NULL)
    self->watch = fore_watch_new (answers, something_came, self, NULL, NULL);

  return self;
}

/**
 * fore_script_calls_free:
 * @self: (nullable): calls
 */
void
fore_script_calls_free (ForeScriptCalls *self)
{
  if (self == NULL)
    return;

  g_clear_pointer (&self->watch, fore_watch_free);
  g_queue_clear_full (&self->calls, (GDestroyNotify) call_free);
  g_free (self);
}

/* 32 digits; different for every call of every script of a run. */
static char *
make_id (const char *path)
{
  const char *task = g_getenv ("FOREDECK_TASK");
  g_autofree char *text = g_strdup_printf ("%s %s", task != NULL ? task : "", path);

  return g_compute_checksum_for_string (G_CHECKSUM_MD5, text, -1);
}

/**
 * fore_script_calls_send:
 * @self: calls
 * @path: which call of the script
 * @kind: what is wanted
 * @text: its text
 * @options: (nullable): its options
 * @error: return location for an error
 *
 * Returns: whether it was sent
 */
gboolean
fore_script_calls_send (ForeScriptCalls *self,
                        const char *path,
                        ForeCallKind kind,
                        const char *text,
                        const char *const *options,
                        GError **error)
{
  g_autofree char *id = NULL;
  Call *call;

  g_return_val_if_fail (self != NULL && path != NULL && text != NULL, FALSE);

  id = make_id (path);
  if (!fore_calls_send_as (id, kind, text, options, error))
    return FALSE;

  call = g_new0 (Call, 1);
  call->path = g_strdup (path);
  call->id = g_steal_pointer (&id);
  g_queue_push_tail (&self->calls, call);
  self->looked_for = FALSE;

  return TRUE;
}

/* The first of those that were sent that has an answer. */
static Call *
find_answered (ForeScriptCalls *self, char **reply, gboolean *refused)
{
  self->looked_for = TRUE;
  for (GList *link = self->calls.head; link != NULL; link = link->next)
    {
      Call *call = link->data;

      *reply = fore_calls_take_answer (call->id, refused);
      if (*reply == NULL)
        continue;

      g_queue_delete_link (&self->calls, link);
      return call;
    }

  return NULL;
}

static gboolean
look_again (gpointer user_data)
{
  ((ForeScriptCalls *) user_data)->looked_for = FALSE;

  return G_SOURCE_CONTINUE;
}

/**
 * fore_script_calls_wait:
 * @self: calls, at least one
 * @reply: (out) (transfer full): the answer
 * @refused: (out): whether @reply says why there is none
 *
 * Sleeps until one of them is answered; that is none any more.
 *
 * Returns: (transfer full): which call
 */
char *
fore_script_calls_wait (ForeScriptCalls *self, char **reply, gboolean *refused)
{
  guint source;
  Call *call;
  char *path;

  g_return_val_if_fail (self != NULL && !g_queue_is_empty (&self->calls), NULL);

  source = g_timeout_add (LOOK_MS, look_again, self);
  self->looked_for = FALSE;
  while (self->looked_for || (call = find_answered (self, reply, refused)) == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (source);

  path = g_steal_pointer (&call->path);
  call_free (call);
  return path;
}
