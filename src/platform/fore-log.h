/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  FORE_LOG_ERROR,
  FORE_LOG_WARNING,
  FORE_LOG_INFO,
  FORE_LOG_DEBUG,
} ForeLogLevel;

/* One file per program and day under log/: JSON lines {"time","level","program","pid","run","task",
 * "attempt","source","text"}. Takes over g_log() of the process. Any thread may log.
 */
void fore_log_install (const char *home, const char *program);
void fore_log_set_level (ForeLogLevel level);
void fore_log_set_context (const char *run);
guint fore_log_prune (const char *home, guint keep_days);

/* @run, @task: nullable (the context's run is taken); @attempt: 0 for none */
void fore_log (
    ForeLogLevel level, const char *run, const char *task, guint attempt, const char *format, ...)
    G_GNUC_PRINTF (5, 6);

const char *fore_log_level_to_string (ForeLogLevel level);
gboolean fore_log_level_from_string (const char *text, ForeLogLevel *level);

/* The last @n lines (JSON, oldest first) over all programs, of @run if it is not NULL. Reads files:
 * for a thread.
 */
GStrv fore_log_read_tail (const char *home, const char *run, guint n, GError **error);
/* The file that this process writes to, for "Show log"; NULL if none. */
char *fore_log_dup_path (void);
/* The last lines of this process, as the crash handler writes them. */
char *fore_log_dup_recent (void);

G_END_DECLS
