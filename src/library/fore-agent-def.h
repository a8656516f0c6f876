/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

#include "library/fore-library-types.h"

G_BEGIN_DECLS

#define FORE_TYPE_AGENT_DEF (fore_agent_def_get_type ())

/**
 * ForeAgentDef:
 * @source: where it comes from
 * @name: identity, lower case
 * @description: one line for lists
 * @prompt: the system prompt (the body of the file)
 * @cli: (nullable): agent CLI it wants, %NULL for the default one
 * @model: (nullable): model it prefers
 * @fallback: (nullable): models tried in order after @model
 * @thinking: (nullable): reasoning level
 * @tools: (nullable): tools it may use; %NULL means those of its role, an empty list none
 * @skills: (nullable): skills on top of those of its role
 * @no_skills: it gets no skills at all
 * @append_prompt: the prompt extends the CLI's own instead of replacing it
 * @inherit_context: the agent sees the project's own context files
 * @inherit_skills: the agent sees the skills of its CLI
 * @writes: whether it may change files; %FORE_UNSET leaves it to the role
 * @max_turns: turns of one attempt, 0 for the settings' limit
 * @max_tokens: tokens of one attempt, 0 for the settings' limit
 * @effort: (nullable): `low`, `medium` or `high`
 * @memory: (nullable): `user`, `project` or `local`
 * @disabled: hidden from choice, kept in the inventory
 * @routing: when to choose it
 *
 * The definition of an agent: what one file `agents/NAME.md` says. Read only once it is part of a
 * #ForeLibrary; may then be used from any thread.
 */
typedef struct
{
  ForeSource source;
  char *name;
  char *description;
  char *prompt;
  char *cli;
  char *model;
  GStrv fallback;
  char *thinking;
  GStrv tools;
  GStrv skills;
  gboolean no_skills;
  gboolean append_prompt;
  ForeTristate inherit_context;
  gboolean inherit_skills;
  ForeTristate writes;
  guint max_turns;
  guint max_tokens;
  char *effort;
  char *memory;
  gboolean disabled;
  ForeRouting routing;
} ForeAgentDef;

GType fore_agent_def_get_type (void) G_GNUC_CONST;

const char *const *fore_agent_def_get_keys (void);
ForeAgentDef *fore_agent_def_new (const char *name);
ForeAgentDef *fore_agent_def_new_from_text (const char *text,
                                            gssize length,
                                            const char *path,
                                            ForeLibraryLayer layer,
                                            GPtrArray *diagnostics);
ForeAgentDef *fore_agent_def_ref (ForeAgentDef *self);
void fore_agent_def_unref (ForeAgentDef *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeAgentDef, fore_agent_def_unref)

G_END_DECLS
