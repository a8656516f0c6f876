/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "guard/guard.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef struct
{
  pid_t pid;
  pid_t parent;
  pid_t group;
  uint64_t start;
  char state;
  bool ours;
} Process;

typedef struct
{
  Process *items;
  size_t length;
  size_t allocated;
} ProcessList;

static int64_t
get_clock_us (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t
guard_system_boot_us (void)
{
  return get_clock_us (CLOCK_BOOTTIME);
}

int64_t
guard_system_wall_us (void)
{
  return get_clock_us (CLOCK_REALTIME);
}

bool
guard_system_adopt_orphans (void)
{
  return prctl (PR_SET_CHILD_SUBREAPER, 1) == 0;
}

/* The agent must not outlive its guard, whatever that dies of. */
void
guard_system_die_with_guard (pid_t guard)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != guard)
    _exit (127);
}

static void
close_listed (int first)
{
  DIR *dir = opendir ("/proc/self/fd");
  struct dirent *entry;

  while (dir != NULL && (entry = readdir (dir)) != NULL)
    {
      int fd = atoi (entry->d_name);

      if (fd >= first && fd != dirfd (dir))
        close (fd);
    }

  if (dir != NULL)
    closedir (dir);
}

void
guard_system_close_from (int first)
{
  if (syscall (SYS_close_range, (unsigned) first, UINT_MAX, 0) != 0)
    close_listed (first);
}

bool
guard_system_pipe (int fds[2])
{
  return pipe2 (fds, O_CLOEXEC) == 0;
}

static ssize_t
read_file (const char *path, char *buffer, size_t size)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  size_t length = 0;
  ssize_t step = 0;

  if (fd < 0)
    return -1;

  while (length < size - 1 && (step = read (fd, buffer + length, size - 1 - length)) > 0)
    length += (size_t) step;

  close (fd);
  buffer[length] = '\0';
  return step < 0 ? -1 : (ssize_t) length;
}

static bool
read_process (pid_t pid, Process *process)
{
  char path[32], text[1024];
  char *rest;
  int parent, group;
  unsigned long long start;

  snprintf (path, sizeof path, "/proc/%d/stat", (int) pid);
  if (read_file (path, text, sizeof text) <= 0)
    return false;

  /* The name may hold anything, also brackets and spaces: what counts comes after the last one. */
  rest = strrchr (text, ')');
  if (rest == NULL
      || sscanf (rest + 1,
                 " %c %d %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
                 &process->state, &parent, &group, &start)
             != 4)
    return false;

  process->pid = pid;
  process->parent = parent;
  process->group = group;
  process->start = start;
  process->ours = false;
  return true;
}

uint64_t
guard_system_get_start (pid_t pid)
{
  Process process;

  return read_process (pid, &process) ? process.start : 0;
}

static int
hex_value (char c)
{
  return isdigit ((unsigned char) c) ? c - '0' : tolower ((unsigned char) c) - 'a' + 10;
}

void
guard_system_get_boot_id (uint8_t id[16])
{
  char text[64];
  int n = 0;

  if (read_file ("/proc/sys/kernel/random/boot_id", text, sizeof text) <= 0)
    return;

  for (const char *c = text; *c != '\0' && n < 32; c++)
    {
      if (!isxdigit ((unsigned char) *c))
        continue;
      id[n / 2] = (uint8_t) (id[n / 2] << 4 | hex_value (*c));
      n++;
    }
}

static bool
add_process (ProcessList *list, const Process *process)
{
  if (list->length == list->allocated)
    {
      size_t wanted = list->allocated == 0 ? 256 : list->allocated * 2;
      Process *items = realloc (list->items, wanted * sizeof *items);

      if (items == NULL)
        return false;
      list->items = items;
      list->allocated = wanted;
    }

  list->items[list->length++] = *process;
  return true;
}

static void
read_processes (ProcessList *list)
{
  DIR *dir = opendir ("/proc");
  struct dirent *entry;
  Process process;

  while (dir != NULL && (entry = readdir (dir)) != NULL)
    {
      if (isdigit ((unsigned char) entry->d_name[0])
          && read_process (atoi (entry->d_name), &process) && !add_process (list, &process))
        break;
    }

  if (dir != NULL)
    closedir (dir);
}

static bool
parent_is_ours (const ProcessList *list, const Process *process)
{
  if (process->parent == getpid ())
    return true;

  for (size_t i = 0; i < list->length; i++)
    {
      if (list->items[i].pid == process->parent)
        return list->items[i].ours;
    }

  return false;
}

/* Numbers wrap, so a child may come before its parent: again until nothing is added. */
static void
mark_descendants (ProcessList *list)
{
  bool again = true;

  while (again)
    {
      again = false;
      for (size_t i = 0; i < list->length; i++)
        {
          Process *process = &list->items[i];

          if (!process->ours && parent_is_ours (list, process))
            process->ours = again = true;
        }
    }
}

/* Between the look and the signal the number may have gone to somebody else: the pidfd pins it, and
 * the second look tells whether it pinned the one that was meant.
 */
static bool
signal_process (const Process *process, int sig)
{
  int fd = (int) syscall (SYS_pidfd_open, process->pid, 0);
  Process now;
  bool done;

  if (fd < 0 && errno != ENOSYS && errno != EPERM)
    return false;
  if (!read_process (process->pid, &now) || now.start != process->start)
    done = false;
  else if (fd >= 0)
    done = syscall (SYS_pidfd_send_signal, fd, sig, NULL, 0) == 0;
  else
    done = kill (process->pid, sig) == 0;

  if (fd >= 0)
    close (fd);
  return done;
}

/* Returns how many were there to be signalled. */
int
guard_system_signal_tree (int sig)
{
  ProcessList list = { 0 };
  int count = 0;

  read_processes (&list);
  mark_descendants (&list);
  for (size_t i = 0; i < list.length; i++)
    {
      if (list.items[i].ours && list.items[i].state != 'Z' && signal_process (&list.items[i], sig))
        count++;
    }

  free (list.items);
  return count;
}

static bool
is_inside (const Process *process, pid_t outer, bool only_group)
{
  return process->ours && process->state != 'Z' && process->pid != outer && process->parent != outer
         && (!only_group || process->group == outer);
}

int
guard_system_signal_inside (pid_t outer, bool only_group, int sig)
{
  ProcessList list = { 0 };
  int count = 0;

  read_processes (&list);
  mark_descendants (&list);
  for (size_t i = 0; i < list.length; i++)
    {
      if (is_inside (&list.items[i], outer, only_group) && signal_process (&list.items[i], sig))
        count++;
    }

  free (list.items);
  return count;
}

static bool
has_variable (const char *environment, size_t length, const char *name, const char *value)
{
  size_t name_length = strlen (name);

  for (const char *entry = environment; entry < environment + length; entry += strlen (entry) + 1)
    {
      if (strncmp (entry, name, name_length) == 0 && entry[name_length] == '='
          && strcmp (entry + name_length + 1, value) == 0)
        return true;
    }

  return false;
}

static bool
is_marked (const GuardOptions *options, pid_t pid, char *buffer, size_t size)
{
  char path[40], attempt[16];
  ssize_t length;

  snprintf (path, sizeof path, "/proc/%d/environ", (int) pid);
  snprintf (attempt, sizeof attempt, "%u", options->attempt);
  length = read_file (path, buffer, size);

  return length > 0 && has_variable (buffer, (size_t) length, "FOREDECK_RUN", options->run)
         && has_variable (buffer, (size_t) length, "FOREDECK_TASK", options->task)
         && has_variable (buffer, (size_t) length, "FOREDECK_ATTEMPT", attempt);
}

int
guard_system_signal_marked (const GuardOptions *options, int sig)
{
  static char environment[256 * 1024];
  ProcessList list = { 0 };
  int count = 0;

  read_processes (&list);
  for (size_t i = 0; i < list.length; i++)
    {
      if (list.items[i].pid != getpid () && list.items[i].state != 'Z'
          && is_marked (options, list.items[i].pid, environment, sizeof environment)
          && signal_process (&list.items[i], sig))
        count++;
    }

  free (list.items);
  return count;
}
