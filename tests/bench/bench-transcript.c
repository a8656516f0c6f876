/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store-fixture.h"

#include "engine/fore-entry-list.h"
#include "engine/fore-transcript.h"
#include "platform/fore-dirs.h"

#include <string.h>
#include <time.h>

/* Opening the transcript of 100,000 entries in 100 MB: how long until there is a first page, how
 * long until all of it is known, and the memory of a list that keeps all of it; beside what it
 * takes to read the same file and look for the ends of its lines. One line of JSON; exits with 1
 * beyond one and a half times (or FORE_BENCH_SLACK times) the bars of time.
 */

#define RUN "abcdefgh"
#define N_ENTRIES 100000
#define ENTRY_BYTES 1000
#define PAGE 50
#define FIRST_PAGE_BAR_MS 100.0
#define ALL_BAR_MS 1000.0

typedef struct
{
  ForeEntryList *list;
  guint64 n_entries;
  gint64 begin;
  double first_page_ms;
  gboolean ended;
} Opening;

static double
get_slack (void)
{
  const char *text = g_getenv ("FORE_BENCH_SLACK");

  return text != NULL ? g_ascii_strtod (text, NULL) : 1.5;
}

static double
get_own_mb (void)
{
  g_autofree char *status = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &status, NULL, NULL))
    return 0;

  line = strstr (status, "RssAnon:");
  return line != NULL ? g_ascii_strtoull (line + strlen ("RssAnon:"), NULL, 10) / 1e3 : 0;
}

static double
get_process_cpu_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static void
write_capture (const char *path)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *words = g_strnfill (ENTRY_BYTES - 70, 'w');
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < N_ENTRIES; i++)
    g_string_append_printf (text, "{\"type\":\"text\",\"id\":\"t%u\",\"text\":\"Entry %u. %s\"}\n",
                            i, i, words);
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, &error));
}

static void
on_entries (ForeTranscript *transcript, GPtrArray *entries, gpointer user_data)
{
  Opening *opening = user_data;

  opening->n_entries += entries->len;
  for (guint i = 0; i < entries->len; i++)
    fore_entry_list_add (opening->list, g_ptr_array_index (entries, i));
  if (opening->first_page_ms == 0 && opening->n_entries >= PAGE)
    opening->first_page_ms = (g_get_monotonic_time () - opening->begin) / 1e3;
}

static void
on_ended (ForeTranscript *transcript, gpointer user_data)
{
  ((Opening *) user_data)->ended = TRUE;
}

static double
time_bare_read (const char *path)
{
  gint64 begin = g_get_monotonic_time ();
  g_autofree char *data = NULL;
  gsize length;
  const char *at;

  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  for (at = data; at != NULL && at < data + length;)
    {
      const char *end = memchr (at, '\n', (gsize) (data + length - at));

      at = end != NULL ? end + 1 : NULL;
    }

  return (g_get_monotonic_time () - begin) / 1e3;
}

static void
put_attempt (ForeRunWriter *writer)
{
  g_autoptr (ForeAttempt) attempt = fore_attempt_new ("t-0", 1);
  g_autoptr (GError) error = NULL;

  g_free (attempt->cli);
  attempt->cli = g_strdup ("demo");
  attempt->started = g_get_real_time ();
  attempt->finished = g_get_real_time ();
  fore_run_writer_put_attempt (writer, attempt);
  g_assert_true (fore_run_writer_barrier (writer, &error));
}

static gboolean
measure (StoreFixture *fixture)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeTranscript) transcript = fore_transcript_new (fixture->store, RUN, "t-0", 1);
  g_autofree char *path = fore_dirs_dup_attempt_path (fixture->home, RUN, "t-0", 1, "out");
  Opening opening = { .list = fore_entry_list_new () };
  double bare_ms, before_mb, grown_mb, cpu_ms, all_ms;

  write_capture (path);
  put_attempt (writer);
  bare_ms = time_bare_read (path);
  before_mb = get_own_mb ();
  cpu_ms = get_process_cpu_ms ();
  g_signal_connect (transcript, "entries", G_CALLBACK (on_entries), &opening);
  g_signal_connect (transcript, "ended", G_CALLBACK (on_ended), &opening);
  opening.begin = g_get_monotonic_time ();
  fore_transcript_start (transcript);
  while (!opening.ended)
    g_main_context_iteration (NULL, TRUE);
  all_ms = (g_get_monotonic_time () - opening.begin) / 1e3;
  cpu_ms = get_process_cpu_ms () - cpu_ms;
  grown_mb = get_own_mb () - before_mb;
  fore_transcript_stop (transcript);
  fore_entry_list_free (opening.list);

  g_print ("{\"bench\":\"transcript\",\"entries\":%" G_GUINT64_FORMAT ",\"mb\":%.0f,"
           "\"first_page_ms\":%.1f,\"bar_first_page_ms\":%.0f,\"all_ms\":%.0f,\"bar_all_ms\":%.0f,"
           "\"cpu_ms\":%.0f,\"bare_read_ms\":%.1f,\"kept_whole_mb\":%.1f}\n",
           opening.n_entries, N_ENTRIES * ENTRY_BYTES / 1e6, opening.first_page_ms,
           FIRST_PAGE_BAR_MS, all_ms, ALL_BAR_MS, cpu_ms, bare_ms, grown_mb);

  /* beside others on the machine the time on the wall is not ours alone */
  return opening.n_entries >= N_ENTRIES
         && MIN (opening.first_page_ms, cpu_ms) <= get_slack () * FIRST_PAGE_BAR_MS
         && MIN (all_ms, cpu_ms) <= get_slack () * ALL_BAR_MS;
}

int
main (int argc, char **argv)
{
  StoreFixture fixture = { 0 };
  gboolean good;

  g_test_init (&argc, &argv, NULL);
  store_fixture_set_up (&fixture, NULL);
  good = measure (&fixture);
  store_fixture_tear_down (&fixture, NULL);

  return good ? 0 : 1;
}
