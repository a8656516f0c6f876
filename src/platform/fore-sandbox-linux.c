/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-sandbox-private.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "model/fore-error.h"
#include "platform/fore-program.h"

#define TRY_MS 10000

static gboolean
try (const char *program)
{
  /* All that a profile asks of the system. */
  const char *const argv[] = { program,
                               "--unshare-pid",
                               "--die-with-parent",
                               "--unshare-net",
                               "--ro-bind",
                               "/",
                               "/",
                               "--dev",
                               "/dev",
                               "--proc",
                               "/proc",
                               "--tmpfs",
                               "/tmp",
                               "--",
                               "/bin/true",
                               NULL };
  g_auto (ForeProgram) run = { .argv = argv, .timeout_ms = TRY_MS };

  return fore_program_run (&run, NULL) && run.exit_code == 0;
}

char *
fore_sandbox_system_find (GError **error)
{
  g_autofree char *program = g_find_program_in_path ("bwrap");

  if (program == NULL)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                           _ ("Bubblewrap is not installed; install it to hold agents to their "
                              "trees"));
      return NULL;
    }

  if (!try (program))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("This system does not let %s make sandboxes; allow user namespaces"),
                   program);
      return NULL;
    }

  return g_steal_pointer (&program);
}

/* It could mount the file system anew otherwise; files it may treat as before. */
void
fore_sandbox_system_add_powers (GPtrArray *argv)
{
  static const char *const kept[] = { "CAP_CHOWN",  "CAP_DAC_OVERRIDE", "CAP_FOWNER",
                                      "CAP_FSETID", "CAP_SETGID",       "CAP_SETUID" };

  if (geteuid () != 0)
    return;

  g_ptr_array_add (argv, g_strdup ("--cap-drop"));
  g_ptr_array_add (argv, g_strdup ("ALL"));
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    {
      g_ptr_array_add (argv, g_strdup ("--cap-add"));
      g_ptr_array_add (argv, g_strdup (kept[i]));
    }
}
