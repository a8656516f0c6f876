/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-crash-private.h"

#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "platform/fore-log-private.h"

#define STACK_SIZE (128 * 1024)
#define MAX_FRAMES 96

static char path_start[1024];
static char program_name[64];
static char alternate_stack[STACK_SIZE];
static volatile sig_atomic_t is_crashing;

/* Only what is allowed in a signal handler from here on. */
static void
write_text (int fd, const char *text)
{
  if (write (fd, text, strlen (text)) < 0)
    return;
}

static char *
put_number (char *at, unsigned long long number)
{
  char digits[24];
  int n = 0;

  do
    digits[n++] = (char) ('0' + number % 10);
  while ((number /= 10) > 0);

  while (n > 0)
    *at++ = digits[--n];
  *at = '\0';
  return at;
}

static void
write_number (int fd, const char *label, unsigned long long number)
{
  char text[32];

  put_number (text, number);
  write_text (fd, label);
  write_text (fd, text);
  write_text (fd, "\n");
}

static const char *
get_signal_name (int sig)
{
  switch (sig)
    {
    case SIGSEGV:
      return "SIGSEGV (memory that is not there)";
    case SIGABRT:
      return "SIGABRT (it gave up by itself)";
    case SIGBUS:
      return "SIGBUS (memory that cannot be read)";
    case SIGFPE:
      return "SIGFPE (arithmetic)";
    case SIGILL:
      return "SIGILL (no such instruction)";
    default:
      return "a signal";
    }
}

static int
open_report (void)
{
  char path[sizeof path_start + 64];
  char *at;

  memcpy (path, path_start, sizeof path_start);
  at = put_number (path + strlen (path), (unsigned long long) getpid ());
  *at++ = '-';
  at = put_number (at, (unsigned long long) time (NULL));
  memcpy (at, ".txt", sizeof ".txt");
  return open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

static void
write_report (int fd, int sig)
{
  void *frames[MAX_FRAMES];
  int n_frames = backtrace (frames, MAX_FRAMES);

  write_text (fd, program_name);
  write_text (fd, " " FORE_VERSION "\nended by ");
  write_text (fd, get_signal_name (sig));
  write_text (fd, "\n");
  write_number (fd, "pid: ", (unsigned long long) getpid ());
  write_number (fd, "time: ", (unsigned long long) time (NULL));
  write_text (fd, "\nbacktrace:\n");
  backtrace_symbols_fd (frames, n_frames, fd);
  write_text (fd, "\nlast log lines:\n");
  fore_log_write_recent (fd);
}

static void
on_crash (int sig)
{
  int fd;

  /* A crash while the report is written ends at once. */
  if (!is_crashing)
    {
      is_crashing = 1;
      fd = open_report ();
      if (fd >= 0)
        {
          write_report (fd, sig);
          close (fd);
        }
    }

  signal (sig, SIG_DFL);
  raise (sig);
}

void
fore_crash_system_install (const char *dir, const char *program)
{
  static const int fatal[] = { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL };
  struct sigaction action = { .sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER };
  stack_t stack = { .ss_sp = alternate_stack, .ss_size = sizeof alternate_stack };
  void *frame;

  g_snprintf (path_start, sizeof path_start, "%s/%s-", dir, program);
  g_strlcpy (program_name, program, sizeof program_name);
  /* The first call loads a library, which must not happen in the handler. */
  backtrace (&frame, 1);

  if (sigaltstack (&stack, NULL) != 0)
    action.sa_flags &= ~SA_ONSTACK;
  for (guint i = 0; i < G_N_ELEMENTS (fatal); i++)
    sigaction (fatal[i], &action, NULL);
}
