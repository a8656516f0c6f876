/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-json-walk.h"

#include "text/fore-json-private.h"

#include <string.h>

/* Nothing here looks beyond @end, whatever the text is. */
typedef struct
{
  const char *at;
  const char *end;
} Walk;

static inline void
skip_space (Walk *walk)
{
  while (walk->at < walk->end
         && (*walk->at == ' ' || *walk->at == '\n' || *walk->at == '\r' || *walk->at == '\t'))
    walk->at++;
}

static inline char
peek (const Walk *walk)
{
  return walk->at < walk->end ? *walk->at : '\0';
}

static inline const char *
find_quote_or_backslash (const char *at, const char *end)
{
  while (end - at >= 8)
    {
      guint64 word = fore_json_load_word (at);
      guint64 quote = word ^ (FORE_JSON_ONES * '"');
      guint64 backslash = word ^ (FORE_JSON_ONES * '\\');
      guint64 marks = (((quote - FORE_JSON_ONES) & ~quote)
                       | ((backslash - FORE_JSON_ONES) & ~backslash))
                      & FORE_JSON_HIGHS;

      if (marks != 0)
        return at + fore_json_first_mark (marks);
      at += 8;
    }

  while (at < end && *at != '"' && *at != '\\')
    at++;

  return at;
}

/* From behind the opening quote to behind the closing one; the slice is what stands between. */
static void
take_string (Walk *walk, ForeJsonSlice *string)
{
  const char *at = find_quote_or_backslash (walk->at, walk->end);

  string->escaped = at < walk->end && *at == '\\';
  while (at < walk->end && *at == '\\')
    at = find_quote_or_backslash (MIN (at + 2, walk->end), walk->end);

  string->text = walk->at;
  string->length = at - walk->at;
  walk->at = at < walk->end ? at + 1 : at;
}

/* From an opening bracket to behind the one that closes it. */
static void
skip_container (Walk *walk)
{
  ForeJsonSlice string;
  guint depth = 0;

  while (walk->at < walk->end)
    {
      char c = *walk->at++;

      if (c == '"')
        take_string (walk, &string);
      else if (c == '{' || c == '[')
        depth++;
      else if ((c == '}' || c == ']') && --depth == 0)
        return;
    }
}

/* Numbers, true, false and null end where something else than letters and digits stands. */
static void
skip_word (Walk *walk)
{
  while (walk->at<walk->end && * walk->at> ' ' && *walk->at != ',' && *walk->at != ']'
         && *walk->at != '}')
    walk->at++;
}

static ForeJsonToken
get_kind (char first)
{
  switch (first)
    {
    case '"':
      return FORE_JSON_STRING;
    case '{':
      return FORE_JSON_OBJECT_START;
    case '[':
      return FORE_JSON_ARRAY_START;
    case 't':
      return FORE_JSON_TRUE;
    case 'f':
      return FORE_JSON_FALSE;
    case 'n':
      return FORE_JSON_NULL;
    default:
      return FORE_JSON_NUMBER;
    }
}

static void
take_value (Walk *walk, ForeJsonSlice *value)
{
  value->kind = get_kind (peek (walk));
  value->text = walk->at;
  value->escaped = FALSE;

  if (value->kind == FORE_JSON_STRING)
    {
      walk->at++;
      take_string (walk, value);
      return;
    }

  if (value->kind == FORE_JSON_OBJECT_START || value->kind == FORE_JSON_ARRAY_START)
    skip_container (walk);
  else
    skip_word (walk);
  value->length = walk->at - value->text;
}

static int
find_name (const ForeJsonSlice *key, const char *const *names, guint n_names)
{
  for (guint i = 0; i < n_names; i++)
    {
      if (key->escaped
              ? fore_json_string_equals (key->text, key->length, TRUE, names[i])
              : strncmp (names[i], key->text, key->length) == 0 && names[i][key->length] == '\0')
        return i;
    }

  return -1;
}

/* Takes a name and the colon behind it. */
static gboolean
take_key (Walk *walk, ForeJsonSlice *key)
{
  skip_space (walk);
  if (peek (walk) == ',')
    {
      walk->at++;
      skip_space (walk);
    }
  if (peek (walk) != '"')
    return FALSE;

  walk->at++;
  take_string (walk, key);
  skip_space (walk);
  if (peek (walk) != ':')
    return FALSE;

  walk->at++;
  skip_space (walk);
  return walk->at < walk->end;
}

/**
 * fore_json_walk_members:
 * @object: an object within a document that was checked
 * @names: (array length=n_names): names of members
 * @n_names: how many
 * @values: (out) (array length=n_names): where to put their values; those that are not there are
 *   left as they are
 *
 * Picks members of an object.
 */
void
fore_json_walk_members (const ForeJsonSlice *object,
                        const char *const *names,
                        guint n_names,
                        ForeJsonSlice *values)
{
  Walk walk = { object->text + 1, object->text + object->length };
  ForeJsonSlice key, other;

  g_return_if_fail (object->kind == FORE_JSON_OBJECT_START && object->length > 0);

  while (take_key (&walk, &key))
    {
      int i = find_name (&key, names, n_names);

      take_value (&walk, i >= 0 ? &values[i] : &other);
    }
}
