/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-quantity.h"

#include <string.h>

typedef struct
{
  const char *word;
  gint64 factor;
} Unit;

static const Unit time_units[] = {
  { "ms", 1 },           { "s", 1000 },           { "sec", 1000 },
  { "second", 1000 },    { "seconds", 1000 },     { "m", 60 * 1000 },
  { "min", 60 * 1000 },  { "minute", 60 * 1000 }, { "minutes", 60 * 1000 },
  { "h", 3600 * 1000 },  { "hour", 3600 * 1000 }, { "hours", 3600 * 1000 },
  { "d", 86400 * 1000 }, { "day", 86400 * 1000 }, { "days", 86400 * 1000 },
};

static const Unit size_units[] = {
  { "b", 1 },
  { "byte", 1 },
  { "bytes", 1 },
  { "kb", 1000 },
  { "kib", G_GINT64_CONSTANT (1) << 10 },
  { "k", G_GINT64_CONSTANT (1) << 10 },
  { "mb", 1000 * 1000 },
  { "mib", G_GINT64_CONSTANT (1) << 20 },
  { "m", G_GINT64_CONSTANT (1) << 20 },
  { "gb", 1000 * 1000 * 1000 },
  { "gib", G_GINT64_CONSTANT (1) << 30 },
  { "g", G_GINT64_CONSTANT (1) << 30 },
};

static const char *
skip_space (const char *text)
{
  while (g_ascii_isspace (*text))
    text++;

  return text;
}

static gboolean
find_unit (const Unit *units, guint n_units, const char *word, gsize length, gint64 *factor)
{
  for (guint i = 0; i < n_units; i++)
    {
      if (strlen (units[i].word) == length
          && g_ascii_strncasecmp (units[i].word, word, length) == 0)
        {
          *factor = units[i].factor;
          return TRUE;
        }
    }

  return FALSE;
}

/* Reads one "NUMBER UNIT" and moves @text behind it. A number without a unit counts @bare. */
static gboolean
read_part (const char **text, const Unit *units, guint n_units, gint64 bare, double *value)
{
  char *end;
  const char *word;
  gint64 factor = bare;
  double number;

  if (!g_ascii_isdigit (**text) && **text != '.')
    return FALSE;

  number = g_ascii_strtod (*text, &end);
  if (end == *text || number < 0)
    return FALSE;

  word = skip_space (end);
  for (end = (char *) word; g_ascii_isalpha (*end);)
    end++;
  if (end > word && !find_unit (units, n_units, word, end - word, &factor))
    return FALSE;

  *value = number * factor;
  *text = skip_space (end);
  return TRUE;
}

static gboolean
parse_sum (const char *text, const Unit *units, guint n_units, gint64 *result)
{
  double sum = 0, part;

  text = skip_space (text);
  do
    {
      if (!read_part (&text, units, n_units, 1, &part))
        return FALSE;
      sum += part;
    }
  while (*text != '\0');

  /* Doubles hold every whole number up to here. */
  if (!(sum <= 9007199254740992.0))
    return FALSE;

  *result = (gint64) (sum + 0.5);
  return TRUE;
}

/**
 * fore_duration_parse:
 * @text: something like `10 min`, `1h 30m`, `250ms`; a bare number is milliseconds
 * @ms: (out): place for the milliseconds
 *
 * Reads a duration as people write it.
 *
 * Returns: %FALSE if @text is no duration
 */
gboolean
fore_duration_parse (const char *text, gint64 *ms)
{
  g_return_val_if_fail (text != NULL, FALSE);
  g_return_val_if_fail (ms != NULL, FALSE);

  return parse_sum (text, time_units, G_N_ELEMENTS (time_units), ms);
}

/**
 * fore_duration_format:
 * @ms: milliseconds, not negative
 *
 * Writes a duration in the largest unit that loses nothing, so that fore_duration_parse() gives
 * @ms again.
 *
 * Returns: (transfer full): text such as `10 min`
 */
char *
fore_duration_format (gint64 ms)
{
  static const Unit shown[]
      = { { "h", 3600 * 1000 }, { "min", 60 * 1000 }, { "s", 1000 }, { "ms", 1 } };

  g_return_val_if_fail (ms >= 0, g_strdup ("0 s"));

  if (ms == 0)
    return g_strdup ("0 s");
  if (ms >= 2 * 86400000 && ms % 86400000 == 0)
    return g_strdup_printf ("%" G_GINT64_FORMAT " days", ms / 86400000);

  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    {
      if (ms % shown[i].factor == 0)
        return g_strdup_printf ("%" G_GINT64_FORMAT " %s", ms / shown[i].factor, shown[i].word);
    }

  g_assert_not_reached ();
}

/**
 * fore_size_parse:
 * @text: something like `512 MiB` or `10kB`; a bare number is bytes
 * @bytes: (out): place for the bytes
 *
 * Reads a size as people write it.
 *
 * Returns: %FALSE if @text is no size
 */
gboolean
fore_size_parse (const char *text, gint64 *bytes)
{
  g_return_val_if_fail (text != NULL, FALSE);
  g_return_val_if_fail (bytes != NULL, FALSE);

  return parse_sum (text, size_units, G_N_ELEMENTS (size_units), bytes);
}

/**
 * fore_size_format:
 * @bytes: a size, not negative
 *
 * Writes a size in the largest binary unit that loses nothing, so that fore_size_parse() gives
 * @bytes again.
 *
 * Returns: (transfer full): text such as `512 MiB`
 */
char *
fore_size_format (gint64 bytes)
{
  static const char *const words[] = { "B", "KiB", "MiB", "GiB" };
  guint unit = 0;

  g_return_val_if_fail (bytes >= 0, g_strdup ("0 B"));

  while (bytes > 0 && bytes % 1024 == 0 && unit + 1 < G_N_ELEMENTS (words))
    {
      bytes /= 1024;
      unit++;
    }

  return g_strdup_printf ("%" G_GINT64_FORMAT " %s", bytes, words[unit]);
}
