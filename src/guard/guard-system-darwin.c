/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "guard/guard.h"

#include <fcntl.h>
#include <libproc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define ZOMBIE 5

int64_t
guard_system_boot_us (void)
{
  /* This clock goes on while the machine sleeps, unlike its _UPTIME_ ones. */
  return (int64_t) (clock_gettime_nsec_np (CLOCK_MONOTONIC_RAW) / 1000);
}

int64_t
guard_system_wall_us (void)
{
  struct timeval now;

  gettimeofday (&now, NULL);
  return (int64_t) now.tv_sec * 1000000 + now.tv_usec;
}

/* Nothing of the kind here: what loses its parent is found by its session and its environment. */
bool
guard_system_adopt_orphans (void)
{
  return false;
}

void
guard_system_die_with_guard (pid_t guard)
{
  if (getppid () != guard)
    _exit (127);
}

void
guard_system_close_from (int first)
{
  int last = getdtablesize ();

  for (int fd = first; fd < last; fd++)
    close (fd);
}

bool
guard_system_pipe (int fds[2])
{
  if (pipe (fds) != 0)
    return false;

  fcntl (fds[0], F_SETFD, FD_CLOEXEC);
  fcntl (fds[1], F_SETFD, FD_CLOEXEC);
  return true;
}

static bool
read_info (pid_t pid, struct proc_bsdinfo *info)
{
  return proc_pidinfo (pid, PROC_PIDTBSDINFO, 0, info, sizeof *info) == (int) sizeof *info;
}

static uint64_t
get_start (const struct proc_bsdinfo *info)
{
  return info->pbi_start_tvsec * 1000000u + info->pbi_start_tvusec;
}

uint64_t
guard_system_get_start (pid_t pid)
{
  struct proc_bsdinfo info;

  return read_info (pid, &info) ? get_start (&info) : 0;
}

void
guard_system_get_boot_id (uint8_t id[16])
{
  char text[64] = "";
  size_t size = sizeof text - 1;
  unsigned value;
  int n = 0;

  if (sysctlbyname ("kern.bootsessionuuid", text, &size, NULL, 0) != 0)
    return;

  for (const char *c = text; *c != '\0' && n < 16; c += 2)
    {
      if (*c == '-')
        c++;
      if (sscanf (c, "%2x", &value) != 1)
        return;
      id[n++] = (uint8_t) value;
    }
}

static int
list_processes (struct proc_bsdinfo **infos)
{
  int allocated = proc_listallpids (NULL, 0) + 64;
  pid_t *pids = calloc ((size_t) allocated, sizeof *pids);
  int n_pids = pids == NULL ? 0 : proc_listallpids (pids, allocated * (int) sizeof *pids);
  int n = 0;

  *infos = calloc ((size_t) allocated, sizeof **infos);
  for (int i = 0; *infos != NULL && i < n_pids; i++)
    {
      if (read_info (pids[i], &(*infos)[n]) && (*infos)[n].pbi_status != ZOMBIE)
        n++;
    }

  free (pids);
  return n;
}

static bool
descends (const struct proc_bsdinfo *infos, int n, const struct proc_bsdinfo *info)
{
  uint32_t parent = info->pbi_ppid;

  for (int depth = 0; depth < 64 && parent > 1; depth++)
    {
      int i = 0;

      if (parent == (uint32_t) getpid ())
        return true;
      while (i < n && infos[i].pbi_pid != parent)
        i++;
      if (i == n)
        return false;
      parent = infos[i].pbi_ppid;
    }

  return false;
}

static bool
signal_process (const struct proc_bsdinfo *info, int sig)
{
  return guard_system_get_start ((pid_t) info->pbi_pid) == get_start (info)
         && kill ((pid_t) info->pbi_pid, sig) == 0;
}

int
guard_system_signal_tree (int sig)
{
  struct proc_bsdinfo *infos;
  int n = list_processes (&infos);
  int count = 0;

  for (int i = 0; i < n; i++)
    {
      if (descends (infos, n, &infos[i]) && signal_process (&infos[i], sig))
        count++;
    }

  free (infos);
  return count;
}

/* There is no sandbox here. */
int
guard_system_signal_inside (pid_t outer, bool only_group, int sig)
{
  return 0;
}

static bool
holds (const char *bytes, size_t length, const char *text)
{
  return memmem (bytes, length, text, strlen (text) + 1) != NULL;
}

static bool
is_marked (const GuardOptions *options, pid_t pid, char *buffer, size_t size)
{
  int mib[] = { CTL_KERN, KERN_PROCARGS2, pid };
  char run[256], task[128], attempt[64];

  snprintf (run, sizeof run, "FOREDECK_RUN=%s", options->run);
  snprintf (task, sizeof task, "FOREDECK_TASK=%s", options->task);
  snprintf (attempt, sizeof attempt, "FOREDECK_ATTEMPT=%u", options->attempt);
  return sysctl (mib, 3, buffer, &size, NULL, 0) == 0 && holds (buffer, size, run)
         && holds (buffer, size, task) && holds (buffer, size, attempt);
}

int
guard_system_signal_marked (const GuardOptions *options, int sig)
{
  size_t size = 1024 * 1024;
  char *buffer = malloc (size);
  struct proc_bsdinfo *infos;
  int n = list_processes (&infos);
  int count = 0;

  for (int i = 0; buffer != NULL && i < n; i++)
    {
      if ((pid_t) infos[i].pbi_pid != getpid ()
          && is_marked (options, (pid_t) infos[i].pbi_pid, buffer, size)
          && signal_process (&infos[i], sig))
        count++;
    }

  free (infos);
  free (buffer);
  return count;
}
