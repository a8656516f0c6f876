/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-goal.h"

#include "model/fore-request.h"
#include "platform/fore-dirs.h"
#include "text/fore-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define N_ALIKE 3

static const char *const state_words[FORE_N_GOAL_STATES] = {
  [FORE_GOAL_RUNNING] = "running",
  [FORE_GOAL_PAUSED] = "paused",
  [FORE_GOAL_ACHIEVED] = "achieved",
  [FORE_GOAL_MAX_TURNS_REACHED] = "max-turns",
  [FORE_GOAL_BUDGET_EXCEEDED] = "budget-exceeded",
  [FORE_GOAL_BLOCKED] = "blocked",
  [FORE_GOAL_STUCK] = "stuck",
  [FORE_GOAL_CANCELLED] = "cancelled",
  [FORE_GOAL_FAILED] = "failed",
};

/**
 * fore_goal_state_to_string:
 * @state: a state
 *
 * Returns: (transfer none): its word
 */
const char *
fore_goal_state_to_string (ForeGoalState state)
{
  g_return_val_if_fail (state < FORE_N_GOAL_STATES, NULL);

  return state_words[state];
}

/**
 * fore_goal_get_turn:
 * @task: a task
 *
 * Keys of the tasks of a turn are `STEP-TURN`; those of other runs, and of plans, are not.
 *
 * Returns: the turn of a goal loop that @task was made for, or 0
 */
guint
fore_goal_get_turn (const ForeTask *task)
{
  gsize length;
  guint64 turn;
  const char *digits;

  g_return_val_if_fail (task != NULL, 0);

  length = task->step != NULL ? strlen (task->step) : 0;
  if (length == 0 || strncmp (task->key, task->step, length) != 0 || task->key[length] != '-')
    return 0;

  digits = task->key + length + 1;
  if (*digits == '0' || !g_ascii_string_to_unsigned (digits, 10, 1, G_MAXINT, &turn, NULL))
    return 0;

  return (guint) turn;
}

/**
 * fore_goal_is_judge:
 * @task: a task
 *
 * Returns: whether @task judges a turn of a goal loop
 */
gboolean
fore_goal_is_judge (const ForeTask *task)
{
  return g_strcmp0 (task->step, FORE_GOAL_STEP_JUDGE) == 0 && fore_goal_get_turn (task) > 0;
}

/**
 * fore_goal_is_checks:
 * @task: a task
 *
 * Returns: whether @task has no agent: the engine runs the project's checks for a goal loop
 */
gboolean
fore_goal_is_checks (const ForeTask *task)
{
  return g_strcmp0 (task->step, FORE_GOAL_STEP_CHECKS) == 0 && fore_goal_get_turn (task) > 0;
}

static void
turn_free (gpointer data)
{
  ForeGoalTurn *turn = data;

  g_ptr_array_unref (turn->tasks);
  fore_goal_verdict_free (turn->verdict);
  g_free (turn->reason);
  g_free (turn);
}

static ForeGoalTurn *
get_turn (ForeGoal *goal, guint n)
{
  while (goal->turns->len < n)
    {
      ForeGoalTurn *turn = g_new0 (ForeGoalTurn, 1);

      turn->n = goal->turns->len + 1;
      turn->tasks = g_ptr_array_new ();
      turn->usage = (ForeUsage) FORE_USAGE_INIT;
      g_ptr_array_add (goal->turns, turn);
    }

  return g_ptr_array_index (goal->turns, n - 1);
}

/* What a plan added belongs to the turn of what it waits for, near or far. */
static guint
find_turn (GHashTable *turns, const ForeTask *task)
{
  guint turn = fore_goal_get_turn (task);

  for (guint i = 0; turn == 0 && task->depends_on != NULL && task->depends_on[i] != NULL; i++)
    turn = GPOINTER_TO_UINT (g_hash_table_lookup (turns, task->depends_on[i]));

  return turn;
}

/* Items of a plan may wait for later ones of it: what is not known yet is looked for again. */
static GHashTable *
assign_turns (GPtrArray *tasks)
{
  GHashTable *turns = g_hash_table_new (g_str_hash, g_str_equal);
  guint n_before;

  do
    {
      n_before = g_hash_table_size (turns);
      for (guint i = 0; i < tasks->len; i++)
        {
          const ForeTask *task = g_ptr_array_index (tasks, i);
          guint turn = find_turn (turns, task);

          if (turn > 0 && turn <= FORE_GOAL_MOST_TURNS)
            g_hash_table_insert (turns, task->key, GUINT_TO_POINTER (turn));
        }
    }
  while (g_hash_table_size (turns) > n_before);

  return turns;
}

static char *
describe_checks (const ForeTask *checks)
{
  g_autoptr (GString) names = g_string_new (NULL);
  gboolean compromised = checks->verified == FORE_VERIFIED_COMPROMISED;

  for (guint i = 0; i < checks->checks->len; i++)
    {
      const ForeCheck *check = g_ptr_array_index (checks->checks, i);
      g_autofree char *label = fore_check_dup_label (check);

      if (check->verified != FORE_VERIFIED_YES)
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", label);
    }

  return g_strdup_printf (
      compromised ? _ ("Files that decide these checks were changed, put them back: %s.")
                  : _ ("These checks do not pass: %s."),
      names->str);
}

/* A check that failed or can no longer be believed outweighs any judge. */
static void
conclude (ForeGoalTurn *turn)
{
  g_autofree char *checks = NULL;
  gboolean checked = turn->checks != NULL && turn->checks->checks->len > 0;

  if (turn->checks != NULL)
    turn->verified = turn->checks->verified;
  if (turn->judge == NULL || turn->judge->status != FORE_TASK_COMPLETED)
    return;

  turn->verdict = fore_goal_verdict_parse (turn->judge->result, NULL);
  if (turn->verdict == NULL)
    return;

  turn->achieved = turn->verdict->achieved && !turn->verdict->blocked
                   && (!checked || turn->verified == FORE_VERIFIED_YES);
  if (checked && turn->verified != FORE_VERIFIED_YES)
    checks = describe_checks (turn->checks);
  turn->reason = checks != NULL ? g_strdup_printf ("%s %s", checks, turn->verdict->reason)
                                : g_strdup (turn->verdict->reason);
}

static void
add_task (ForeGoalTurn *turn, ForeTask *task)
{
  g_ptr_array_add (turn->tasks, task);
  fore_usage_add (&turn->usage, &task->usage);
  if (fore_goal_is_checks (task))
    turn->checks = task;
  else if (fore_goal_is_judge (task))
    turn->judge = task;
}

static const ForeRequest *
find_request (GPtrArray *requests, ForeRequestKind kind, ForeRequestState state)
{
  const ForeRequest *found = NULL;

  for (guint i = 0; requests != NULL && i < requests->len; i++)
    {
      const ForeRequest *request = g_ptr_array_index (requests, i);

      if (request->kind == kind && request->state == state)
        found = request;
    }

  return found;
}

static ForeGoalState
judge_cancelled (GPtrArray *requests)
{
  const ForeRequest *budget = find_request (requests, FORE_REQUEST_BUDGET, FORE_REQUEST_ANSWERED);

  return budget != NULL && g_strcmp0 (budget->answer, "reject") == 0 ? FORE_GOAL_BUDGET_EXCEEDED
                                                                     : FORE_GOAL_CANCELLED;
}

/**
 * fore_goal_judge_end:
 * @goal: a goal loop that does not go on by itself
 *
 * Returns: why not
 */
ForeGoalState
fore_goal_judge_end (const ForeGoal *goal)
{
  const ForeGoalTurn *last = fore_goal_get_last (goal);

  if (last->achieved)
    return FORE_GOAL_ACHIEVED;
  if (last->verdict == NULL || last->verdict->blocked)
    return FORE_GOAL_BLOCKED;
  if (last->n >= goal->max_turns)
    return FORE_GOAL_MAX_TURNS_REACHED;

  return fore_goal_is_stuck (goal) ? FORE_GOAL_STUCK : FORE_GOAL_BLOCKED;
}

static ForeGoalState
judge_state (const ForeGoal *goal, const ForeRun *run, GPtrArray *requests)
{
  if (run->status == FORE_RUN_CANCELLED)
    return judge_cancelled (requests);
  if (fore_goal_get_last (goal)->achieved)
    return FORE_GOAL_ACHIEVED;
  if (run->status == FORE_RUN_FAILED && run->started == 0)
    return FORE_GOAL_FAILED;
  if (!fore_run_is_active (run))
    return fore_goal_judge_end (goal);
  if (find_request (requests, FORE_REQUEST_BUDGET, FORE_REQUEST_OPEN) != NULL)
    return FORE_GOAL_BUDGET_EXCEEDED;
  if (run->status == FORE_RUN_PAUSED)
    return FORE_GOAL_PAUSED;
  if (run->status == FORE_RUN_BLOCKED
      && find_request (requests, FORE_REQUEST_FAILURE, FORE_REQUEST_OPEN) != NULL)
    return fore_goal_judge_end (goal);

  return FORE_GOAL_RUNNING;
}

/**
 * fore_goal_read:
 * @run: a run
 * @tasks: (element-type ForeTask): its tasks, which have to outlive what is returned
 * @requests: (nullable) (element-type ForeRequest): its requests
 * @max_turns: most turns that it may take
 *
 * Returns: (transfer full) (nullable): the goal loop that the run is, or %NULL if it is none
 */
ForeGoal *
fore_goal_read (const ForeRun *run, GPtrArray *tasks, GPtrArray *requests, guint max_turns)
{
  g_autoptr (ForeGoal) goal = NULL;
  g_autoptr (GHashTable) turns = NULL;

  g_return_val_if_fail (run != NULL && tasks != NULL, NULL);

  goal = g_new0 (ForeGoal, 1);
  goal->max_turns = max_turns;
  goal->turns = g_ptr_array_new_with_free_func (turn_free);
  turns = assign_turns (tasks);
  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (turns, task->key));

      if (n > 0)
        add_task (get_turn (goal, n), task);
    }

  if (goal->turns->len == 0 || get_turn (goal, 1)->judge == NULL)
    return NULL;

  for (guint i = 0; i < goal->turns->len; i++)
    conclude (g_ptr_array_index (goal->turns, i));
  goal->state = judge_state (goal, run, requests);

  return g_steal_pointer (&goal);
}

/**
 * fore_goal_free:
 * @goal: (nullable): a goal loop
 */
void
fore_goal_free (ForeGoal *goal)
{
  if (goal == NULL)
    return;

  g_ptr_array_unref (goal->turns);
  g_free (goal);
}

/**
 * fore_goal_get_last:
 * @goal: a goal loop
 *
 * Returns: (transfer none): its last turn
 */
const ForeGoalTurn *
fore_goal_get_last (const ForeGoal *goal)
{
  g_return_val_if_fail (goal != NULL && goal->turns->len > 0, NULL);

  return g_ptr_array_index (goal->turns, goal->turns->len - 1);
}

/**
 * fore_goal_is_stuck:
 * @goal: a goal loop
 *
 * Returns: whether the last three turns ended for about the same reason
 */
gboolean
fore_goal_is_stuck (const ForeGoal *goal)
{
  const ForeGoalTurn *turns[N_ALIKE];

  g_return_val_if_fail (goal != NULL, FALSE);

  if (goal->turns->len < N_ALIKE)
    return FALSE;

  for (guint i = 0; i < N_ALIKE; i++)
    {
      turns[i] = g_ptr_array_index (goal->turns, goal->turns->len - N_ALIKE + i);
      if (turns[i]->reason == NULL
          || (i > 0 && !fore_goal_reasons_are_near (turns[i - 1]->reason, turns[i]->reason)))
        return FALSE;
    }

  return fore_goal_reasons_are_near (turns[0]->reason, turns[N_ALIKE - 1]->reason);
}

/**
 * fore_goal_describe:
 * @goal: a goal loop
 *
 * Returns: (transfer full): one sentence for a person: how it stands or ended
 */
char *
fore_goal_describe (const ForeGoal *goal)
{
  const ForeGoalTurn *last;

  g_return_val_if_fail (goal != NULL, NULL);

  last = fore_goal_get_last (goal);
  switch (goal->state)
    {
    case FORE_GOAL_ACHIEVED:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Achieved after %u turn",
                                           "Achieved after %u turns", last->n),
                              last->n);

    case FORE_GOAL_MAX_TURNS_REACHED:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Not achieved in %u turn: %s",
                                           "Not achieved in %u turns: %s", last->n),
                              last->n, last->reason != NULL ? last->reason : "");

    case FORE_GOAL_STUCK:
      return g_strdup_printf (_ ("Three turns ended for the same reason: %s"), last->reason);

    case FORE_GOAL_BLOCKED:
      return g_strdup_printf (_ ("Turn %u cannot go on: %s"), last->n,
                              last->reason != NULL ? last->reason : _ ("a task did not complete"));

    case FORE_GOAL_FAILED:
      return g_strdup (_ ("No turn could begin"));

    default:
      return g_strdup_printf (_ ("Turn %u of at most %u"), last->n, goal->max_turns);
    }
}

/**
 * fore_goal_dup_lease_home:
 * @home: Foredeck's folder
 *
 * Returns: (transfer full): where goal loops lease the folders that they work for, apart from runs
 *   that write to one
 */
char *
fore_goal_dup_lease_home (const char *home)
{
  g_return_val_if_fail (home != NULL, NULL);

  return g_build_filename (home, "goals", NULL);
}

/**
 * fore_goal_load_max_turns:
 * @home: Foredeck's folder
 * @run_id: a run
 *
 * Reads what the run was made with. Blocking.
 *
 * Returns: most turns of its goal loop
 */
guint
fore_goal_load_max_turns (const char *home, const char *run_id)
{
  g_autofree char *path = fore_dirs_dup_run_subdir (home, run_id, "spec.json");
  g_autoptr (JsonNode) node = fore_json_load_file (path, NULL, NULL);
  gint64 turns = 0;

  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    turns = fore_json_get_int (json_node_get_object (node), "max_turns", 0);

  return turns > 0 && turns <= FORE_GOAL_MOST_TURNS ? (guint) turns : FORE_GOAL_MAX_TURNS;
}
