/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-attempt-launch.h"

#include "agents/fore-calls.h"
#include "engine/fore-attempt-sandbox.h"
#include "engine/fore-goal.h"
#include "engine/fore-plan-json.h"
#include "engine/fore-pool.h"
#include "engine/fore-pre-step.h"
#include "engine/fore-prompt.h"
#include "engine/fore-quarantines.h"
#include "engine/fore-start.h"
#include "git/fore-repository.h"
#include "library/fore-role.h"
#include "model/fore-error.h"
#include "platform/fore-dirs.h"
#include "platform/fore-files.h"
#include "platform/fore-process.h"
#include "platform/fore-random-id.h"
#include "platform/fore-slots.h"
#include "text/fore-json.h"
#include "text/fore-text.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define GRACE_MS 5000
/* Of a run whose runners have no secret. */
#define TOKEN_BYTES 16

/* Copies of a plan to start, for the thread. */
typedef struct
{
  ForeRunContext *context;
  const ForeAdapter *adapter;
  ForeRun *run;
  ForeTask *task;
  guint n;
  gboolean live;
  char *session;
  char *interruption;
  GPtrArray *dependencies;
  char *tree;
  ForePlan *plan_before;
  char *mail;
  GStrv conflicts;
  ForeDispatchTrace *trace; /* the caller's, who waits */
} Making;

static void
making_free (Making *making)
{
  fore_run_free (making->run);
  fore_task_free (making->task);
  g_ptr_array_unref (making->dependencies);
  g_free (making->tree);
  g_free (making->mail);
  g_strfreev (making->conflicts);
  g_free (making->session);
  g_free (making->interruption);
  g_clear_pointer (&making->plan_before, fore_plan_free);
  g_free (making);
}

static char *
dup_feedback (const Making *making)
{
  g_autofree char *paths = NULL;

  if (making->conflicts == NULL)
    return g_strdup (making->task->feedback);

  paths = g_strjoinv ("\n- ", making->conflicts);
  return g_strconcat ("The work that you build on was changed in the same places by two tasks. "
                      "Resolve the conflict in each of these files first, keeping what both sides "
                      "meant:\n\n- ",
                      paths,
                      "\n\nWhere both changed the same lines they stand between conflict marks "
                      "(<<<<<<<, =======, >>>>>>>); none may be left. A file without marks was "
                      "removed by one of the two, or is not text: the side that is there may be "
                      "the wrong one.\n\n",
                      making->task->feedback, NULL);
}

/* All that the run changed so far: the judge has no tools to look at it with. */
static char *
dup_changes (const Making *making)
{
  g_autoptr (ForeRepository) repository = NULL;
  g_autoptr (GBytes) patch = NULL;
  gconstpointer bytes;
  gsize length = 0;

  if (!fore_goal_is_judge (making->task) || making->run->base_commit == NULL
      || (repository = fore_repository_open (making->run->project, NULL)) == NULL)
    return NULL;

  patch = fore_repository_diff_patch (repository, making->run->base_commit, making->task->base,
                                      NULL);
  bytes = patch != NULL ? g_bytes_get_data (patch, &length) : NULL;

  return length > 0 ? fore_text_make_valid (bytes, (gssize) length) : NULL;
}

static char *
build_prompt (const Making *making, const char *script)
{
  g_autoptr (JsonNode) node = making->plan_before != NULL ? fore_plan_to_json (making->plan_before)
                                                          : NULL;
  g_autofree char *plan_before = node != NULL ? fore_json_to_string (node, TRUE) : NULL;
  g_autofree char *feedback = dup_feedback (making);
  g_autofree char *changes = dup_changes (making);
  g_autoptr (GPtrArray) blocks = NULL;
  ForePromptInput input = { 0 };

  input.goal = making->run->goal;
  input.task = making->task;
  input.dependencies = making->dependencies;
  input.tree = making->tree;
  input.script = script;
  input.plan_before = plan_before;
  input.mail = making->mail;
  input.feedback = feedback;
  input.changes = changes;
  input.attempt = making->n;
  blocks = fore_prompt_build (making->context, &input);

  return fore_prompt_join (blocks);
}

static const char *
choose_thinking (const Making *making)
{
  const ForeWorkflowStep *step = fore_run_context_get_step (making->context, making->task);
  const ForeTeamRole *role = fore_team_get_role (making->context->team, making->task->role);
  const char *override;
  const ForeAgentDef *agent = fore_run_context_get_agent (making->context, making->task);

  if (step != NULL && step->thinking != NULL)
    return step->thinking;
  if (role != NULL && role->thinking != NULL)
    return role->thinking;
  if (agent == NULL)
    return NULL;

  override = fore_run_context_get_override (making->context, agent->name, "thinking");
  if (override != NULL)
    return override;

  return agent->thinking != NULL ? agent->thinking : agent->effort;
}

/* An agent's file may leave it fewer tools than its CLI has; a task that only reads has none that
 * write, whatever the file says.
 */
static GStrv
choose_tools (const Making *making)
{
  static const char *const writing[] = { "edit", "write", NULL };
  const ForeAgentDef *agent = fore_run_context_get_agent (making->context, making->task);
  g_auto (GStrv) tools = NULL;
  g_autoptr (GStrvBuilder) builder = NULL;

  /* Whatever a judge of somebody's own says of itself. */
  if (fore_goal_is_judge (making->task))
    return g_new0 (char *, 1);
  if (agent == NULL || agent->tools == NULL)
    return NULL;

  tools = fore_role_dup_tools (making->task->role, agent);
  builder = g_strv_builder_new ();
  for (guint i = 0; tools[i] != NULL; i++)
    {
      if (making->task->writes || !g_strv_contains (writing, tools[i]))
        g_strv_builder_add (builder, tools[i]);
    }

  return g_strv_builder_end (builder);
}

static ForeLaunch *
ask_adapter (const Making *making,
             const char *program,
             const ForeAttemptLaunch *launch,
             const char *prompt_path,
             GError **error)
{
  g_auto (GStrv) tools = choose_tools (making);
  const char *const mcp[] = { making->context->ctl, "mcp", "--calls", launch->calls, NULL };
  ForeLaunchRequest request = { 0 };

  request.tools = (const char *const *) tools;
  request.program = program;
  request.prompt = launch->prompt;
  request.session = launch->session;
  request.prompt_path = prompt_path;
  request.goal = making->run->goal;
  request.model = making->task->model;
  request.thinking = choose_thinking (making);
  request.command = (const char *const *) making->task->command;
  request.cwd = making->tree;
  request.scenario = making->context->scenario;
  request.script = launch->script;
  request.script_name = making->task->title;
  request.script_memory = launch->script_memory;
  request.mcp = mcp[0] != NULL ? mcp : NULL;
  request.read_only = !making->task->writes;
  request.live = making->live;
  request.max_turns = launch->limits.turns;

  return fore_adapter_launch (making->adapter, &request, error);
}

static gboolean
write_all (int fd, const char *bytes, gsize length)
{
  while (length > 0)
    {
      gssize done = write (fd, bytes, length);

      if (done < 0 && errno != EINTR)
        return FALSE;
      bytes += MAX (done, 0);
      length -= (gsize) MAX (done, 0);
    }

  return TRUE;
}

/* One that a runner left that died is written over. */
static gboolean
write_prompt (const char *path, const char *prompt, GError **error)
{
  int fd = g_open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  gboolean written = fd >= 0 && write_all (fd, prompt, strlen (prompt));
  int code = errno;

  if (fd >= 0 && !g_close (fd, NULL) && written)
    {
      code = errno;
      written = FALSE;
    }
  if (!written)
    g_set_error (error, FORE_ERROR, code == ENOSPC ? FORE_ERROR_NO_SPACE : FORE_ERROR_ENVIRONMENT,
                 _ ("The prompt %s cannot be written (%s); check the disk"), path,
                 g_strerror (code));

  return written;
}

/* An agent is told of it by an argument, and a sandbox lets into it what is there; whoever else
 * calls makes it, which most do not.
 */
static gboolean
needs_calls (const Making *making)
{
  return making->adapter->program != NULL || making->live || making->context->secret == NULL
         || g_strcmp0 (fore_attempt_sandbox_get_mode (making->context->settings), "off") != 0;
}

static gboolean
make_calls (const Making *making, ForeAttemptLaunch *launch, GError **error)
{
  launch->calls = fore_dirs_dup_attempt_path (making->context->home, launch->run, launch->task,
                                              launch->n, "calls");
  launch->token = making->context->secret != NULL
                      ? fore_calls_dup_token (making->context->secret, launch->task, launch->n)
                      : fore_platform_random_token (TOKEN_BYTES);

  if (needs_calls (making))
    return fore_calls_make (launch->calls, launch->token, error);

  /* The system looks for a name that is not there by locking the folder, which others make files in
   * just now, and remembers that it is not there: better here than on the main loop, which is going
   * to look for it.
   */
  g_access (launch->calls, F_OK);
  return TRUE;
}

/* What it needs to call its run from inside its task. */
static void
tell_calls (ForeAttemptLaunch *launch, const char *program)
{
  launch->env = g_environ_setenv (launch->env, FORE_MARKER_CALLS, launch->calls, TRUE);
  launch->env = g_environ_setenv (launch->env, FORE_MARKER_TOKEN, launch->token, TRUE);
  if (program != NULL)
    launch->env = g_environ_setenv (launch->env, FORE_MARKER_PROGRAM, program, TRUE);
}

static gboolean
hold (const Making *making, ForeAttemptLaunch *launch, const char *prompt_path, GError **error)
{
  g_autofree char *quarantine = fore_quarantines_dup_path (making->context->home, launch->run,
                                                           launch->task, launch->n);
  const ForeSandboxPlan plan = {
    .context = making->context,
    .adapter = making->adapter,
    .task = making->task,
    .tree = making->tree,
    .git_dir = making->task->gitdir,
    .prompt_path = prompt_path,
    .calls = launch->calls,
    .memory = launch->script_memory,
    .quarantine = quarantine,
  };

  if (!fore_attempt_sandbox_wrap (&plan, &launch->argv, &launch->sandbox_problem, error))
    return FALSE;

  launch->sandbox = fore_sandbox_is_one ((const char *const *) launch->argv);
  return TRUE;
}

/* The conversation of the attempt before, where its CLI has that still. */
static void
take_up (const Making *making, ForeAttemptLaunch *launch)
{
  g_autofree char *feedback = dup_feedback (making);

  if (making->session == NULL || !fore_adapter_may_take_up (making->adapter, making->session))
    return;

  launch->session = g_strdup (making->session);
  launch->again = g_strconcat (
      "You were interrupted while you worked on this task",
      making->interruption != NULL ? ": " : ".",
      making->interruption != NULL ? making->interruption : "",
      "\n\nThis is the same conversation. Look at the working tree first, since it may be older "
      "than what you remember; then go on where you stopped. All that you were told still holds.",
      making->mail != NULL ? "\n\n" : "", making->mail != NULL ? making->mail : "",
      feedback != NULL ? "\n\n" : "", feedback, NULL);
}

static ForeAttemptLaunch *
make (const Making *making, GError **error)
{
  ForeRunContext *context = making->context;
  g_autoptr (ForeAttemptLaunch) launch = g_new0 (ForeAttemptLaunch, 1);
  g_autoptr (ForeLaunch) asked = NULL;
  g_autofree char *program = NULL;
  g_autofree char *script = NULL;
  g_autofree char *path = NULL;
  char **allowed;

  launch->run = g_strdup (making->run->id);
  launch->task = g_strdup (making->task->key);
  launch->n = making->n;
  launch->run_dir = g_strdup (context->run_dir);
  launch->cwd = g_strdup (making->tree);
  launch->limits = fore_attempt_launch_choose_limits (context, making->task);
  if (fore_pre_step_is_wanted (context, making->task)
      && !fore_pre_step_run (context, launch->run, making->task, launch->n, launch->cwd, &script,
                             error))
    return NULL;

  launch->prompt = fore_task_is_script (making->task)
                       ? fore_attempt_launch_dup_script (launch->run_dir)
                       : build_prompt (making, script);
  take_up (making, launch);

  path = fore_dirs_dup_attempt_path (context->home, launch->run, launch->task, launch->n, "in");
  if (!write_prompt (path, launch->prompt, error) || !make_calls (making, launch, error)
      || !fore_attempt_launch_make_script (launch, context, making->task, error))
    return NULL;

  if (making->adapter->program != NULL)
    {
      program = fore_adapter_find_program (making->adapter, error);
      if (program == NULL)
        return NULL;
    }
  asked = ask_adapter (making, program, launch, path, error);
  if (asked == NULL)
    return NULL;

  launch->argv = g_strdupv (asked->argv);
  allowed = g_hash_table_lookup (context->environs, making->adapter->name);
  launch->env = fore_adapter_complete_environ (g_strdupv (allowed), asked, launch->run,
                                               launch->task, launch->n, NULL);
  tell_calls (launch, context->ctl);
  if (!hold (making, launch, path, error))
    return NULL;
  launch->stdin_mode = asked->stdin_mode;
  launch->pipe_output = asked->pipe_output;
  launch->orphan_ms = fore_settings_get_duration (context->settings, "resume.orphan_grace");

  return g_steal_pointer (&launch);
}

static void
make_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Making *making = data;
  ForeAttemptLaunch *launch;
  GError *error = NULL;

  fore_dispatch_trace_go_on (making->trace);
  launch = make (making, &error);
  fore_dispatch_trace_wait (making->trace, FORE_DISPATCH_QUEUE);
  if (launch == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, launch, (GDestroyNotify) fore_attempt_launch_free);
}

/**
 * fore_attempt_launch_make_async:
 * @context: what the run is carried out with; outlives the call
 * @plan: what to start
 * @callback: called when it is ready
 * @user_data: data for @callback
 *
 * Builds the prompt, writes it to `<task>.<n>.in` and asks the adapter for the command line.
 */
void
fore_attempt_launch_make_async (ForeRunContext *context,
                                const ForeLaunchPlan *plan,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Making *making;

  g_return_if_fail (context != NULL && plan != NULL);

  making = g_new0 (Making, 1);
  making->context = context;
  making->adapter = plan->adapter;
  making->run = fore_run_copy (plan->run);
  making->task = fore_task_copy (plan->task);
  making->n = plan->attempt->n;
  making->live = plan->attempt->live;
  making->dependencies = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_task_free);
  for (guint i = 0; i < plan->dependencies->len; i++)
    g_ptr_array_add (making->dependencies,
                     fore_task_copy (g_ptr_array_index (plan->dependencies, i)));
  making->tree = g_strdup (plan->tree);
  making->mail = g_strdup (plan->mail);
  if (plan->interrupted != NULL)
    {
      making->session = g_strdup (plan->interrupted->session);
      making->interruption = g_strdup (plan->interrupted->message);
    }
  making->plan_before = plan->plan_before != NULL ? fore_plan_copy (plan->plan_before) : NULL;
  making->conflicts = g_strdupv ((char **) plan->conflicts);
  making->trace = plan->trace;

  task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_name (task, "make a launch");
  g_task_set_source_tag (task, fore_attempt_launch_make_async);
  g_task_set_task_data (task, making, (GDestroyNotify) making_free);
  fore_dispatch_trace_wait (plan->trace, FORE_DISPATCH_QUEUE);
  /* A script may take long; the files of others do not wait for it. */
  if (fore_pre_step_is_wanted (context, plan->task))
    g_task_run_in_thread (task, make_in_thread);
  else
    fore_pool_run (FORE_POOL_FILE, task, make_in_thread);
}

/**
 * fore_attempt_launch_make_finish:
 * @result: the result
 * @error: return location for an error
 *
 * Returns: (transfer full): what can be started now, or %NULL
 */
ForeAttemptLaunch *
fore_attempt_launch_make_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * fore_attempt_launch_start_async:
 * @launch: what to start; stays until @callback
 * @hub: the run's guards
 * @slots: (nullable) (element-type ForeSlot): places that the guard holds; stay until @callback
 * @trace: (nullable): where the time goes until it starts; stays until @callback
 * @callback: called when it was started; see fore_start_finish()
 * @user_data: data for @callback
 */
void
fore_attempt_launch_start_async (const ForeAttemptLaunch *launch,
                                 ForeGuardHub *hub,
                                 GPtrArray *slots,
                                 ForeDispatchTrace *trace,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  ForeGuardLaunch guard = FORE_GUARD_LAUNCH_INIT;

  g_return_if_fail (launch != NULL);

  guard.run = launch->run;
  guard.task = launch->task;
  guard.n = launch->n;
  guard.run_dir = launch->run_dir;
  guard.argv = (const char *const *) launch->argv;
  guard.env = (const char *const *) launch->env;
  guard.cwd = launch->cwd;
  guard.sandbox = launch->sandbox;
  guard.capture_limit = launch->limits.capture;
  guard.wall_ms = launch->limits.wall_ms;
  guard.grace_ms = GRACE_MS;
  guard.orphan_grace_ms = launch->orphan_ms;
  guard.capture_mode = launch->pipe_output || launch->stdin_mode == FORE_STDIN_LIVE
                           ? FORE_GUARD_CAPTURE_PIPE
                           : FORE_GUARD_CAPTURE_FILE;
  if (launch->stdin_mode == FORE_STDIN_FILE)
    guard.stdin_mode = FORE_GUARD_STDIN_FILE;
  else if (launch->stdin_mode == FORE_STDIN_LIVE)
    guard.stdin_mode = FORE_GUARD_STDIN_LIVE;

  for (guint i = 0; slots != NULL && i < slots->len && i < FORE_GUARD_MAX_SLOTS; i++)
    guard.slot_fds[guard.n_slot_fds++] = fore_slot_get_fd (g_ptr_array_index (slots, i));

  fore_start_async (hub, &guard, trace, callback, user_data);
}

/**
 * fore_attempt_launch_dup_env_names:
 * @launch: a launch
 *
 * Returns: (transfer full): names of the variables in its environment, without their values
 */
GStrv
fore_attempt_launch_dup_env_names (const ForeAttemptLaunch *launch)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (launch != NULL, NULL);

  for (guint i = 0; launch->env[i] != NULL; i++)
    {
      g_autofree char *name = g_strndup (launch->env[i], strcspn (launch->env[i], "="));

      g_strv_builder_add (builder, name);
    }

  return g_strv_builder_end (builder);
}

/**
 * fore_attempt_launch_free:
 * @launch: (nullable): a launch
 */
void
fore_attempt_launch_free (ForeAttemptLaunch *launch)
{
  if (launch == NULL)
    return;

  g_free (launch->run);
  g_free (launch->task);
  g_free (launch->run_dir);
  g_free (launch->prompt);
  g_free (launch->session);
  g_free (launch->again);
  g_strfreev (launch->argv);
  g_strfreev (launch->env);
  g_free (launch->cwd);
  g_free (launch->sandbox_problem);
  g_free (launch->calls);
  g_free (launch->token);
  g_free (launch->script);
  g_free (launch->script_memory);
  g_free (launch);
}
