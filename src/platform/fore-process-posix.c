/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-process.h"

#include "platform/fore-process-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "model/fore-error.h"

#define MAX_RESERVED 4096

/* Between fork and exec: a session of its own, and signals as a program expects them. */
static void
detach_child (gpointer user_data)
{
  sigset_t none;

  setsid ();
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  signal (SIGPIPE, SIG_DFL);
}

GSpawnChildSetupFunc
fore_process_system_get_setup (void)
{
  return detach_child;
}

void
fore_process_system_kill_group (GPid pid)
{
  /* The session may not be made yet; then there is nothing else in it either. */
  if (kill (-pid, SIGKILL) != 0)
    kill (pid, SIGKILL);
}

static int
open_log (const char *path, GError **error)
{
  int fd = g_open (path == NULL ? "/dev/null" : path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
                   0600);

  if (fd < 0)
    g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                 _ ("The log %s cannot be written (%s); check the folder and its permissions"),
                 path, g_strerror (errno));
  return fd;
}

/**
 * fore_process_spawn_detached:
 * @argv: the program, an absolute path, and its arguments
 * @envp: (nullable): its environment, %NULL for ours
 * @log_path: (nullable): where its stdout and stderr are appended to, %NULL for nowhere
 * @pid: (out) (optional): where to put its number
 * @error: return location for an error
 *
 * Starts a program that has nothing of ours: no terminal, no session, no descriptors; it outlives
 * us. Where a user manager runs, it should call fore_process_join_scope_async() first of all.
 * Some ms; any thread.
 *
 * Returns: whether it was started
 */
gboolean
fore_process_spawn_detached (const char *const *argv,
                             const char *const *envp,
                             const char *log_path,
                             int *pid,
                             GError **error)
{
  g_autoptr (GError) local_error = NULL;
  GPid child = 0;
  gboolean done;
  int log;

  g_return_val_if_fail (argv != NULL && argv[0] != NULL, FALSE);

  log = open_log (log_path, error);
  if (log < 0)
    return FALSE;

  done = g_spawn_async_with_pipes_and_fds ("/", argv, envp, G_SPAWN_DEFAULT, detach_child, NULL, -1,
                                           log, log, NULL, NULL, 0, &child, NULL, NULL, NULL,
                                           &local_error);
  close (log);
  if (!done)
    g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                 _ ("%s could not be started (%s); is Foredeck installed completely?"), argv[0],
                 local_error->message);
  else if (pid != NULL)
    *pid = child;

  return done;
}

/**
 * fore_process_reserve_descriptors:
 *
 * Makes room for as many open files as this process will have, up to some thousand. To be called
 * before there are threads: Linux lets a thread that opens one file more than there is room for
 * wait until all processors have noticed, which takes 10 ms and more on a busy machine.
 */
void
fore_process_reserve_descriptors (void)
{
  struct rlimit limit;
  int highest;

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0)
    return;

  highest = fcntl (STDERR_FILENO, F_DUPFD_CLOEXEC, (int) MIN (limit.rlim_cur, MAX_RESERVED) - 1);
  if (highest >= 0)
    close (highest);
}

/**
 * fore_process_begin_again:
 * @argv: the program, an absolute path, and its arguments
 * @error: return location for an error
 *
 * Puts a fresh process in the place of this one, with its number and environment. All other threads
 * end at once, and files are closed that are closed on exec. Returns only if it fails.
 */
void
fore_process_begin_again (const char *const *argv, GError **error)
{
  g_return_if_fail (argv != NULL && argv[0] != NULL);

  execv (argv[0], (char *const *) argv);
  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT, _ ("“%s” cannot be started: %s"), argv[0],
               g_strerror (errno));
}
