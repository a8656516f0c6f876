/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-process.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <libproc.h>
#include <mach-o/dyld.h>
#include <signal.h>
#include <string.h>
#include <sys/event.h>
#include <sys/sysctl.h>
#include <unistd.h>

#include "model/fore-error.h"
#include "platform/fore-process-private.h"

#define ZOMBIE 5  /* SZOMB of sys/proc.h */
#define STOPPED 4 /* SSTOP */

static gboolean
read_info (int pid, struct proc_bsdinfo *info)
{
  return proc_pidinfo (pid, PROC_PIDTBSDINFO, 0, info, sizeof *info) == (int) sizeof *info;
}

int
fore_process_system_get_pid (void)
{
  return getpid ();
}

int
fore_process_system_get_parent (int pid)
{
  struct proc_bsdinfo info;

  return read_info (pid, &info) ? (int) info.pbi_ppid : 0;
}

char *
fore_process_system_dup_self (void)
{
  char path[PROC_PIDPATHINFO_MAXSIZE];
  uint32_t size = sizeof path;

  return _NSGetExecutablePath (path, &size) == 0 ? g_canonicalize_filename (path, NULL) : NULL;
}

const char *
fore_process_get_boot_id (void)
{
  static char boot[40];
  static gsize once;

  if (g_once_init_enter (&once))
    {
      size_t size = sizeof boot - 1;

      if (sysctlbyname ("kern.bootsessionuuid", boot, &size, NULL, 0) != 0)
        boot[0] = '\0';
      g_once_init_leave (&once, 1);
    }

  return boot;
}

gboolean
fore_process_id_for_pid (int pid, ForeProcessId *id)
{
  struct proc_bsdinfo info;

  g_return_val_if_fail (id != NULL, FALSE);

  if (pid <= 0 || !read_info (pid, &info) || info.pbi_status == ZOMBIE)
    return FALSE;

  memset (id, 0, sizeof *id);
  id->pid = pid;
  id->start = info.pbi_start_tvsec * G_USEC_PER_SEC + info.pbi_start_tvusec;
  g_strlcpy (id->boot, fore_process_get_boot_id (), sizeof id->boot);
  return TRUE;
}

gboolean
fore_process_is_stopped (const ForeProcessId *id)
{
  struct proc_bsdinfo info;

  g_return_val_if_fail (id != NULL, FALSE);

  return read_info (id->pid, &info) && info.pbi_status == STOPPED;
}

/* There is nothing here that pins a process: the time between the look and the signal is as short
 * as it can be.
 */
gboolean
fore_process_signal (const ForeProcessId *id, int sig, GError **error)
{
  int code = ESRCH;

  g_return_val_if_fail (id != NULL, FALSE);

  if (fore_process_is_alive (id))
    {
      if (kill (id->pid, sig) == 0)
        return TRUE;
      code = errno;
    }

  g_set_error (error, FORE_ERROR, code == ESRCH ? FORE_ERROR_NOT_FOUND : FORE_ERROR_REFUSED,
               _ ("Process %d could not be signalled: %s"), id->pid, g_strerror (code));
  return FALSE;
}

typedef struct
{
  GSource source;
  int fd;
} ProcessSource;

static gboolean
dispatch_process (GSource *source, GSourceFunc callback, gpointer user_data)
{
  if (callback != NULL)
    callback (user_data);

  return G_SOURCE_REMOVE;
}

static void
finalize_process (GSource *source)
{
  close (((ProcessSource *) source)->fd);
}

static GSourceFuncs process_source_funcs = {
  .dispatch = dispatch_process,
  .finalize = finalize_process,
};

GSource *
fore_process_watch_source_new (const ForeProcessId *id)
{
  struct kevent event;
  GSource *source;
  int fd;

  g_return_val_if_fail (id != NULL, NULL);

  fd = kqueue ();
  if (fd < 0)
    return NULL;

  EV_SET (&event, id->pid, EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, NULL);
  if (kevent (fd, &event, 1, NULL, 0, NULL) != 0 || !fore_process_is_alive (id))
    {
      close (fd);
      return NULL;
    }

  source = g_source_new (&process_source_funcs, sizeof (ProcessSource));
  ((ProcessSource *) source)->fd = fd;
  g_source_add_unix_fd (source, fd, G_IO_IN);
  g_source_set_name (source, "process end");
  return source;
}

/* KERN_PROCARGS2: the number of arguments, the path, NULs, the arguments, the environment. */
static const char *
find_environment (const char *bytes, size_t length, int n_arguments)
{
  const char *at = bytes + sizeof (int);
  const char *end = bytes + length;

  at += strnlen (at, (size_t) (end - at));
  while (at < end && *at == '\0')
    at++;
  for (int i = 0; i < n_arguments && at < end; i++)
    at += strnlen (at, (size_t) (end - at)) + 1;

  return at < end ? at : NULL;
}

static gboolean
has_variable (const char *at, const char *end, const char *name, const char *value)
{
  size_t name_length = strlen (name);

  for (; at < end && *at != '\0'; at += strnlen (at, (size_t) (end - at)) + 1)
    {
      if (strncmp (at, name, name_length) == 0 && at[name_length] == '='
          && (value == NULL || strcmp (at + name_length + 1, value) == 0))
        return TRUE;
    }

  return FALSE;
}

static gboolean
is_marked (
    int pid, const char *run, const char *task, const char *attempt, char *buffer, size_t size)
{
  int mib[] = { CTL_KERN, KERN_PROCARGS2, pid };
  const char *environment;
  int n_arguments;

  if (sysctl (mib, 3, buffer, &size, NULL, 0) != 0 || size < sizeof n_arguments)
    return FALSE;

  buffer[size - 1] = '\0';
  memcpy (&n_arguments, buffer, sizeof n_arguments);
  environment = find_environment (buffer, size, n_arguments);
  return environment != NULL && has_variable (environment, buffer + size, FORE_MARKER_RUN, run)
         && (task == NULL || has_variable (environment, buffer + size, FORE_MARKER_TASK, task))
         && (attempt == NULL
             || has_variable (environment, buffer + size, FORE_MARKER_ATTEMPT, attempt));
}

GArray *
fore_process_find_marked (const char *run, const char *task, guint attempt)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (ForeProcessId));
  g_autofree char *number = attempt == 0 ? NULL : g_strdup_printf ("%u", attempt);
  size_t size = 1024 * 1024;
  g_autofree char *buffer = g_malloc (size);
  int allocated = proc_listallpids (NULL, 0) + 64;
  g_autofree int *pids = g_new0 (int, (gsize) allocated);
  int n_pids = proc_listallpids (pids, allocated * (int) sizeof (int));

  for (int i = 0; i < n_pids; i++)
    {
      ForeProcessId id;

      if (pids[i] != getpid () && is_marked (pids[i], run, task, number, buffer, size)
          && fore_process_id_for_pid (pids[i], &id))
        g_array_append_val (found, id);
    }

  return found;
}

char *
fore_process_dup_name (int pid)
{
  char path[PROC_PIDPATHINFO_MAXSIZE];

  return proc_pidpath (pid, path, sizeof path) > 0 ? g_path_get_basename (path) : NULL;
}
