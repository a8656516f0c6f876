/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store-fixture.h"

#include "model/fore-error.h"
#include "platform/fore-dirs.h"
#include "platform/fore-lock.h"
#include "store/fore-schema.h"

#include <glib/gstdio.h>
#include <string.h>
#include <utime.h>

#define TEST(name, func)                                                                           \
  g_test_add ("/store/schema/" name, StoreFixture, NULL, store_fixture_set_up, func,               \
              store_fixture_tear_down)

static const char *const steps[] = {
  "CREATE TABLE a (x INTEGER PRIMARY KEY, y TEXT) STRICT;"
  "CREATE TABLE b (z INTEGER REFERENCES a (x)) STRICT",
  "CREATE TABLE c (x INTEGER PRIMARY KEY, y TEXT NOT NULL) STRICT;"
  "INSERT INTO c SELECT x, y || '!' FROM a; DROP TABLE a; ALTER TABLE c RENAME TO a",
  "ALTER TABLE a ADD COLUMN w INTEGER NOT NULL DEFAULT 7",
};
static const char *const bad_steps[] = {
  "CREATE TABLE a (x INTEGER PRIMARY KEY, y TEXT) STRICT;"
  "CREATE TABLE b (z INTEGER REFERENCES a (x)) STRICT",
  "DELETE FROM a; INSERT INTO nowhere VALUES (1)",
};

static const ForeSchema version_1 = { "sample", steps, 1 };
static const ForeSchema version_3 = { "sample", steps, 3 };
static const ForeSchema broken = { "sample", bad_steps, 2 };

typedef struct
{
  char *file;
  char *backup;
} Paths;

static void
paths_init (Paths *paths, StoreFixture *fixture)
{
  paths->file = g_build_filename (fixture->home, "sample.db", NULL);
  paths->backup = g_build_filename (fixture->home, "backup", NULL);
}

static void
paths_clear (Paths *paths)
{
  g_free (paths->file);
  g_free (paths->backup);
}

static ForeSql *
make_version_1 (const Paths *paths)
{
  g_autoptr (GError) error = NULL;
  ForeSql *sql = fore_sql_open (paths->file, FORE_SQL_CREATE, &error);

  g_assert_no_error (error);
  fore_schema_migrate (sql, &version_1, paths->backup, &error);
  g_assert_no_error (error);
  fore_sql_exec (sql, "INSERT INTO a VALUES (1, 'one'), (2, 'two'); INSERT INTO b VALUES (2)",
                 &error);
  g_assert_no_error (error);

  return sql;
}

static char *
find_backup (const Paths *paths)
{
  g_autoptr (GDir) dir = g_dir_open (paths->backup, 0, NULL);
  const char *name = g_dir_read_name (dir);

  g_assert_null (g_dir_read_name (dir));
  return name != NULL ? g_build_filename (paths->backup, name, NULL) : NULL;
}

static gint64
get_int (ForeSql *sql, const char *text)
{
  g_autoptr (GError) error = NULL;
  gint64 value = -1;

  fore_sql_get_int (sql, text, &value, &error);
  g_assert_no_error (error);

  return value;
}

static void
test_forward (StoreFixture *fixture, gconstpointer data)
{
  Paths paths;
  g_autoptr (ForeSql) sql = NULL;
  g_autoptr (ForeSql) old = NULL;
  g_autofree char *backup = NULL;
  g_autoptr (GError) error = NULL;
  GStatBuf info;

  paths_init (&paths, fixture);
  sql = make_version_1 (&paths);
  g_assert_null (find_backup (&paths));

  fore_schema_migrate (sql, &version_3, paths.backup, &error);
  g_assert_no_error (error);
  g_assert_cmpint (get_int (sql, "PRAGMA user_version"), ==, 3);
  g_assert_cmpint (get_int (sql, "SELECT count(*) FROM a WHERE y = 'two!' AND w = 7"), ==, 1);
  g_assert_cmpint (get_int (sql, "PRAGMA foreign_keys"), ==, 1);

  backup = find_backup (&paths);
  g_assert_nonnull (backup);
  g_assert_cmpint (g_stat (backup, &info), ==, 0);
  g_assert_cmphex (info.st_mode & 0777, ==, 0600);
  old = fore_sql_open (backup, FORE_SQL_READ, &error);
  g_assert_cmpint (get_int (old, "PRAGMA user_version"), ==, 1);
  g_assert_cmpint (get_int (old, "SELECT count(*) FROM a WHERE y = 'two'"), ==, 1);
  paths_clear (&paths);
}

static void
test_failing_step (StoreFixture *fixture, gconstpointer data)
{
  Paths paths;
  g_autoptr (ForeSql) sql = NULL;
  g_autoptr (GError) error = NULL;

  paths_init (&paths, fixture);
  sql = make_version_1 (&paths);
  g_assert_false (fore_schema_migrate (sql, &broken, paths.backup, &error));
  g_assert_nonnull (error);
  g_assert_cmpint (get_int (sql, "PRAGMA user_version"), ==, 1);
  g_assert_cmpint (get_int (sql, "SELECT count(*) FROM a"), ==, 2);
  paths_clear (&paths);
}

static void
set_version (const char *path, int version)
{
  g_autofree char *text = g_strdup_printf ("PRAGMA user_version = %d", version);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeSql) sql = fore_sql_open (path, FORE_SQL_WRITE, &error);

  g_assert_no_error (error);
  fore_sql_exec (sql, text, &error);
  g_assert_no_error (error);
}

static char *
hash_file (const char *path)
{
  g_autofree char *content = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (guchar *) content, length);
}

static void
test_newer_index (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->home, "foredeck.db", NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GError) error = NULL;

  g_clear_object (&fixture->store);
  set_version (path, 99);
  before = hash_file (path);
  g_assert_null (fore_store_open (fixture->home, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NEWER);
  g_assert_nonnull (strstr (error->message, path));
  after = hash_file (path);
  g_assert_cmpstr (before, ==, after);
}

static void
test_newer_run (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->home, "runs/abcdefgh/run.db", NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (ForeCommand) command = fore_command_new (FORE_COMMAND_PAUSE, NULL, "window");
  g_autoptr (GError) error = NULL;

  g_object_unref (open_sample_run (fixture, "abcdefgh", 1));
  set_version (path, 99);
  before = hash_file (path);
  g_assert_null (fore_run_read (fixture->store, "abcdefgh", 0, 0, 0, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NEWER);
  g_clear_error (&error);
  g_assert_null (fore_run_writer_open (fixture->store, "abcdefgh", &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NEWER);
  g_clear_error (&error);
  g_assert_false (fore_run_client_command (fixture->store, "abcdefgh", command, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NEWER);
  after = hash_file (path);
  g_assert_cmpstr (before, ==, after);
  g_assert_false (fore_store_is_owned (fixture->store, "abcdefgh"));
}

/* A file whose making was interrupted before its first commit. */
static void
make_version_0 (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeSql) sql = NULL;

  g_remove (path);
  sql = fore_sql_open (path, FORE_SQL_CREATE, &error);
  g_assert_no_error (error);
  fore_sql_exec (sql, "CREATE TABLE early (x TEXT); INSERT INTO early VALUES ('kept')", &error);
  g_assert_no_error (error);
}

static void
test_only_owner_migrates_run (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->home, "runs/abcdefgh/run.db", NULL);
  Paths paths;
  g_autofree char *backup = NULL;
  g_autoptr (ForeRunWriter) writer = NULL;
  g_autoptr (ForeRunDelta) delta = NULL;
  g_autoptr (GError) error = NULL;

  paths_init (&paths, fixture);
  g_object_unref (open_sample_run (fixture, "abcdefgh", 1));
  make_version_0 (path);
  g_assert_null (fore_run_read (fixture->store, "abcdefgh", 0, 0, 0, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_STALE);
  g_clear_error (&error);
  g_assert_null (find_backup (&paths));

  writer = fore_run_writer_open (fixture->store, "abcdefgh", &error);
  g_assert_no_error (error);
  backup = find_backup (&paths);
  g_assert_nonnull (strstr (backup, "abcdefgh-v0"));
  delta = fore_run_read (fixture->store, "abcdefgh", 0, 0, 0, &error);
  g_assert_no_error (error);
  paths_clear (&paths);
}

/* What another version is at work on: it is not read, not written and not moved, whoever asks; the
 * owner's lock says so before anything is opened.
 */
static void
test_older_run_in_progress (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->home, "runs/abcdefgh/run.db", NULL);
  g_autofree char *lock_path = fore_dirs_dup_owner_lock_path (fixture->home, "abcdefgh");
  Paths paths;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (ForeCommand) command = fore_command_new (FORE_COMMAND_PAUSE, NULL, "window");
  g_autoptr (ForeLock) lock = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GError) error = NULL;

  paths_init (&paths, fixture);
  g_object_unref (open_sample_run (fixture, "abcdefgh", 1));
  make_version_0 (path);
  lock = fore_lock_try (lock_path, TRUE, "an older version", &error);
  g_assert_no_error (error);
  before = hash_file (path);

  g_assert_null (fore_run_writer_open (fixture->store, "abcdefgh", &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_BUSY);
  g_clear_error (&error);
  g_assert_null (fore_run_read (fixture->store, "abcdefgh", 0, 0, 0, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_STALE);
  g_clear_error (&error);
  g_assert_false (fore_run_client_command (fixture->store, "abcdefgh", command, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_STALE);
  g_clear_error (&error);
  g_assert_true (fore_store_check (fixture->store, problems, NULL, NULL));
  g_assert_true (fore_store_rebuild_index (fixture->store, NULL));
  g_clear_object (&fixture->store);
  fixture->store = fore_store_open (fixture->home, NULL);

  after = hash_file (path);
  g_assert_cmpstr (before, ==, after);
  g_assert_null (find_backup (&paths));
  paths_clear (&paths);
}

/* A file that cannot be read any more is not the end where an upgrade left a copy. */
static void
test_damaged_run_has_its_backup_offered (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->home, "runs/abcdefgh/run.db", NULL);
  Paths paths;
  g_autofree char *backup = NULL;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;

  paths_init (&paths, fixture);
  g_object_unref (open_sample_run (fixture, "abcdefgh", 1));
  g_object_unref (open_sample_run (fixture, "bcdefghi", 1));
  make_version_0 (path);
  g_object_unref (fore_run_writer_open (fixture->store, "abcdefgh", &error));
  g_assert_no_error (error);
  backup = find_backup (&paths);
  g_assert_nonnull (backup);
  g_assert_true (g_file_set_contents (path, "SQLite format 3 is what this was", -1, NULL));

  g_assert_true (fore_store_check (fixture->store, problems, NULL, NULL));
  g_assert_cmpuint (problems->len, >=, 2);
  g_assert_nonnull (strstr (g_ptr_array_index (problems, 1), backup));
  for (guint i = 0; i < problems->len; i++)
    g_assert_null (strstr (g_ptr_array_index (problems, i), "bcdefghi"));
  paths_clear (&paths);
}

static void
test_index_migrates_alone (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->home, "foredeck.db", NULL);
  Paths paths;
  g_autofree char *backup = NULL;
  g_autoptr (GError) error = NULL;

  paths_init (&paths, fixture);
  g_clear_object (&fixture->store);
  make_version_0 (path);
  fixture->store = fore_store_open (fixture->home, &error);
  g_assert_no_error (error);
  backup = find_backup (&paths);
  g_assert_nonnull (strstr (backup, "foredeck-"));
  g_assert_true (fore_store_add_project (fixture->store, "/p", &error));
  paths_clear (&paths);
}

static void
test_backups_are_kept_30_days (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *old = g_build_filename (fixture->home, "backup", "old.db", NULL);
  g_autofree char *young = g_build_filename (fixture->home, "backup", "young.db", NULL);
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  struct utimbuf long_ago = { now - 31 * 86400, now - 31 * 86400 };
  struct utimbuf lately = { now - 29 * 86400, now - 29 * 86400 };

  g_assert_true (g_file_set_contents (old, "x", 1, NULL));
  g_assert_true (g_file_set_contents (young, "x", 1, NULL));
  g_assert_cmpint (g_utime (old, &long_ago), ==, 0);
  g_assert_cmpint (g_utime (young, &lately), ==, 0);
  g_clear_object (&fixture->store);
  fixture->store = fore_store_open (fixture->home, NULL);
  g_assert_false (g_file_test (old, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (young, G_FILE_TEST_EXISTS));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("forward", test_forward);
  TEST ("failing-step", test_failing_step);
  TEST ("newer-index", test_newer_index);
  TEST ("newer-run", test_newer_run);
  TEST ("only-owner-migrates-run", test_only_owner_migrates_run);
  TEST ("older-run-in-progress", test_older_run_in_progress);
  TEST ("damaged-run-has-its-backup-offered", test_damaged_run_has_its_backup_offered);
  TEST ("index-migrates-alone", test_index_migrates_alone);
  TEST ("backups-are-kept-30-days", test_backups_are_kept_30_days);

  return g_test_run ();
}
