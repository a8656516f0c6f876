/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-json-slice.h"

#include "text/fore-json-private.h"
#include "text/fore-json-walk.h"

#include <string.h>

/* Makes a slice of the value at which the scanner stands, passing over the rest of it. */
static gboolean
take_value (ForeJsonScanner *scanner, ForeJsonSlice *slice)
{
  ForeJsonToken kind = scanner->token;
  gsize start = scanner->token_start;

  slice->text = scanner->text + start;
  slice->length = scanner->token_length;
  slice->kind = kind;
  slice->escaped = scanner->token_escaped;

  if (kind == FORE_JSON_OBJECT_START || kind == FORE_JSON_ARRAY_START)
    {
      if (!fore_json_scanner_skip (scanner))
        return FALSE;
      slice->length = scanner->position - start;
    }

  return kind != FORE_JSON_ERROR;
}

static int
find_name (const ForeJsonScanner *scanner, const char *const *names, guint n_names)
{
  const char *key = scanner->text + scanner->token_start;

  for (guint i = 0; i < n_names; i++)
    {
      if (names[i][0] == key[0] && fore_json_scanner_equals (scanner, names[i]))
        return i;
    }

  return -1;
}

/* Goes through the members of the object just opened, to its end. */
static gboolean
read_members (ForeJsonScanner *scanner,
              const char *const *names,
              guint n_names,
              ForeJsonSlice *values)
{
  while (fore_json_scanner_next (scanner) == FORE_JSON_KEY)
    {
      int i = find_name (scanner, names, n_names);

      if (i < 0)
        {
          if (!fore_json_scanner_skip (scanner))
            return FALSE;
          continue;
        }

      fore_json_scanner_next (scanner);
      if (!take_value (scanner, &values[i]))
        return FALSE;
    }

  return scanner->token == FORE_JSON_OBJECT_END;
}

static void
clear_values (ForeJsonSlice *values, guint n_values)
{
  for (guint i = 0; i < n_values; i++)
    values[i] = (ForeJsonSlice){ "", 0, FORE_JSON_END, FALSE };
}

/**
 * fore_json_slice_read:
 * @slice: (out): where to put the document
 * @text: a JSON document that stays in memory as long as @slice is used
 * @length: bytes of @text
 * @max_depth: most brackets open at once
 *
 * Checks a whole document.
 *
 * Returns: %FALSE if @text is not JSON
 */
gboolean
fore_json_slice_read (ForeJsonSlice *slice, const char *text, gsize length, guint max_depth)
{
  ForeJsonScanner scanner;

  g_return_val_if_fail (slice != NULL, FALSE);
  g_return_val_if_fail (text != NULL || length == 0, FALSE);

  clear_values (slice, 1);
  fore_json_scanner_init (&scanner, text, length, max_depth);
  fore_json_scanner_next (&scanner);

  return take_value (&scanner, slice) && fore_json_scanner_next (&scanner) == FORE_JSON_END;
}

/**
 * fore_json_slice_read_members:
 * @text: a JSON document that stays in memory as long as @values are used
 * @length: bytes of @text
 * @max_depth: most brackets open at once
 * @names: (array length=n_names): names of members
 * @n_names: how many
 * @values: (out) (array length=n_names): where to put their values
 *
 * Checks a whole document and picks members of the object that it is, in one pass.
 *
 * Returns: %FALSE if @text is not JSON or not an object
 */
gboolean
fore_json_slice_read_members (const char *text,
                              gsize length,
                              guint max_depth,
                              const char *const *names,
                              guint n_names,
                              ForeJsonSlice *values)
{
  ForeJsonScanner scanner;

  g_return_val_if_fail (text != NULL || length == 0, FALSE);
  g_return_val_if_fail (names != NULL && values != NULL, FALSE);

  clear_values (values, n_names);
  fore_json_scanner_init (&scanner, text, length, max_depth);

  return fore_json_scanner_next (&scanner) == FORE_JSON_OBJECT_START
         && read_members (&scanner, names, n_names, values)
         && fore_json_scanner_next (&scanner) == FORE_JSON_END;
}

/**
 * fore_json_slice_get_members:
 * @object: a value
 * @names: (array length=n_names): names of members
 * @n_names: how many
 * @values: (out) (array length=n_names): where to put their values
 *
 * Picks members of an object; of any other value there are none.
 */
void
fore_json_slice_get_members (const ForeJsonSlice *object,
                             const char *const *names,
                             guint n_names,
                             ForeJsonSlice *values)
{
  g_return_if_fail (object != NULL);
  g_return_if_fail (names != NULL && values != NULL);

  clear_values (values, n_names);
  if (object->kind == FORE_JSON_OBJECT_START)
    fore_json_walk_members (object, names, n_names, values);
}

/**
 * fore_json_slice_get_member:
 * @object: a value
 * @name: name of a member
 * @value: (out): where to put its value
 *
 * Picks one member of an object.
 */
void
fore_json_slice_get_member (const ForeJsonSlice *object, const char *name, ForeJsonSlice *value)
{
  fore_json_slice_get_members (object, &name, 1, value);
}

/**
 * fore_json_slice_iter_init:
 * @iter: an iterator
 * @container: an array or object; any other value has no elements
 *
 * Puts @iter before the first element.
 */
void
fore_json_slice_iter_init (ForeJsonSliceIter *iter, const ForeJsonSlice *container)
{
  g_return_if_fail (iter != NULL);
  g_return_if_fail (container != NULL);

  fore_json_scanner_init (&iter->scanner, container->text, container->length, FORE_JSON_MAX_DEPTH);
  if (container->kind == FORE_JSON_ARRAY_START || container->kind == FORE_JSON_OBJECT_START)
    fore_json_scanner_next (&iter->scanner);
  else
    iter->scanner.length = 0;
}

/**
 * fore_json_slice_iter_next:
 * @iter: an iterator
 * @key: (out) (optional): where to put the name of a member
 * @value: (out): where to put the value
 *
 * Returns: %FALSE at the end
 */
gboolean
fore_json_slice_iter_next (ForeJsonSliceIter *iter, ForeJsonSlice *key, ForeJsonSlice *value)
{
  ForeJsonToken token;

  g_return_val_if_fail (iter != NULL, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  token = fore_json_scanner_next (&iter->scanner);
  if (token == FORE_JSON_KEY)
    {
      if (key != NULL)
        take_value (&iter->scanner, key);
      token = fore_json_scanner_next (&iter->scanner);
    }

  if (token == FORE_JSON_OBJECT_END || token == FORE_JSON_ARRAY_END || token == FORE_JSON_END)
    return FALSE;

  return take_value (&iter->scanner, value);
}

/**
 * fore_json_slice_exists:
 * @slice: a value
 *
 * Returns: whether there is a value other than null
 */
gboolean
fore_json_slice_exists (const ForeJsonSlice *slice)
{
  return slice->kind != FORE_JSON_END && slice->kind != FORE_JSON_NULL;
}

/**
 * fore_json_slice_equals:
 * @slice: a value
 * @text: text to compare with
 *
 * Returns: whether @slice is the string @text
 */
gboolean
fore_json_slice_equals (const ForeJsonSlice *slice, const char *text)
{
  return (slice->kind == FORE_JSON_STRING || slice->kind == FORE_JSON_KEY)
         && fore_json_string_equals (slice->text, slice->length, slice->escaped, text);
}

/**
 * fore_json_slice_dup_string:
 * @slice: a value
 *
 * Returns: (transfer full) (nullable): the string, or %NULL if @slice is none
 */
char *
fore_json_slice_dup_string (const ForeJsonSlice *slice)
{
  if (slice->kind != FORE_JSON_STRING && slice->kind != FORE_JSON_KEY)
    return NULL;

  return fore_json_string_decode (slice->text, slice->length, slice->escaped, NULL);
}

/**
 * fore_json_slice_dup_json:
 * @slice: a value
 *
 * Returns: (transfer full) (nullable): the value as it stands in the document, or %NULL without one
 */
char *
fore_json_slice_dup_json (const ForeJsonSlice *slice)
{
  if (slice->kind == FORE_JSON_END)
    return NULL;

  /* The quotes stand around it. */
  if (slice->kind == FORE_JSON_STRING || slice->kind == FORE_JSON_KEY)
    return g_strndup (slice->text - 1, slice->length + 2);

  return g_strndup (slice->text, slice->length);
}

/**
 * fore_json_slice_get_int:
 * @slice: a value
 * @fallback: what to return for anything but a number
 *
 * Returns: the number, cut to a whole one that fits into 64 bits
 */
gint64
fore_json_slice_get_int (const ForeJsonSlice *slice, gint64 fallback)
{
  if (slice->kind != FORE_JSON_NUMBER)
    return fallback;

  return fore_json_number_to_int (slice->text, slice->length);
}

/**
 * fore_json_slice_get_double:
 * @slice: a value
 * @fallback: what to return for anything but a number
 *
 * Returns: the number
 */
double
fore_json_slice_get_double (const ForeJsonSlice *slice, double fallback)
{
  if (slice->kind != FORE_JSON_NUMBER)
    return fallback;

  return fore_json_number_to_double (slice->text, slice->length);
}

/**
 * fore_json_slice_get_bool:
 * @slice: a value
 * @fallback: what to return for anything but true and false
 *
 * Returns: the truth value
 */
gboolean
fore_json_slice_get_bool (const ForeJsonSlice *slice, gboolean fallback)
{
  if (slice->kind == FORE_JSON_TRUE)
    return TRUE;
  if (slice->kind == FORE_JSON_FALSE)
    return FALSE;

  return fallback;
}
