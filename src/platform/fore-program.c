/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-program.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "model/fore-error.h"
#include "platform/fore-process-private.h"

/* Everything goes through files: a program that leaves something running in the background would
 * keep a pipe open, and a large input would block against a large output.
 */
typedef struct
{
  int in;
  int out;
  int err;
} Files;

static void
files_close (Files *files)
{
  if (files->in >= 0)
    close (files->in);
  if (files->out >= 0)
    close (files->out);
  if (files->err >= 0)
    close (files->err);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Files, files_close)

/* A file without a name, where the system has such. */
static int
open_file (GError **error)
{
  g_autofree char *name = NULL;
  int fd = g_file_open_tmp ("foredeck-XXXXXX", &name, error);

  if (fd >= 0)
    g_unlink (name);

  return fd;
}

static gboolean
write_input (int fd, GBytes *input, GError **error)
{
  gsize left = 0;
  const char *data = input != NULL ? g_bytes_get_data (input, &left) : NULL;

  while (left > 0)
    {
      gssize n = write (fd, data, MIN (left, 1 << 20));

      if (n < 0)
        {
          g_set_error_literal (error, FORE_ERROR, FORE_ERROR_NO_SPACE,
                               _ ("The folder for temporary files is full; make room there"));
          return FALSE;
        }
      data += n;
      left -= (gsize) n;
    }

  return lseek (fd, 0, SEEK_SET) == 0;
}

static GBytes *
read_output (int fd)
{
  gint64 length = lseek (fd, 0, SEEK_END);
  char *data = g_malloc (MAX (length, 1));
  gsize done = 0;

  lseek (fd, 0, SEEK_SET);
  while (length > 0 && done < (gsize) length)
    {
      gssize n = read (fd, data + done, MIN ((gsize) length - done, 1 << 20));

      if (n <= 0)
        break;
      done += (gsize) n;
    }

  return g_bytes_new_take (data, done);
}

typedef struct
{
  GMainLoop *loop;
  GPid pid;
  int status;
  gboolean timed_out;
} Waiting;

static void
ended (GPid pid, int status, gpointer user_data)
{
  Waiting *waiting = user_data;

  waiting->status = status;
  g_main_loop_quit (waiting->loop);
}

static gboolean
time_is_up (gpointer user_data)
{
  Waiting *waiting = user_data;

  waiting->timed_out = TRUE;
  fore_process_system_kill_group (waiting->pid);

  return G_SOURCE_REMOVE;
}

/* In a context of its own, so that any thread may. */
static void
wait_for (Waiting *waiting, guint timeout_ms)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GSource) child = g_child_watch_source_new (waiting->pid);
  g_autoptr (GSource) timeout = g_timeout_source_new (timeout_ms);

  waiting->loop = g_main_loop_new (context, FALSE);
  g_source_set_callback (child, G_SOURCE_FUNC (ended), waiting, NULL);
  g_source_set_callback (timeout, time_is_up, waiting, NULL);
  g_source_attach (child, context);
  g_source_attach (timeout, context);
  g_main_loop_run (waiting->loop);
  g_source_destroy (timeout);
  g_clear_pointer (&waiting->loop, g_main_loop_unref);
  g_spawn_close_pid (waiting->pid);
}

static gboolean
start (ForeProgram *self, const Files *files, Waiting *waiting, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  if (g_spawn_async_with_pipes_and_fds (
          self->dir, self->argv, self->envp, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD,
          fore_process_system_get_setup (), NULL, files->in, files->out, files->err, NULL, NULL, 0,
          &waiting->pid, NULL, NULL, NULL, &local_error))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT, _ ("“%s” could not be started: %s"),
               self->argv[0], local_error->message);
  return FALSE;
}

static void
take_result (ForeProgram *self, const Files *files, const Waiting *waiting)
{
  g_autoptr (GBytes) errors = read_output (files->err);
  g_autoptr (GError) failure = NULL;
  gsize length;
  const char *data = g_bytes_get_data (errors, &length);

  self->output = read_output (files->out);
  self->errors = g_strchomp (g_utf8_make_valid (data, (gssize) length));
  if (g_spawn_check_wait_status (waiting->status, &failure))
    self->exit_code = 0;
  else
    self->exit_code = failure->domain == G_SPAWN_EXIT_ERROR ? failure->code : -1;
}

/**
 * fore_program_run:
 * @self: what to run
 * @error: return location for an error; %FORE_ERROR_BUSY when the time was up
 *
 * Starts a program and waits for its end. It has no terminal and a session of its own; what it
 * leaves running in the background is not waited for. Blocking; any thread.
 *
 * Returns: whether it ran to an end of its own, whatever its exit code
 */
gboolean
fore_program_run (ForeProgram *self, GError **error)
{
  g_auto (Files) files = { -1, -1, -1 };
  Waiting waiting = { 0 };

  g_return_val_if_fail (self != NULL && self->argv != NULL && self->argv[0] != NULL, FALSE);

  self->exit_code = -1;
  files.in = open_file (error);
  files.out = files.in >= 0 ? open_file (error) : -1;
  files.err = files.out >= 0 ? open_file (error) : -1;
  if (files.err < 0 || !write_input (files.in, self->input, error)
      || !start (self, &files, &waiting, error))
    return FALSE;

  wait_for (&waiting, self->timeout_ms);
  take_result (self, &files, &waiting);
  if (!waiting.timed_out)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_BUSY, _ ("“%s” took longer than %u s and was stopped"),
               self->argv[0], self->timeout_ms / 1000);
  return FALSE;
}

/**
 * fore_program_clear:
 * @self: a call
 *
 * Frees what came of it.
 */
void
fore_program_clear (ForeProgram *self)
{
  g_clear_pointer (&self->output, g_bytes_unref);
  g_clear_pointer (&self->errors, g_free);
}
