/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-goal.h"

#include <string.h>

static void
expect (const char *answer, int achieved, const char *reason)
{
  g_autofree char *problem = NULL;
  g_autoptr (ForeGoalVerdict) verdict = fore_goal_verdict_parse (answer, &problem);

  if (achieved < 0)
    {
      g_assert_null (verdict);
      g_assert_nonnull (problem);
      return;
    }

  g_assert_nonnull (verdict);
  g_assert_cmpint (verdict->achieved, ==, achieved);
  g_assert_cmpstr (verdict->reason, ==, reason);
  g_assert_nonnull (verdict->evidence);
}

static void
test_verdicts (void)
{
  expect ("{\"achieved\": true, \"reason\": \"r\"}", TRUE, "r");
  expect ("Well.\n```json\n{\"reason\":\"a } b\",\"achieved\":false}\n```\nBye {", FALSE, "a } b");
  expect ("{\"evidence\": [{\"a\": 1}, \"{\"], \"achieved\": false, \"reason\": \"r\"}", FALSE,
          "r");
  /* the form, shown first, is not the verdict */
  expect ("As {\"achieved\": true, \"reason\": \"x\"} but {\"achieved\": false, \"reason\": \"y\"}",
          FALSE, "y");
  expect ("{\"achieved\": false, \"reason\": \"a\\u200bb\\u001bc\\nd\"}", FALSE, "abc\nd");
}

static void
test_no_verdicts (void)
{
  g_autofree char *deep = g_strnfill (100000, '{');
  g_autofree char *text = g_strconcat (deep, "\"achieved\": true", NULL);

  expect (NULL, -1, NULL);
  expect ("", -1, NULL);
  expect ("It is \"achieved\", I think.", -1, NULL);
  expect ("{\"achieved\": \"true\", \"reason\": \"r\"}", -1, NULL);
  expect ("{\"achieved\": 1, \"reason\": \"r\"}", -1, NULL);
  expect ("{\"achieved\": null, \"reason\": \"r\"}", -1, NULL);
  expect ("{\"achieved\": true}", -1, NULL);
  expect ("{\"achieved\": true, \"reason\": \" \\u200b \"}", -1, NULL);
  expect ("{\"achieved\": true, \"reason\": \"r\"", -1, NULL);
  expect ("[\"achieved\"]", -1, NULL);
  expect (text, -1, NULL);
}

static void
test_long_reasons_are_cut (void)
{
  g_autofree char *fill = g_strnfill (10000, 'x');
  g_autofree char *text = g_strdup_printf ("{\"achieved\":false,\"reason\":\"%s\"}", fill);
  g_autoptr (ForeGoalVerdict) verdict = fore_goal_verdict_parse (text, NULL);

  g_assert_cmpuint (strlen (verdict->reason), ==, 2000);
}

static void
test_near_reasons (void)
{
  const char *a = "The test of the parser fails in line 12.";

  g_assert_true (fore_goal_reasons_are_near (a, "the test of  the Parser fails in line 977."));
  g_assert_true (fore_goal_reasons_are_near ("12", "12"));
  g_assert_true (
      fore_goal_reasons_are_near ("Die Prüfung schlägt fehl", "die prüfung schlägt fehl!"));
  g_assert_false (fore_goal_reasons_are_near (a, "The printer does not exist yet."));
  g_assert_false (fore_goal_reasons_are_near ("12", "13"));
}

static void
check_turn (const char *key, const char *step, guint turn)
{
  g_autoptr (ForeTask) task = fore_task_new (key);

  task->step = g_strdup (step);
  g_assert_cmpuint (fore_goal_get_turn (task), ==, turn);
}

static void
test_turns_of_keys (void)
{
  check_turn ("work-1", "work", 1);
  check_turn ("phase-2-13", "phase-2", 13);
  check_turn ("phase-2", "phase-2", 0);
  check_turn ("work", "work", 0);
  check_turn ("work-", "work", 0);
  check_turn ("work-01", "work", 0);
  check_turn ("work-0", "work", 0);
  check_turn ("work-1x", "work", 0);
  check_turn ("work-99999999999", "work", 0);
  check_turn ("work-1", NULL, 0);
}

/* A run that was refused its folder has no turn that waits for anybody. */
static void
test_a_loop_that_never_began_is_not_blocked (void)
{
  g_autoptr (ForeRun) run = fore_run_new ("abcdefgh");
  g_autoptr (GPtrArray) tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_task_free);
  g_autoptr (ForeGoal) goal = NULL;
  ForeTask *judge = fore_task_new ("judge-1");

  judge->step = g_strdup (FORE_GOAL_STEP_JUDGE);
  g_ptr_array_add (tasks, judge);
  run->status = FORE_RUN_FAILED;
  goal = fore_goal_read (run, tasks, NULL, 3);
  g_assert_cmpstr (fore_goal_state_to_string (goal->state), ==, "failed");

  g_clear_pointer (&goal, fore_goal_free);
  run->started = 1;
  goal = fore_goal_read (run, tasks, NULL, 3);
  g_assert_cmpstr (fore_goal_state_to_string (goal->state), ==, "blocked");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/goal/verdicts", test_verdicts);
  g_test_add_func ("/goal/no-verdicts", test_no_verdicts);
  g_test_add_func ("/goal/long-reasons", test_long_reasons_are_cut);
  g_test_add_func ("/goal/near-reasons", test_near_reasons);
  g_test_add_func ("/goal/turns", test_turns_of_keys);

  g_test_add_func ("/goal/never-began", test_a_loop_that_never_began_is_not_blocked);

  return g_test_run ();
}
