/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How a guard is started; what becomes of it is in fore-guard-client.c. */

#include "config.h"

#include "platform/fore-guard-client.h"

#include <glib/gi18n-lib.h>

#include "model/fore-error.h"
#include "platform/fore-clock.h"
#include "platform/fore-guard-private.h"

static gboolean
start_process (ForeGuard *self, const ForeGuardLaunch *launch, GError **error)
{
  int slots[FORE_GUARD_MAX_SLOTS];
  guint n_slots = fore_guard_number_slots (launch, slots);
  g_auto (GStrv) argv = fore_guard_launch_dup_argv (launch, self->program, self->socket);
  GPid pid = 0;
  gboolean done;

  self->spawn_cpu_us = -fore_clock_thread_cpu_us ();
  self->spawn_us = -g_get_monotonic_time ();
  /* These flags, an absolute path and no folder of its own let GLib start it without a fork. */
  done = g_spawn_async_with_pipes_and_fds (
      NULL, (const char *const *) argv, launch->env,
      G_SPAWN_LEAVE_DESCRIPTORS_OPEN | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL
          | G_SPAWN_STDERR_TO_DEV_NULL,
      NULL, NULL, -1, -1, -1, launch->slot_fds, slots, n_slots, &pid, NULL, NULL, NULL, error);
  self->spawn_us += g_get_monotonic_time ();
  self->spawn_cpu_us += fore_clock_thread_cpu_us ();
  self->pid = pid;

  return done;
}

/**
 * fore_guard_prepare:
 * @hub: the hub of the run
 * @launch: what is to be started; its attempt must be new
 * @error: return location for an error
 *
 * The first of three steps; fore_guard_start() and fore_guard_follow() are the others.
 *
 * Returns: (transfer full): a guard that is not started, or %NULL
 */
ForeGuard *
fore_guard_prepare (ForeGuardHub *hub, const ForeGuardLaunch *launch, GError **error)
{
  const char *program;
  ForeGuard *self;

  g_return_val_if_fail (FORE_IS_GUARD_HUB (hub), NULL);
  g_return_val_if_fail (launch != NULL, NULL);

  if (!fore_guard_launch_check (launch, error))
    return NULL;

  program = fore_guard_hub_get_program (hub);
  if (program == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("foredeck-guard is missing; install Foredeck again or set FOREDECK_LIBEXEC"));
      return NULL;
    }

  self = fore_guard_new (hub, launch->task, launch->n);
  self->program = g_strdup (program);

  return self;
}

/**
 * fore_guard_start:
 * @self: a guard that was prepared
 * @launch: what to start, as it was prepared
 * @error: return location for an error
 *
 * Starts the process and waits in the system until it runs. Any thread, once. Nothing is started
 * once the hub is closed.
 *
 * Returns: whether it was started
 */
gboolean
fore_guard_start (ForeGuard *self, const ForeGuardLaunch *launch, GError **error)
{
  gboolean done;

  g_return_val_if_fail (FORE_IS_GUARD (self), FALSE);
  g_return_val_if_fail (launch != NULL && self->program != NULL, FALSE);

  if (!fore_guard_hub_begin_start (self->hub, error))
    return FALSE;

  self->socket = fore_guard_dup_socket_path (launch->run_dir, launch->task, launch->n, error);
  done = self->socket != NULL && start_process (self, launch, error);
  fore_guard_hub_end_start (self->hub);

  return done;
}

/**
 * fore_guard_follow:
 * @self: a guard after fore_guard_start()
 * @started: whether that started it
 *
 * Takes it up in the hub's context: its signals are emitted from the next turn of that on. One that
 * was not started is let go of.
 */
void
fore_guard_follow (ForeGuard *self, gboolean started)
{
  g_return_if_fail (FORE_IS_GUARD (self));

  g_clear_pointer (&self->program, g_free);
  if (!started)
    {
      fore_guard_hub_forget_program (self->hub);
      fore_guard_discard (self);
    }
  else if (!self->forgotten)
    {
      fore_guard_wait_for_child (self, self->pid);
      fore_guard_release_soon (self);
    }
}

/**
 * fore_guard_spawn:
 * @hub: the hub of the run
 * @launch: what to start; its attempt must be new
 * @error: return location for an error
 *
 * Starts a guard, and under it the agent. Blocks until the guard runs; see fore_guard_prepare().
 *
 * Returns: (transfer full): the guard, or %NULL if it could not be started. An agent that cannot be
 *   started is told by ::exited, with FORE_GUARD_REASON_EXEC_FAILED.
 */
ForeGuard *
fore_guard_spawn (ForeGuardHub *hub, const ForeGuardLaunch *launch, GError **error)
{
  g_autoptr (ForeGuard) self = fore_guard_prepare (hub, launch, error);
  gboolean started;

  if (self == NULL)
    return NULL;

  started = fore_guard_start (self, launch, error);
  fore_guard_follow (self, started);

  return started ? g_steal_pointer (&self) : NULL;
}
