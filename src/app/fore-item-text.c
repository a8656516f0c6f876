/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-item-text.h"

#include "app/fore-format.h"
#include "model/fore-error.h"

#include <glib/gi18n-lib.h>

/**
 * fore_item_checks_to_text:
 * @checks: (nullable) (element-type ForeCheck): checks of an item
 *
 * Returns: (transfer full): one command on each line, quoted as a shell reads it
 */
char *
fore_item_checks_to_text (GPtrArray *checks)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; checks != NULL && i < checks->len; i++)
    {
      const ForeCheck *check = g_ptr_array_index (checks, i);
      g_autofree char *line = fore_format_command ((const char *const *) check->argv);

      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", line);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static ForeCheck *
find_check (GPtrArray *checks, const char *const *argv)
{
  for (guint i = 0; checks != NULL && i < checks->len; i++)
    {
      const ForeCheck *check = g_ptr_array_index (checks, i);

      if (check->argv != NULL && g_strv_equal ((const char *const *) check->argv, argv))
        return fore_check_copy (check);
    }

  return NULL;
}

/**
 * fore_item_checks_from_text:
 * @text: one command on each line
 * @before: (nullable) (element-type ForeCheck): checks that the item had; known ones stay
 * @error: return location for an error
 *
 * Returns: (transfer full) (element-type ForeCheck) (nullable): the checks, or %NULL with
 *   %FORE_ERROR_INVALID where a line is not a command
 */
GPtrArray *
fore_item_checks_from_text (const char *text, GPtrArray *before, GError **error)
{
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_check_free);
  g_auto (GStrv) lines = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) argv = NULL;
      ForeCheck *check;

      if (*g_strstrip (lines[i]) == 0)
        continue;
      argv = fore_item_words_from_text (lines[i], error);
      if (argv == NULL)
        return NULL;

      check = find_check (before, (const char *const *) argv);
      if (check == NULL)
        check = fore_check_new ((const char *const *) argv);
      g_ptr_array_add (checks, check);
    }

  return g_steal_pointer (&checks);
}

/**
 * fore_item_words_to_text:
 * @words: (nullable): paths or words of a command
 *
 * Returns: (transfer full): @words on one line, quoted as a shell reads them
 */
char *
fore_item_words_to_text (const char *const *words)
{
  return fore_format_command (words);
}

/**
 * fore_item_words_from_text:
 * @text: words on one line, quoted as a shell reads them
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): the words, none for an empty text, or %NULL with
 *   %FORE_ERROR_INVALID where a quotation mark has no end
 */
GStrv
fore_item_words_from_text (const char *text, GError **error)
{
  g_autoptr (GError) local = NULL;
  GStrv words = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  if (g_shell_parse_argv (text, NULL, &words, &local))
    return words;
  if (g_error_matches (local, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
    return g_new0 (char *, 1);

  g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
               _ ("Close the quotation mark in “%s” to save."), text);
  return NULL;
}
