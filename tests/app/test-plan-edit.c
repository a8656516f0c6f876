/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-item-text.h"
#include "app/fore-plan-edit.h"
#include "app/fore-plan-row.h"
#include "app/fore-plan-verdict.h"
#include "app/fore-run-graph.h"
#include "app/fore-run-item.h"
#include "app/fore-run-nodes.h"
#include "app/fore-run-nodes.h"
#include "app/fore-run-verb.h"
#include "app/fore-task-item.h"
#include "model/fore-error.h"

#include <string.h>

static void
add (ForePlan *plan, const char *id, const char *after, const char *path)
{
  ForePlanItem *item = fore_plan_item_new (id);

  item->title = g_strdup (id);
  item->role = g_strdup ("executor");
  item->text = g_strdup ("text");
  item->depends_on = after != NULL ? g_strsplit (after, " ", -1) : NULL;
  item->paths = path != NULL ? g_strsplit (path, " ", -1) : NULL;
  g_ptr_array_add (plan->items, item);
}

static ForePlan *
make_plan (void)
{
  ForePlan *plan = fore_plan_new ();

  add (plan, "a", NULL, "src/a.c");
  add (plan, "b", "a", "src/a.c src/b.c");
  add (plan, "c", "b", NULL);
  add (plan, "d", "b c", NULL);

  return plan;
}

static ForePlanItem *
get (const ForePlan *plan, guint i)
{
  return g_ptr_array_index (plan->items, i);
}

static void
test_dropped_items_pass_on_what_they_waited_for (void)
{
  g_autoptr (ForePlan) plan = make_plan ();
  g_autoptr (ForePlan) effective = NULL;

  get (plan, 1)->dropped = TRUE;
  get (plan, 2)->dropped = TRUE;
  effective = fore_plan_make_effective (plan);

  g_assert_cmpuint (effective->items->len, ==, 2);
  g_assert_cmpstr (get (effective, 1)->id, ==, "d");
  g_assert_cmpuint (g_strv_length (get (effective, 1)->depends_on), ==, 1);
  g_assert_cmpstr (get (effective, 1)->depends_on[0], ==, "a");
  g_assert_cmpuint (fore_plan_count_kept (plan), ==, 2);
  g_assert_cmpstr (effective->hash, !=, plan->hash);
}

static void
test_items_that_wait_in_a_circle_end (void)
{
  g_autoptr (ForePlan) plan = fore_plan_new ();
  g_autoptr (ForePlan) effective = NULL;

  add (plan, "a", "b", NULL);
  add (plan, "b", "a", NULL);
  add (plan, "c", "a", NULL);
  get (plan, 0)->dropped = TRUE;
  get (plan, 1)->dropped = TRUE;
  effective = fore_plan_make_effective (plan);

  g_assert_cmpuint (effective->items->len, ==, 1);
  g_assert_cmpuint (g_strv_length (get (effective, 0)->depends_on), ==, 0);
}

static void
test_moving_and_adding (void)
{
  g_autoptr (ForePlan) plan = make_plan ();

  fore_plan_move_item (plan, 0, 2);
  g_assert_cmpstr (get (plan, 2)->id, ==, "a");
  fore_plan_move_item (plan, 2, 99);
  g_assert_cmpstr (get (plan, 3)->id, ==, "a");

  for (guint i = 0; i < 2; i++)
    {
      ForePlanItem *item = fore_plan_item_new ("");

      item->title = g_strdup ("Write Docs");
      fore_plan_add_item (plan, item);
    }
  g_assert_cmpstr (get (plan, 4)->id, ==, "write-docs");
  g_assert_cmpstr (get (plan, 5)->id, ==, "write-docs-2");
}

static void
test_what_waits_for_an_item (void)
{
  g_autoptr (ForePlan) plan = make_plan ();

  g_assert_true (fore_plan_waits_for (plan, "d", "a"));
  g_assert_true (fore_plan_waits_for (plan, "a", "a"));
  g_assert_false (fore_plan_waits_for (plan, "a", "d"));
  g_assert_false (fore_plan_waits_for (plan, "none", "a"));
}

/* What is approved must not read otherwise than it is: no override turns a line around. */
static void
test_facts_show_what_would_turn_them_around (void)
{
  static const char *const argv[] = { "make", "\342\200\256kcehc", NULL };
  g_autoptr (ForePlan) plan = make_plan ();
  g_autofree char *facts = NULL;

  g_free (get (plan, 0)->title);
  get (plan, 0)->title = g_strdup ("\342\200\256txt.exe\nand more");
  get (plan, 1)->checks = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_check_free);
  g_ptr_array_add (get (plan, 1)->checks, fore_check_new (argv));
  facts = fore_plan_row_dup_facts (plan, get (plan, 1));

  g_assert_null (strstr (facts, "\342\200\256"));
  g_assert_nonnull (strstr (facts, "after \342\237\250U+202E\342\237\251txt.exe and more\n"));
  g_assert_nonnull (strstr (facts, "writes src/a.c src/b.c\n"));
  g_assert_nonnull (strstr (facts, "checked by make "));
}

static void
test_checks_are_edited_as_lines (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) checks = fore_item_checks_from_text ("make check\n\n sh -c 'a b' \n", NULL,
                                                             &error);
  g_autofree char *text = NULL;
  g_auto (GStrv) none = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (checks->len, ==, 2);
  g_assert_cmpstr (((ForeCheck *) g_ptr_array_index (checks, 1))->argv[2], ==, "a b");
  text = fore_item_checks_to_text (checks);
  g_assert_cmpstr (text, ==, "make check\nsh -c 'a b'");
  none = fore_item_words_from_text ("", &error);
  g_assert_cmpuint (g_strv_length (none), ==, 0);
  g_assert_null (fore_item_checks_from_text ("make 'check", NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_INVALID);
}

static void
test_an_answered_plan_says_how (void)
{
  g_autoptr (ForeRun) run = fore_run_new ("aaaaaaaa");
  g_autoptr (ForeRequest) request = fore_request_new ("aaaaaaaa", 1, FORE_REQUEST_PLAN);
  g_autofree char *verdict = NULL;

  fore_request_add_option (request, "approve", "Approve", "approve");
  request->plan_version = 1;
  run->approved_version = 2;
  g_assert_cmpuint (fore_plan_find_shown_version (request, run), ==, 1);
  request->state = FORE_REQUEST_ANSWERED;
  request->answer = g_strdup ("approve");
  request->answered_by = g_strdup ("foredeckctl");
  request->answered = G_GINT64_CONSTANT (1700000000000000);
  g_assert_cmpuint (fore_plan_find_shown_version (request, run), ==, 2);
  verdict = fore_plan_dup_verdict (request, 2);
  g_assert_true (g_str_has_prefix (verdict, "This plan was approved with foredeckctl · "));
  g_assert_nonnull (strstr (verdict, "version 2"));
}

static ForeAttempt *
make_attempt (guint n, gint64 started, gint64 finished)
{
  ForeAttempt *attempt = fore_attempt_new ("a", n);

  attempt->started = started;
  attempt->finished = finished;
  return attempt;
}

static void
test_time_of_a_task_is_that_of_its_attempts (void)
{
  g_autoptr (ForeTask) task = fore_task_new ("a");
  g_autoptr (GPtrArray) attempts = g_ptr_array_new_with_free_func (
      (GDestroyNotify) fore_attempt_free);
  g_autoptr (ForeTaskItem) item = NULL;

  task->started = 1000;
  task->finished = 90000;
  g_ptr_array_add (attempts, make_attempt (1, 1000, 3000));
  g_ptr_array_add (attempts, make_attempt (2, 80000, 81000));
  item = fore_task_item_new (task);
  g_assert_cmpint (fore_task_item_get_elapsed (item), ==, 89000);
  fore_task_item_set_attempts (item, attempts);
  g_assert_cmpint (fore_task_item_get_elapsed (item), ==, 3000);
}

static void
test_finished_runs_wait_for_review_not_for_an_answer (void)
{
  g_autoptr (ForeRun) run = fore_run_new ("aaaaaaaa");
  g_autoptr (ForeRequest) request = fore_request_new ("aaaaaaaa", 1, FORE_REQUEST_QUESTION);
  g_autoptr (ForeRunItem) item = NULL;

  run->status = FORE_RUN_COMPLETED;
  run->result_commit = g_strdup ("1111");
  run->files = 2;
  item = fore_run_item_new (run);
  g_assert_cmpint (fore_run_item_get_group (item), ==, FORE_RUN_GROUP_REVIEW);
  fore_run_item_set_request (item, request);
  g_assert_cmpint (fore_run_item_get_group (item), ==, FORE_RUN_GROUP_NEEDS_YOU);
}

static void
test_discarded_runs_wait_for_nobody (void)
{
  g_autoptr (ForeRun) run = fore_run_new ("aaaaaaaa");
  g_autoptr (ForeRunItem) item = NULL;

  run->status = FORE_RUN_COMPLETED;
  run->result_commit = g_strdup ("1111");
  run->files = 2;
  run->merged_into = g_strdup ("");
  item = fore_run_item_new (run);
  g_assert_false (fore_run_awaits_review (run));
  g_assert_cmpint (fore_run_item_get_group (item), ==, FORE_RUN_GROUP_RECENT);
}

static void
tell_conflict (ForeRunNodes *nodes, const char *data)
{
  g_autoptr (ForeEvent) event = fore_event_new (FORE_EVENT_TASK_CONFLICT, "a", 0, data);

  fore_run_nodes_add_event (nodes, event);
}

static ForeGraphNode *
get_node (ForeRunNodes *nodes, guint position)
{
  g_autoptr (ForeGraphNode) node = g_list_model_get_item (fore_run_nodes_get_model (nodes),
                                                          position);

  return node;
}

static void
test_tasks_that_will_not_fit_together_are_marked (void)
{
  g_autoptr (ForeRun) run = fore_run_new ("aaaaaaaa");
  g_autoptr (GListStore) tasks = g_list_store_new (FORE_TYPE_TASK_ITEM);
  ForeRunGraph graph = { 0 };
  ForeRunNodes *nodes = fore_run_nodes_new ();

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (ForeTask) task = fore_task_new ((const char *[]){ "a", "b", "c" }[i]);
      g_autoptr (ForeTaskItem) item = fore_task_item_new (task);

      g_list_store_append (tasks, item);
    }
  run->status = FORE_RUN_RUNNING;
  fore_run_nodes_sync (nodes, run, G_LIST_MODEL (tasks), &graph);
  tell_conflict (nodes, "{\"with\":\"b\",\"paths\":[\"file.c\"]}");
  g_assert_nonnull (fore_graph_node_get_badge (get_node (nodes, 0)));
  g_assert_nonnull (fore_graph_node_get_badge (get_node (nodes, 1)));
  g_assert_null (fore_graph_node_get_badge (get_node (nodes, 2)));
  tell_conflict (nodes, "{\"with\":\"b\",\"paths\":[]}");
  g_assert_null (fore_graph_node_get_badge (get_node (nodes, 0)));
  g_assert_null (fore_graph_node_get_badge (get_node (nodes, 1)));

  run->status = FORE_RUN_COMPLETED;
  fore_run_nodes_sync (nodes, run, G_LIST_MODEL (tasks), &graph);
  tell_conflict (nodes, "{\"with\":\"b\",\"paths\":[\"file.c\"]}");
  g_assert_null (fore_graph_node_get_badge (get_node (nodes, 0)));
  fore_run_nodes_free (nodes);
}

static void
test_figures (void)
{
  g_autoptr (ForePlan) plan = make_plan ();
  g_autoptr (GPtrArray) paths = fore_plan_list_paths (plan);

  g_assert_cmpuint (paths->len, ==, 2);
  g_assert_cmpuint (fore_plan_get_depth (plan), ==, 4);
  g_assert_cmpuint (fore_plan_get_width (plan), ==, 1);
  add (plan, "e", "a", NULL);
  g_assert_cmpuint (fore_plan_get_width (plan), ==, 2);
}

static void
test_edges_that_a_longer_way_says_are_left_out (void)
{
  g_autoptr (ForePlan) plan = make_plan ();
  g_autoptr (GPtrArray) edges = fore_plan_build_edges (plan);

  /* b → d is implied by b → c → d. */
  g_assert_cmpuint (edges->len, ==, 3);
}

static gboolean
has_edge (const ForeRunGraph *graph, const char *from, const char *to)
{
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const ForeGraphEdge *edge = g_ptr_array_index (graph->edges, i);

      if (g_str_equal (edge->from, from) && g_str_equal (edge->to, to))
        return TRUE;
    }

  return FALSE;
}

static ForeTask *
make_task (const char *key, const char *after, gboolean writes, gboolean adaptive, guint version)
{
  ForeTask *task = fore_task_new (key);

  task->title = g_strdup (key);
  task->depends_on = after != NULL ? g_strsplit (after, " ", -1) : NULL;
  task->writes = writes;
  task->adaptive = adaptive;
  task->plan_version = version;

  return task;
}

static void
test_decisions_stand_in_the_graph (void)
{
  g_autoptr (ForeRun) run = fore_run_new ("abcdefgh");
  g_autoptr (GPtrArray) tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_task_free);
  g_autoptr (ForeRunGraph) graph = NULL;

  run->options.isolation = FORE_ISOLATION_WORKTREES;
  run->plan_version = 1;
  g_ptr_array_add (tasks, make_task ("plan", NULL, FALSE, TRUE, 0));
  g_ptr_array_add (tasks, make_task ("one", "plan", TRUE, FALSE, 1));
  g_ptr_array_add (tasks, make_task ("verify", "one plan", FALSE, FALSE, 0));
  graph = fore_run_graph_new (run, tasks, FALSE);

  g_assert_true (graph->plan_gate && graph->result && !graph->write_gate);
  g_assert_true (has_edge (graph, "plan", FORE_NODE_PLAN));
  g_assert_true (has_edge (graph, FORE_NODE_PLAN, "one"));
  g_assert_true (has_edge (graph, "one", "verify"));
  g_assert_true (has_edge (graph, "verify", FORE_NODE_RESULT));
  g_assert_false (has_edge (graph, "plan", "one"));
  g_assert_false (has_edge (graph, FORE_NODE_PLAN, "verify"));
}

static void
test_tasks_at_work_on_one_file_show_a_conflict (void)
{
  g_autoptr (ForeRun) run = fore_run_new ("abcdefgh");
  g_autoptr (GPtrArray) tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_task_free);
  g_autoptr (ForeRunGraph) graph = NULL;
  const ForeGraphEdge *edge;

  g_ptr_array_add (tasks, make_task ("one", NULL, TRUE, FALSE, 0));
  g_ptr_array_add (tasks, make_task ("two", NULL, TRUE, FALSE, 0));
  for (guint i = 0; i < 2; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);

      task->status = FORE_TASK_RUNNING;
      task->paths = g_strsplit ("src/same.c", " ", -1);
    }
  graph = fore_run_graph_new (run, tasks, FALSE);

  g_assert_cmpuint (graph->edges->len, >, 0);
  edge = g_ptr_array_index (graph->edges, graph->edges->len - 1);
  g_assert_cmpint (edge->kind, ==, FORE_GRAPH_EDGE_CONFLICT);
}

static void
test_the_main_button_says_what_is_next (void)
{
  g_autoptr (ForeRun) run = fore_run_new ("abcdefgh");

  run->status = FORE_RUN_RUNNING;
  g_assert_cmpint (fore_run_verb_find (run, FORE_RUN_WELL, FALSE), ==, FORE_RUN_VERB_PAUSE);
  g_assert_cmpint (fore_run_verb_find (run, FORE_RUN_INTERRUPTED, FALSE), ==, FORE_RUN_VERB_RESUME);
  g_assert_cmpint (fore_run_verb_find (run, FORE_RUN_STUCK, FALSE), ==, FORE_RUN_VERB_RESTART);
  run->status = FORE_RUN_PAUSED;
  g_assert_cmpint (fore_run_verb_find (run, FORE_RUN_WELL, FALSE), ==, FORE_RUN_VERB_CONTINUE);
  run->status = FORE_RUN_FAILED;
  g_assert_cmpint (fore_run_verb_find (run, FORE_RUN_WELL, FALSE), ==, FORE_RUN_VERB_RETRY);
  run->status = FORE_RUN_COMPLETED;
  run->result_commit = g_strdup ("1111");
  run->files = 2;
  g_assert_cmpint (fore_run_verb_find (run, FORE_RUN_WELL, FALSE), ==, FORE_RUN_VERB_REVIEW);
  g_assert_cmpint (fore_run_verb_find (run, FORE_RUN_WELL, TRUE), ==, FORE_RUN_VERB_MERGE);
  run->merged_commit = g_strdup ("2222");
  g_assert_cmpint (fore_run_verb_find (run, FORE_RUN_WELL, TRUE), ==, FORE_RUN_VERB_NONE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/app/plan/dropped", test_dropped_items_pass_on_what_they_waited_for);
  g_test_add_func ("/app/plan/circle", test_items_that_wait_in_a_circle_end);
  g_test_add_func ("/app/plan/move", test_moving_and_adding);
  g_test_add_func ("/app/plan/waits-for", test_what_waits_for_an_item);
  g_test_add_func ("/app/plan/facts", test_facts_show_what_would_turn_them_around);
  g_test_add_func ("/app/plan/checks", test_checks_are_edited_as_lines);
  g_test_add_func ("/app/plan/verdict", test_an_answered_plan_says_how);
  g_test_add_func ("/app/task/time", test_time_of_a_task_is_that_of_its_attempts);
  g_test_add_func ("/app/run/group", test_finished_runs_wait_for_review_not_for_an_answer);
  g_test_add_func ("/app/run/conflict-ahead", test_tasks_that_will_not_fit_together_are_marked);
  g_test_add_func ("/app/run/discarded", test_discarded_runs_wait_for_nobody);
  g_test_add_func ("/app/plan/figures", test_figures);
  g_test_add_func ("/app/plan/edges", test_edges_that_a_longer_way_says_are_left_out);
  g_test_add_func ("/app/graph/decisions", test_decisions_stand_in_the_graph);
  g_test_add_func ("/app/graph/conflict", test_tasks_at_work_on_one_file_show_a_conflict);
  g_test_add_func ("/app/run/verb", test_the_main_button_says_what_is_next);

  return g_test_run ();
}
