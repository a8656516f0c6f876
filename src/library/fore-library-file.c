/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-library-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "library/fore-library-text.h"
#include "library/fore-workflow-check.h"
#include "model/fore-error.h"

/* What a file is, by its name; an agent's name says nothing, so its folder has to. */
static ForeLibraryKind
guess_kind (const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *name = g_path_get_basename (absolute);
  g_autofree char *folder = g_path_get_dirname (absolute);

  if (g_str_has_suffix (name, ".workflow.md"))
    return FORE_KIND_WORKFLOW;
  if (g_str_has_suffix (name, ".team.md"))
    return FORE_KIND_TEAM;
  if (strcmp (name, "SKILL.md") == 0)
    return FORE_KIND_SKILL;

  return g_str_has_suffix (folder, G_DIR_SEPARATOR_S "agents") ? FORE_KIND_AGENT
                                                               : FORE_KIND_WORKFLOW;
}

static void
check_workflow (ForeLibrary *self, ForeWorkflow *workflow, GPtrArray *diagnostics)
{
  g_autoptr (ForeTeam) team = NULL;

  if (workflow->team != NULL)
    {
      fore_library_check_object (self, FORE_KIND_WORKFLOW, workflow, diagnostics);
      return;
    }

  team = fore_library_dup_team_for_workflow (self, workflow);
  fore_library_check_skills (self, workflow, diagnostics);
  fore_workflow_validate (workflow, team, self, diagnostics);
}

/**
 * fore_library_validate_file:
 * @self: a library, where what the file names is looked up
 * @path: a file of an agent, a team, a workflow or a skill, wherever it lies
 * @diagnostics: (element-type ForeDiagnostic): where to say what is wrong
 * @error: return location for an error
 *
 * Checks one file as if it stood in the library: a workflow against the team that would carry it
 * out. Blocks on the disk.
 *
 * Returns: %FALSE with %FORE_ERROR_NOT_FOUND if there is no such file
 */
gboolean
fore_library_validate_file (ForeLibrary *self,
                            const char *path,
                            GPtrArray *diagnostics,
                            GError **error)
{
  ForeLibraryKind kind;
  g_autofree char *text = NULL;
  gpointer object = NULL;
  gsize length;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (diagnostics != NULL, FALSE);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("There is no file %s. Check the path."), path);
      return FALSE;
    }

  kind = guess_kind (path);
  text = fore_library_text_read (path, FORE_LIBRARY_MAX_FILE, TRUE, &length, diagnostics);
  if (text != NULL)
    object = fore_library_kind_parse (kind, text, length, path, FORE_LAYER_FILE, diagnostics);
  else
    fore_diagnostics_add (diagnostics, FORE_DIAGNOSTIC_ERROR, path, 0, 0, NULL,
                          _ ("This file could not be read, and so not be checked."));
  if (object == NULL)
    return TRUE;

  if (kind == FORE_KIND_WORKFLOW)
    check_workflow (self, object, diagnostics);
  else
    fore_library_check_object (self, kind, object, diagnostics);
  fore_library_kind_unref (kind, object);

  return TRUE;
}
