/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-library-text.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "library/fore-diagnostic.h"
#include "model/fore-quantity.h"
#include "text/fore-sanitise.h"

#define BOM "\xef\xbb\xbf"
#define MAX_NAME 64

static gboolean
check_file (const char *path, gsize max_bytes, gboolean follow_links, GPtrArray *diagnostics)
{
  GStatBuf info;

  if ((follow_links ? g_stat (path, &info) : g_lstat (path, &info)) != 0)
    {
      fore_diagnostics_add (diagnostics, FORE_DIAGNOSTIC_WARNING, path, 0, 0, NULL,
                            _ ("This file cannot be read: %s. Check its permissions."),
                            g_strerror (errno));
      return FALSE;
    }

  if (!S_ISREG (info.st_mode))
    {
      fore_diagnostics_add (diagnostics, FORE_DIAGNOSTIC_WARNING, path, 0, 0, NULL,
                            _ ("This is a link or no plain file and was left out. Put the file "
                               "itself here."));
      return FALSE;
    }

  if ((guint64) info.st_size > max_bytes)
    {
      g_autofree char *limit = fore_size_format (max_bytes);

      fore_diagnostics_add (diagnostics, FORE_DIAGNOSTIC_ERROR, path, 0, 0, NULL,
                            _ ("This file is larger than %s and was left out. Make it smaller."),
                            limit);
      return FALSE;
    }

  return TRUE;
}

/**
 * fore_library_text_read:
 * @path: a file
 * @max_bytes: largest file to read
 * @follow_links: whether a symbolic link is followed; if not it is left out
 * @length: (out): place for the length in bytes
 * @diagnostics: (element-type ForeDiagnostic): where to say why it could not be read
 *
 * Reads a plain file. Blocks on the disk.
 *
 * Returns: (transfer full) (nullable): the bytes, ended by a NUL, or %NULL
 */
char *
fore_library_text_read (
    const char *path, gsize max_bytes, gboolean follow_links, gsize *length, GPtrArray *diagnostics)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (length != NULL, NULL);

  if (!check_file (path, max_bytes, follow_links, diagnostics))
    return NULL;

  if (!g_file_get_contents (path, &text, length, &error))
    {
      fore_diagnostics_add (diagnostics, FORE_DIAGNOSTIC_WARNING, path, 0, 0, NULL,
                            _ ("This file cannot be read: %s. Check its permissions."),
                            error->message);
      return NULL;
    }

  return g_steal_pointer (&text);
}

static guint
count_lines (const char *text, gsize length)
{
  guint lines = 1;

  for (gsize i = 0; i < length; i++)
    lines += text[i] == '\n';

  return lines;
}

/**
 * fore_library_text_normalise:
 * @text: bytes of a file
 * @length: how many, or -1 if @text ends with a NUL
 * @path: (nullable): the file, for messages
 * @diagnostics: (nullable) (element-type ForeDiagnostic): where to say what is wrong
 *
 * Makes text of one kind out of what editors leave: without byte order mark, lines ended by LF.
 *
 * Returns: (transfer full) (nullable): the text, or %NULL if it holds NULs or is not UTF-8
 */
char *
fore_library_text_normalise (const char *text,
                             gssize length,
                             const char *path,
                             GPtrArray *diagnostics)
{
  const char *end;
  char *result, *out;
  gsize n_bytes = length < 0 ? strlen (text) : (gsize) length;

  g_return_val_if_fail (text != NULL, NULL);

  if (n_bytes >= 3 && memcmp (text, BOM, 3) == 0)
    {
      text += 3;
      n_bytes -= 3;
    }

  if (!g_utf8_validate_len (text, n_bytes, &end))
    {
      fore_diagnostics_add (diagnostics, FORE_DIAGNOSTIC_ERROR, path,
                            count_lines (text, end - text), 0, NULL,
                            *end == '\0' ? _ ("There is a NUL byte here: this is no text file.")
                                         : _ ("This is not UTF-8. Save the file as UTF-8."));
      return NULL;
    }

  result = out = g_malloc (n_bytes + 1);
  for (gsize i = 0; i < n_bytes; i++)
    {
      if (text[i] == '\r')
        {
          *out++ = '\n';
          i += i + 1 < n_bytes && text[i + 1] == '\n';
        }
      else
        *out++ = text[i];
    }
  *out = '\0';

  return result;
}

typedef struct
{
  const char *path;
  guint first_line;
  gboolean foreign;
  GPtrArray *diagnostics;
} Sanitising;

static void
report_removed (guint line, ForeSanitiseKind kind, gpointer user_data)
{
  const Sanitising *sanitising = user_data;
  gboolean harmless = !sanitising->foreign && kind == FORE_SANITISE_COMMENT;

  fore_diagnostics_add (sanitising->diagnostics,
                        harmless ? FORE_DIAGNOSTIC_NOTE : FORE_DIAGNOSTIC_WARNING, sanitising->path,
                        sanitising->first_line + line - 1, 1, NULL, "%s",
                        fore_sanitise_describe (kind));
}

/**
 * fore_library_text_sanitise:
 * @text: text for agents
 * @layer: where it comes from
 * @path: (nullable): the file, for messages
 * @first_line: line of the file on which @text starts
 * @diagnostics: (nullable) (element-type ForeDiagnostic): where to say what was taken out
 *
 * Takes out of a text what agents would read and people not, or what poses as orders; the less its
 * layer is trusted the more. What ships with the program stays as it is.
 *
 * Returns: (transfer full): the text without it, line for line
 */
char *
fore_library_text_sanitise (const char *text,
                            ForeLibraryLayer layer,
                            const char *path,
                            guint first_line,
                            GPtrArray *diagnostics)
{
  Sanitising sanitising = { path, first_line, fore_library_layer_is_project (layer), diagnostics };

  g_return_val_if_fail (text != NULL, NULL);

  if (layer == FORE_LAYER_BUILTIN || layer == FORE_LAYER_MADE)
    return g_strdup (text);

  return fore_sanitise (text, sanitising.foreign ? FORE_SANITISE_FOREIGN : FORE_SANITISE_OWN,
                        report_removed, &sanitising);
}

/**
 * fore_strv_unique:
 * @words: (element-type utf8): texts
 *
 * Makes a list of @words without the empty and the repeated ones, order kept.
 *
 * Returns: (transfer full): the list
 */
GStrv
fore_strv_unique (GPtrArray *words)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  g_return_val_if_fail (words != NULL, NULL);

  for (guint i = 0; i < words->len; i++)
    {
      char *word = g_strstrip (words->pdata[i]);

      if (*word != '\0' && g_hash_table_add (seen, word))
        g_strv_builder_add (builder, word);
    }

  return g_strv_builder_end (builder);
}

/**
 * fore_csv_split:
 * @text: `a, b, "c, d"`, with or without brackets around it
 *
 * Splits a list that stands on one line. Empty and repeated parts are dropped.
 *
 * Returns: (transfer full): the parts
 */
GStrv
fore_csv_split (const char *text)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) part = g_string_new (NULL);
  g_autofree char *inner = NULL;
  char quote = '\0';
  gsize length;

  g_return_val_if_fail (text != NULL, NULL);

  inner = g_strstrip (g_strdup (text));
  length = strlen (inner);
  if (length >= 2 && inner[0] == '[' && inner[length - 1] == ']')
    {
      inner[length - 1] = '\0';
      inner[0] = ' ';
    }

  for (const char *c = inner; *c != '\0'; c++)
    {
      if (quote != '\0' ? *c == quote : *c == '"')
        quote = quote == '\0' ? *c : '\0';
      else if (*c == ',' && quote == '\0')
        {
          g_ptr_array_add (parts, g_strdup (part->str));
          g_string_truncate (part, 0);
        }
      else
        g_string_append_c (part, *c);
    }
  g_ptr_array_add (parts, g_strdup (part->str));

  return fore_strv_unique (parts);
}

/**
 * fore_parse_yes_no:
 * @text: a word
 * @value: (out): place for the value
 *
 * Reads a yes or no as people write it.
 *
 * Returns: %FALSE if @text is neither
 */
gboolean
fore_parse_yes_no (const char *text, gboolean *value)
{
  static const char *const yes[] = { "true", "yes", "on", "1" };
  static const char *const no[] = { "false", "no", "off", "0" };

  g_return_val_if_fail (text != NULL, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (yes); i++)
    {
      *value = g_ascii_strcasecmp (text, yes[i]) == 0;
      if (*value || g_ascii_strcasecmp (text, no[i]) == 0)
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_parse_count:
 * @text: digits
 * @maximum: largest number allowed
 * @value: (out): place for the number
 *
 * Reads a whole number from 0 to @maximum.
 *
 * Returns: %FALSE if @text is none
 */
gboolean
fore_parse_count (const char *text, guint maximum, guint *value)
{
  guint64 number;

  g_return_val_if_fail (text != NULL, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  if (!g_ascii_string_to_unsigned (text, 10, 0, maximum, &number, NULL))
    return FALSE;

  *value = number;
  return TRUE;
}

/**
 * fore_key_equal:
 * @a: a key
 * @b: another key
 *
 * Compares keys as people write them: `dependsOn`, `depends-on` and `depends_on` are one.
 *
 * Returns: %TRUE if they are the same key
 */
gboolean
fore_key_equal (const char *a, const char *b)
{
  g_return_val_if_fail (a != NULL, FALSE);
  g_return_val_if_fail (b != NULL, FALSE);

  for (;; a++, b++)
    {
      while (*a == '-' || *a == '_')
        a++;
      while (*b == '-' || *b == '_')
        b++;
      if (g_ascii_tolower (*a) != g_ascii_tolower (*b))
        return FALSE;
      if (*a == '\0')
        return TRUE;
    }
}

/**
 * fore_key_fold:
 * @key: a key
 *
 * Writes a key so that keys which fore_key_equal() calls equal are the same text.
 *
 * Returns: (transfer full): the key in small letters without `-` and `_`
 */
char *
fore_key_fold (const char *key)
{
  GString *folded;

  g_return_val_if_fail (key != NULL, NULL);

  folded = g_string_new (NULL);
  for (; *key != '\0'; key++)
    {
      if (*key != '-' && *key != '_')
        g_string_append_c (folded, g_ascii_tolower (*key));
    }

  return g_string_free (folded, FALSE);
}

/**
 * fore_library_name_is_valid:
 * @name: a name
 *
 * Tells whether @name may name an agent, a team, a role, a workflow or a skill: 1 to 64 small
 * letters, digits, `-`, `_` and `.`, the first a letter or digit.
 *
 * Returns: %TRUE if it may
 */
gboolean
fore_library_name_is_valid (const char *name)
{
  gsize length;

  g_return_val_if_fail (name != NULL, FALSE);

  length = strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789-_.");
  return length > 0 && length <= MAX_NAME && name[length] == '\0' && g_ascii_isalnum (name[0]);
}

/**
 * fore_library_name_from_path:
 * @path: a file
 * @suffix: what its name ends with
 *
 * Makes the name that an object has when its file gives it none.
 *
 * Returns: (transfer full): the file's name without @suffix, in small letters
 */
char *
fore_library_name_from_path (const char *path, const char *suffix)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (suffix != NULL, NULL);

  name = g_path_get_basename (path);
  if (g_str_has_suffix (name, suffix))
    name[strlen (name) - strlen (suffix)] = '\0';

  return g_utf8_strdown (name, -1);
}
