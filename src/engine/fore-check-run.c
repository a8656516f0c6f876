/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-check-run.h"

#include "agents/fore-adapter.h"
#include "engine/fore-check-hash.h"
#include "engine/fore-check-hold.h"
#include "engine/fore-pool.h"
#include "engine/fore-quarantines.h"
#include "engine/fore-start.h"
#include "git/fore-quarantine.h"
#include "model/fore-error.h"
#include "platform/fore-dirs.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The guard knows a check as an attempt of its own: <attempt> × 1000 + <number of the check>. */
#define CHECK_BASE 1000
#define OUTPUT_TAIL (16 * 1024)
#define OUTPUT_LIMIT (64 * 1024 * 1024)
#define GRACE_MS 2000
#define SAID_CHARS 200

struct _ForeCheckRun
{
  GObject parent_instance;

  ForeRunContext *context;
  ForeGuardHub *hub;
  char *run_id;
  char *task_key;
  guint attempt;
  char *tree;
  char *git_dir;
  char *branch;
  GPtrArray *checks;
  guint position;
  GStrv argv; /* of the one that is started */
  GStrv env;
  ForeGuard *guard;
  gboolean stopped;
  gboolean adopts;
  gboolean held;
  GTask *task;
};

G_DEFINE_FINAL_TYPE (ForeCheckRun, fore_check_run, G_TYPE_OBJECT)

static void run_next (ForeCheckRun *self);

static void
fore_check_run_dispose (GObject *object)
{
  ForeCheckRun *self = FORE_CHECK_RUN (object);

  if (self->guard != NULL)
    g_signal_handlers_disconnect_by_data (self->guard, self);
  g_clear_object (&self->guard);
  g_clear_object (&self->hub);
  g_clear_object (&self->task);

  G_OBJECT_CLASS (fore_check_run_parent_class)->dispose (object);
}

static void
fore_check_run_finalize (GObject *object)
{
  ForeCheckRun *self = FORE_CHECK_RUN (object);

  g_free (self->run_id);
  g_free (self->task_key);
  g_free (self->tree);
  g_free (self->git_dir);
  g_free (self->branch);
  g_strfreev (self->argv);
  g_strfreev (self->env);
  g_clear_pointer (&self->checks, g_ptr_array_unref);

  G_OBJECT_CLASS (fore_check_run_parent_class)->finalize (object);
}

static void
fore_check_run_class_init (ForeCheckRunClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fore_check_run_dispose;
  object_class->finalize = fore_check_run_finalize;
}

static void
fore_check_run_init (ForeCheckRun *self)
{
}

/**
 * fore_check_run_new:
 * @context: what the run is carried out with; must outlive the object
 * @hub: the run's guards
 * @run_id: the run
 * @task: the task whose checks are run
 * @attempt: the attempt they belong to
 * @tree: folder to run them in
 *
 * Returns: (transfer full): a run of checks
 */
ForeCheckRun *
fore_check_run_new (ForeRunContext *context,
                    ForeGuardHub *hub,
                    const char *run_id,
                    const ForeTask *task,
                    guint attempt,
                    const char *tree)
{
  ForeCheckRun *self = g_object_new (FORE_TYPE_CHECK_RUN, NULL);

  self->context = context;
  self->hub = g_object_ref (hub);
  self->run_id = g_strdup (run_id);
  self->task_key = g_strdup (task->key);
  self->attempt = attempt;
  self->tree = g_strdup (tree);
  self->git_dir = g_strdup (task->gitdir);
  self->branch = g_strdup (task->branch);
  self->checks = fore_checks_copy (task->checks);

  return self;
}

static ForeCheck *
get_current (ForeCheckRun *self)
{
  return g_ptr_array_index (self->checks, self->position);
}

static guint
get_number (ForeCheckRun *self)
{
  return self->attempt * CHECK_BASE + self->position;
}

static char *
read_tail (const char *path)
{
  g_autofree char *content = NULL;
  gsize length = 0;
  gsize skip;

  if (!g_file_get_contents (path, &content, &length, NULL) || length == 0)
    return NULL;

  skip = length > OUTPUT_TAIL ? length - OUTPUT_TAIL : 0;

  return fore_text_make_valid (content + skip, length - skip);
}

typedef struct
{
  ForeCheck *check;
  char *tree;
  char *out;
  char *err;
  gboolean hash_intact;
  char *output;
  GStrv argv;
  GError *problem; /* why there is no argv */
} Look;

static void
look_free (Look *look)
{
  g_clear_pointer (&look->check, fore_check_free);
  g_free (look->tree);
  g_free (look->out);
  g_free (look->err);
  g_free (look->output);
  g_strfreev (look->argv);
  g_clear_error (&look->problem);
  g_free (look);
}

static GStrv
make_argv (ForeCheckRun *self, const Look *look, GError **error)
{
  g_autofree char *quarantine = fore_quarantines_dup_path (self->context->home, self->run_id,
                                                           self->task_key, get_number (self));
  g_autoptr (ForeTask) task = fore_task_new (self->task_key);
  const ForeSandboxPlan plan = {
    .context = self->context,
    .task = task,
    .tree = look->tree,
    .git_dir = self->git_dir,
    .quarantine = quarantine,
  };

  task->branch = g_strdup (self->branch);

  return fore_check_hold (&plan, (const char *const *) look->check->argv, error);
}

/* What it committed, if it is one that does: nobody else waits for it. */
static void
import (ForeCheckRun *self)
{
  g_autofree char *folder = fore_quarantines_dup_path (self->context->home, self->run_id,
                                                       self->task_key, get_number (self));
  g_autoptr (GError) error = NULL;

  if (!fore_quarantine_import (folder, &error))
    g_message ("What a check of “%s” committed stays in %s: %s", self->task_key, folder,
               error->message);
}

static void
look_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Look *look = data;
  g_autofree char *hash = NULL;
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;

  if (look->out != NULL)
    import (source);
  look->hash_intact = TRUE;
  if (look->check->hash != NULL)
    {
      hash = fore_check_hash_files ((const char *const *) look->check->files, look->tree);
      look->hash_intact = strcmp (hash, look->check->hash) == 0;
    }

  if (look->out != NULL)
    {
      out = read_tail (look->out);
      err = read_tail (look->err);
      look->output = g_strconcat (out != NULL ? out : "", err != NULL ? err : "", NULL);
    }
  else
    {
      look->argv = make_argv (source, look, &look->problem);
    }

  g_task_return_boolean (task, TRUE);
}

static void
look_async (ForeCheckRun *self, gboolean with_output, GAsyncReadyCallback callback)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, NULL);
  Look *look = g_new0 (Look, 1);

  look->check = fore_check_copy (get_current (self));
  look->tree = g_strdup (self->tree);
  if (with_output)
    {
      look->out = fore_dirs_dup_attempt_path (self->context->home, self->run_id, self->task_key,
                                              get_number (self), "out");
      look->err = fore_dirs_dup_attempt_path (self->context->home, self->run_id, self->task_key,
                                              get_number (self), "err");
    }

  g_task_set_name (task, "look at a check");
  g_task_set_source_tag (task, look_async);
  g_task_set_task_data (task, look, (GDestroyNotify) look_free);
  fore_pool_run (FORE_POOL_FILE, task, look_in_thread);
}

static void
compromise (ForeCheck *check)
{
  g_autofree char *files = check->files != NULL ? g_strjoinv (", ", check->files) : g_strdup ("");

  check->verified = FORE_VERIFIED_COMPROMISED;
  g_free (check->output);
  check->output = g_strdup_printf (
      _ ("The files that decide this check are not those that were approved: %s"), files);
}

static void
looked_after (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ForeCheckRun *self = FORE_CHECK_RUN (source);
  Look *look = g_task_get_task_data (G_TASK (result));
  ForeCheck *check = get_current (self);

  g_free (check->output);
  check->output = g_steal_pointer (&look->output);
  if (!look->hash_intact)
    compromise (check);

  self->position++;
  run_next (self);
}

static void
guard_exited (ForeGuard *guard, const ForeGuardRecord *record, gpointer user_data)
{
  ForeCheckRun *self = user_data;
  ForeCheck *check = get_current (self);

  g_assert (FORE_IS_CHECK_RUN (self));

  check->exit_code = record->reason == FORE_GUARD_REASON_EXITED ? record->exit_code : -1;
  check->ms = (record->end_boot_us - record->start_boot_us) / 1000;
  check->verified = check->exit_code == 0 ? FORE_VERIFIED_YES : FORE_VERIFIED_FAILED;

  g_signal_handlers_disconnect_by_data (guard, self);
  g_clear_object (&self->guard);
  look_async (self, TRUE, looked_after);
}

static void
fail_current (ForeCheckRun *self, const char *problem)
{
  ForeCheck *check = get_current (self);

  check->verified = FORE_VERIFIED_FAILED;
  g_free (check->output);
  check->output = g_strdup (problem);
  self->position++;
  run_next (self);
}

static void
check_started (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeCheckRun) self = user_data;
  g_autoptr (GError) error = NULL;

  self->guard = fore_start_finish (result, &error);
  if (self->guard == NULL)
    {
      fail_current (self, error->message);
      return;
    }

  g_signal_connect (self->guard, "exited", G_CALLBACK (guard_exited), self);
  if (self->stopped)
    fore_guard_end (self->guard);
}

static void
start (ForeCheckRun *self, Look *look)
{
  const ForeAdapter *adapter = fore_adapter_lookup ("command");
  ForeLaunch launch = { 0 };
  ForeGuardLaunch guard = FORE_GUARD_LAUNCH_INIT;

  g_strfreev (self->argv);
  g_strfreev (self->env);
  self->argv = g_steal_pointer (&look->argv);
  self->env = fore_adapter_build_environ (adapter, &launch, self->run_id, self->task_key,
                                          get_number (self), NULL);
  guard.run = self->run_id;
  guard.task = self->task_key;
  guard.n = get_number (self);
  guard.run_dir = self->context->run_dir;
  guard.argv = (const char *const *) self->argv;
  guard.sandbox = fore_sandbox_is_one (guard.argv);
  self->held |= guard.sandbox;
  guard.env = (const char *const *) self->env;
  guard.cwd = self->tree;
  guard.stdin_mode = FORE_GUARD_STDIN_NULL;
  guard.capture_mode = FORE_GUARD_CAPTURE_PIPE;
  guard.capture_limit = OUTPUT_LIMIT;
  guard.grace_ms = GRACE_MS;
  guard.wall_ms = fore_settings_get_duration (self->context->settings, "checks.timeout");

  fore_start_async (self->hub, &guard, NULL, check_started, g_object_ref (self));
}

static gboolean
adopt (ForeCheckRun *self)
{
  if (!self->adopts)
    return FALSE;

  self->guard = fore_guard_adopt (self->hub, self->task_key, get_number (self), NULL);
  if (self->guard != NULL)
    g_signal_connect (self->guard, "exited", G_CALLBACK (guard_exited), self);

  return self->guard != NULL;
}

static void
looked_before (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ForeCheckRun *self = FORE_CHECK_RUN (source);
  Look *look = g_task_get_task_data (G_TASK (result));

  if (self->stopped)
    {
      run_next (self);
      return;
    }

  if (!look->hash_intact)
    {
      compromise (get_current (self));
      self->position++;
      run_next (self);
      return;
    }

  if (adopt (self))
    return;

  if (look->argv != NULL)
    start (self, look);
  else
    fail_current (self, look->problem->message);
}

static void
run_next (ForeCheckRun *self)
{
  if (self->position < self->checks->len && !self->stopped)
    {
      look_async (self, FALSE, looked_before);
      return;
    }

  if (self->task != NULL)
    {
      g_autoptr (GTask) task = g_steal_pointer (&self->task);

      g_task_return_pointer (task, g_ptr_array_ref (self->checks),
                             (GDestroyNotify) g_ptr_array_unref);
    }
}

/**
 * fore_check_run_is_held:
 * @self: a run of checks
 *
 * Returns: whether it started one in a sandbox
 */
gboolean
fore_check_run_is_held (ForeCheckRun *self)
{
  g_return_val_if_fail (FORE_IS_CHECK_RUN (self), FALSE);

  return self->held;
}

/**
 * fore_check_run_stop:
 * @self: a run of checks
 *
 * Ends the command that runs and starts no other.
 */
void
fore_check_run_stop (ForeCheckRun *self)
{
  g_return_if_fail (FORE_IS_CHECK_RUN (self));

  self->stopped = TRUE;
  if (self->guard != NULL)
    fore_guard_end (self->guard);
}

/**
 * fore_check_run_start_async:
 * @self: a run of checks
 * @adopts: whether an earlier runner may have begun: what it started is followed on, not doubled
 * @callback: called when all have run
 * @user_data: data for @callback
 */
void
fore_check_run_start_async (ForeCheckRun *self,
                            gboolean adopts,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_return_if_fail (FORE_IS_CHECK_RUN (self));
  g_return_if_fail (self->task == NULL);

  self->adopts = adopts;
  self->task = g_task_new (self, NULL, callback, user_data);
  g_task_set_name (self->task, "run checks");
  run_next (self);
}

/**
 * fore_check_run_start_finish:
 * @self: a run of checks
 * @result: the result
 * @error: return location for an error
 *
 * Returns: (transfer full) (element-type ForeCheck): the checks with their outcome
 */
GPtrArray *
fore_check_run_start_finish (ForeCheckRun *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * fore_checks_judge:
 * @checks: (element-type ForeCheck): checks that have run
 *
 * Returns: the worst of them; %FORE_VERIFIED_NONE if there is none or one did not run
 */
ForeVerified
fore_checks_judge (GPtrArray *checks)
{
  ForeVerified verdict = FORE_VERIFIED_NONE;

  g_return_val_if_fail (checks != NULL, FORE_VERIFIED_NONE);

  for (guint i = 0; i < checks->len; i++)
    {
      const ForeCheck *check = g_ptr_array_index (checks, i);

      if (check->verified == FORE_VERIFIED_NONE)
        return FORE_VERIFIED_NONE;
      verdict = MAX (verdict, check->verified);
    }

  return verdict;
}

static const char *
find_last_line (char **lines)
{
  for (guint n = g_strv_length (lines); n > 0; n--)
    {
      if (*g_strstrip (lines[n - 1]) != '\0')
        return lines[n - 1];
    }

  return NULL;
}

/**
 * fore_checks_dup_problem:
 * @checks: (element-type ForeCheck): checks that have run
 *
 * Returns: (transfer full) (nullable): one sentence on the first that failed, with the last that it
 *   said; %NULL if none did
 */
char *
fore_checks_dup_problem (GPtrArray *checks)
{
  g_return_val_if_fail (checks != NULL, NULL);

  for (guint i = 0; i < checks->len; i++)
    {
      const ForeCheck *check = g_ptr_array_index (checks, i);
      g_autofree char *label = g_strjoinv (" ", check->argv);
      g_auto (GStrv) lines = g_strsplit (check->output != NULL ? check->output : "", "\n", -1);
      const char *line = find_last_line (lines);
      g_autofree char *said = line != NULL ? fore_text_shorten (line, SAID_CHARS) : NULL;

      if (check->verified != FORE_VERIFIED_FAILED)
        continue;
      if (check->exit_code < 0)
        return said != NULL ? g_strdup_printf (_ ("The check “%s” failed: %s"), label, said)
                            : g_strdup_printf (_ ("The check “%s” did not end."), label);

      return said != NULL ? g_strdup_printf (_ ("The check “%s” ended with exit code %d: %s"),
                                             label, check->exit_code, said)
                          : g_strdup_printf (_ ("The check “%s” ended with exit code %d."), label,
                                             check->exit_code);
    }

  return NULL;
}
