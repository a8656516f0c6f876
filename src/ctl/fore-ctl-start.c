/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-follow.h"
#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-request.h"
#include "ctl/fore-ctl-page.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-actions.h"
#include "engine/fore-forecast.h"
#include "engine/fore-goal.h"
#include "engine/fore-plan-file.h"
#include "library/fore-library.h"
#include "library/fore-settings.h"
#include "library/fore-workflow-script.h"
#include "platform/fore-process.h"
#include "text/fore-text.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static gboolean
check_ways (ForeCtl *ctl, GError **error)
{
  const char *const ways[] = { "workflow", "script", "plan-file", "team", "agent", "chain" };
  const char *first = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      if (!fore_ctl_has (ctl, ways[i]))
        continue;
      /* A team carries out a workflow, and a plan. */
      if (first != NULL && strcmp (ways[i], "team") != 0)
        {
          g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                       _ ("--%s and --%s do not go together; leave one of them out."), first,
                       ways[i]);
          return FALSE;
        }
      first = ways[i];
    }

  return TRUE;
}

static gboolean
check_loop (ForeCtl *ctl, gboolean loop, GError **error)
{
  guint turns = (guint) fore_ctl_get_number (ctl, "max-turns", FORE_GOAL_MAX_TURNS);

  if (!loop && (fore_ctl_has (ctl, "max-turns") || fore_ctl_has (ctl, "judge-model")))
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                           _ ("--max-turns and --judge-model are for a goal loop; say --goal-loop "
                              "too."));
      return FALSE;
    }
  if (turns < 1 || turns > FORE_GOAL_MOST_TURNS)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("A goal loop takes 1 to %d turns; choose a number between them."),
                   FORE_GOAL_MOST_TURNS);
      return FALSE;
    }

  return TRUE;
}

static gboolean
check_jobs (ForeCtl *ctl, GError **error)
{
  if (!fore_ctl_has (ctl, "jobs") || fore_ctl_get_number (ctl, "jobs", 0) > 0)
    return TRUE;

  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                       _ ("--jobs wants at least 1: with none at work nothing would be done."));
  return FALSE;
}

/* A helper that an agent starts may not go deeper than the person allows, nor approve itself. */
static gboolean
check_depth (ForeCtl *ctl, GError **error)
{
  const char *depth = g_getenv (FORE_MARKER_DEPTH);
  g_autofree char *user_dir = NULL;
  g_autoptr (ForeSettings) settings = NULL;
  g_autoptr (GPtrArray) diagnostics = fore_diagnostics_new ();

  if (depth == NULL && !fore_process_has_guard_ancestor ())
    return TRUE;

  user_dir = fore_library_dup_user_dir ();
  settings = fore_settings_load (user_dir, NULL, FALSE, diagnostics);
  if (!fore_diagnostics_check (diagnostics, error))
    return FALSE;
  if (depth != NULL
      && g_ascii_strtoll (depth, NULL, 10) >= fore_settings_get_int (settings, "limits.depth"))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("Runs may not be nested deeper than %d; the setting limits.depth allows no "
                      "more."),
                   (int) fore_settings_get_int (settings, "limits.depth"));
      return FALSE;
    }
  if (g_strcmp0 (fore_ctl_get (ctl, "approve"), "auto") == 0)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("A run that an agent starts waits for a person to approve it."));
      return FALSE;
    }

  return TRUE;
}

static void
set_text (char **field, const char *value)
{
  if (value == NULL)
    return;

  g_free (*field);
  *field = g_strdup (value);
}

static void
fill_options (ForeCtl *ctl, ForeRunOptions *options)
{
  const char *cost = fore_ctl_get (ctl, "budget-cost");

  if (fore_ctl_has (ctl, "isolation"))
    fore_isolation_from_string (fore_ctl_get (ctl, "isolation"), &options->isolation);
  if (fore_ctl_has (ctl, "approve"))
    fore_approval_from_string (fore_ctl_get (ctl, "approve"), &options->approval);
  if (fore_ctl_has (ctl, "on-failure"))
    fore_failure_policy_from_string (fore_ctl_get (ctl, "on-failure"), &options->on_failure);
  options->jobs = fore_ctl_get_number (ctl, "jobs", options->jobs);
  options->budget_tokens = fore_ctl_get_number (ctl, "budget-tokens", options->budget_tokens);
  if (cost != NULL)
    options->budget_cost = llround (g_ascii_strtod (cost, NULL) * 1e6);
  options->timeout = fore_ctl_get_duration (ctl, "timeout", options->timeout);
  options->snapshot = g_strcmp0 (fore_ctl_get (ctl, "base"), "snapshot") == 0;
  set_text (&options->cli, fore_ctl_get (ctl, "cli"));
  set_text (&options->model, fore_ctl_get (ctl, "model"));
}

static gboolean
is_file_name (const char *workflow)
{
  return strchr (workflow, G_DIR_SEPARATOR) != NULL || g_str_has_suffix (workflow, ".md")
         || fore_workflow_script_is_one (workflow);
}

static ForeRunSpec *
make_spec (ForeCtl *ctl, guint first_word, gboolean loop)
{
  g_autofree char *project = fore_ctl_dup_project (ctl, ".");
  g_autofree char *goal = fore_ctl_join_words (ctl, first_word);
  const char *chain = fore_ctl_get (ctl, "chain");
  ForeRunSpec *spec = fore_run_spec_new (project, goal != NULL ? goal : chain != NULL ? chain : "");
  const char *script = fore_ctl_get (ctl, "script");
  const char *workflow = fore_ctl_get (ctl, "workflow");
  const char *scenario = fore_ctl_get (ctl, "scenario");

  if (script != NULL)
    spec->workflow_file = g_canonicalize_filename (script, NULL);
  else if (workflow != NULL && is_file_name (workflow))
    spec->workflow_file = g_canonicalize_filename (workflow, NULL);
  else
    set_text (&spec->workflow, workflow);
  set_text (&spec->team, fore_ctl_get (ctl, "team"));
  set_text (&spec->agent, fore_ctl_get (ctl, "agent"));
  set_text (&spec->chain, fore_ctl_get (ctl, "chain"));
  set_text (&spec->args, fore_ctl_get (ctl, "args"));
  set_text (&spec->script_args, fore_ctl_get (ctl, "script-args"));
  if (scenario != NULL)
    {
      g_free (spec->scenario);
      spec->scenario = g_canonicalize_filename (scenario, NULL);
    }
  spec->goal_loop = loop;
  if (spec->goal_loop)
    spec->max_turns = (guint) fore_ctl_get_number (ctl, "max-turns", FORE_GOAL_MAX_TURNS);
  set_text (&spec->judge_model, fore_ctl_get (ctl, "judge-model"));
  fill_options (ctl, &spec->options);

  return spec;
}

static void
add_known (JsonObject *object, const char *member, gint64 value)
{
  if (value >= 0)
    json_object_set_int_member (object, member, value);
}

static void
add_forecast (JsonObject *object, const ForeForecast *forecast)
{
  JsonObject *member;

  if (forecast == NULL)
    return;

  member = json_object_new ();
  json_object_set_int_member (member, "ms", forecast->ms);
  add_known (member, "tokens", forecast->tokens);
  if (forecast->cost >= 0)
    json_object_set_double_member (member, "cost", forecast->cost / 1e6);
  add_known (member, "off_ms_per_mille", forecast->off_ms);
  add_known (member, "off_tokens_per_mille", forecast->off_tokens);
  json_object_set_int_member (member, "runs", forecast->n_runs);
  json_object_set_int_member (member, "known_tasks", forecast->n_known);
  json_object_set_int_member (member, "tasks", forecast->n_tasks);
  json_object_set_object_member (object, "forecast", member);
}

static void
print_preview_json (ForeCtl *ctl, const ForeRunPreview *preview)
{
  JsonObject *object = json_object_new ();
  JsonArray *tasks = json_array_new ();
  g_autoptr (GPtrArray) no_attempts = g_ptr_array_new ();

  for (guint i = 0; i < preview->tasks->len; i++)
    {
      JsonObject *task = fore_ctl_json_task ("", preview->tasks->pdata[i], no_attempts);

      json_object_remove_member (task, "id");
      json_array_add_object_element (tasks, task);
    }

  json_object_set_object_member (object, "run",
                                 fore_ctl_json_run (preview->run, FORE_OWNER_NONE, NULL));
  json_object_set_array_member (object, "tasks", tasks);
  json_object_set_boolean_member (object, "adaptive", preview->adaptive);
  json_object_set_boolean_member (object, "gated", preview->gated || preview->gates->len > 0);
  json_object_set_array_member (object, "gates", fore_ctl_json_texts (preview->gates));
  json_object_set_array_member (object, "warnings", fore_ctl_json_texts (preview->warnings));
  add_forecast (object, preview->forecast);
  fore_ctl_json_set_text (object, "advice", preview->advice);
  fore_ctl_print_object (ctl, object);
}

static void
print_forecast (ForeCtl *ctl, const ForeRunPreview *preview)
{
  g_autofree char *text = preview->forecast != NULL ? fore_forecast_dup_text (preview->forecast)
                                                    : NULL;

  if (text != NULL)
    fore_ctl_print (ctl, "%s\n", text);
  if (preview->advice != NULL)
    fore_ctl_print (ctl, "%s\n", preview->advice);
}

static gboolean
is_scripted (const ForeRunPreview *preview)
{
  return preview->tasks->len > 0 && fore_task_is_script (preview->tasks->pdata[0]);
}

static void
print_preview (ForeCtl *ctl, const ForeRunPreview *preview)
{
  const char *headings[] = { N_ ("TASK"),  N_ ("ROLE"),  N_ ("AGENT"), N_ ("CLI"),
                             N_ ("MODEL"), N_ ("AFTER"), NULL };
  g_autoptr (ForeCtlTable) table = fore_ctl_table_new (headings);

  for (guint i = 0; i < preview->tasks->len; i++)
    {
      const ForeTask *task = preview->tasks->pdata[i];
      g_autofree char *after = task->depends_on != NULL ? g_strjoinv (", ", task->depends_on)
                                                        : NULL;

      fore_ctl_table_add_row (table);
      fore_ctl_table_add (table, FORE_CTL_BOLD, task->key);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, task->role);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, task->agent);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, task->cli);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, task->model);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, after);
    }

  fore_ctl_table_print (ctl, table);
  print_forecast (ctl, preview);
  if (preview->adaptive)
    fore_ctl_print (ctl, "%s\n",
                    is_scripted (preview) ? _ ("The script will add tasks.")
                                          : _ ("A plan will add tasks."));
  if (preview->gated)
    fore_ctl_print (ctl, "%s\n", _ ("It waits for approval before the first task that writes."));
  for (guint i = 0; i < preview->gates->len; i++)
    fore_ctl_print (ctl, _ ("%s waits for your approval before it starts.\n"),
                    (const char *) preview->gates->pdata[i]);
  for (guint i = 0; i < preview->warnings->len; i++)
    {
      fore_ctl_print_styled (ctl, FORE_CTL_WAIT, preview->warnings->pdata[i]);
      fore_ctl_write ("\n", 1);
    }
}

static gboolean
show_preview (ForeCtl *ctl, const ForeRunSpec *spec, GError **error)
{
  g_autoptr (ForeRunPreview) preview = fore_actions_preview (ctl->store, spec, error);

  if (preview == NULL)
    return FALSE;

  if (ctl->json)
    print_preview_json (ctl, preview);
  else
    print_preview (ctl, preview);

  return TRUE;
}

static void
print_warnings (GPtrArray *warnings)
{
  for (guint i = 0; i < warnings->len; i++)
    {
      g_autofree char *clean = fore_ctl_dup_clean (warnings->pdata[i]);

      fprintf (stderr, "%s: %s\n", FORE_CTL_NAME, clean);
    }
}

static void
print_start (ForeCtl *ctl, const char *id, GPtrArray *warnings)
{
  if (ctl->json)
    {
      g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "id", id);
      json_object_set_array_member (object, "warnings", fore_ctl_json_texts (warnings));
      json_node_take_object (node, object);
      fore_ctl_print_json_line (node);
      return;
    }

  print_warnings (warnings);
  fore_ctl_print (ctl, "%s\n", id);
  fore_ctl_flush ();
}

static void
print_end (ForeCtl *ctl, const ForeRunDelta *delta)
{
  const ForeRun *run = delta->run;
  g_autofree char *reason = fore_ctl_dup_clean (run->phase_text);

  fore_ctl_print_styled (ctl, fore_ctl_style_for_run (run->status),
                         fore_run_status_to_string (run->status));
  fore_ctl_print (ctl, "%s%s\n", *reason != '\0' ? ": " : "", reason);
  fore_ctl_request_print_open (ctl, delta->requests, FORE_CTL_REQUEST_LINES);
}

static gboolean
print_last (ForeCtl *ctl, const char *run_id, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_run_read (ctl->store, run_id, 0, 0, 0, error);
  g_autoptr (JsonNode) node = NULL;
  ForeOwnerState owner;

  if (delta == NULL)
    return FALSE;

  if (!ctl->json)
    {
      print_end (ctl, delta);
      return TRUE;
    }

  owner = fore_ctl_look_at_owner (ctl, run_id);
  node = json_node_new (JSON_NODE_OBJECT);
  json_node_take_object (node, fore_ctl_json_run (delta->run, owner, delta->requests));
  fore_ctl_print_json_line (node);

  return TRUE;
}

/**
 * fore_ctl_follow_and_print:
 * @ctl: a call with an open store, whose exit code is set
 * @run_id: whole id of a run
 * @error: where to put an error
 *
 * Prints what happens in a run until it has ended or waits for a person, then the run.
 *
 * Returns: %FALSE when it was not followed to an end
 */
gboolean
fore_ctl_follow_and_print (ForeCtl *ctl, const char *run_id, GError **error)
{
  ForeCtlFollowFlags flags = ctl->json ? FORE_CTL_FOLLOW_EVENTS : FORE_CTL_FOLLOW_PROGRESS;
  ForeCtlRunEnd end;

  if (fore_ctl_has (ctl, "keep-waiting"))
    flags |= FORE_CTL_FOLLOW_KEEP_WAITING;
  if (!fore_ctl_follow_run (ctl, run_id, flags, NULL, -1, &end, error))
    return FALSE;

  ctl->exit_code = end;
  return print_last (ctl, run_id, error);
}

static gboolean
start (ForeCtl *ctl, guint first_word, gboolean loop, GError **error)
{
  g_autoptr (ForeRunSpec) spec = NULL;
  g_autoptr (GPtrArray) warnings = NULL;
  g_autofree char *id = NULL;
  const char *plan_file;

  if (!check_ways (ctl, error) || !check_loop (ctl, loop, error) || !check_jobs (ctl, error)
      || !check_depth (ctl, error) || fore_ctl_get_store (ctl, error) == NULL)
    return FALSE;

  spec = make_spec (ctl, first_word, loop);
  plan_file = fore_ctl_get (ctl, "plan-file");
  if (plan_file != NULL && !fore_plan_file_read (spec, plan_file, error))
    return FALSE;
  if (fore_ctl_has (ctl, "dry-run"))
    return show_preview (ctl, spec, error);

  id = fore_actions_start_full (ctl->store, spec, &warnings, error);
  if (id == NULL)
    return FALSE;

  print_start (ctl, id, warnings);
  return fore_ctl_has (ctl, "detach") || fore_ctl_follow_and_print (ctl, id, error);
}

gboolean
fore_ctl_do_run (ForeCtl *ctl, GError **error)
{
  return start (ctl, 0, fore_ctl_has (ctl, "goal-loop"), error);
}

gboolean
fore_ctl_do_goal_start (ForeCtl *ctl, GError **error)
{
  return start (ctl, 1, TRUE, error);
}

/* Of several runs the worst end counts: failed, then cancelled, then waiting. */
static int
choose_worse (int a, int b)
{
  const int order[] = { FORE_CTL_RUN_FAILED, FORE_CTL_RUN_CANCELLED, FORE_CTL_RUN_WAITS };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      if (a == order[i] || b == order[i])
        return order[i];
    }

  return FORE_CTL_RUN_COMPLETED;
}

static gboolean
wait_for_run (ForeCtl *ctl, const char *run_id, gint64 deadline, GError **error)
{
  ForeCtlFollowFlags flags = fore_ctl_has (ctl, "keep-waiting") ? FORE_CTL_FOLLOW_KEEP_WAITING
                                                                : FORE_CTL_FOLLOW_QUIETLY;
  gint64 left = deadline >= 0 ? MAX (deadline - g_get_monotonic_time (), 0) / 1000 : -1;
  ForeCtlRunEnd end;

  if (!fore_ctl_follow_run (ctl, run_id, flags, NULL, left, &end, error))
    return FALSE;

  ctl->exit_code = choose_worse (ctl->exit_code, end);
  return TRUE;
}

static gboolean
print_waited (ForeCtl *ctl, GPtrArray *ids, GError **error)
{
  JsonObject *object = json_object_new ();
  JsonArray *array = json_array_new ();

  json_object_set_array_member (object, "runs", array);
  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = ids->pdata[i];
      g_autoptr (ForeRunDelta) delta = fore_run_read (ctl->store, id, 0, 0, 0, error);

      if (delta == NULL)
        {
          json_object_unref (object);
          return FALSE;
        }

      if (ctl->json)
        json_array_add_object_element (
            array,
            fore_ctl_json_run (delta->run, fore_ctl_look_at_owner (ctl, id), delta->requests));
      else
        {
          fore_ctl_print (ctl, "%s ", id);
          print_end (ctl, delta);
        }
    }

  if (ctl->json)
    fore_ctl_print_object (ctl, g_steal_pointer (&object));
  else
    json_object_unref (object);

  return TRUE;
}

gboolean
fore_ctl_do_wait (ForeCtl *ctl, GError **error)
{
  gint64 timeout = fore_ctl_get_duration (ctl, "timeout", -1);
  gint64 deadline = timeout >= 0 ? g_get_monotonic_time () + timeout * 1000 : -1;
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < ctl->words->len; i++)
    {
      char *id = fore_ctl_find_run (ctl, fore_ctl_get_word (ctl, i), error);

      if (id == NULL)
        return FALSE;
      g_ptr_array_add (ids, id);
    }

  for (guint i = 0; i < ids->len; i++)
    {
      if (!wait_for_run (ctl, ids->pdata[i], deadline, error))
        return FALSE;
    }

  return print_waited (ctl, ids, error);
}
