/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Fills a home folder with runs in every state, for pictures and for tests that look at pages
 * without waiting for agents: make-fixture-home HOME PROJECT.
 */

#include "config.h"

#include <string.h>

#include "platform/fore-dirs.h"
#include "store/fore-run-client.h"
#include "store/fore-run-writer.h"

#define MINUTE (G_GINT64_CONSTANT (60) * G_USEC_PER_SEC)

typedef struct
{
  const char *key;
  const char *title;
  const char *role;
  const char *cli;
  const char *after;
  ForeTaskStatus status;
  ForeTaskPhase phase;
  ForeCause cause;
  int minutes;
  gboolean writes;
  gboolean adaptive;
  guint plan_version;
  gint64 tokens;
  const char *file;
} Row;

static ForeStore *store;
static const char *project;

static const Row running_rows[] = {
  { "explore", "Map the report window", "explorer", "pi", NULL, FORE_TASK_COMPLETED,
    FORE_PHASE_NONE, FORE_CAUSE_NONE, 1, FALSE, FALSE, 0, 18000, NULL },
  { "plan", "Plan the export", "planner", "claude", "explore", FORE_TASK_COMPLETED, FORE_PHASE_NONE,
    FORE_CAUSE_NONE, 2, FALSE, TRUE, 0, 34000, NULL },
  { "rows", "Writer for CSV rows", "executor", "claude", "plan", FORE_TASK_RUNNING,
    FORE_PHASE_AGENT, FORE_CAUSE_NONE, 4, TRUE, FALSE, 2, 61000, "src/csv-writer.c" },
  { "menu", "Export menu and dialog", "executor", "codex", "plan", FORE_TASK_RUNNING,
    FORE_PHASE_AGENT, FORE_CAUSE_NONE, 3, TRUE, FALSE, 2, 40000, "src/csv-writer.c" },
  { "quoting", "Tests for quoting rules", "test-engineer", "pi", "plan", FORE_TASK_COMPLETED,
    FORE_PHASE_NONE, FORE_CAUSE_NONE, 2, TRUE, FALSE, 2, 22000, "tests/test-csv.c" },
  { "large", "Large file streaming", "executor", NULL, "rows", FORE_TASK_QUEUED,
    FORE_PHASE_DEPENDENCIES, FORE_CAUSE_NONE, 0, TRUE, FALSE, 2, -1, NULL },
  { "wire", "Wire dialog to writer", "executor", "claude", "menu quoting", FORE_TASK_QUEUED,
    FORE_PHASE_BACK_OFF, FORE_CAUSE_RATE_LIMIT, 1, TRUE, FALSE, 2, 9000, NULL },
  { "verify", "Verify on merged work", "verifier", NULL, "large wire plan", FORE_TASK_QUEUED,
    FORE_PHASE_DEPENDENCIES, FORE_CAUSE_NONE, 0, FALSE, FALSE, 0, -1, NULL },
};

static const Row failed_rows[] = {
  { "build", "Raise the toolkit's version", "executor", "pi", NULL, FORE_TASK_COMPLETED,
    FORE_PHASE_NONE, FORE_CAUSE_NONE, 3, TRUE, FALSE, 0, 30000, "meson.build" },
  { "port", "Port the dialogs", "executor", "pi", "build", FORE_TASK_FAILED, FORE_PHASE_NONE,
    FORE_CAUSE_AUTH, 1, TRUE, FALSE, 0, 12000, NULL },
  { "shots", "Renew the screenshots", "writer", NULL, "port", FORE_TASK_SKIPPED, FORE_PHASE_NONE,
    FORE_CAUSE_NONE, 0, TRUE, FALSE, 0, -1, NULL },
};

static const Row partly_rows[] = {
  { "build", "Raise the toolkit's version", "executor", "pi", NULL, FORE_TASK_COMPLETED,
    FORE_PHASE_NONE, FORE_CAUSE_NONE, 3, TRUE, FALSE, 0, 30000, "meson.build" },
  { "icons", "Redraw the icons", "executor", "claude", NULL, FORE_TASK_COMPLETED, FORE_PHASE_NONE,
    FORE_CAUSE_NONE, 4, TRUE, FALSE, 0, 28000, "data/icons.svg" },
  { "port", "Port the dialogs", "executor", "pi", "build", FORE_TASK_FAILED, FORE_PHASE_NONE,
    FORE_CAUSE_AUTH, 1, TRUE, FALSE, 0, 12000, NULL },
};

/* Rows of a goal loop are named STEP-TURN. */
static const Row loop_rows[] = {
  { "work-1", "Work towards the goal", "executor", "claude", NULL, FORE_TASK_COMPLETED,
    FORE_PHASE_NONE, FORE_CAUSE_NONE, 4, TRUE, FALSE, 0, 52000, "src/parser.c" },
  { "checks-1", "Run the checks", "checks", "command", "work-1", FORE_TASK_COMPLETED,
    FORE_PHASE_NONE, FORE_CAUSE_NONE, 1, FALSE, FALSE, 0, -1, NULL },
  { "judge-1", "Judge the turn", "judge", "claude", "work-1 checks-1", FORE_TASK_COMPLETED,
    FORE_PHASE_NONE, FORE_CAUSE_NONE, 1, FALSE, FALSE, 0, 6000, NULL },
  { "work-2", "Work towards the goal", "executor", "claude", "checks-1 judge-1",
    FORE_TASK_COMPLETED, FORE_PHASE_NONE, FORE_CAUSE_NONE, 3, TRUE, FALSE, 0, 41000,
    "src/parser.c" },
  { "checks-2", "Run the checks", "checks", "command", "work-2", FORE_TASK_COMPLETED,
    FORE_PHASE_NONE, FORE_CAUSE_NONE, 1, FALSE, FALSE, 0, -1, NULL },
  { "judge-2", "Judge the turn", "judge", "claude", "work-2 checks-2", FORE_TASK_COMPLETED,
    FORE_PHASE_NONE, FORE_CAUSE_NONE, 1, FALSE, FALSE, 0, 5000, NULL },
};

static const Row planned_rows[] = {
  { "explore", "Look around", "explorer", "pi", NULL, FORE_TASK_COMPLETED, FORE_PHASE_NONE,
    FORE_CAUSE_NONE, 1, FALSE, FALSE, 0, 15000, NULL },
  { "plan", "Plan the work", "planner", "claude", "explore", FORE_TASK_WAITING, FORE_PHASE_REQUEST,
    FORE_CAUSE_NONE, 2, FALSE, TRUE, 0, 28000, NULL },
  { "verify", "Verify the merged work", "verifier", NULL, "plan", FORE_TASK_QUEUED,
    FORE_PHASE_DEPENDENCIES, FORE_CAUSE_NONE, 0, FALSE, FALSE, 0, -1, NULL },
};

static void
check (gboolean done, GError *error)
{
  if (!done)
    g_error ("fixture: %s", error != NULL ? error->message : "failed");
}

static ForeTask *
make_task (const Row *row, guint position, gint64 now)
{
  ForeTask *task = fore_task_new (row->key);

  task->position = position;
  task->title = g_strdup (row->title);
  task->role = g_strdup (row->role);
  task->agent = g_strdup (row->role);
  task->cli = g_strdup (row->cli);
  task->text = g_strdup ("Read the issue and the code around it, change what has to change, and "
                         "say what you did and why.");
  task->depends_on = row->after != NULL ? g_strsplit (row->after, " ", -1) : NULL;
  task->status = row->status;
  task->phase = row->phase;
  task->cause = row->cause;
  task->writes = row->writes;
  task->adaptive = row->adaptive;
  task->plan_version = row->plan_version;
  if (row->minutes > 0)
    {
      task->attempts = 1;
      task->started = now - row->minutes * MINUTE - 20 * G_USEC_PER_SEC;
      if (fore_task_status_get_class (row->status) == FORE_CLASS_FINISHED)
        task->finished = task->started + row->minutes * MINUTE;
    }
  if (row->tokens > 0)
    {
      task->usage = FORE_USAGE_INIT;
      task->usage.input = row->tokens * 3 / 4;
      task->usage.output = row->tokens / 4;
      task->usage.cost = row->tokens * 9;
    }
  if (row->file != NULL)
    {
      task->files = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_change_free);
      g_ptr_array_add (task->files, fore_change_new (row->file, 'M', 96, 4));
      task->effect = FORE_EFFECT_CHANGED;
    }
  if (row->status == FORE_TASK_COMPLETED)
    task->worker = FORE_WORKER_WELL;
  if (row->status == FORE_TASK_FAILED)
    {
      task->worker = FORE_WORKER_BADLY;
      task->message = g_strdup ("pi is not logged in: run “pi login” in a terminal, then retry.");
    }
  if (row->phase == FORE_PHASE_BACK_OFF)
    {
      task->not_before = now + 10 * MINUTE;
      task->waits_for = g_strdup ("The provider's rate limit was reached; it is tried again then.");
    }
  else if (row->phase == FORE_PHASE_DEPENDENCIES)
    task->waits_for = g_strdup_printf ("Waits for %s.", row->after);

  return task;
}

static ForeRun *
make_run (const char *id, const char *goal, ForeRunStatus status, int minutes, gint64 now)
{
  ForeRun *run = fore_run_new (id);

  fore_run_set_goal (run, goal);
  run->project = g_strdup (project);
  run->team = g_strdup ("implementation");
  run->workflow = g_strdup ("implementation");
  run->status = status;
  run->created = now - minutes * MINUTE;
  run->started = run->created + 2 * G_USEC_PER_SEC;
  if (fore_run_status_get_class (status) == FORE_CLASS_FINISHED)
    run->finished = run->started + 9 * MINUTE;
  run->options.jobs = 4;
  run->options.isolation = FORE_ISOLATION_WORKTREES;
  run->options.budget_cost = 5000000;
  run->base_branch = g_strdup ("main");

  return run;
}

static GPtrArray *
make_tasks (ForeRun *run, const Row *rows, guint n_rows, gint64 now)
{
  GPtrArray *tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_task_free);

  for (guint i = 0; i < n_rows; i++)
    {
      ForeTask *task = make_task (&rows[i], i, now);

      run->counts[task->status]++;
      run->n_tasks++;
      if (task->usage.cost >= 0 && task->started > 0)
        fore_usage_add (&run->usage, &task->usage);
      g_ptr_array_add (tasks, task);
    }

  return tasks;
}

static void
create (ForeRun *run, GPtrArray *tasks)
{
  g_autoptr (GPtrArray) events = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_event_free);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (events, fore_event_new (FORE_EVENT_RUN_CREATED, NULL, 0, NULL));
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);
      g_autofree char *data = g_strdup_printf ("{\"status\":\"%s\"}",
                                               fore_task_status_to_string (task->status));

      g_ptr_array_add (events, fore_event_new (FORE_EVENT_TASK_ADDED, task->key, 0, NULL));
      g_ptr_array_add (events, fore_event_new (FORE_EVENT_TASK_STATUS, task->key, 1, data));
    }
  check (fore_run_writer_create (store, run, tasks, events, &error), error);
}

static void
write_capture (const char *run, const char *task, const char *text)
{
  g_autofree char *path = fore_dirs_dup_attempt_path (fore_store_get_home (store), run, task, 1,
                                                      "out");
  g_autofree char *dir = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;

  g_mkdir_with_parents (dir, 0700);
  check (g_file_set_contents (path, text, -1, &error), error);
}

static void
add_plan_item (ForePlan *plan,
               const char *id,
               const char *title,
               const char *role,
               const char *text,
               const char *after,
               const char *path)
{
  ForePlanItem *item = fore_plan_item_new (id);

  item->title = g_strdup (title);
  item->role = g_strdup (role);
  item->text = g_strdup (text);
  item->depends_on = after != NULL ? g_strsplit (after, " ", -1) : NULL;
  item->paths = path != NULL ? g_strsplit (path, " ", -1) : NULL;
  if (g_str_equal (role, "verifier"))
    {
      const char *argv[] = { "npm", "test", NULL };

      if (item->checks == NULL)
        item->checks = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_check_free);
      g_ptr_array_add (item->checks, fore_check_new (argv));
    }
  g_ptr_array_add (plan->items, item);
}

static ForePlan *
make_plan (guint version)
{
  ForePlan *plan = fore_plan_new ();

  plan->version = version;
  plan->task = g_strdup ("plan");
  plan->title = g_strdup ("SQLite session store");
  plan->summary = g_strdup ("Sessions move from JSON files to **one SQLite database** in WAL mode. "
                            "Existing sessions are imported at start; the file store stays as a "
                            "fallback behind `SESSION_STORE=file`.");
  add_plan_item (plan, "schema", "Schema and migration", "executor",
                 "Tables, version table, import of data/sessions/*.json", NULL, "src/session/");
  add_plan_item (plan, "store", "SqliteStore behind the store interface", "executor",
                 version == 2 ? "All verbs of the interface, with prepared statements and a pool"
                              : "All verbs of the interface",
                 "schema", "src/session/");
  add_plan_item (plan, "expiry", "Expiry job", "executor", "Removes what is older than the TTL",
                 "schema", "src/session/");
  if (version == 2)
    add_plan_item (plan, "crash", "Concurrency and crash tests", "test-engineer",
                   "Two processes, kill -9 between write and commit", "store expiry", "test/");
  add_plan_item (plan, "check", "Verify", "verifier", "Everything, on the merged work",
                 version == 2 ? "crash" : "store expiry", "package.json");
  fore_plan_update_hash (plan);

  return plan;
}

static ForeRequest *
make_request (const char *run, guint n, ForeRequestKind kind, const char *title, const char *body)
{
  ForeRequest *request = fore_request_new (run, n, kind);

  request->title = g_strdup (title);
  request->body = g_strdup (body);
  request->created = g_get_real_time () - n * 2 * MINUTE;

  return request;
}

static void
make_planned (gint64 now)
{
  g_autoptr (ForeRun) run = make_run ("planaaaa", "Move the session store to SQLite",
                                      FORE_RUN_BLOCKED, 7, now);
  g_autoptr (GPtrArray) tasks = make_tasks (run, planned_rows, G_N_ELEMENTS (planned_rows), now);
  g_autoptr (ForePlan) first = make_plan (1);
  g_autoptr (ForePlan) second = make_plan (2);
  g_autoptr (ForeRequest) request = make_request (run->id, 1, FORE_REQUEST_PLAN,
                                                  "Approve the plan?", "SQLite session store");
  g_autoptr (ForeRunWriter) writer = NULL;
  g_autoptr (GError) error = NULL;

  run->plan_version = 2;
  create (run, tasks);
  request->task = g_strdup ("plan");
  request->plan_version = 2;
  request->plan_hash = g_strdup (second->hash);
  fore_request_add_option (request, "approve", "Approve", "approve");
  fore_request_add_option (request, "changes", "Ask for Changes…", "changes");
  fore_request_add_option (request, "reject", "Reject", "reject");
  writer = fore_run_writer_open (store, run->id, &error);
  check (writer != NULL, error);
  fore_run_writer_put_plan (writer, first);
  fore_run_writer_put_plan (writer, second);
  fore_run_writer_put_request (writer, request);
  fore_run_writer_put_run (writer, run);
  check (fore_run_writer_close (writer, &error), error);
}

static void
put_attempts (ForeRunWriter *writer, GPtrArray *tasks)
{
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);
      g_autoptr (ForeAttempt) attempt = NULL;

      if (task->attempts == 0)
        continue;
      attempt = fore_attempt_new (task->key, 1);
      attempt->cli = g_strdup ("demo");
      attempt->model = g_strdup ("demo-1");
      attempt->started = task->started;
      attempt->finished = task->finished;
      attempt->usage = task->usage;
      attempt->cause = task->cause;
      attempt->cwd = g_strdup (project);
      attempt->argv = g_strsplit ("/usr/libexec/foredeck/foredeck-demo-agent --json", " ", -1);
      attempt->env_names = g_strsplit ("HOME LANG PATH FOREDECK_RUN FOREDECK_TASK", " ", -1);
      fore_run_writer_put_attempt (writer, attempt);
    }
}

static void
make_running (gint64 now)
{
  g_autoptr (ForeRun) run = make_run ("csvaaaaa", "CSV export for the report window",
                                      FORE_RUN_PAUSED, 12, now);
  g_autoptr (GPtrArray) tasks = make_tasks (run, running_rows, G_N_ELEMENTS (running_rows), now);
  g_autoptr (ForePlan) plan = make_plan (2);
  g_autoptr (ForeRunWriter) writer = NULL;
  g_autoptr (GError) error = NULL;

  run->plan_version = 2;
  run->approved_version = 2;
  run->approved = TRUE;
  run->insertions = 412;
  run->deletions = 38;
  create (run, tasks);
  writer = fore_run_writer_open (store, run->id, &error);
  check (writer != NULL, error);
  fore_run_writer_put_plan (writer, plan);
  put_attempts (writer, tasks);
  check (fore_run_writer_close (writer, &error), error);
  write_capture (run->id, "explore", "not JSON, kept as a row\n");
}

/* Two of the tasks at work change the same lines. */
static void
make_conflict (gint64 now)
{
  g_autoptr (ForeRun) run = make_run ("clasaaaa", "One look for all dialogs", FORE_RUN_PAUSED, 9,
                                      now);
  g_autoptr (GPtrArray) tasks = make_tasks (run, running_rows, 5, now);
  g_autoptr (ForeEvent) event = fore_event_new (
      FORE_EVENT_TASK_CONFLICT, "rows", 0, "{\"with\":\"menu\",\"paths\":[\"src/csv-writer.c\"]}");
  g_autoptr (ForeRunWriter) writer = NULL;
  g_autoptr (GError) error = NULL;

  run->approved = TRUE;
  create (run, tasks);
  writer = fore_run_writer_open (store, run->id, &error);
  check (writer != NULL, error);
  put_attempts (writer, tasks);
  fore_run_writer_put_event (writer, event);
  check (fore_run_writer_close (writer, &error), error);
}

static void
add_check (ForeTask *task, ForeVerified verified)
{
  const char *argv[] = { "make", "check", NULL };
  ForeCheck *made = fore_check_new (argv);

  made->verified = verified;
  made->exit_code = verified == FORE_VERIFIED_FAILED ? 2 : 0;
  made->ms = 41000;
  made->output = g_strdup ("parser/strings: 3 of 41 cases failed\n");
  g_ptr_array_add (task->checks, made);
  task->verified = verified;
}

/* Two turns: in the first a check failed, after the second the goal was achieved. */
static void
make_loop (gint64 now)
{
  g_autoptr (ForeRun) run = make_run ("loopaaaa", "All tests of the parser pass",
                                      FORE_RUN_COMPLETED, 40, now);
  g_autoptr (GPtrArray) tasks = make_tasks (run, loop_rows, G_N_ELEMENTS (loop_rows), now);
  static const char *const verdicts[]
      = { "{\"achieved\":false,\"blocked\":false,\"reason\":\"Strings with escapes are still cut "
          "short.\",\"evidence\":[\"make check: 3 of 41 cases of parser/strings fail\"]}",
          "{\"achieved\":true,\"blocked\":false,\"reason\":\"All 41 cases pass, and no case was "
          "removed.\",\"evidence\":[\"make check passed\"]}" };

  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);

      task->step = g_strndup (task->key, strchr (task->key, '-') - task->key);
      if (g_str_equal (task->step, "checks"))
        add_check (task, i < 3 ? FORE_VERIFIED_FAILED : FORE_VERIFIED_YES);
      if (g_str_equal (task->step, "judge"))
        task->result = g_strdup (verdicts[i / 3]);
    }
  g_free (run->workflow);
  run->workflow = g_strdup ("goal");
  run->approved = TRUE;
  run->verified = FORE_VERIFIED_YES;
  run->files = 2;
  run->insertions = 192;
  run->deletions = 8;
  run->result_commit = g_strdup ("3333333333333333333333333333333333333333");
  create (run, tasks);
}

/* A task failed, and what the others did was merged all the same. */
static void
make_partly (gint64 now)
{
  g_autoptr (ForeRun) run = make_run ("partaaaa", "Upgrade to GTK 4.18, with new icons",
                                      FORE_RUN_FAILED, 2800, now);
  g_autoptr (GPtrArray) tasks = make_tasks (run, partly_rows, G_N_ELEMENTS (partly_rows), now);

  run->phase_text = g_strdup ("“Port the dialogs” failed: pi is not logged in.");
  run->files = 2;
  run->insertions = 192;
  run->deletions = 8;
  run->result_commit = g_strdup ("4444444444444444444444444444444444444444");
  run->merged_commit = g_strdup ("5555555555555555555555555555555555555555");
  run->merged_into = g_strdup ("main");
  create (run, tasks);
}

static void
make_asking (gint64 now)
{
  g_autoptr (ForeRun) run = make_run ("askaaaaa", "Upgrade to GTK 4.18", FORE_RUN_FAILED, 3000,
                                      now);
  g_autoptr (ForeRun) asks = make_run ("asksaaaa", "Keep the old cookie name where it is read",
                                       FORE_RUN_BLOCKED, 20, now);
  g_autoptr (GPtrArray) tasks = make_tasks (run, failed_rows, G_N_ELEMENTS (failed_rows), now);
  g_autoptr (GPtrArray) none = make_tasks (asks, planned_rows, 1, now);
  g_autoptr (ForeRequest) question = make_request (
      asks->id, 2, FORE_REQUEST_QUESTION, "Keep the old cookie name?",
      "The session cookie is called “sid” in the old store and “session” in the new one. Keeping "
      "“sid” saves everyone a new login; “session” is what the documentation says.");
  g_autoptr (ForeRequest) permission = make_request (
      asks->id, 3, FORE_REQUEST_PERMISSION, "Run npm install better-sqlite3",
      "npm install better-sqlite3\n\nThe agent wants to run this in its worktree.");
  g_autoptr (ForeRunWriter) writer = NULL;
  g_autoptr (GError) error = NULL;

  run->phase_text = g_strdup ("“Port the dialogs” failed: pi is not logged in.");
  create (run, tasks);
  create (asks, none);
  question->task = g_strdup ("explore");
  fore_request_add_option (question, "keep", "Keep “sid”", "approve");
  fore_request_add_option (question, "rename", "Use “session”", "other");
  permission->task = g_strdup ("explore");
  permission->expires = now + 8 * MINUTE;
  fore_request_add_option (permission, "0", "Allow Once", "allow_once");
  fore_request_add_option (permission, "1", "Always Allow npm install", "allow_always");
  fore_request_add_option (permission, "2", "Deny", "reject_once");
  writer = fore_run_writer_open (store, asks->id, &error);
  check (writer != NULL, error);
  fore_run_writer_put_request (writer, question);
  fore_run_writer_put_request (writer, permission);
  check (fore_run_writer_close (writer, &error), error);
}

static void
make_others (gint64 now)
{
  g_autoptr (ForeRun) merged = make_run ("mergaaaa", "Fix the time zone of log lines",
                                         FORE_RUN_COMPLETED, 1500, now);
  g_autoptr (ForeRun) cancelled = make_run ("cancaaaa", "Research: layout libraries",
                                            FORE_RUN_CANCELLED, 6000, now);
  g_autoptr (ForeRun) gone = make_run ("goneaaaa", "Review the changes to auth", FORE_RUN_RUNNING,
                                       33, now);
  g_autoptr (GPtrArray) one = make_tasks (merged, failed_rows, 1, now);
  g_autoptr (GPtrArray) two = make_tasks (cancelled, planned_rows, 1, now);
  g_autoptr (GPtrArray) three = make_tasks (gone, running_rows, 3, now);

  merged->files = 1;
  merged->insertions = 12;
  merged->deletions = 4;
  merged->result_commit = g_strdup ("1111111111111111111111111111111111111111");
  merged->merged_commit = g_strdup ("2222222222222222222222222222222222222222");
  merged->merged_into = g_strdup ("main");
  merged->verified = FORE_VERIFIED_YES;
  create (merged, one);
  create (cancelled, two);
  create (gone, three);
}

int
main (int argc, char **argv)
{
  gint64 now = g_get_real_time ();
  g_autoptr (GError) error = NULL;

  if (argc != 3)
    {
      g_printerr ("usage: make-fixture-home HOME PROJECT\n");
      return 2;
    }
  project = argv[2];
  store = fore_store_open (argv[1], &error);
  check (store != NULL, error);
  check (fore_store_add_project (store, project, &error), error);
  make_others (now);
  make_asking (now);
  make_running (now);
  make_planned (now);
  make_conflict (now);
  make_loop (now);
  make_partly (now);
  g_object_unref (store);

  return 0;
}
