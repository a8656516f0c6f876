/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-redact.h"

#include <string.h>

#include "text/fore-secrets.h"

#define MIN_SECRET 8

typedef struct
{
  char *value;
  char *mark;
} Secret;

struct _ForeRedactor
{
  gatomicrefcount ref_count;
  GPtrArray *secrets;
};

static void
secret_free (gpointer data)
{
  Secret *secret = data;

  g_free (secret->value);
  g_free (secret->mark);
  g_free (secret);
}

/**
 * fore_redactor_new:
 *
 * Returns: (transfer full): a redactor that knows no secrets
 */
ForeRedactor *
fore_redactor_new (void)
{
  ForeRedactor *redactor = g_new0 (ForeRedactor, 1);

  g_atomic_ref_count_init (&redactor->ref_count);
  redactor->secrets = g_ptr_array_new_with_free_func (secret_free);

  return redactor;
}

/**
 * fore_redactor_ref:
 * @redactor: a redactor
 *
 * Returns: (transfer full): the same, for fore_redactor_free()
 */
ForeRedactor *
fore_redactor_ref (ForeRedactor *redactor)
{
  g_return_val_if_fail (redactor != NULL, NULL);

  g_atomic_ref_count_inc (&redactor->ref_count);
  return redactor;
}

/**
 * fore_redactor_free:
 * @redactor: (transfer full) (nullable): a redactor
 *
 * Frees @redactor and its copies of the secrets, once nobody else has it.
 */
void
fore_redactor_free (ForeRedactor *redactor)
{
  if (redactor == NULL || !g_atomic_ref_count_dec (&redactor->ref_count))
    return;

  g_ptr_array_unref (redactor->secrets);
  g_free (redactor);
}

/* Longest first, so that a secret that is part of another leaves nothing of the longer one. */
static int
compare_secrets (gconstpointer a, gconstpointer b)
{
  const Secret *first = *(Secret *const *) a;
  const Secret *second = *(Secret *const *) b;
  gsize first_length = strlen (first->value);
  gsize second_length = strlen (second->value);

  return (first_length < second_length) - (first_length > second_length);
}

static void
add_form (ForeRedactor *redactor, const char *name, char *value)
{
  Secret *secret = g_new0 (Secret, 1);

  secret->value = value;
  secret->mark = g_strdup_printf ("[%s hidden]", name);
  g_ptr_array_add (redactor->secrets, secret);
}

/* The value as JSON writes it between quotes; some writers escape the slash too. */
static char *
escape_json (const char *value, gboolean slash)
{
  GString *escaped = g_string_new (NULL);

  for (const char *p = value; *p != '\0'; p++)
    {
      if (*p == '"' || *p == '\\' || (slash && *p == '/'))
        g_string_append_c (escaped, '\\');

      if (*p == '\n')
        g_string_append (escaped, "\\n");
      else if (*p == '\r')
        g_string_append (escaped, "\\r");
      else if (*p == '\t')
        g_string_append (escaped, "\\t");
      else
        g_string_append_c (escaped, *p);
    }

  return g_string_free (escaped, FALSE);
}

/**
 * fore_redactor_add:
 * @redactor: a redactor
 * @name: what the value is called; stands in its place
 * @value: (nullable): a secret value; one of fewer than 8 bytes is not taken, as it would hide
 * words
 *
 * Adds a value to hide. Not to be called once @redactor is shared between threads.
 */
void
fore_redactor_add (ForeRedactor *redactor, const char *name, const char *value)
{
  g_return_if_fail (redactor != NULL);
  g_return_if_fail (name != NULL);

  if (value == NULL || strlen (value) < MIN_SECRET)
    return;

  add_form (redactor, name, g_strdup (value));
  add_form (redactor, name, escape_json (value, FALSE));
  add_form (redactor, name, escape_json (value, TRUE));
  g_ptr_array_sort (redactor->secrets, compare_secrets);
}

static const Secret *
match (const ForeRedactor *redactor, const char *text)
{
  for (guint i = 0; i < redactor->secrets->len; i++)
    {
      const Secret *secret = g_ptr_array_index (redactor->secrets, i);

      if (g_str_has_prefix (text, secret->value))
        return secret;
    }

  return NULL;
}

/**
 * fore_redactor_apply:
 * @redactor: a redactor
 * @text: a text
 *
 * Hides also what fore_secrets_mask() takes for a secret by its form.
 *
 * Returns: (transfer full): @text with a mark in place of each secret
 */
char *
fore_redactor_apply (const ForeRedactor *redactor, const char *text)
{
  gboolean starts[256] = { FALSE };
  g_autofree char *unknown = NULL;
  const char *from;
  GString *result;

  g_return_val_if_fail (redactor != NULL, NULL);
  g_return_val_if_fail (text != NULL, NULL);

  for (guint i = 0; i < redactor->secrets->len; i++)
    starts[(guchar) ((Secret *) g_ptr_array_index (redactor->secrets, i))->value[0]] = TRUE;

  result = g_string_sized_new (strlen (text));
  from = text;
  while (*text != '\0')
    {
      const Secret *secret = starts[(guchar) *text] ? match (redactor, text) : NULL;

      if (secret == NULL)
        {
          text++;
          continue;
        }

      g_string_append_len (result, from, text - from);
      g_string_append (result, secret->mark);
      text += strlen (secret->value);
      from = text;
    }
  g_string_append_len (result, from, text - from);
  unknown = g_string_free (result, FALSE);

  return fore_secrets_mask (unknown, FALSE);
}
