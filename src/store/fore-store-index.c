/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-store-private.h"

#include "model/fore-error.h"
#include "model/fore-id.h"
#include "platform/fore-clock.h"
#include "platform/fore-dirs.h"
#include "store/fore-index.h"
#include "store/fore-rebuild.h"
#include "store/fore-run-file.h"
#include "store/fore-run-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef gboolean (*IndexFunc) (ForeSql *sql, gpointer data, GError **error);

/* Runs @func in one transaction that writes. */
static gboolean
change_index (ForeStore *self, IndexFunc func, gpointer data, GError **error)
{
  ForeSql *sql = fore_store_borrow_index (self, error);
  gboolean done;

  if (sql == NULL)
    return FALSE;

  done = fore_sql_begin (sql, error) && func (sql, data, error) && fore_sql_commit (sql, error);
  fore_store_give_back_index (self, sql);
  if (done)
    fore_store_ring (self);

  return done;
}

/**
 * fore_store_list_runs:
 * @self: a store
 * @project: (nullable): only runs of this project
 * @status: (nullable): only runs with this status
 * @limit: most runs, 0 for all
 * @offset: how many to leave out first
 * @error: return location
 *
 * Returns: (transfer full) (nullable) (element-type ForeRun): runs, newest first
 */
GPtrArray *
fore_store_list_runs (ForeStore *self,
                      const char *project,
                      const char *status,
                      guint limit,
                      guint offset,
                      GError **error)
{
  GPtrArray *runs;
  ForeSql *sql;

  g_return_val_if_fail (FORE_IS_STORE (self), NULL);

  sql = fore_store_borrow_index (self, error);
  if (sql == NULL)
    return NULL;

  runs = fore_index_list_runs (sql, project, status, limit, offset, error);
  fore_store_give_back_index (self, sql);

  return runs;
}

/**
 * fore_store_get_run:
 * @self: a store
 * @run_id: a whole id
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the run as the index knows it; %FORE_ERROR_NOT_FOUND
 */
ForeRun *
fore_store_get_run (ForeStore *self, const char *run_id, GError **error)
{
  ForeRun *run = NULL;
  gboolean read;
  ForeSql *sql;

  g_return_val_if_fail (FORE_IS_STORE (self), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);

  sql = fore_store_borrow_index (self, error);
  if (sql == NULL)
    return NULL;

  read = fore_index_get_run (sql, run_id, &run, error);
  fore_store_give_back_index (self, sql);
  if (read && run == NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("There is no run “%s”; “foredeckctl list” shows those that there are."),
                 run_id);

  return run;
}

/**
 * fore_store_list_requests:
 * @self: a store
 * @open_only: whether those that are not open any more are left out
 * @error: return location
 *
 * Returns: (transfer full) (nullable) (element-type ForeRequest): requests, oldest first
 */
GPtrArray *
fore_store_list_requests (ForeStore *self, gboolean open_only, GError **error)
{
  GPtrArray *requests;
  ForeSql *sql;

  g_return_val_if_fail (FORE_IS_STORE (self), NULL);

  sql = fore_store_borrow_index (self, error);
  if (sql == NULL)
    return NULL;

  requests = fore_index_list_requests (sql, open_only, error);
  fore_store_give_back_index (self, sql);

  return requests;
}

/**
 * fore_store_list_projects:
 * @self: a store
 * @error: return location
 *
 * Returns: (transfer full) (nullable) (element-type utf8): paths, the last used first
 */
GPtrArray *
fore_store_list_projects (ForeStore *self, GError **error)
{
  GPtrArray *projects;
  ForeSql *sql;

  g_return_val_if_fail (FORE_IS_STORE (self), NULL);

  sql = fore_store_borrow_index (self, error);
  if (sql == NULL)
    return NULL;

  projects = fore_index_list_projects (sql, error);
  fore_store_give_back_index (self, sql);

  return projects;
}

static gboolean
add_project (ForeSql *sql, gpointer path, GError **error)
{
  return fore_index_add_project (sql, path, error);
}

/**
 * fore_store_add_project:
 * @self: a store
 * @path: canonical path of a folder
 * @error: return location
 *
 * Returns: %FALSE on an error; a project that is known already is none
 */
gboolean
fore_store_add_project (ForeStore *self, const char *path, GError **error)
{
  g_return_val_if_fail (FORE_IS_STORE (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  return change_index (self, add_project, (gpointer) path, error);
}

static gboolean
remove_run (ForeSql *sql, gpointer run_id, GError **error)
{
  return fore_index_remove_run (sql, run_id, error);
}

/**
 * fore_store_forget_run:
 * @self: a store
 * @run_id: a run whose owner lock the caller holds
 * @error: return location
 *
 * Returns: whether the index knows nothing of it any more
 */
gboolean
fore_store_forget_run (ForeStore *self, const char *run_id, GError **error)
{
  g_return_val_if_fail (FORE_IS_STORE (self), FALSE);
  g_return_val_if_fail (run_id != NULL, FALSE);

  return change_index (self, remove_run, (gpointer) run_id, error);
}

static gboolean
trust_project (ForeSql *sql, gpointer path, GError **error)
{
  return fore_index_set_trusted (sql, path, TRUE, error);
}

static gboolean
distrust_project (ForeSql *sql, gpointer path, GError **error)
{
  return fore_index_set_trusted (sql, path, FALSE, error);
}

/**
 * fore_store_trust:
 * @self: a store
 * @project: canonical path of a project
 * @trusted: whether what lies in it may say what is run
 * @error: return location
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_store_trust (ForeStore *self, const char *project, gboolean trusted, GError **error)
{
  g_return_val_if_fail (FORE_IS_STORE (self), FALSE);
  g_return_val_if_fail (project != NULL, FALSE);

  return change_index (self, trusted ? trust_project : distrust_project, (gpointer) project, error);
}

/**
 * fore_store_is_trusted:
 * @self: a store
 * @project: canonical path of a project
 *
 * Returns: whether a person trusted it; %FALSE also if that cannot be found out
 */
gboolean
fore_store_is_trusted (ForeStore *self, const char *project)
{
  gboolean trusted;
  ForeSql *sql;

  g_return_val_if_fail (FORE_IS_STORE (self), FALSE);
  g_return_val_if_fail (project != NULL, FALSE);

  sql = fore_store_borrow_index (self, NULL);
  if (sql == NULL)
    return FALSE;

  trusted = fore_index_is_trusted (sql, project);
  fore_store_give_back_index (self, sql);

  return trusted;
}

/**
 * fore_store_get_day_cost:
 * @self: a store
 * @error: return location
 *
 * Returns: what all attempts begun today (local time) cost, in millionths of a dollar; -1 on an
 *   error
 */
gint64
fore_store_get_day_cost (ForeStore *self, GError **error)
{
  g_autofree char *day = fore_index_dup_day (fore_clock_now_us ());
  gint64 cost;
  ForeSql *sql;

  g_return_val_if_fail (FORE_IS_STORE (self), -1);

  sql = fore_store_borrow_index (self, error);
  if (sql == NULL)
    return -1;

  cost = fore_index_get_day_cost (sql, day, error);
  fore_store_give_back_index (self, sql);

  return cost;
}

static GPtrArray *
find_ids (ForeStore *self, gboolean requests, const char *prefix, GError **error)
{
  ForeSql *sql = fore_store_borrow_index (self, error);
  GPtrArray *ids;

  if (sql == NULL)
    return NULL;

  ids = fore_index_find_ids (sql, requests, prefix, error);
  fore_store_give_back_index (self, sql);

  return ids;
}

static char *
join_ids (GPtrArray *ids)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < ids->len && i < 8; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            (const char *) g_ptr_array_index (ids, i));
  if (ids->len > 8)
    g_string_append (text, ", …");

  return g_string_free (text, FALSE);
}

/* Takes the id out of what begins as @prefix; the whole id wins over longer ones. */
static char *
choose_id (GPtrArray *ids, const char *prefix, GError **error)
{
  g_autofree char *names = NULL;

  for (guint i = 0; i < ids->len; i++)
    {
      if (g_str_equal (g_ptr_array_index (ids, i), prefix))
        return g_strdup (prefix);
    }

  if (ids->len == 1)
    return g_strdup (g_ptr_array_index (ids, 0));

  names = join_ids (ids);
  if (ids->len > 1)
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                 _ ("“%s” could be any of %s; give more of the id."), prefix, names);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("Nothing has an id that begins with “%s”."), prefix);

  return NULL;
}

static gboolean
is_id_text (const char *text)
{
  return *text != '\0' && strspn (text, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen (text);
}

static gboolean
check_id_text (const char *text, GError **error)
{
  if (is_id_text (text))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
               _ ("Nothing has an id that begins with “%s”."), text);
  return FALSE;
}

static gboolean
has_run_file (ForeStore *self, const char *run_id)
{
  g_autofree char *path = NULL;

  if (!fore_id_is_run (run_id))
    return FALSE;

  path = fore_dirs_dup_run_db_path (fore_store_get_home (self), run_id);
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/**
 * fore_store_find_run:
 * @self: a store
 * @prefix: how the id begins
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the whole id; %FORE_ERROR_NOT_FOUND, or %FORE_ERROR_USAGE
 *   naming what it could be
 */
char *
fore_store_find_run (ForeStore *self, const char *prefix, GError **error)
{
  g_autoptr (GPtrArray) ids = NULL;

  g_return_val_if_fail (FORE_IS_STORE (self), NULL);
  g_return_val_if_fail (prefix != NULL, NULL);

  if (!check_id_text (prefix, error))
    return NULL;

  if (has_run_file (self, prefix))
    return g_strdup (prefix);

  ids = find_ids (self, FALSE, prefix, error);
  return ids != NULL ? choose_id (ids, prefix, error) : NULL;
}

/* `<beginning of a run>-<n>`, also of requests that the index does not list any more. */
static char *
find_numbered_request (ForeStore *self, const char *text, GError **error)
{
  const char *hyphen = strrchr (text, '-');
  g_autofree char *prefix = g_strndup (text, (gsize) (hyphen - text));
  g_autofree char *run_id = NULL;
  g_autofree char *id = NULL;
  g_autoptr (ForeRequest) request = NULL;

  run_id = fore_store_find_run (self, prefix, error);
  if (run_id == NULL)
    return NULL;

  id = g_strconcat (run_id, hyphen, NULL);
  request = fore_run_read_request (self, id, error);

  return request != NULL ? g_steal_pointer (&id) : NULL;
}

/**
 * fore_store_find_request:
 * @self: a store
 * @prefix: how the id begins, or how its run's id begins and then `-<n>`
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the whole id; %FORE_ERROR_NOT_FOUND, or %FORE_ERROR_USAGE
 *   naming what it could be
 */
char *
fore_store_find_request (ForeStore *self, const char *prefix, GError **error)
{
  g_autoptr (GPtrArray) ids = NULL;

  g_return_val_if_fail (FORE_IS_STORE (self), NULL);
  g_return_val_if_fail (prefix != NULL, NULL);

  if (!check_id_text (prefix, error))
    return NULL;

  if (strchr (prefix, '-') != NULL && !g_str_has_suffix (prefix, "-"))
    return find_numbered_request (self, prefix, error);

  ids = find_ids (self, TRUE, prefix, error);
  return ids != NULL ? choose_id (ids, prefix, error) : NULL;
}

/**
 * fore_store_rebuild_index:
 * @self: a store
 * @error: return location
 *
 * Makes everything in the index that follows from runs/ anew, in one transaction.
 *
 * Returns: %FALSE on an error; a run that cannot be read is left out, see fore_store_check()
 */
gboolean
fore_store_rebuild_index (ForeStore *self, GError **error)
{
  ForeSql *sql;
  gboolean done;

  g_return_val_if_fail (FORE_IS_STORE (self), FALSE);

  sql = fore_store_borrow_index (self, error);
  if (sql == NULL)
    return FALSE;

  done = fore_rebuild_index (fore_store_get_home (self), sql, error);
  fore_store_give_back_index (self, sql);
  if (done)
    fore_store_ring (self);

  return done;
}

/**
 * fore_store_check:
 * @self: a store
 * @problems: (element-type utf8): where to add one sentence per problem
 * @index_is_whole: (out) (optional): whether the file of the index is; where it is not, making it
 *   anew does not help, but fore_store_repair() does
 * @error: return location
 *
 * Looks through the index and every run. Takes as long as reading all of it.
 *
 * Returns: %FALSE if it could not look
 */
gboolean
fore_store_check (ForeStore *self, GPtrArray *problems, gboolean *index_is_whole, GError **error)
{
  ForeSql *sql;
  guint before;

  g_return_val_if_fail (FORE_IS_STORE (self), FALSE);
  g_return_val_if_fail (problems != NULL, FALSE);

  sql = fore_store_borrow_index (self, error);
  if (sql == NULL)
    return FALSE;

  before = problems->len;
  fore_rebuild_check_index (sql, problems);
  if (index_is_whole != NULL)
    *index_is_whole = problems->len == before;
  fore_rebuild_check (fore_store_get_home (self), sql, problems);
  fore_store_give_back_index (self, sql);

  return TRUE;
}

/**
 * fore_store_check_run:
 * @self: a store
 * @run_id: a run
 * @error: return location
 *
 * Looks whether the file of a run is damaged, for whoever waits for its runner in vain. Any
 * thread; takes as long as reading the file.
 *
 * Returns: %FALSE if it is, or cannot be read
 */
gboolean
fore_store_check_run (ForeStore *self, const char *run_id, GError **error)
{
  g_autoptr (ForeSql) sql = NULL;

  g_return_val_if_fail (FORE_IS_STORE (self), FALSE);
  g_return_val_if_fail (run_id != NULL, FALSE);

  sql = fore_run_file_open_at (fore_store_get_home (self), run_id, FORE_SQL_READ, error);

  return sql != NULL && fore_rebuild_check_pages (sql, error);
}
