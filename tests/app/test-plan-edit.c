/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-plan-edit.h"
#include "app/fore-run-graph.h"
#include "app/fore-run-nodes.h"
#include "app/fore-run-verb.h"

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

  g_assert_cmpstr (fore_plan_add_item (plan, "Write Docs", "writer", "x")->id, ==, "write-docs");
  g_assert_cmpstr (fore_plan_add_item (plan, "Write Docs", "writer", "y")->id, ==, "write-docs-2");
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
  g_assert_cmpint (fore_run_verb_find (run, FALSE, FALSE), ==, FORE_RUN_VERB_PAUSE);
  g_assert_cmpint (fore_run_verb_find (run, TRUE, FALSE), ==, FORE_RUN_VERB_RESUME);
  run->status = FORE_RUN_PAUSED;
  g_assert_cmpint (fore_run_verb_find (run, FALSE, FALSE), ==, FORE_RUN_VERB_CONTINUE);
  run->status = FORE_RUN_FAILED;
  g_assert_cmpint (fore_run_verb_find (run, FALSE, FALSE), ==, FORE_RUN_VERB_RETRY);
  run->status = FORE_RUN_COMPLETED;
  run->result_commit = g_strdup ("1111");
  run->files = 2;
  g_assert_cmpint (fore_run_verb_find (run, FALSE, FALSE), ==, FORE_RUN_VERB_REVIEW);
  g_assert_cmpint (fore_run_verb_find (run, FALSE, TRUE), ==, FORE_RUN_VERB_MERGE);
  run->merged_commit = g_strdup ("2222");
  g_assert_cmpint (fore_run_verb_find (run, FALSE, TRUE), ==, FORE_RUN_VERB_NONE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/app/plan/dropped", test_dropped_items_pass_on_what_they_waited_for);
  g_test_add_func ("/app/plan/circle", test_items_that_wait_in_a_circle_end);
  g_test_add_func ("/app/plan/move", test_moving_and_adding);
  g_test_add_func ("/app/plan/figures", test_figures);
  g_test_add_func ("/app/plan/edges", test_edges_that_a_longer_way_says_are_left_out);
  g_test_add_func ("/app/graph/decisions", test_decisions_stand_in_the_graph);
  g_test_add_func ("/app/graph/conflict", test_tasks_at_work_on_one_file_show_a_conflict);
  g_test_add_func ("/app/run/verb", test_the_main_button_says_what_is_next);

  return g_test_run ();
}
