/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter-private.h"
#include "agents/fore-decoder-private.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>

#define VERSION_SECONDS 30

typedef struct
{
  GMainLoop *loop;
  GSubprocess *process;
  char *output;
  gboolean timed_out;
} VersionRun;

void
fore_argv_add (GPtrArray *argv, const char *argument)
{
  g_ptr_array_add (argv, g_strdup (argument));
}

/* Nothing is added for an option without a value. */
void
fore_argv_add_option (GPtrArray *argv, const char *option, const char *value)
{
  if (value == NULL)
    return;

  fore_argv_add (argv, option);
  fore_argv_add (argv, value);
}

GStrv
fore_argv_finish (GPtrArray *argv)
{
  g_ptr_array_add (argv, NULL);

  return (GStrv) g_ptr_array_free (argv, FALSE);
}

/* Returns (transfer full): a list of strings as JSON, which is a list in TOML too. */
char *
fore_argv_dup_json (const char *const *words)
{
  g_autoptr (GString) list = g_string_new ("[");

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *quoted = fore_decoder_quote (words[i]);

      g_string_append_printf (list, "%s%s", i > 0 ? "," : "", quoted);
    }
  g_string_append_c (list, ']');

  return g_strdup (list->str);
}

static void
on_version_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  VersionRun *run = user_data;

  g_assert (G_IS_SUBPROCESS (source));

  g_subprocess_communicate_utf8_finish (G_SUBPROCESS (source), result, &run->output, NULL, NULL);
  g_main_loop_quit (run->loop);
}

static gboolean
on_version_timeout (gpointer user_data)
{
  VersionRun *run = user_data;

  g_assert (run->process != NULL);

  run->timed_out = TRUE;
  g_subprocess_force_exit (run->process);

  return G_SOURCE_REMOVE;
}

static GSubprocess *
start_version (const char *program)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);

  g_subprocess_launcher_unsetenv (launcher, "CLAUDECODE");
  g_subprocess_launcher_set_cwd (launcher, g_get_tmp_dir ());

  return g_subprocess_launcher_spawn (launcher, NULL, program, "--version", NULL);
}

/**
 * fore_adapter_run_version:
 * @program: path of a program
 * @cancellable: (nullable): a cancellable
 *
 * Runs `program --version`; blocks up to half a minute and does not touch the caller's main loop.
 *
 * Returns: (transfer full) (nullable): the first line it printed, %NULL if it failed
 */
char *
fore_adapter_run_version (const char *program, GCancellable *cancellable)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GSource) timeout = g_timeout_source_new_seconds (VERSION_SECONDS);
  VersionRun run = { 0 };
  char *version = NULL;

  g_main_context_push_thread_default (context);
  run.process = start_version (program);
  if (run.process != NULL)
    {
      run.loop = g_main_loop_new (context, FALSE);
      g_source_set_callback (timeout, on_version_timeout, &run, NULL);
      g_source_attach (timeout, context);
      g_subprocess_communicate_utf8_async (run.process, NULL, cancellable, on_version_read, &run);
      g_main_loop_run (run.loop);
      g_source_destroy (timeout);
      if (!run.timed_out && run.output != NULL && g_subprocess_get_if_exited (run.process)
          && g_subprocess_get_exit_status (run.process) == 0)
        version = fore_text_first_line (run.output, 80);
      g_main_loop_unref (run.loop);
    }
  g_main_context_pop_thread_default (context);

  g_clear_object (&run.process);
  g_free (run.output);

  return version;
}

ForeAgentFound *
fore_agent_found_new (const char *program, GCancellable *cancellable)
{
  ForeAgentFound *found = g_new0 (ForeAgentFound, 1);

  found->path = g_strdup (program);
  found->version = fore_adapter_run_version (program, cancellable);
  found->usable = found->version != NULL;
  if (!found->usable)
    found->problem = g_strdup_printf (
        _ ("%s could not be started for its version; run “%s --version” in a terminal to see why"),
        program, program);

  return found;
}

/* A guess that costs nothing: whether there is a file or a variable with which it could log in. */
void
fore_agent_found_set_login (ForeAgentFound *found,
                            const char *const *files,
                            const char *const *variables)
{
  for (guint i = 0; variables[i] != NULL; i++)
    {
      const char *value = g_getenv (variables[i]);

      if (value != NULL && *value != '\0')
        {
          found->login = g_strdup_printf (_ ("key in %s"), variables[i]);
          return;
        }
    }

  for (guint i = 0; files[i] != NULL; i++)
    {
      if (g_file_test (files[i], G_FILE_TEST_EXISTS))
        {
          found->login = g_strdup_printf (_ ("login in %s"), files[i]);
          return;
        }
    }

  found->no_login = TRUE;
  found->login = g_strdup (_ ("no login found"));
}

static gboolean
has_file (const char *folder, const char *suffix)
{
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  const char *name;

  while (files != NULL && (name = g_dir_read_name (files)) != NULL)
    {
      if (g_str_has_suffix (name, suffix))
        return TRUE;
    }

  return FALSE;
}

/* Whether a file that ends so lies in a folder of @folder. */
gboolean
fore_adapter_find_session_file (const char *folder, const char *suffix)
{
  g_autoptr (GDir) folders = g_dir_open (folder, 0, NULL);
  const char *name;

  while (folders != NULL && (name = g_dir_read_name (folders)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (has_file (path, suffix))
        return TRUE;
    }

  return FALSE;
}
