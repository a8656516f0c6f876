/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-front-matter-yaml.h"

#include <glib/gi18n-lib.h>
#include <yaml.h>

#define MAX_ITEMS 10000

/* The YAML reader pulls events and never builds a document: anchors are not kept and an alias ends
 * the strict reading, so there is nothing that could be expanded.
 */
typedef struct
{
  ForeFrontMatter *matter;
  yaml_parser_t parser;
  yaml_event_t event;
  gboolean has_event;
  guint first_line;
  guint n_items;
  guint top_line;
  guint top_column;
  ForeYamlOutcome outcome;
} Reader;

static gboolean read_mapping (Reader *reader, const char *prefix, guint depth);
static gboolean read_sequence (Reader *reader, GPtrArray *items, guint depth);

static guint
reader_line (Reader *reader)
{
  return reader->first_line + reader->event.start_mark.line;
}

static guint
reader_column (Reader *reader)
{
  return reader->event.start_mark.column + 1;
}

static gboolean
refuse (Reader *reader, const char *message)
{
  reader->outcome = FORE_YAML_REFUSED;
  fore_diagnostics_add (reader->matter->diagnostics, FORE_DIAGNOSTIC_ERROR, reader->matter->path,
                        reader_line (reader), reader_column (reader), NULL, "%s", message);
  return FALSE;
}

static gboolean
not_strict (Reader *reader, guint line, guint column, const char *problem)
{
  reader->outcome = FORE_YAML_NOT_STRICT;
  fore_diagnostics_add (reader->matter->diagnostics, FORE_DIAGNOSTIC_NOTE, reader->matter->path,
                        line, column, NULL,
                        _ ("This is no strict YAML (%s) and was read line by line. Put quotes "
                           "around values with a colon."),
                        problem);
  return FALSE;
}

static gboolean
next_event (Reader *reader)
{
  if (reader->has_event)
    yaml_event_delete (&reader->event);

  reader->has_event = yaml_parser_parse (&reader->parser, &reader->event);
  if (!reader->has_event)
    return not_strict (reader, reader->first_line + reader->parser.problem_mark.line,
                       reader->parser.problem_mark.column + 1,
                       reader->parser.problem != NULL ? reader->parser.problem : "?");

  if (reader->event.type == YAML_ALIAS_EVENT)
    return not_strict (reader, reader_line (reader), reader_column (reader),
                       _ ("aliases are not followed"));

  return TRUE;
}

static const char *
scalar_text (Reader *reader)
{
  return (const char *) reader->event.data.scalar.value;
}

/* What a list holds below its first level becomes one text per item, quoted as for a command. */
static gboolean
read_nested_item (Reader *reader, GPtrArray *items, guint depth)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) joined = g_string_new (NULL);

  if (!read_sequence (reader, words, depth))
    return FALSE;

  for (guint i = 0; i < words->len; i++)
    {
      g_autofree char *quoted = g_shell_quote (words->pdata[i]);

      g_string_append_printf (joined, "%s%s", i > 0 ? " " : "", quoted);
    }
  g_ptr_array_add (items, g_strdup (joined->str));

  return TRUE;
}

static gboolean
read_sequence (Reader *reader, GPtrArray *items, guint depth)
{
  if (depth > FORE_FRONT_MATTER_MAX_DEPTH)
    return refuse (reader, _ ("This is nested too deeply. Keep lists and keys flat."));

  while (next_event (reader))
    {
      if (reader->event.type == YAML_SEQUENCE_END_EVENT)
        return TRUE;
      if (reader->n_items++ >= MAX_ITEMS)
        return refuse (reader, _ ("There are too many list items here. Make the list shorter."));

      if (reader->event.type == YAML_SCALAR_EVENT)
        g_ptr_array_add (items, g_strdup (scalar_text (reader)));
      else if (reader->event.type != YAML_SEQUENCE_START_EVENT)
        return not_strict (reader, reader_line (reader), reader_column (reader),
                           _ ("lists hold texts only"));
      else if (!read_nested_item (reader, items, depth + 1))
        return FALSE;
    }

  return FALSE;
}

static gboolean
add_entry (
    Reader *reader, const char *key, const char *value, GPtrArray *items, guint line, guint column)
{
  ForeFrontMatterEntry *entry;

  if (!fore_front_matter_add (reader->matter, key, value, items, line, column))
    return FALSE;

  entry = reader->matter->entries->pdata[reader->matter->entries->len - 1];
  entry->top_line = reader->top_line;
  entry->top_column = reader->top_column;
  return TRUE;
}

static gboolean
read_value (Reader *reader, const char *key, guint line, guint column, guint depth)
{
  g_autoptr (GPtrArray) items = NULL;
  g_autofree char *prefix = NULL;

  if (!next_event (reader))
    return FALSE;

  switch ((int) reader->event.type)
    {
    case YAML_SCALAR_EVENT:
      if (add_entry (reader, key, scalar_text (reader), NULL, line, column))
        return TRUE;
      break;

    case YAML_SEQUENCE_START_EVENT:
      items = g_ptr_array_new_with_free_func (g_free);
      if (!read_sequence (reader, items, depth + 1))
        return FALSE;
      if (add_entry (reader, key, NULL, items, line, column))
        return TRUE;
      break;

    default:
      prefix = g_strconcat (key, ".", NULL);
      return read_mapping (reader, prefix, depth + 1);
    }

  return refuse (reader, _ ("There are too many keys here. Remove those that are not needed."));
}

static gboolean
read_mapping (Reader *reader, const char *prefix, guint depth)
{
  if (depth > FORE_FRONT_MATTER_MAX_DEPTH)
    return refuse (reader, _ ("This is nested too deeply. Keep lists and keys flat."));

  while (next_event (reader))
    {
      g_autofree char *key = NULL;
      guint line = reader_line (reader), column = reader_column (reader);

      if (reader->event.type == YAML_MAPPING_END_EVENT)
        return TRUE;
      if (reader->event.type != YAML_SCALAR_EVENT)
        return not_strict (reader, line, column, _ ("a key must be a text"));

      if (depth == 1)
        {
          reader->top_line = line;
          reader->top_column = column;
        }
      key = g_strconcat (prefix, scalar_text (reader), NULL);
      if (!read_value (reader, key, line, column, depth))
        return FALSE;
    }

  return FALSE;
}

static void
read_document (Reader *reader)
{
  do
    {
      if (!next_event (reader))
        return;
    }
  while (reader->event.type == YAML_STREAM_START_EVENT
         || reader->event.type == YAML_DOCUMENT_START_EVENT);

  if (reader->event.type == YAML_STREAM_END_EVENT)
    return;

  if (reader->event.type != YAML_MAPPING_START_EVENT)
    {
      not_strict (reader, reader_line (reader), reader_column (reader),
                  _ ("these are no keys with values"));
      return;
    }

  if (read_mapping (reader, "", 1) && next_event (reader)
      && reader->event.type == YAML_DOCUMENT_END_EVENT && next_event (reader)
      && reader->event.type != YAML_STREAM_END_EVENT)
    not_strict (reader, reader_line (reader), reader_column (reader),
                _ ("there is more than one document"));
}

/**
 * fore_front_matter_read_yaml:
 * @self: where the keys go
 * @text: YAML
 * @length: its length in bytes
 * @first_line: line of the file on which @text starts
 *
 * Reads a front matter as YAML.
 *
 * Returns: how it went; unless it is %FORE_YAML_DONE, @self may hold some of the keys
 */
ForeYamlOutcome
fore_front_matter_read_yaml (ForeFrontMatter *self,
                             const char *text,
                             gsize length,
                             guint first_line)
{
  Reader reader = { .matter = self, .first_line = first_line, .outcome = FORE_YAML_DONE };

  g_return_val_if_fail (self != NULL, FORE_YAML_REFUSED);
  g_return_val_if_fail (text != NULL, FORE_YAML_REFUSED);

  if (!yaml_parser_initialize (&reader.parser))
    g_error ("out of memory");

  yaml_parser_set_encoding (&reader.parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string (&reader.parser, (const unsigned char *) text, length);
  read_document (&reader);

  if (reader.has_event)
    yaml_event_delete (&reader.event);
  yaml_parser_delete (&reader.parser);

  return reader.outcome;
}

static gboolean
is_list_item (const char *text)
{
  return text[0] == '-' && (text[1] == ' ' || text[1] == '\0');
}

static void
append_to_value (ForeFrontMatterEntry *entry, const char *text)
{
  char *old = entry->value;

  if (old == NULL || *old == '\0' || g_strcmp0 (old, ">") == 0 || g_strcmp0 (old, "|") == 0)
    entry->value = g_strdup (text);
  else
    entry->value = g_strconcat (old, " ", text, NULL);
  g_free (old);
}

/* A line that belongs to the key above it. */
static gboolean
continue_entry (ForeFrontMatter *self, const char *line)
{
  ForeFrontMatterEntry *entry;
  g_autofree char *text = g_strstrip (g_strdup (line));

  if (self->entries->len == 0)
    return FALSE;

  entry = self->entries->pdata[self->entries->len - 1];
  if (!is_list_item (text))
    append_to_value (entry, text);
  else if (entry->items == NULL && entry->value != NULL && *entry->value != '\0')
    return FALSE;
  else
    {
      if (entry->items == NULL)
        entry->items = g_ptr_array_new_with_free_func (g_free);
      g_clear_pointer (&entry->value, g_free);
      g_ptr_array_add (entry->items, g_strstrip (g_strdup (text + 1)));
    }

  return TRUE;
}

static char *
dup_unquoted (const char *text)
{
  g_autofree char *value = g_strstrip (g_strdup (text));
  gsize length = strlen (value);

  if (length >= 2 && (value[0] == '"' || value[0] == '\'') && value[length - 1] == value[0])
    return g_strndup (value + 1, length - 2);

  return g_steal_pointer (&value);
}

/* Splits at the FIRST colon: that is what `description: use it when: always` needs. */
static gboolean
read_key_line (ForeFrontMatter *self, const char *line, guint number)
{
  const char *colon = strchr (line, ':');
  g_autofree char *key = NULL;
  g_autofree char *value = NULL;

  if (colon == NULL || colon == line)
    return FALSE;

  key = g_strstrip (g_strndup (line, colon - line));
  if (key[strcspn (key, " \t\"'{}[]#")] != '\0')
    return FALSE;

  value = dup_unquoted (colon + 1);
  return fore_front_matter_add (self, key, value, NULL, number, 1);
}

/**
 * fore_front_matter_read_lines:
 * @self: where the keys go
 * @text: the front matter
 * @first_line: line of the file on which @text starts
 *
 * Reads a front matter line by line, for the many files that are almost YAML: each line is
 * `key: anything`, indented lines and list items belong to the key above.
 *
 * Returns: %TRUE if at least one key was found
 */
gboolean
fore_front_matter_read_lines (ForeFrontMatter *self, const char *text, guint first_line)
{
  g_auto (GStrv) lines = NULL;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = lines[i];
      gboolean done;

      if (line[strspn (line, " \t")] == '\0' || line[strspn (line, " \t")] == '#')
        continue;

      if (g_ascii_isspace (*line) || is_list_item (line))
        done = continue_entry (self, line);
      else
        done = read_key_line (self, line, first_line + i);
      if (!done)
        fore_diagnostics_add (self->diagnostics, FORE_DIAGNOSTIC_WARNING, self->path,
                              first_line + i, 1, NULL,
                              _ ("This line was left out. Write it as `key: value`."));
    }

  return self->entries->len > 0;
}
