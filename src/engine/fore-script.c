/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-script.h"

#include "model/fore-error.h"
#include "platform/fore-process.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

/**
 * fore_script_check:
 * @path: a script
 * @error: return location for an error; %FORE_ERROR_INVALID with the line of the first mistake in
 *   writing
 *
 * Reads a script without running it. Blocking.
 *
 * Returns: whether it could be run
 */
gboolean
fore_script_check (const char *path, GError **error)
{
  g_autofree char *program = fore_platform_find_program ("foredeck-script");
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *said = NULL;

  g_return_val_if_fail (path != NULL, FALSE);

  if (program == NULL)
    {
      g_set_error_literal (
          error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
          _ ("The program foredeck-script was not found; install Foredeck again."));
      return FALSE;
    }

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDERR_PIPE | G_SUBPROCESS_FLAGS_STDOUT_SILENCE,
                              error, program, "--check", path, NULL);
  if (process == NULL || !g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, &said, error))
    return FALSE;
  if (g_subprocess_get_successful (process))
    return TRUE;

  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_INVALID,
                       said != NULL && *said != '\0' ? g_strchomp (said)
                                                     : _ ("The script cannot be read."));
  return FALSE;
}
