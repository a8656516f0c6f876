/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/fore-capture-beat.h"

/* How long after an agent has printed a line the line has been read: at moments that do not go with
 * the beat of whoever reads. Beside it, in the same run, how late the machine lets a thread go on
 * that only slept; what is beyond that is our own time. One JSON object; exits with 1 when the p95
 * of our own is beyond its bar.
 */

#define N_LINES 300
#define P95 (N_LINES * 95 / 100)
#define P95_BAR_MS 20
#define LEAST_PAUSE_US 5000
#define MOST_PAUSE_US 40000
#define WAIT_US (10 * G_USEC_PER_SEC)

typedef struct
{
  int fd;
  gint64 printed; /* when, 0 once it was read */
  gint64 latency;
} Capture;

/* On the thread of the beats. */
static gsize
read_cb (gpointer user_data)
{
  Capture *capture = user_data;
  char bytes[256];
  gssize length = read (capture->fd, bytes, sizeof bytes);
  gint64 printed = __atomic_load_n (&capture->printed, __ATOMIC_ACQUIRE);

  if (length <= 0)
    return 0;

  capture->latency = g_get_monotonic_time () - printed;
  __atomic_store_n (&capture->printed, 0, __ATOMIC_RELEASE);
  return (gsize) length;
}

static gint64
time_line (Capture *capture, int fd)
{
  gint64 now = g_get_monotonic_time ();

  __atomic_store_n (&capture->printed, now, __ATOMIC_RELEASE);
  if (write (fd, "a line\n", 7) != 7)
    g_error ("bench: a line could not be written");
  while (__atomic_load_n (&capture->printed, __ATOMIC_ACQUIRE) != 0)
    {
      if (g_get_monotonic_time () - now > WAIT_US)
        g_error ("bench: a line was never read");
      g_usleep (500);
    }

  return capture->latency;
}

/* How much longer than asked for it takes. */
static gint64
time_pause (int pause)
{
  gint64 now = g_get_monotonic_time ();

  g_usleep ((gulong) pause);

  return g_get_monotonic_time () - now - pause;
}

static int
compare_ints (gconstpointer a, gconstpointer b)
{
  gint64 first = *(const gint64 *) a;
  gint64 second = *(const gint64 *) b;

  return first < second ? -1 : first > second;
}

int
main (void)
{
  g_autofree char *folder = g_dir_make_tmp ("foredeck-bench-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "t.1.out", NULL);
  g_autoptr (GRand) chance = g_rand_new_with_seed (1);
  gint64 lateness[N_LINES];
  gint64 own;
  int fd = g_open (path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  Capture capture = { g_open (path, O_RDONLY, 0), 0, 0 };
  ForeCaptureBeat *beat = fore_capture_beat_new (path, 0, read_cb, &capture);
  gint64 latencies[N_LINES];

  for (guint i = 0; i < N_LINES; i++)
    {
      lateness[i] = time_pause (g_rand_int_range (chance, LEAST_PAUSE_US, MOST_PAUSE_US));
      latencies[i] = time_line (&capture, fd);
    }

  fore_capture_beat_free (beat);
  close (capture.fd);
  close (fd);
  g_remove (path);
  g_rmdir (folder);
  qsort (latencies, N_LINES, sizeof latencies[0], compare_ints);
  qsort (lateness, N_LINES, sizeof lateness[0], compare_ints);
  own = latencies[P95] - lateness[P95];
  g_print ("{\"bench\":\"capture\",\"lines\":%d,\"p50_ms\":%.2f,\"p95_ms\":%.2f,"
           "\"machine_late_p95_ms\":%.2f,\"own_p95_ms\":%.2f,\"bar_own_p95_ms\":%d,"
           "\"most_ms\":%.2f}\n",
           N_LINES, (double) latencies[N_LINES / 2] / 1000, (double) latencies[P95] / 1000,
           (double) lateness[P95] / 1000, (double) own / 1000, P95_BAR_MS,
           (double) latencies[N_LINES - 1] / 1000);

  return own <= P95_BAR_MS * 1000 ? 0 : 1;
}
