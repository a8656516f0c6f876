/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "guard/guard.h"

#include <signal.h>

/* What was left in the background by an agent that ended gets less time than the agent. */
#define LEFT_GRACE_MS 1000
#define LEFT_QUIET_MS 200
/* Twice this, and the second until it is noticed, are less than ten seconds. */
#define SOON_GRACE_MS 3500
#define KILL_AGAIN_US 10000
#define KILL_AGAIN_SLOW_US 250000
#define SWEEP_AFTER_US 200000
#define GIVE_UP_US 30000000

static int64_t
smaller (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static void
enter (Guard *guard, GuardStep step, int64_t ms)
{
  guard->step = step;
  guard->step_until_us = guard_system_boot_us () + ms * 1000;
}

/* A sandbox ends when the agent in it does. */
static int
terminate (Guard *guard)
{
  int count = 0;

  if (guard->options.sandbox && !guard->agent_gone)
    count = guard_system_signal_inside (guard->agent, false, SIGTERM);

  return count > 0 ? count : guard_system_signal_tree (SIGTERM);
}

static void
send_term (Guard *guard, int64_t grace_ms)
{
  int left;

  enter (guard, GUARD_STEP_TERM, grace_ms);
  guard->record.flags |= FORE_GUARD_FLAG_TERM;
  left = terminate (guard);
  if (guard->agent_gone)
    guard->record.survivors = (uint32_t) left;
  /* One that was stopped could not end otherwise. */
  guard_system_signal_tree (SIGCONT);
}

/* Again and again until nothing is left: a tree that forks while it is read gets away once, and a
 * process that gave itself another parent is found by its environment.
 */
static void
send_kill (Guard *guard)
{
  int64_t now = guard_system_boot_us ();
  int64_t since;

  if (guard->step != GUARD_STEP_KILL)
    guard->kill_since_us = now;

  since = now - guard->kill_since_us;
  guard->step = GUARD_STEP_KILL;
  guard->step_until_us = now + (since < 1000000 ? KILL_AGAIN_US : KILL_AGAIN_SLOW_US);
  guard->record.flags |= FORE_GUARD_FLAG_KILL;

  guard_system_signal_tree (SIGKILL);
  if (since > SWEEP_AFTER_US)
    guard_system_signal_marked (&guard->options, SIGKILL);
  if (since > GIVE_UP_US)
    {
      guard->record.flags |= FORE_GUARD_FLAG_SURVIVORS;
      guard->tree_gone = true;
    }
}

void
guard_ladder_end (Guard *guard, ForeGuardReason reason)
{
  if (guard->agent_gone || guard->step != GUARD_STEP_NONE)
    return;

  guard->reason = reason;
  enter (guard, GUARD_STEP_POLITE, guard->options.grace_ms);
  if (guard->options.stdin_mode == GUARD_STDIN_LIVE)
    guard_stdin_close (guard);
  else
    guard_agent_interrupt (guard);
}

/* As guard_ladder_end(), for a tree that must be gone soon. */
void
guard_ladder_end_soon (Guard *guard, ForeGuardReason reason)
{
  if (guard->options.grace_ms > SOON_GRACE_MS)
    guard->options.grace_ms = SOON_GRACE_MS;

  guard_ladder_end (guard, reason);
}

void
guard_ladder_kill (Guard *guard, ForeGuardReason reason)
{
  if (!guard->agent_gone && guard->step != GUARD_STEP_KILL)
    guard->reason = reason;

  if (!guard->tree_gone && guard->step != GUARD_STEP_KILL)
    send_kill (guard);
}

/* The agent ended and something is left: the rest of a pipeline ends by itself in a moment, what
 * was put into the background does not.
 */
void
guard_ladder_left (Guard *guard)
{
  if (guard->step < GUARD_STEP_TERM)
    enter (guard, GUARD_STEP_POLITE, smaller (guard->options.grace_ms, LEFT_QUIET_MS));
}

void
guard_ladder_step (Guard *guard)
{
  if (guard->step == GUARD_STEP_NONE || guard_system_boot_us () < guard->step_until_us)
    return;

  if (guard->step == GUARD_STEP_POLITE && guard->agent_gone)
    send_term (guard, smaller (guard->options.grace_ms, LEFT_GRACE_MS));
  else if (guard->step == GUARD_STEP_POLITE)
    send_term (guard, guard->options.grace_ms);
  else
    send_kill (guard);
}
