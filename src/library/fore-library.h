/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

#include "library/fore-agent-def.h"
#include "library/fore-diagnostic.h"
#include "library/fore-library-types.h"
#include "library/fore-skill.h"
#include "library/fore-team.h"
#include "library/fore-workflow.h"

G_BEGIN_DECLS

#define FORE_TYPE_LIBRARY (fore_library_get_type ())

/**
 * ForeLibrary:
 *
 * The agents, teams, workflows and skills of all layers, as they were when it was loaded. Never
 * changes afterwards and may be read from any thread.
 */
typedef struct _ForeLibrary ForeLibrary;

GType fore_library_get_type (void) G_GNUC_CONST;

char *fore_library_dup_user_dir (void);
char *fore_library_dup_builtin_dir (void);

ForeLibrary *fore_library_load (const char *user_dir,
                                const char *project_dir,
                                gboolean project_trusted,
                                GError **error);
void fore_library_load_async (const char *user_dir,
                              const char *project_dir,
                              gboolean project_trusted,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
ForeLibrary *fore_library_load_finish (GAsyncResult *result, GError **error);
void fore_library_get_cache_figures (guint *hits, guint *misses);
ForeLibrary *fore_library_ref (ForeLibrary *self);
void fore_library_unref (ForeLibrary *self);

ForeAgentDef *fore_library_get_agent (ForeLibrary *self, const char *name);
ForeTeam *fore_library_get_team (ForeLibrary *self, const char *name);
ForeWorkflow *fore_library_get_workflow (ForeLibrary *self, const char *name);
ForeSkill *fore_library_get_skill (ForeLibrary *self, const char *name);

GPtrArray *fore_library_list_agents (ForeLibrary *self);
GPtrArray *fore_library_list_teams (ForeLibrary *self);
GPtrArray *fore_library_list_workflows (ForeLibrary *self);
GPtrArray *fore_library_list_skills (ForeLibrary *self);
GPtrArray *fore_library_get_diagnostics (ForeLibrary *self);
gboolean fore_library_leaves_project_out (ForeLibrary *self);
const ForeDiagnostic *fore_library_find_fault (ForeLibrary *self, const char *path);

ForeTeam *fore_library_dup_team_for_workflow (ForeLibrary *self, ForeWorkflow *workflow);
ForeAgentDef *fore_library_get_agent_for_step (ForeLibrary *self,
                                               const ForeTeam *team,
                                               const ForeWorkflowStep *step);
const char *const *fore_library_get_keys (const char *kind);
char *fore_library_suggest (ForeLibrary *self, const char *kind, const char *name);

ForeWorkflow *
fore_library_load_workflow_file (const char *path, GPtrArray *diagnostics, GError **error);

void fore_library_check_skills (ForeLibrary *self, ForeWorkflow *workflow, GPtrArray *diagnostics);
gboolean fore_library_validate_file (ForeLibrary *self,
                                     const char *path,
                                     const char **word,
                                     ForeAgentDef **agent,
                                     ForeWorkflow **workflow,
                                     GPtrArray *diagnostics,
                                     GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeLibrary, fore_library_unref)

G_END_DECLS
