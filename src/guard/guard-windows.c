/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The guard of an attempt on Windows: a job object is the tree, and takes it along whatever the
 * guard dies of. Live sessions need a pipe that several clients can write to one after the other,
 * which is not here yet: they are refused. Ended from outside, the attempt is told as lost.
 */

#include "guard/guard-options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

#include "platform/fore-guard-protocol.h"

#define TICK_MS 50
#define RETRY_MS 100
#define MAX_RETRIES 600
#define EPOCH_OFFSET_US 11644473600000000ll

typedef struct
{
  GuardOptions options;
  ForeGuardRecord record;
  HANDLE job;
  HANDLE exits;
  HANDLE owner;
  HANDLE input;
  HANDLE captures[2];
  PROCESS_INFORMATION agent;
  int64_t orphan_since_us;
} Guard;

static int64_t
get_boot_us (void)
{
  ULONGLONG now;

  QueryInterruptTimePrecise (&now);
  return (int64_t) (now / 10);
}

static int64_t
get_wall_us (void)
{
  FILETIME now;

  GetSystemTimePreciseAsFileTime (&now);
  return (int64_t) (((uint64_t) now.dwHighDateTime << 32 | now.dwLowDateTime) / 10)
         - EPOCH_OFFSET_US;
}

static uint64_t
get_start (HANDLE process)
{
  FILETIME created, ended, kernel, user;

  if (!GetProcessTimes (process, &created, &ended, &kernel, &user))
    return 0;

  return (uint64_t) created.dwHighDateTime << 32 | created.dwLowDateTime;
}

static wchar_t *
widen (const char *text)
{
  int length = MultiByteToWideChar (CP_UTF8, 0, text, -1, NULL, 0);
  wchar_t *wide = calloc ((size_t) length + 1, sizeof *wide);

  if (wide != NULL)
    MultiByteToWideChar (CP_UTF8, 0, text, -1, wide, length);
  return wide;
}

static HANDLE
open_file (const char *path, DWORD access, DWORD disposition, BOOL inherit)
{
  SECURITY_ATTRIBUTES attributes = { sizeof attributes, NULL, inherit };
  wchar_t *wide = widen (path);
  HANDLE file = INVALID_HANDLE_VALUE;

  if (wide != NULL)
    file = CreateFileW (wide, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                        &attributes, disposition, FILE_ATTRIBUTE_NORMAL, NULL);
  free (wide);
  return file;
}

static HANDLE
open_beside (const Guard *guard, const char *suffix, DWORD access, DWORD disposition)
{
  char path[4096];

  snprintf (path, sizeof path, "%s%s", guard->options.base, suffix);
  return open_file (path, access, disposition, TRUE);
}

static bool
append_record (Guard *guard, int max_retries)
{
  fore_guard_record_seal (&guard->record);
  for (int i = 0; i <= max_retries; i++)
    {
      DWORD done;

      if (WriteFile (guard->exits, &guard->record, sizeof guard->record, &done, NULL)
          && done == sizeof guard->record)
        return true;
      Sleep (RETRY_MS);
    }

  return false;
}

static bool
open_files (Guard *guard)
{
  guard->captures[0] = open_beside (guard, ".out", FILE_APPEND_DATA, OPEN_ALWAYS);
  guard->captures[1] = open_beside (guard, ".err", FILE_APPEND_DATA, OPEN_ALWAYS);
  guard->input = guard->options.stdin_mode == GUARD_STDIN_NULL
                     ? open_file ("NUL", GENERIC_READ, OPEN_EXISTING, TRUE)
                     : open_beside (guard, ".in", GENERIC_READ, OPEN_EXISTING);

  return guard->captures[0] != INVALID_HANDLE_VALUE && guard->captures[1] != INVALID_HANDLE_VALUE
         && guard->input != INVALID_HANDLE_VALUE;
}

static char *
put_backslashes (char *at, size_t n)
{
  memset (at, '\\', n);
  return at + n;
}

/* As the runtime of a program takes its command line apart. */
static char *
quote (char *at, const char *argument)
{
  *at++ = '"';
  for (const char *c = argument;; c++)
    {
      size_t n = strspn (c, "\\");

      c += n;
      if (*c == '\0')
        {
          at = put_backslashes (at, 2 * n);
          break;
        }

      at = put_backslashes (at, *c == '"' ? 2 * n + 1 : n);
      *at++ = *c;
    }

  *at++ = '"';
  *at++ = ' ';
  *at = '\0';
  return at;
}

static wchar_t *
build_command_line (char **argv)
{
  size_t size = 1;
  wchar_t *wide;
  char *line, *at;

  for (char **argument = argv; *argument != NULL; argument++)
    size += 2 * strlen (*argument) + 4;

  line = at = malloc (size);
  if (line == NULL)
    return NULL;

  for (char **argument = argv; *argument != NULL; argument++)
    at = quote (at, *argument);
  wide = widen (line);
  free (line);
  return wide;
}

static bool
make_job (Guard *guard)
{
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = { 0 };

  guard->job = CreateJobObjectW (NULL, NULL);
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  return guard->job != NULL
         && SetInformationJobObject (guard->job, JobObjectExtendedLimitInformation, &limits,
                                     sizeof limits);
}

/* Suspended: nothing of it runs before it is in the job and on record. */
static bool
start_agent (Guard *guard)
{
  STARTUPINFOW startup = { .cb = sizeof startup, .dwFlags = STARTF_USESTDHANDLES };
  wchar_t *line = build_command_line (guard->options.argv);
  wchar_t *cwd = widen (guard->options.cwd);
  bool done;

  startup.hStdInput = guard->input;
  startup.hStdOutput = guard->captures[0];
  startup.hStdError = guard->captures[1];
  done = line != NULL && cwd != NULL
         && CreateProcessW (NULL, line, NULL, NULL, TRUE, CREATE_SUSPENDED | CREATE_NO_WINDOW, NULL,
                            cwd, &startup, &guard->agent)
         && AssignProcessToJobObject (guard->job, guard->agent.hProcess);
  free (line);
  free (cwd);
  return done;
}

static uint64_t
get_size (HANDLE file)
{
  LARGE_INTEGER size;

  return GetFileSizeEx (file, &size) ? (uint64_t) size.QuadPart : 0;
}

static bool
is_over_limit (Guard *guard)
{
  guard->record.out_bytes = get_size (guard->captures[0]);
  guard->record.err_bytes = get_size (guard->captures[1]);
  return guard->options.limit > 0
         && guard->record.out_bytes + guard->record.err_bytes > guard->options.limit;
}

static bool
is_orphaned (Guard *guard)
{
  int64_t now = get_boot_us ();

  if (guard->options.orphan_ms == 0 || WaitForSingleObject (guard->owner, 0) == WAIT_TIMEOUT)
    return false;

  if (guard->orphan_since_us == 0)
    guard->orphan_since_us = now;
  return now - guard->orphan_since_us >= guard->options.orphan_ms * 1000;
}

static ForeGuardReason
watch_agent (Guard *guard)
{
  while (WaitForSingleObject (guard->agent.hProcess, TICK_MS) == WAIT_TIMEOUT)
    {
      if (is_over_limit (guard))
        return FORE_GUARD_REASON_OUTPUT_LIMIT;
      if (guard->options.wall_ms > 0
          && get_boot_us () - guard->record.start_boot_us >= guard->options.wall_ms * 1000)
        return FORE_GUARD_REASON_WALL_LIMIT;
      if (is_orphaned (guard))
        return FORE_GUARD_REASON_ORPHANED;
    }

  return FORE_GUARD_REASON_EXITED;
}

static int
finish (Guard *guard, ForeGuardReason reason, int error)
{
  DWORD status;

  if (reason == FORE_GUARD_REASON_EXITED && GetExitCodeProcess (guard->agent.hProcess, &status))
    guard->record.exit_code = (int32_t) status;
  if (guard->job != NULL)
    TerminateJobObject (guard->job, 1);

  guard->record.kind = FORE_GUARD_EXIT;
  guard->record.reason = is_over_limit (guard) ? FORE_GUARD_REASON_OUTPUT_LIMIT : reason;
  guard->record.error = error;
  guard->record.end_wall_us = get_wall_us ();
  guard->record.end_boot_us = get_boot_us ();
  return append_record (guard, MAX_RETRIES) ? 0 : FORE_GUARD_EXIT_RECORD;
}

static bool
open_record (Guard *guard)
{
  ForeGuardRecord *record = &guard->record;

  guard->exits = open_file (guard->options.exits, FILE_APPEND_DATA, OPEN_ALWAYS, FALSE);
  memcpy (record->task, guard->options.task, strlen (guard->options.task));
  record->attempt = guard->options.attempt;
  record->guard_pid = (int32_t) GetCurrentProcessId ();
  record->guard_start = get_start (GetCurrentProcess ());
  record->exit_code = -1;
  record->start_wall_us = get_wall_us ();
  record->start_boot_us = get_boot_us ();
  return guard->exits != INVALID_HANDLE_VALUE;
}

int
main (int argc, char **argv)
{
  static Guard guard;

  if (!guard_options_parse (&guard.options, argc, argv))
    return FORE_GUARD_EXIT_USAGE;
  if (!open_record (&guard))
    return FORE_GUARD_EXIT_RECORD;

  guard.owner = OpenProcess (SYNCHRONIZE, FALSE, (DWORD) guard.options.owner_pid);
  if (guard.options.stdin_mode == GUARD_STDIN_LIVE)
    return finish (&guard, FORE_GUARD_REASON_EXEC_FAILED, ENOSYS);
  if (!open_files (&guard) || !make_job (&guard) || !start_agent (&guard))
    return finish (&guard, FORE_GUARD_REASON_EXEC_FAILED, ENOENT);

  guard.record.kind = FORE_GUARD_START;
  guard.record.agent_pid = (int32_t) guard.agent.dwProcessId;
  guard.record.agent_start = get_start (guard.agent.hProcess);
  if (!append_record (&guard, 0))
    return FORE_GUARD_EXIT_RECORD;

  ResumeThread (guard.agent.hThread);
  return finish (&guard, watch_agent (&guard), 0);
}
