/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store-fixture.h"

#include "model/fore-error.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#define TEST(name, func)                                                                           \
  g_test_add ("/store/index/" name, StoreFixture, NULL, store_fixture_set_up, func,                \
              store_fixture_tear_down)

static void
create_run (StoreFixture *fixture, const char *id, guint n)
{
  g_autoptr (ForeRun) run = sample_run (id, n);
  g_autoptr (GError) error = NULL;

  run->status = n % 2 == 0 ? FORE_RUN_RUNNING : FORE_RUN_COMPLETED;
  fore_run_writer_create (fixture->store, run, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
create_five (StoreFixture *fixture)
{
  create_run (fixture, "aaaaaaaa", 1);
  create_run (fixture, "aaaaaaab", 2);
  create_run (fixture, "abaaaaaa", 3);
  create_run (fixture, "bbbbbbbb", 4);
  create_run (fixture, "cccccccc", 5);
}

static char *
join_ids (GPtrArray *runs)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < runs->len; i++)
    g_string_append_printf (text, "%c", ((ForeRun *) g_ptr_array_index (runs, i))->id[7]);

  return g_string_free (text, FALSE);
}

static void
assert_listed (StoreFixture *fixture,
               const char *project,
               const char *status,
               guint limit,
               guint offset,
               const char *last_letters)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = fore_store_list_runs (fixture->store, project, status, limit, offset,
                                                     &error);
  g_autofree char *ids = NULL;

  g_assert_no_error (error);
  ids = join_ids (runs);
  g_assert_cmpstr (ids, ==, last_letters);
}

static void
test_list (StoreFixture *fixture, gconstpointer data)
{
  create_five (fixture);
  assert_listed (fixture, NULL, NULL, 0, 0, "cbaba");
  assert_listed (fixture, NULL, NULL, 2, 1, "ba");
  assert_listed (fixture, NULL, "completed", 0, 0, "caa");
  assert_listed (fixture, "/projects/p2", NULL, 0, 0, "cb");
  assert_listed (fixture, "/projects/p2", "running", 0, 0, "b");
  assert_listed (fixture, "/nowhere", NULL, 0, 0, "");
}

static void
test_run_is_whole (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, "abcdefgh", 1);
  g_autoptr (ForeRun) run = sample_run ("abcdefgh", 9);
  g_autoptr (ForeRun) read = NULL;
  g_autoptr (GError) error = NULL;

  fore_run_writer_put_run (writer, run);
  fore_run_writer_close (writer, &error);
  g_assert_no_error (error);

  read = fore_store_get_run (fixture->store, "abcdefgh", &error);
  g_assert_no_error (error);
  assert_run_equal (read, run);
  g_assert_null (fore_store_get_run (fixture->store, "zzzzzzzz", &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
}

static void
test_long_goal (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRun) run = sample_run ("abcdefgh", 9);
  g_autoptr (ForeRun) read = NULL;
  g_autoptr (ForeRunDelta) delta = NULL;
  GString *goal = g_string_new (NULL);

  for (guint i = 0; i < 5000; i++)
    g_string_append (goal, "ü€");
  g_free (run->goal);
  run->goal = g_string_free (goal, FALSE);
  g_assert_true (fore_run_writer_create (fixture->store, run, NULL, NULL, NULL));

  read = fore_store_get_run (fixture->store, "abcdefgh", NULL);
  g_assert_cmpuint (strlen (read->goal), <=, 4096);
  g_assert_cmpuint (strlen (read->goal), >, 4000);
  g_assert_true (g_utf8_validate (read->goal, -1, NULL));
  delta = fore_run_read (fixture->store, "abcdefgh", 0, 0, 0, NULL);
  g_assert_cmpstr (delta->run->goal, ==, run->goal);
}

typedef struct
{
  StoreFixture *fixture;
  ForeRunStatus status;
} Wanted;

static gboolean
has_status (gpointer user_data)
{
  Wanted *wanted = user_data;
  g_autoptr (ForeRun) run = fore_store_get_run (wanted->fixture->store, "abcdefgh", NULL);

  return run->status == wanted->status;
}

static void
test_follows_writer (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, "abcdefgh", 1);
  Wanted wanted = { fixture, FORE_RUN_BLOCKED };
  g_autoptr (ForeRun) run = sample_run ("abcdefgh", 0);
  g_autoptr (ForeRequest) request = sample_request ("abcdefgh", 1);
  g_autoptr (GPtrArray) requests = NULL;

  run->status = FORE_RUN_BLOCKED;
  fore_run_writer_put_run (writer, run);
  fore_run_writer_put_request (writer, request);
  run_until_func (has_status, &wanted);

  requests = fore_store_list_requests (fixture->store, TRUE, NULL);
  g_assert_cmpuint (requests->len, ==, 1);
  assert_request_equal (g_ptr_array_index (requests, 0), request);
}

/* A program that has the index and does not let go of it keeps no run from going on. */
static void
test_index_is_held (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, "abcdefgh", 1);
  g_autofree char *path = g_build_filename (fixture->home, "foredeck.db", NULL);
  Wanted wanted = { fixture, FORE_RUN_BLOCKED };
  g_autoptr (ForeRun) run = sample_run ("abcdefgh", 0);
  g_autoptr (GError) error = NULL;
  sqlite3 *holder;

  g_assert_cmpint (sqlite3_open (path, &holder), ==, SQLITE_OK);
  sqlite3_busy_timeout (holder, 5000);
  g_assert_cmpint (sqlite3_exec (holder, "BEGIN IMMEDIATE", NULL, NULL, NULL), ==, SQLITE_OK);
  run->status = FORE_RUN_BLOCKED;
  for (guint i = 0; i < 20; i++)
    {
      fore_run_writer_put_run (writer, run);
      fore_run_writer_barrier (writer, &error);
      g_assert_no_error (error);
    }
  g_assert_false (has_status (&wanted));

  sqlite3_exec (holder, "ROLLBACK", NULL, NULL, NULL);
  sqlite3_close (holder);
  run_until_func (has_status, &wanted);
}

static void
assert_found (StoreFixture *fixture, const char *prefix, const char *id)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *found = fore_store_find_run (fixture->store, prefix, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, id);
}

static void
assert_not_found (StoreFixture *fixture, const char *prefix, int code, const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (fore_store_find_run (fixture->store, prefix, &error));
  g_assert_error (error, FORE_ERROR, code);
  g_assert_nonnull (strstr (error->message, word));
}

static void
test_find_run (StoreFixture *fixture, gconstpointer data)
{
  create_five (fixture);
  assert_found (fixture, "c", "cccccccc");
  assert_found (fixture, "ab", "abaaaaaa");
  assert_found (fixture, "aaaaaaaa", "aaaaaaaa");
  assert_not_found (fixture, "aa", FORE_ERROR_USAGE, "aaaaaaaa, aaaaaaab");
  assert_not_found (fixture, "zz", FORE_ERROR_NOT_FOUND, "zz");
  assert_not_found (fixture, "", FORE_ERROR_NOT_FOUND, "");
  assert_not_found (fixture, "%", FORE_ERROR_NOT_FOUND, "%");
  assert_not_found (fixture, "../aaaaaaaa", FORE_ERROR_NOT_FOUND, "..");
}

static void
put_requests (StoreFixture *fixture)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, "abcdefgh", 1);
  static const guint numbers[] = { 1, 2, 11 };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (ForeRequest) request = sample_request ("abcdefgh", numbers[i]);

      if (i == 1)
        {
          request->state = FORE_REQUEST_ANSWERED;
          request->answered = 1;
          request->created = 1;
        }
      fore_run_writer_put_request (writer, request);
    }

  g_assert_true (fore_run_writer_close (writer, NULL));
}

static void
test_find_request (StoreFixture *fixture, gconstpointer data)
{
  static const char *const found[][2] = {
    { "abcdefgh-1", "abcdefgh-1" }, { "ab-1", "abcdefgh-1" },       { "ab-2", "abcdefgh-2" },
    { "a-11", "abcdefgh-11" },      { "abcdefgh-2", "abcdefgh-2" },
  };
  g_autoptr (GError) error = NULL;

  put_requests (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (found); i++)
    {
      g_autofree char *id = fore_store_find_request (fixture->store, found[i][0], &error);

      g_assert_no_error (error);
      g_assert_cmpstr (id, ==, found[i][1]);
    }

  g_assert_null (fore_store_find_request (fixture->store, "ab", &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, "abcdefgh-1, abcdefgh-11"));
  g_clear_error (&error);
  g_assert_null (fore_store_find_request (fixture->store, "ab-3", &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
}

static void
test_old_requests_go (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) all = NULL;

  put_requests (fixture);
  all = fore_store_list_requests (fixture->store, FALSE, NULL);
  g_assert_cmpuint (all->len, ==, 2);
}

static void
test_projects_and_trust (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) projects = NULL;
  g_autoptr (GError) error = NULL;

  create_five (fixture);
  g_assert_true (fore_store_add_project (fixture->store, "/projects/new", &error));
  g_assert_true (fore_store_add_project (fixture->store, "/projects/new", &error));
  projects = fore_store_list_projects (fixture->store, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (projects->len, ==, 4);
  g_assert_cmpstr (g_ptr_array_index (projects, 0), ==, "/projects/new");

  g_assert_false (fore_store_is_trusted (fixture->store, "/projects/p1"));
  g_assert_true (fore_store_trust (fixture->store, "/projects/p1", TRUE, &error));
  g_assert_true (fore_store_is_trusted (fixture->store, "/projects/p1"));
  g_assert_false (fore_store_is_trusted (fixture->store, "/projects/p2"));
  g_assert_true (fore_store_rebuild_index (fixture->store, &error));
  g_assert_true (fore_store_is_trusted (fixture->store, "/projects/p1"));
  g_assert_true (fore_store_trust (fixture->store, "/projects/p1", FALSE, &error));
  g_assert_false (fore_store_is_trusted (fixture->store, "/projects/p1"));
}

static void
test_day_cost (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, "abcdefgh", 1);
  g_autoptr (ForeAttempt) first = sample_attempt ("t-0", 1);
  g_autoptr (ForeAttempt) second = sample_attempt ("t-0", 2);
  g_autoptr (ForeAttempt) old = sample_attempt ("t-0", 3);

  old->started -= 3 * G_TIME_SPAN_DAY;
  fore_run_writer_put_attempt (writer, first);
  fore_run_writer_put_attempt (writer, second);
  fore_run_writer_put_attempt (writer, old);
  first->usage.cost = 4000;
  fore_run_writer_put_attempt (writer, first);
  fore_run_writer_close (writer, NULL);
  g_assert_cmpint (fore_store_get_day_cost (fixture->store, NULL), ==, 6000);

  g_clear_object (&writer);
  writer = fore_run_writer_open (fixture->store, "abcdefgh", NULL);
  second->usage.cost = 5000;
  fore_run_writer_put_attempt (writer, second);
  fore_run_writer_close (writer, NULL);
  g_assert_cmpint (fore_store_get_day_cost (fixture->store, NULL), ==, 9000);
  g_assert_true (fore_store_rebuild_index (fixture->store, NULL));
  g_assert_cmpint (fore_store_get_day_cost (fixture->store, NULL), ==, 9000);
}

/* Everything in the index but what only counts its changes, as text. */
static char *
dump_index (StoreFixture *fixture)
{
  static const char *const queries[] = {
    "SELECT * FROM runs ORDER BY id",
    "SELECT * FROM requests ORDER BY id",
    "SELECT * FROM day_costs ORDER BY day, run",
    "SELECT path, trusted FROM projects ORDER BY path",
  };
  g_autofree char *path = g_build_filename (fixture->home, "foredeck.db", NULL);
  GString *text = g_string_new (NULL);
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      sqlite3_stmt *stmt;

      g_assert_cmpint (sqlite3_prepare_v2 (db, queries[i], -1, &stmt, NULL), ==, SQLITE_OK);
      while (sqlite3_step (stmt) == SQLITE_ROW)
        {
          for (int c = 0; c < sqlite3_column_count (stmt); c++)
            {
              if (g_strcmp0 (sqlite3_column_name (stmt, c), "stamp") != 0)
                g_string_append_printf (text, "%s|", (const char *) sqlite3_column_text (stmt, c));
            }
          g_string_append_c (text, '\n');
        }
      sqlite3_finalize (stmt);
    }
  sqlite3_close (db);

  return g_string_free (text, FALSE);
}

static void
fill (StoreFixture *fixture)
{
  g_autoptr (ForeRunWriter) writer = NULL;
  g_autoptr (ForeAttempt) attempt = sample_attempt ("t-0", 3);
  g_autoptr (ForeAnswer) answer = fore_answer_new ("abcdefgh-1", "0", "window");

  create_five (fixture);
  put_requests (fixture);
  writer = fore_run_writer_open (fixture->store, "abcdefgh", NULL);
  fore_run_writer_put_attempt (writer, attempt);
  g_assert_true (fore_run_writer_close (writer, NULL));
  answer->plan_version = 2;
  answer->plan_hash = g_strdup ("hash-of-2");
  g_assert_true (fore_run_client_answer (fixture->store, answer, NULL));
}

static void
test_rebuild_equals (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GError) error = NULL;

  fill (fixture);
  before = dump_index (fixture);
  g_assert_nonnull (strstr (before, "bbbbbbbb"));
  g_assert_true (fore_store_rebuild_index (fixture->store, &error));
  g_assert_no_error (error);
  after = dump_index (fixture);
  g_assert_cmpstr (before, ==, after);
}

static void
reopen (StoreFixture *fixture, int code)
{
  g_autoptr (GError) error = NULL;

  fixture->store = fore_store_open (fixture->home, &error);
  if (code == 0)
    g_assert_no_error (error);
  else
    g_assert_error (error, FORE_ERROR, code);
}

/* What a power cut takes from the index, which is not forced to the disk as the runs' files are. */
static void
lose_from_index (StoreFixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->home, "foredeck.db", NULL);
  sqlite3 *db;

  g_clear_object (&fixture->store);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db,
                                 "DELETE FROM requests; UPDATE runs SET status = 'planning';"
                                 "DELETE FROM day_costs; DELETE FROM runs WHERE id > 'c'",
                                 NULL, NULL, NULL),
                   ==, SQLITE_OK);
  sqlite3_close (db);
}

static void
test_behind_after_boot (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *boot = g_build_filename (fixture->home, "boot", NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *same_boot = NULL;

  fill (fixture);
  before = dump_index (fixture);
  g_assert_true (g_file_set_contents (boot, "another boot", -1, NULL));
  lose_from_index (fixture);
  reopen (fixture, 0);
  after = dump_index (fixture);
  g_assert_cmpstr (before, ==, after);

  lose_from_index (fixture);
  reopen (fixture, 0);
  same_boot = dump_index (fixture);
  g_assert_cmpstr (before, !=, same_boot);
}

static void
remove_index (StoreFixture *fixture)
{
  static const char *const names[] = { "foredeck.db", "foredeck.db-wal", "foredeck.db-shm" };

  g_clear_object (&fixture->store);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (fixture->home, names[i], NULL);

      g_remove (path);
    }
}

static void
test_missing_index_is_made (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  fill (fixture);
  before = dump_index (fixture);
  remove_index (fixture);
  reopen (fixture, 0);
  after = dump_index (fixture);
  g_assert_cmpstr (before, ==, after);
}

static void
damage (const char *path)
{
  g_autofree char *content = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  for (gsize i = 0; i < length; i++)
    content[i] = (char) (i * 7);
  g_assert_true (g_file_set_contents (path, content, (gssize) length, NULL));
}

static void
test_damaged_index (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->home, "foredeck.db", NULL);
  g_autoptr (GError) error = NULL;

  create_five (fixture);
  g_clear_object (&fixture->store);
  damage (path);

  fixture->store = fore_store_open (fixture->home, &error);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT);
  g_assert_nonnull (strstr (error->message, path));
  g_clear_error (&error);

  g_assert_true (fore_store_repair (fixture->home, &error));
  g_assert_no_error (error);
  reopen (fixture, 0);
  assert_listed (fixture, NULL, NULL, 0, 0, "cbaba");
}

static void
test_repair_needs_all_closed (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (fore_store_repair (fixture->home, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_BUSY);
}

static void
test_damaged_run (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->home, "runs/cccccccc/run.db", NULL);
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;

  create_five (fixture);
  damage (path);
  g_assert_null (fore_run_read (fixture->store, "cccccccc", 0, 0, 0, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT);
  g_assert_nonnull (strstr (error->message, path));
  g_clear_error (&error);
  g_assert_null (fore_run_writer_open (fixture->store, "cccccccc", &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT);
  g_clear_error (&error);

  g_assert_true (fore_store_check (fixture->store, problems, NULL, &error));
  g_assert_cmpuint (problems->len, ==, 1);
  g_assert_nonnull (strstr (g_ptr_array_index (problems, 0), path));
  g_assert_true (fore_store_rebuild_index (fixture->store, &error));
  assert_listed (fixture, NULL, NULL, 0, 0, "baba");
}

static void
test_check_finds_gaps (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->home, "foredeck.db", NULL);
  g_autofree char *folder = g_build_filename (fixture->home, "runs/bbbbbbbb", NULL);
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  sqlite3 *db;

  create_five (fixture);
  g_assert_true (fore_store_check (fixture->store, problems, NULL, NULL));
  g_assert_cmpuint (problems->len, ==, 0);

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_exec (db, "DELETE FROM runs WHERE id = 'aaaaaaaa'", NULL, NULL, NULL);
  sqlite3_close (db);
  store_fixture_remove (folder);
  g_assert_true (fore_store_check (fixture->store, problems, NULL, NULL));
  g_assert_cmpuint (problems->len, ==, 2);
  g_assert_nonnull (strstr (g_ptr_array_index (problems, 0), "aaaaaaaa"));
  g_assert_nonnull (strstr (g_ptr_array_index (problems, 1), "bbbbbbbb"));
}

static void
test_unwritable_home (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->home, "file", NULL);
  g_autofree char *below = g_build_filename (file, "home", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  g_assert_null (fore_store_open (below, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT);
  g_clear_error (&error);

  if (getuid () == 0)
    return;

  g_clear_object (&fixture->store);
  g_assert_cmpint (g_chmod (fixture->home, 0500), ==, 0);
  fixture->store = fore_store_open (fixture->home, &error);
  g_chmod (fixture->home, 0700);
  g_assert_null (fixture->store);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT);
}

static void
test_500_runs (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->home, "foredeck.db", NULL);
  g_autoptr (GPtrArray) runs = NULL;
  gint64 begin;
  gint64 took;
  sqlite3 *db;

  create_run (fixture, "aaaaaaaa", 1);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_exec (db, "CREATE TEMP TABLE t AS SELECT * FROM runs", NULL, NULL, NULL);
  for (guint i = 0; i < 499; i++)
    {
      g_autofree char *sql = g_strdup_printf ("UPDATE t SET id = 'b%07u', created = created + 1;"
                                              "INSERT INTO runs SELECT * FROM t",
                                              i);

      g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
    }
  sqlite3_close (db);

  begin = g_get_monotonic_time ();
  runs = fore_store_list_runs (fixture->store, NULL, NULL, 0, 0, NULL);
  took = g_get_monotonic_time () - begin;
  g_assert_cmpuint (runs->len, ==, 500);
  g_test_minimized_result ((double) took / 1000, "500 runs listed in %.1f ms",
                           (double) took / 1000);
  g_assert_cmpint (took, <, G_USEC_PER_SEC);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("list", test_list);
  TEST ("run-is-whole", test_run_is_whole);
  TEST ("long-goal", test_long_goal);
  TEST ("follows-writer", test_follows_writer);
  TEST ("index-is-held", test_index_is_held);
  TEST ("find-run", test_find_run);
  TEST ("find-request", test_find_request);
  TEST ("old-requests-go", test_old_requests_go);
  TEST ("projects-and-trust", test_projects_and_trust);
  TEST ("day-cost", test_day_cost);
  TEST ("rebuild-equals", test_rebuild_equals);
  TEST ("behind-after-boot", test_behind_after_boot);
  TEST ("missing-index-is-made", test_missing_index_is_made);
  TEST ("damaged-index", test_damaged_index);
  TEST ("repair-needs-all-closed", test_repair_needs_all_closed);
  TEST ("damaged-run", test_damaged_run);
  TEST ("check-finds-gaps", test_check_finds_gaps);
  TEST ("unwritable-home", test_unwritable_home);
  TEST ("500-runs", test_500_runs);

  return g_test_run ();
}
