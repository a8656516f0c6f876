/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define FORE_MARKER_RUN "FOREDECK_RUN"
#define FORE_MARKER_TASK "FOREDECK_TASK"
#define FORE_MARKER_ATTEMPT "FOREDECK_ATTEMPT"
#define FORE_MARKER_DEPTH "FOREDECK_DEPTH"

/**
 * ForeProcessId:
 * @pid: the number, 0 for none
 * @start: when it started, in the system's own ticks; a number that was used again differs here
 * @boot: the id of the boot, as text
 *
 * Which process is meant, over the reuse of numbers and over reboots.
 */
typedef struct
{
  int pid;
  guint64 start;
  char boot[40];
} ForeProcessId;

gboolean fore_process_id_current (ForeProcessId *id);
gboolean fore_process_id_for_pid (int pid, ForeProcessId *id);
gboolean fore_process_id_equal (const ForeProcessId *a, const ForeProcessId *b);
const char *fore_process_get_boot_id (void);

gboolean fore_process_is_alive (const ForeProcessId *id);
gboolean fore_process_is_stopped (const ForeProcessId *id);
gboolean fore_process_signal (const ForeProcessId *id, int sig, GError **error);

/* Array of ForeProcessId; run, task may be NULL and attempt 0 for any. */
GArray *fore_process_find_marked (const char *run, const char *task, guint attempt);
/* Array of ForeProcessId, the parent first. */
GArray *fore_process_get_ancestors (int pid);
gboolean fore_process_has_guard_ancestor (void);
char *fore_process_dup_name (int pid);
/* A source that is ready once the process has ended; NULL if it has already. Its callback is a
 * GSourceFunc, called once.
 */
GSource *fore_process_watch_source_new (const ForeProcessId *id);

void fore_process_reserve_descriptors (void);

gboolean fore_process_spawn_detached (const char *const *argv,
                                      const char *const *envp,
                                      const char *log_path,
                                      int *pid,
                                      GError **error);
/* Puts a fresh process in the place of this one: argv[0] is an absolute path. Returns only if that
 * fails. */
void fore_process_begin_again (const char *const *argv, GError **error);
void fore_process_join_scope_async (const char *name,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean fore_process_join_scope_finish (GAsyncResult *result, GError **error);

char *fore_platform_find_program (const char *name);
char *fore_platform_find_data (const char *name);
guint fore_platform_get_cores (void);

G_END_DECLS
