/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

#include "library/fore-library-types.h"
#include "library/fore-workflow-step.h"

G_BEGIN_DECLS

#define FORE_TYPE_WORKFLOW (fore_workflow_get_type ())

/* More steps than this in one file is a mistake or an attack. */
#define FORE_WORKFLOW_MAX_STEPS 20000

/**
 * ForeWorkflow:
 * @source: where it comes from
 * @name: identity
 * @description: one line for lists
 * @team: (nullable): the team that it is made for
 * @topology: (nullable): `single`, `sequential`, `concurrent`, `complex-dag` or `dynamic`
 * @max_agents: agents at work at once, 0 for the settings' limit
 * @coalesce: small ready tasks of one read-only role may share an agent
 * @spec_strict: the spec gate is strict for every step
 * @steps: (element-type ForeWorkflowStep): steps in the order of the file; add with
 *   fore_workflow_add_step() only
 *
 * A graph of steps: what one file `workflows/NAME.workflow.md` says.
 */
typedef struct
{
  ForeSource source;
  char *name;
  char *description;
  char *team;
  char *topology;
  guint max_agents;
  gboolean coalesce;
  gboolean spec_strict;
  GPtrArray *steps;
  /*< private >*/
  GHashTable *index;
} ForeWorkflow;

GType fore_workflow_get_type (void) G_GNUC_CONST;

const char *const *fore_workflow_get_keys (void);
ForeWorkflow *fore_workflow_new (const char *name);
ForeWorkflow *fore_workflow_new_from_text (const char *text,
                                           gssize length,
                                           const char *path,
                                           ForeLibraryLayer layer,
                                           GPtrArray *diagnostics);
ForeWorkflow *fore_workflow_ref (ForeWorkflow *self);
void fore_workflow_unref (ForeWorkflow *self);

void fore_workflow_add_step (ForeWorkflow *self, ForeWorkflowStep *step);
void fore_workflow_forget_plain_steps (ForeWorkflow *self);
const ForeWorkflowStep *fore_workflow_get_step (const ForeWorkflow *self, const char *id);
const ForeWorkflowStep *fore_workflow_get_adaptive_step (const ForeWorkflow *self);
const char *fore_workflow_get_topology (const ForeWorkflow *self);
gboolean fore_workflow_is_script (const ForeWorkflow *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeWorkflow, fore_workflow_unref)

G_END_DECLS
