/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter.h"

#include "agents/fore-adapter-private.h"
#include "model/fore-error.h"
#include "platform/fore-process.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The first of those that are there is the default. */
static const ForeAdapter *const adapters[] = { &fore_adapter_claude,   &fore_adapter_pi,
                                               &fore_adapter_codex,    &fore_adapter_gemini,
                                               &fore_adapter_opencode, &fore_adapter_acp,
                                               &fore_adapter_command,  &fore_adapter_demo,
                                               &fore_adapter_script,   NULL };

static const char *const common_names[] = {
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "LC_*",
  "TZ",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_CACHE_HOME",
  "XDG_STATE_HOME",
  "http_proxy",
  "https_proxy",
  "ftp_proxy",
  "no_proxy",
  "all_proxy",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "FTP_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  NULL,
};

/**
 * fore_adapter_lookup:
 * @name: (nullable): name of an adapter
 *
 * Returns: (transfer none) (nullable): the adapter, or %NULL if there is none of that name
 */
const ForeAdapter *
fore_adapter_lookup (const char *name)
{
  for (guint i = 0; adapters[i] != NULL; i++)
    {
      if (g_strcmp0 (adapters[i]->name, name) == 0)
        return adapters[i];
    }

  return NULL;
}

/**
 * fore_adapter_list:
 *
 * Returns: (transfer none) (array zero-terminated=1): all adapters, in the order of preference
 */
const ForeAdapter *const *
fore_adapter_list (void)
{
  return adapters;
}

/* Where package managers of one person put programs, which a session started from a desktop often
 * does not have in its PATH.
 */
static char *
find_in_home (const char *program)
{
  static const char *const folders[] = { ".local/bin", "bin",        ".npm-global/bin",
                                         ".bun/bin",   ".volta/bin", ".claude/local" };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = g_build_filename (g_get_home_dir (), folders[i], program, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test (path, G_FILE_TEST_IS_DIR))
        return g_steal_pointer (&path);
    }

  return NULL;
}

/**
 * fore_adapter_find_program:
 * @adapter: an adapter
 * @error: return location for an error
 *
 * Finds the program of an agent CLI: our own beside the programs of ours, any other in `PATH` and
 * in the usual folders of the home. The adapter for commands has no program of its own and gives
 * its name.
 *
 * Returns: (transfer full): its path, or %NULL with %FORE_ERROR_NOT_FOUND
 */
char *
fore_adapter_find_program (const ForeAdapter *adapter, GError **error)
{
  char *path;

  g_return_val_if_fail (adapter != NULL, NULL);

  if (adapter->program == NULL)
    return g_strdup (adapter->name);

  if (g_str_has_prefix (adapter->program, "foredeck-"))
    path = fore_platform_find_program (adapter->program);
  else
    path = g_find_program_in_path (adapter->program);
  if (path == NULL)
    path = find_in_home (adapter->program);

  if (path == NULL && adapter->install != NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("%s was not found; install it with “%s”, or choose another agent"),
                 adapter->title, adapter->install);
  else if (path == NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("%s was not found; install the program “%s” or choose another agent"),
                 adapter->title, adapter->program);

  return path;
}

/**
 * fore_adapter_find:
 * @adapter: an adapter
 * @cancellable: (nullable): a cancellable
 *
 * Finds out whether an agent CLI is there and can be used: runs it for its version and looks for a
 * login. Blocks up to half a minute.
 *
 * Returns: (transfer full): what was found; with @problem set if it cannot be used
 */
ForeAgentFound *
fore_adapter_find (const ForeAdapter *adapter, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *program = NULL;
  ForeAgentFound *found;

  g_return_val_if_fail (adapter != NULL, NULL);

  program = fore_adapter_find_program (adapter, &error);
  if (program != NULL)
    return adapter->find (program, cancellable);

  found = g_new0 (ForeAgentFound, 1);
  found->problem = g_strdup (error->message);

  return found;
}

/**
 * fore_adapter_launch:
 * @adapter: an adapter
 * @request: what is wanted
 * @error: return location for an error
 *
 * Says how to start an attempt.
 *
 * Returns: (transfer full): argv and the like, or %NULL if it cannot be started so
 */
ForeLaunch *
fore_adapter_launch (const ForeAdapter *adapter, const ForeLaunchRequest *request, GError **error)
{
  g_return_val_if_fail (adapter != NULL, NULL);
  g_return_val_if_fail (request != NULL, NULL);
  g_return_val_if_fail (request->program != NULL || adapter->program == NULL, NULL);
  g_return_val_if_fail (request->prompt != NULL && request->cwd != NULL, NULL);

  if (request->live ? !adapter->live : !adapter->one_shot)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   request->live
                       ? _ ("%s cannot be used as a live session; take “live” from the step")
                       : _ ("%s can only be used as a live session; add “live” to the step"),
                   adapter->title);
      return NULL;
    }

  return adapter->launch (request, error);
}

/**
 * fore_adapter_new_decoder:
 * @adapter: an adapter
 * @live: whether it is for a live session
 *
 * Returns: (transfer full): a decoder of what its CLI prints
 */
ForeDecoder *
fore_adapter_new_decoder (const ForeAdapter *adapter, gboolean live)
{
  g_return_val_if_fail (adapter != NULL, NULL);

  if (live && adapter->live_decoder_class != NULL)
    return fore_decoder_new (adapter->live_decoder_class, TRUE);

  return fore_decoder_new (adapter->decoder_class, FALSE);
}

#define MAX_SESSION 200

static gboolean
is_plain (const char *session)
{
  if (!g_ascii_isalnum (*session) || strlen (session) > MAX_SESSION)
    return FALSE;

  for (const char *c = session; *c != '\0'; c++)
    {
      if (!g_ascii_isalnum (*c) && strchr ("._:-", *c) == NULL)
        return FALSE;
    }

  return TRUE;
}

/**
 * fore_adapter_may_take_up:
 * @adapter: an adapter with live sessions
 * @session: id that its CLI gave to a session
 *
 * Looks whether that conversation can be gone on with, as far as that is known beforehand. An id is
 * what an agent printed, and becomes a word of a command line: one that is no plain word is no id.
 * Blocks.
 *
 * Returns: whether to try
 */
gboolean
fore_adapter_may_take_up (const ForeAdapter *adapter, const char *session)
{
  g_return_val_if_fail (adapter != NULL && session != NULL, FALSE);

  return is_plain (session) && (adapter->has_session == NULL || adapter->has_session (session));
}

/* Without calls and copies where the first letter tells: a hundred variables are held against
 * thirty patterns at each start of a task.
 */
static gboolean
matches (const char *const *patterns, const char *name, gsize length)
{
  for (guint i = 0; patterns != NULL && patterns[i] != NULL; i++)
    {
      const char *pattern = patterns[i];
      gsize n = 0;

      while (n < length && pattern[n] == name[n])
        n++;
      if ((n == length && pattern[n] == '\0') || (pattern[n] == '*' && pattern[n + 1] == '\0'))
        return TRUE;
    }

  return FALSE;
}

static void
put_variable (GPtrArray *variables, const char *variable, gsize length)
{
  for (guint i = 0; i < variables->len; i++)
    {
      const char *other = g_ptr_array_index (variables, i);

      if (strncmp (other, variable, length) == 0 && other[length] == '=')
        {
          g_free (g_ptr_array_index (variables, i));
          g_ptr_array_index (variables, i) = g_strdup (variable);
          return;
        }
    }

  g_ptr_array_add (variables, g_strdup (variable));
}

static GStrv
copy_allowed (const ForeAdapter *adapter)
{
  g_auto (GStrv) inherited = g_get_environ ();
  GPtrArray *result = g_ptr_array_new ();

  for (guint i = 0; inherited[i] != NULL; i++)
    {
      const char *name = inherited[i];
      gsize length = strcspn (name, "=");

      if (length > 0 && name[length] == '='
          && (matches (common_names, name, length) || matches (adapter->env_names, name, length)))
        put_variable (result, name, length);
    }
  g_ptr_array_add (result, NULL);

  return (GStrv) g_ptr_array_free (result, FALSE);
}

static GStrv
add_launch_variables (GStrv env, const ForeLaunch *launch)
{
  for (guint i = 0; launch != NULL && launch->env != NULL && launch->env[i] != NULL; i++)
    {
      const char *equals = strchr (launch->env[i], '=');
      g_autofree char *name = NULL;

      if (equals == NULL)
        continue;

      name = g_strndup (launch->env[i], equals - launch->env[i]);
      env = g_environ_setenv (env, name, equals + 1, TRUE);
    }

  return env;
}

/**
 * fore_adapter_make_environs:
 *
 * Returns: (transfer full) (element-type utf8 GStrv): by the name of each adapter what its agents
 *   get of our environment as it is now, for fore_adapter_complete_environ(); for who starts many
 */
GHashTable *
fore_adapter_make_environs (void)
{
  GHashTable *environs = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                                (GDestroyNotify) g_strfreev);

  for (guint i = 0; adapters[i] != NULL; i++)
    g_hash_table_insert (environs, (char *) adapters[i]->name, copy_allowed (adapters[i]));

  return environs;
}

/**
 * fore_adapter_complete_environ:
 * @env: (transfer full): what an agent gets of our environment
 * @launch: (nullable): how the attempt is started
 * @run: id of the run
 * @task: key of the task
 * @attempt: number of the attempt
 * @tmp_dir: (nullable): folder for temporary files
 *
 * Adds what is of this attempt. Its depth is one more than ours.
 *
 * Returns: (transfer full): NAME=VALUE, %NULL-terminated
 */
GStrv
fore_adapter_complete_environ (GStrv env,
                               const ForeLaunch *launch,
                               const char *run,
                               const char *task,
                               guint attempt,
                               const char *tmp_dir)
{
  const char *outer = g_getenv (FORE_MARKER_DEPTH);
  guint64 depth = outer != NULL ? g_ascii_strtoull (outer, NULL, 10) : 0;
  g_autofree char *attempt_text = g_strdup_printf ("%u", attempt);
  g_autofree char *depth_text = g_strdup_printf ("%u", (guint) MIN (depth, 1000) + 1);

  g_return_val_if_fail (env != NULL, NULL);
  g_return_val_if_fail (run != NULL && task != NULL, env);

  env = add_launch_variables (env, launch);
  env = g_environ_setenv (env, "TERM", "dumb", TRUE);
  env = g_environ_setenv (env, "NO_COLOR", "1", TRUE);
  if (tmp_dir != NULL)
    env = g_environ_setenv (env, "TMPDIR", tmp_dir, TRUE);
  env = g_environ_setenv (env, FORE_MARKER_RUN, run, TRUE);
  env = g_environ_setenv (env, FORE_MARKER_TASK, task, TRUE);
  env = g_environ_setenv (env, FORE_MARKER_ATTEMPT, attempt_text, TRUE);

  return g_environ_setenv (env, FORE_MARKER_DEPTH, depth_text, TRUE);
}

/**
 * fore_adapter_build_environ:
 * @adapter: an adapter
 * @launch: (nullable): how the attempt is started
 * @run: id of the run
 * @task: key of the task
 * @attempt: number of the attempt
 * @tmp_dir: (nullable): folder for temporary files
 *
 * Makes the environment of an attempt out of what is allowed of ours.
 *
 * Returns: (transfer full): NAME=VALUE, %NULL-terminated
 */
GStrv
fore_adapter_build_environ (const ForeAdapter *adapter,
                            const ForeLaunch *launch,
                            const char *run,
                            const char *task,
                            guint attempt,
                            const char *tmp_dir)
{
  g_return_val_if_fail (adapter != NULL, NULL);
  g_return_val_if_fail (run != NULL && task != NULL, NULL);

  return fore_adapter_complete_environ (copy_allowed (adapter), launch, run, task, attempt,
                                        tmp_dir);
}

/**
 * fore_agent_found_free:
 * @found: (transfer full) (nullable): what was found
 *
 * Frees @found.
 */
void
fore_agent_found_free (ForeAgentFound *found)
{
  if (found == NULL)
    return;

  g_free (found->path);
  g_free (found->version);
  g_free (found->login);
  g_free (found->problem);
  g_free (found);
}

/**
 * fore_launch_free:
 * @launch: (transfer full) (nullable): a launch
 *
 * Frees @launch.
 */
void
fore_launch_free (ForeLaunch *launch)
{
  if (launch == NULL)
    return;

  g_strfreev (launch->argv);
  g_strfreev (launch->env);
  g_free (launch);
}
