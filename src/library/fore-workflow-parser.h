/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "library/fore-front-matter.h"
#include "library/fore-workflow.h"

G_BEGIN_DECLS

/* One line of the keys of a step, with the lines that continue it. */
typedef struct
{
  char *key;
  GString *value;
  GPtrArray *items;
  guint line;
  guint column;
} ForeStepKey;

void fore_workflow_parse_steps (ForeWorkflow *workflow, ForeFrontMatter *matter);

const char *const *fore_step_get_keys (void);
gboolean fore_step_key_is_known (const char *key);
const char *fore_step_key_suggest (const char *key);
void fore_step_key_apply (ForeStepKey *key,
                          ForeWorkflowStep *step,
                          GHashTable *seen,
                          const char *path,
                          GPtrArray *diagnostics);

G_END_DECLS
