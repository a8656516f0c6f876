/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter.h"
#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-library.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-page.h"
#include "engine/fore-script.h"
#include "library/fore-library.h"
#include "library/fore-settings.h"
#include "library/fore-workflow-script.h"
#include "model/fore-nearest.h"
#include "text/fore-text.h"

#include <glib/gi18n.h>
#include <string.h>

/* What is checked: the person's library together with what a project brings. */
typedef struct
{
  ForeCtl *ctl;
  char *project;
  gboolean untrusted;
  ForeLibrary *library;
  GPtrArray *diagnostics;
} Validation;

static JsonObject *
diagnostic_to_json (const ForeDiagnostic *diagnostic)
{
  JsonObject *object = json_object_new ();

  fore_ctl_json_set_text (object, "severity",
                          fore_diagnostic_severity_to_string (diagnostic->severity));
  fore_ctl_json_set_text (object, "path", diagnostic->path);
  if (diagnostic->line > 0)
    json_object_set_int_member (object, "line", diagnostic->line);
  if (diagnostic->column > 0)
    json_object_set_int_member (object, "column", diagnostic->column);
  fore_ctl_json_set_text (object, "key", diagnostic->key);
  fore_ctl_json_set_text (object, "message", diagnostic->message);

  return object;
}

static const char *
describe_verdict (GPtrArray *diagnostics, gboolean untrusted)
{
  if (fore_diagnostics_count (diagnostics, FORE_DIAGNOSTIC_ERROR) > 0)
    return _ ("Not valid.");
  if (untrusted)
    return _ ("Valid, but of the project nothing is used before you trust it.");
  if (fore_diagnostics_count (diagnostics, FORE_DIAGNOSTIC_WARNING) > 0)
    return _ ("Valid, with warnings.");

  return _ ("Nothing is wrong.");
}

static void
print_diagnostics (ForeCtl *ctl, GPtrArray *diagnostics, gboolean untrusted, const char *kind)
{
  gboolean valid = fore_diagnostics_count (diagnostics, FORE_DIAGNOSTIC_ERROR) == 0;
  JsonArray *array;
  JsonObject *object;

  ctl->exit_code = valid ? 0 : 1;
  if (!ctl->json)
    {
      for (guint i = 0; i < diagnostics->len; i++)
        {
          g_autofree char *text = fore_diagnostic_dup_text (diagnostics->pdata[i]);
          g_autofree char *clean = fore_ctl_dup_clean (text);

          fore_ctl_print (ctl, "%s\n", clean);
        }
      if (kind != NULL)
        fore_ctl_print (ctl, _ ("Read as: %s. "), kind);
      fore_ctl_print (ctl, "%s\n", describe_verdict (diagnostics, untrusted));
      return;
    }

  array = json_array_new ();
  object = json_object_new ();
  for (guint i = 0; i < diagnostics->len; i++)
    json_array_add_object_element (array, diagnostic_to_json (diagnostics->pdata[i]));
  json_object_set_boolean_member (object, "valid", valid);
  fore_ctl_json_set_text (object, "kind", kind);
  json_object_set_boolean_member (object, "trusted", !untrusted);
  json_object_set_array_member (object, "diagnostics", array);
  fore_ctl_print_object (ctl, object);
}

static const char *
nearest_cli (const char *name)
{
  const ForeAdapter *const *adapters = fore_adapter_list ();
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; adapters[i] != NULL; i++)
    g_ptr_array_add (names, (gpointer) adapters[i]->name);
  g_ptr_array_add (names, NULL);

  return fore_nearest_word (name, (const char *const *) names->pdata);
}

static void
check_cli (Validation *self, const char *name, const char *path, guint line, guint column)
{
  const char *nearest;

  if (name == NULL || fore_adapter_lookup (name) != NULL)
    return;

  nearest = nearest_cli (name);
  if (nearest != NULL)
    fore_diagnostics_add (self->diagnostics, FORE_DIAGNOSTIC_ERROR, path, line, column, "cli",
                          _ ("There is no agent CLI `%s`. Did you mean `%s`?"), name, nearest);
  else
    fore_diagnostics_add (self->diagnostics, FORE_DIAGNOSTIC_ERROR, path, line, column, "cli",
                          _ ("There is no agent CLI `%s`. See `foredeckctl doctor`."), name);
}

static void
check_clis_of_workflow (Validation *self, const ForeWorkflow *workflow)
{
  for (guint i = 0; i < workflow->steps->len; i++)
    {
      const ForeWorkflowStep *step = workflow->steps->pdata[i];

      check_cli (self, step->cli, workflow->source.path, step->cli_line, step->cli_line > 0);
    }
}

/* What stands in a script only Lua reads. */
static void
check_script (Validation *self, const ForeWorkflow *workflow)
{
  g_autoptr (GError) error = NULL;

  if (fore_workflow_is_script (workflow) && workflow->source.path != NULL
      && !fore_script_check (workflow->source.path, &error))
    fore_diagnostics_add (self->diagnostics, FORE_DIAGNOSTIC_ERROR, workflow->source.path, 0, 0,
                          NULL, "%s", error->message);
}

static void
check_cli_of_agent (Validation *self, const ForeAgentDef *agent)
{
  guint line, column;

  fore_source_get_place (&agent->source, "cli", &line, &column);
  check_cli (self, agent->cli, agent->source.path, line, column);
}

static void
check_clis (Validation *self)
{
  GPtrArray *agents = fore_library_list_agents (self->library);
  GPtrArray *workflows = fore_library_list_workflows (self->library);

  for (guint i = 0; i < agents->len; i++)
    check_cli_of_agent (self, agents->pdata[i]);

  for (guint i = 0; i < workflows->len; i++)
    {
      check_clis_of_workflow (self, workflows->pdata[i]);
      check_script (self, workflows->pdata[i]);
    }
}

static void
add_trust (Validation *self)
{
  g_autofree char *quoted = self->untrusted ? fore_text_quote_word (self->project) : NULL;

  if (self->untrusted)
    fore_diagnostics_add (self->diagnostics, FORE_DIAGNOSTIC_WARNING, self->project, 0, 0, NULL,
                          _ ("You have not said that you trust this project, so a run uses nothing "
                             "that it brings: foredeckctl trust %s"),
                          quoted);
}

/* Reading files makes nothing happen, so those of a project are looked at before it is trusted. */
static gboolean
load (Validation *self, GError **error)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autoptr (ForeLibrary) as_run = NULL;
  gboolean trusted;

  if (fore_ctl_get_store (self->ctl, error) == NULL)
    return FALSE;

  trusted = fore_store_is_trusted (self->ctl->store, self->project);
  self->library = fore_library_load (user_dir, self->project, TRUE, error);
  if (self->library == NULL)
    return FALSE;

  if (!trusted)
    as_run = fore_library_load (NULL, self->project, FALSE, NULL);
  self->untrusted = as_run != NULL && fore_library_leaves_project_out (as_run);

  return TRUE;
}

static void
validate_all (Validation *self)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autoptr (ForeSettings) settings = NULL;

  settings = fore_settings_load (user_dir, self->project, TRUE, self->diagnostics);
  fore_diagnostics_add_all (self->diagnostics, fore_library_get_diagnostics (self->library));
  check_clis (self);
  add_trust (self);
  print_diagnostics (self->ctl, self->diagnostics, self->untrusted, NULL);
}

/* Those of a project may set less than one's own; where it lies says which it is. */
static void
validate_settings (Validation *self, const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (absolute);
  g_autofree char *name = g_path_get_basename (folder);
  g_autoptr (ForeSettings) settings = NULL;

  settings = fore_settings_load_one (
      path, strcmp (name, ".foredeck") == 0 ? FORE_SETTINGS_PROJECT : FORE_SETTINGS_USER,
      self->diagnostics);
  print_diagnostics (self->ctl, self->diagnostics, FALSE, "settings");
}

static gboolean
validate_file (Validation *self, const char *kind, const char *path, GError **error)
{
  g_autoptr (ForeAgentDef) agent = NULL;
  g_autoptr (ForeWorkflow) workflow = NULL;

  if (g_str_has_suffix (path, ".json") && g_file_test (path, G_FILE_TEST_EXISTS))
    {
      validate_settings (self, path);
      return TRUE;
    }
  if (!fore_library_validate_file (self->library, path, &kind, &agent, &workflow, self->diagnostics,
                                   error))
    return FALSE;

  if (workflow != NULL)
    check_clis_of_workflow (self, workflow);
  if (workflow != NULL)
    check_script (self, workflow);
  if (agent != NULL)
    check_cli_of_agent (self, agent);
  print_diagnostics (self->ctl, self->diagnostics, FALSE, kind);
  return TRUE;
}

static gboolean
validate_object (Validation *self, GError **error)
{
  GPtrArray *all = fore_library_get_diagnostics (self->library);
  const char *path = NULL;

  if (!fore_ctl_find_library_path (self->ctl, self->library, &path, error))
    return FALSE;

  check_clis (self);
  fore_diagnostics_add_all (self->diagnostics, all);
  for (guint i = self->diagnostics->len; i > 0; i--)
    {
      const ForeDiagnostic *diagnostic = self->diagnostics->pdata[i - 1];

      if (g_strcmp0 (diagnostic->path, path) != 0)
        g_ptr_array_remove_index (self->diagnostics, i - 1);
    }
  print_diagnostics (self->ctl, self->diagnostics, FALSE, NULL);
  return TRUE;
}

static gboolean
is_file_name (const char *word)
{
  return strchr (word, G_DIR_SEPARATOR) != NULL || g_str_has_suffix (word, ".md")
         || g_str_has_suffix (word, ".json") || fore_workflow_script_is_one (word);
}

static gboolean
validate_as (Validation *self, const char *word, const char *path, GError **error)
{
  static const char *const kinds[] = { "agent",     "agents", "team",   "teams", "workflow",
                                       "workflows", "skill",  "skills", NULL };

  if (!g_strv_contains (kinds, word))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("A file is an agent, a team, a workflow or a skill, not a “%s”."), word);
      return FALSE;
    }

  return validate_file (self, word, path, error);
}

static gboolean
validate (Validation *self, const char *word, GError **error)
{
  if (word == NULL)
    {
      validate_all (self);
      return TRUE;
    }
  if (self->ctl->words->len == 2 && is_file_name (word))
    return validate_file (self, NULL, word, error);
  if (self->ctl->words->len == 3 && is_file_name (fore_ctl_get_word (self->ctl, 2)))
    return validate_as (self, word, fore_ctl_get_word (self->ctl, 2), error);

  return validate_object (self, error);
}

/**
 * fore_ctl_validate_library:
 * @ctl: the command line: `validate`, `validate KIND NAME`, `validate [KIND] FILE` or `validate
 * DIR`
 * @error: return location for an error
 *
 * Says what is wrong with the library and the settings, with an object, a file, or a project.
 *
 * Returns: %FALSE if it could not look
 */
gboolean
fore_ctl_validate_library (ForeCtl *ctl, GError **error)
{
  const char *word = fore_ctl_get_word (ctl, 1);
  gboolean is_dir, done;
  Validation self = { .ctl = ctl };

  g_return_val_if_fail (ctl != NULL, FALSE);

  is_dir = word != NULL && ctl->words->len == 2 && g_file_test (word, G_FILE_TEST_IS_DIR);
  self.project = is_dir ? g_canonicalize_filename (word, NULL) : fore_ctl_dup_project (ctl, ".");
  self.diagnostics = fore_diagnostics_new ();
  done = load (&self, error) && validate (&self, is_dir ? NULL : word, error);

  g_free (self.project);
  g_ptr_array_unref (self.diagnostics);
  g_clear_pointer (&self.library, fore_library_unref);

  return done;
}
