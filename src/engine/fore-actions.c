/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-actions.h"

#include "agents/fore-adapter.h"
#include "engine/fore-attempt-sandbox.h"
#include "engine/fore-event-data.h"
#include "engine/fore-forecast.h"
#include "engine/fore-goal.h"
#include "engine/fore-machine-watch.h"
#include "engine/fore-plan-file.h"
#include "engine/fore-plan-json.h"
#include "engine/fore-plan-parser.h"
#include "engine/fore-run-builder.h"
#include "engine/fore-run-context.h"
#include "engine/fore-run-identity.h"
#include "git/fore-lease.h"
#include "git/fore-repository.h"
#include "model/fore-error.h"
#include "platform/fore-clock.h"
#include "platform/fore-dirs.h"
#include "platform/fore-guard-client.h"
#include "platform/fore-process.h"
#include "platform/fore-random-id.h"
#include "platform/fore-signals.h"
#include "platform/fore-watch.h"
#include "store/fore-run-client.h"
#include "store/fore-run-reader.h"
#include "store/fore-run-writer.h"
#include "text/fore-json.h"

#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>

#define SUSPICIOUS_MS 2000
#define LOOK_MS 200

/**
 * fore_actions_preview:
 * @store: the store
 * @spec: what is asked for
 * @error: return location for an error
 *
 * Says what @spec would start, without starting it.
 *
 * Returns: (transfer full): the preview, or %NULL
 */
ForeRunPreview *
fore_actions_preview (ForeStore *store, const ForeRunSpec *spec, GError **error)
{
  g_autoptr (ForeWorkflow) workflow = NULL;
  ForeRunPreview *preview = fore_run_builder_build (store, spec, &workflow, error);

  if (preview == NULL)
    return NULL;

  fore_plan_file_show (preview);
  fore_forecast_take (preview, store, workflow);

  return preview;
}

static GPtrArray *
make_first_events (const ForeRun *run, GPtrArray *tasks)
{
  GPtrArray *events = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_event_free);
  g_autofree char *created = fore_event_data_new ("s:goal", run->goal, "s:team", run->team,
                                                  "s:workflow", run->workflow, "s:project",
                                                  run->project, NULL);

  g_ptr_array_add (events, fore_event_new (FORE_EVENT_RUN_CREATED, NULL, 0, created));
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);
      g_autofree char *added = fore_event_data_new ("s:title", task->title, "s:role", task->role,
                                                    "v:depends_on", task->depends_on,
                                                    "i:plan_version", (gint64) 0, NULL);

      g_ptr_array_add (events, fore_event_new (FORE_EVENT_TASK_ADDED, task->key, 0, added));
    }

  return events;
}

/**
 * fore_actions_start:
 * @store: the store
 * @spec: what is asked for
 * @error: return location for an error
 *
 * Makes the run, durably, and starts its runner.
 *
 * Returns: (transfer full): the run's id, or %NULL
 */
char *
fore_actions_start (ForeStore *store, const ForeRunSpec *spec, GError **error)
{
  return fore_actions_start_full (store, spec, NULL, error);
}

/* Better now than after its tree was made. Programs of steps may be made by steps before them. */
static gboolean
check_agents (const ForeRunPreview *preview, GError **error)
{
  for (guint i = 0; i < preview->tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (preview->tasks, i);
      const ForeAdapter *adapter = fore_adapter_lookup (task->cli);
      g_autofree char *program = NULL;

      if (adapter == NULL || adapter->program == NULL)
        continue;

      program = fore_adapter_find_program (adapter, error);
      if (program == NULL)
        return FALSE;
    }

  return TRUE;
}

/* The run starts from a commit of its own then, which no branch has. */
static gboolean
take_local_changes (ForeRun *run, GError **error)
{
  g_autoptr (ForeRepository) repository = NULL;
  char *commit;

  if (!run->options.snapshot || run->base_commit == NULL)
    return TRUE;

  repository = fore_repository_open (run->project, error);
  commit = repository != NULL ? fore_repository_snapshot_base (repository, run->id, error) : NULL;
  if (commit == NULL)
    return FALSE;

  g_free (run->base_commit);
  run->base_commit = commit;

  return TRUE;
}

/* The runner would be refused the folder, too, but only once there is a run. */
static gboolean
check_no_other_loop (ForeStore *store, const ForeRunSpec *spec, const ForeRun *run, GError **error)
{
  g_autofree char *home = fore_goal_dup_lease_home (fore_store_get_home (store));

  return !spec->goal_loop || fore_lease_check (home, run->project, error);
}

/**
 * fore_actions_start_full:
 * @store: the store
 * @spec: what is asked for
 * @warnings: (out) (optional) (transfer full) (element-type utf8): what the person should know
 * @error: return location for an error
 *
 * As fore_actions_start(), with what a preview would have warned of.
 *
 * Returns: (transfer full): the run's id, or %NULL
 */
char *
fore_actions_start_full (ForeStore *store,
                         const ForeRunSpec *spec,
                         GPtrArray **warnings,
                         GError **error)
{
  g_autoptr (ForeRunPreview) preview = NULL;
  g_autoptr (ForeWorkflow) workflow = NULL;
  g_autoptr (GPtrArray) events = NULL;
  g_autoptr (ForeSettings) settings = NULL;
  ForeRun *run;

  /* The demo's project is ours, settings and all. */
  if (spec->options.demo && !fore_store_trust (store, spec->project, TRUE, error))
    return NULL;

  preview = fore_run_builder_build (store, spec, &workflow, error);
  if (preview == NULL || !check_agents (preview, error))
    return NULL;

  run = preview->run;
  settings = fore_run_context_load_settings (store, run->project, spec->args, NULL, error);
  if (settings == NULL || !fore_machine_check (store, settings, error)
      || !fore_attempt_sandbox_check (settings, error)
      || !check_no_other_loop (store, spec, run, error))
    return NULL;

  run->id = fore_platform_random_run_id ();
  run->created = fore_clock_now_us ();
  if (!take_local_changes (run, error))
    return NULL;

  events = make_first_events (run, preview->tasks);
  /* A run is there once its file is: what it is carried out with comes before. */
  if (!fore_dirs_ensure_run (fore_store_get_home (store), run->id, error)
      || !fore_run_identity_save (fore_store_get_home (store), run->id, error)
      || !fore_run_context_save (store, run->id, spec, workflow, error)
      || !fore_plan_file_save (store, run->id, preview, error)
      || !fore_run_writer_create (store, run, preview->tasks, events, error)
      || !fore_store_add_project (store, run->project, error)
      || !fore_actions_ensure_runner (store, run->id, error))
    return NULL;

  if (warnings != NULL)
    *warnings = g_ptr_array_ref (preview->warnings);

  return g_strdup (run->id);
}

/* Answers */

static ForeAnswer *
make_answer (const ForeRequest *request,
             const char *option,
             const char *text,
             const char *by,
             GError **error)
{
  const ForeRequestOption *chosen = fore_request_find_option (request, option);
  ForeAnswer *answer;

  if (chosen == NULL)
    chosen = fore_request_find_option_by_kind (request, option);
  if (chosen == NULL)
    {
      g_autoptr (GString) offered = g_string_new (NULL);

      for (guint i = 0; i < request->options->len; i++)
        g_string_append_printf (
            offered, "%s%s", i > 0 ? ", " : "",
            ((ForeRequestOption *) g_ptr_array_index (request->options, i))->id);
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("“%s” is not an answer to %s; it takes %s."), option, request->id,
                   offered->str);
      return NULL;
    }

  answer = fore_answer_new (request->id, chosen->id, by);
  answer->text = g_strdup (text);

  return answer;
}

/* The same rules that the runner holds it to: a mistake is better told while it can be corrected.
 */
static gboolean
check_edited (ForeStore *store, const char *run_id, const char *plan_json, GError **error)
{
  g_autoptr (ForePlan) plan = NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (ForeRunDelta) delta = NULL;
  g_autoptr (ForeRunContext) context = NULL;
  g_auto (GStrv) taken = NULL;
  ForePlanRules rules;

  if ((delta = fore_run_read (store, run_id, 0, 0, 0, error)) == NULL
      || (context = fore_run_context_load (store, delta->run, error)) == NULL)
    return FALSE;

  for (guint i = 0; i < delta->tasks->len; i++)
    g_strv_builder_add (builder, ((ForeTask *) g_ptr_array_index (delta->tasks, i))->key);
  taken = g_strv_builder_end (builder);
  rules.roles = (const char *const *) context->roles;
  rules.taken = (const char *const *) taken;
  rules.max_items = (guint) fore_settings_get_int (context->settings, "limits.plan_items");

  plan = fore_plan_read_edited (plan_json, &rules, error);

  return plan != NULL;
}

/**
 * fore_actions_answer:
 * @store: the store
 * @request_id: a request
 * @option: id or kind of one of its options
 * @text: (nullable): feedback or free text
 * @plan_json: (nullable): the plan as the person edited it
 * @version: plan version that the person saw, or 0 for the one open now
 * @hash: (nullable): hash of that version
 * @by: who answers
 * @error: return location for an error
 *
 * Answers a request, once: %FORE_ERROR_STALE for one that was answered or whose plan is another by
 * now, %FORE_ERROR_NOT_FOUND for none. Starts a runner if the run has none.
 *
 * Returns: whether the answer is durable and somebody will take it up
 */
gboolean
fore_actions_answer (ForeStore *store,
                     const char *request_id,
                     const char *option,
                     const char *text,
                     const char *plan_json,
                     guint version,
                     const char *hash,
                     const char *by,
                     GError **error)
{
  g_autoptr (ForeRequest) request = NULL;
  g_autoptr (ForeAnswer) answer = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (request_id != NULL && option != NULL, FALSE);

  request = fore_run_read_request (store, request_id, error);
  if (request == NULL)
    return FALSE;

  answer = make_answer (request, option, text, by, error);
  if (answer == NULL)
    return FALSE;

  if (plan_json != NULL)
    {
      if (!check_edited (store, request->run, plan_json, error))
        return FALSE;
      answer->plan_json = g_strdup (plan_json);
    }
  answer->plan_version = version > 0 ? version : request->plan_version;
  answer->plan_hash = g_strdup (hash != NULL ? hash : request->plan_hash);

  return fore_run_client_answer (store, answer, error)
         && fore_actions_ensure_runner (store, request->run, error);
}

/* Commands */

static ForeCommand *
read_command (ForeStore *store, const char *run_id, gint64 id)
{
  g_autoptr (ForeRunDelta) delta = fore_run_read (store, run_id, 0, 0, 0, NULL);

  for (guint i = 0; delta != NULL && i < delta->commands->len; i++)
    {
      const ForeCommand *command = g_ptr_array_index (delta->commands, i);

      if (command->id == id)
        return fore_command_copy (command);
    }

  return NULL;
}

typedef struct
{
  GMainLoop *loop;
  gboolean rung;
} Waiting;

static void
bell_rang (const char *path, ForeWatchEvents events, gpointer user_data)
{
  Waiting *waiting = user_data;

  waiting->rung = TRUE;
  g_main_loop_quit (waiting->loop);
}

static gboolean
look_again (gpointer user_data)
{
  Waiting *waiting = user_data;

  g_main_loop_quit (waiting->loop);

  return G_SOURCE_CONTINUE;
}

/* Looks once: a damaged file may be read in part and never be written again. */
static gboolean
is_damaged (ForeStore *store, const char *run_id, gint64 *when, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  if (fore_clock_boot_us () < *when)
    return FALSE;

  *when = G_MAXINT64;
  if (fore_store_check_run (store, run_id, &local_error)
      || g_error_matches (local_error, FORE_ERROR, FORE_ERROR_BUSY))
    return FALSE;

  g_propagate_error (error, g_steal_pointer (&local_error));
  return TRUE;
}

/* Waits for the bell in a context of its own, so that any thread may. */
static gboolean
wait_for_command (ForeStore *store,
                  const char *run_id,
                  gint64 id,
                  guint timeout_ms,
                  char **outcome,
                  GError **error)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (context, FALSE);
  g_autofree char *bell = fore_dirs_dup_bell_path (fore_store_get_home (store));
  g_autoptr (ForeWatch) watch = NULL;
  g_autoptr (GSource) source = g_timeout_source_new (LOOK_MS);
  gint64 deadline = fore_clock_boot_us () + (gint64) timeout_ms * 1000;
  gint64 suspicious = fore_clock_boot_us () + SUSPICIOUS_MS * 1000;
  Waiting waiting = { loop, FALSE };
  gboolean done = FALSE;

  watch = fore_watch_new (bell, bell_rang, &waiting, context, NULL);
  g_source_set_callback (source, look_again, &waiting, NULL);
  g_source_attach (source, context);

  while (!done)
    {
      g_autoptr (ForeCommand) command = read_command (store, run_id, id);

      if (command != NULL && command->state == FORE_COMMAND_REFUSED)
        {
          g_set_error_literal (error, FORE_ERROR,
                               command->code != 0 ? command->code : FORE_ERROR_REFUSED,
                               command->message != NULL ? command->message : "");
          break;
        }
      if (command != NULL && command->state == FORE_COMMAND_DONE)
        {
          if (outcome != NULL)
            *outcome = g_strdup (command->message);
          done = TRUE;
          break;
        }
      if (fore_clock_boot_us () >= deadline)
        {
          g_set_error (
              error, FORE_ERROR, FORE_ERROR_BUSY,
              _ ("The runner of %s did not answer in time; the command is kept and will be "
                 "taken up."),
              run_id);
          break;
        }
      if (is_damaged (store, run_id, &suspicious, error)
          || !fore_actions_ensure_runner (store, run_id, error))
        break;
      g_main_loop_run (loop);
    }

  g_source_destroy (source);

  return done;
}

/* On a full disk a command cannot be written, and the run may be what fills it: its runner takes a
 * signal for a cancel.
 */
static gboolean
cancel_by_signal (ForeStore *store, const char *run_id, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_run_read (store, run_id, 0, 0, 0, error);
  ForeProcessId owner;

  if (delta == NULL)
    return FALSE;

  if (!fore_store_is_owned (store, run_id)
      || !fore_process_id_for_pid ((int) delta->run->owner_pid, &owner))
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_NO_SPACE,
                           _ ("The disk is full and nobody carries the run out; make room first."));
      return FALSE;
    }

  return fore_signal_send_cancel (&owner, error);
}

/* For agents of a runner that is dead, and if none can be started. */
static void
mark_cancelled (ForeStore *store, const char *run_id)
{
  g_autofree char *run_dir = fore_dirs_dup_run_dir (fore_store_get_home (store), run_id);

  fore_guard_mark_cancelled (run_dir, TRUE);
}

/**
 * fore_actions_command:
 * @store: the store
 * @run_id: a run
 * @kind: what is wanted
 * @args: (nullable): further words
 * @by: who wants it
 * @timeout_ms: how long to wait until it was taken up; 0 to not wait
 * @outcome: (out) (optional) (nullable) (transfer full): one sentence: what came of it
 * @error: return location for an error
 *
 * Tells the run's owner something, starting a runner if there is none.
 *
 * Returns: whether it was carried out, or (without waiting) will be
 */
gboolean
fore_actions_command (ForeStore *store,
                      const char *run_id,
                      ForeCommandKind kind,
                      const char *const *args,
                      const char *by,
                      guint timeout_ms,
                      char **outcome,
                      GError **error)
{
  g_autoptr (ForeCommand) command = NULL;
  g_autoptr (GError) problem = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (run_id != NULL, FALSE);

  if (!fore_actions_check_command (store, run_id, kind, args, error))
    return FALSE;

  command = fore_command_new (kind, args, by);
  if (!fore_run_client_command (store, run_id, command, &problem))
    {
      if (kind == FORE_COMMAND_CANCEL && g_error_matches (problem, FORE_ERROR, FORE_ERROR_NO_SPACE))
        return cancel_by_signal (store, run_id, error);
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  if (kind == FORE_COMMAND_CANCEL)
    mark_cancelled (store, run_id);
  if (!fore_actions_ensure_runner (store, run_id, error))
    return FALSE;

  return timeout_ms == 0
         || wait_for_command (store, run_id, command->id, timeout_ms, outcome, error);
}

/**
 * fore_actions_plan_to_json:
 * @plan: a plan
 *
 * Returns: (transfer full): JSON to be edited
 */
char *
fore_actions_plan_to_json (const ForePlan *plan)
{
  g_autoptr (JsonNode) node = fore_plan_to_json (plan);

  return fore_json_to_string (node, TRUE);
}

/**
 * fore_actions_plan_from_json:
 * @json: JSON of a plan
 * @error: return location for an error
 *
 * Returns: (transfer full): the plan, or %NULL
 */
ForePlan *
fore_actions_plan_from_json (const char *json, GError **error)
{
  g_autoptr (JsonNode) node = NULL;

  g_return_val_if_fail (json != NULL, NULL);

  node = fore_json_parse (json, -1, NULL, error);

  return node != NULL ? fore_plan_from_json (node, NULL, error) : NULL;
}

/**
 * fore_actions_stop_everything:
 * @store: the store
 * @by: who wants it
 * @error: return location for an error
 *
 * Cancels every run that has not finished.
 *
 * Returns: how many, or -1
 */
int
fore_actions_stop_everything (ForeStore *store, const char *by, GError **error)
{
  g_autoptr (GPtrArray) runs = fore_store_list_runs (store, NULL, NULL, 0, 0, error);
  int n = 0;

  if (runs == NULL)
    return -1;

  for (guint i = 0; i < runs->len; i++)
    {
      const ForeRun *run = g_ptr_array_index (runs, i);

      if (!fore_run_is_active (run))
        continue;
      if (!fore_actions_command (store, run->id, FORE_COMMAND_CANCEL, NULL, by, 0, NULL, error))
        return -1;
      n++;
    }

  return n;
}