/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-attempt-job-private.h"

#include "engine/fore-event-data.h"
#include "engine/fore-goal.h"
#include "engine/fore-result-file.h"
#include "engine/fore-sandbox-hint.h"
#include "engine/fore-slot-keeper.h"
#include "platform/fore-clock.h"
#include "platform/fore-compat-glib.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* What is shorter is clean in no time. */
#define RESULT_SHORT (4 * 1024)
/* Every change of the task writes its row anew, and the row is held as long as the run. What a
 * command prints is long more often than it is worth that: of it there is what goes into prompts. A
 * plan is taken from the row whole.
 */
#define RESULT_OF_AGENT (256 * 1024)
#define RESULT_OF_COMMAND (16 * 1024)

/* An agent that ended while nobody looked did so before now. */
static gint64
find_end (ForeAttemptJob *self)
{
  const ForeGuardRecord *record = self->guard != NULL ? fore_guard_get_exit_record (self->guard)
                                                      : NULL;
  gint64 end = fore_clock_now_us ();

  if (self->adopted && record != NULL && record->reason != FORE_GUARD_REASON_LOST)
    end = MIN (end, record->end_wall_us);
  else if (self->adopted)
    end = MIN (end, fore_run_state_get_last_seen (fore_attempt_job_get_state (self)));

  return MAX (end, self->attempt->started);
}

/* Writes how the attempt ended. */
void
fore_attempt_job_close_attempt (ForeAttemptJob *self)
{
  ForeAttempt *attempt = self->attempt;
  ForeRunState *state = fore_attempt_job_get_state (self);

  if (attempt == NULL || attempt->finished != 0)
    return;

  attempt->finished = find_end (self);
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

/**
 * fore_attempt_job_let_go:
 * @self: a job that is over, as is its task
 *
 * Has the state forget an attempt that only readers of the record will ask for: a run has
 * thousands. Whatever of the job is still under way may look at it.
 */
void
fore_attempt_job_let_go (ForeAttemptJob *self)
{
  g_return_if_fail (FORE_IS_ATTEMPT_JOB (self));
  g_return_if_fail (self->own_attempt == NULL);

  self->own_attempt = fore_run_state_take_attempt (fore_attempt_job_get_state (self), self->task);
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
finish_checks (ForeAttemptJob *self)
{
  if (fore_goal_is_checks (self->task))
    fore_attempt_job_close_attempt (self);
  fore_attempt_job_finish (self);
}

/* Whether they were held is known of all of them, or of none. */
static gboolean
were_refused (ForeAttemptJob *self)
{
  for (guint i = 0; i < self->task->checks->len; i++)
    {
      const ForeCheck *check = g_ptr_array_index (self->task->checks, i);

      if (check->verified == FORE_VERIFIED_FAILED && check->output != NULL
          && fore_sandbox_hint_is_refusal (check->output, strlen (check->output)))
        return fore_check_run_is_held (self->checks);
    }

  return FALSE;
}

static void
fail_checks (ForeAttemptJob *self, const char *problem)
{
  fore_attempt_job_set_cause (self, FORE_CAUSE_CHECKS, problem);
  if (were_refused (self))
    fore_attempt_job_add_hint (self, fore_sandbox_hint_get_of_checks ());
}

static void
checks_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;
  g_autoptr (GPtrArray) checks = NULL;
  ForeTask *task = self->task;
  g_autofree char *problem = NULL;

  checks = fore_check_run_start_finish (FORE_CHECK_RUN (source), result, NULL);
  g_clear_pointer (&task->checks, g_ptr_array_unref);
  task->checks = fore_checks_copy (checks);
  task->verified = fore_checks_judge (checks);

  hide_secrets (self, task->checks);
  problem = fore_checks_dup_problem (task->checks);

  for (guint i = 0; i < task->checks->len; i++)
    {
      const ForeCheck *check = g_ptr_array_index (task->checks, i);

      fore_run_state_emit (
          fore_attempt_job_get_state (self), FORE_EVENT_TASK_CHECK, task->key, self->attempt->n,
          fore_event_data_new ("v:argv", check->argv, "s:verified",
                               fore_verified_to_string (check->verified), "i:exit",
                               (gint64) check->exit_code, "i:ms", check->ms, NULL));
    }

  fore_run_state_touch_task (fore_attempt_job_get_state (self), task);
  if (fore_attempt_job_is_stopped (self))
    fore_attempt_job_set_cause (self, self->stop_cause, self->stop_message);
  else if (fore_goal_is_checks (task))
    fore_attempt_job_report_checks (self);
  else if (task->verified == FORE_VERIFIED_FAILED)
    fail_checks (self, problem);
  else if (task->verified == FORE_VERIFIED_COMPROMISED)
    fore_attempt_job_set_cause (
        self, FORE_CAUSE_COMPROMISED,
        _ ("A file that decides a check was changed; look at what was done before you accept "
           "it."));

  finish_checks (self);
}

static const char *
get_tree (ForeAttemptJob *self)
{
  return self->task->worktree != NULL ? self->task->worktree : self->services->context->project;
}

static void
start_checks (ForeAttemptJob *self)
{
  ForeTask *task = self->task;
  const char *tree = get_tree (self);

  if (fore_attempt_job_is_stopped (self))
    fore_attempt_job_set_cause (self, self->stop_cause, self->stop_message);
  if (self->cause == FORE_CAUSE_NONE && task->checks->len == 0 && fore_goal_is_checks (task))
    fore_attempt_job_report_checks (self);
  if (self->cause != FORE_CAUSE_NONE || task->checks->len == 0)
    {
      finish_checks (self);
      return;
    }

  fore_run_state_set_phase (fore_attempt_job_get_state (self), task, FORE_PHASE_CHECKS, NULL);
  self->checks = fore_check_run_new (self->services->context, self->services->hub,
                                     fore_run_state_get_run (fore_attempt_job_get_state (self))->id,
                                     task, self->attempt->n, tree);
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

/* Nobody else looks for them before the result is merged. */
static void
judge_marks (ForeAttemptJob *self, char **marked)
{
  g_autofree char *paths = marked != NULL ? g_strjoinv (", ", marked) : NULL;
  g_autofree char *message = NULL;

  if (paths == NULL || paths[0] == '\0' || self->cause != FORE_CAUSE_NONE)
    return;

  message = g_strdup_printf (_ ("Conflict marks are left in %s; try again, or settle them."),
                             paths);
  fore_attempt_job_set_cause (self, FORE_CAUSE_ERROR, message);
  self->attempt->cause = self->cause;
  fore_set_str (&self->attempt->message, message);
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

      fore_attempt_job_set_cause (self, FORE_CAUSE_WROTE, message);
      self->attempt->cause = self->cause;
      fore_set_str (&self->attempt->message, message);
    }

  judge_marks (self, work->marked);
  if (work->note != NULL || fore_task_get_note (task) != NULL)
    fore_run_state_set_mark (fore_attempt_job_get_state (self), task, work->note);
  fore_run_state_touch_task (fore_attempt_job_get_state (self), task);
  fore_run_state_touch_attempt (fore_attempt_job_get_state (self), self->attempt);
  fore_run_state_emit (
      fore_attempt_job_get_state (self), FORE_EVENT_TASK_EFFECT, task->key, self->attempt->n,
      fore_event_data_new ("s:effect", fore_effect_to_string (task->effect), "i:files",
                           (gint64) work->files->len, "s:commit", work->commit, NULL));
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
    fore_attempt_job_set_cause (self, FORE_CAUSE_WORKTREE, error->message);
  else
    g_warning ("The tree of %s could not be committed: %s", self->task->key, error->message);

  start_checks (self);
}

/* Agents that share the project's tree are told apart only by looking before and after. */
gboolean
fore_attempt_job_works_in_shared_tree (ForeAttemptJob *self)
{
  return !fore_trees_is_isolated (self->services->trees)
         && fore_run_state_get_run (fore_attempt_job_get_state (self))->base_commit != NULL
         && fore_slot_pool_for_task (self->task) == FORE_SLOT_POOL_AGENTS;
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

void
fore_attempt_job_start_commit (ForeAttemptJob *self)
{
  if (self->task->gitdir == NULL && fore_attempt_job_works_in_shared_tree (self) && !self->adopted)
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

  fore_run_state_set_phase (fore_attempt_job_get_state (self), self->task, FORE_PHASE_COMMIT, NULL);
  fore_trees_commit_async (self->services->trees, self->task, NULL, commit_done,
                           g_object_ref (self));
}

/* End of the agent */

static ForeCause
cause_of_reason (ForeAttemptJob *self, const ForeGuardRecord *record, char **message)
{
  switch (record->reason)
    {
    case FORE_GUARD_REASON_OUTPUT_LIMIT:
      *message = g_strdup (_ ("It printed more than limits.capture_size allows and was stopped."));
      return FORE_CAUSE_OUTPUT_LIMIT;

    case FORE_GUARD_REASON_WALL_LIMIT:
      *message = g_strdup (
          self->limits.own_wall
              ? _ ("It took longer than `timeout` of its step allows and was stopped.")
              : _ ("It took longer than limits.task_time allows and was stopped."));
      return FORE_CAUSE_TIMEOUT;

    case FORE_GUARD_REASON_ORPHANED:
      *message = g_strdup (_ ("It was stopped because its runner was gone for too long."));
      return FORE_CAUSE_INTERRUPTED;

    case FORE_GUARD_REASON_CANCELLED:
      *message = g_strdup (_ ("Its run was cancelled."));
      return FORE_CAUSE_CANCELLED;

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

/* How a session ends that had said its last word, and was then told to go, says nothing. */
static gboolean
was_sent_home (ForeAttemptJob *self)
{
  return self->said_end
         || (self->adopted && self->attempt->live && fore_agent_reader_get_settled (self->reader));
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

  cause = fore_attempt_job_is_stopped (self) ? self->stop_cause
                                             : cause_of_reason (self, record, &message);
  if (fore_attempt_job_is_stopped (self))
    message = g_strdup (self->stop_message);
  else if (cause == FORE_CAUSE_NONE)
    cause = fore_decoder_judge (decoder, was_sent_home (self) ? 0 : record->exit_code,
                                was_sent_home (self) ? 0 : record->term_signal,
                                self->adapter->stream_required, &message);
  if (cause == FORE_CAUSE_RATE_LIMIT)
    self->task->not_before = summary->limit_reset;

  /* Nobody failed: machine and runner went down together, or somebody ended them. */
  if (cause == FORE_CAUSE_LOST && self->found_dead)
    cause = FORE_CAUSE_INTERRUPTED;
  fore_attempt_job_set_cause (self, cause, message);
  self->task->worker = cause == FORE_CAUSE_NONE ? FORE_WORKER_WELL : FORE_WORKER_BADLY;
}

static void
take_result (ForeAttemptJob *self, const char *result)
{
  if (result != NULL)
    {
      fore_set_str (&self->task->result, result);
      fore_set_str (&self->attempt->result, result);
    }

  fore_attempt_job_close_attempt (self);
  fore_run_state_touch_task (fore_attempt_job_get_state (self), self->task);
  fore_attempt_job_start_commit (self);
}

static void
result_kept (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;
  g_autofree char *text = fore_result_keep_finish (result, NULL);

  take_result (self, text);
}

static gsize
choose_row_bytes (const ForeTask *task, gsize inline_bytes)
{
  if (g_strcmp0 (task->cli, "command") == 0 && !task->adaptive)
    return MAX (RESULT_OF_COMMAND, inline_bytes);

  return MAX (RESULT_OF_AGENT, 2 * inline_bytes);
}

/* What a task hands on is on the disk before the task counts as done. */
static void
keep_result (ForeAttemptJob *self, const char *text)
{
  ForeRunContext *context = self->services->context;
  gsize inline_bytes = (gsize) fore_settings_get_size (context->settings,
                                                       "prompts.dependency_bytes");
  gsize row_bytes;
  const ForeWorkflowStep *step = fore_run_context_get_step (context, self->task);
  ForeResultOutput output = { 0 };
  g_autofree char *clean = NULL;
  g_autofree char *name = NULL;
  g_autofree char *path = NULL;

  if (self->cause == FORE_CAUSE_NONE && step != NULL)
    output.name = step->output;
  output.run_dir = context->run_dir;
  output.tree = self->task->writes ? get_tree (self) : NULL;
  output.since = self->attempt->started;
  if (output.name == NULL && (text == NULL || strlen (text) <= MIN (RESULT_SHORT, inline_bytes)))
    {
      clean = text != NULL ? fore_redactor_apply (context->redactor, text) : NULL;
      take_result (self, clean);
      return;
    }

  name = g_strdup_printf ("%s.md", self->task->key);
  path = g_build_filename (context->run_dir, "results", name, NULL);
  row_bytes = choose_row_bytes (self->task, inline_bytes);
  fore_result_keep_async (context->redactor, text != NULL ? text : "", path, inline_bytes,
                          row_bytes, &output, result_kept, g_object_ref (self));
}

/* What it handed in, perhaps with its last breath, goes before what it said last. */
static void
calls_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;
  ForeDecoder *decoder = fore_agent_reader_get_decoder (self->reader);

  fore_attempt_job_judge_yield (self);
  keep_result (self, self->submitted != NULL ? self->submitted
                                             : fore_decoder_get_summary (decoder)->final_text);
}

static void
hint_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;

  fore_attempt_job_hint_finish (self, result);
  fore_attempt_job_read_calls_async (self, calls_read, g_object_ref (self));
}

static void
reader_finished (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;

  fore_agent_reader_finish_finish (FORE_AGENT_READER (source), result, NULL);
  judge (self);
  fore_attempt_job_hint_async (self, hint_found, g_object_ref (self));
}

/* A guard that was killed counted nothing. */
static guint64
count_printed (const ForeGuardRecord *record)
{
  if (record->reason == FORE_GUARD_REASON_LOST)
    return G_MAXUINT64;

  return record->out_bytes + record->err_bytes;
}

/* What an agent printed is one thing and how it ended another: the first may be lost alone. */
static void
say_what_is_lost (ForeAttemptJob *self, const ForeGuardRecord *record)
{
  g_autofree char *text = NULL;

  if ((record->flags & FORE_GUARD_FLAG_WRITE_FAILED) != 0)
    text = g_strdup_printf (_ ("Not all of what it printed could be kept: %s"),
                            g_strerror (record->error));
  else if ((record->flags & FORE_GUARD_FLAG_SHRUNK) != 0)
    text = g_strdup (_ ("The file of what it printed got shorter; what stood there is lost."));
  if (text != NULL)
    fore_run_state_emit (fore_attempt_job_get_state (self), FORE_EVENT_NOTICE, self->task->key,
                         self->attempt->n, fore_event_data_new ("s:text", text, NULL));
}

void
fore_attempt_job_guard_exited (ForeGuard *guard, const ForeGuardRecord *record, gpointer user_data)
{
  ForeAttemptJob *self = user_data;

  g_assert (FORE_IS_ATTEMPT_JOB (self));

  g_signal_handlers_disconnect_by_data (guard, self);
  g_clear_handle_id (&self->end_timer, g_source_remove);
  g_clear_handle_id (&self->kill_timer, g_source_remove);
  g_clear_pointer (&self->slots, g_ptr_array_unref);
  say_what_is_lost (self, record);
  fore_agent_reader_finish_async (self->reader, count_printed (record), reader_finished,
                                  g_object_ref (self));
}
