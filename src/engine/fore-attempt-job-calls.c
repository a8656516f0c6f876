/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What an agent calls for from inside its task: questions to the person, and its result. Calls and
 * answers are files, so that another runner finds what this one had no time for.
 */

#include "config.h"

#include "engine/fore-attempt-job-private.h"

#include "agents/fore-calls.h"
#include "engine/fore-plan-submission.h"
#include "engine/fore-pool.h"
#include "platform/fore-compat-glib.h"
#include "platform/fore-dirs.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CALL_PREFIX "call:"

typedef struct
{
  char *folder;
  char *token;
} Place;

typedef struct
{
  char *folder;
  char *id;
  char *text;
  gboolean refused;
} Reply;

static void look (ForeAttemptJob *self);

static void
place_free (gpointer data)
{
  Place *place = data;

  g_free (place->folder);
  g_free (place->token);
  g_free (place);
}

static void
reply_free (gpointer data)
{
  Reply *reply = data;

  g_free (reply->folder);
  g_free (reply->id);
  g_free (reply->text);
  g_free (reply);
}

static void
reply_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Reply *reply = data;
  g_autoptr (GError) error = NULL;

  if (reply->refused ? !fore_calls_refuse (reply->folder, reply->id, reply->text, &error)
                     : !fore_calls_answer (reply->folder, reply->id, reply->text, &error))
    g_warning ("A call could not be answered: %s", error->message);
  g_task_return_boolean (task, TRUE);
}

static void
reply_to_call (ForeAttemptJob *self, const char *id, const char *text, gboolean refused)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, NULL, NULL);
  Reply *reply = g_new0 (Reply, 1);

  reply->folder = g_strdup (self->calls_folder);
  reply->id = g_strdup (id);
  reply->text = g_strdup (text);
  reply->refused = refused;
  g_task_set_name (task, "answer a call");
  g_task_set_source_tag (task, reply_to_call);
  g_task_set_task_data (task, reply, reply_free);
  fore_pool_run (FORE_POOL_FILE, task, reply_in_thread);
}

/**
 * fore_attempt_job_deliver:
 * @self: a job
 * @id: what is answered: a call of fore_call_dup_reply_to(), or what a live session asked
 * @text: the answer
 *
 * Tells the agent, once, whoever of us dies.
 *
 * Returns: whether there is somebody who will be told
 */
gboolean
fore_attempt_job_deliver (ForeAttemptJob *self, const char *id, const char *text)
{
  g_return_val_if_fail (FORE_IS_ATTEMPT_JOB (self), FALSE);
  g_return_val_if_fail (id != NULL, FALSE);

  if (!g_str_has_prefix (id, CALL_PREFIX))
    return fore_attempt_job_say (self, "answer", id, text);
  if (self->calls_folder == NULL)
    return FALSE;

  reply_to_call (self, id + strlen (CALL_PREFIX), text != NULL ? text : "", FALSE);
  return TRUE;
}

/**
 * fore_attempt_job_refuse:
 * @self: a job
 * @id: a call
 * @text: one sentence: why it is refused
 */
void
fore_attempt_job_refuse (ForeAttemptJob *self, const char *id, const char *text)
{
  g_return_if_fail (FORE_IS_ATTEMPT_JOB (self));
  g_return_if_fail (id != NULL && g_str_has_prefix (id, CALL_PREFIX) && text != NULL);

  if (self->calls_folder != NULL)
    reply_to_call (self, id + strlen (CALL_PREFIX), text, TRUE);
}

/* Whoever called does not want it any more; what was not taken up yet never will be. */
static void
take_back (ForeAttemptJob *self, GPtrArray *calls, const ForeCall *withdrawal)
{
  g_autofree char *reply_to = g_strconcat (CALL_PREFIX, withdrawal->text, NULL);

  if (!g_hash_table_add (self->calls_seen, g_strdup (withdrawal->id)))
    return;

  for (guint i = 0; i < calls->len; i++)
    {
      const ForeCall *call = g_ptr_array_index (calls, i);

      if (call->answered || strcmp (call->id, withdrawal->text) != 0)
        continue;

      reply_to_call (self, call->id, _ ("It was taken back."), TRUE);
      if (!g_hash_table_add (self->calls_seen, g_strdup (call->id)) && self->attempt->finished == 0)
        g_signal_emit (self, fore_attempt_job_signals[WITHDRAWN], 0, reply_to);
    }
}

/* Another runner may have answered it: whether it was taken is found out again. */
static void
take_plan (ForeAttemptJob *self, const ForeCall *call)
{
  g_autofree char *answer = NULL;
  gboolean taken = fore_plan_submission_check (
      self->services->context, fore_attempt_job_get_state (self), self->task, call->text, &answer);

  if (taken)
    fore_set_str (&self->submitted, call->text);
  if (!call->answered)
    reply_to_call (self, call->id, answer, !taken);
}

static void
take_call (ForeAttemptJob *self, const ForeCall *call)
{
  if (!g_hash_table_add (self->calls_seen, g_strdup (call->id)))
    return;

  if (call->kind == FORE_CALL_SUBMIT)
    {
      fore_set_str (&self->submitted, call->text);
      if (!call->answered)
        reply_to_call (self, call->id, _ ("The result was taken."), FALSE);
    }
  else if (call->kind == FORE_CALL_PLAN)
    {
      take_plan (self, call);
    }
  else if (!call->answered && self->attempt->finished == 0)
    {
      g_signal_emit (self, fore_attempt_job_signals[ASKED], 0, call);
    }
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Place *place = data;

  g_task_return_pointer (task, fore_calls_read (place->folder, place->token),
                         (GDestroyNotify) g_ptr_array_unref);
}

static void
calls_were_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  ForeAttemptJob *self = FORE_ATTEMPT_JOB (source);
  g_autoptr (GPtrArray) calls = g_task_propagate_pointer (G_TASK (result), NULL);

  for (guint i = 0; calls != NULL && i < calls->len; i++)
    {
      if (((const ForeCall *) g_ptr_array_index (calls, i))->kind == FORE_CALL_WITHDRAW)
        take_back (self, calls, g_ptr_array_index (calls, i));
    }
  for (guint i = 0; calls != NULL && i < calls->len; i++)
    take_call (self, g_ptr_array_index (calls, i));
  g_task_return_boolean (task, TRUE);
}

static Place *
place_new (ForeAttemptJob *self)
{
  const char *secret = self->services->context->secret;
  Place *place = g_new0 (Place, 1);

  place->folder = g_strdup (self->calls_folder);
  if (secret != NULL)
    place->token = fore_calls_dup_token (secret, self->task->key, self->attempt->n);

  return place;
}

/* Who calls for nothing makes no folder. */
static gboolean
is_called (ForeAttemptJob *self)
{
  return self->calls_folder != NULL && g_file_test (self->calls_folder, G_FILE_TEST_EXISTS);
}

/* Reads all calls there are and takes up those that are new. */
void
fore_attempt_job_read_calls_async (ForeAttemptJob *self,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);
  g_autoptr (GTask) reading = NULL;

  g_task_set_name (task, "take calls up");
  g_task_set_source_tag (task, fore_attempt_job_read_calls_async);
  if (!is_called (self))
    {
      g_task_return_boolean (task, TRUE);
      g_object_unref (task);
      return;
    }

  reading = g_task_new (self, NULL, calls_were_read, task);
  g_task_set_name (reading, "read calls");
  g_task_set_source_tag (reading, fore_attempt_job_read_calls_async);
  g_task_set_task_data (reading, place_new (self), place_free);
  fore_pool_run (FORE_POOL_FILE, reading, read_in_thread);
}

static void
looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ForeAttemptJob *self = FORE_ATTEMPT_JOB (source);

  self->calls_looking = FALSE;
  if (self->calls_look_again && self->calls_watch != NULL)
    look (self);
}

static void
look (ForeAttemptJob *self)
{
  self->calls_look_again = self->calls_looking;
  if (self->calls_looking || !is_called (self))
    return;

  self->calls_looking = TRUE;
  fore_attempt_job_read_calls_async (self, looked, NULL);
}

static void
folder_changed (const char *path, ForeWatchEvents events, gpointer user_data)
{
  look (user_data);
}

/* Calls from before are found by looking, those to come by watching. */
void
fore_attempt_job_watch_calls (ForeAttemptJob *self)
{
  g_autoptr (GError) error = NULL;

  self->calls_folder = fore_dirs_dup_attempt_path (
      self->services->context->home, fore_run_state_get_run (fore_attempt_job_get_state (self))->id,
      self->task->key, self->attempt->n, "calls");
  self->calls_seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->calls_watch = fore_watch_new (self->calls_folder, folder_changed, self, NULL, &error);
  if (self->calls_watch == NULL)
    g_warning ("Calls of %s are not noticed: %s", self->task->key, error->message);
  look (self);
}
