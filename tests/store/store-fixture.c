/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store-fixture.h"

#include <glib/gstdio.h>

#define DEADLINE_S 60

void
store_fixture_set_up (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->home = g_dir_make_tmp ("foredeck-store-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->store = fore_store_open (fixture->home, &error);
  g_assert_no_error (error);
  g_assert_nonnull (fixture->store);
}

void
store_fixture_remove (const char *path)
{
  if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    {
      g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
      const char *name;

      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *child = g_build_filename (path, name, NULL);

          store_fixture_remove (child);
        }
    }

  g_remove (path);
}

void
store_fixture_tear_down (StoreFixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->store);
  store_fixture_remove (fixture->home);
  g_free (fixture->home);
}

static GStrv
words (const char *prefix, guint n)
{
  GStrvBuilder *builder = g_strv_builder_new ();
  GStrv strv;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *word = g_strdup_printf ("%s %u \"quoted\" \\ \n\t\x01 ü", prefix, i);

      g_strv_builder_add (builder, word);
    }

  strv = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);

  return strv;
}

static ForeUsage
usage (guint n)
{
  return (ForeUsage){ 100 + n, 200 + n, FORE_USAGE_UNKNOWN, 400 + n, 0, n % 2 == 0 };
}

static char *
text (const char *what, guint n)
{
  return g_strdup_printf ("%s %u — “text”\nnext line", what, n);
}

static ForeCheck *
sample_check (guint n)
{
  g_auto (GStrv) argv = words ("argv", n + 1);
  ForeCheck *check = fore_check_new ((const char *const *) argv);

  check->verified = n % FORE_N_VERIFIED;
  check->exit_code = 3;
  check->ms = 1234567890123;
  check->output = text ("output", n);
  check->files = words ("file", n);
  check->hash = text ("hash", n);

  return check;
}

ForeRun *
sample_run (const char *id, guint n)
{
  ForeRun *run = fore_run_new (id);

  run->project = g_strdup_printf ("/projects/p%u", n % 3);
  run->goal = text ("goal", n);
  run->title = text ("title", n);
  run->team = text ("team", n);
  run->workflow = text ("workflow", n);
  run->options.isolation = FORE_ISOLATION_WORKTREES;
  run->options.approval = FORE_APPROVAL_AUTO;
  run->options.on_failure = FORE_POLICY_STOP_NOW;
  run->options.jobs = 7;
  run->options.budget_tokens = 1000 + n;
  run->options.budget_cost = -1;
  run->options.timeout = 99;
  g_free (run->options.cli);
  run->options.cli = text ("cli", n);
  g_free (run->options.model);
  run->options.model = text ("model", n);
  run->options.snapshot = TRUE;
  run->options.demo = TRUE;
  run->status = FORE_RUN_RUNNING;
  run->phase_text = text ("phase", n);
  run->approved = TRUE;
  run->plan_version = 4;
  run->approved_version = 3;
  run->created = 1700000000000000 + n;
  run->started = run->created + 1;
  run->finished = run->created + 2;
  run->owner_pid = 4711;
  run->owner_host = text ("host", n);
  run->owner_version = text ("version", n);
  run->usage = usage (n);
  run->base_branch = text ("base branch", n);
  run->base_commit = text ("base commit", n);
  run->result_branch = text ("result branch", n);
  run->result_commit = text ("result commit", n);
  run->merged_into = text ("merged into", n);
  run->merged_commit = text ("merged commit", n);
  run->files = 5;
  run->insertions = 0;
  run->deletions = -1;
  run->verified = FORE_VERIFIED_COMPROMISED;
  for (guint i = 0; i < FORE_N_TASK_STATUSES; i++)
    run->counts[i] = i == 2 ? 0 : i + n;
  run->n_tasks = 28;

  return run;
}

ForeTask *
sample_task (const char *key, guint n)
{
  ForeTask *task = fore_task_new (key);

  task->position = n;
  task->title = text ("title", n);
  task->role = text ("role", n);
  task->agent = text ("agent", n);
  task->cli = text ("cli", n);
  task->model = text ("model", n);
  task->step = text ("step", n);
  task->text = text ("text", n);
  task->command = words ("command", 2);
  task->depends_on = words ("depends", n % 4);
  task->paths = words ("path", 1);
  g_ptr_array_add (task->checks, sample_check (n));
  g_ptr_array_add (task->checks, sample_check (n + 1));
  task->writes = TRUE;
  task->adaptive = TRUE;
  task->live = TRUE;
  task->plan_version = 2;
  task->retries = -1;
  task->status = FORE_TASK_NEEDS_ATTENTION;
  task->phase = FORE_PHASE_BACK_OFF;
  task->waits_for = text ("waits", n);
  task->mark = text ("mark", n);
  task->worker = FORE_WORKER_BADLY;
  task->effect = FORE_EFFECT_CHANGED;
  task->verified = FORE_VERIFIED_FAILED;
  task->attempts = 3;
  task->starts = 5;
  task->not_before = 1800000000000000;
  task->usage = usage (n);
  g_ptr_array_add (task->files, fore_change_new ("a/b.c", 'R', 3, -1));
  ((ForeChange *) g_ptr_array_index (task->files, 0))->old_path = g_strdup ("a/old.c");
  g_ptr_array_add (task->files, fore_change_new ("with \"quotes\"", 'A', 0, 9));
  task->result = text ("result", n);
  task->message = text ("message", n);
  task->cause = FORE_CAUSE_RATE_LIMIT;
  task->branch = text ("branch", n);
  task->worktree = text ("worktree", n);
  task->gitdir = text ("gitdir", n);
  task->base = text ("base", n);
  task->commit = text ("commit", n);
  task->feedback = text ("feedback", n);
  task->started = 17;
  task->finished = 18;

  return task;
}

ForeAttempt *
sample_attempt (const char *task, guint n)
{
  ForeAttempt *attempt = fore_attempt_new (task, n);

  attempt->cli = text ("cli", n);
  attempt->model = text ("model", n);
  attempt->session = text ("session", n);
  attempt->live = TRUE;
  attempt->pid = 12345678901;
  attempt->pid_start = 98765432109;
  attempt->boot_id = text ("boot", n);
  attempt->started = g_get_real_time ();
  attempt->finished = attempt->started + 5;
  attempt->exit_code = -1;
  attempt->term_signal = 9;
  attempt->cause = FORE_CAUSE_CRASH;
  attempt->message = text ("message", n);
  attempt->usage = usage (n);
  attempt->usage.cost = 1000 * n;
  attempt->argv = words ("argv", 3);
  attempt->env_names = words ("env", 2);
  attempt->cwd = text ("cwd", n);
  attempt->result = text ("result", n);
  attempt->base = text ("base", n);
  attempt->commit = text ("commit", n);

  return attempt;
}

static ForePlanItem *
sample_item (guint n)
{
  g_autofree char *id = g_strdup_printf ("item-%u", n);
  ForePlanItem *item = fore_plan_item_new (id);

  item->title = text ("title", n);
  item->role = text ("role", n);
  item->text = text ("text", n);
  item->depends_on = words ("depends", n);
  item->paths = words ("path", 2);
  g_ptr_array_add (item->checks, sample_check (n));
  item->live = TRUE;
  item->dropped = n % 2 == 1;

  return item;
}

ForePlan *
sample_plan (guint version)
{
  ForePlan *plan = fore_plan_new ();

  plan->version = version;
  plan->task = text ("task", version);
  plan->title = text ("title", version);
  plan->summary = text ("summary", version);
  plan->repaired = text ("repaired", version);
  plan->created = 1700000000000001;
  for (guint i = 0; i < 3; i++)
    g_ptr_array_add (plan->items, sample_item (i));
  fore_plan_update_hash (plan);

  return plan;
}

ForeRequest *
sample_request (const char *run, guint n)
{
  ForeRequest *request = fore_request_new (run, n, FORE_REQUEST_PLAN);

  request->task = text ("task", n);
  request->attempt = 2;
  request->title = text ("title", n);
  request->body = text ("body", n);
  fore_request_add_option (request, "0", "Approve \"it\"", "approve");
  fore_request_add_option (request, "no", "Reject", "reject");
  request->plan_version = 2;
  request->plan_hash = g_strdup ("hash-of-2");
  request->reply_to = text ("reply", n);
  request->expires = g_get_real_time () + G_TIME_SPAN_DAY;

  return request;
}

static void
assert_usage_equal (const ForeUsage *a, const ForeUsage *b)
{
  g_assert_true (fore_usage_equal (a, b));
}

#define ASSERT_TEXT(field) g_assert_cmpstr (a->field, ==, b->field)
#define ASSERT_INT(field) g_assert_cmpint (a->field, ==, b->field)
#define ASSERT_STRV(field) g_assert_cmpstrv (a->field, b->field)

static void
assert_check_equal (const ForeCheck *a, const ForeCheck *b)
{
  ASSERT_STRV (argv);
  ASSERT_INT (verified);
  ASSERT_INT (exit_code);
  ASSERT_INT (ms);
  ASSERT_TEXT (output);
  ASSERT_STRV (files);
  ASSERT_TEXT (hash);
}

static void
assert_checks_equal (GPtrArray *a, GPtrArray *b)
{
  g_assert_cmpuint (a->len, ==, b->len);
  for (guint i = 0; i < a->len; i++)
    assert_check_equal (g_ptr_array_index (a, i), g_ptr_array_index (b, i));
}

void
assert_run_equal (const ForeRun *a, const ForeRun *b)
{
  ASSERT_TEXT (id);
  ASSERT_TEXT (project);
  ASSERT_TEXT (goal);
  ASSERT_TEXT (title);
  ASSERT_TEXT (team);
  ASSERT_TEXT (workflow);
  ASSERT_INT (options.isolation);
  ASSERT_INT (options.approval);
  ASSERT_INT (options.on_failure);
  ASSERT_INT (options.jobs);
  ASSERT_INT (options.budget_tokens);
  ASSERT_INT (options.budget_cost);
  ASSERT_INT (options.timeout);
  ASSERT_TEXT (options.cli);
  ASSERT_TEXT (options.model);
  ASSERT_INT (options.snapshot);
  ASSERT_INT (options.demo);
  ASSERT_INT (status);
  ASSERT_TEXT (phase_text);
  ASSERT_INT (approved);
  ASSERT_INT (plan_version);
  ASSERT_INT (approved_version);
  ASSERT_INT (created);
  ASSERT_INT (started);
  ASSERT_INT (finished);
  ASSERT_INT (owner_pid);
  ASSERT_TEXT (owner_host);
  ASSERT_TEXT (owner_version);
  assert_usage_equal (&a->usage, &b->usage);
  ASSERT_TEXT (base_branch);
  ASSERT_TEXT (base_commit);
  ASSERT_TEXT (result_branch);
  ASSERT_TEXT (result_commit);
  ASSERT_TEXT (merged_into);
  ASSERT_TEXT (merged_commit);
  ASSERT_INT (files);
  ASSERT_INT (insertions);
  ASSERT_INT (deletions);
  ASSERT_INT (verified);
  g_assert_cmpmem (a->counts, sizeof a->counts, b->counts, sizeof b->counts);
  ASSERT_INT (n_tasks);
}

static void
assert_changes_equal (GPtrArray *first, GPtrArray *second)
{
  g_assert_cmpuint (first->len, ==, second->len);
  for (guint i = 0; i < first->len; i++)
    {
      const ForeChange *a = g_ptr_array_index (first, i);
      const ForeChange *b = g_ptr_array_index (second, i);

      ASSERT_TEXT (path);
      ASSERT_TEXT (old_path);
      ASSERT_INT (status);
      ASSERT_INT (insertions);
      ASSERT_INT (deletions);
    }
}

void
assert_task_equal (const ForeTask *a, const ForeTask *b)
{
  ASSERT_TEXT (key);
  ASSERT_INT (position);
  ASSERT_TEXT (title);
  ASSERT_TEXT (role);
  ASSERT_TEXT (agent);
  ASSERT_TEXT (cli);
  ASSERT_TEXT (model);
  ASSERT_TEXT (step);
  ASSERT_TEXT (text);
  ASSERT_STRV (command);
  ASSERT_STRV (depends_on);
  ASSERT_STRV (paths);
  assert_checks_equal (a->checks, b->checks);
  ASSERT_INT (writes);
  ASSERT_INT (adaptive);
  ASSERT_INT (live);
  ASSERT_INT (plan_version);
  ASSERT_INT (retries);
  ASSERT_INT (status);
  ASSERT_INT (phase);
  ASSERT_TEXT (waits_for);
  ASSERT_TEXT (mark);
  ASSERT_INT (worker);
  ASSERT_INT (effect);
  ASSERT_INT (verified);
  ASSERT_INT (attempts);
  ASSERT_INT (starts);
  ASSERT_INT (not_before);
  assert_usage_equal (&a->usage, &b->usage);
  assert_changes_equal (a->files, b->files);
  ASSERT_TEXT (result);
  ASSERT_TEXT (message);
  ASSERT_INT (cause);
  ASSERT_TEXT (branch);
  ASSERT_TEXT (worktree);
  ASSERT_TEXT (gitdir);
  ASSERT_TEXT (base);
  ASSERT_TEXT (commit);
  ASSERT_TEXT (feedback);
  ASSERT_INT (started);
  ASSERT_INT (finished);
}

void
assert_attempt_equal (const ForeAttempt *a, const ForeAttempt *b)
{
  ASSERT_TEXT (task);
  ASSERT_INT (n);
  ASSERT_TEXT (cli);
  ASSERT_TEXT (model);
  ASSERT_TEXT (session);
  ASSERT_INT (live);
  ASSERT_INT (pid);
  ASSERT_INT (pid_start);
  ASSERT_TEXT (boot_id);
  ASSERT_INT (started);
  ASSERT_INT (finished);
  ASSERT_INT (exit_code);
  ASSERT_INT (term_signal);
  ASSERT_INT (cause);
  ASSERT_TEXT (message);
  assert_usage_equal (&a->usage, &b->usage);
  ASSERT_STRV (argv);
  ASSERT_STRV (env_names);
  ASSERT_TEXT (cwd);
  ASSERT_TEXT (result);
  ASSERT_TEXT (base);
  ASSERT_TEXT (commit);
}

static void
assert_item_equal (const ForePlanItem *a, const ForePlanItem *b)
{
  ASSERT_TEXT (id);
  ASSERT_TEXT (title);
  ASSERT_TEXT (role);
  ASSERT_TEXT (text);
  ASSERT_STRV (depends_on);
  ASSERT_STRV (paths);
  assert_checks_equal (a->checks, b->checks);
  ASSERT_INT (live);
  ASSERT_INT (dropped);
}

void
assert_plan_equal (const ForePlan *a, const ForePlan *b)
{
  ASSERT_INT (version);
  ASSERT_TEXT (task);
  ASSERT_TEXT (title);
  ASSERT_TEXT (summary);
  ASSERT_TEXT (hash);
  ASSERT_TEXT (repaired);
  ASSERT_INT (created);
  g_assert_cmpuint (a->items->len, ==, b->items->len);
  for (guint i = 0; i < a->items->len; i++)
    assert_item_equal (g_ptr_array_index (a->items, i), g_ptr_array_index (b->items, i));
}

static void
assert_options_equal (GPtrArray *first, GPtrArray *second)
{
  g_assert_cmpuint (first->len, ==, second->len);
  for (guint i = 0; i < first->len; i++)
    {
      const ForeRequestOption *a = g_ptr_array_index (first, i);
      const ForeRequestOption *b = g_ptr_array_index (second, i);

      ASSERT_TEXT (id);
      ASSERT_TEXT (name);
      ASSERT_TEXT (kind);
    }
}

void
assert_request_equal (const ForeRequest *a, const ForeRequest *b)
{
  ASSERT_TEXT (id);
  ASSERT_TEXT (run);
  ASSERT_TEXT (task);
  ASSERT_INT (attempt);
  ASSERT_INT (kind);
  ASSERT_TEXT (title);
  ASSERT_TEXT (body);
  assert_options_equal (a->options, b->options);
  ASSERT_INT (plan_version);
  ASSERT_TEXT (plan_hash);
  ASSERT_TEXT (reply_to);
  ASSERT_INT (created);
  ASSERT_INT (expires);
  ASSERT_INT (state);
  ASSERT_TEXT (answer);
  ASSERT_TEXT (answer_text);
  ASSERT_TEXT (answered_by);
  ASSERT_INT (answered);
}

ForeRunWriter *
open_sample_run (StoreFixture *fixture, const char *id, guint n_tasks)
{
  g_autoptr (ForeRun) run = sample_run (id, 0);
  g_autoptr (GPtrArray) tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_task_free);
  g_autoptr (GError) error = NULL;
  ForeRunWriter *writer;

  run->created = g_get_real_time ();
  for (guint i = 0; i < n_tasks; i++)
    {
      g_autofree char *key = g_strdup_printf ("t-%u", i);

      g_ptr_array_add (tasks, sample_task (key, i));
    }

  fore_run_writer_create (fixture->store, run, tasks, NULL, &error);
  g_assert_no_error (error);
  writer = fore_run_writer_open (fixture->store, id, &error);
  g_assert_no_error (error);
  g_assert_nonnull (writer);

  return writer;
}

static gboolean
give_up (gpointer user_data)
{
  g_error ("waited for %d s in vain", DEADLINE_S);

  return G_SOURCE_REMOVE;
}

void
run_until (const gboolean *flag)
{
  guint deadline = g_timeout_add_seconds (DEADLINE_S, give_up, NULL);

  while (!*flag)
    g_main_context_iteration (NULL, TRUE);

  g_source_remove (deadline);
}

static gboolean
tick (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

void
run_until_func (gboolean (*func) (gpointer data), gpointer data)
{
  guint deadline = g_timeout_add_seconds (DEADLINE_S, give_up, NULL);
  guint ticks = g_timeout_add (5, tick, NULL);

  while (!func (data))
    g_main_context_iteration (NULL, TRUE);

  g_source_remove (ticks);
  g_source_remove (deadline);
}
