/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-log.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "platform/fore-dirs.h"
#include "platform/fore-files.h"
#include "platform/fore-log-private.h"
#include "platform/fore-process-private.h"

#define RING_LINES 64
#define RING_LINE_SIZE 512

typedef struct
{
  const char *run;
  const char *task;
  guint attempt;
  const char *source;
} Context;

static const char *const level_names[] = { "error", "warning", "info", "debug" };

static struct
{
  GMutex lock;
  gboolean installed;
  char *dir;
  char *program;
  char *run;
  char *path;
  char day[16];
  int fd;
  ForeLogLevel level;
} state = { .fd = -1, .level = FORE_LOG_INFO };

/* Read by the crash handler without a lock: a line that is being written may be torn. */
static char ring[RING_LINES][RING_LINE_SIZE];
static guint ring_next;

/**
 * fore_log_level_to_string:
 * @level: a level
 *
 * Returns: (transfer none): its word
 */
const char *
fore_log_level_to_string (ForeLogLevel level)
{
  g_return_val_if_fail (level <= FORE_LOG_DEBUG, NULL);

  return level_names[level];
}

/**
 * fore_log_level_from_string:
 * @text: (nullable): a word
 * @level: (out): where to put the level
 *
 * Returns: %FALSE, leaving @level alone, if @text is no level
 */
gboolean
fore_log_level_from_string (const char *text, ForeLogLevel *level)
{
  g_return_val_if_fail (level != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (level_names); i++)
    {
      if (g_strcmp0 (level_names[i], text) == 0)
        {
          *level = i;
          return TRUE;
        }
    }

  return FALSE;
}

static void
append_escaped (GString *line, const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    {
      if (*c == '"' || *c == '\\')
        g_string_append_c (line, '\\');

      if (*c == '\n')
        g_string_append (line, "\\n");
      else if (*c == '\t')
        g_string_append (line, "\\t");
      else if ((guchar) *c < 0x20 || *c == 0x7f)
        g_string_append_printf (line, "\\u%04x", (guchar) *c);
      else
        g_string_append_c (line, *c);
    }
}

static void
append_member (GString *line, const char *name, const char *value)
{
  if (value == NULL)
    return;

  g_string_append_printf (line, ",\"%s\":\"", name);
  if (g_utf8_validate (value, -1, NULL))
    append_escaped (line, value);
  else
    {
      g_autofree char *valid = g_utf8_make_valid (value, -1);

      append_escaped (line, valid);
    }
  g_string_append_c (line, '"');
}

static GString *
build_line (GDateTime *now, ForeLogLevel level, const Context *context, const char *text)
{
  GString *line = g_string_sized_new (256);
  g_autofree char *time = g_date_time_format (now, "%Y-%m-%dT%H:%M:%S");

  g_string_append_printf (line, "{\"time\":\"%s.%06dZ\"", time, g_date_time_get_microsecond (now));
  append_member (line, "level", level_names[level]);
  append_member (line, "program", state.program);
  g_string_append_printf (line, ",\"pid\":%d", fore_process_system_get_pid ());
  append_member (line, "run", context->run != NULL ? context->run : state.run);
  append_member (line, "task", context->task);
  if (context->attempt > 0)
    g_string_append_printf (line, ",\"attempt\":%u", context->attempt);
  append_member (line, "source", context->source);
  append_member (line, "text", text);
  g_string_append (line, "}\n");
  return line;
}

/* The next line tries again. */
static void
close_file (void)
{
  if (state.fd >= 0)
    close (state.fd);
  state.fd = -1;
}

static void
open_file (const char *day)
{
  g_autofree char *name = g_strdup_printf ("%s-%s.log", state.program, day);

  close_file ();
  g_free (state.path);
  state.path = g_build_filename (state.dir, name, NULL);
  state.fd = g_open (state.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  g_strlcpy (state.day, day, sizeof state.day);
}

static void
keep_in_ring (const GString *line)
{
  char *slot = ring[ring_next % RING_LINES];

  g_strlcpy (slot, line->str, RING_LINE_SIZE);
  if (line->len >= RING_LINE_SIZE)
    slot[RING_LINE_SIZE - 2] = '\n';
  ring_next++;
}

/* A log that cannot be written must not stop what is being logged. */
static void
write_line (ForeLogLevel level, const Context *context, const char *text)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *day = g_date_time_format (now, "%Y-%m-%d");
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&state.lock);
  GString *line;

  if (!state.installed)
    return;

  line = build_line (now, level, context, text);
  keep_in_ring (line);
  if (level <= state.level)
    {
      if (state.fd < 0 || strcmp (day, state.day) != 0)
        open_file (day);
      if (state.fd >= 0 && write (state.fd, line->str, line->len) < 0)
        close_file ();
    }

  g_string_free (line, TRUE);
}

static ForeLogLevel
level_from_flags (GLogLevelFlags flags)
{
  if (flags & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL))
    return FORE_LOG_ERROR;
  if (flags & G_LOG_LEVEL_WARNING)
    return FORE_LOG_WARNING;

  return flags & G_LOG_LEVEL_DEBUG ? FORE_LOG_DEBUG : FORE_LOG_INFO;
}

static const char *
find_field (const GLogField *fields, gsize n_fields, const char *key)
{
  for (gsize i = 0; i < n_fields; i++)
    {
      if (strcmp (fields[i].key, key) == 0 && fields[i].length < 0)
        return fields[i].value;
    }

  return NULL;
}

static GLogWriterOutput
write_log (GLogLevelFlags flags, const GLogField *fields, gsize n_fields, gpointer user_data)
{
  const char *text = find_field (fields, n_fields, "MESSAGE");
  Context context = { .source = find_field (fields, n_fields, "GLIB_DOMAIN") };

  if (text != NULL)
    write_line (level_from_flags (flags), &context, text);

  return g_log_writer_default (flags, fields, n_fields, user_data);
}

/**
 * fore_log_install:
 * @home: the folder of everything
 * @program: name of this program
 *
 * Starts to keep what this process logs, by fore_log() and by g_log(), under @home. Once a process.
 */
void
fore_log_install (const char *home, const char *program)
{
  g_autofree char *dir = NULL;

  g_return_if_fail (home != NULL);
  g_return_if_fail (program != NULL);
  g_return_if_fail (!state.installed);

  dir = fore_dirs_dup_log_dir (home);
  if (g_mkdir_with_parents (dir, 0700) != 0)
    g_printerr ("%s: no log is kept in %s: %s\n", program, dir, g_strerror (errno));

  g_mutex_lock (&state.lock);
  state.dir = g_steal_pointer (&dir);
  state.program = g_strdup (program);
  state.installed = TRUE;
  g_mutex_unlock (&state.lock);
  g_log_set_writer_func (write_log, NULL, NULL);
}

/**
 * fore_log_set_level:
 * @level: the least important level that is kept
 */
void
fore_log_set_level (ForeLogLevel level)
{
  g_return_if_fail (level <= FORE_LOG_DEBUG);

  g_mutex_lock (&state.lock);
  state.level = level;
  g_mutex_unlock (&state.lock);
}

/**
 * fore_log_set_context:
 * @run: (nullable): id of the run that this process is about
 */
void
fore_log_set_context (const char *run)
{
  g_mutex_lock (&state.lock);
  g_free (state.run);
  state.run = g_strdup (run);
  g_mutex_unlock (&state.lock);
}

/**
 * fore_log:
 * @level: how important it is
 * @run: (nullable): id of a run, %NULL for the one of fore_log_set_context()
 * @task: (nullable): key of a task
 * @attempt: number of an attempt, 0 for none
 * @format: what happened, as for printf()
 * @...: what goes into @format
 *
 * Logs a line. Without fore_log_install() it goes nowhere. Any thread.
 */
void
fore_log (
    ForeLogLevel level, const char *run, const char *task, guint attempt, const char *format, ...)
{
  Context context = { run, task, attempt, NULL };
  g_autofree char *text = NULL;
  va_list arguments;

  g_return_if_fail (level <= FORE_LOG_DEBUG);
  g_return_if_fail (format != NULL);

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  write_line (level, &context, text);
}

/**
 * fore_log_dup_path:
 *
 * Returns: (transfer full) (nullable): the file that this process logs to, %NULL before the first
 *   line
 */
char *
fore_log_dup_path (void)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&state.lock);

  return g_strdup (state.path);
}

/**
 * fore_log_dup_recent:
 *
 * Returns: (transfer full): the last lines of this process, of every level
 */
char *
fore_log_dup_recent (void)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&state.lock);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < RING_LINES; i++)
    g_string_append (text, ring[(ring_next + i) % RING_LINES]);

  return g_string_free (text, FALSE);
}

void
fore_log_write_recent (int fd)
{
  for (guint i = 0; i < RING_LINES; i++)
    {
      const char *line = ring[(ring_next + i) % RING_LINES];
      gsize length = 0;

      while (length < RING_LINE_SIZE && line[length] != '\0')
        length++;
      if (length > 0 && write (fd, line, length) < 0)
        return;
    }
}
