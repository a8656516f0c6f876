/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-conflict-way.h"

#include "engine/fore-follow-up.h"

static const char *const kinds[] = {
  [FORE_CONFLICT_ASK] = "ask",       [FORE_CONFLICT_OURS] = "ours",
  [FORE_CONFLICT_THEIRS] = "theirs", [FORE_CONFLICT_AGENT] = "agent",
  [FORE_CONFLICT_HAND] = "hand",     [FORE_CONFLICT_RESOLVED] = "resolved",
};

/**
 * fore_conflict_is_resolver:
 * @task: a task
 *
 * Returns: whether @task was added to resolve a conflict at the end of its run
 */
gboolean
fore_conflict_is_resolver (const ForeTask *task)
{
  g_return_val_if_fail (task != NULL, FALSE);

  return fore_task_is_follow_up (task) && g_str_has_prefix (task->key, FORE_CONFLICT_RESOLVER "-");
}

/**
 * fore_conflict_way_from_kind:
 * @kind: (nullable): kind of an option of a request
 *
 * Returns: what it means; %FORE_CONFLICT_ASK for what settles nothing, such as leaving the task out
 */
ForeConflictWay
fore_conflict_way_from_kind (const char *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      if (g_strcmp0 (kinds[i], kind) == 0)
        return (ForeConflictWay) i;
    }

  return FORE_CONFLICT_ASK;
}

static const ForeRequest *
find_last (ForeRunState *state, const char *key)
{
  GPtrArray *requests = fore_run_state_get_requests (state);

  for (guint i = requests->len; i > 0; i--)
    {
      const ForeRequest *request = g_ptr_array_index (requests, i - 1);

      if (request->kind == FORE_REQUEST_CONFLICT && g_strcmp0 (request->task, key) == 0)
        return request;
    }

  return NULL;
}

/**
 * fore_conflict_way_find:
 * @state: state of the run
 * @task: one of its tasks
 *
 * Returns: what the person last said about a conflict before @task; for one that is there to
 *   resolve one, about the conflict at the end of the run
 */
ForeConflictWay
fore_conflict_way_find (ForeRunState *state, const ForeTask *task)
{
  const ForeRequest *request;
  const ForeRequestOption *option;

  g_return_val_if_fail (FORE_IS_RUN_STATE (state), FORE_CONFLICT_ASK);
  g_return_val_if_fail (task != NULL, FORE_CONFLICT_ASK);

  request = find_last (state, task->key);
  if (request == NULL && fore_conflict_is_resolver (task))
    request = find_last (state, NULL);
  if (request == NULL || request->state != FORE_REQUEST_ANSWERED)
    return FORE_CONFLICT_ASK;

  option = fore_request_find_option (request, request->answer);
  return fore_conflict_way_from_kind (option != NULL ? option->kind : NULL);
}

/**
 * fore_conflict_way_get_favor:
 * @way: a way
 *
 * Returns: what a merge is to do for it
 */
ForeMergeFavor
fore_conflict_way_get_favor (ForeConflictWay way)
{
  switch (way)
    {
    case FORE_CONFLICT_OURS:
      return FORE_MERGE_FAVOR_OURS;

    case FORE_CONFLICT_THEIRS:
      return FORE_MERGE_FAVOR_THEIRS;

    case FORE_CONFLICT_AGENT:
    case FORE_CONFLICT_HAND:
    case FORE_CONFLICT_RESOLVED:
      return FORE_MERGE_FAVOR_MARKERS;

    case FORE_CONFLICT_ASK:
    default:
      return FORE_MERGE_FAVOR_NONE;
    }
}
