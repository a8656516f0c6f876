/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

#include "library/fore-diagnostic.h"
#include "library/fore-library-types.h"

G_BEGIN_DECLS

/* Deeper nesting than this is a mistake or an attack. */
#define FORE_FRONT_MATTER_MAX_DEPTH 8
#define FORE_FRONT_MATTER_MAX_ENTRIES 1000

/**
 * ForeFrontMatterEntry:
 * @key: key; that of a nested one is dotted
 * @value: (nullable): text of a single value, %NULL for a list
 * @items: (nullable) (element-type utf8): texts of a list
 * @line: line in the file, from 1
 * @column: column, from 1
 * @top_line: line of the key that it is nested in, or its own
 * @top_column: column of that key
 * @used: somebody asked for it
 *
 * One key of a front matter.
 */
typedef struct
{
  char *key;
  char *value;
  GPtrArray *items;
  guint line;
  guint column;
  guint top_line;
  guint top_column;
  gboolean used;
} ForeFrontMatterEntry;

/**
 * ForeFrontMatter:
 * @path: (nullable): the file, for messages
 * @diagnostics: (nullable) (element-type ForeDiagnostic): where messages go
 * @entries: (element-type ForeFrontMatterEntry): keys in the order of the file
 * @foreign: it belongs to another system: what is wrong in it is a warning
 * @present: the file has a front matter at all
 * @lenient: it was no strict YAML and was read line by line
 * @body: the text below it
 * @body_line: line of the file on which @body starts
 *
 * A Markdown file with keys at its top, taken apart.
 */
typedef struct
{
  char *path;
  GPtrArray *diagnostics;
  GPtrArray *entries;
  gboolean foreign;
  gboolean present;
  gboolean lenient;
  char *body;
  guint body_line;
} ForeFrontMatter;

ForeFrontMatter *
fore_front_matter_parse (const char *text, gssize length, const char *path, GPtrArray *diagnostics);
void fore_front_matter_free (ForeFrontMatter *self);

ForeFrontMatterEntry *fore_front_matter_find (ForeFrontMatter *self, const char *key);
char *fore_front_matter_dup_string (ForeFrontMatter *self, const char *key);
char *fore_front_matter_dup_plain (ForeFrontMatter *self, const char *key);
char *fore_front_matter_dup_reference (ForeFrontMatter *self, const char *key);
GStrv fore_front_matter_dup_list (ForeFrontMatter *self, const char *key);
gboolean fore_front_matter_get_bool (ForeFrontMatter *self, const char *key, gboolean fallback);
ForeTristate fore_front_matter_get_tristate (ForeFrontMatter *self, const char *key);
guint fore_front_matter_get_count (ForeFrontMatter *self, const char *key);
char *fore_front_matter_dup_word (ForeFrontMatter *self, const char *key, const char *const *words);
char *fore_front_matter_dup_name (ForeFrontMatter *self, const char *suffix);
void fore_front_matter_get_routing (ForeFrontMatter *self, ForeRouting *routing);
void fore_front_matter_keep_rest (ForeFrontMatter *self,
                                  const char *const *known,
                                  const char *const *foreign,
                                  ForeSource *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeFrontMatter, fore_front_matter_free)

G_END_DECLS
