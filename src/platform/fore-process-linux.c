/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-process.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "model/fore-error.h"
#include "platform/fore-process-private.h"

#define MAX_ENVIRON (256 * 1024)
/* How long a process that shows no environment now is looked at again; usually it is a moment. One
 * whose environment is empty looks for an instant like one that is just given it.
 */
#define HIDDEN_ROUNDS 500
#define EMPTY_ROUNDS 20
#define HIDDEN_PAUSE_US 1000
/* PF_KTHREAD, which include/linux/sched.h keeps to itself. */
#define KERNEL_THREAD 0x00200000

typedef struct
{
  char state;
  int parent;
  guint flags;
  guint64 start;
  guint64 environ_start; /* 0 while there is none to be seen */
  guint64 environ_end;
} Stat;

/* As much of a file of /proc as fits, with a NUL behind it; -1 on failure. */
static gssize
read_proc (int pid, const char *name, char *buffer, gsize size)
{
  char path[48];
  gsize length = 0;
  gssize step = 0;
  int fd;

  g_snprintf (path, sizeof path, "/proc/%d/%s", pid, name);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return -1;

  while (length < size - 1 && (step = read (fd, buffer + length, size - 1 - length)) > 0)
    length += (gsize) step;

  close (fd);
  buffer[length] = '\0';
  return step < 0 ? -1 : (gssize) length;
}

static gboolean
read_stat (int pid, Stat *stat)
{
  char text[1024];
  char *rest;

  if (read_proc (pid, "stat", text, sizeof text) <= 0)
    return FALSE;

  /* The name before it may hold anything, also brackets. proc(5) numbers the fields. */
  rest = strrchr (text, ')');
  return rest != NULL
         && sscanf (rest + 1,
                    " %c %d %*s %*s %*s %*s %u %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                    "%" G_GUINT64_FORMAT " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                    "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %" G_GUINT64_FORMAT
                    " %" G_GUINT64_FORMAT,
                    &stat->state, &stat->parent, &stat->flags, &stat->start, &stat->environ_start,
                    &stat->environ_end)
                == 6;
}

int
fore_process_system_get_pid (void)
{
  return getpid ();
}

int
fore_process_system_get_parent (int pid)
{
  Stat stat;

  return read_stat (pid, &stat) ? stat.parent : 0;
}

char *
fore_process_system_dup_self (void)
{
  return g_file_read_link ("/proc/self/exe", NULL);
}

/**
 * fore_process_get_boot_id:
 *
 * Returns: (transfer none): the id of this boot, "" if the system has none
 */
const char *
fore_process_get_boot_id (void)
{
  static char boot[40];
  static gsize once;

  if (g_once_init_enter (&once))
    {
      g_autofree char *text = NULL;

      if (g_file_get_contents ("/proc/sys/kernel/random/boot_id", &text, NULL, NULL))
        g_strlcpy (boot, g_strstrip (text), sizeof boot);
      g_once_init_leave (&once, 1);
    }

  return boot;
}

/**
 * fore_process_id_for_pid:
 * @pid: a number
 * @id: (out): where to put its identity
 *
 * Returns: whether a process with that number runs
 */
gboolean
fore_process_id_for_pid (int pid, ForeProcessId *id)
{
  Stat stat;

  g_return_val_if_fail (id != NULL, FALSE);

  if (pid <= 0 || !read_stat (pid, &stat) || stat.state == 'Z' || stat.state == 'X')
    return FALSE;

  memset (id, 0, sizeof *id);
  id->pid = pid;
  id->start = stat.start;
  g_strlcpy (id->boot, fore_process_get_boot_id (), sizeof id->boot);
  return TRUE;
}

/**
 * fore_process_is_stopped:
 * @id: a process that is alive
 *
 * Returns: whether a signal or a debugger holds it up
 */
gboolean
fore_process_is_stopped (const ForeProcessId *id)
{
  Stat stat;

  g_return_val_if_fail (id != NULL, FALSE);

  return read_stat (id->pid, &stat) && (stat.state == 'T' || stat.state == 't');
}

/* A descriptor that stands for that very process: the number may be used again, what the descriptor
 * means does not change, and the second look tells whether it meant the right one.
 */
static int
open_process (const ForeProcessId *id)
{
  int fd;

  if (id->pid <= 0)
    return -1;

  fd = (int) syscall (SYS_pidfd_open, id->pid, 0);
  if (fd >= 0 && !fore_process_is_alive (id))
    {
      close (fd);
      fd = -1;
    }

  return fd;
}

/**
 * fore_process_signal:
 * @id: an identity
 * @sig: a signal
 * @error: return location for an error
 *
 * Signals that process and no other that got its number.
 *
 * Returns: whether it was sent; %FORE_ERROR_NOT_FOUND if the process is gone
 */
gboolean
fore_process_signal (const ForeProcessId *id, int sig, GError **error)
{
  gboolean sent = FALSE;
  int code = ESRCH;
  int fd;

  g_return_val_if_fail (id != NULL, FALSE);

  fd = open_process (id);
  if (fd >= 0)
    {
      sent = syscall (SYS_pidfd_send_signal, fd, sig, NULL, 0) == 0;
      code = errno;
      close (fd);
    }

  if (!sent)
    g_set_error (error, FORE_ERROR, code == ESRCH ? FORE_ERROR_NOT_FOUND : FORE_ERROR_REFUSED,
                 _ ("Process %d could not be signalled: %s"), id->pid, g_strerror (code));
  return sent;
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
  GSource *source;
  int fd;

  g_return_val_if_fail (id != NULL, NULL);

  fd = open_process (id);
  if (fd < 0)
    return NULL;

  source = g_source_new (&process_source_funcs, sizeof (ProcessSource));
  ((ProcessSource *) source)->fd = fd;
  g_source_add_unix_fd (source, fd, G_IO_IN);
  g_source_set_name (source, "process end");
  return source;
}

static gboolean
has_variable (const char *environment, gsize length, const char *name, const char *value)
{
  gsize name_length = strlen (name);

  for (const char *entry = environment; entry < environment + length; entry += strlen (entry) + 1)
    {
      if (strncmp (entry, name, name_length) == 0 && entry[name_length] == '='
          && (value == NULL || strcmp (entry + name_length + 1, value) == 0))
        return TRUE;
    }

  return FALSE;
}

static gboolean
belongs_to_us (int pid)
{
  char path[32];
  GStatBuf info;

  g_snprintf (path, sizeof path, "/proc/%d", pid);
  return g_stat (path, &info) == 0 && info.st_uid == geteuid ();
}

/* A process that is starting a program, or is ending and has not let go of its files, has no memory
 * of its own for a moment, and so no environment that could tell whose it is. Returns for how many
 * looks that can be so.
 */
static guint
get_hidden_rounds (int pid)
{
  Stat stat;

  if (!read_stat (pid, &stat) || stat.state == 'Z' || stat.state == 'X'
      || (stat.flags & KERNEL_THREAD) != 0)
    return 0;
  if (stat.environ_start == 0)
    return belongs_to_us (pid) ? HIDDEN_ROUNDS : 0;

  return stat.environ_start == stat.environ_end ? EMPTY_ROUNDS : HIDDEN_ROUNDS;
}

static gssize
read_environment (int pid, char *buffer)
{
  gssize length = read_proc (pid, "environ", buffer, MAX_ENVIRON);

  for (guint i = 0; length == 0 && i < get_hidden_rounds (pid); i++)
    {
      g_usleep (HIDDEN_PAUSE_US);
      length = read_proc (pid, "environ", buffer, MAX_ENVIRON);
    }

  return length;
}

static gboolean
is_marked (int pid, const char *run, const char *task, const char *attempt, char *buffer)
{
  gssize length = read_environment (pid, buffer);

  return length > 0 && has_variable (buffer, (gsize) length, FORE_MARKER_RUN, run)
         && (task == NULL || has_variable (buffer, (gsize) length, FORE_MARKER_TASK, task))
         && (attempt == NULL
             || has_variable (buffer, (gsize) length, FORE_MARKER_ATTEMPT, attempt));
}

/**
 * fore_process_find_marked:
 * @run: (nullable): id of a run, %NULL for any
 * @task: (nullable): key of a task, %NULL for any
 * @attempt: number of an attempt, 0 for any
 *
 * Looks at all processes that may be looked at: some ms, for a thread. Guards carry the markers of
 * their agents. The calling process is left out.
 *
 * Returns: (transfer full) (element-type ForeProcessId): those whose environment has these markers
 */
GArray *
fore_process_find_marked (const char *run, const char *task, guint attempt)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (ForeProcessId));
  g_autofree char *number = attempt == 0 ? NULL : g_strdup_printf ("%u", attempt);
  g_autofree char *buffer = g_malloc (MAX_ENVIRON);
  g_autoptr (GDir) dir = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      int pid = g_ascii_isdigit (name[0]) ? atoi (name) : 0;
      ForeProcessId id;

      if (pid > 0 && pid != getpid () && is_marked (pid, run, task, number, buffer)
          && fore_process_id_for_pid (pid, &id))
        g_array_append_val (found, id);
    }

  return found;
}

/**
 * fore_process_dup_name:
 * @pid: a number
 *
 * Returns: (transfer full) (nullable): the name of its program, %NULL if it cannot be seen
 */
char *
fore_process_dup_name (int pid)
{
  char path[32], comm[64];
  g_autofree char *target = NULL;

  g_snprintf (path, sizeof path, "/proc/%d/exe", pid);
  target = g_file_read_link (path, NULL);
  if (target != NULL && !g_str_has_suffix (target, " (deleted)"))
    return g_path_get_basename (target);

  return read_proc (pid, "comm", comm, sizeof comm) > 0 ? g_strdup (g_strchomp (comm)) : NULL;
}
