/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-actions.h"

#include "model/fore-error.h"
#include "store/fore-run-reader.h"

#include <glib/gi18n-lib.h>

/* A run that was tried again after it was discarded has a result again. */
static gboolean
was_discarded (const ForeRunDelta *delta)
{
  gboolean discarded = FALSE;

  for (guint i = 0; i < delta->events->len; i++)
    {
      const ForeEvent *event = g_ptr_array_index (delta->events, i);

      if (event->type == FORE_EVENT_RUN_DISCARDED)
        discarded = TRUE;
      else if (event->type == FORE_EVENT_RUN_RESULT)
        discarded = FALSE;
    }

  return discarded;
}

/* Only what was discarded can be taken up again, and only what was not can be merged. */
static gboolean
check_discarded (const ForeRunDelta *delta, gboolean undo, GError **error)
{
  if ((fore_run_is_discarded (delta->run) || was_discarded (delta)) == undo)
    return TRUE;

  if (undo)
    g_set_error_literal (error, FORE_ERROR, FORE_ERROR_STALE, _ ("The run was not discarded."));
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_STALE,
                 _ ("The run was discarded; “foredeckctl discard %s --undo” takes it up again."),
                 delta->run->id);

  return FALSE;
}

/* Who would have to refuse it must not be started for that: an interrupted run would go on, and
 * spend, though nobody asked for it.
 */
static gboolean
check_finished (ForeStore *store, const ForeRun *run, GError **error)
{
  if (!fore_run_is_active (run) || fore_store_is_owned (store, run->id))
    return TRUE;

  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_REFUSED,
                       _ ("The run has not finished; cancel it first."));
  return FALSE;
}

/**
 * fore_actions_check_command:
 * @store: the store
 * @run_id: a run
 * @kind: what is wanted
 * @args: (nullable): further words
 * @error: return location for an error
 *
 * Refuses what needs no owner of the run to be refused: merging or discarding what has not
 * finished, merging what was discarded, taking up what was not.
 *
 * Returns: whether the run's owner may be told
 */
gboolean
fore_actions_check_command (ForeStore *store,
                            const char *run_id,
                            ForeCommandKind kind,
                            const char *const *args,
                            GError **error)
{
  gboolean undo = kind == FORE_COMMAND_DISCARD && args != NULL && g_strcmp0 (args[0], "undo") == 0;
  g_autoptr (ForeRunDelta) delta = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (run_id != NULL, FALSE);

  if (kind != FORE_COMMAND_MERGE && kind != FORE_COMMAND_FOLLOW_UP && kind != FORE_COMMAND_DISCARD)
    return TRUE;

  delta = fore_run_read (store, run_id, 0, 0, G_MAXINT, error);
  if (delta == NULL)
    return FALSE;

  if (kind != FORE_COMMAND_FOLLOW_UP && !check_finished (store, delta->run, error))
    return FALSE;
  if (kind == FORE_COMMAND_DISCARD && !undo)
    return TRUE;

  return check_discarded (delta, undo, error);
}

/**
 * fore_actions_check_merge:
 * @store: the store
 * @run_id: a run
 * @error: return location for an error
 *
 * Returns: %FALSE with %FORE_ERROR_STALE for a run that a person discarded; the sentence says how
 *   to take it up again
 */
gboolean
fore_actions_check_merge (ForeStore *store, const char *run_id, GError **error)
{
  g_autoptr (ForeRunDelta) delta = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (run_id != NULL, FALSE);

  delta = fore_run_read (store, run_id, 0, 0, G_MAXINT, error);

  return delta != NULL && check_discarded (delta, FALSE, error);
}
