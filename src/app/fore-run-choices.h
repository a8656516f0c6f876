/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-job.h"
#include "library/fore-library.h"
#include "library/fore-settings.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/**
 * ForeRunChoices:
 * @library: (nullable): teams and workflows of all layers
 * @settings: (nullable): settings of all layers
 * @projects: (element-type utf8): projects known, the last used first
 * @clis: (element-type utf8): names of the agent CLIs that can be used here
 * @titles: (element-type utf8): what a person calls them, in the same order
 *
 * What a person can choose from for a new run, read off the main thread.
 */
typedef struct
{
  ForeLibrary *library;
  ForeSettings *settings;
  GPtrArray *projects;
  GPtrArray *clis;
  GPtrArray *titles;
} ForeRunChoices;

ForeRunChoices *fore_run_choices_load (ForeStore *store, const char *project, GError **error);
void fore_run_choices_find_agents (ForeRunChoices *self, GCancellable *cancellable);
gboolean fore_run_choices_has_agent (const ForeRunChoices *self);
guint fore_run_choices_list_teams (const ForeRunChoices *self, GPtrArray *names);
void fore_run_choices_list_workflows (const ForeRunChoices *self, GPtrArray *names);
guint fore_run_choices_find (GPtrArray *names, const char *name, guint fallback);
void fore_run_choices_free (ForeRunChoices *self);
void fore_run_choices_query (
    gpointer owner, ForeStore *store, const char *project, gboolean with_agents, ForeJobDone done);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeRunChoices, fore_run_choices_free)

G_END_DECLS
