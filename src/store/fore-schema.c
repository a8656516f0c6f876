/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-schema.h"

#include "model/fore-error.h"
#include "platform/fore-clock.h"
#include "platform/fore-dirs.h"
#include "platform/fore-files.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#define BACKUP_DAYS 30

#define USAGE_COLUMNS                                                                              \
  "input INTEGER, output INTEGER, cache_read INTEGER, cache_write INTEGER, cost INTEGER,"          \
  "estimated INTEGER NOT NULL,"

#define RUN_COLUMNS                                                                                \
  "id TEXT PRIMARY KEY, project TEXT, goal TEXT, title TEXT, team TEXT, workflow TEXT,"            \
  "isolation TEXT NOT NULL, approval TEXT NOT NULL, on_failure TEXT NOT NULL,"                     \
  "jobs INTEGER NOT NULL, budget_tokens INTEGER, budget_cost INTEGER, timeout INTEGER NOT NULL,"   \
  "default_cli TEXT, default_model TEXT, snapshot INTEGER NOT NULL, demo INTEGER NOT NULL,"        \
  "status TEXT NOT NULL, phase_text TEXT, approved INTEGER NOT NULL,"                              \
  "plan_version INTEGER NOT NULL, approved_version INTEGER NOT NULL,"                              \
  "created INTEGER NOT NULL, started INTEGER NOT NULL, finished INTEGER NOT NULL,"                 \
  "owner_pid INTEGER NOT NULL, owner_host TEXT, owner_version TEXT," USAGE_COLUMNS                 \
  "base_branch TEXT, base_commit TEXT, result_branch TEXT, result_commit TEXT,"                    \
  "merged_into TEXT, merged_commit TEXT, files INTEGER, insertions INTEGER, deletions INTEGER,"    \
  "verified TEXT NOT NULL, counts TEXT NOT NULL, n_tasks INTEGER NOT NULL, rev INTEGER NOT NULL"

#define REQUEST_COLUMNS                                                                            \
  "task TEXT, attempt INTEGER NOT NULL, kind TEXT NOT NULL, title TEXT, body TEXT, options TEXT,"  \
  "plan_version INTEGER NOT NULL, plan_hash TEXT, reply_to TEXT, created INTEGER NOT NULL,"        \
  "expires INTEGER NOT NULL, state TEXT NOT NULL, answer TEXT, answer_text TEXT,"                  \
  "answered_by TEXT, answered INTEGER NOT NULL, rev INTEGER NOT NULL"

#define COUNTER                                                                                    \
  "CREATE TABLE counter (one INTEGER PRIMARY KEY CHECK (one = 1), rev INTEGER NOT NULL) STRICT;"   \
  "INSERT INTO counter VALUES (1, 0);"

static const char *const run_steps[] = {
  COUNTER
  "CREATE TABLE run (" RUN_COLUMNS ") STRICT;"
  "CREATE TABLE tasks (key TEXT PRIMARY KEY, position INTEGER NOT NULL, title TEXT, role TEXT,"
  "agent TEXT, cli TEXT, model TEXT, step TEXT, text TEXT, command TEXT, depends_on TEXT,"
  "paths TEXT, checks TEXT, writes INTEGER NOT NULL, adaptive INTEGER NOT NULL,"
  "live INTEGER NOT NULL, plan_version INTEGER NOT NULL, retries INTEGER NOT NULL,"
  "status TEXT NOT NULL, phase TEXT NOT NULL, waits_for TEXT, mark TEXT, worker TEXT NOT NULL,"
  "effect TEXT NOT NULL, verified TEXT NOT NULL, attempts INTEGER NOT NULL,"
  "starts INTEGER NOT NULL, not_before INTEGER NOT NULL," USAGE_COLUMNS
  "files TEXT, result TEXT, message TEXT, cause TEXT NOT NULL, branch TEXT, worktree TEXT,"
  "gitdir TEXT, base TEXT, commit_id TEXT, feedback TEXT, started INTEGER NOT NULL,"
  "finished INTEGER NOT NULL, rev INTEGER NOT NULL) STRICT;"
  "CREATE INDEX tasks_rev ON tasks (rev);"
  "CREATE TABLE attempts (task TEXT NOT NULL REFERENCES tasks (key) DEFERRABLE INITIALLY DEFERRED,"
  "n INTEGER NOT NULL, cli TEXT, model TEXT, session TEXT, live INTEGER NOT NULL,"
  "pid INTEGER NOT NULL, pid_start INTEGER NOT NULL, boot_id TEXT, started INTEGER NOT NULL,"
  "finished INTEGER NOT NULL, exit_code INTEGER NOT NULL, term_signal INTEGER NOT NULL,"
  "cause TEXT NOT NULL, message TEXT," USAGE_COLUMNS
  "argv TEXT, env_names TEXT, cwd TEXT, result TEXT, base TEXT, commit_id TEXT,"
  "rev INTEGER NOT NULL, PRIMARY KEY (task, n)) STRICT;"
  "CREATE INDEX attempts_rev ON attempts (rev);"
  "CREATE TABLE plans (version INTEGER PRIMARY KEY, task TEXT, title TEXT, summary TEXT,"
  "items TEXT, hash TEXT, repaired TEXT, created INTEGER NOT NULL, rev INTEGER NOT NULL) STRICT;"
  "CREATE TABLE requests (id TEXT PRIMARY KEY, run TEXT NOT NULL," REQUEST_COLUMNS ") STRICT;"
  "CREATE INDEX requests_rev ON requests (rev);"
  "CREATE TABLE answers (request TEXT PRIMARY KEY REFERENCES requests (id), option TEXT, text TEXT,"
  "plan_json TEXT, plan_version INTEGER NOT NULL, plan_hash TEXT, by TEXT, time INTEGER NOT NULL,"
  "rev INTEGER NOT NULL) STRICT;"
  "CREATE INDEX answers_rev ON answers (rev);"
  "CREATE TABLE commands (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, args TEXT,"
  "by TEXT, time INTEGER NOT NULL, state TEXT NOT NULL, code INTEGER NOT NULL, message TEXT,"
  "rev INTEGER NOT NULL) STRICT;"
  "CREATE INDEX commands_rev ON commands (rev);"
  "CREATE TABLE messages (id INTEGER PRIMARY KEY, sender TEXT, receiver TEXT, kind TEXT, text TEXT,"
  "state TEXT NOT NULL, time INTEGER NOT NULL, rev INTEGER NOT NULL) STRICT;"
  "CREATE INDEX messages_rev ON messages (rev);"
  "CREATE TABLE events (seq INTEGER PRIMARY KEY, type TEXT NOT NULL, time INTEGER NOT NULL,"
  "task TEXT, attempt INTEGER NOT NULL, data TEXT) STRICT;",
};

static const char *const index_steps[] = {
  COUNTER "CREATE TABLE projects (path TEXT PRIMARY KEY, added INTEGER NOT NULL,"
          "trusted INTEGER NOT NULL) STRICT;"
          "CREATE TABLE runs (" RUN_COLUMNS ", stamp INTEGER NOT NULL) STRICT;"
          "CREATE INDEX runs_created ON runs (created DESC, id);"
          "CREATE INDEX runs_project ON runs (project, created DESC);"
          "CREATE TABLE requests (id TEXT PRIMARY KEY, run TEXT NOT NULL REFERENCES runs (id)"
          " ON DELETE CASCADE," REQUEST_COLUMNS ", stamp INTEGER NOT NULL) STRICT;"
          "CREATE INDEX requests_run ON requests (run);"
          "CREATE INDEX requests_state ON requests (state, created);"
          "CREATE TABLE day_costs (day TEXT NOT NULL, run TEXT NOT NULL REFERENCES runs (id)"
          " ON DELETE CASCADE, cost INTEGER NOT NULL, PRIMARY KEY (day, run)) STRICT;",
  "CREATE TABLE durations (project TEXT NOT NULL, name TEXT NOT NULL, ms INTEGER NOT NULL,"
  "n INTEGER NOT NULL, PRIMARY KEY (project, name)) STRICT;",
  "ALTER TABLE durations ADD COLUMN tokens INTEGER; ALTER TABLE durations ADD COLUMN cost INTEGER;"
  "ALTER TABLE durations ADD COLUMN off_ms INTEGER; ALTER TABLE durations ADD COLUMN off_tokens "
  "INTEGER;",
};

static const ForeSchema run_schema = { "run", run_steps, G_N_ELEMENTS (run_steps) };
static const ForeSchema index_schema = { "foredeck", index_steps, G_N_ELEMENTS (index_steps) };

static gboolean
get_version (ForeSql *sql, const ForeSchema *schema, guint *version, GError **error)
{
  gint64 found;

  if (!fore_sql_get_int (sql, "PRAGMA user_version", &found, error))
    return FALSE;

  if (found < 0 || found > schema->n_steps)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NEWER,
                   _ ("“%s” was written by a newer version of Foredeck; update Foredeck."),
                   fore_sql_get_path (sql));
      return FALSE;
    }

  *version = (guint) found;
  return TRUE;
}

static gboolean
is_empty (ForeSql *sql, gboolean *empty, GError **error)
{
  gint64 n;

  if (!fore_sql_get_int (sql, "SELECT count(*) FROM sqlite_schema", &n, error))
    return FALSE;

  *empty = n == 0;
  return TRUE;
}

static char *
dup_backup_path (ForeSql *sql, const ForeSchema *schema, guint version, const char *backup_dir)
{
  g_autoptr (GDateTime) now = g_date_time_new_from_unix_utc (fore_clock_now_us () / G_USEC_PER_SEC);
  g_autofree char *stamp = g_date_time_format (now, "%Y%m%dT%H%M%SZ");
  g_autofree char *folder = g_path_get_dirname (fore_sql_get_path (sql));
  g_autofree char *owner = g_path_get_basename (folder);
  g_autofree char *name = g_strdup_printf ("%s-%s-v%u-%s-%08x.db", schema->name, owner, version,
                                           stamp, g_random_int ());

  return g_build_filename (backup_dir, name, NULL);
}

static gboolean
back_up (
    ForeSql *sql, const ForeSchema *schema, guint version, const char *backup_dir, GError **error)
{
  g_autofree char *path = dup_backup_path (sql, schema, version, backup_dir);
  sqlite3_stmt *stmt;
  int fd;

  if (!fore_dirs_ensure_dir (backup_dir, error))
    return FALSE;

  /* made here for the sake of its mode: VACUUM INTO takes an empty file */
  fd = g_open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("The backup “%s” cannot be made; check the permissions of its folder."),
                   path);
      return FALSE;
    }

  if (!g_close (fd, error))
    return FALSE;

  stmt = fore_sql_get (sql, "VACUUM INTO ?1", error);
  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_text (stmt, 1, path, -1, SQLITE_TRANSIENT);
  return fore_sql_run (sql, stmt, error);
}

static gboolean
check_keys (ForeSql *sql, GError **error)
{
  gint64 broken;

  if (!fore_sql_get_int (sql, "SELECT count(*) FROM pragma_foreign_key_check", &broken, error))
    return FALSE;

  if (broken == 0)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
               _ ("“%s” has rows that point nowhere; run “foredeckctl doctor --check-store”."),
               fore_sql_get_path (sql));
  return FALSE;
}

static gboolean
run_steps_from (ForeSql *sql, const ForeSchema *schema, GError **error)
{
  g_autofree char *set_version = g_strdup_printf ("PRAGMA user_version = %u", schema->n_steps);
  guint version;

  /* read again: another process may have done it between the look and the lock */
  if (!get_version (sql, schema, &version, error))
    return FALSE;

  for (guint i = version; i < schema->n_steps; i++)
    {
      if (!fore_sql_exec (sql, schema->steps[i], error))
        return FALSE;
    }

  return check_keys (sql, error) && fore_sql_exec (sql, set_version, error);
}

static gboolean
apply_steps (ForeSql *sql, const ForeSchema *schema, GError **error)
{
  if (!fore_sql_exec (sql, "PRAGMA foreign_keys = OFF", error) || !fore_sql_begin (sql, error))
    return FALSE;

  if (!run_steps_from (sql, schema, error))
    {
      fore_sql_rollback (sql);
      return FALSE;
    }

  return fore_sql_commit (sql, error) && fore_sql_exec (sql, "PRAGMA foreign_keys = ON", error);
}

/**
 * fore_schema_get_run:
 *
 * Returns: (transfer none): the schema of a run's file
 */
const ForeSchema *
fore_schema_get_run (void)
{
  return &run_schema;
}

/**
 * fore_schema_get_index:
 *
 * Returns: (transfer none): the schema of the index
 */
const ForeSchema *
fore_schema_get_index (void)
{
  return &index_schema;
}

/**
 * fore_schema_check:
 * @sql: a connection
 * @schema: what the file should be
 * @error: return location
 *
 * For everybody who may not migrate the file.
 *
 * Returns: %FALSE if it cannot be used as it is: %FORE_ERROR_NEWER, or %FORE_ERROR_STALE for a
 *   file that its owner has not brought up to date yet
 */
gboolean
fore_schema_check (ForeSql *sql, const ForeSchema *schema, GError **error)
{
  guint version;

  if (!get_version (sql, schema, &version, error))
    return FALSE;

  if (version == schema->n_steps)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_STALE,
               _ ("“%s” is of an older version of Foredeck, which finishes with it first; resume "
                  "the run."),
               fore_sql_get_path (sql));
  return FALSE;
}

/**
 * fore_schema_needs_migration:
 * @sql: a connection
 * @schema: what the file should be
 * @needed: (out): whether the file is older than that
 * @is_new: (out): whether there is nothing in it yet
 * @error: return location
 *
 * Returns: %FALSE on an error; %FORE_ERROR_NEWER for a newer file
 */
gboolean
fore_schema_needs_migration (
    ForeSql *sql, const ForeSchema *schema, gboolean *needed, gboolean *is_new, GError **error)
{
  guint version;

  if (!get_version (sql, schema, &version, error) || !is_empty (sql, is_new, error))
    return FALSE;

  *needed = version < schema->n_steps;
  return TRUE;
}

/**
 * fore_schema_migrate:
 * @sql: a connection that may write
 * @schema: what the file should be
 * @backup_dir: folder for a copy of what was there
 * @error: return location
 *
 * Brings a file forward in one transaction, after a backup if there was anything in it. The caller
 * holds the lock that keeps others from using it.
 *
 * Returns: %FALSE on an error; the file is as before then
 */
gboolean
fore_schema_migrate (ForeSql *sql, const ForeSchema *schema, const char *backup_dir, GError **error)
{
  gboolean empty;
  guint version;

  g_return_val_if_fail (sql != NULL && schema != NULL && backup_dir != NULL, FALSE);

  if (!get_version (sql, schema, &version, error))
    return FALSE;

  if (version == schema->n_steps)
    return TRUE;

  if (!is_empty (sql, &empty, error))
    return FALSE;

  if (!empty && !back_up (sql, schema, version, backup_dir, error))
    return FALSE;

  return apply_steps (sql, schema, error);
}

/**
 * fore_schema_prune_backups:
 * @backup_dir: folder of backups, may be missing
 *
 * Removes backups that are older than 30 days.
 */
void
fore_schema_prune_backups (const char *backup_dir)
{
  g_autoptr (GDir) dir = g_dir_open (backup_dir, 0, NULL);
  gint64 limit = fore_clock_now_us () / G_USEC_PER_SEC - BACKUP_DAYS * G_GINT64_CONSTANT (86400);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (backup_dir, name, NULL);
      GStatBuf info;

      if (g_stat (path, &info) == 0 && (gint64) info.st_mtime < limit)
        g_unlink (path);
    }
}
