/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"

#include "platform/fore-sandbox.h"
#include "text/fore-json.h"
#include "text/fore-text.h"

/**
 * fore_ctl_json_dup_time:
 * @us: wall clock, microseconds since the epoch
 *
 * Returns: (transfer full): ISO 8601 in UTC, to the millisecond
 */
char *
fore_ctl_json_dup_time (gint64 us)
{
  g_autoptr (GDateTime) second = g_date_time_new_from_unix_utc (us / G_USEC_PER_SEC);
  g_autofree char *text = NULL;

  if (second == NULL)
    return NULL;

  text = g_date_time_format (second, "%Y-%m-%dT%H:%M:%S");
  return g_strdup_printf ("%s.%03dZ", text, (int) (us % G_USEC_PER_SEC / 1000));
}

/**
 * fore_ctl_json_set_text:
 * @object: an object
 * @member: name of a member
 * @text: (nullable): its value; %NULL leaves it out
 */
void
fore_ctl_json_set_text (JsonObject *object, const char *member, const char *text)
{
  fore_json_set_text (object, member, text);
}

/**
 * fore_ctl_json_set_time:
 * @object: an object
 * @member: name of a member
 * @us: microseconds since the epoch; 0 leaves it out
 */
void
fore_ctl_json_set_time (JsonObject *object, const char *member, gint64 us)
{
  if (us > 0)
    {
      g_autofree char *text = fore_ctl_json_dup_time (us);

      fore_ctl_json_set_text (object, member, text);
    }
}

/**
 * fore_ctl_json_set_known:
 * @object: an object
 * @member: name of a member
 * @value: its value; a negative one is unknown and left out
 */
void
fore_ctl_json_set_known (JsonObject *object, const char *member, gint64 value)
{
  if (value >= 0)
    json_object_set_int_member (object, member, value);
}

/**
 * fore_ctl_json_set_positive:
 * @object: an object
 * @member: name of a member
 * @value: its value; zero stands for "none" and is left out
 */
void
fore_ctl_json_set_positive (JsonObject *object, const char *member, gint64 value)
{
  if (value > 0)
    json_object_set_int_member (object, member, value);
}

static void
set_cost (JsonObject *object, const char *member, gint64 micro_dollars)
{
  if (micro_dollars >= 0)
    json_object_set_double_member (object, member, micro_dollars / 1e6);
}

/**
 * fore_ctl_json_take_object:
 * @object: an object
 * @member: name of a member
 * @value: (transfer full): its value; one without members says nothing and is left out
 */
void
fore_ctl_json_take_object (JsonObject *object, const char *member, JsonObject *value)
{
  if (json_object_get_size (value) > 0)
    json_object_set_object_member (object, member, value);
  else
    json_object_unref (value);
}

/**
 * fore_ctl_json_strv:
 * @words: (nullable): words
 *
 * Returns: (transfer full): an array of them
 */
JsonArray *
fore_ctl_json_strv (const char *const *words)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    {
      g_autofree char *valid = fore_text_make_valid (words[i], -1);

      json_array_add_string_element (array, valid);
    }

  return array;
}

/**
 * fore_ctl_json_texts:
 * @texts: (nullable) (element-type utf8): texts
 *
 * Returns: (transfer full): an array of them
 */
JsonArray *
fore_ctl_json_texts (GPtrArray *texts)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; texts != NULL && i < texts->len; i++)
    {
      g_autofree char *valid = fore_text_make_valid (texts->pdata[i], -1);

      json_array_add_string_element (array, valid);
    }

  return array;
}

/**
 * fore_ctl_json_usage:
 * @usage: what was used
 *
 * Returns: (transfer full): {input, output, cache_read, cache_write, cost, cost_known, estimated}
 */
JsonObject *
fore_ctl_json_usage (const ForeUsage *usage)
{
  JsonObject *object = json_object_new ();

  fore_ctl_json_set_known (object, "input", usage->input);
  fore_ctl_json_set_known (object, "output", usage->output);
  fore_ctl_json_set_known (object, "cache_read", usage->cache_read);
  fore_ctl_json_set_known (object, "cache_write", usage->cache_write);
  set_cost (object, "cost", usage->cost);
  json_object_set_boolean_member (object, "cost_known", usage->cost >= 0);
  json_object_set_boolean_member (object, "estimated", usage->estimated);

  return object;
}

static JsonObject *
counts_to_json (const ForeRun *run)
{
  JsonObject *object = json_object_new ();

  for (guint i = 0; i < FORE_N_TASK_STATUSES; i++)
    fore_ctl_json_set_positive (object, fore_task_status_to_string (i), run->counts[i]);

  return object;
}

static JsonObject *
options_to_json (const ForeRunOptions *options)
{
  JsonObject *object = json_object_new ();

  fore_ctl_json_set_text (object, "isolation", fore_isolation_to_string (options->isolation));
  fore_ctl_json_set_text (object, "approval", fore_approval_to_string (options->approval));
  fore_ctl_json_set_text (object, "on_failure",
                          fore_failure_policy_to_string (options->on_failure));
  fore_ctl_json_set_positive (object, "jobs", options->jobs);
  fore_ctl_json_set_positive (object, "timeout", options->timeout);
  fore_ctl_json_set_text (object, "cli", options->cli);
  fore_ctl_json_set_text (object, "model", options->model);
  json_object_set_boolean_member (object, "demo", options->demo);

  return object;
}

static void
set_owner (JsonObject *object, const ForeRun *run)
{
  JsonObject *owner = json_object_new ();

  fore_ctl_json_set_positive (owner, "pid", run->owner_pid);
  fore_ctl_json_set_text (owner, "host", run->owner_host);
  fore_ctl_json_set_text (owner, "version", run->owner_version);
  fore_ctl_json_take_object (object, "owner", owner);
}

static void
set_budget (JsonObject *object, const ForeRunOptions *options)
{
  JsonObject *budget = json_object_new ();

  fore_ctl_json_set_known (budget, "tokens", options->budget_tokens);
  set_cost (budget, "cost", options->budget_cost);
  fore_ctl_json_take_object (object, "budget", budget);
}

static void
set_commits (JsonObject *object, const ForeRun *run)
{
  JsonObject *base = json_object_new ();
  JsonObject *result = json_object_new ();
  JsonObject *merged = json_object_new ();

  fore_ctl_json_set_text (base, "branch", run->base_branch);
  fore_ctl_json_set_text (base, "commit", run->base_commit);
  fore_ctl_json_take_object (object, "base", base);

  fore_ctl_json_set_text (result, "branch", run->result_branch);
  fore_ctl_json_set_text (result, "commit", run->result_commit);
  fore_ctl_json_set_known (result, "files", run->files);
  fore_ctl_json_set_known (result, "insertions", run->insertions);
  fore_ctl_json_set_known (result, "deletions", run->deletions);
  fore_ctl_json_take_object (object, "result", result);

  if (fore_run_is_discarded (run))
    json_object_set_boolean_member (object, "discarded", TRUE);
  else
    fore_ctl_json_set_text (merged, "into", run->merged_into);
  fore_ctl_json_set_text (merged, "commit", run->merged_commit);
  fore_ctl_json_take_object (object, "merged", merged);
}

static void
set_plan (JsonObject *object, const ForeRun *run)
{
  JsonObject *plan = json_object_new ();

  fore_ctl_json_set_positive (plan, "version", run->plan_version);
  fore_ctl_json_set_positive (plan, "approved", run->approved_version);
  fore_ctl_json_take_object (object, "plan", plan);
}

static void
set_open_requests (JsonObject *object, const ForeRun *run, GPtrArray *requests)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; requests != NULL && i < requests->len; i++)
    {
      const ForeRequest *request = requests->pdata[i];

      if (request->state == FORE_REQUEST_OPEN && g_strcmp0 (request->run, run->id) == 0)
        json_array_add_object_element (array, fore_ctl_json_request (request));
    }

  json_object_set_array_member (object, "requests", array);
}

/**
 * fore_ctl_json_run:
 * @run: a run
 * @owner: whether a runner holds it just now, and responds
 * @requests: (nullable) (element-type ForeRequest): requests, of which its open ones are taken
 *
 * Returns: (transfer full): the run
 */
JsonObject *
fore_ctl_json_run (const ForeRun *run, ForeOwnerState owner, GPtrArray *requests)
{
  JsonObject *object = json_object_new ();
  ForeStatusClass status_class = fore_run_status_get_class (run->status);

  fore_ctl_json_set_text (object, "id", run->id);
  fore_ctl_json_set_text (object, "project", run->project);
  fore_ctl_json_set_text (object, "goal", run->goal);
  fore_ctl_json_set_text (object, "title", run->title);
  fore_ctl_json_set_text (object, "team", run->team);
  fore_ctl_json_set_text (object, "workflow", run->workflow);
  fore_ctl_json_set_text (object, "status", fore_run_status_to_string (run->status));
  fore_ctl_json_set_text (object, "class", fore_status_class_to_string (status_class));
  json_object_set_boolean_member (object, "interrupted",
                                  status_class == FORE_CLASS_ACTIVE && owner == FORE_OWNER_NONE);
  fore_ctl_json_set_text (object, "reason", run->phase_text);
  fore_ctl_json_set_time (object, "created", run->created);
  fore_ctl_json_set_time (object, "started", run->started);
  fore_ctl_json_set_time (object, "finished", run->finished);
  if (owner != FORE_OWNER_NONE)
    set_owner (object, run);
  if (owner != FORE_OWNER_NONE)
    json_object_set_boolean_member (object, "responding", owner == FORE_OWNER_AT_WORK);
  json_object_set_int_member (object, "tasks", run->n_tasks);
  json_object_set_object_member (object, "counts", counts_to_json (run));
  json_object_set_object_member (object, "usage", fore_ctl_json_usage (&run->usage));
  json_object_set_object_member (object, "options", options_to_json (&run->options));
  set_budget (object, &run->options);
  set_plan (object, run);
  json_object_set_boolean_member (object, "approved", run->approved);
  set_commits (object, run);
  fore_ctl_json_set_text (object, "verified", fore_verified_to_string (run->verified));
  set_open_requests (object, run, requests);

  return object;
}

/* What a recorded command line says of it; an attempt that did not start has none. */
static JsonObject *
sandbox_to_json (const ForeAttempt *attempt)
{
  g_autoptr (ForeSandbox) sandbox = fore_sandbox_read ((const char *const *) attempt->argv);
  JsonObject *object = json_object_new ();
  JsonArray *array;
  GPtrArray *mounts;

  fore_ctl_json_set_text (object, "profile",
                          sandbox != NULL ? fore_sandbox_get_profile (sandbox) : "none");
  if (sandbox == NULL)
    return object;

  array = json_array_new ();
  mounts = fore_sandbox_get_mounts (sandbox);
  for (guint i = 0; i < mounts->len; i++)
    {
      const ForeSandboxMount *mount = mounts->pdata[i];
      JsonObject *entry = json_object_new ();

      fore_ctl_json_set_text (entry, "access", fore_sandbox_access_to_string (mount->access));
      fore_ctl_json_set_text (entry, "path", mount->path);
      if (mount->source != NULL)
        fore_ctl_json_set_text (entry, "source", mount->source);
      json_array_add_object_element (array, entry);
    }
  json_object_set_boolean_member (object, "network", fore_sandbox_has_network (sandbox));
  json_object_set_array_member (object, "mounts", array);

  return object;
}

/**
 * fore_ctl_json_attempt:
 * @attempt: an attempt
 *
 * Returns: (transfer full): the attempt
 */
JsonObject *
fore_ctl_json_attempt (const ForeAttempt *attempt)
{
  JsonObject *object = json_object_new ();

  json_object_set_int_member (object, "n", attempt->n);
  fore_ctl_json_set_text (object, "cli", attempt->cli);
  fore_ctl_json_set_text (object, "model", attempt->model);
  fore_ctl_json_set_text (object, "session", attempt->session);
  json_object_set_boolean_member (object, "live", attempt->live);
  fore_ctl_json_set_positive (object, "pid", attempt->pid);
  fore_ctl_json_set_time (object, "started", attempt->started);
  fore_ctl_json_set_time (object, "finished", attempt->finished);
  if (attempt->started > 0 && attempt->finished > 0)
    json_object_set_int_member (object, "ms", (attempt->finished - attempt->started) / 1000);
  if (attempt->finished > 0)
    fore_ctl_json_set_known (object, "exit", attempt->exit_code);
  fore_ctl_json_set_positive (object, "signal", attempt->term_signal);
  if (attempt->cause != FORE_CAUSE_NONE)
    fore_ctl_json_set_text (object, "cause", fore_cause_to_string (attempt->cause));
  fore_ctl_json_set_text (object, "message", attempt->message);
  json_object_set_object_member (object, "usage", fore_ctl_json_usage (&attempt->usage));
  if (attempt->argv != NULL)
    json_object_set_array_member (object, "argv",
                                  fore_ctl_json_strv ((const char *const *) attempt->argv));
  if (attempt->argv != NULL)
    json_object_set_object_member (object, "sandbox", sandbox_to_json (attempt));
  if (attempt->env_names != NULL)
    json_object_set_array_member (object, "env",
                                  fore_ctl_json_strv ((const char *const *) attempt->env_names));
  fore_ctl_json_set_text (object, "cwd", attempt->cwd);
  fore_ctl_json_set_text (object, "base", attempt->base);
  fore_ctl_json_set_text (object, "commit", attempt->commit);
  fore_ctl_json_set_text (object, "result", attempt->result);

  return object;
}

static JsonArray *
attempts_to_json (const ForeTask *task, GPtrArray *attempts)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < attempts->len; i++)
    {
      const ForeAttempt *attempt = attempts->pdata[i];

      if (g_strcmp0 (attempt->task, task->key) == 0)
        json_array_add_object_element (array, fore_ctl_json_attempt (attempt));
    }

  return array;
}

/**
 * fore_ctl_json_checks:
 * @checks: (nullable) (element-type ForeCheck): checks
 *
 * Returns: (transfer full): an array of them
 */
JsonArray *
fore_ctl_json_checks (GPtrArray *checks)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; checks != NULL && i < checks->len; i++)
    {
      const ForeCheck *check = checks->pdata[i];
      JsonObject *object = json_object_new ();

      json_object_set_array_member (object, "argv",
                                    fore_ctl_json_strv ((const char *const *) check->argv));
      fore_ctl_json_set_text (object, "verified", fore_verified_to_string (check->verified));
      fore_ctl_json_set_known (object, "exit", check->exit_code);
      fore_ctl_json_set_known (object, "ms", check->ms);
      fore_ctl_json_set_text (object, "output", check->output);
      json_array_add_object_element (array, object);
    }

  return array;
}

static JsonArray *
changes_to_json (GPtrArray *changes)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; changes != NULL && i < changes->len; i++)
    {
      const ForeChange *change = changes->pdata[i];
      JsonObject *object = json_object_new ();
      const char status[] = { change->status, '\0' };

      fore_ctl_json_set_text (object, "path", change->path);
      fore_ctl_json_set_text (object, "old_path", change->old_path);
      fore_ctl_json_set_text (object, "status", status);
      fore_ctl_json_set_known (object, "insertions", change->insertions);
      fore_ctl_json_set_known (object, "deletions", change->deletions);
      json_object_set_boolean_member (object, "binary", change->insertions < 0);
      json_array_add_object_element (array, object);
    }

  return array;
}

static void
set_task_state (JsonObject *object, const ForeTask *task)
{
  ForeStatusClass status_class = fore_task_status_get_class (task->status);

  fore_ctl_json_set_text (object, "status", fore_task_status_to_string (task->status));
  fore_ctl_json_set_text (object, "class", fore_status_class_to_string (status_class));
  if (task->phase != FORE_PHASE_NONE)
    fore_ctl_json_set_text (object, "phase", fore_task_phase_to_string (task->phase));
  fore_ctl_json_set_text (object, "waits_for", task->waits_for);
  fore_ctl_json_set_text (object, "mark", task->mark);
  fore_ctl_json_set_text (object, "worker", fore_worker_to_string (task->worker));
  fore_ctl_json_set_text (object, "effect", fore_effect_to_string (task->effect));
  fore_ctl_json_set_text (object, "verified", fore_verified_to_string (task->verified));
  fore_ctl_json_set_text (object, "message", task->message);
  if (task->cause != FORE_CAUSE_NONE)
    fore_ctl_json_set_text (object, "cause", fore_cause_to_string (task->cause));
  fore_ctl_json_set_time (object, "started", task->started);
  fore_ctl_json_set_time (object, "finished", task->finished);
  fore_ctl_json_set_time (object, "not_before", task->not_before);
}

static void
set_task_tree (JsonObject *object, const ForeTask *task)
{
  fore_ctl_json_set_text (object, "branch", task->branch);
  fore_ctl_json_set_text (object, "worktree", task->worktree);
  fore_ctl_json_set_text (object, "base", task->base);
  fore_ctl_json_set_text (object, "commit", task->commit);
  json_object_set_array_member (object, "files", changes_to_json (task->files));
}

/**
 * fore_ctl_json_task:
 * @run_id: run that it belongs to
 * @task: a task
 * @attempts: (element-type ForeAttempt): attempts, of which those of @task are taken
 *
 * Returns: (transfer full): the task
 */
JsonObject *
fore_ctl_json_task (const char *run_id, const ForeTask *task, GPtrArray *attempts)
{
  JsonObject *object = json_object_new ();
  g_autofree char *id = g_strdup_printf ("%s/%s", run_id, task->key);

  fore_ctl_json_set_text (object, "id", id);
  fore_ctl_json_set_text (object, "key", task->key);
  fore_ctl_json_set_text (object, "title", task->title);
  fore_ctl_json_set_text (object, "role", task->role);
  fore_ctl_json_set_text (object, "agent", task->agent);
  fore_ctl_json_set_text (object, "cli", task->cli);
  fore_ctl_json_set_text (object, "model", task->model);
  fore_ctl_json_set_text (object, "step", task->step);
  fore_ctl_json_set_text (object, "task", task->text);
  fore_ctl_json_set_positive (object, "plan_version", task->plan_version);
  json_object_set_boolean_member (object, "writes", task->writes);
  json_object_set_boolean_member (object, "live", task->live);
  json_object_set_array_member (object, "depends_on",
                                fore_ctl_json_strv ((const char *const *) task->depends_on));
  json_object_set_array_member (object, "paths",
                                fore_ctl_json_strv ((const char *const *) task->paths));
  set_task_state (object, task);
  json_object_set_array_member (object, "attempts", attempts_to_json (task, attempts));
  json_object_set_object_member (object, "usage", fore_ctl_json_usage (&task->usage));
  json_object_set_array_member (object, "checks", fore_ctl_json_checks (task->checks));
  set_task_tree (object, task);
  fore_ctl_json_set_text (object, "result", task->result);

  return object;
}
