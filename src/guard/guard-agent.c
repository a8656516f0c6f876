/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "guard/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXEC_FAILED_STATUS 127

typedef struct
{
  int in[2];
  int out[2];
  int err[2];
  int gate[2];
} Pipes;

static int
open_input (Guard *guard)
{
  char path[4096];

  if (guard->options.stdin_mode == GUARD_STDIN_NULL)
    return open ("/dev/null", O_RDONLY | O_CLOEXEC);

  if (snprintf (path, sizeof path, "%s.in", guard->options.base) >= (int) sizeof path)
    {
      errno = ENAMETOOLONG;
      return -1;
    }

  return open (path, O_RDONLY | O_CLOEXEC);
}

static bool
open_pipes (Guard *guard, Pipes *pipes)
{
  memset (pipes, -1, sizeof *pipes);

  if (socketpair (AF_UNIX, SOCK_STREAM, 0, pipes->gate) != 0)
    return false;
  fcntl (pipes->gate[0], F_SETFD, FD_CLOEXEC);
  fcntl (pipes->gate[1], F_SETFD, FD_CLOEXEC);

  if (guard->options.stdin_mode == GUARD_STDIN_LIVE)
    {
      if (!guard_system_pipe (pipes->in))
        return false;
    }
  else if ((pipes->in[0] = open_input (guard)) < 0)
    return false;

  return !guard->options.capture_pipe
         || (guard_system_pipe (pipes->out) && guard_system_pipe (pipes->err));
}

static void
reset_signals (void)
{
  sigset_t none;

  for (int i = 1; i < NSIG; i++)
    signal (i, SIG_DFL);

  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
}

static void
limit_core_files (void)
{
  struct rlimit none = { 0, 0 };

  setrlimit (RLIMIT_CORE, &none);
}

static bool
place_descriptors (Guard *guard, const Pipes *pipes)
{
  int out = guard->options.capture_pipe ? pipes->out[1] : guard->captures[0].file;
  int err = guard->options.capture_pipe ? pipes->err[1] : guard->captures[1].file;

  return dup2 (pipes->in[0], 0) == 0 && dup2 (out, 1) == 1 && dup2 (err, 2) == 2;
}

static void
run_agent (Guard *guard, const Pipes *pipes, pid_t parent)
{
  char go;
  int error;

  setsid ();
  guard_system_die_with_guard (parent);
  reset_signals ();
  limit_core_files ();

  /* The identity is on record before anything of the agent runs; a guard that died lets nobody in.
   */
  if (read (pipes->gate[1], &go, 1) != 1)
    _exit (EXEC_FAILED_STATUS);

  if (place_descriptors (guard, pipes) && chdir (guard->options.cwd) == 0)
    execvp (guard->options.argv[0], guard->options.argv);

  error = errno;
  if (write (pipes->gate[1], &error, sizeof error) < 0)
    _exit (EXEC_FAILED_STATUS);
  _exit (EXEC_FAILED_STATUS);
}

static void
close_fd (int fd)
{
  if (fd >= 0)
    close (fd);
}

static void
set_nonblocking (int fd)
{
  if (fd >= 0)
    fcntl (fd, F_SETFL, fcntl (fd, F_GETFL) | O_NONBLOCK);
}

static void
keep_our_ends (Guard *guard, const Pipes *pipes)
{
  close_fd (pipes->in[0]);
  close_fd (pipes->out[1]);
  close_fd (pipes->err[1]);
  close_fd (pipes->gate[1]);
  guard->agent_stdin = pipes->in[1];
  guard->captures[0].pipe = pipes->out[0];
  guard->captures[1].pipe = pipes->err[0];
  guard->gate = pipes->gate[0];
  set_nonblocking (guard->agent_stdin);
  set_nonblocking (guard->captures[0].pipe);
  set_nonblocking (guard->captures[1].pipe);
}

/* 0, or the errno of what could not be made ready. The agent waits at its gate. */
int
guard_agent_start (Guard *guard)
{
  Pipes pipes;
  pid_t parent = getpid ();

  if (!open_pipes (guard, &pipes))
    return errno;

  guard->agent = fork ();
  if (guard->agent < 0)
    return errno;
  if (guard->agent == 0)
    run_agent (guard, &pipes, parent);

  keep_our_ends (guard, &pipes);
  return 0;
}

void
guard_agent_open_gate (Guard *guard)
{
  ssize_t done;

  do
    done = send (guard->gate, "", 1, MSG_NOSIGNAL);
  while (done < 0 && errno == EINTR);
}

/* The errno of an exec that failed, 0 if the agent was there. */
int
guard_agent_get_error (Guard *guard)
{
  int error = 0;

  if (recv (guard->gate, &error, sizeof error, MSG_DONTWAIT) != (ssize_t) sizeof error)
    return 0;

  return error;
}

/* The two outermost processes of a sandbox would take all the others along. */
void
guard_agent_interrupt (Guard *guard)
{
  if (!guard->options.sandbox || guard_system_signal_inside (guard->agent, true, SIGINT) == 0)
    kill (-guard->agent, SIGINT);
}

static void
note_agent_end (Guard *guard, int status)
{
  int error = guard_agent_get_error (guard);

  guard->agent_gone = true;
  guard->wait_status = status;
  if (error != 0)
    {
      guard->reason = FORE_GUARD_REASON_EXEC_FAILED;
      guard->record.error = error;
    }
}

/* Everything of the tree whose parent died is a child of ours, so that no child means no tree. */
void
guard_agent_reap (Guard *guard)
{
  bool agent_was_gone = guard->agent_gone;
  int status;
  pid_t pid;

  while ((pid = waitpid (-1, &status, WNOHANG)) > 0)
    {
      if (pid == guard->agent)
        note_agent_end (guard, status);
    }

  if (pid < 0 && errno == ECHILD)
    guard->tree_gone = true;
  else if (guard->agent_gone && !agent_was_gone)
    guard_ladder_left (guard);
}
