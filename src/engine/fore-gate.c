/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-gate.h"

#include <glib/gi18n-lib.h>

#include "model/fore-check.h"

static gboolean
has_own_gate (const ForeAttemptServices *services, const ForeTask *task)
{
  const ForeWorkflowStep *step = fore_run_context_get_step (services->context, task);

  return step != NULL && step->gate == FORE_YES;
}

static gboolean
was_let_through (const ForeAttemptServices *services, const ForeTask *task)
{
  GPtrArray *requests = fore_run_state_get_requests (services->state);

  for (guint i = 0; i < requests->len; i++)
    {
      const ForeRequest *request = g_ptr_array_index (requests, i);

      if (request->kind == FORE_REQUEST_GATE && request->state == FORE_REQUEST_ANSWERED
          && g_strcmp0 (request->task, task->key) == 0
          && g_strcmp0 (request->answer, "approve") == 0)
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_gate_find:
 * @services: what all attempts of the run share
 * @task: a task that is ready
 *
 * A step that has a gate of its own is asked about there and only there: its approval says more
 * than the one for all writing.
 *
 * Returns: which gate is still shut in front of @task
 */
ForeGate
fore_gate_find (const ForeAttemptServices *services, const ForeTask *task)
{
  const ForeRun *run;

  g_return_val_if_fail (services != NULL && task != NULL, FORE_GATE_NONE);

  if (has_own_gate (services, task))
    return was_let_through (services, task) ? FORE_GATE_NONE : FORE_GATE_STEP;

  run = fore_run_state_get_run (services->state);
  return task->writes && !run->approved && run->options.approval == FORE_APPROVAL_ASK
             ? FORE_GATE_WRITING
             : FORE_GATE_NONE;
}

/* @title is put before the first, if there is one. */
static void
add_results (GString *text,
             const ForeAttemptServices *services,
             const char *title,
             const char *const *of)
{
  GPtrArray *tasks = fore_run_state_get_tasks (services->state);
  gboolean first = TRUE;

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (task->status != FORE_TASK_COMPLETED || task->result == NULL
          || (of != NULL && !g_strv_contains (of, task->key)))
        continue;

      if (first)
        g_string_append (text, title);
      first = FALSE;
      g_string_append_printf (text, "\n## %s\n\n%s\n", task->title, task->result);
    }
}

/* A fence that nothing in @code closes. */
static char *
dup_fence (const char *code)
{
  gsize longest = 2;
  gsize run = 0;

  for (const char *c = code; *c != '\0'; c++)
    {
      run = *c == '`' ? run + 1 : 0;
      longest = MAX (longest, run);
    }

  return g_strnfill (longest + 1, '`');
}

/* What a step runs is what one lets it do. */
static void
add_command (GString *text, const ForeTask *task)
{
  const ForeCheck command = { .argv = task->command };
  g_autofree char *label = NULL;
  g_autofree char *fence = NULL;

  if (task->command == NULL)
    return;

  label = fore_check_dup_label (&command);
  fence = dup_fence (label);
  g_string_append_printf (text, "\n%s\n%s\n%s\n", fence, label, fence);
}

static char *
describe_writing (const ForeAttemptServices *services)
{
  GPtrArray *tasks = fore_run_state_get_tasks (services->state);
  GString *text = g_string_new (_ ("These tasks may write to their trees:\n\n"));

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (task->writes && task->status == FORE_TASK_QUEUED && !has_own_gate (services, task))
        {
          g_string_append_printf (text, "- **%s** (%s, %s)\n", task->title, task->role,
                                  task->cli != NULL ? task->cli : "?");
          add_command (text, task);
        }
    }

  add_results (text, services, _ ("\nWhat the read-only tasks found so far:\n"), NULL);

  return g_string_free (text, FALSE);
}

static char *
describe_step (const ForeAttemptServices *services, const ForeTask *task)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text,
                          task->writes ? _ ("**%s** (%s, %s) may write to its tree.\n")
                                       : _ ("**%s** (%s, %s) only reads.\n"),
                          task->title, task->role, task->cli != NULL ? task->cli : "?");
  if (task->text != NULL && *task->text != '\0')
    g_string_append_printf (text, "\n%s\n", task->text);
  add_command (text, task);
  if (task->depends_on != NULL && task->depends_on[0] != NULL)
    add_results (text, services, _ ("\nWhat it builds on:\n"),
                 (const char *const *) task->depends_on);

  return g_string_free (text, FALSE);
}

static void
open_request (const ForeAttemptServices *services, const char *task, char *title, char *body)
{
  ForeRequest *request = fore_run_state_new_request (services->state, FORE_REQUEST_GATE, task,
                                                     title, body);

  fore_request_add_option (request, "approve", _ ("Approve"), "approve");
  fore_request_add_option (request, "reject", _ ("Reject"), "reject");
  fore_run_state_open_request (services->state, request);
  g_free (title);
  g_free (body);
}

static gboolean
is_asked_about_writing (const ForeAttemptServices *services)
{
  GPtrArray *requests = fore_run_state_get_requests (services->state);

  for (guint i = 0; i < requests->len; i++)
    {
      const ForeRequest *request = g_ptr_array_index (requests, i);

      if (request->state == FORE_REQUEST_OPEN
          && (request->kind == FORE_REQUEST_PLAN
              || (request->kind == FORE_REQUEST_GATE && request->task == NULL)))
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_gate_ask:
 * @services: what all attempts of the run share
 * @task: a task that fore_gate_find() holds
 *
 * Asks the person, unless that question is open already: about @task alone where its step has a
 * gate, else once for all tasks of the run that write.
 */
void
fore_gate_ask (const ForeAttemptServices *services, const ForeTask *task)
{
  g_return_if_fail (services != NULL && task != NULL);

  switch (fore_gate_find (services, task))
    {
    case FORE_GATE_STEP:
      if (fore_run_state_find_open_request (services->state, FORE_REQUEST_GATE, task->key) == NULL)
        open_request (services, task->key, g_strdup_printf (_ ("Start “%s”?"), task->title),
                      describe_step (services, task));
      break;

    case FORE_GATE_WRITING:
      if (!is_asked_about_writing (services))
        open_request (services, NULL,
                      g_strdup_printf (_ ("Start writing: %s"),
                                       fore_run_state_get_run (services->state)->title),
                      describe_writing (services));
      break;

    case FORE_GATE_NONE:
    default:
      break;
    }
}
