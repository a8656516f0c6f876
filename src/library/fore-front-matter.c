/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-front-matter.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "library/fore-front-matter-yaml.h"
#include "library/fore-library-text.h"
#include "model/fore-nearest.h"

static void
entry_free (gpointer data)
{
  ForeFrontMatterEntry *entry = data;

  g_free (entry->key);
  g_free (entry->value);
  g_clear_pointer (&entry->items, g_ptr_array_unref);
  g_free (entry);
}

/* Whether the line at @text is `---`, spaces at its end allowed. Sets @next to the line below. */
static gboolean
is_fence (const char *text, const char **next)
{
  gsize length = strcspn (text, "\n");

  *next = text + length + (text[length] == '\n');
  if (length < 3 || strncmp (text, "---", 3) != 0)
    return FALSE;

  return strspn (text + 3, " \t") >= length - 3;
}

static void
take_body (ForeFrontMatter *self, const char *text, guint line)
{
  g_free (self->body);
  self->body = g_strdup (text);
  self->body_line = line;
}

static gboolean
read_matter (ForeFrontMatter *self, const char *text, gsize length)
{
  g_autofree char *matter = g_strndup (text, length);

  switch (fore_front_matter_read_yaml (self, matter, length, 2))
    {
    case FORE_YAML_DONE:
      return TRUE;

    case FORE_YAML_NOT_STRICT:
      fore_front_matter_clear (self);
      self->lenient = TRUE;
      fore_front_matter_read_lines (self, matter, 2);
      return TRUE;

    case FORE_YAML_REFUSED:
    default:
      return FALSE;
    }
}

static gboolean
take_apart (ForeFrontMatter *self, const char *text)
{
  const char *start, *line, *next;
  guint number = 2;

  if (!is_fence (text, &start))
    {
      take_body (self, text, 1);
      return TRUE;
    }

  self->present = TRUE;
  for (line = start; *line != '\0'; line = next, number++)
    {
      if (is_fence (line, &next))
        {
          take_body (self, next, number + 1);
          return read_matter (self, start, line - start);
        }
    }

  fore_diagnostics_add (self->diagnostics, FORE_DIAGNOSTIC_ERROR, self->path, 1, 1, NULL,
                        _ ("The keys at the top of the file do not end. Add a line `---` below "
                           "them."));
  return FALSE;
}

/**
 * fore_front_matter_parse:
 * @text: bytes of a file
 * @length: how many, or -1 if @text ends with a NUL
 * @path: (nullable): the file, for messages
 * @diagnostics: (nullable) (element-type ForeDiagnostic): where to say what is wrong
 *
 * Takes a Markdown file with keys at its top apart. Any bytes may be given.
 *
 * Returns: (transfer full) (nullable): its parts, or %NULL if it cannot be used
 */
ForeFrontMatter *
fore_front_matter_parse (const char *text, gssize length, const char *path, GPtrArray *diagnostics)
{
  g_autoptr (ForeFrontMatter) self = NULL;
  g_autofree char *normal = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  normal = fore_library_text_normalise (text, length, path, diagnostics);
  if (normal == NULL)
    return NULL;

  self = g_new0 (ForeFrontMatter, 1);
  self->path = g_strdup (path);
  self->diagnostics = diagnostics != NULL ? g_ptr_array_ref (diagnostics) : NULL;
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  self->body = g_strdup ("");
  if (!take_apart (self, normal))
    return NULL;

  return g_steal_pointer (&self);
}

/**
 * fore_front_matter_free:
 * @self: (transfer full): a front matter
 *
 * Frees a front matter.
 */
void
fore_front_matter_free (ForeFrontMatter *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->path);
  g_clear_pointer (&self->diagnostics, g_ptr_array_unref);
  g_ptr_array_unref (self->entries);
  g_free (self->body);
  g_free (self);
}

/**
 * fore_front_matter_clear:
 * @self: a front matter
 *
 * Forgets all keys.
 */
void
fore_front_matter_clear (ForeFrontMatter *self)
{
  g_return_if_fail (self != NULL);

  g_ptr_array_set_size (self->entries, 0);
}

/**
 * fore_front_matter_add:
 * @self: a front matter
 * @key: key
 * @value: (nullable): its text, %NULL for a list
 * @items: (nullable) (element-type utf8): its texts
 * @line: line of the key
 * @column: column of the key
 *
 * Adds a key. A key that is there already gets the new value, and a warning.
 *
 * Returns: %FALSE if there are too many keys
 */
gboolean
fore_front_matter_add (ForeFrontMatter *self,
                       const char *key,
                       const char *value,
                       GPtrArray *items,
                       guint line,
                       guint column)
{
  ForeFrontMatterEntry *entry;
  guint old;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (key != NULL, FALSE);

  if (self->entries->len >= FORE_FRONT_MATTER_MAX_ENTRIES)
    return FALSE;

  for (old = 0; old < self->entries->len; old++)
    {
      entry = self->entries->pdata[old];
      if (!fore_key_equal (entry->key, key))
        continue;

      fore_diagnostics_add (self->diagnostics, FORE_DIAGNOSTIC_WARNING, self->path, line, column,
                            key, _ ("`%s` stands here twice; this one counts. Remove the other."),
                            key);
      g_ptr_array_remove_index (self->entries, old);
      break;
    }

  entry = g_new0 (ForeFrontMatterEntry, 1);
  entry->key = g_strdup (key);
  entry->value = g_strdup (value);
  entry->items = items != NULL ? g_ptr_array_ref (items) : NULL;
  entry->line = entry->top_line = line;
  entry->column = entry->top_column = column;
  g_ptr_array_add (self->entries, entry);

  return TRUE;
}

/**
 * fore_front_matter_find:
 * @self: a front matter
 * @key: a key
 *
 * Finds a key, however it is written, and marks it as known.
 *
 * Returns: (transfer none) (nullable): its entry
 */
ForeFrontMatterEntry *
fore_front_matter_find (ForeFrontMatter *self, const char *key)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (key != NULL, NULL);

  for (guint i = 0; i < self->entries->len; i++)
    {
      ForeFrontMatterEntry *entry = self->entries->pdata[i];

      if (fore_key_equal (entry->key, key))
        {
          entry->used = TRUE;
          return entry;
        }
    }

  return NULL;
}

static void
report (ForeFrontMatter *self, const ForeFrontMatterEntry *entry, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static void
report (ForeFrontMatter *self, const ForeFrontMatterEntry *entry, const char *format, ...)
{
  g_autofree char *message = NULL;
  g_autofree char *key = g_strndup (entry->key, strcspn (entry->key, "."));
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);

  fore_diagnostics_add (self->diagnostics,
                        self->foreign ? FORE_DIAGNOSTIC_WARNING : FORE_DIAGNOSTIC_ERROR, self->path,
                        entry->top_line, entry->top_column, key, "%s", message);
}

static char *
dup_entry_text (const ForeFrontMatterEntry *entry)
{
  GString *text;

  if (entry->items == NULL)
    return g_strstrip (g_strdup (entry->value));

  text = g_string_new (NULL);
  for (guint i = 0; i < entry->items->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (char *) entry->items->pdata[i]);

  return g_string_free (text, FALSE);
}

/**
 * fore_front_matter_dup_string:
 * @self: a front matter
 * @key: a key
 *
 * Gets the text of a key.
 *
 * Returns: (transfer full) (nullable): the text, or %NULL if there is none
 */
char *
fore_front_matter_dup_string (ForeFrontMatter *self, const char *key)
{
  ForeFrontMatterEntry *entry = fore_front_matter_find (self, key);
  g_autofree char *text = NULL;

  if (entry == NULL)
    return NULL;

  if (entry->items != NULL && !self->foreign)
    {
      report (self, entry, _ ("`%s` must be one text, not a list; it was left out."), entry->key);
      return NULL;
    }

  text = dup_entry_text (entry);
  return *text != '\0' ? g_steal_pointer (&text) : NULL;
}

/**
 * fore_front_matter_dup_plain:
 * @self: a front matter
 * @key: a key
 *
 * Gets the text of a key that takes one word: the name of a model, a level. Anything else is
 * reported and counts as not there.
 *
 * Returns: (transfer full) (nullable): the word
 */
char *
fore_front_matter_dup_plain (ForeFrontMatter *self, const char *key)
{
  g_autofree char *text = fore_front_matter_dup_string (self, key);
  ForeFrontMatterEntry *entry;

  if (text == NULL || text[strcspn (text, " \t\n,")] == '\0')
    return g_steal_pointer (&text);

  entry = fore_front_matter_find (self, key);
  report (self, entry, _ ("`%s` must be one word; `%s` was left out."), entry->key, text);
  return NULL;
}

/**
 * fore_front_matter_dup_reference:
 * @self: a front matter
 * @key: a key
 *
 * Gets the name of another thing. What can be no name is reported and counts as not there.
 *
 * Returns: (transfer full) (nullable): the name in small letters
 */
char *
fore_front_matter_dup_reference (ForeFrontMatter *self, const char *key)
{
  g_autofree char *text = fore_front_matter_dup_string (self, key);
  g_autofree char *name = text != NULL ? g_ascii_strdown (text, -1) : NULL;
  ForeFrontMatterEntry *entry;

  if (name == NULL || fore_library_name_is_valid (name))
    return g_steal_pointer (&name);

  entry = fore_front_matter_find (self, key);
  report (self, entry, _ ("`%s` must be a name in small letters; `%s` was left out."), entry->key,
          text);
  return NULL;
}

/**
 * fore_front_matter_dup_list:
 * @self: a front matter
 * @key: a key
 *
 * Gets the texts of a key that holds a list or texts with commas between them.
 *
 * Returns: (transfer full) (nullable): the texts, or %NULL if the key is not there
 */
GStrv
fore_front_matter_dup_list (ForeFrontMatter *self, const char *key)
{
  ForeFrontMatterEntry *entry = fore_front_matter_find (self, key);

  if (entry == NULL)
    return NULL;

  if (entry->items != NULL)
    return fore_strv_unique (entry->items);

  return fore_csv_split (entry->value);
}

/**
 * fore_front_matter_get_tristate:
 * @self: a front matter
 * @key: a key
 *
 * Gets a yes or no. A value that is neither is reported and counts as not there.
 *
 * Returns: the value, or %FORE_UNSET
 */
ForeTristate
fore_front_matter_get_tristate (ForeFrontMatter *self, const char *key)
{
  ForeFrontMatterEntry *entry = fore_front_matter_find (self, key);
  gboolean value;

  if (entry == NULL || (entry->items == NULL && *entry->value == '\0'))
    return FORE_UNSET;

  if (entry->items == NULL && fore_parse_yes_no (entry->value, &value))
    return value ? FORE_YES : FORE_NO;

  report (self, entry, _ ("`%s` must be true or false; it was left out."), entry->key);
  return FORE_UNSET;
}

/**
 * fore_front_matter_get_bool:
 * @self: a front matter
 * @key: a key
 * @fallback: value when it is not there
 *
 * Gets a yes or no. A value that is neither is reported and counts as not there.
 *
 * Returns: the value
 */
gboolean
fore_front_matter_get_bool (ForeFrontMatter *self, const char *key, gboolean fallback)
{
  ForeTristate value = fore_front_matter_get_tristate (self, key);

  return value == FORE_UNSET ? fallback : value == FORE_YES;
}

/**
 * fore_front_matter_get_count:
 * @self: a front matter
 * @key: a key
 *
 * Gets a whole number above 0. Any other value is reported and counts as not there.
 *
 * Returns: the number, or 0
 */
guint
fore_front_matter_get_count (ForeFrontMatter *self, const char *key)
{
  ForeFrontMatterEntry *entry = fore_front_matter_find (self, key);
  guint value = 0;

  if (entry == NULL || (entry->items == NULL && *entry->value == '\0'))
    return 0;

  if (entry->items == NULL && fore_parse_count (entry->value, G_MAXINT, &value) && value > 0)
    return value;

  report (self, entry, _ ("`%s` must be a whole number above 0; it was left out."), entry->key);
  return 0;
}

/**
 * fore_front_matter_dup_word:
 * @self: a front matter
 * @key: a key
 * @words: (array zero-terminated=1): the words allowed
 *
 * Gets one of a few words. Any other value is reported and counts as not there.
 *
 * Returns: (transfer full) (nullable): the word
 */
char *
fore_front_matter_dup_word (ForeFrontMatter *self, const char *key, const char *const *words)
{
  g_autofree char *text = fore_front_matter_dup_string (self, key);
  g_autofree char *list = NULL;
  ForeFrontMatterEntry *entry;

  if (text == NULL || g_strv_contains (words, text))
    return g_steal_pointer (&text);

  entry = fore_front_matter_find (self, key);
  list = g_strjoinv (", ", (char **) words);
  report (self, entry, _ ("`%s` must be one of %s; it was left out."), entry->key, list);
  return NULL;
}

/**
 * fore_front_matter_dup_name:
 * @self: a front matter
 * @suffix: what the file's name ends with
 *
 * Gets the name of the object: its `name`, or that of its file.
 *
 * Returns: (transfer full) (nullable): the name in small letters, or %NULL if it is a bad one,
 *   which is reported
 */
char *
fore_front_matter_dup_name (ForeFrontMatter *self, const char *suffix)
{
  ForeFrontMatterEntry *entry = fore_front_matter_find (self, "name");
  g_autofree char *given = fore_front_matter_dup_string (self, "name");
  g_autofree char *name = NULL;

  if (given != NULL)
    name = g_utf8_strdown (given, -1);
  else
    name = fore_library_name_from_path (self->path != NULL ? self->path : "unnamed", suffix);

  for (char *c = name; *c != '\0'; c++)
    *c = *c == ' ' ? '-' : *c;

  if (fore_library_name_is_valid (name))
    return g_steal_pointer (&name);

  fore_diagnostics_add (self->diagnostics, FORE_DIAGNOSTIC_ERROR, self->path,
                        entry != NULL ? entry->line : 0, entry != NULL ? entry->column : 0, "name",
                        _ ("`%s` is no usable name. Use small letters, digits and dashes, at most "
                           "64."),
                        name);
  return NULL;
}

static gboolean
is_one_of (const char *key, const char *const *words)
{
  g_autofree char *first = g_strndup (key, strcspn (key, "."));

  for (guint i = 0; words[i] != NULL; i++)
    {
      if (fore_key_equal (words[i], first))
        return TRUE;
    }

  return FALSE;
}

static void
report_unknown (ForeFrontMatter *self, const ForeFrontMatterEntry *entry, const char *const *known)
{
  const char *nearest = fore_nearest_word (entry->key, known);

  if (strchr (entry->key, '.') != NULL && is_one_of (entry->key, known))
    {
      report (self, entry, _ ("`%.*s` must be a plain value, but holds the key `%s`."),
              (int) strcspn (entry->key, "."), entry->key, strchr (entry->key, '.') + 1);
      return;
    }

  if (nearest != NULL)
    fore_diagnostics_add (self->diagnostics, FORE_DIAGNOSTIC_WARNING, self->path, entry->line,
                          entry->column, entry->key, _ ("There is no key `%s`. Did you mean `%s`?"),
                          entry->key, nearest);
  else
    fore_diagnostics_add (self->diagnostics, FORE_DIAGNOSTIC_WARNING, self->path, entry->line,
                          entry->column, entry->key,
                          _ ("There is no key `%s`. It is kept, and does nothing."), entry->key);
}

/**
 * fore_front_matter_keep_rest:
 * @self: a front matter
 * @known: (array zero-terminated=1): keys to suggest for a mistyped one
 * @foreign: (array zero-terminated=1): keys of other systems, kept without a word
 * @source: where the text of what nobody asked for is kept, and where each key stands
 *
 * Keeps every key that nobody asked for, and warns of those that look like mistakes.
 */
void
fore_front_matter_keep_rest (ForeFrontMatter *self,
                             const char *const *known,
                             const char *const *foreign,
                             ForeSource *source)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (known != NULL);
  g_return_if_fail (foreign != NULL);
  g_return_if_fail (source != NULL);

  for (guint i = 0; i < self->entries->len; i++)
    {
      ForeFrontMatterEntry *entry = self->entries->pdata[i];

      fore_source_set_place (source, entry->key, entry->line, entry->column);
      if (entry->used)
        continue;

      g_hash_table_insert (source->extra, g_strdup (entry->key), dup_entry_text (entry));
      if (!is_one_of (entry->key, foreign))
        report_unknown (self, entry, known);
    }
}
