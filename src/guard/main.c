/* SPDX-License-Identifier: GPL-3.0-or-later */

/* foredeck-guard: stays with one attempt of an agent from before its start until nothing of it is
 * left. It depends on nobody: not on the runner that started it, and on no library.
 */

#include "guard/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
  ON_SIGNALS,
  ON_LISTENER,
  ON_OUT,
  ON_ERR,
  ON_STDIN,
  ON_CLIENTS,
  N_ON = ON_CLIENTS + GUARD_MAX_CLIENTS
};

static int signal_pipe = -1;

static void
on_signal (int sig)
{
  int error = errno;
  char byte = (char) sig;

  if (write (signal_pipe, &byte, 1) < 0)
    errno = error;
  errno = error;
}

static bool
catch_signals (Guard *guard)
{
  static const int caught[] = { SIGCHLD, SIGTERM, SIGINT, SIGHUP };
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
  sigset_t none;
  int fds[2];

  if (!guard_system_pipe (fds))
    return false;

  fcntl (fds[0], F_SETFL, O_NONBLOCK);
  fcntl (fds[1], F_SETFL, O_NONBLOCK);
  guard->signals = fds[0];
  signal_pipe = fds[1];

  for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++)
    sigaction (caught[i], &action, NULL);
  signal (SIGPIPE, SIG_IGN);
  signal (SIGXFSZ, SIG_IGN);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  return true;
}

static void
take_signals (Guard *guard)
{
  char bytes[64];
  ssize_t length;
  bool end = false;

  while ((length = read (guard->signals, bytes, sizeof bytes)) > 0)
    {
      for (ssize_t i = 0; i < length; i++)
        end = end || bytes[i] != SIGCHLD;
    }

  guard_agent_reap (guard);
  if (end)
    guard_ladder_end (guard, FORE_GUARD_REASON_TOLD_END);
}

static void
fill_polls (Guard *guard, struct pollfd *polls)
{
  polls[ON_SIGNALS] = (struct pollfd){ guard->signals, POLLIN, 0 };
  polls[ON_LISTENER] = (struct pollfd){ guard->listener, POLLIN, 0 };
  polls[ON_OUT] = (struct pollfd){ guard->captures[0].pipe, POLLIN, 0 };
  polls[ON_ERR] = (struct pollfd){ guard->captures[1].pipe, POLLIN, 0 };
  polls[ON_STDIN] = (struct pollfd){ -1, POLLOUT, 0 };
  if (guard_stdin_next (guard) != NULL)
    polls[ON_STDIN].fd = guard->agent_stdin;

  for (int i = 0; i < GUARD_MAX_CLIENTS; i++)
    {
      GuardClient *client = &guard->clients[i];

      /* One message at a time from each: what comes after it waits in the kernel. */
      polls[ON_CLIENTS + i] = (struct pollfd){ client->queued.bytes == NULL ? client->fd : -1,
                                               POLLIN, 0 };
    }
}

static int
get_timeout_ms (Guard *guard)
{
  int64_t next = guard_limits_next_us (guard);
  int64_t left;

  if (next == INT64_MAX)
    return -1;

  left = next - guard_system_boot_us ();
  return left <= 0 ? 0 : (int) (left / 1000 + 1);
}

static void
serve (Guard *guard, const struct pollfd *polls)
{
  if (polls[ON_OUT].revents != 0)
    guard_capture_copy (guard, &guard->captures[0]);
  if (polls[ON_ERR].revents != 0)
    guard_capture_copy (guard, &guard->captures[1]);
  if (polls[ON_STDIN].revents != 0)
    guard_stdin_write (guard);

  for (int i = 0; i < GUARD_MAX_CLIENTS; i++)
    {
      if (polls[ON_CLIENTS + i].revents != 0 && guard->clients[i].fd >= 0)
        guard_client_read (guard, &guard->clients[i]);
    }

  if (polls[ON_LISTENER].revents != 0)
    guard_client_accept (guard);
}

static void
watch_tree (Guard *guard)
{
  struct pollfd polls[N_ON];

  while (!guard->tree_gone)
    {
      int ready;

      fill_polls (guard, polls);
      ready = poll (polls, N_ON, get_timeout_ms (guard));
      if (ready > 0)
        serve (guard, polls);
      if (ready > 0 && polls[ON_SIGNALS].revents != 0)
        take_signals (guard);
      guard_limits_check (guard);
      guard_ladder_step (guard);
    }
}

/* Whoever was told to end everything also ends what got itself another parent. */
static void
sweep (Guard *guard)
{
  if (guard->step != GUARD_STEP_NONE || !guard->adopts_orphans)
    guard->record.survivors += (uint32_t) guard_system_signal_marked (&guard->options, SIGKILL);
}

static int
finish (Guard *guard)
{
  sweep (guard);
  guard_capture_drain (guard);
  guard_capture_check (guard);
  guard_record_end (guard);
  /* Before the end is told, so that whoever hears of it finds the place free. */
  guard_slots_release (guard);
  if (guard->listener >= 0)
    unlink (guard->options.socket);

  return guard_record_exit (guard) ? 0 : FORE_GUARD_EXIT_RECORD;
}

static int
fail (Guard *guard, int error)
{
  guard->reason = FORE_GUARD_REASON_EXEC_FAILED;
  guard->record.error = error;
  return finish (guard);
}

static void
clear (Guard *guard)
{
  memset (guard, 0, sizeof *guard);
  guard->exits = guard->signals = guard->listener = -1;
  guard->gate = guard->agent_stdin = guard->sent = guard->slot = -1;
  for (int i = 0; i < 2; i++)
    guard->captures[i] = (GuardCapture){ -1, -1, 0 };
  for (int i = 0; i < GUARD_MAX_CLIENTS; i++)
    guard->clients[i].fd = guard->clients[i].passed = -1;
}

int
main (int argc, char **argv)
{
  static Guard guard;
  int error;

  clear (&guard);
  if (!guard_options_parse (&guard.options, argc, argv))
    return FORE_GUARD_EXIT_USAGE;
  /* Whoever owns the run now may have looked for this attempt before it was to be seen, and begins
   * it again. Seen from here on, by its environment, it is followed.
   */
  if (getppid () != guard.options.owner_pid)
    return FORE_GUARD_EXIT_ORPHAN;

  guard_slots_hold (&guard);
  setsid ();
  guard.adopts_orphans = guard_system_adopt_orphans ();
  if (!guard_record_open (&guard))
    return FORE_GUARD_EXIT_RECORD;
  if (!catch_signals (&guard))
    return fail (&guard, errno);

  guard_client_listen (&guard);
  error = guard_capture_open (&guard);
  if (error == 0)
    error = guard_agent_start (&guard);
  if (error != 0)
    return fail (&guard, error);

  if (!guard_record_start (&guard))
    return FORE_GUARD_EXIT_RECORD;

  guard.sizes_checked_us = guard.owner_checked_us = guard.record.start_boot_us;
  guard_agent_open_gate (&guard);
  watch_tree (&guard);
  return finish (&guard);
}
