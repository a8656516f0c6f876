/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-library.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "library/fore-library-private.h"
#include "library/fore-library-text.h"
#include "model/fore-error.h"
#include "model/fore-nearest.h"
#include "platform/fore-process.h"

/* A file that a person names may be larger than one that is found in a folder. */
#define MAX_NAMED_FILE (16 * 1024 * 1024)

G_DEFINE_BOXED_TYPE (ForeLibrary, fore_library, fore_library_ref, fore_library_unref)

static const char *const folders[FORE_N_KINDS] = {
  [FORE_KIND_AGENT] = "agents",
  [FORE_KIND_TEAM] = "teams",
  [FORE_KIND_WORKFLOW] = "workflows",
  [FORE_KIND_SKILL] = "skills",
};

/**
 * fore_library_dup_user_dir:
 *
 * Gets the folder of the person's own agents, teams, workflows, skills and settings:
 * `$FOREDECK_HOME/library`, or `foredeck` in the user's folder for settings.
 *
 * Returns: (transfer full): absolute path; the folder need not exist
 */
char *
fore_library_dup_user_dir (void)
{
  const char *home = g_getenv ("FOREDECK_HOME");

  if (home != NULL && *home != '\0')
    return g_build_filename (home, "library", NULL);

  return g_build_filename (g_get_user_config_dir (), "foredeck", NULL);
}

/**
 * fore_library_dup_builtin_dir:
 *
 * Finds the folder of the crew that ships with the program.
 *
 * Returns: (transfer full): path; the folder may be missing
 */
char *
fore_library_dup_builtin_dir (void)
{
  return fore_platform_find_data ("crew");
}

static ForeLibrary *
library_new (void)
{
  static const GDestroyNotify unrefs[FORE_N_KINDS] = {
    [FORE_KIND_AGENT] = (GDestroyNotify) fore_agent_def_unref,
    [FORE_KIND_TEAM] = (GDestroyNotify) fore_team_unref,
    [FORE_KIND_WORKFLOW] = (GDestroyNotify) fore_workflow_unref,
    [FORE_KIND_SKILL] = (GDestroyNotify) fore_skill_unref,
  };
  ForeLibrary *self = g_atomic_rc_box_new0 (ForeLibrary);

  for (guint i = 0; i < FORE_N_KINDS; i++)
    self->by_name[i] = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, unrefs[i]);
  self->diagnostics = fore_diagnostics_new ();
  self->looks = fore_library_looks_new ();

  return self;
}

static void
load_folders (ForeLibrary *self, const char *dir, ForeLibraryLayer layer)
{
  for (guint i = 0; i < FORE_N_KINDS; i++)
    {
      g_autofree char *folder = g_build_filename (dir, folders[i], NULL);

      fore_library_load_folder (self, i, folder, layer);
    }
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  const ForeLibraryObject *x = *(ForeLibraryObject *const *) a;
  const ForeLibraryObject *y = *(ForeLibraryObject *const *) b;

  return strcmp (x->name, y->name);
}

static void
sort_objects (ForeLibrary *self)
{
  for (guint i = 0; i < FORE_N_KINDS; i++)
    {
      GHashTableIter iter;
      gpointer object;

      self->sorted[i] = g_ptr_array_sized_new (g_hash_table_size (self->by_name[i]));
      g_hash_table_iter_init (&iter, self->by_name[i]);
      while (g_hash_table_iter_next (&iter, NULL, &object))
        g_ptr_array_add (self->sorted[i], object);
      g_ptr_array_sort (self->sorted[i], compare_names);
    }
}

static ForeLibrary *
load_anew (const char *builtin,
           const char *user_dir,
           const char *project_dir,
           gboolean project_trusted)
{
  ForeLibrary *self = library_new ();

  load_folders (self, builtin, FORE_LAYER_BUILTIN);
  if (user_dir != NULL)
    {
      load_folders (self, user_dir, FORE_LAYER_USER);
      fore_library_load_home (self);
    }
  if (project_dir != NULL)
    fore_library_load_project (self, project_dir, project_trusted);
  sort_objects (self);
  fore_library_check (self);

  return self;
}

/**
 * fore_library_load:
 * @user_dir: (nullable): the person's folder, see fore_library_dup_user_dir()
 * @project_dir: (nullable): the project
 * @project_trusted: whether the person trusts the project; if not, none of its files is read
 * @error: return location for an error
 *
 * Loads the library, or finds out that it still is what this process loaded before. A bad file
 * never stops the rest: see fore_library_get_diagnostics(). Blocks on the disk.
 *
 * Returns: (transfer full) (nullable): the library; %FORE_ERROR_ENVIRONMENT if the crew that ships
 *   with the program is missing
 */
ForeLibrary *
fore_library_load (const char *user_dir,
                   const char *project_dir,
                   gboolean project_trusted,
                   GError **error)
{
  g_autofree char *builtin = fore_library_dup_builtin_dir ();
  g_autofree char *key = NULL;
  ForeLibrary *self;

  if (!g_file_test (builtin, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("The crew that ships with Foredeck is missing from %s. Install Foredeck "
                      "again, or set FOREDECK_DATA to its data folder."),
                   builtin);
      return NULL;
    }

  key = g_strdup_printf ("%s\n%s\n%s\n%s\n%d", builtin, user_dir != NULL ? user_dir : "",
                         user_dir != NULL ? fore_library_get_home () : "",
                         project_dir != NULL ? project_dir : "", project_trusted);
  self = fore_library_cache_find (key);
  if (self == NULL)
    {
      self = load_anew (builtin, user_dir, project_dir, project_trusted);
      fore_library_cache_keep (key, self);
    }

  return self;
}

typedef struct
{
  char *user_dir;
  char *project_dir;
  gboolean project_trusted;
} LoadData;

static void
load_data_free (gpointer data)
{
  LoadData *load = data;

  g_free (load->user_dir);
  g_free (load->project_dir);
  g_free (load);
}

static void
load_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  LoadData *load = task_data;
  GError *error = NULL;
  ForeLibrary *self;

  self = fore_library_load (load->user_dir, load->project_dir, load->project_trusted, &error);
  if (self != NULL)
    g_task_return_pointer (task, self, (GDestroyNotify) fore_library_unref);
  else
    g_task_return_error (task, error);
}

/**
 * fore_library_load_async:
 * @user_dir: (nullable): the person's folder
 * @project_dir: (nullable): the project
 * @project_trusted: whether the person trusts the project
 * @cancellable: (nullable): to give up
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Does what fore_library_load() does, in a thread.
 */
void
fore_library_load_async (const char *user_dir,
                         const char *project_dir,
                         gboolean project_trusted,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  LoadData *load = g_new0 (LoadData, 1);

  load->user_dir = g_strdup (user_dir);
  load->project_dir = g_strdup (project_dir);
  load->project_trusted = project_trusted;
  g_task_set_source_tag (task, fore_library_load_async);
  g_task_set_name (task, "load the library");
  g_task_set_task_data (task, load, load_data_free);
  g_task_run_in_thread (task, load_in_thread);
}

/**
 * fore_library_load_finish:
 * @result: the result
 * @error: return location for an error
 *
 * Gets the library that fore_library_load_async() loaded.
 *
 * Returns: (transfer full) (nullable): the library
 */
ForeLibrary *
fore_library_load_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * fore_library_ref:
 * @self: a library
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 */
ForeLibrary *
fore_library_ref (ForeLibrary *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
library_clear (gpointer data)
{
  ForeLibrary *self = data;

  for (guint i = 0; i < FORE_N_KINDS; i++)
    {
      g_clear_pointer (&self->sorted[i], g_ptr_array_unref);
      g_hash_table_unref (self->by_name[i]);
    }
  g_ptr_array_unref (self->diagnostics);
  g_array_unref (self->looks);
}

/**
 * fore_library_unref:
 * @self: (transfer full): a library
 *
 * Gives a reference back.
 */
void
fore_library_unref (ForeLibrary *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, library_clear);
}

static gpointer
get_object (ForeLibrary *self, ForeLibraryKind kind, const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return g_hash_table_lookup (self->by_name[kind], lower);
}

/**
 * fore_library_get_agent:
 * @self: a library
 * @name: a name, in any case
 *
 * Finds an agent.
 *
 * Returns: (transfer none) (nullable): the agent; it may be disabled
 */
ForeAgentDef *
fore_library_get_agent (ForeLibrary *self, const char *name)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return get_object (self, FORE_KIND_AGENT, name);
}

/**
 * fore_library_get_team:
 * @self: a library
 * @name: a name, in any case
 *
 * Finds a team.
 *
 * Returns: (transfer none) (nullable): the team
 */
ForeTeam *
fore_library_get_team (ForeLibrary *self, const char *name)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return get_object (self, FORE_KIND_TEAM, name);
}

/**
 * fore_library_get_workflow:
 * @self: a library
 * @name: a name, in any case
 *
 * Finds a workflow.
 *
 * Returns: (transfer none) (nullable): the workflow; it may have errors
 */
ForeWorkflow *
fore_library_get_workflow (ForeLibrary *self, const char *name)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return get_object (self, FORE_KIND_WORKFLOW, name);
}

/**
 * fore_library_get_skill:
 * @self: a library
 * @name: a name, in any case
 *
 * Finds a skill.
 *
 * Returns: (transfer none) (nullable): the skill
 */
ForeSkill *
fore_library_get_skill (ForeLibrary *self, const char *name)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return get_object (self, FORE_KIND_SKILL, name);
}

/**
 * fore_library_list_agents:
 * @self: a library
 *
 * Lists the agents by name, disabled ones included.
 *
 * Returns: (transfer none) (element-type ForeAgentDef): the agents
 */
GPtrArray *
fore_library_list_agents (ForeLibrary *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->sorted[FORE_KIND_AGENT];
}

/**
 * fore_library_list_teams:
 * @self: a library
 *
 * Lists the teams by name.
 *
 * Returns: (transfer none) (element-type ForeTeam): the teams
 */
GPtrArray *
fore_library_list_teams (ForeLibrary *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->sorted[FORE_KIND_TEAM];
}

/**
 * fore_library_list_workflows:
 * @self: a library
 *
 * Lists the workflows by name.
 *
 * Returns: (transfer none) (element-type ForeWorkflow): the workflows
 */
GPtrArray *
fore_library_list_workflows (ForeLibrary *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->sorted[FORE_KIND_WORKFLOW];
}

/**
 * fore_library_list_skills:
 * @self: a library
 *
 * Lists the skills by name.
 *
 * Returns: (transfer none) (element-type ForeSkill): the skills
 */
GPtrArray *
fore_library_list_skills (ForeLibrary *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->sorted[FORE_KIND_SKILL];
}

/**
 * fore_library_get_diagnostics:
 * @self: a library
 *
 * Gets what a person should know about the files of the library.
 *
 * Returns: (transfer none) (element-type ForeDiagnostic): the diagnostics
 */
GPtrArray *
fore_library_get_diagnostics (ForeLibrary *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->diagnostics;
}

/**
 * fore_library_leaves_project_out:
 * @self: a library
 *
 * Returns: whether its project brings settings or crew that were not read, because nobody said that
 *   they are trusted
 */
gboolean
fore_library_leaves_project_out (ForeLibrary *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->untrusted;
}

/**
 * fore_library_find_fault:
 * @self: a library
 * @path: a file
 *
 * Finds the first error in a file.
 *
 * Returns: (transfer none) (nullable): the error
 */
const ForeDiagnostic *
fore_library_find_fault (ForeLibrary *self, const char *path)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (path != NULL, NULL);

  for (guint i = 0; i < self->diagnostics->len; i++)
    {
      const ForeDiagnostic *diagnostic = self->diagnostics->pdata[i];

      if (diagnostic->severity == FORE_DIAGNOSTIC_ERROR && g_strcmp0 (diagnostic->path, path) == 0)
        return diagnostic;
    }

  return NULL;
}

/**
 * fore_library_suggest:
 * @self: a library
 * @kind: `agent`, `team`, `workflow` or `skill`
 * @name: a name that does not exist
 *
 * Finds the name that was most likely meant.
 *
 * Returns: (transfer full) (nullable): the name, or %NULL if none is near
 */
char *
fore_library_suggest (ForeLibrary *self, const char *kind, const char *name)
{
  g_autoptr (GPtrArray) names = NULL;
  ForeLibraryKind which;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (kind != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  if (!fore_library_kind_from_string (kind, &which))
    return NULL;

  names = g_ptr_array_new ();
  for (guint i = 0; i < self->sorted[which]->len; i++)
    {
      const ForeLibraryObject *object = self->sorted[which]->pdata[i];

      g_ptr_array_add (names, object->name);
    }
  g_ptr_array_add (names, NULL);

  return g_strdup (fore_nearest_word (name, (const char *const *) names->pdata));
}

/**
 * fore_library_load_workflow_file:
 * @path: a file that a person named
 * @diagnostics: (nullable) (element-type ForeDiagnostic): where to say what is wrong
 * @error: return location for an error
 *
 * Loads a workflow from a file that lies in no folder of the library. What is wrong with its graph
 * says fore_workflow_validate() afterwards. Blocks on the disk.
 *
 * Returns: (transfer full) (nullable): the workflow; %FORE_ERROR_NOT_FOUND if there is no such
 *   file, %FORE_ERROR_INVALID with file and line of the first fault if it is malformed
 */
ForeWorkflow *
fore_library_load_workflow_file (const char *path, GPtrArray *diagnostics, GError **error)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeWorkflow) workflow = NULL;
  g_autofree char *text = NULL;
  const ForeDiagnostic *fault;
  gsize length;

  g_return_val_if_fail (path != NULL, NULL);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("There is no file %s. Check the path."), path);
      return NULL;
    }

  text = fore_library_text_read (path, MAX_NAMED_FILE, TRUE, &length, found);
  if (text != NULL)
    workflow = fore_workflow_new_from_text (text, length, path, FORE_LAYER_FILE, found);

  fore_diagnostics_add_all (diagnostics, found);

  fault = fore_diagnostics_find (found, FORE_DIAGNOSTIC_ERROR);
  if (fault == NULL && workflow == NULL)
    fault = fore_diagnostics_find (found, FORE_DIAGNOSTIC_NOTE);
  if (fault != NULL)
    {
      g_autofree char *message = fore_diagnostic_dup_text (fault);

      g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID, "%s", message);
      return NULL;
    }

  return g_steal_pointer (&workflow);
}
