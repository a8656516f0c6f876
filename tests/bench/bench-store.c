/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-event.h"
#include "model/fore-run.h"
#include "model/fore-task.h"
#include "store/fore-run-reader.h"
#include "store/fore-run-writer.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

#define RUN "abcdefgh"
#define N_EVENTS 300000
#define EVENT_DATA "{\"from\":\"running\",\"to\":\"completed\",\"cause\":null}"
#define N_TASKS 10000
#define N_SYNCS 300
#define N_SHARING 64

typedef struct
{
  char *home;
  ForeStore *store;
  ForeRunWriter *writer;
  JsonBuilder *json;
  gboolean good;
} Bench;

static void
check (const GError *error)
{
  if (error != NULL)
    g_error ("%s", error->message);
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }

  g_remove (path);
}

static void
bench_init (Bench *bench)
{
  g_autoptr (ForeRun) run = fore_run_new (RUN);
  g_autoptr (GError) error = NULL;

  bench->home = g_dir_make_tmp ("foredeck-bench-XXXXXX", &error);
  check (error);
  bench->store = fore_store_open (bench->home, &error);
  check (error);
  fore_run_writer_create (bench->store, run, NULL, NULL, &error);
  check (error);
  bench->writer = fore_run_writer_open (bench->store, RUN, &error);
  check (error);
  bench->good = TRUE;
  bench->json = json_builder_new ();
  json_builder_begin_object (bench->json);
}

static void
bench_clear (Bench *bench)
{
  g_autoptr (GError) error = NULL;

  fore_run_writer_close (bench->writer, &error);
  check (error);
  g_object_unref (bench->writer);
  g_object_unref (bench->store);
  g_object_unref (bench->json);
  remove_tree (bench->home);
  g_free (bench->home);
}

static void
add_figure (Bench *bench, const char *name, double value)
{
  json_builder_set_member_name (bench->json, name);
  json_builder_add_double_value (bench->json, value);
}

/* How far beyond its bar a figure may be. */
static double
get_slack (void)
{
  const char *text = g_getenv ("FORE_BENCH_SLACK");

  return text != NULL ? g_ascii_strtod (text, NULL) : 1.5;
}

/* A figure that must not be above @most, or not below @least, where that is given. */
static void
add_judged (Bench *bench, const char *name, double value, double least, double most)
{
  g_autofree char *bar = g_strconcat (name, "_bar", NULL);

  add_figure (bench, name, value);
  add_figure (bench, bar, most > 0 ? most : least);
  if ((most > 0 && value > most * get_slack ()) || value < least / get_slack ())
    bench->good = FALSE;
}

static void
barrier (Bench *bench)
{
  g_autoptr (GError) error = NULL;

  fore_run_writer_barrier (bench->writer, &error);
  check (error);
}

static void
run_sql (sqlite3 *db, const char *text)
{
  if (sqlite3_exec (db, text, NULL, NULL, NULL) != SQLITE_OK)
    g_error ("%s", sqlite3_errmsg (db));
}

static void
insert_event (sqlite3 *db, sqlite3_stmt *stmt, gint64 seq)
{
  sqlite3_bind_int64 (stmt, 1, seq);
  sqlite3_bind_text (stmt, 2, "task.status", -1, SQLITE_STATIC);
  sqlite3_bind_int64 (stmt, 3, g_get_real_time ());
  sqlite3_bind_text (stmt, 4, "task-1234", -1, SQLITE_STATIC);
  sqlite3_bind_int64 (stmt, 5, 1);
  sqlite3_bind_text (stmt, 6, EVENT_DATA, -1, SQLITE_STATIC);
  if (sqlite3_step (stmt) != SQLITE_DONE || sqlite3_reset (stmt) != SQLITE_OK)
    g_error ("%s", sqlite3_errmsg (db));
}

/* The least that SQLite itself takes: the same rows in one transaction, by one thread that does
 * nothing else. */
static double
time_sqlite (Bench *bench)
{
  g_autofree char *path = g_build_filename (bench->home, "floor.db", NULL);
  sqlite3 *db = NULL;
  sqlite3_stmt *stmt = NULL;
  gint64 begin;

  if (sqlite3_open (path, &db) != SQLITE_OK)
    g_error ("%s", sqlite3_errmsg (db));
  run_sql (db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
               "CREATE TABLE events (seq INTEGER PRIMARY KEY, type TEXT NOT NULL,"
               " time INTEGER NOT NULL, task TEXT, attempt INTEGER NOT NULL, data TEXT) STRICT");
  begin = g_get_monotonic_time ();
  run_sql (db, "BEGIN");
  if (sqlite3_prepare_v2 (db, "INSERT INTO events VALUES (?1, ?2, ?3, ?4, ?5, ?6)", -1, &stmt, NULL)
      != SQLITE_OK)
    g_error ("%s", sqlite3_errmsg (db));
  for (guint i = 0; i < N_EVENTS; i++)
    insert_event (db, stmt, i + 1);
  run_sql (db, "COMMIT");
  begin = g_get_monotonic_time () - begin;
  sqlite3_finalize (stmt);
  sqlite3_close (db);

  return (double) begin / G_USEC_PER_SEC;
}

static void
bench_events (Bench *bench)
{
  g_autoptr (ForeEvent) event = fore_event_new (FORE_EVENT_TASK_STATUS, "task-1234", 1, EVENT_DATA);
  gint64 begin = g_get_monotonic_time ();
  double seconds;
  double floor;

  for (guint i = 0; i < N_EVENTS; i++)
    fore_run_writer_put_event (bench->writer, event);
  barrier (bench);
  seconds = (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;
  floor = time_sqlite (bench);

  add_judged (bench, "events_per_second", N_EVENTS / seconds, 100000, 0);
  add_figure (bench, "sqlite_rows_per_second", N_EVENTS / floor);
  add_figure (bench, "events_to_sqlite_ratio", seconds / floor);
}

static ForeTask *
make_task (guint i)
{
  g_autofree char *key = g_strdup_printf ("task-%u", i);
  ForeTask *task = fore_task_new (key);

  task->position = i;
  task->title = g_strdup ("Add the parser for the header");
  task->role = g_strdup ("executor");
  task->agent = g_strdup ("executor");
  task->text = g_strdup ("Write the parser, its tests and the page of the manual about it.");
  task->depends_on = g_strsplit ("task-1 task-2 task-3", " ", 0);
  task->branch = g_strdup_printf ("foredeck/%s/%s", RUN, key);

  return task;
}

static void
bench_tasks (Bench *bench)
{
  g_autoptr (GPtrArray) tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_task_free);
  gint64 begin;
  gint64 put;

  for (guint i = 0; i < N_TASKS; i++)
    g_ptr_array_add (tasks, make_task (i));

  begin = g_get_monotonic_time ();
  for (guint i = 0; i < N_TASKS; i++)
    fore_run_writer_put_task (bench->writer, g_ptr_array_index (tasks, i));
  put = g_get_monotonic_time ();
  barrier (bench);

  add_judged (bench, "tasks_put_us_each", (double) (put - begin) / N_TASKS, 0, 5);
  add_judged (bench, "tasks_10000_flushed_ms", (double) (g_get_monotonic_time () - begin) / 1000, 0,
              1000);
}

static int
compare_ints (gconstpointer a, gconstpointer b)
{
  gint64 first = *(const gint64 *) a;
  gint64 second = *(const gint64 *) b;

  return first < second ? -1 : first > second;
}

static double
median (gint64 *times, guint n)
{
  qsort (times, n, sizeof times[0], compare_ints);

  return (double) times[n / 2];
}

/* A page appended and synced: the least that anything durable costs here. */
static gint64
time_bare_sync (int fd, const char *page)
{
  gint64 begin = g_get_monotonic_time ();

  if (write (fd, page, 4096) != 4096 || fsync (fd) != 0)
    g_error ("%s", g_strerror (errno));

  return g_get_monotonic_time () - begin;
}

static gint64
time_barrier (Bench *bench, const ForeEvent *event)
{
  gint64 begin = g_get_monotonic_time ();

  fore_run_writer_put_event (bench->writer, event);
  barrier (bench);

  return g_get_monotonic_time () - begin;
}

static void
bench_barrier (Bench *bench)
{
  g_autofree char *path = g_build_filename (bench->home, "bare", NULL);
  g_autofree char *page = g_malloc0 (4096);
  g_autoptr (ForeEvent) event = fore_event_new (FORE_EVENT_NOTICE, NULL, 0, NULL);
  gint64 bare[N_SYNCS];
  gint64 ours[N_SYNCS];
  int fd = g_open (path, O_WRONLY | O_CREAT | O_APPEND, 0600);

  for (guint i = 0; i < N_SYNCS; i++)
    {
      bare[i] = time_bare_sync (fd, page);
      ours[i] = time_barrier (bench, event);
    }
  close (fd);

  add_figure (bench, "bare_fsync_us", median (bare, N_SYNCS));
  add_figure (bench, "barrier_us", median (ours, N_SYNCS));
  add_judged (bench, "barrier_ratio", median (ours, N_SYNCS) / median (bare, N_SYNCS), 0, 2);
}

static void
on_barrier (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  fore_run_writer_barrier_finish (FORE_RUN_WRITER (source), result, &error);
  check (error);
  --*(guint *) user_data;
}

static void
bench_shared_barriers (Bench *bench)
{
  g_autoptr (ForeEvent) event = fore_event_new (FORE_EVENT_NOTICE, NULL, 0, NULL);
  gint64 begin = g_get_monotonic_time ();
  guint n = N_SHARING;

  for (guint i = 0; i < N_SHARING; i++)
    {
      fore_run_writer_put_event (bench->writer, event);
      fore_run_writer_barrier_async (bench->writer, NULL, on_barrier, &n);
    }
  while (n > 0)
    g_main_context_iteration (NULL, TRUE);

  add_figure (bench, "barriers_64_together_us", (double) (g_get_monotonic_time () - begin));
}

static void
bench_read (Bench *bench)
{
  g_autoptr (GError) error = NULL;
  gint64 begin = g_get_monotonic_time ();
  g_autoptr (ForeRunDelta) delta = fore_run_read (bench->store, RUN, 0, 0, 0, &error);

  check (error);
  g_assert_cmpuint (delta->tasks->len, ==, N_TASKS);
  add_figure (bench, "read_10000_tasks_ms", (double) (g_get_monotonic_time () - begin) / 1000);
}

int
main (int argc, char **argv)
{
  Bench bench;
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;

  bench_init (&bench);
  bench_events (&bench);
  bench_tasks (&bench);
  bench_barrier (&bench);
  bench_shared_barriers (&bench);
  bench_read (&bench);

  json_builder_end_object (bench.json);
  root = json_builder_get_root (bench.json);
  text = json_to_string (root, TRUE);
  g_print ("%s\n", text);
  bench_clear (&bench);

  return bench.good ? 0 : 1;
}
