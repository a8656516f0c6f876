/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-ledger.h"

#include "engine/fore-quarantines.h"
#include "git/fore-folder.h"
#include "git/fore-repository.h"
#include "model/fore-error.h"
#include "platform/fore-dirs.h"
#include "store/fore-run-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define BRANCH_PREFIX "foredeck/"
#define MAX_COUNTED_FILES 500000

/* One look over trees: repositories are opened once, and entries that tasks know are noted. */
typedef struct
{
  ForeStore *store;
  GPtrArray *records;
  GHashTable *repositories; /* project → ForeRepository */
  GHashTable *known;        /* git folders of tasks */
} ListJob;

/**
 * fore_tree_record_free:
 * @self: (nullable): a record
 */
void
fore_tree_record_free (ForeTreeRecord *self)
{
  if (self == NULL)
    return;

  g_free (self->run);
  g_free (self->task);
  g_free (self->project);
  g_free (self->path);
  g_free (self->git_dir);
  g_free (self->branch);
  g_free (self->base);
  g_free (self->commit);
  g_clear_pointer (&self->report, fore_tree_report_free);
  g_strfreev (self->obstacles);
  g_free (self);
}

/**
 * fore_tree_record_is_safe:
 * @self: a record
 *
 * Returns: whether the tree is there and can be cleaned away without loss
 */
gboolean
fore_tree_record_is_safe (const ForeTreeRecord *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->exists && self->obstacles[0] == NULL;
}

static ForeRepository *
open_repository (ListJob *job, const char *project)
{
  ForeRepository *repository = g_hash_table_lookup (job->repositories, project);

  if (repository == NULL)
    {
      repository = fore_repository_open (project, NULL);
      if (repository != NULL)
        g_hash_table_insert (job->repositories, g_strdup (project), repository);
    }

  return repository;
}

static void
add_report (GStrvBuilder *obstacles, ForeRepository *repository, ForeTreeRecord *record)
{
  g_autoptr (ForeWorktree) worktree = fore_worktree_new (record->git_dir, record->path,
                                                         record->branch);
  g_autoptr (GError) error = NULL;

  record->report = fore_repository_inspect_worktree (repository, worktree, &error);
  if (record->report == NULL)
    g_strv_builder_add (obstacles, error->message);
  else
    g_strv_builder_addv (obstacles, (const char **) record->report->obstacles);
}

/* What it committed in a sandbox whose end nobody saw belongs to it. */
static void
import (ListJob *job, const ForeTreeRecord *record, GStrvBuilder *obstacles)
{
  g_autoptr (GError) error = NULL;

  if (!fore_quarantines_import (fore_store_get_home (job->store), record->run, record->task,
                                &error))
    g_strv_builder_add (obstacles, error->message);
}

static void
examine (ListJob *job, ForeTreeRecord *record, gboolean run_active)
{
  ForeRepository *repository = open_repository (job, record->project);
  g_autoptr (GStrvBuilder) obstacles = g_strv_builder_new ();
  ForeFolderSize size = { 0 };

  record->exists = g_file_test (record->path, G_FILE_TEST_EXISTS)
                   || g_file_test (record->git_dir, G_FILE_TEST_IS_DIR);
  if (run_active)
    g_strv_builder_add (obstacles, _ ("the run has not finished"));
  else
    import (job, record, obstacles);
  if (record->exists && repository == NULL)
    g_strv_builder_add (obstacles, _ ("the project's repository cannot be opened"));
  else if (record->exists)
    {
      fore_folder_measure (record->path, MAX_COUNTED_FILES, &size);
      record->bytes = size.bytes;
      add_report (obstacles, repository, record);
    }

  record->obstacles = g_strv_builder_end (obstacles);
  g_ptr_array_add (job->records, record);
}

static gboolean
is_at_work (ForeStore *store, const ForeRun *run)
{
  return fore_run_is_active (run) || fore_store_is_owned (store, run->id);
}

static void
add_task (ListJob *job, const ForeRun *run, const ForeTask *task)
{
  ForeTreeRecord *record;

  if (task->worktree == NULL || task->gitdir == NULL)
    return;

  record = g_new0 (ForeTreeRecord, 1);
  record->run = g_strdup (run->id);
  record->task = g_strdup (task->key);
  record->project = g_strdup (run->project);
  record->path = g_strdup (task->worktree);
  record->git_dir = g_strdup (task->gitdir);
  record->branch = g_strdup (task->branch);
  record->base = g_strdup (task->base);
  record->commit = g_strdup (task->commit);
  g_hash_table_add (job->known, g_strdup (task->gitdir));
  examine (job, record, is_at_work (job->store, run));
}

static ForeTreeRecord *
make_leftover (const ForeRun *run, const ForeWorktree *worktree)
{
  ForeTreeRecord *record = g_new0 (ForeTreeRecord, 1);

  record->run = g_strdup (run->id);
  record->task = g_strdup (strrchr (worktree->branch, '/') + 1);
  record->project = g_strdup (run->project);
  record->path = g_strdup (worktree->path);
  record->git_dir = g_strdup (worktree->git_dir);
  record->branch = g_strdup (worktree->branch);
  record->leftover = TRUE;

  return record;
}

/* Trees of the run that no task knows of: the runner died between making and recording one. */
static void
add_leftovers (ListJob *job, const ForeRun *run)
{
  ForeRepository *repository = open_repository (job, run->project);
  g_autoptr (GPtrArray) list = NULL;
  g_autofree char *prefix = g_strconcat (BRANCH_PREFIX, run->id, "/", NULL);

  if (repository != NULL)
    list = fore_repository_list_worktrees (repository, NULL);

  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      const ForeWorktree *worktree = g_ptr_array_index (list, i);

      if (worktree->branch != NULL && g_str_has_prefix (worktree->branch, prefix)
          && !g_hash_table_contains (job->known, worktree->git_dir))
        examine (job, make_leftover (run, worktree), is_at_work (job->store, run));
    }
}

static gboolean
add_run (ListJob *job, const char *run_id, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_run_read (job->store, run_id, 0, 0, 0, error);

  if (delta == NULL || delta->run == NULL)
    return FALSE;

  for (guint i = 0; i < delta->tasks->len; i++)
    add_task (job, delta->run, g_ptr_array_index (delta->tasks, i));

  add_leftovers (job, delta->run);
  return TRUE;
}

/**
 * fore_ledger_list_trees:
 * @store: the store
 * @run_id: (nullable): only those of this run
 * @limit: how many runs are looked at without @run_id, the newest first; 0 for all
 * @error: return location for an error
 *
 * Lists working trees and finds out of each whether it could be cleaned away. Nothing is changed,
 * but what was committed in a sandbox is brought home. Blocking.
 *
 * Returns: (transfer full) (element-type ForeTreeRecord) (nullable): the trees
 */
GPtrArray *
fore_ledger_list_trees (ForeStore *store, const char *run_id, guint limit, GError **error)
{
  g_autoptr (GPtrArray) records = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GHashTable) repositories = NULL;
  g_autoptr (GHashTable) known = NULL;
  ListJob job;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);

  records = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_tree_record_free);
  repositories = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  job = (ListJob){ store, records, repositories, known };
  if (run_id != NULL)
    return add_run (&job, run_id, error) ? g_steal_pointer (&records) : NULL;

  runs = fore_store_list_runs (store, NULL, NULL, limit, 0, error);
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    add_run (&job, ((const ForeRun *) g_ptr_array_index (runs, i))->id, NULL);

  return runs != NULL ? g_steal_pointer (&records) : NULL;
}

/**
 * fore_ledger_remove_tree:
 * @store: the store
 * @record: what was found
 * @drop_obstacles: remove it although something of it would be lost; never while its run works
 * @rescue_refs: (out) (optional) (transfer full): refs that keep what only the tree held
 * @error: return location for an error
 *
 * Cleans one tree away. Everything is looked at again first. Blocking.
 *
 * Returns: whether it is gone
 */
gboolean
fore_ledger_remove_tree (ForeStore *store,
                         const ForeTreeRecord *record,
                         gboolean drop_obstacles,
                         char ***rescue_refs,
                         GError **error)
{
  g_autoptr (ForeRepository) repository = NULL;
  g_autoptr (ForeWorktree) worktree = NULL;
  g_autoptr (ForeRunDelta) delta = NULL;
  g_autofree char *name = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (record != NULL, FALSE);

  delta = fore_run_read (store, record->run, 0, 0, 0, error);
  if (delta == NULL)
    return FALSE;

  if (is_at_work (store, delta->run))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_BUSY,
                   _ ("The run %s has not finished; wait for it or cancel it."), record->run);
      return FALSE;
    }

  if (!fore_quarantines_import (fore_store_get_home (store), record->run, record->task, error))
    return FALSE;

  repository = fore_repository_open (record->project, error);
  worktree = fore_worktree_new (record->git_dir, record->path, record->branch);
  name = g_strdup_printf ("%s/%s", record->run, record->task);
  return repository != NULL
         && fore_repository_retire_worktree (repository, worktree, name, drop_obstacles,
                                             rescue_refs, error);
}
