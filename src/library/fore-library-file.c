/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-library-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "library/fore-library-text.h"
#include "library/fore-workflow-check.h"
#include "model/fore-error.h"

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

/* The object is handed out for what only a caller can check. */
static void
give_object (ForeLibraryKind kind, gpointer object, ForeAgentDef **agent, ForeWorkflow **workflow)
{
  if (kind == FORE_KIND_AGENT && agent != NULL)
    *agent = object;
  else if (kind == FORE_KIND_WORKFLOW && workflow != NULL)
    *workflow = object;
  else
    fore_library_kind_unref (kind, object);
}

/**
 * fore_library_validate_file:
 * @self: a library, where what the file names is looked up
 * @path: a file of an agent, a team, a workflow or a skill, wherever it lies
 * @word: (inout): `agent`, `team`, `workflow` or `skill`, or %NULL to find out; gets what it is
 * @agent: (out) (optional) (nullable) (transfer full): the agent, if it is one
 * @workflow: (out) (optional) (nullable) (transfer full): the workflow, if it is one
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
                            const char **word,
                            ForeAgentDef **agent,
                            ForeWorkflow **workflow,
                            GPtrArray *diagnostics,
                            GError **error)
{
  ForeLibraryKind kind;
  g_autofree char *text = NULL;
  gpointer object = NULL;
  gsize length;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (path != NULL && word != NULL, FALSE);
  g_return_val_if_fail (diagnostics != NULL, FALSE);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("There is no file %s. Check the path."), path);
      return FALSE;
    }

  text = fore_library_text_read (path, FORE_LIBRARY_MAX_FILE, TRUE, &length, diagnostics);
  if (*word == NULL || !fore_library_kind_from_string (*word, &kind))
    kind = fore_library_guess_kind (path, text);
  *word = fore_library_kind_to_string (kind);
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
  give_object (kind, object, agent, workflow);

  return TRUE;
}
