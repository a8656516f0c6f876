/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-choices.h"

#include "agents/fore-adapter.h"
#include "git/fore-repository.h"

#include <string.h>

/**
 * fore_run_choices_load:
 * @store: the store
 * @project: (nullable): folder of the project
 * @error: return location for an error
 *
 * Reads projects, library and settings. Blocking.
 *
 * Returns: (transfer full): what can be chosen, without agents, or %NULL with @error set
 */
ForeRunChoices *
fore_run_choices_load (ForeStore *store, const char *project, GError **error)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autofree char *top = project != NULL ? fore_repository_dup_top (project) : NULL;
  g_autoptr (ForeRunChoices) self = NULL;
  gboolean trusted;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);

  self = g_new0 (ForeRunChoices, 1);
  self->clis = g_ptr_array_new_with_free_func (g_free);
  self->titles = g_ptr_array_new_with_free_func (g_free);
  self->projects = fore_store_list_projects (store, error);
  if (self->projects == NULL)
    return NULL;

  trusted = top != NULL && fore_store_is_trusted (store, top);
  self->library = fore_library_load (user_dir, top, trusted, error);
  if (self->library == NULL)
    return NULL;
  self->settings = fore_settings_load (user_dir, top, trusted, NULL);

  return g_steal_pointer (&self);
}

/**
 * fore_run_choices_find_agents:
 * @self: what can be chosen
 * @cancellable: (nullable): ends the search
 *
 * Looks which agent CLIs can be used on this machine. Blocking: each is asked for its version.
 */
void
fore_run_choices_find_agents (ForeRunChoices *self, GCancellable *cancellable)
{
  const ForeAdapter *const *adapters = fore_adapter_list ();

  g_return_if_fail (self != NULL);

  for (guint i = 0; adapters[i] != NULL; i++)
    {
      g_autoptr (ForeAgentFound) found = NULL;

      if (adapters[i]->program == NULL)
        continue;
      found = fore_adapter_find (adapters[i], cancellable);
      if (found == NULL || !found->usable)
        continue;
      g_ptr_array_add (self->clis, g_strdup (adapters[i]->name));
      g_ptr_array_add (self->titles, g_strdup (adapters[i]->title));
    }
}

/**
 * fore_run_choices_has_agent:
 * @self: what can be chosen
 *
 * Returns: whether any agent but the demo's was found
 */
gboolean
fore_run_choices_has_agent (const ForeRunChoices *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  for (guint i = 0; i < self->clis->len; i++)
    {
      if (g_strcmp0 (g_ptr_array_index (self->clis, i), "demo") != 0)
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_run_choices_list_teams:
 * @self: what can be chosen
 * @names: (element-type utf8): the names of the teams are added to it
 *
 * Returns: which of them a new run begins with
 */
guint
fore_run_choices_list_teams (const ForeRunChoices *self, GPtrArray *names)
{
  GPtrArray *teams;
  guint usual = 0;

  g_return_val_if_fail (self != NULL && self->library != NULL && names != NULL, 0);

  teams = fore_library_list_teams (self->library);
  for (guint i = 0; i < teams->len; i++)
    {
      const ForeTeam *team = g_ptr_array_index (teams, i);

      if (strcmp (team->name, "implementation") == 0)
        usual = names->len;
      g_ptr_array_add (names, g_strdup (team->name));
    }

  return usual;
}

/**
 * fore_run_choices_list_workflows:
 * @self: what can be chosen
 * @names: (element-type utf8): the names of the workflows are added to it
 */
void
fore_run_choices_list_workflows (const ForeRunChoices *self, GPtrArray *names)
{
  GPtrArray *workflows;

  g_return_if_fail (self != NULL && self->library != NULL && names != NULL);

  workflows = fore_library_list_workflows (self->library);
  for (guint i = 0; i < workflows->len; i++)
    g_ptr_array_add (names, g_strdup (((ForeWorkflow *) g_ptr_array_index (workflows, i))->name));
}

/**
 * fore_run_choices_find:
 * @names: (element-type utf8): names, of which some may be %NULL
 * @name: (nullable): one that was chosen before
 * @fallback: what is chosen if it is not there any more
 *
 * Returns: the index of @name among @names
 */
guint
fore_run_choices_find (GPtrArray *names, const char *name, guint fallback)
{
  g_return_val_if_fail (names != NULL, fallback);

  for (guint i = 0; name != NULL && i < names->len; i++)
    {
      if (g_strcmp0 (g_ptr_array_index (names, i), name) == 0)
        return i;
    }

  return fallback;
}

/**
 * fore_run_choices_free:
 * @self: what can be chosen
 */
void
fore_run_choices_free (ForeRunChoices *self)
{
  g_clear_pointer (&self->library, fore_library_unref);
  g_clear_pointer (&self->settings, fore_settings_unref);
  g_clear_pointer (&self->projects, g_ptr_array_unref);
  g_ptr_array_unref (self->clis);
  g_ptr_array_unref (self->titles);
  g_free (self);
}

typedef struct
{
  ForeStore *store;
  char *project;
  gboolean with_agents;
} ChoicesQuery;

static void
choices_query_free (gpointer data)
{
  ChoicesQuery *query = data;

  g_object_unref (query->store);
  g_free (query->project);
  g_free (query);
}

static gpointer
query_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  ChoicesQuery *query = data;
  ForeRunChoices *choices = fore_run_choices_load (query->store, query->project, error);

  if (choices != NULL && query->with_agents)
    fore_run_choices_find_agents (choices, cancellable);

  return choices;
}

/**
 * fore_run_choices_query:
 * @owner: (type GObject): whom @done is for
 * @store: the store
 * @project: (nullable): folder of the project
 * @with_agents: whether to look for agents too, which takes longer
 * @done: called with a #ForeRunChoices or the error
 *
 * Reads what can be chosen in a worker thread.
 */
void
fore_run_choices_query (
    gpointer owner, ForeStore *store, const char *project, gboolean with_agents, ForeJobDone done)
{
  ChoicesQuery *query;

  g_return_if_fail (FORE_IS_STORE (store));

  query = g_new0 (ChoicesQuery, 1);
  query->store = g_object_ref (store);
  query->project = g_strdup (project);
  query->with_agents = with_agents;
  fore_job_run (owner, "load-choices", NULL, query_thread, query, choices_query_free,
                (GDestroyNotify) fore_run_choices_free, done);
}
