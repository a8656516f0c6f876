/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-guard-client.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "model/fore-error.h"
#include "platform/fore-clock.h"
#include "platform/fore-guard-private.h"

#define SWEEP_ROUNDS 200
#define SWEEP_PAUSE_US 10000
#define SWEEP_CLEAN_ROUNDS 3

G_DEFINE_FINAL_TYPE (ForeGuard, fore_guard, G_TYPE_OBJECT)

enum
{
  STARTED,
  EXITED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
close_talks (ForeGuard *self)
{
  fore_guard_talk_close (self->talk);
  fore_guard_talk_close (self->control);
}

static void
open_talks (ForeGuard *self)
{
  if (self->socket == NULL)
    self->socket = fore_guard_find_socket (fore_guard_hub_get_run_dir (self->hub), self->task,
                                           self->n);

  if (self->socket == NULL)
    {
      close_talks (self);
      return;
    }

  fore_guard_talk_open (self->talk, self->socket);
  fore_guard_talk_open (self->control, self->socket);
}

static void
take_start (ForeGuard *self, const ForeGuardRecord *record)
{
  if (self->has_start || self->has_exit)
    return;

  self->start = *record;
  self->has_start = TRUE;
  open_talks (self);
  g_signal_emit (self, signals[STARTED], 0, &self->start);
}

static void
stop_watching (ForeGuard *self)
{
  if (self->end_source == NULL)
    return;

  g_source_destroy (self->end_source);
  g_clear_pointer (&self->end_source, g_source_unref);
}

/* The last reference may go with the source. */
static void
stop_waiting (ForeGuard *self)
{
  g_autoptr (GSource) source = g_steal_pointer (&self->child_source);

  if (source != NULL)
    g_source_destroy (source);
}

static void
take_exit (ForeGuard *self, const ForeGuardRecord *record)
{
  g_autoptr (ForeGuard) alive = g_object_ref (self);

  if (self->has_exit || self->forgotten)
    return;

  self->exit = *record;
  self->has_exit = TRUE;
  stop_watching (self);
  fore_guard_hub_remove (self->hub, self);
  close_talks (self);
  g_signal_emit (self, signals[EXITED], 0, &self->exit);
  /* The reference that kept it until now. */
  g_object_unref (self);
}

/* From the hub: it is not followed any more, and goes on. */
void
fore_guard_forget (ForeGuard *self)
{
  g_return_if_fail (FORE_IS_GUARD (self));

  self->forgotten = TRUE;
  stop_watching (self);
  stop_waiting (self);
  close_talks (self);
  g_object_unref (self);
}

/* From the hub: what the guard wrote. */
void
fore_guard_take_record (ForeGuard *self, const ForeGuardRecord *record)
{
  g_return_if_fail (FORE_IS_GUARD (self));
  g_return_if_fail (record != NULL);

  if (self->held != NULL)
    g_array_append_vals (self->held, record, 1);
  else if (record->kind == FORE_GUARD_START)
    take_start (self, record);
  else
    take_exit (self, record);
}

static void
fill_lost_record (ForeGuard *self, ForeGuardRecord *record)
{
  *record = self->start;
  record->kind = FORE_GUARD_EXIT;
  record->attempt = self->n;
  memset (record->task, 0, sizeof record->task);
  memcpy (record->task, self->task, MIN (strlen (self->task), sizeof record->task));
  record->reason = FORE_GUARD_REASON_LOST;
  record->exit_code = -1;
  record->end_wall_us = fore_clock_now_us ();
  record->end_boot_us = fore_clock_boot_us ();
  fore_guard_record_seal (record);
}

/* Nothing of an attempt outlives its guard: the agent itself died with it, what else there was is
 * found by its environment. One look is not enough: a process that is starting a program shows no
 * environment for a moment, and one that is ending has none while its files and locks are open.
 */
static void
sweep_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  ForeGuard *self = source;
  g_autofree char *run = g_path_get_basename (fore_guard_hub_get_run_dir (self->hub));
  guint clean = 0;

  for (guint round = 0; round < SWEEP_ROUNDS && clean < SWEEP_CLEAN_ROUNDS; round++)
    {
      g_autoptr (GArray) left = fore_process_find_marked (run, self->task, self->n);

      clean = left->len == 0 ? clean + 1 : 0;
      for (guint i = 0; i < left->len; i++)
        fore_process_signal (&g_array_index (left, ForeProcessId, i), FORE_SIGNAL_KILL, NULL);
      g_usleep (SWEEP_PAUSE_US);
    }

  g_task_return_boolean (task, TRUE);
}

static void
on_swept (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ForeGuard *self = FORE_GUARD (source);
  ForeGuardRecord record;

  fill_lost_record (self, &record);
  take_exit (self, &record);
}

/* The guard is gone. Usually its record came first. */
static void
note_guard_gone (ForeGuard *self)
{
  g_autoptr (GTask) task = NULL;

  if (self->forgotten)
    return;

  fore_guard_release (self);
  fore_guard_hub_poll (self->hub);
  if (self->has_exit)
    return;

  task = g_task_new (self, NULL, on_swept, NULL);
  g_task_set_source_tag (task, note_guard_gone);
  g_task_set_name (task, "sweep after a lost guard");
  g_task_run_in_thread (task, sweep_thread);
}

static void
on_child_ended (GPid pid, int wait_status, gpointer user_data)
{
  g_autoptr (ForeGuard) self = g_object_ref (user_data);

  g_spawn_close_pid (pid);
  stop_waiting (self);
  note_guard_gone (self);
}

/* It is waited for as long as it is followed; who lets go of it ends soon. */
void
fore_guard_wait_for_child (ForeGuard *self, GPid pid)
{
  self->child_source = g_child_watch_source_new (pid);
  g_source_set_name (self->child_source, "guard's end");
  g_source_set_callback (self->child_source, G_SOURCE_FUNC (on_child_ended), g_object_ref (self),
                         g_object_unref);
  g_source_attach (self->child_source, g_main_context_get_thread_default ());
}

static gboolean
on_adopted_gone (gpointer user_data)
{
  g_autoptr (ForeGuard) self = g_object_ref (user_data);

  stop_watching (self);
  note_guard_gone (self);
  return G_SOURCE_REMOVE;
}

static void
fore_guard_finalize (GObject *object)
{
  ForeGuard *self = FORE_GUARD (object);

  stop_watching (self);
  g_clear_object (&self->talk);
  g_clear_object (&self->control);
  g_clear_object (&self->hub);
  g_free (self->task);
  g_clear_pointer (&self->held, g_array_unref);
  g_free (self->program);
  g_free (self->socket);
  G_OBJECT_CLASS (fore_guard_parent_class)->finalize (object);
}

static void
fore_guard_class_init (ForeGuardClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_guard_finalize;

  signals[STARTED] = g_signal_new ("started", FORE_TYPE_GUARD, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[EXITED] = g_signal_new ("exited", FORE_TYPE_GUARD, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
fore_guard_init (ForeGuard *self)
{
  self->talk = fore_guard_talk_new ();
  self->control = fore_guard_talk_new ();
}

static void
invoke_later (GSourceFunc func, gpointer data, GDestroyNotify destroy)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, func, data, destroy);
  g_source_set_name (source, "guard told later");
  g_source_attach (source, g_main_context_get_thread_default ());
}

/* Of an attempt; its hub references it until it has exited. What it writes is held back until
 * fore_guard_release().
 */
ForeGuard *
fore_guard_new (ForeGuardHub *hub, const char *task, guint n)
{
  ForeGuard *self = g_object_new (FORE_TYPE_GUARD, NULL);

  self->hub = g_object_ref (hub);
  self->task = g_strdup (task);
  self->n = n;
  self->held = g_array_new (FALSE, FALSE, sizeof (ForeGuardRecord));
  g_object_ref (self);
  fore_guard_hub_add (self->hub, self);
  return self;
}

/* There is no process of it; without effect once it was forgotten. */
void
fore_guard_discard (ForeGuard *self)
{
  if (self->forgotten)
    return;

  self->forgotten = TRUE;
  fore_guard_hub_remove (self->hub, self);
  close_talks (self);
  g_object_unref (self);
}

/* Who it is told may know of it now. */
void
fore_guard_release (ForeGuard *self)
{
  g_autoptr (ForeGuard) alive = g_object_ref (self);
  g_autoptr (GArray) held = g_steal_pointer (&self->held);

  for (guint i = 0; held != NULL && i < held->len && !self->forgotten; i++)
    fore_guard_take_record (self, &g_array_index (held, ForeGuardRecord, i));
}

static gboolean
release_later (gpointer user_data)
{
  fore_guard_release (user_data);
  return G_SOURCE_REMOVE;
}

/* The caller first connects to it. */
void
fore_guard_release_soon (ForeGuard *self)
{
  if (self->held->len > 0)
    invoke_later (release_later, g_object_ref (self), g_object_unref);
  else
    g_clear_pointer (&self->held, g_array_unref);
}

/**
 * fore_guard_get_spawn_cost:
 * @self: a guard that was spawned here
 * @cpu_us: (out): how long this thread worked for its start, in microseconds
 * @wall_us: (out): how long its start took
 */
void
fore_guard_get_spawn_cost (ForeGuard *self, gint64 *cpu_us, gint64 *wall_us)
{
  g_return_if_fail (FORE_IS_GUARD (self));
  g_return_if_fail (cpu_us != NULL && wall_us != NULL);

  *cpu_us = self->spawn_cpu_us;
  *wall_us = self->spawn_us;
}

static void
format_boot_id (const guint8 bytes[16], char *text, gsize size)
{
  g_snprintf (text, size, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
              bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
              bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]);
}

static void
fill_id (const ForeGuardRecord *record, int pid, guint64 start, ForeProcessId *id)
{
  memset (id, 0, sizeof *id);
  id->pid = pid;
  id->start = start;
  format_boot_id (record->boot_id, id->boot, sizeof id->boot);
}

typedef struct
{
  ForeGuard *guard;
  ForeGuardRecord record;
} IdleExit;

static gboolean
tell_exit (gpointer user_data)
{
  IdleExit *idle = user_data;

  take_exit (idle->guard, &idle->record);
  return G_SOURCE_REMOVE;
}

static void
idle_exit_free (gpointer data)
{
  IdleExit *idle = data;

  g_object_unref (idle->guard);
  g_free (idle);
}

static void
follow_process (ForeGuard *self, const ForeProcessId *id)
{
  self->end_source = fore_process_watch_source_new (id);
  if (self->end_source == NULL)
    {
      invoke_later (on_adopted_gone, g_object_ref (self), g_object_unref);
      return;
    }

  g_source_set_callback (self->end_source, on_adopted_gone, self, NULL);
  g_source_attach (self->end_source, g_main_context_get_thread_default ());
}

static void
follow_guard (ForeGuard *self)
{
  ForeProcessId id;

  fore_guard_get_guard_id (self, &id);
  open_talks (self);
  follow_process (self, &id);
}

/* The runner may have died before the guard wrote its first record: the guard is there all the
 * same, and starting the attempt again would double it.
 */
static gboolean
follow_unrecorded (ForeGuard *self)
{
  g_autofree char *run = g_path_get_basename (fore_guard_hub_get_run_dir (self->hub));
  g_autoptr (GArray) marked = fore_process_find_marked (run, self->task, self->n);

  if (marked->len == 0)
    return FALSE;

  follow_process (self, &g_array_index (marked, ForeProcessId, 0));
  return TRUE;
}

static void
take_earlier_exit (ForeGuard *self, const ForeGuardRecord *record)
{
  IdleExit *idle = g_new0 (IdleExit, 1);

  idle->guard = g_object_ref (self);
  idle->record = *record;
  invoke_later (tell_exit, idle, idle_exit_free);
}

/**
 * fore_guard_adopt:
 * @hub: the hub of the run
 * @task: key of a task
 * @n: number of the attempt
 * @error: return location for an error
 *
 * Follows an attempt on that an earlier runner started. ::started is not emitted if its record is
 * there at once; ::exited is, from the main loop, also if the attempt has ended long ago.
 *
 * Returns: (transfer full): the guard; %NULL with %FORE_ERROR_NOT_FOUND if it never started
 */
ForeGuard *
fore_guard_adopt (ForeGuardHub *hub, const char *task, guint n, GError **error)
{
  g_autofree char *exits = NULL;
  ForeGuardRecord record;
  ForeGuard *self;
  gboolean ended, started;

  g_return_val_if_fail (FORE_IS_GUARD_HUB (hub), NULL);
  g_return_val_if_fail (task != NULL, NULL);

  self = fore_guard_new (hub, task, n);
  exits = fore_guard_hub_dup_exits_path (hub);
  started = fore_exits_find (exits, task, n, FORE_GUARD_START, &self->start);
  ended = fore_exits_find (exits, task, n, FORE_GUARD_EXIT, &record);
  self->has_start = started;

  if (ended)
    take_earlier_exit (self, &record);
  else if (started)
    follow_guard (self);
  else if (!follow_unrecorded (self))
    {
      fore_guard_discard (self);
      g_clear_object (&self);
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("Attempt %u of “%s” was never started; retry the task"), n, task);
      return NULL;
    }

  fore_guard_release_soon (self);
  return self;
}

const char *
fore_guard_get_task (ForeGuard *self)
{
  g_return_val_if_fail (FORE_IS_GUARD (self), NULL);

  return self->task;
}

guint
fore_guard_get_attempt (ForeGuard *self)
{
  g_return_val_if_fail (FORE_IS_GUARD (self), 0);

  return self->n;
}

const ForeGuardRecord *
fore_guard_get_start_record (ForeGuard *self)
{
  g_return_val_if_fail (FORE_IS_GUARD (self), NULL);

  return self->has_start ? &self->start : NULL;
}

const ForeGuardRecord *
fore_guard_get_exit_record (ForeGuard *self)
{
  g_return_val_if_fail (FORE_IS_GUARD (self), NULL);

  return self->has_exit ? &self->exit : NULL;
}

/**
 * fore_guard_get_agent_id:
 * @self: a guard
 * @id: (out): where to put the identity of the agent
 *
 * Returns: %FALSE while it is not known
 */
gboolean
fore_guard_get_agent_id (ForeGuard *self, ForeProcessId *id)
{
  g_return_val_if_fail (FORE_IS_GUARD (self), FALSE);
  g_return_val_if_fail (id != NULL, FALSE);

  if (self->has_start)
    fill_id (&self->start, self->start.agent_pid, self->start.agent_start, id);
  return self->has_start;
}

/**
 * fore_guard_get_guard_id:
 * @self: a guard
 * @id: (out): where to put the identity of the guard itself
 *
 * Returns: %FALSE while it is not known
 */
gboolean
fore_guard_get_guard_id (ForeGuard *self, ForeProcessId *id)
{
  g_return_val_if_fail (FORE_IS_GUARD (self), FALSE);
  g_return_val_if_fail (id != NULL, FALSE);

  if (self->has_start)
    fill_id (&self->start, self->start.guard_pid, self->start.guard_start, id);
  return self->has_start;
}
