/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "guard/guard.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define OWNER_EVERY_US 1000000

static int64_t
get_owner_interval_us (Guard *guard)
{
  int64_t quarter = guard->options.orphan_ms * 1000 / 4;

  if (guard->options.orphan_ms == 0)
    return OWNER_EVERY_US;

  return quarter < OWNER_EVERY_US ? quarter + 1000 : OWNER_EVERY_US;
}

/* The shared lock is held for a moment only; those who try for the exclusive one try twice. */
static bool
owner_lock_is_held (Guard *guard)
{
  int fd = open (guard->options.owner, O_RDONLY | O_CLOEXEC);
  bool held;

  if (fd < 0)
    return false;

  held = flock (fd, LOCK_SH | LOCK_NB) != 0;
  close (fd);
  return held;
}

/* Whoever cancelled the run may have died before it could tell us. */
static bool
is_cancelled (Guard *guard)
{
  char path[4096];
  const char *slash = strrchr (guard->options.owner, '/');
  int folder = slash != NULL ? (int) (slash + 1 - guard->options.owner) : 0;

  return snprintf (path, sizeof path, "%.*s" FORE_GUARD_CANCELLED, folder, guard->options.owner)
             < (int) sizeof path
         && access (path, F_OK) == 0;
}

static void
check_owner (Guard *guard, int64_t now)
{
  if (guard->options.owner == NULL)
    return;
  if (now - guard->owner_checked_us < get_owner_interval_us (guard))
    return;

  guard->owner_checked_us = now;
  if (getppid () == guard->options.owner_pid || owner_lock_is_held (guard))
    guard->orphan_since_us = 0;
  else if (is_cancelled (guard))
    guard_ladder_end_soon (guard, FORE_GUARD_REASON_CANCELLED);
  else if (guard->options.orphan_ms == 0)
    return;
  else if (guard->orphan_since_us == 0)
    guard->orphan_since_us = now;
  else if (now - guard->orphan_since_us >= guard->options.orphan_ms * 1000)
    guard_ladder_end (guard, FORE_GUARD_REASON_ORPHANED);
}

static void
check_wall (Guard *guard, int64_t now)
{
  if (guard->options.wall_ms > 0
      && now - guard->record.start_boot_us >= guard->options.wall_ms * 1000)
    guard_ladder_end (guard, FORE_GUARD_REASON_WALL_LIMIT);
}

static void
check_sizes (Guard *guard, int64_t now)
{
  if (now - guard->sizes_checked_us < GUARD_TICK_MS * 1000)
    return;

  guard->sizes_checked_us = now;
  guard_capture_check (guard);
  if (guard->options.limit > 0 && guard_capture_get_total (guard) > guard->options.limit)
    guard_ladder_kill (guard, FORE_GUARD_REASON_OUTPUT_LIMIT);
}

void
guard_limits_check (Guard *guard)
{
  int64_t now = guard_system_boot_us ();

  if (guard->agent_gone)
    return;

  check_sizes (guard, now);
  check_wall (guard, now);
  check_owner (guard, now);
}

static int64_t
earlier (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* When to look again, on the boot clock. */
int64_t
guard_limits_next_us (Guard *guard)
{
  int64_t next = guard->sizes_checked_us + GUARD_TICK_MS * 1000;

  if (guard->options.wall_ms > 0 && guard->step == GUARD_STEP_NONE)
    next = earlier (next, guard->record.start_boot_us + guard->options.wall_ms * 1000);
  if (guard->agent_gone)
    next = INT64_MAX;
  if (guard->step != GUARD_STEP_NONE)
    next = earlier (next, guard->step_until_us);

  return next;
}
