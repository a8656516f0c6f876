/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

#include "library/fore-library-types.h"

G_BEGIN_DECLS

#define FORE_TYPE_SKILL (fore_skill_get_type ())

/**
 * ForeSkill:
 * @source: where it comes from; `source.path` is the path of its SKILL.md
 * @name: identity
 * @description: what it is good for
 * @body: the text for the prompt
 * @license: (nullable): licence of the text
 * @version: (nullable): version
 * @author: (nullable): who wrote it
 * @allowed_tools: (nullable): tools that it speaks of
 *
 * A skill: knowledge that is put into the prompts of those who need it.
 */
typedef struct
{
  ForeSource source;
  char *name;
  char *description;
  char *body;
  char *license;
  char *version;
  char *author;
  GStrv allowed_tools;
} ForeSkill;

GType fore_skill_get_type (void) G_GNUC_CONST;

const char *const *fore_skill_get_keys (void);
ForeSkill *fore_skill_new (const char *name);
ForeSkill *fore_skill_new_from_text (const char *text,
                                     gssize length,
                                     const char *path,
                                     ForeLibraryLayer layer,
                                     GPtrArray *diagnostics);
ForeSkill *fore_skill_ref (ForeSkill *self);
void fore_skill_unref (ForeSkill *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeSkill, fore_skill_unref)

G_END_DECLS
