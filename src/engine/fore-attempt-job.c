/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-attempt-job.h"

#include "engine/fore-agent-reader.h"
#include "engine/fore-attempt-launch.h"
#include "engine/fore-check-run.h"
#include "engine/fore-event-data.h"
#include "engine/fore-pool.h"
#include "engine/fore-slot-keeper.h"
#include "model/fore-error.h"
#include "platform/fore-clock.h"
#include "platform/fore-compat-glib.h"
#include "platform/fore-dirs.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define RESULT_INLINE_MAX (256 * 1024)
#define LIVE_END_SECONDS 5

struct _ForeAttemptJob
{
  GObject parent_instance;

  const ForeAttemptServices *services;
  ForeTask *task;
  ForeAttempt *attempt;
  const ForeAdapter *adapter;
  GTask *running;
  GPtrArray *slots;
  GPtrArray *dependencies;
  GStrv conflicts;
  gboolean marked;
  char *prompt;
  ForeAttemptLaunch *launch;
  ForeAgentReader *reader;
  ForeGuard *guard;
  ForeCheckRun *checks;
  gboolean adopted;
  gboolean beside;
  gboolean said_end;
  guint end_timer;
  ForeCause stop_cause;
  char *stop_message;
  ForeCause cause;
  char *message;
};

enum
{
  USAGE,
  PERMISSION,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ForeAttemptJob, fore_attempt_job, G_TYPE_OBJECT)

static void
fore_attempt_job_dispose (GObject *object)
{
  ForeAttemptJob *self = FORE_ATTEMPT_JOB (object);

  g_clear_handle_id (&self->end_timer, g_source_remove);
  if (self->guard != NULL)
    g_signal_handlers_disconnect_by_data (self->guard, self);
  if (self->reader != NULL)
    g_signal_handlers_disconnect_by_data (self->reader, self);
  g_clear_object (&self->guard);
  g_clear_object (&self->reader);
  g_clear_object (&self->checks);
  g_clear_object (&self->running);
  g_clear_pointer (&self->slots, g_ptr_array_unref);

  G_OBJECT_CLASS (fore_attempt_job_parent_class)->dispose (object);
}

static void
fore_attempt_job_finalize (GObject *object)
{
  ForeAttemptJob *self = FORE_ATTEMPT_JOB (object);

  g_clear_pointer (&self->dependencies, g_ptr_array_unref);
  g_clear_pointer (&self->launch, fore_attempt_launch_free);
  g_strfreev (self->conflicts);
  g_free (self->prompt);
  g_free (self->stop_message);
  g_free (self->message);

  G_OBJECT_CLASS (fore_attempt_job_parent_class)->finalize (object);
}

static void
fore_attempt_job_class_init (ForeAttemptJobClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fore_attempt_job_dispose;
  object_class->finalize = fore_attempt_job_finalize;

  signals[USAGE] = g_signal_new ("usage", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
  signals[PERMISSION] = g_signal_new ("permission", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
fore_attempt_job_init (ForeAttemptJob *self)
{
}

/**
 * fore_attempt_job_new:
 * @services: what all attempts of the run share
 * @task: the task; belongs to the state and outlives the job
 *
 * Returns: (transfer full): a job that has not begun
 */
ForeAttemptJob *
fore_attempt_job_new (const ForeAttemptServices *services, ForeTask *task)
{
  ForeAttemptJob *self;

  g_return_val_if_fail (services != NULL && task != NULL, NULL);

  self = g_object_new (FORE_TYPE_ATTEMPT_JOB, NULL);
  self->services = services;
  self->task = task;

  return self;
}

static ForeRunState *
get_state (ForeAttemptJob *self)
{
  return self->services->state;
}

/* The end of the job, whatever it was; the callback may be the last thing that holds it. */
static void
finish (ForeAttemptJob *self)
{
  g_autoptr (GTask) running = g_steal_pointer (&self->running);

  g_clear_pointer (&self->slots, g_ptr_array_unref);
  g_assert (running != NULL);
  g_task_return_boolean (running, TRUE);
}

static void
set_cause (ForeAttemptJob *self, ForeCause cause, const char *message)
{
  g_autofree char *clean = NULL;

  if (message != NULL)
    clean = fore_redactor_apply (self->services->context->redactor, message);
  self->cause = cause;
  fore_set_str (&self->message, clean);
}

/* Writes how the attempt ended. */
static void
close_attempt (ForeAttemptJob *self)
{
  ForeAttempt *attempt = self->attempt;
  ForeRunState *state = get_state (self);

  if (attempt == NULL || attempt->finished != 0)
    return;

  attempt->finished = fore_clock_now_us ();
  attempt->cause = self->cause;
  fore_set_str (&attempt->message, self->message);
  fore_run_state_touch_attempt (state, attempt);
  fore_run_state_update_usage (state, self->task);
  fore_run_state_emit (state, FORE_EVENT_ATTEMPT_FINISHED, self->task->key, attempt->n,
                       fore_event_data_new ("i:exit", (gint64) attempt->exit_code, "i:signal",
                                            (gint64) attempt->term_signal, "s:cause",
                                            fore_cause_to_string (self->cause), "s:message",
                                            self->message, NULL));
}

static void
fail (ForeAttemptJob *self, ForeCause cause, const char *message)
{
  set_cause (self, self->stop_cause != FORE_CAUSE_NONE ? self->stop_cause : cause,
             self->stop_cause != FORE_CAUSE_NONE ? self->stop_message : message);
  close_attempt (self);
  finish (self);
}

static gboolean
is_stopped (ForeAttemptJob *self)
{
  return self->stop_cause != FORE_CAUSE_NONE;
}

/* Checks */

static void
hide_secrets (ForeAttemptJob *self, GPtrArray *checks)
{
  for (guint i = 0; i < checks->len; i++)
    {
      ForeCheck *check = g_ptr_array_index (checks, i);
      g_autofree char *output = g_steal_pointer (&check->output);

      if (output != NULL)
        check->output = fore_redactor_apply (self->services->context->redactor, output);
    }
}

static void
checks_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;
  g_autoptr (GPtrArray) checks = NULL;
  ForeTask *task = self->task;

  checks = fore_check_run_start_finish (FORE_CHECK_RUN (source), result, NULL);
  g_clear_pointer (&task->checks, g_ptr_array_unref);
  task->checks = fore_checks_copy (checks);
  task->verified = fore_checks_judge (checks);

  hide_secrets (self, task->checks);

  for (guint i = 0; i < task->checks->len; i++)
    {
      const ForeCheck *check = g_ptr_array_index (task->checks, i);

      fore_run_state_emit (get_state (self), FORE_EVENT_TASK_CHECK, task->key, self->attempt->n,
                           fore_event_data_new ("v:argv", check->argv, "s:verified",
                                                fore_verified_to_string (check->verified), "i:exit",
                                                (gint64) check->exit_code, "i:ms", check->ms,
                                                NULL));
    }

  fore_run_state_touch_task (get_state (self), task);
  if (is_stopped (self))
    set_cause (self, self->stop_cause, self->stop_message);
  else if (task->verified == FORE_VERIFIED_FAILED)
    set_cause (self, FORE_CAUSE_CHECKS, _ ("A verification command failed."));
  else if (task->verified == FORE_VERIFIED_COMPROMISED)
    set_cause (
        self, FORE_CAUSE_COMPROMISED,
        _ ("A file that decides a check was changed; look at what was done before you accept "
           "it."));

  finish (self);
}

static void
start_checks (ForeAttemptJob *self)
{
  ForeTask *task = self->task;
  const char *tree = task->worktree != NULL ? task->worktree : self->services->context->project;

  if (is_stopped (self))
    set_cause (self, self->stop_cause, self->stop_message);
  if (self->cause != FORE_CAUSE_NONE || task->checks->len == 0)
    {
      finish (self);
      return;
    }

  fore_run_state_set_phase (get_state (self), task, FORE_PHASE_CHECKS, NULL);
  self->checks = fore_check_run_new (self->services->context, self->services->hub,
                                     fore_run_state_get_run (get_state (self))->id, task,
                                     self->attempt->n, tree);
  fore_check_run_start_async (self->checks, self->adopted, checks_done, g_object_ref (self));
}

/* Commit */

static char *
join_paths (GPtrArray *files)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < files->len && i < 10; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            ((ForeChange *) g_ptr_array_index (files, i))->path);
  if (files->len > 10)
    g_string_append (text, ", …");

  return g_string_free (text, FALSE);
}

static void
take_work (ForeAttemptJob *self, const ForeTreeWork *work)
{
  ForeTask *task = self->task;

  fore_set_str (&task->commit, work->commit);
  fore_set_str (&self->attempt->commit, work->commit);
  g_clear_pointer (&task->files, g_ptr_array_unref);
  task->files = fore_changes_copy (work->files);
  task->effect = work->files->len > 0 ? FORE_EFFECT_CHANGED : FORE_EFFECT_NONE;

  if (!task->writes && task->effect == FORE_EFFECT_CHANGED && self->cause == FORE_CAUSE_NONE)
    {
      g_autofree char *paths = join_paths (work->files);
      g_autofree char *message = g_strdup_printf (
          work->commit != NULL
              ? _ ("It may only read, but changed %s; what it wrote is kept on its branch.")
              : _ ("It may only read, but changed %s."),
          paths);

      set_cause (self, FORE_CAUSE_WROTE, message);
      self->attempt->cause = self->cause;
      fore_set_str (&self->attempt->message, message);
    }

  fore_run_state_touch_task (get_state (self), task);
  fore_run_state_touch_attempt (get_state (self), self->attempt);
  fore_run_state_emit (get_state (self), FORE_EVENT_TASK_EFFECT, task->key, self->attempt->n,
                       fore_event_data_new ("s:effect", fore_effect_to_string (task->effect),
                                            "i:files", (gint64) work->files->len, "s:commit",
                                            work->commit, NULL));
}

static void
commit_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;
  g_autoptr (ForeTreeWork) work = NULL;
  g_autoptr (GError) error = NULL;

  work = fore_trees_commit_finish (FORE_TREES (source), result, &error);
  if (work != NULL)
    take_work (self, work);
  else if (self->cause == FORE_CAUSE_NONE)
    set_cause (self, FORE_CAUSE_WORKTREE, error->message);
  else
    g_warning ("The tree of %s could not be committed: %s", self->task->key, error->message);

  start_checks (self);
}

/* Agents that share the project's tree are told apart only by looking before and after. */
static gboolean
works_in_shared_tree (ForeAttemptJob *self)
{
  return !fore_trees_is_isolated (self->services->trees)
         && fore_run_state_get_run (get_state (self))->base_commit != NULL
         && fore_slot_pool_for_task (self->task) == FORE_SLOT_POOL_AGENTS;
}

static void
shared_tree_seen (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;
  g_auto (GStrv) paths = fore_trees_watch_leader_finish (FORE_TREES (source), result, NULL);
  g_autoptr (GPtrArray) files = fore_changes_copy (NULL);
  const ForeTreeWork work = { NULL, files };

  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    g_ptr_array_add (files, fore_change_new (paths[i], 'M', -1, -1));
  if (paths != NULL && !self->beside)
    take_work (self, &work);

  start_checks (self);
}

static void
start_commit (ForeAttemptJob *self)
{
  if (self->task->gitdir == NULL && works_in_shared_tree (self) && !self->adopted)
    {
      fore_trees_watch_leader_async (self->services->trees, NULL, shared_tree_seen,
                                     g_object_ref (self));
      return;
    }
  if (self->task->gitdir == NULL)
    {
      start_checks (self);
      return;
    }

  fore_run_state_set_phase (get_state (self), self->task, FORE_PHASE_COMMIT, NULL);
  fore_trees_commit_async (self->services->trees, self->task, NULL, commit_done,
                           g_object_ref (self));
}

/* End of the agent */

static ForeCause
cause_of_reason (const ForeGuardRecord *record, char **message)
{
  switch (record->reason)
    {
    case FORE_GUARD_REASON_OUTPUT_LIMIT:
      *message = g_strdup (_ ("It printed more than limits.capture_size allows and was stopped."));
      return FORE_CAUSE_OUTPUT_LIMIT;

    case FORE_GUARD_REASON_WALL_LIMIT:
      *message = g_strdup (_ ("It took longer than limits.task_time allows and was stopped."));
      return FORE_CAUSE_TIMEOUT;

    case FORE_GUARD_REASON_ORPHANED:
      *message = g_strdup (_ ("It was stopped because its runner was gone for too long."));
      return FORE_CAUSE_INTERRUPTED;

    case FORE_GUARD_REASON_LOST:
      *message = g_strdup (_ ("Its guard was killed; nothing says how it ended."));
      return FORE_CAUSE_LOST;

    case FORE_GUARD_REASON_EXEC_FAILED:
      *message = g_strdup_printf (_ ("It could not be started: %s"), g_strerror (record->error));
      return FORE_CAUSE_NOT_STARTED;

    default:
      return FORE_CAUSE_NONE;
    }
}

static void
save_result (ForeAttemptJob *self, const char *text)
{
  ForeRunContext *context = self->services->context;
  g_autofree char *clean = NULL;

  if (text == NULL)
    return;

  clean = fore_redactor_apply (context->redactor, text);
  if (strlen (clean)
      > (gsize) fore_settings_get_size (context->settings, "prompts.dependency_bytes"))
    fore_attempt_save_result (context, self->task->key, clean);
  if (strlen (clean) > RESULT_INLINE_MAX)
    {
      const char *end = g_utf8_find_prev_char (clean, clean + RESULT_INLINE_MAX);

      clean[end - clean] = '\0';
    }

  fore_set_str (&self->task->result, clean);
  fore_set_str (&self->attempt->result, clean);
}

static void
judge (ForeAttemptJob *self)
{
  const ForeGuardRecord *record = fore_guard_get_exit_record (self->guard);
  ForeDecoder *decoder = fore_agent_reader_get_decoder (self->reader);
  const ForeSummary *summary = fore_decoder_get_summary (decoder);
  ForeAttempt *attempt = self->attempt;
  g_autofree char *message = NULL;
  ForeCause cause;

  attempt->exit_code = record->exit_code;
  attempt->term_signal = record->term_signal;
  attempt->usage = summary->usage;
  fore_set_str (&attempt->session, summary->session);
  if (summary->model != NULL)
    fore_set_str (&attempt->model, summary->model);

  cause = is_stopped (self) ? self->stop_cause : cause_of_reason (record, &message);
  if (is_stopped (self))
    message = g_strdup (self->stop_message);
  else if (cause == FORE_CAUSE_NONE)
    cause = fore_decoder_judge (decoder, self->said_end ? 0 : record->exit_code,
                                self->said_end ? 0 : record->term_signal,
                                self->adapter->stream_required, &message);

  set_cause (self, cause, message);
  self->task->worker = cause == FORE_CAUSE_NONE ? FORE_WORKER_WELL : FORE_WORKER_BADLY;
  save_result (self, summary->final_text);
}

static void
reader_finished (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;

  fore_agent_reader_finish_finish (FORE_AGENT_READER (source), result, NULL);
  judge (self);
  close_attempt (self);
  fore_run_state_touch_task (get_state (self), self->task);
  start_commit (self);
}

static void
guard_exited (ForeGuard *guard, const ForeGuardRecord *record, gpointer user_data)
{
  ForeAttemptJob *self = user_data;

  g_assert (FORE_IS_ATTEMPT_JOB (self));

  g_signal_handlers_disconnect_by_data (guard, self);
  g_clear_handle_id (&self->end_timer, g_source_remove);
  g_clear_pointer (&self->slots, g_ptr_array_unref);
  fore_agent_reader_finish_async (self->reader, reader_finished, g_object_ref (self));
}

static void
guard_started (ForeGuard *guard, const ForeGuardRecord *record, gpointer user_data)
{
  ForeAttemptJob *self = user_data;

  g_assert (FORE_IS_ATTEMPT_JOB (self));

  self->attempt->pid = record->agent_pid;
  self->attempt->pid_start = (gint64) record->agent_start;
  fore_set_str (&self->attempt->boot_id, fore_process_get_boot_id ());
  fore_run_state_touch_attempt (get_state (self), self->attempt);
}

/* Talking */

static void
said (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!fore_guard_say_finish (FORE_GUARD (source), result, &error))
    g_message ("%s was not told something: %s", self->task->key, error->message);
}

static void
outbox_filled (ForeAgentReader *reader, GBytes *bytes, gpointer user_data)
{
  ForeAttemptJob *self = user_data;

  g_assert (FORE_IS_ATTEMPT_JOB (self));

  if (self->guard != NULL)
    fore_guard_say_async (self->guard, bytes, 0, NULL, said, g_object_ref (self));
}

static void
permission_asked (ForeAgentReader *reader, const ForeEntry *entry, gpointer user_data)
{
  g_signal_emit (user_data, signals[PERMISSION], 0, entry);
}

static void
check_turns (ForeAttemptJob *self)
{
  guint limit = self->launch != NULL ? self->launch->max_turns : 0;

  if (limit > 0 && fore_agent_reader_get_turns (self->reader) > limit)
    fore_attempt_job_stop (self, FORE_CAUSE_TURN_LIMIT,
                           _ ("It took more turns than limits.turns allows and was stopped."));
}

static void
check_tokens (ForeAttemptJob *self)
{
  ForeSettings *settings = self->services->context->settings;
  gint64 used = fore_usage_get_tokens (&self->attempt->usage);

  if (fore_settings_is_set (settings, "limits.task_tokens")
      && used > fore_settings_get_int (settings, "limits.task_tokens"))
    fore_attempt_job_stop (self, FORE_CAUSE_TURN_LIMIT,
                           _ ("It used more tokens than limits.task_tokens allows and was "
                              "stopped."));
}

/* A session whose stdin was closed goes by itself; one that does not is ended. */
static gboolean
end_live (gpointer user_data)
{
  ForeAttemptJob *self = user_data;

  self->end_timer = 0;
  if (self->guard != NULL)
    fore_guard_end (self->guard);

  return G_SOURCE_REMOVE;
}

static void
reader_progressed (ForeAgentReader *reader, gpointer user_data)
{
  ForeAttemptJob *self = user_data;
  const ForeUsage *usage = fore_agent_reader_get_usage (reader);
  const char *model = fore_agent_reader_get_model (reader);
  gboolean changed = FALSE;

  g_assert (FORE_IS_ATTEMPT_JOB (self));

  if (!fore_usage_equal (usage, &self->attempt->usage))
    {
      self->attempt->usage = *usage;
      changed = TRUE;
    }
  changed |= fore_set_str (&self->attempt->session, fore_agent_reader_get_session (reader));
  if (model != NULL)
    changed |= fore_set_str (&self->attempt->model, model);

  if (changed)
    {
      fore_run_state_touch_attempt (get_state (self), self->attempt);
      fore_run_state_update_usage (get_state (self), self->task);
      g_signal_emit (self, signals[USAGE], 0);
    }

  if (self->attempt->live && !self->said_end && fore_agent_reader_get_settled (reader)
      && self->guard != NULL)
    {
      self->said_end = TRUE;
      fore_guard_close_stdin (self->guard);
      self->end_timer = g_timeout_add_seconds (LIVE_END_SECONDS, end_live, self);
    }

  check_turns (self);
  check_tokens (self);
}

static void
watch_agent (ForeAttemptJob *self)
{
  ForeRunContext *context = self->services->context;
  g_autofree char *path = NULL;

  path = fore_dirs_dup_attempt_path (context->home, fore_run_state_get_run (get_state (self))->id,
                                     self->task->key, self->attempt->n, "out");
  self->reader = fore_agent_reader_new (self->adapter, self->attempt->live, path);
  g_signal_connect (self->reader, "progress", G_CALLBACK (reader_progressed), self);
  g_signal_connect (self->reader, "permission", G_CALLBACK (permission_asked), self);
  g_signal_connect (self->reader, "outbox", G_CALLBACK (outbox_filled), self);
  g_signal_connect (self->guard, "started", G_CALLBACK (guard_started), self);
  g_signal_connect (self->guard, "exited", G_CALLBACK (guard_exited), self);
}

/* Start */

static void
spawn (ForeAttemptJob *self)
{
  g_autoptr (GError) error = NULL;

  self->guard = fore_attempt_launch_spawn (self->launch, self->services->hub, self->slots, &error);
  if (self->guard == NULL)
    {
      fail (self, FORE_CAUSE_NOT_STARTED, error->message);
      return;
    }

  fore_run_state_set_phase (get_state (self), self->task, FORE_PHASE_AGENT, NULL);
  watch_agent (self);
  if (self->attempt->live)
    fore_agent_reader_begin (self->reader, self->launch->prompt, self->attempt->cwd, NULL);
  if (is_stopped (self))
    fore_guard_end (self->guard);
}

static void
barrier_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!fore_run_writer_barrier_finish (FORE_RUN_WRITER (source), result, &error))
    fail (self, FORE_CAUSE_INTERRUPTED, error->message);
  else if (is_stopped (self))
    fail (self, self->stop_cause, self->stop_message);
  else
    spawn (self);
}

static void
write_start (ForeAttemptJob *self)
{
  ForeAttempt *attempt = self->attempt;

  fore_set_str (&attempt->cli, self->task->cli);
  fore_set_str (&attempt->model, self->task->model);
  fore_set_str (&attempt->base, self->task->base);
  fore_set_str (&attempt->cwd, self->launch->cwd);
  attempt->argv = g_strdupv (self->launch->argv);
  attempt->env_names = fore_attempt_launch_dup_env_names (self->launch);

  fore_run_state_touch_attempt (get_state (self), attempt);
  fore_run_state_touch_task (get_state (self), self->task);
  fore_run_state_emit (get_state (self), FORE_EVENT_ATTEMPT_STARTED, self->task->key, attempt->n,
                       fore_event_data_new ("s:cli", attempt->cli, "s:model", attempt->model,
                                            "s:cwd", attempt->cwd, "b:live", attempt->live, NULL));
}

static void
launch_made (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;
  g_autoptr (GError) error = NULL;

  self->launch = fore_attempt_launch_make_finish (result, &error);
  if (self->launch == NULL)
    {
      fail (self, FORE_CAUSE_NOT_STARTED, error->message);
      return;
    }
  if (is_stopped (self))
    {
      fail (self, self->stop_cause, self->stop_message);
      return;
    }

  write_start (self);
  fore_run_writer_barrier_async (fore_run_state_get_writer (get_state (self)), NULL, barrier_done,
                                 g_object_ref (self));
}

static void
start_agent (ForeAttemptJob *self, const char *tree)
{
  ForeRunState *state = get_state (self);
  ForeLaunchPlan plan = { 0 };
  g_autofree char *plan_before = NULL;

  self->attempt = fore_run_state_add_attempt (state, self->task);
  self->attempt->live = self->task->live && self->adapter->live;

  plan.adapter = self->adapter;
  plan.run = fore_run_state_get_run (state);
  plan.task = self->task;
  plan.attempt = self->attempt;
  plan.dependencies = self->dependencies;
  plan.tree = tree;
  plan.marked = self->marked;
  if (self->task->adaptive && fore_run_state_get_run (state)->plan_version > 0)
    plan.plan_before = fore_run_state_get_plan (state, 0);

  fore_attempt_launch_make_async (self->services->context, &plan, launch_made, g_object_ref (self));
}

static void
take_tree (ForeAttemptJob *self, const ForeTree *tree)
{
  ForeTask *task = self->task;

  if (tree->git_dir != NULL && g_strcmp0 (task->gitdir, tree->git_dir) != 0)
    fore_run_state_emit (get_state (self), FORE_EVENT_TREE_ADDED, task->key, 0,
                         fore_event_data_new ("s:path", tree->path, "s:branch", tree->branch,
                                              "s:base", tree->base, NULL));
  if (tree->git_dir != NULL)
    fore_set_str (&task->worktree, tree->path);
  fore_set_str (&task->gitdir, tree->git_dir);
  fore_set_str (&task->branch, tree->branch);
  fore_set_str (&task->base, tree->base);
  self->marked = tree->marked;
}

static void
tree_prepared (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;
  g_autoptr (ForeTree) tree = NULL;
  g_autoptr (GError) error = NULL;

  tree = fore_trees_prepare_finish (FORE_TREES (source), result, &error);
  if (tree == NULL)
    {
      fail (self, FORE_CAUSE_WORKTREE, error->message);
      return;
    }

  if (tree->conflicts != NULL)
    {
      self->conflicts = g_strdupv (tree->conflicts);
      fail (self, FORE_CAUSE_CONFLICT, _ ("What it builds on changed the same lines twice."));
      return;
    }

  take_tree (self, tree);
  if (is_stopped (self))
    fail (self, self->stop_cause, self->stop_message);
  else
    start_agent (self, tree->path);
}

static GStrv
list_commits (GPtrArray *dependencies)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < dependencies->len; i++)
    {
      const ForeTask *before = g_ptr_array_index (dependencies, i);
      char *commit = before->commit != NULL ? before->commit : before->base;

      if (commit != NULL && g_hash_table_add (seen, commit))
        g_strv_builder_add (builder, commit);
    }

  return g_strv_builder_end (builder);
}

static gboolean
begin (ForeAttemptJob *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *message = NULL;

  self->running = g_task_new (self, NULL, callback, user_data);
  g_task_set_name (self->running, "attempt");
  self->adapter = self->task->cli != NULL ? fore_adapter_lookup (self->task->cli) : NULL;
  if (self->adapter != NULL)
    return TRUE;

  if (self->task->cli != NULL)
    message = g_strdup_printf (_ ("There is no agent CLI “%s”."), self->task->cli);
  else
    message = g_strdup (_ ("No agent CLI was found on this machine; install one or choose another "
                           "with --cli."));
  fail (self, FORE_CAUSE_NOT_STARTED, message);

  return FALSE;
}

static void
prepare_tree (ForeAttemptJob *self, ForeMergeFavor favor)
{
  g_auto (GStrv) commits = list_commits (self->dependencies);

  fore_trees_prepare_async (self->services->trees, self->task, (const char *const *) commits, favor,
                            NULL, tree_prepared, g_object_ref (self));
}

static void
shared_tree_noted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;

  g_strfreev (fore_trees_watch_leader_finish (FORE_TREES (source), result, NULL));
  prepare_tree (self, FORE_MERGE_FAVOR_NONE);
}

/**
 * fore_attempt_job_run_async:
 * @self: a job
 * @slots: (transfer full) (element-type ForeSlot): places that the guard holds while it lives
 * @dependencies: (element-type ForeTask): the tasks before it
 * @favor: what to do where two of them changed the same
 * @callback: called when the attempt is over, its work safe and its checks run
 * @user_data: data for @callback
 *
 * Makes the next attempt of the task.
 */
void
fore_attempt_job_run_async (ForeAttemptJob *self,
                            GPtrArray *slots,
                            GPtrArray *dependencies,
                            ForeMergeFavor favor,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_return_if_fail (FORE_IS_ATTEMPT_JOB (self));
  g_return_if_fail (self->running == NULL);

  self->slots = slots;
  self->dependencies = g_ptr_array_ref (dependencies);
  if (!begin (self, callback, user_data))
    return;

  if (fore_trees_is_isolated (self->services->trees))
    fore_run_state_set_phase (get_state (self), self->task, FORE_PHASE_WORKTREE, NULL);
  if (works_in_shared_tree (self))
    fore_trees_watch_leader_async (self->services->trees, NULL, shared_tree_noted,
                                   g_object_ref (self));
  else
    prepare_tree (self, favor);
}

/**
 * fore_attempt_job_adopt_async:
 * @self: a job
 * @callback: called when the attempt is over
 * @user_data: data for @callback
 *
 * Takes up the task's last attempt, which an earlier runner started: follows its guard on, or what
 * that left. An agent that never started ends as interrupted. A live session has lost the one that
 * spoke with it, and is ended.
 */
void
fore_attempt_job_adopt_async (ForeAttemptJob *self,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (FORE_IS_ATTEMPT_JOB (self));
  g_return_if_fail (self->running == NULL);

  self->adopted = TRUE;
  self->attempt = fore_run_state_find_attempt (get_state (self), self->task->key,
                                               self->task->attempts);
  if (!begin (self, callback, user_data))
    return;

  if (self->attempt != NULL)
    self->guard = fore_guard_adopt (self->services->hub, self->task->key, self->attempt->n, &error);
  if (self->guard == NULL)
    {
      fore_run_state_emit (get_state (self), FORE_EVENT_RECOVERY_LOST, self->task->key,
                           self->task->attempts,
                           fore_event_data_new ("s:reason", _ ("never started"), NULL));
      fail (self, FORE_CAUSE_INTERRUPTED, _ ("Its runner died before it was started."));
      return;
    }

  fore_run_state_emit (get_state (self), FORE_EVENT_ATTEMPT_ADOPTED, self->task->key,
                       self->attempt->n, fore_event_data_new ("i:pid", self->attempt->pid, NULL));
  watch_agent (self);
  fore_agent_reader_poll (self->reader);
  if (self->attempt->live && fore_guard_get_exit_record (self->guard) == NULL)
    fore_attempt_job_stop (self, FORE_CAUSE_INTERRUPTED,
                           _ ("Its runner died while it spoke with it."));
}

/**
 * fore_attempt_job_run_finish:
 * @self: a job
 * @result: the result
 * @message: (out) (nullable) (transfer full): one sentence about the cause
 *
 * Returns: why it did not end well, or %FORE_CAUSE_NONE
 */
ForeCause
fore_attempt_job_run_finish (ForeAttemptJob *self, GAsyncResult *result, char **message)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FORE_CAUSE_ERROR);

  g_task_propagate_boolean (G_TASK (result), NULL);
  if (message != NULL)
    *message = g_strdup (self->message);

  return self->cause;
}

/**
 * fore_attempt_job_stop:
 * @self: a job
 * @cause: why
 * @message: (nullable): one sentence: why
 *
 * Ends the attempt, politely first; it is over when its callback is called. The first reason stays.
 */
void
fore_attempt_job_stop (ForeAttemptJob *self, ForeCause cause, const char *message)
{
  g_return_if_fail (FORE_IS_ATTEMPT_JOB (self));
  g_return_if_fail (cause != FORE_CAUSE_NONE);

  if (is_stopped (self))
    return;

  self->stop_cause = cause;
  self->stop_message = g_strdup (message);
  if (self->checks != NULL)
    fore_check_run_stop (self->checks);
  else if (self->guard != NULL)
    fore_guard_end (self->guard);
}

/**
 * fore_attempt_job_say:
 * @self: a job
 * @kind: steer, follow-up, answer, interrupt
 * @id: (nullable): what is answered
 * @text: (nullable): what to say
 *
 * Returns: whether a live session was told
 */
gboolean
fore_attempt_job_say (ForeAttemptJob *self, const char *kind, const char *id, const char *text)
{
  g_return_val_if_fail (FORE_IS_ATTEMPT_JOB (self), FALSE);

  return fore_attempt_job_is_talking (self) && fore_agent_reader_say (self->reader, kind, id, text);
}

/**
 * fore_attempt_job_set_beside:
 * @self: a job
 *
 * Says that another agent works at the same time; in a shared tree nobody can tell then who of them
 * changed what.
 */
void
fore_attempt_job_set_beside (ForeAttemptJob *self)
{
  g_return_if_fail (FORE_IS_ATTEMPT_JOB (self));

  self->beside = TRUE;
}

/**
 * fore_attempt_job_get_task:
 * @self: a job
 *
 * Returns: (transfer none): its task
 */
ForeTask *
fore_attempt_job_get_task (ForeAttemptJob *self)
{
  g_return_val_if_fail (FORE_IS_ATTEMPT_JOB (self), NULL);

  return self->task;
}

/**
 * fore_attempt_job_is_silent:
 * @self: a job
 * @limit_ms: how long silence may last
 *
 * Returns: whether its agent runs, has printed nothing for that long, and runs no tool
 */
gboolean
fore_attempt_job_is_silent (ForeAttemptJob *self, gint64 limit_ms)
{
  gint64 since;

  g_return_val_if_fail (FORE_IS_ATTEMPT_JOB (self), FALSE);

  if (self->reader == NULL || self->guard == NULL || self->checks != NULL
      || self->attempt->finished != 0 || fore_agent_reader_get_tools_running (self->reader) > 0)
    return FALSE;

  since = fore_clock_boot_us () - fore_agent_reader_get_last_activity (self->reader);

  return since / 1000 > limit_ms;
}

/**
 * fore_attempt_job_is_talking:
 * @self: a job
 *
 * Returns: whether a live session can be told something just now
 */
gboolean
fore_attempt_job_is_talking (ForeAttemptJob *self)
{
  g_return_val_if_fail (FORE_IS_ATTEMPT_JOB (self), FALSE);

  return self->attempt != NULL && self->attempt->live && self->reader != NULL && self->guard != NULL
         && !self->said_end && !self->adopted && self->attempt->finished == 0;
}

/**
 * fore_attempt_job_get_conflicts:
 * @self: a job that ended with %FORE_CAUSE_CONFLICT
 *
 * Returns: (transfer none) (nullable): the paths that its dependencies both changed
 */
const char *const *
fore_attempt_job_get_conflicts (ForeAttemptJob *self)
{
  g_return_val_if_fail (FORE_IS_ATTEMPT_JOB (self), NULL);

  return (const char *const *) self->conflicts;
}
