/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "platform/fore-exits-reader.h"
#include "platform/fore-guard-launch.h"
#include "platform/fore-process.h"

G_BEGIN_DECLS

/**
 * ForeGuardHub:
 *
 * One per run in a runner: reads the run's `exits` once for all its guards. Lives in the thread and
 * main context that it was made in. A guard keeps its hub.
 */
#define FORE_TYPE_GUARD_HUB (fore_guard_hub_get_type ())
G_DECLARE_FINAL_TYPE (ForeGuardHub, fore_guard_hub, FORE, GUARD_HUB, GObject)

/**
 * ForeGuard:
 *
 * A guard and the attempt under it, seen from the runner.
 *
 * Signals, in the hub's context, each once:
 *  - ::started (const ForeGuardRecord *record): the agent's identity is known (before its exec)
 *  - ::exited (const ForeGuardRecord *record): the whole tree is gone, the captures are final.
 *    record->reason is FORE_GUARD_REASON_LOST if the guard died without saying.
 */
#define FORE_TYPE_GUARD (fore_guard_get_type ())
G_DECLARE_FINAL_TYPE (ForeGuard, fore_guard, FORE, GUARD, GObject)

ForeGuardHub *fore_guard_hub_new (const char *run_dir, GError **error);
const char *fore_guard_hub_get_run_dir (ForeGuardHub *self);
/* Reads what is new now instead of at the next wake-up. */
void fore_guard_hub_poll (ForeGuardHub *self);
/* Follows none of its guards any more; they and their agents go on. For the end of a runner. */
void fore_guard_hub_close (ForeGuardHub *self);

/* Whether guards of the run that have no owner shall end at once. */
void fore_guard_mark_cancelled (const char *run_dir, gboolean cancelled);

/* A start in three steps, of which the second takes 0.2 ms to some ms and may be made in any
 * thread; the ForeGuard is referenced by the hub until it has exited. fore_guard_spawn() is all
 * three.
 */
ForeGuard *fore_guard_prepare (ForeGuardHub *hub, const ForeGuardLaunch *launch, GError **error);
gboolean fore_guard_start (ForeGuard *self, const ForeGuardLaunch *launch, GError **error);
void fore_guard_follow (ForeGuard *self, gboolean started);
ForeGuard *fore_guard_spawn (ForeGuardHub *hub, const ForeGuardLaunch *launch, GError **error);
/* For an attempt that an earlier runner started. NULL and FORE_ERROR_NOT_FOUND if it never
 * started. One that has ended (or whose guard is gone) emits ::exited from the main loop.
 */
ForeGuard *fore_guard_adopt (ForeGuardHub *hub, const char *task, guint n, GError **error);

void fore_guard_get_spawn_cost (ForeGuard *self, gint64 *cpu_us, gint64 *wall_us);
const char *fore_guard_get_task (ForeGuard *self);
guint fore_guard_get_attempt (ForeGuard *self);
/* NULL until ::started / ::exited */
const ForeGuardRecord *fore_guard_get_start_record (ForeGuard *self);
const ForeGuardRecord *fore_guard_get_exit_record (ForeGuard *self);
gboolean fore_guard_get_agent_id (ForeGuard *self, ForeProcessId *id);
gboolean fore_guard_get_guard_id (ForeGuard *self, ForeProcessId *id);

/* Live sessions: finishes when the bytes are in the agent's stdin. @id: 0, or a number above all
 * before it; one that an earlier runner got delivered is not delivered again.
 */
void fore_guard_say_async (ForeGuard *self,
                           GBytes *bytes,
                           guint64 id,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
gboolean fore_guard_say_finish (ForeGuard *self, GAsyncResult *result, GError **error);
/* The highest id that was delivered. */
void fore_guard_hello_async (ForeGuard *self,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
gboolean
fore_guard_hello_finish (ForeGuard *self, GAsyncResult *result, guint64 *last_id, GError **error);

/* These are sent and forgotten: what comes of them is seen by ::exited. */
void fore_guard_close_stdin (ForeGuard *self);
void fore_guard_interrupt (ForeGuard *self);
void fore_guard_end (ForeGuard *self);
void fore_guard_kill (ForeGuard *self);
/* The places that the guard holds: given back while the agent waits for somebody, and taken again
 * (@slot_fd stays the caller's).
 */
void fore_guard_free_slots (ForeGuard *self);
void fore_guard_give_slot (ForeGuard *self, int slot_fd);
void fore_guard_set_limits (ForeGuard *self, guint64 capture_limit, guint64 wall_ms);

G_END_DECLS
