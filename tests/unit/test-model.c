/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "model/fore-cause.h"
#include "model/fore-event.h"
#include "model/fore-id.h"
#include "model/fore-plan.h"
#include "model/fore-status.h"
#include "model/fore-usage.h"

/* Statuses */

static void
test_words_go_there_and_back (void)
{
  for (guint i = 0; i < FORE_N_RUN_STATUSES; i++)
    {
      ForeRunStatus status = FORE_N_RUN_STATUSES;

      g_assert_true (fore_run_status_from_string (fore_run_status_to_string (i), &status));
      g_assert_cmpuint (status, ==, i);
    }
  for (guint i = 0; i < FORE_N_TASK_STATUSES; i++)
    {
      ForeTaskStatus status = FORE_N_TASK_STATUSES;

      g_assert_true (fore_task_status_from_string (fore_task_status_to_string (i), &status));
      g_assert_cmpuint (status, ==, i);
    }
  for (guint i = 0; i < FORE_N_PHASES; i++)
    {
      ForeTaskPhase phase = FORE_N_PHASES;

      g_assert_true (fore_task_phase_from_string (fore_task_phase_to_string (i), &phase));
      g_assert_cmpuint (phase, ==, i);
    }
  for (guint i = 0; i < FORE_N_CAUSES; i++)
    {
      ForeCause cause = FORE_N_CAUSES;

      g_assert_true (fore_cause_from_string (fore_cause_to_string (i), &cause));
      g_assert_cmpuint (cause, ==, i);
    }
  for (guint i = 0; i < FORE_N_EVENT_TYPES; i++)
    {
      ForeEventType type = FORE_N_EVENT_TYPES;

      g_assert_true (fore_event_type_from_string (fore_event_type_to_string (i), &type));
      g_assert_cmpuint (type, ==, i);
      g_assert_nonnull (fore_event_type_get_keys (type));
      g_assert_nonnull (fore_event_type_get_source (type));
    }
}

static void
test_unknown_words_are_refused (void)
{
  static const char *const words[] = { NULL, "", "Running", "running ", "done" };
  ForeRunStatus run = FORE_RUN_PAUSED;
  ForeTaskStatus task = FORE_TASK_SKIPPED;
  ForeCause cause = FORE_CAUSE_LOST;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_assert_false (fore_run_status_from_string (words[i], &run));
      g_assert_false (fore_task_status_from_string (words[i], &task));
      g_assert_false (fore_cause_from_string (words[i], &cause));
    }
  g_assert_cmpint (run, ==, FORE_RUN_PAUSED);
  g_assert_cmpint (task, ==, FORE_TASK_SKIPPED);
  g_assert_cmpint (cause, ==, FORE_CAUSE_LOST);
}

static void
test_terminal_states_never_regress (void)
{
  for (guint to = 0; to < FORE_N_TASK_STATUSES; to++)
    {
      g_assert_false (fore_task_status_can_move (FORE_TASK_COMPLETED, to));
      g_assert_false (fore_task_status_can_move (FORE_TASK_CANCELLED, to));
      g_assert_true (fore_task_status_can_move (FORE_TASK_FAILED, to) == (to == FORE_TASK_QUEUED));
      g_assert_true (fore_task_status_can_move (FORE_TASK_SKIPPED, to) == (to == FORE_TASK_QUEUED));
    }
  for (guint to = 0; to < FORE_N_RUN_STATUSES; to++)
    {
      g_assert_false (fore_run_status_can_move (FORE_RUN_CANCELLED, to));
      g_assert_true (fore_run_status_can_move (FORE_RUN_COMPLETED, to) == (to == FORE_RUN_RUNNING));
    }
}

static void
test_open_states_can_be_cancelled (void)
{
  for (guint i = 0; i < FORE_N_TASK_STATUSES; i++)
    {
      g_assert_false (fore_task_status_can_move (i, i));
      if (fore_task_status_get_class (i) != FORE_CLASS_FINISHED)
        g_assert_true (fore_task_status_can_move (i, FORE_TASK_CANCELLED));
    }
  for (guint i = 0; i < FORE_N_RUN_STATUSES; i++)
    {
      g_assert_false (fore_run_status_can_move (i, i));
      if (fore_run_status_get_class (i) != FORE_CLASS_FINISHED)
        g_assert_true (fore_run_status_can_move (i, FORE_RUN_CANCELLED));
    }
}

static void
test_only_completed_releases (void)
{
  for (guint i = 0; i < FORE_N_TASK_STATUSES; i++)
    g_assert_true (fore_task_status_releases (i) == (i == FORE_TASK_COMPLETED));
}

static void
test_causes_that_can_pass (void)
{
  static const ForeCause never[] = { FORE_CAUSE_AUTH,    FORE_CAUSE_BILLING,   FORE_CAUSE_BAD_MODEL,
                                     FORE_CAUSE_REFUSED, FORE_CAUSE_EXIT,      FORE_CAUSE_CHECKS,
                                     FORE_CAUSE_WROTE,   FORE_CAUSE_CANCELLED, FORE_CAUSE_BUDGET };
  static const ForeCause again[] = { FORE_CAUSE_RATE_LIMIT, FORE_CAUSE_OVERLOADED,
                                     FORE_CAUSE_NETWORK,    FORE_CAUSE_BROKEN_STREAM,
                                     FORE_CAUSE_TIMEOUT,    FORE_CAUSE_CRASH };

  for (guint i = 0; i < G_N_ELEMENTS (never); i++)
    g_assert_false (fore_cause_can_pass (never[i]));
  for (guint i = 0; i < G_N_ELEMENTS (again); i++)
    g_assert_true (fore_cause_can_pass (again[i]));
}

/* Ids */

static void
test_ids (void)
{
  static const char *const good[] = { "a", "a-b", "0", "1234567890123456789012345678901234567890" };
  static const char *const bad[]
      = { "", "A", "a_b", "a/b", "..", "result", "ä", "12345678901234567890123456789012345678901" };
  g_autofree char *task = NULL;
  g_autofree char *run = NULL;
  g_autofree char *attempt = fore_id_dup_attempt ("a-1", 12);
  g_autofree char *request = fore_id_dup_request ("abcdefgh", 3);
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (fore_id_is_task_key (good[i]));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (fore_id_is_task_key (bad[i]));

  g_assert_true (fore_id_parse_attempt (attempt, &task, &n));
  g_assert_cmpstr (task, ==, "a-1");
  g_assert_cmpuint (n, ==, 12);
  g_assert_true (fore_id_parse_request (request, &run, &n));
  g_assert_cmpstr (run, ==, "abcdefgh");
  g_assert_cmpuint (n, ==, 3);
}

static void
test_any_text_becomes_a_key (void)
{
  for (guint round = 0; round < 2000; round++)
    {
      char text[64];
      gsize length = (gsize) g_test_rand_int_range (0, 60);
      g_autofree char *key = NULL;

      for (gsize i = 0; i < length; i++)
        text[i] = (char) g_test_rand_int_range (1, 255);
      text[length] = '\0';

      key = fore_id_dup_task_key (text);
      g_assert_true (fore_id_is_task_key (key));
    }
}

static void
test_paths_stay_in_the_tree (void)
{
  static const char *const bad[]
      = { "", "/", "/etc", "..", "../a", "a/../b", "a/..", ".git/config" };
  static const char *const good[] = { "a", "a/b", ".github/x", "a..b", "..a" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    if (fore_id_is_tree_path (bad[i]))
      g_error ("“%s” is taken for a path in the tree", bad[i]);
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    if (!fore_id_is_tree_path (good[i]))
      g_error ("“%s” is not taken for a path in the tree", good[i]);
}

/* Plans */

static ForePlanItem *
make_item (const char *id, const char *text)
{
  ForePlanItem *item = fore_plan_item_new (id);

  item->title = g_strdup (id);
  item->role = g_strdup ("executor");
  item->text = g_strdup (text);

  return item;
}

static ForePlan *
make_plan (const char *first, ...)
{
  ForePlan *plan = fore_plan_new ();
  va_list args;

  va_start (args, first);
  for (const char *id = first; id != NULL; id = va_arg (args, const char *))
    g_ptr_array_add (plan->items, make_item (id, va_arg (args, const char *)));
  va_end (args);
  fore_plan_update_hash (plan);

  return plan;
}

static void
test_plans_are_compared (void)
{
  g_autoptr (ForePlan) older = make_plan ("a", "1", "b", "2", "c", "3", NULL);
  g_autoptr (ForePlan) newer = make_plan ("c", "3", "b", "changed", "d", "4", NULL);
  g_autoptr (ForePlanDelta) delta = fore_plan_compare (older, newer);

  g_assert_cmpuint (delta->added->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (delta->added, 0), ==, "d");
  g_assert_cmpuint (delta->removed->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (delta->removed, 0), ==, "a");
  g_assert_cmpuint (delta->changed->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (delta->changed, 0), ==, "b");
}

static void
assert_other_hash (const ForePlan *plan, ForePlan *other)
{
  fore_plan_update_hash (other);
  g_assert_cmpstr (plan->hash, !=, other->hash);
}

static void
test_everything_that_is_approved_is_in_the_hash (void)
{
  g_autoptr (ForePlan) plan = make_plan ("a", "1", "b", "2", NULL);
  static const char *const argv[] = { "rm", "-r", NULL };

  for (guint i = 0; i < 8; i++)
    {
      g_autoptr (ForePlan) other = fore_plan_copy (plan);
      ForePlanItem *item = g_ptr_array_index (other->items, 0);

      fore_plan_update_hash (other);
      g_assert_cmpstr (plan->hash, ==, other->hash);
      if (i == 0)
        g_ptr_array_remove_index (other->items, 1);
      else if (i == 1)
        item->text[0] = '!';
      else if (i == 2)
        item->role[0] = '!';
      else if (i == 3)
        item->depends_on = g_strsplit ("b", ",", -1);
      else if (i == 4)
        item->paths = g_strsplit ("b", ",", -1);
      else if (i == 5)
        g_ptr_array_add (item->checks, fore_check_new (argv));
      else if (i == 6)
        item->dropped = TRUE;
      else
        item->live = TRUE;
      assert_other_hash (plan, other);
    }
}

/* Usage */

static void
test_unknown_is_never_zero (void)
{
  ForeUsage sum = FORE_USAGE_INIT;
  ForeUsage some = FORE_USAGE_INIT;

  fore_usage_add (&sum, &some);
  g_assert_false (fore_usage_is_known (&sum));
  g_assert_cmpint (fore_usage_get_tokens (&sum), ==, FORE_USAGE_UNKNOWN);

  some.output = 0;
  fore_usage_add (&sum, &some);
  g_assert_cmpint (sum.output, ==, 0);
  g_assert_cmpint (sum.input, ==, FORE_USAGE_UNKNOWN);
  g_assert_cmpint (fore_usage_get_tokens (&sum), ==, 0);
  g_assert_cmpint (sum.cost, ==, FORE_USAGE_UNKNOWN);
}

static void
test_sums_do_not_wrap (void)
{
  ForeUsage sum = FORE_USAGE_INIT;
  ForeUsage much = FORE_USAGE_INIT;

  much.input = G_MAXINT64 - 1;
  much.output = 100;
  much.estimated = TRUE;
  fore_usage_add (&sum, &much);
  fore_usage_add (&sum, &much);
  g_assert_cmpint (sum.input, ==, G_MAXINT64);
  g_assert_cmpint (fore_usage_get_tokens (&sum), ==, G_MAXINT64);
  g_assert_true (sum.estimated);
}

static gint64
choose_amount (gint64 before)
{
  if (before < 0 && g_test_rand_int_range (0, 2) == 0)
    return FORE_USAGE_UNKNOWN;

  return MAX (before, 0) + g_test_rand_int_range (0, 1000);
}

/* A sum that is kept up to date is the sum. */
static void
test_usage_replaced_in_a_sum (void)
{
  ForeUsage parts[5], sum = FORE_USAGE_INIT;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    parts[i] = FORE_USAGE_INIT;

  for (guint step = 0; step < 500; step++)
    {
      ForeUsage *part = &parts[g_test_rand_int_range (0, G_N_ELEMENTS (parts))];
      ForeUsage before = *part, wanted = FORE_USAGE_INIT;

      part->input = choose_amount (before.input);
      part->output = choose_amount (before.output);
      part->cache_read = choose_amount (before.cache_read);
      part->cost = choose_amount (before.cost);
      fore_usage_replace (&sum, &before, part);

      for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
        fore_usage_add (&wanted, &parts[i]);
      g_assert_true (fore_usage_equal (&sum, &wanted));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/model/usage-replaced-in-a-sum", test_usage_replaced_in_a_sum);
  g_test_add_func ("/model/words-go-there-and-back", test_words_go_there_and_back);
  g_test_add_func ("/model/unknown-words-are-refused", test_unknown_words_are_refused);
  g_test_add_func ("/model/terminal-states-never-regress", test_terminal_states_never_regress);
  g_test_add_func ("/model/open-states-can-be-cancelled", test_open_states_can_be_cancelled);
  g_test_add_func ("/model/only-completed-releases", test_only_completed_releases);
  g_test_add_func ("/model/causes-that-can-pass", test_causes_that_can_pass);
  g_test_add_func ("/model/ids", test_ids);
  g_test_add_func ("/model/any-text-becomes-a-key", test_any_text_becomes_a_key);
  g_test_add_func ("/model/paths-stay-in-the-tree", test_paths_stay_in_the_tree);
  g_test_add_func ("/model/plans-are-compared", test_plans_are_compared);
  g_test_add_func ("/model/hash-of-a-plan", test_everything_that_is_approved_is_in_the_hash);
  g_test_add_func ("/model/unknown-is-never-zero", test_unknown_is_never_zero);
  g_test_add_func ("/model/sums-do-not-wrap", test_sums_do_not_wrap);

  return g_test_run ();
}
