/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/demo/fore-demo-player.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static void
close_streams (void)
{
  int fd = open ("/dev/null", O_RDWR);

  for (int i = STDIN_FILENO; fd >= 0 && i <= STDERR_FILENO; i++)
    dup2 (fd, i);
  if (fd > STDERR_FILENO)
    close (fd);
}

/* Takes no notice of polite signals, and leaves a child that is in a session of its own. */
void
demo_be_stubborn (void)
{
  pid_t pid;

  signal (SIGTERM, SIG_IGN);
  signal (SIGINT, SIG_IGN);
  signal (SIGHUP, SIG_IGN);

  pid = fork ();
  if (pid != 0)
    return;

  setsid ();
  close_streams ();
  if (fork () == 0)
    execlp ("sleep", "sleep", "3600", (char *) NULL);
  _exit (0);
}
