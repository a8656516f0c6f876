/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-forget.h"

#include "engine/fore-ledger.h"
#include "engine/fore-quarantines.h"
#include "git/fore-folder.h"
#include "model/fore-error.h"
#include "platform/fore-clock.h"
#include "platform/fore-dirs.h"
#include "platform/fore-lock.h"
#include "platform/fore-process.h"
#include "platform/fore-signals.h"

#include <glib/gi18n-lib.h>
#include <signal.h>

#define MAX_FILES 100000
#define SWEEP_ROUNDS 100
#define SWEEP_PAUSE_US 10000

/**
 * fore_forget_measure:
 * @store: the store
 * @run_id: a run
 *
 * Returns: bytes of everything that is kept of the run, without its working trees
 */
guint64
fore_forget_measure (ForeStore *store, const char *run_id)
{
  g_autofree char *run_dir = NULL;
  ForeFolderSize size = { 0 };

  g_return_val_if_fail (FORE_IS_STORE (store), 0);
  g_return_val_if_fail (run_id != NULL, 0);

  run_dir = fore_dirs_dup_run_dir (fore_store_get_home (store), run_id);
  fore_folder_measure (run_dir, MAX_FILES, &size);

  return size.bytes;
}

/**
 * fore_forget_list_old:
 * @store: the store
 * @keep: how many of the newest finished runs stay, or -1
 * @older_ms: how long ago the others must have ended, in ms, or -1
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable) (element-type ForeRun): finished runs that can go, newest
 * first
 */
GPtrArray *
fore_forget_list_old (ForeStore *store, gint64 keep, gint64 older_ms, GError **error)
{
  g_autoptr (GPtrArray) runs = NULL;
  GPtrArray *old;
  gint64 now = fore_clock_now_us ();
  gint64 n_finished = 0;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);

  runs = fore_store_list_runs (store, NULL, NULL, 0, 0, error);
  if (runs == NULL)
    return NULL;

  old = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_run_free);
  for (guint i = 0; i < runs->len; i++)
    {
      const ForeRun *run = g_ptr_array_index (runs, i);

      if (fore_run_is_active (run) || n_finished++ < keep
          || (older_ms >= 0 && now - run->finished < older_ms * 1000))
        continue;
      g_ptr_array_add (old, fore_run_copy (run));
    }

  return old;
}

static GPtrArray *
list_safe_trees (ForeStore *store, const char *run_id, GError **error)
{
  g_autoptr (GPtrArray) trees = fore_ledger_list_trees (store, run_id, 1, error);

  for (guint i = 0; trees != NULL && i < trees->len; i++)
    {
      const ForeTreeRecord *record = g_ptr_array_index (trees, i);

      if (fore_tree_record_is_safe (record))
        continue;

      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("The tree of “%s” holds work that is nowhere else: %s Look at it first, or "
                      "“foredeckctl clean %s --everything” removes it."),
                   record->task,
                   record->obstacles != NULL && record->obstacles[0] != NULL ? record->obstacles[0]
                                                                             : "",
                   run_id);
      return NULL;
    }

  return g_steal_pointer (&trees);
}

/**
 * fore_forget_check:
 * @store: the store
 * @run_id: a run
 * @error: return location for an error
 *
 * Changes nothing.
 *
 * Returns: whether the run can be forgotten: it is finished, nobody owns it, and no work would be
 *   lost
 */
gboolean
fore_forget_check (ForeStore *store, const char *run_id, GError **error)
{
  g_autoptr (ForeRun) run = NULL;
  g_autoptr (GPtrArray) trees = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (run_id != NULL, FALSE);

  run = fore_store_get_run (store, run_id, error);
  if (run == NULL)
    return FALSE;

  if (fore_run_is_active (run) || fore_store_is_owned (store, run_id))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_BUSY,
                   _ ("The run %s has not finished; wait for it or cancel it."), run_id);
      return FALSE;
    }

  trees = list_safe_trees (store, run_id, error);

  return trees != NULL;
}

/* Nothing of a run that nobody knows any more is left alive. */
static void
sweep (const char *run_id)
{
  for (guint round = 0; round < SWEEP_ROUNDS; round++)
    {
      g_autoptr (GArray) left = fore_process_find_marked (run_id, NULL, 0);

      if (left->len == 0)
        return;
      for (guint i = 0; i < left->len; i++)
        fore_process_signal (&g_array_index (left, ForeProcessId, i), SIGKILL, NULL);
      g_usleep (SWEEP_PAUSE_US);
    }
}

static gboolean
remove_trees (ForeStore *store, const char *run_id, GError **error)
{
  g_autoptr (GPtrArray) trees = list_safe_trees (store, run_id, error);

  if (trees == NULL)
    return FALSE;

  for (guint i = 0; i < trees->len; i++)
    {
      const ForeTreeRecord *record = g_ptr_array_index (trees, i);

      if (record->exists && !fore_ledger_remove_tree (store, record, FALSE, NULL, error))
        return FALSE;
    }

  return TRUE;
}

/**
 * fore_forget_run:
 * @store: the store
 * @run_id: a run
 * @error: return location for an error
 *
 * Removes everything that is kept of the run: its trees, what only they held being rescued first,
 * then its row and its folder. Its branches stay in the project. One that was cut short can be
 * forgotten again.
 *
 * Returns: whether it is gone
 */
gboolean
fore_forget_run (ForeStore *store, const char *run_id, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *run_dir = NULL;
  g_autoptr (ForeLock) owner = NULL;

  if (!fore_forget_check (store, run_id, error) || !remove_trees (store, run_id, error))
    return FALSE;

  path = fore_dirs_dup_owner_lock_path (fore_store_get_home (store), run_id);
  owner = fore_lock_try (path, TRUE, "foredeck forget", error);
  if (owner == NULL)
    return FALSE;

  sweep (run_id);
  if (!fore_quarantines_import (fore_store_get_home (store), run_id, NULL, error))
    return FALSE;

  run_dir = fore_dirs_dup_run_dir (fore_store_get_home (store), run_id);

  return fore_store_forget_run (store, run_id, error) && fore_folder_remove (run_dir, error);
}
