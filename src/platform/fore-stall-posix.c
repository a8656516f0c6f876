/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-stall-private.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "platform/fore-clock.h"

static pthread_t watched_thread;
static gint64 watched_limit_us;
static const gint64 *watched_since;
static char noted_name[FORE_STALL_NAME_SIZE];

static const char *
describe_source (GSource *source)
{
  const char *name;

  if (source == NULL)
    return "between two dispatches";

  name = g_source_get_name (source);
  if (name != NULL)
    return name;

  return source->source_funcs == &g_timeout_funcs       ? "a timeout"
         : source->source_funcs == &g_idle_funcs        ? "an idle function"
         : source->source_funcs == &g_child_watch_funcs ? "the end of a child"
                                                        : "a source without a name";
}

/* In the watched thread: the only one that knows what it dispatches. */
static void
note_source (int sig)
{
  strncpy (noted_name, describe_source (g_main_current_source ()), sizeof noted_name - 1);
}

static gpointer
watch (gpointer data)
{
  gint64 reported = 0;

  while (TRUE)
    {
      gint64 since = __atomic_load_n (watched_since, __ATOMIC_ACQUIRE);

      if (since != 0 && since != reported && fore_clock_boot_us () - since > watched_limit_us)
        {
          reported = since;
          pthread_kill (watched_thread, SIGURG);
        }

      g_usleep ((gulong) CLAMP (watched_limit_us / 4, 500, 50000));
    }

  return NULL;
}

void
fore_stall_system_start (gint64 limit_us, const gint64 *since)
{
  struct sigaction action = { .sa_handler = note_source, .sa_flags = SA_RESTART };
  GThread *thread;

  watched_thread = pthread_self ();
  watched_limit_us = limit_us;
  watched_since = since;
  sigaction (SIGURG, &action, NULL);
  thread = g_thread_new ("stall watch", watch, NULL);
  g_thread_unref (thread);
}

void
fore_stall_system_take_name (char name[FORE_STALL_NAME_SIZE])
{
  memcpy (name, noted_name, FORE_STALL_NAME_SIZE);
  noted_name[0] = '\0';
}

gint64
fore_stall_system_count_waits (void)
{
#ifdef RUSAGE_THREAD
  struct rusage usage;

  return getrusage (RUSAGE_THREAD, &usage) == 0 ? usage.ru_nvcsw : 0;
#else
  return 0;
#endif
}
