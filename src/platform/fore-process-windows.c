/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-process.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <windows.h>

#include <tlhelp32.h>

#include "model/fore-error.h"
#include "platform/fore-process-private.h"
#include "platform/fore-signals.h"

#define STILL_RUNS 259 /* STILL_ACTIVE */

int
fore_process_system_get_pid (void)
{
  return (int) GetCurrentProcessId ();
}

GSpawnChildSetupFunc
fore_process_system_get_setup (void)
{
  return NULL;
}

void
fore_process_system_kill_group (GPid pid)
{
  TerminateProcess (pid, 1);
}

static gboolean
find_entry (int pid, PROCESSENTRY32W *entry)
{
  HANDLE snapshot = CreateToolhelp32Snapshot (TH32CS_SNAPPROCESS, 0);
  gboolean found = FALSE;

  entry->dwSize = sizeof *entry;
  for (BOOL more = Process32FirstW (snapshot, entry); more && !found;)
    {
      found = (int) entry->th32ProcessID == pid;
      if (!found)
        more = Process32NextW (snapshot, entry);
    }

  CloseHandle (snapshot);
  return found;
}

int
fore_process_system_get_parent (int pid)
{
  PROCESSENTRY32W entry;

  return find_entry (pid, &entry) ? (int) entry.th32ParentProcessID : 0;
}

char *
fore_process_system_dup_self (void)
{
  wchar_t path[MAX_PATH];
  DWORD length = GetModuleFileNameW (NULL, path, MAX_PATH);

  return length > 0 ? g_utf16_to_utf8 ((gunichar2 *) path, (glong) length, NULL, NULL, NULL) : NULL;
}

/* The time of the boot stands for its id: there is no other that survives until the next one. */
const char *
fore_process_get_boot_id (void)
{
  static char boot[40];
  static gsize once;

  if (g_once_init_enter (&once))
    {
      gint64 minute = (g_get_real_time () / 1000 - (gint64) GetTickCount64 ()) / 60000;

      g_snprintf (boot, sizeof boot, "boot-%" G_GINT64_FORMAT, minute);
      g_once_init_leave (&once, 1);
    }

  return boot;
}

static gboolean
read_start (HANDLE process, guint64 *start)
{
  FILETIME created, ended, kernel, user;
  DWORD status;

  if (!GetExitCodeProcess (process, &status) || status != STILL_RUNS
      || !GetProcessTimes (process, &created, &ended, &kernel, &user))
    return FALSE;

  *start = (guint64) created.dwHighDateTime << 32 | created.dwLowDateTime;
  return TRUE;
}

gboolean
fore_process_id_for_pid (int pid, ForeProcessId *id)
{
  HANDLE process;
  guint64 start;
  gboolean found;

  g_return_val_if_fail (id != NULL, FALSE);

  process = pid <= 0 ? NULL : OpenProcess (PROCESS_QUERY_LIMITED_INFORMATION, FALSE, (DWORD) pid);
  if (process == NULL)
    return FALSE;

  found = read_start (process, &start);
  CloseHandle (process);
  if (!found)
    return FALSE;

  memset (id, 0, sizeof *id);
  id->pid = pid;
  id->start = start;
  g_strlcpy (id->boot, fore_process_get_boot_id (), sizeof id->boot);
  return TRUE;
}

/* There are no stopped processes here. */
gboolean
fore_process_is_stopped (const ForeProcessId *id)
{
  return FALSE;
}

/* An open handle keeps the number from being used again, so that the look is the same process. */
static HANDLE
open_process (const ForeProcessId *id, DWORD access)
{
  HANDLE process = OpenProcess (access | PROCESS_QUERY_LIMITED_INFORMATION, FALSE, (DWORD) id->pid);
  guint64 start;

  if (process != NULL && (!read_start (process, &start) || start != id->start))
    {
      CloseHandle (process);
      process = NULL;
    }

  return process;
}

/* Every signal but that to go on ends the process: there is only this one. */
gboolean
fore_process_signal (const ForeProcessId *id, int sig, GError **error)
{
  HANDLE process;
  gboolean done = FALSE;

  g_return_val_if_fail (id != NULL, FALSE);

  if (sig == SIGCONT)
    return fore_process_is_alive (id);

  process = open_process (id, PROCESS_TERMINATE);
  if (process != NULL)
    {
      done = TerminateProcess (process, 1);
      CloseHandle (process);
    }

  if (!done)
    g_set_error (error, FORE_ERROR, process == NULL ? FORE_ERROR_NOT_FOUND : FORE_ERROR_REFUSED,
                 _ ("Process %d could not be ended"), id->pid);
  return done;
}

typedef struct
{
  GSource source;
  GPollFD poll;
} ProcessSource;

static gboolean
check_process (GSource *source)
{
  return ((ProcessSource *) source)->poll.revents != 0;
}

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
  CloseHandle ((HANDLE) ((ProcessSource *) source)->poll.fd);
}

static GSourceFuncs process_source_funcs = {
  .check = check_process,
  .dispatch = dispatch_process,
  .finalize = finalize_process,
};

GSource *
fore_process_watch_source_new (const ForeProcessId *id)
{
  GSource *source;
  HANDLE process;

  g_return_val_if_fail (id != NULL, NULL);

  process = open_process (id, SYNCHRONIZE);
  if (process == NULL)
    return NULL;

  source = g_source_new (&process_source_funcs, sizeof (ProcessSource));
  ((ProcessSource *) source)->poll.fd = (gintptr) process;
  ((ProcessSource *) source)->poll.events = G_IO_IN;
  g_source_add_poll (source, &((ProcessSource *) source)->poll);
  g_source_set_name (source, "process end");
  return source;
}

/* The environment of others cannot be read here. It is not needed either: the job object of a guard
 * takes its whole tree with it, whatever the guard dies of.
 */
GArray *
fore_process_find_marked (const char *run, const char *task, guint attempt)
{
  return g_array_new (FALSE, FALSE, sizeof (ForeProcessId));
}

char *
fore_process_dup_name (int pid)
{
  PROCESSENTRY32W entry;
  g_autofree char *name = NULL;

  if (!find_entry (pid, &entry))
    return NULL;

  name = g_utf16_to_utf8 ((gunichar2 *) entry.szExeFile, -1, NULL, NULL, NULL);
  if (name != NULL && g_str_has_suffix (name, ".exe"))
    name[strlen (name) - 4] = '\0';
  return g_steal_pointer (&name);
}

gboolean
fore_process_spawn_detached (const char *const *argv,
                             const char *const *envp,
                             const char *log_path,
                             int *pid,
                             GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_autoptr (GSubprocess) process = NULL;

  g_return_val_if_fail (argv != NULL && argv[0] != NULL, FALSE);

  /* What is started here is not ended with us anyhow. */
  launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE
                                        | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  if (envp != NULL)
    g_subprocess_launcher_set_environ (launcher, (char **) envp);
  process = g_subprocess_launcher_spawnv (launcher, argv, error);
  if (process != NULL && pid != NULL)
    *pid = (int) g_ascii_strtoll (g_subprocess_get_identifier (process), NULL, 10);

  return process != NULL;
}

/* Nothing waits for room here. */
void
fore_process_reserve_descriptors (void)
{
}

/* There is no such thing here: a fresh process is started, and this one ends. */
void
fore_process_begin_again (const char *const *argv, GError **error)
{
  g_return_if_fail (argv != NULL && argv[0] != NULL);

  if (fore_process_spawn_detached (argv, NULL, NULL, NULL, error))
    exit (0);
}
