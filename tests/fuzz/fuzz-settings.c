/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <unistd.h>

#include "library/fore-knowledge.h"
#include "library/fore-settings.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static const char *
get_path (void)
{
  static char *path;

  if (path == NULL)
    path = g_strdup_printf ("%s/fore-fuzz-settings-%d.json", g_get_tmp_dir (), (int) getpid ());

  return path;
}

/* Any bytes may be a file of settings, of a person or of a project, or of knowledge. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = g_utf8_make_valid ((const char *) data, (gssize) size);
  g_autofree char *conventions = fore_knowledge_dup_conventions (text, 100);
  g_autofree char *sections = fore_knowledge_dup_sections (text, "testing the parser", 100);

  if (!g_file_set_contents_full (get_path (), (const char *) data, (gssize) size,
                                 G_FILE_SET_CONTENTS_NONE, 0600, NULL))
    fuzz_fail ("the file was not written");
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GPtrArray) found = fore_diagnostics_new ();
      g_autoptr (ForeSettings) settings = fore_settings_load_one (
          get_path (), i == 0 ? FORE_SETTINGS_USER : FORE_SETTINGS_PROJECT, found);

      if (settings == NULL)
        continue;
      fore_settings_get_commands (settings, "checks.commands");
      fore_settings_get_int (settings, "limits.run_agents");
      fore_settings_get_hooks (settings);
    }
  if (conventions != NULL && !g_utf8_validate (conventions, -1, NULL))
    fuzz_fail ("conventions are not UTF-8");
  if (sections != NULL && !g_utf8_validate (sections, -1, NULL))
    fuzz_fail ("sections are not UTF-8");

  return 0;
}
