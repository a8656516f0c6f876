/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-request-item.h"
#include "app/fore-run-nodes.h"
#include "app/fore-task-item.h"
#include "app/fore-task-text.h"

#include <string.h>

static ForeTask *
make_task (const char *key, const char *step, const char *title)
{
  ForeTask *task = fore_task_new (key);

  task->step = g_strdup (step);
  task->title = g_strdup (title);
  task->role = g_strdup (step);
  task->cli = g_strdup ("command");

  return task;
}

static ForeTask *
make_checks (ForeVerified verified)
{
  const char *argv[] = { "make", "check", NULL };
  ForeTask *task = make_task ("checks-2", "checks", "Run the checks");
  ForeCheck *check = fore_check_new (argv);

  check->verified = verified;
  check->exit_code = 2;
  g_ptr_array_add (task->checks, check);
  task->status = FORE_TASK_COMPLETED;
  task->verified = verified;

  return task;
}

static ForeRun *
make_run (ForeRunStatus status, int files)
{
  ForeRun *run = fore_run_new ("nodeaaaa");

  run->status = status;
  run->files = files;
  run->title = g_strdup ("A goal");

  return run;
}

/* The node with @id, as it is made from @run and @task. */
static ForeGraphNode *
dup_node (const ForeRun *run, const ForeTask *task, const char *id)
{
  ForeRunNodes *nodes = fore_run_nodes_new ();
  g_autoptr (GListStore) items = g_list_store_new (FORE_TYPE_TASK_ITEM);
  g_autoptr (ForeTaskItem) item = fore_task_item_new (task);
  const ForeRunGraph graph = { .result = TRUE };
  GListModel *model;
  ForeGraphNode *found = NULL;

  g_list_store_append (items, item);
  fore_run_nodes_sync (nodes, run, G_LIST_MODEL (items), &graph);
  model = fore_run_nodes_get_model (nodes);
  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (ForeGraphNode) node = g_list_model_get_item (model, i);

      if (strcmp (fore_graph_node_get_id (node), id) == 0)
        found = g_steal_pointer (&node);
    }
  fore_run_nodes_free (nodes);
  g_assert_nonnull (found);

  return found;
}

static void
assert_plan_node (ForeTaskStatus planner_status, guint approved, const char *title)
{
  g_autoptr (ForeRun) run = make_run (FORE_RUN_RUNNING, -1);
  g_autoptr (ForeTask) task = make_task ("plan-1", "planner", "Plan it");
  ForeRunNodes *nodes = fore_run_nodes_new ();
  g_autoptr (GListStore) items = g_list_store_new (FORE_TYPE_TASK_ITEM);
  g_autoptr (ForeTaskItem) item = NULL;
  g_autoptr (ForeGraphNode) node = NULL;
  const ForeRunGraph graph = { .plan_gate = TRUE, .planner = task->key };

  run->plan_version = 1;
  run->approved_version = approved;
  task->status = planner_status;
  item = fore_task_item_new (task);
  g_list_store_append (items, item);
  fore_run_nodes_sync (nodes, run, G_LIST_MODEL (items), &graph);
  node = g_list_model_get_item (fore_run_nodes_get_model (nodes), 1);
  g_assert_cmpstr (fore_graph_node_get_title (node), ==, title);
  fore_run_nodes_free (nodes);
}

static void
test_a_rewritten_plan_does_not_wait (void)
{
  assert_plan_node (FORE_TASK_COMPLETED, 0, "Plan v1 waits for you");
  assert_plan_node (FORE_TASK_WAITING, 0, "Plan v1 waits for you");
  assert_plan_node (FORE_TASK_QUEUED, 0, "Plan v2 is being written");
  assert_plan_node (FORE_TASK_RUNNING, 0, "Plan v2 is being written");
  assert_plan_node (FORE_TASK_COMPLETED, 1, "Plan v1 approved");
}

static void
test_an_interrupted_task_works_no_longer (void)
{
  g_autoptr (ForeTask) task = make_task ("rows", "executor", "Write rows");
  g_autoptr (GListStore) items = g_list_store_new (FORE_TYPE_TASK_ITEM);
  g_autoptr (ForeTaskItem) item = NULL;

  task->status = FORE_TASK_RUNNING;
  task->started = 1000;
  item = fore_task_item_new (task);
  g_list_store_append (items, item);
  fore_task_items_set_interrupted (G_LIST_MODEL (items), TRUE, 5000);
  g_assert_cmpint (fore_task_item_get_elapsed (item), ==, 4000);
  fore_task_items_set_interrupted (G_LIST_MODEL (items), FALSE, 5000);
  g_assert_cmpint (fore_task_item_get_elapsed (item), >, 4000);
}

static void
test_a_failed_check_is_no_success (void)
{
  g_autoptr (ForeRun) run = make_run (FORE_RUN_RUNNING, -1);
  g_autoptr (ForeTask) task = make_checks (FORE_VERIFIED_FAILED);
  g_autoptr (ForeTaskItem) item = fore_task_item_new (task);
  g_autoptr (ForeGraphNode) node = dup_node (run, task, "checks-2");
  g_autofree char *status = fore_task_item_dup_status (item);
  g_autofree char *detail = fore_task_item_dup_detail (item);
  g_autofree char *line = fore_graph_node_dup_line (node);
  g_autofree char *name = fore_graph_node_dup_accessible_name (node);

  g_assert_cmpint (fore_task_item_get_status (item), ==, FORE_VIEW_FAILED);
  g_assert_cmpint (fore_graph_node_get_status (node), ==, FORE_VIEW_FAILED);
  g_assert_cmpstr (status, ==, "Checks failed");
  g_assert_nonnull (strstr (line, "checks failed"));
  g_assert_nonnull (strstr (name, "checks failed"));
  g_assert_nonnull (strstr (detail, "make check"));
}

static void
test_a_compromised_check_needs_a_look (void)
{
  g_autoptr (ForeTask) task = make_checks (FORE_VERIFIED_COMPROMISED);
  g_autoptr (ForeTaskItem) item = fore_task_item_new (task);
  g_autofree char *status = fore_task_item_dup_status (item);

  g_assert_cmpint (fore_task_item_get_status (item), ==, FORE_VIEW_ATTENTION);
  g_assert_cmpstr (status, ==, "Compromised");
}

static void
test_a_passed_check_is_a_success (void)
{
  g_autoptr (ForeTask) task = make_checks (FORE_VERIFIED_YES);
  g_autoptr (ForeTaskItem) item = fore_task_item_new (task);
  g_autofree char *status = fore_task_item_dup_status (item);
  g_autofree char *detail = fore_task_item_dup_detail (item);

  g_assert_cmpint (fore_task_item_get_status (item), ==, FORE_VIEW_DONE);
  g_assert_cmpstr (status, ==, "Completed");
  g_assert_null (detail);
}

static void
test_turns_are_told_apart (void)
{
  g_autoptr (ForeTask) first = make_task ("work-1", "work", "Work towards the goal");
  g_autoptr (ForeTask) second = make_task ("work-2", "work", "Work towards the goal");
  g_autoptr (ForeTask) plain = make_task ("work", "work", "Work towards the goal");
  g_autofree char *of_first = fore_task_dup_title (first);
  g_autofree char *of_second = fore_task_dup_title (second);
  g_autofree char *of_plain = fore_task_dup_title (plain);

  g_assert_cmpstr (of_first, ==, "Turn 1: Work towards the goal");
  g_assert_cmpstr (of_second, ==, "Turn 2: Work towards the goal");
  g_assert_cmpstr (of_plain, ==, "Work towards the goal");
}

static void
check_result (ForeRunStatus status, int files, const char *title, ForeViewStatus look)
{
  g_autoptr (ForeRun) run = make_run (status, files);
  g_autoptr (ForeTask) task = make_checks (FORE_VERIFIED_NONE);
  g_autoptr (ForeGraphNode) node = NULL;

  if (files > 0)
    run->result_commit = g_strdup ("0123456789abcdef0123456789abcdef01234567");
  node = dup_node (run, task, FORE_NODE_RESULT);
  g_assert_cmpstr (fore_graph_node_get_title (node), ==, title);
  g_assert_cmpint (fore_graph_node_get_status (node), ==, look);
}

static void
test_only_what_can_be_merged_is_ready (void)
{
  check_result (FORE_RUN_RUNNING, -1, "Ready to merge", FORE_VIEW_PENDING);
  check_result (FORE_RUN_COMPLETED, 3, "Ready to merge", FORE_VIEW_GATE);
  check_result (FORE_RUN_COMPLETED, 0, "Changed nothing", FORE_VIEW_PENDING);
  check_result (FORE_RUN_FAILED, -1, "Nothing to merge", FORE_VIEW_CANCELLED);
  check_result (FORE_RUN_FAILED, 0, "Nothing to merge", FORE_VIEW_CANCELLED);
  check_result (FORE_RUN_FAILED, 3, "Not merged", FORE_VIEW_CANCELLED);
  check_result (FORE_RUN_CANCELLED, -1, "Nothing to merge", FORE_VIEW_CANCELLED);
  check_result (FORE_RUN_CANCELLED, 3, "Not merged", FORE_VIEW_CANCELLED);
}

static void
check_icon (ForeRequestState state, const char *kind, const char *icon)
{
  g_autoptr (ForeRequest) request = fore_request_new ("nodeaaaa", 1, FORE_REQUEST_PERMISSION);
  g_autoptr (ForeRequestItem) item = NULL;
  g_autofree char *name = NULL;

  request->title = g_strdup ("May it?");
  request->state = state;
  if (kind != NULL)
    {
      fore_request_add_option (request, "one", "Some answer", kind);
      request->answer = g_strdup ("one");
    }
  item = fore_request_item_new (request, NULL, "/tmp");
  g_object_get (item, "icon-name", &name, NULL);
  g_assert_cmpstr (name, ==, icon);
}

static void
test_only_what_was_allowed_is_ticked (void)
{
  check_icon (FORE_REQUEST_OPEN, NULL, "fore-permission-symbolic");
  check_icon (FORE_REQUEST_ANSWERED, "allow_once", "fore-done-symbolic");
  check_icon (FORE_REQUEST_ANSWERED, "reject_once", "fore-failed-symbolic");
  check_icon (FORE_REQUEST_WITHDRAWN, NULL, "fore-cancelled-symbolic");
  check_icon (FORE_REQUEST_EXPIRED, NULL, "fore-waiting-symbolic");
}

static void
check_command (const char *const *argv)
{
  g_autoptr (ForeAttempt) attempt = fore_attempt_new ("task", 1);
  g_autofree char *text = NULL;
  g_auto (GStrv) back = NULL;
  g_autoptr (GError) error = NULL;
  char *command;
  char *end;

  attempt->argv = g_strdupv ((char **) argv);
  text = fore_attempt_dup_launch (attempt);
  command = strstr (text, "Command line:\n");
  g_assert_nonnull (command);
  command += strlen ("Command line:\n");
  end = strstr (command, "\n\n");
  g_assert_nonnull (end);
  *end = '\0';
  g_shell_parse_argv (command, NULL, &back, &error);
  g_assert_no_error (error);
  g_assert_true (g_strv_equal ((const char *const *) back, argv));
}

/* However it is laid out, a shell reads what was started. */
static void
test_a_command_line_can_be_pasted (void)
{
  const char *small[] = { "agent", "--json", "say 'hello' --twice", NULL };
  const char *large[] = { "/usr/bin/bwrap",
                          "--ro-bind",
                          "/",
                          "/",
                          "--tmpfs",
                          "/tmp",
                          "--setenv",
                          "FOREDECK_SANDBOX_PROFILE",
                          "workspace-write",
                          "--",
                          "agent",
                          "-p",
                          "two words --and an option",
                          "--json",
                          "",
                          NULL };

  check_command (small);
  check_command (large);
}

int
main (int argc, char **argv)
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/app/words/checks/failed", test_a_failed_check_is_no_success);
  g_test_add_func ("/app/words/checks/compromised", test_a_compromised_check_needs_a_look);
  g_test_add_func ("/app/words/checks/passed", test_a_passed_check_is_a_success);
  g_test_add_func ("/app/words/turns", test_turns_are_told_apart);
  g_test_add_func ("/app/words/result", test_only_what_can_be_merged_is_ready);
  g_test_add_func ("/app/words/requests", test_only_what_was_allowed_is_ticked);
  g_test_add_func ("/app/words/launch", test_a_command_line_can_be_pasted);
  g_test_add_func ("/app/words/rewritten-plan", test_a_rewritten_plan_does_not_wait);
  g_test_add_func ("/app/words/interrupted-task", test_an_interrupted_task_works_no_longer);

  return g_test_run ();
}
