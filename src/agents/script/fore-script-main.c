/* SPDX-License-Identifier: GPL-3.0-or-later */

/* foredeck-script: carries one script out, as the agent of its task. It is a process of its own so
 * that nothing a script does can hold up or end the run, and so that ending it ends everything.
 */

#include "config.h"

#include "agents/script/fore-script-host.h"
#include "agents/script/fore-script-output.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

static char *name;
static char *memory;
static gboolean check;

static const GOptionEntry entries[] = {
  { "name", 0, 0, G_OPTION_ARG_STRING, &name, NULL, NULL },
  { "memory", 0, 0, G_OPTION_ARG_FILENAME, &memory, NULL, NULL },
  { "check", 0, 0, G_OPTION_ARG_NONE, &check, NULL, NULL },
  { NULL, 0, 0, 0, NULL, NULL, NULL },
};

/* In the middle of anything: nothing is given back. */
static void
say_last_word (const char *message)
{
  if (check)
    g_printerr ("%s\n", message);
  else
    fore_script_output_error (message);
  _exit (1);
}

static gboolean
run (const char *path, GError **error)
{
  g_autoptr (ForeScriptLimits) limits = fore_script_limits_new (say_last_word);
  g_autoptr (ForeScriptHost) host = NULL;
  g_autofree char *text = NULL;
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *result = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, error))
    return FALSE;

  host = fore_script_host_new (limits, check ? NULL : memory, error);
  if (host == NULL
      || !fore_script_host_load (host, name != NULL ? name : base, text, length, error))
    return FALSE;
  if (check)
    return TRUE;

  result = fore_script_host_run (host, error);
  if (result != NULL)
    fore_script_output_result (result);

  return result != NULL;
}

/* No locale is set: what Lua makes of numbers and letters is the same everywhere. */
int
main (int argc, char *argv[])
{
  g_autoptr (GOptionContext) context = g_option_context_new ("SCRIPT");
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("%s\n", error->message);
      return 2;
    }
  if (argc != 2 || (!check && memory == NULL))
    {
      g_printerr ("foredeck-script --memory FILE SCRIPT, or --check SCRIPT\n");
      return 2;
    }

  if (run (argv[1], &error))
    return 0;

  if (check)
    g_printerr ("%s\n", error->message);
  else
    fore_script_output_error (error->message);
  return 1;
}
