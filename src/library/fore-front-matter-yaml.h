/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "library/fore-front-matter.h"

G_BEGIN_DECLS

/**
 * ForeYamlOutcome:
 * @FORE_YAML_DONE: read
 * @FORE_YAML_NOT_STRICT: no strict YAML; reading it line by line may still work
 * @FORE_YAML_REFUSED: over a limit; a diagnostic says which
 */
typedef enum
{
  FORE_YAML_DONE,
  FORE_YAML_NOT_STRICT,
  FORE_YAML_REFUSED,
} ForeYamlOutcome;

ForeYamlOutcome fore_front_matter_read_yaml (ForeFrontMatter *self,
                                             const char *text,
                                             gsize length,
                                             guint first_line);
gboolean fore_front_matter_read_lines (ForeFrontMatter *self, const char *text, guint first_line);
gboolean fore_front_matter_add (ForeFrontMatter *self,
                                const char *key,
                                const char *value,
                                GPtrArray *items,
                                guint line,
                                guint column);
void fore_front_matter_clear (ForeFrontMatter *self);

G_END_DECLS
