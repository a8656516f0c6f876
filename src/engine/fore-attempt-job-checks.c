/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An attempt of a goal loop's checks: a tree as for everybody, and no agent. */

#include "config.h"

#include "engine/fore-attempt-job-private.h"

#include "engine/fore-event-data.h"
#include "platform/fore-compat-glib.h"
#include "platform/fore-process.h"

#include <string.h>

/* The tree is kept as it is first: what the checks leave in it is nobody's work. */
void
fore_attempt_job_run_only_checks (ForeAttemptJob *self)
{
  self->task->worker = FORE_WORKER_WELL;
  fore_attempt_job_start_commit (self);
}

/* Nothing but the checks: there is no agent that could end well or badly. */
static void
checks_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;
  g_autoptr (GError) error = NULL;

  fore_dispatch_trace_go_on (self->trace);
  if (!fore_run_writer_barrier_finish (FORE_RUN_WRITER (source), result, &error))
    fore_attempt_job_fail (self, FORE_CAUSE_INTERRUPTED, error->message);
  else if (fore_run_state_is_closed (fore_attempt_job_get_state (self)))
    fore_attempt_job_fail (self, FORE_CAUSE_INTERRUPTED, "The run was given up");
  else if (fore_attempt_job_is_stopped (self))
    fore_attempt_job_fail (self, self->stop_cause, self->stop_message);
  else
    fore_attempt_job_run_only_checks (self);
}

void
fore_attempt_job_begin_checks (ForeAttemptJob *self, const char *tree)
{
  ForeRunState *state = fore_attempt_job_get_state (self);
  ForeAttempt *attempt = fore_run_state_add_attempt (state, self->task);

  self->attempt = attempt;
  fore_set_str (&attempt->cli, self->task->cli);
  fore_set_str (&attempt->base, self->task->base);
  fore_set_str (&attempt->cwd, tree);
  fore_set_str (&attempt->boot_id, fore_process_get_boot_id ());
  fore_run_state_touch_attempt (state, attempt);
  fore_run_state_touch_task (state, self->task);
  fore_run_state_emit (
      state, FORE_EVENT_ATTEMPT_STARTED, self->task->key, attempt->n,
      fore_event_data_new ("s:cli", attempt->cli, "s:cwd", attempt->cwd, "b:live", FALSE, NULL));
  fore_run_writer_barrier_async (fore_run_state_get_writer (state), NULL, checks_written,
                                 g_object_ref (self));
  fore_dispatch_trace_wait (self->trace, FORE_DISPATCH_BARRIER);
}

/* Where a check ends it says what is wrong. */
static const char *
get_tail (const char *output, gsize budget)
{
  gsize length = strlen (output);
  const char *tail = output + (length > budget ? length - budget : 0);

  while ((*tail & 0xc0) == 0x80)
    tail++;

  return tail;
}

/* Of a goal loop: how they came out is for the judge, and no failure of the task. */
void
fore_attempt_job_report_checks (ForeAttemptJob *self)
{
  GString *text = g_string_new (NULL);
  gsize all = (gsize) fore_settings_get_size (self->services->context->settings,
                                              "prompts.dependency_bytes");
  gsize share = all / 2 / MAX (self->task->checks->len, 1);

  for (guint i = 0; i < self->task->checks->len; i++)
    {
      const ForeCheck *check = g_ptr_array_index (self->task->checks, i);
      g_autofree char *label = fore_check_dup_label (check);

      g_string_append_printf (text, "- `%s`: %s (exit %d)\n", label,
                              fore_verified_to_string (check->verified), check->exit_code);
      if (check->output != NULL && *check->output != '\0')
        g_string_append_printf (text, "\n```\n%s\n```\n", get_tail (check->output, share));
    }
  if (text->len == 0)
    g_string_append (text, "The project names no checks; nothing was verified.");

  g_free (self->task->result);
  self->task->result = g_string_free (text, FALSE);
  fore_set_str (&self->attempt->result, self->task->result);
}
