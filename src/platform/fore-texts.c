/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-texts.h"

#include "platform/fore-process-private.h"

#include <glib/gi18n-lib.h>
#include <locale.h>

/**
 * fore_texts_dup_dir:
 *
 * Looks in `FOREDECK_LOCALE` (and nowhere else if that is set), in the share folder beside the
 * folder of this program, as in a bundle that can be moved, and where it was installed to.
 *
 * Returns: (transfer full): the folder of the translations; it may be missing
 */
char *
fore_texts_dup_dir (void)
{
  static const char *const places[] = { "../share/locale", "../../share/locale" };
  const char *chosen = g_getenv ("FOREDECK_LOCALE");
  g_autofree char *self = NULL;
  g_autofree char *dir = NULL;

  if (chosen != NULL && *chosen != '\0')
    return g_strdup (chosen);

  self = fore_process_system_dup_self ();
  dir = self == NULL ? NULL : g_path_get_dirname (self);
  for (guint i = 0; dir != NULL && i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *path = g_build_filename (dir, places[i], NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        return g_canonicalize_filename (path, NULL);
    }

  return g_strdup (FORE_LOCALEDIR);
}

/**
 * fore_texts_bind:
 *
 * Sets the locale that the person chose, and where the texts of this program are found in their
 * language. Comes first in a program.
 */
void
fore_texts_bind (void)
{
  g_autofree char *dir = fore_texts_dup_dir ();

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, dir);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}
