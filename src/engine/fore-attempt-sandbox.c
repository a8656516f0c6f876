/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-attempt-sandbox.h"

#include "agents/fore-calls.h"
#include "engine/fore-sandbox-settings.h"
#include "git/fore-quarantine.h"
#include "git/fore-repository.h"
#include "model/fore-error.h"
#include "model/fore-settings-keys.h"
#include "platform/fore-dirs.h"
#include "platform/fore-files.h"
#include "platform/fore-process.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* What builds and interpreters need of a home; nothing in them is a secret. */
static const char *const tool_folders[] = { ".gitconfig",
                                            ".config/git",
                                            ".gitignore",
                                            ".cargo/bin",
                                            ".cargo/registry",
                                            ".cargo/git",
                                            ".rustup",
                                            ".nvm",
                                            ".volta",
                                            ".fnm",
                                            ".asdf",
                                            ".mise",
                                            ".local/bin",
                                            ".local/lib",
                                            ".local/pipx",
                                            ".local/share/uv",
                                            ".local/share/mise",
                                            ".local/share/fnm",
                                            ".npm-global",
                                            ".bun",
                                            ".deno",
                                            ".pyenv",
                                            ".rbenv",
                                            ".sdkman",
                                            ".m2/repository",
                                            ".gradle/wrapper",
                                            "go",
                                            "bin" };

/* Names are looked up with what lies there; all else there are sockets of services. */
static const char *const run_folders[] = { "/run/systemd/resolve", "/run/resolvconf",
                                           "/run/NetworkManager", "/run/nscd" };

/**
 * fore_attempt_sandbox_get_mode:
 * @settings: settings in force
 *
 * Returns: (transfer none): `required`, `auto` or `off`; what the environment says goes first
 */
const char *
fore_attempt_sandbox_get_mode (ForeSettings *settings)
{
  const char *mode = g_getenv (FORE_SANDBOX_MODE_VARIABLE);

  g_return_val_if_fail (settings != NULL, NULL);

  return mode != NULL && mode[0] != '\0' ? mode
                                         : fore_settings_get_string (settings, "sandbox.mode");
}

/**
 * fore_attempt_sandbox_get_profile:
 * @settings: settings in force
 * @task: a task
 *
 * Returns: (transfer none): the profile that its attempts are held to, where they are
 */
const char *
fore_attempt_sandbox_get_profile (ForeSettings *settings, const ForeTask *task)
{
  g_autofree char *key = NULL;

  g_return_val_if_fail (settings != NULL && task != NULL, NULL);

  key = g_strconcat ("sandbox.profile.", task->role, NULL);
  if (task->role != NULL && fore_setting_keys_find (key) != NULL
      && fore_settings_get_layer (settings, key) != FORE_SETTINGS_DEFAULT)
    return fore_settings_get_string (settings, key);

  /* What a role usually needs is not what this step says that it does. */
  return task->writes ? "workspace-write" : "read-only";
}

static void
add_in (ForeSandbox *sandbox, ForeSandboxAccess access, const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  fore_sandbox_add (sandbox, access, path);
}

static void
hide (const ForeSandboxPlan *plan, ForeSandbox *sandbox)
{
  static const char *const folders[] = { "/tmp", "/var/tmp", "/run" };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    fore_sandbox_add (sandbox, FORE_SANDBOX_HIDDEN, folders[i]);
  for (guint i = 0; i < G_N_ELEMENTS (run_folders); i++)
    fore_sandbox_add (sandbox, FORE_SANDBOX_READ, run_folders[i]);

  fore_sandbox_add (sandbox, FORE_SANDBOX_HIDDEN, g_get_home_dir ());
  fore_sandbox_add (sandbox, FORE_SANDBOX_HIDDEN, plan->context->home);
}

static gboolean
is_in_home (const char *path)
{
  const char *home = g_get_home_dir ();
  gsize length = strlen (home);

  return strncmp (path, home, length) == 0 && path[length] == '/';
}

/* Where a link lies is needed too, if it is not a place for everything. */
static void
open_link (ForeSandbox *sandbox, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  if (g_file_test (path, G_FILE_TEST_IS_SYMLINK) && strcmp (folder, "/tmp") != 0
      && strcmp (folder, "/var/tmp") != 0 && strcmp (folder, g_get_home_dir ()) != 0)
    fore_sandbox_add (sandbox, FORE_SANDBOX_READ, folder);
}

/* Of a package of node all packages beside it are needed. */
static void
open_program (ForeSandbox *sandbox, const char *path)
{
  g_autofree char *real = fore_path_dup_real (path);
  char *packages = real != NULL ? strstr (real, "/node_modules/") : NULL;

  fore_sandbox_add (sandbox, FORE_SANDBOX_READ, path);
  open_link (sandbox, path);
  if (packages == NULL)
    return;

  *packages = '\0';
  fore_sandbox_add (sandbox, FORE_SANDBOX_READ, real);
}

static void
open_tools (ForeSandbox *sandbox)
{
  g_auto (GStrv) path = g_strsplit (g_getenv ("PATH") != NULL ? g_getenv ("PATH") : "", ":", -1);

  for (guint i = 0; i < G_N_ELEMENTS (tool_folders); i++)
    add_in (sandbox, FORE_SANDBOX_READ, g_get_home_dir (), tool_folders[i]);
  for (guint i = 0; path[i] != NULL; i++)
    {
      if (is_in_home (path[i]))
        fore_sandbox_add (sandbox, FORE_SANDBOX_READ, path[i]);
    }
}

/* Files that its own command line names. */
static void
open_words (ForeSandbox *sandbox, const char *const *argv)
{
  open_program (sandbox, argv[0]);
  for (guint i = 1; argv[i] != NULL; i++)
    {
      if (g_path_is_absolute (argv[i]) && g_file_test (argv[i], G_FILE_TEST_IS_REGULAR))
        fore_sandbox_add (sandbox, FORE_SANDBOX_READ, argv[i]);
    }
}

/* What a prompt may name by its path. */
static void
open_run (const ForeSandboxPlan *plan, ForeSandbox *sandbox)
{
  static const char *const folders[] = { "results", "artifacts", "patches" };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    add_in (sandbox, FORE_SANDBOX_READ, plan->context->run_dir, folders[i]);
  if (plan->prompt_path != NULL)
    fore_sandbox_add (sandbox, FORE_SANDBOX_READ, plan->prompt_path);
}

/* It calls its run through a folder, and gets answers that it cannot forge. */
static void
open_calls (const ForeSandboxPlan *plan, ForeSandbox *sandbox)
{
  fore_sandbox_add (sandbox, FORE_SANDBOX_WRITE, plan->calls);
  add_in (sandbox, FORE_SANDBOX_READ, plan->calls, FORE_CALLS_ANSWERS);
  if (plan->context->ctl != NULL)
    open_program (sandbox, plan->context->ctl);
}

/* Where a tree of ours has its place is known; what its files say was written by agents. */
static char *
dup_common_dir (const ForeSandboxPlan *plan)
{
  g_autoptr (ForeRepository) repository = NULL;
  g_autofree char *entries = NULL;

  if (plan->git_dir != NULL)
    {
      entries = g_path_get_dirname (plan->git_dir);
      return g_path_get_dirname (entries);
    }

  repository = fore_repository_open (plan->context->project, NULL);
  return repository != NULL ? g_strdup (fore_repository_get_common_dir (repository)) : NULL;
}

/* Settings that the tree alone has: what is not there could be made. */
static gboolean
keep_settings (ForeSandbox *sandbox, const char *git_dir, GError **error)
{
  static const char *const kept[] = { "commondir", "gitdir", "config.worktree" };
  g_autofree char *settings = g_build_filename (git_dir, "config.worktree", NULL);

  if (!g_file_test (settings, G_FILE_TEST_EXISTS)
      && !g_file_set_contents_full (settings, "", 0, G_FILE_SET_CONTENTS_CONSISTENT, 0644, error))
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    add_in (sandbox, FORE_SANDBOX_READ, git_dir, kept[i]);

  return TRUE;
}

/* Commits can be made, and go elsewhere first; hooks, settings, objects and other people's branches
 * are out of reach.
 */
static gboolean
open_git_dirs (const ForeSandboxPlan *plan,
               ForeSandbox *sandbox,
               const char *common,
               const char *git_dir,
               gboolean write,
               GError **error)
{
  fore_sandbox_add (sandbox, FORE_SANDBOX_READ, common);
  fore_quarantine_add_alternates (common, sandbox);
  if (!write || git_dir == NULL || plan->quarantine == NULL)
    return TRUE;

  fore_sandbox_add (sandbox, FORE_SANDBOX_WRITE, git_dir);
  return keep_settings (sandbox, git_dir, error)
         && fore_quarantine_add (plan->quarantine, common, plan->task->branch, sandbox, error);
}

/* The same for the submodules that have a tree of ours in it. */
static gboolean
open_modules (const ForeSandboxPlan *plan, ForeSandbox *sandbox, gboolean write, GError **error)
{
  g_autoptr (ForeRepository) tree = fore_repository_open_tree (plan->git_dir, plan->tree, NULL);
  g_autoptr (GPtrArray) modules = NULL;

  if (tree == NULL)
    return TRUE;

  modules = fore_repository_list_module_trees (tree);
  for (guint i = 0; i < modules->len; i++)
    {
      const ForeWorktree *module = modules->pdata[i];
      g_autofree char *entries = g_path_get_dirname (module->git_dir);
      g_autofree char *common = g_path_get_dirname (entries);

      add_in (sandbox, FORE_SANDBOX_READ, module->path, ".git");
      if (!open_git_dirs (plan, sandbox, common, module->git_dir, write, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
open_git (const ForeSandboxPlan *plan, ForeSandbox *sandbox, gboolean write, GError **error)
{
  g_autofree char *common = dup_common_dir (plan);

  add_in (sandbox, FORE_SANDBOX_READ, plan->tree, ".git");
  if (common == NULL)
    return TRUE;

  return open_git_dirs (plan, sandbox, common, plan->git_dir, write, error)
         && (plan->git_dir == NULL || open_modules (plan, sandbox, write, error));
}

static void
open_setting (ForeSandbox *sandbox,
              ForeSettings *settings,
              const char *key,
              ForeSandboxAccess access)
{
  const char *const *paths = fore_settings_get_strv (settings, key);

  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    {
      if (g_str_has_prefix (paths[i], "~/"))
        add_in (sandbox, access, g_get_home_dir (), paths[i] + 2);
      else
        fore_sandbox_add (sandbox, access, paths[i]);
    }
}

static gboolean
fill (const ForeSandboxPlan *plan, ForeSandbox *sandbox, const char *const *argv, GError **error)
{
  gboolean write = strcmp (fore_sandbox_get_profile (sandbox), "read-only") != 0;

  hide (plan, sandbox);
  open_tools (sandbox);
  open_words (sandbox, argv);
  open_run (plan, sandbox);
  if (plan->readable != NULL)
    fore_sandbox_add (sandbox, FORE_SANDBOX_READ, plan->readable);
  if (plan->calls != NULL)
    open_calls (plan, sandbox);
  if (plan->memory != NULL)
    fore_sandbox_add (sandbox, FORE_SANDBOX_WRITE, plan->memory);
  fore_sandbox_add (sandbox, FORE_SANDBOX_READ, plan->context->project);
  fore_sandbox_add (sandbox, write ? FORE_SANDBOX_WRITE : FORE_SANDBOX_READ, plan->tree);
  fore_adapter_open_home (plan->adapter, sandbox);
  open_setting (sandbox, plan->context->settings, "sandbox.readable", FORE_SANDBOX_READ);
  if (write)
    open_setting (sandbox, plan->context->settings, "sandbox.writable", FORE_SANDBOX_WRITE);

  return open_git (plan, sandbox, write, error);
}

static ForeSandbox *
make (const ForeSandboxPlan *plan, const char *const *argv, GError **error)
{
  const char *profile = fore_attempt_sandbox_get_profile (plan->context->settings, plan->task);
  g_autoptr (ForeSandbox) sandbox = fore_sandbox_new (profile);
  ForeSettings *settings = plan->context->settings;

  if (strcmp (profile, "full") != 0 && !fill (plan, sandbox, argv, error))
    return NULL;
  if (strcmp (plan->adapter->name, "command") == 0
      && g_strcmp0 (fore_settings_get_string (settings, "sandbox.command_network"), "cut") == 0)
    fore_sandbox_cut_network (sandbox);

  return g_steal_pointer (&sandbox);
}

/**
 * fore_attempt_sandbox_wrap:
 * @plan: what is to be held to what
 * @argv: (inout): its command line; afterwards that of the sandbox that it runs in
 * @problem: (out) (nullable) (transfer full): one sentence: why there is none, though one was
 *     wanted
 * @error: return location for an error; %FORE_ERROR_ENVIRONMENT where one is required
 *
 * Puts an attempt into a sandbox, as the settings ask for one and the system has one. Blocking.
 *
 * Returns: whether it may be started
 */
gboolean
fore_attempt_sandbox_wrap (const ForeSandboxPlan *plan, GStrv *argv, char **problem, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (ForeSandbox) sandbox = NULL;
  g_autofree char *program = NULL;
  const char *mode;
  GStrv wrapped;

  g_return_val_if_fail (plan != NULL && argv != NULL && problem != NULL, FALSE);

  if (!fore_sandbox_settings_check_mode (error))
    return FALSE;

  mode = fore_attempt_sandbox_get_mode (plan->context->settings);
  if (g_strcmp0 (mode, "off") == 0)
    return TRUE;

  if (plan->adapter->bare && g_strcmp0 (mode, "required") != 0)
    {
      *problem = g_strdup_printf (_ ("%s does not work inside another sandbox."),
                                  plan->adapter->title);
      return TRUE;
    }

  program = fore_sandbox_find (&local_error);
  if (program == NULL && g_strcmp0 (mode, "required") != 0)
    *problem = g_strdup (local_error->message);
  if (program == NULL && *problem == NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  if (program == NULL)
    return *problem != NULL;

  sandbox = make (plan, (const char *const *) *argv, error);
  if (sandbox == NULL)
    return FALSE;

  wrapped = fore_sandbox_wrap (sandbox, program, (const char *const *) *argv);
  g_strfreev (*argv);
  *argv = wrapped;

  return TRUE;
}

/**
 * fore_attempt_sandbox_check:
 * @settings: settings in force
 * @error: return location for an error
 *
 * Blocking.
 *
 * Returns: %FALSE with %FORE_ERROR_ENVIRONMENT where a sandbox is required and there is none, with
 *   %FORE_ERROR_USAGE where the environment says nonsense
 */
gboolean
fore_attempt_sandbox_check (ForeSettings *settings, GError **error)
{
  g_autofree char *program = NULL;

  g_return_val_if_fail (settings != NULL, FALSE);

  if (!fore_sandbox_settings_check_mode (error))
    return FALSE;
  if (g_strcmp0 (fore_attempt_sandbox_get_mode (settings), "required") != 0)
    return TRUE;

  program = fore_sandbox_find (error);
  return program != NULL;
}

/**
 * fore_attempt_sandbox_dup_problem:
 * @settings: settings in force
 *
 * Blocking.
 *
 * Returns: (transfer full) (nullable): one sentence: why agents will run without the sandbox that
 *     is asked for, or %NULL if they will not
 */
char *
fore_attempt_sandbox_dup_problem (ForeSettings *settings)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *program = NULL;

  g_return_val_if_fail (settings != NULL, NULL);

  if (g_strcmp0 (fore_attempt_sandbox_get_mode (settings), "off") == 0)
    return NULL;

  program = fore_sandbox_find (&error);
  return program == NULL ? g_strdup (error->message) : NULL;
}
