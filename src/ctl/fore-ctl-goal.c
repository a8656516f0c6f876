/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-goal.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-verbs.h"
#include "model/fore-error.h"
#include "model/fore-nearest.h"
#include "text/fore-text.h"

#include <glib/gi18n.h>
#include <string.h>

/**
 * fore_ctl_goal_read:
 * @ctl: a call with an open store
 * @delta: a run
 *
 * Returns: (transfer full) (nullable): the goal loop that the run is; lives no longer than @delta
 */
ForeGoal *
fore_ctl_goal_read (ForeCtl *ctl, const ForeRunDelta *delta)
{
  guint max_turns = fore_goal_load_max_turns (fore_store_get_home (ctl->store), delta->run->id);

  return fore_goal_read (delta->run, delta->tasks, delta->requests, max_turns);
}

static JsonObject *
turn_to_json (const ForeGoalTurn *turn)
{
  JsonObject *object = json_object_new ();
  JsonArray *keys = json_array_new ();

  json_object_set_int_member (object, "turn", turn->n);
  for (guint i = 0; i < turn->tasks->len; i++)
    json_array_add_string_element (keys, ((ForeTask *) turn->tasks->pdata[i])->key);
  json_object_set_array_member (object, "tasks", keys);
  json_object_set_object_member (object, "usage", fore_ctl_json_usage (&turn->usage));
  fore_ctl_json_set_text (object, "verified", fore_verified_to_string (turn->verified));
  if (turn->checks != NULL)
    json_object_set_array_member (object, "checks", fore_ctl_json_checks (turn->checks->checks));
  if (turn->verdict == NULL)
    return object;

  json_object_set_boolean_member (object, "achieved", turn->achieved);
  json_object_set_boolean_member (object, "blocked", turn->verdict->blocked);
  fore_ctl_json_set_text (object, "reason", turn->reason);
  json_object_set_array_member (object, "evidence",
                                fore_ctl_json_strv ((const char *const *) turn->verdict->evidence));

  return object;
}

/**
 * fore_ctl_goal_to_json:
 * @goal: a goal loop
 *
 * Returns: (transfer full): {state, turn, max_turns, turns: [...]}
 */
JsonObject *
fore_ctl_goal_to_json (const ForeGoal *goal)
{
  JsonObject *object = json_object_new ();
  JsonArray *turns = json_array_new ();

  json_object_set_string_member (object, "state", fore_goal_state_to_string (goal->state));
  json_object_set_int_member (object, "turn", fore_goal_get_last (goal)->n);
  json_object_set_int_member (object, "max_turns", goal->max_turns);
  for (guint i = 0; i < goal->turns->len; i++)
    json_array_add_object_element (turns, turn_to_json (goal->turns->pdata[i]));
  json_object_set_array_member (object, "turns", turns);

  return object;
}

static const char *
describe_verdict (const ForeGoalTurn *turn)
{
  if (turn->verdict == NULL)
    return _ ("not judged yet");
  if (turn->achieved)
    return _ ("achieved");

  return turn->verdict->blocked ? _ ("needs a person") : _ ("not achieved");
}

static void
print_turn (ForeCtl *ctl, const ForeGoalTurn *turn)
{
  g_autofree char *reason = fore_ctl_dup_clean (turn->reason);
  g_autofree char *cost = turn->usage.cost >= 0 ? fore_text_format_cost (turn->usage.cost) : NULL;
  g_autofree char *name = g_strdup_printf (_ ("Turn %u"), turn->n);

  fore_ctl_print (ctl, "  ");
  fore_ctl_print_styled (ctl, FORE_CTL_BOLD, name);
  fore_ctl_print (ctl, "  %s", describe_verdict (turn));
  if (turn->checks != NULL && turn->checks->checks->len > 0
      && turn->checks->status == FORE_TASK_COMPLETED)
    fore_ctl_print (ctl, _ (", checks: %s"), fore_verified_to_string (turn->verified));
  fore_ctl_print (ctl, "%s%s\n", cost != NULL ? ", " : "", cost != NULL ? cost : "");
  if (*reason != '\0')
    fore_ctl_print (ctl, "    %s\n", reason);
  for (guint i = 0; turn->verdict != NULL && turn->verdict->evidence[i] != NULL; i++)
    {
      g_autofree char *line = fore_ctl_dup_clean (turn->verdict->evidence[i]);

      fore_ctl_print (ctl, "    – %s\n", line);
    }
}

/**
 * fore_ctl_goal_print:
 * @ctl: a call
 * @goal: a goal loop
 *
 * Prints its state and its turns, with verdict, evidence and cost.
 */
void
fore_ctl_goal_print (ForeCtl *ctl, const ForeGoal *goal)
{
  g_autofree char *text = fore_goal_describe (goal);
  g_autofree char *clean = fore_ctl_dup_clean (text);

  fore_ctl_print (ctl, "%-12s %s (", _ ("Goal loop"), fore_goal_state_to_string (goal->state));
  fore_ctl_print (ctl, "%s)\n", clean);
  for (guint i = 0; i < goal->turns->len; i++)
    print_turn (ctl, goal->turns->pdata[i]);
}

static gboolean
show_status (ForeCtl *ctl, const ForeRunDelta *delta, GError **error)
{
  g_autoptr (ForeGoal) goal = fore_ctl_goal_read (ctl, delta);

  if (goal == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("Run %s is no goal loop; “foredeckctl show %s” shows it."), delta->run->id,
                   delta->run->id);
      return FALSE;
    }

  if (ctl->json)
    fore_ctl_print_object (ctl, fore_ctl_goal_to_json (goal));
  else
    fore_ctl_goal_print (ctl, goal);

  return TRUE;
}

static gboolean
go_on (ForeCtl *ctl, const char *run_id, const char *word, GError **error)
{
  const char *const args[] = { word, fore_ctl_get (ctl, "hint"), NULL };

  return fore_ctl_command (ctl, run_id, FORE_COMMAND_GOAL, args, error);
}

static gboolean
refuse_word (const char *word, GError **error)
{
  static const char *const words[] = { "start", "status", "pause", "resume", "step", "stop", NULL };
  const char *nearest = fore_nearest_word (word, words);

  g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
               nearest != NULL ? _ ("A goal knows no “%s”; did you mean “%s”?")
                               : _ ("A goal knows no “%s”; say start, status, pause, resume, step "
                                    "or stop.%s"),
               word, nearest != NULL ? nearest : "");

  return FALSE;
}

gboolean
fore_ctl_do_goal (ForeCtl *ctl, GError **error)
{
  const char *word = fore_ctl_get_word (ctl, 0);
  g_autoptr (ForeRunDelta) delta = NULL;
  const char *run_id;

  if (strcmp (word, "start") == 0)
    return fore_ctl_do_goal_start (ctl, error);

  delta = fore_ctl_read_run (ctl, fore_ctl_get_word (ctl, 1), 0, error);
  if (delta == NULL)
    return FALSE;

  run_id = delta->run->id;
  if (strcmp (word, "status") == 0)
    return show_status (ctl, delta, error);
  if (strcmp (word, "pause") == 0)
    return fore_ctl_command (ctl, run_id, FORE_COMMAND_PAUSE, NULL, error);
  if (strcmp (word, "stop") == 0)
    return fore_ctl_command (ctl, run_id, FORE_COMMAND_CANCEL, NULL, error);
  if (strcmp (word, "resume") == 0 || strcmp (word, "step") == 0)
    return go_on (ctl, run_id, word, error);

  return refuse_word (word, error);
}
