/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "guard/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A full disk may get space again; the runner waits that long, as it sees that we live. */
#define RETRY_MS 100
#define MAX_RETRIES 600
#define SIGNALLED_CODE 128
#define MAX_SIGNAL 31

static bool
append (Guard *guard, int max_retries)
{
  fore_guard_record_seal (&guard->record);

  for (int i = 0; i <= max_retries; i++)
    {
      ssize_t done = write (guard->exits, &guard->record, sizeof guard->record);

      if (done == (ssize_t) sizeof guard->record)
        return true;
      if (done < 0 && errno != ENOSPC && errno != EDQUOT && errno != EINTR && errno != EIO)
        return false;

      poll (NULL, 0, RETRY_MS);
    }

  return false;
}

bool
guard_record_open (Guard *guard)
{
  ForeGuardRecord *record = &guard->record;

  guard->exits = open (guard->options.exits, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (guard->exits < 0)
    return false;

  memcpy (record->task, guard->options.task, strlen (guard->options.task));
  record->attempt = guard->options.attempt;
  record->guard_pid = getpid ();
  record->guard_start = guard_system_get_start (record->guard_pid);
  guard_system_get_boot_id (record->boot_id);
  record->exit_code = -1;
  record->start_wall_us = guard_system_wall_us ();
  record->start_boot_us = guard_system_boot_us ();
  return true;
}

bool
guard_record_start (Guard *guard)
{
  guard->record.kind = FORE_GUARD_START;
  guard->record.agent_pid = guard->agent;
  guard->record.agent_start = guard_system_get_start (guard->agent);
  return append (guard, 0);
}

static uint64_t
time_to_us (struct timeval time)
{
  return (uint64_t) time.tv_sec * 1000000u + (uint64_t) time.tv_usec;
}

static void
fill_usage (ForeGuardRecord *record)
{
  struct rusage usage;

  if (getrusage (RUSAGE_CHILDREN, &usage) != 0)
    return;

  record->user_us = time_to_us (usage.ru_utime);
  record->system_us = time_to_us (usage.ru_stime);
  record->max_rss_kb = (uint64_t) usage.ru_maxrss;
}

static bool
is_over_limit (Guard *guard)
{
  return guard->truncated
         || (guard->options.limit > 0 && guard_capture_get_total (guard) > guard->options.limit);
}

/* A sandbox tells by its exit code which signal the agent in it died of: bwrap(1). */
static void
take_exit_code (Guard *guard, int code)
{
  if (guard->options.sandbox && code > SIGNALLED_CODE && code <= SIGNALLED_CODE + MAX_SIGNAL)
    guard->record.term_signal = code - SIGNALLED_CODE;
  else
    guard->record.exit_code = code;
}

static void
fill_outcome (Guard *guard)
{
  ForeGuardRecord *record = &guard->record;

  if (guard->agent_gone && WIFEXITED (guard->wait_status))
    take_exit_code (guard, WEXITSTATUS (guard->wait_status));
  else if (guard->agent_gone && WIFSIGNALED (guard->wait_status))
    record->term_signal = WTERMSIG (guard->wait_status);

  if (guard->reason == FORE_GUARD_REASON_NONE && is_over_limit (guard))
    guard->reason = FORE_GUARD_REASON_OUTPUT_LIMIT;
  else if (guard->reason == FORE_GUARD_REASON_NONE)
    guard->reason = record->term_signal != 0 ? FORE_GUARD_REASON_SIGNALLED
                                             : FORE_GUARD_REASON_EXITED;
  if (guard->reason == FORE_GUARD_REASON_EXEC_FAILED)
    record->exit_code = -1;
}

/* Before its slots are free, so that no two attempts seem to have had one at once. */
void
guard_record_end (Guard *guard)
{
  guard->record.end_wall_us = guard_system_wall_us ();
  guard->record.end_boot_us = guard_system_boot_us ();
}

bool
guard_record_exit (Guard *guard)
{
  ForeGuardRecord *record = &guard->record;

  record->kind = FORE_GUARD_EXIT;
  fill_outcome (guard);
  fill_usage (record);
  record->reason = guard->reason;
  record->out_bytes = guard->captures[0].size;
  record->err_bytes = guard->captures[1].size;
  return append (guard, MAX_RETRIES);
}
