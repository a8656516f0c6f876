/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-check.h"
#include "model/fore-words.h"

#include <string.h>

static const char *const verified_names[FORE_N_VERIFIED] = {
  "none",
  "verified",
  "failed",
  "compromised",
};

static const char *const worker_names[FORE_N_WORKERS] = {
  "none",
  "well",
  "badly",
};

static const char *const effect_names[FORE_N_EFFECTS] = {
  "unknown",
  "none",
  "changed",
};

/**
 * fore_check_new:
 * @argv: the command
 *
 * Returns: (transfer full): a check that has not run
 */
ForeCheck *
fore_check_new (const char *const *argv)
{
  ForeCheck *check;

  g_return_val_if_fail (argv != NULL, NULL);

  check = g_new0 (ForeCheck, 1);
  check->argv = g_strdupv ((char **) argv);
  check->exit_code = -1;
  check->ms = -1;

  return check;
}

/**
 * fore_check_copy:
 * @check: a check
 *
 * Returns: (transfer full): a deep copy
 */
ForeCheck *
fore_check_copy (const ForeCheck *check)
{
  ForeCheck *copy;

  g_return_val_if_fail (check != NULL, NULL);

  copy = g_memdup2 (check, sizeof *check);
  copy->output = g_strdup (check->output);
  copy->hash = g_strdup (check->hash);
  copy->argv = g_strdupv (check->argv);
  copy->files = g_strdupv (check->files);

  return copy;
}

/**
 * fore_check_free:
 * @check: (nullable): a check
 */
void
fore_check_free (ForeCheck *check)
{
  if (check == NULL)
    return;

  g_free (check->output);
  g_free (check->hash);
  g_strfreev (check->argv);
  g_strfreev (check->files);
  g_free (check);
}

/**
 * fore_check_dup_label:
 * @check: a check
 *
 * Returns: (transfer full): its command line as a person would type it
 */
char *
fore_check_dup_label (const ForeCheck *check)
{
  GString *label;

  g_return_val_if_fail (check != NULL, NULL);

  label = g_string_new (NULL);
  for (guint i = 0; check->argv != NULL && check->argv[i] != NULL; i++)
    {
      g_autofree char *quoted = NULL;

      if (i > 0)
        g_string_append_c (label, ' ');

      if (*check->argv[i] != '\0' && strpbrk (check->argv[i], " \t\n\"'\\$`*?&|;<>(){}") == NULL)
        {
          g_string_append (label, check->argv[i]);
          continue;
        }

      quoted = g_shell_quote (check->argv[i]);
      g_string_append (label, quoted);
    }

  return g_string_free (label, FALSE);
}

static gpointer
copy_check (gconstpointer check, gpointer user_data)
{
  return fore_check_copy (check);
}

/**
 * fore_checks_copy:
 * @checks: (nullable) (element-type ForeCheck): checks
 *
 * Returns: (transfer full) (element-type ForeCheck): a deep copy, empty for %NULL
 */
GPtrArray *
fore_checks_copy (GPtrArray *checks)
{
  if (checks == NULL)
    return g_ptr_array_new_with_free_func ((GDestroyNotify) fore_check_free);

  return g_ptr_array_copy (checks, (GCopyFunc) copy_check, NULL);
}

/**
 * fore_checks_have:
 * @checks: (element-type ForeCheck): checks
 * @argv: a command line
 *
 * Returns: whether one of them is @argv
 */
gboolean
fore_checks_have (GPtrArray *checks, char **argv)
{
  g_return_val_if_fail (checks != NULL && argv != NULL, FALSE);

  for (guint i = 0; i < checks->len; i++)
    {
      const ForeCheck *check = g_ptr_array_index (checks, i);

      if (g_strv_equal ((const char *const *) check->argv, (const char *const *) argv))
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_verified_to_string:
 * @verified: a value
 *
 * Returns: (transfer none): the word for @verified
 */
const char *
fore_verified_to_string (ForeVerified verified)
{
  g_return_val_if_fail ((guint) verified < FORE_N_VERIFIED, NULL);

  return verified_names[verified];
}

/**
 * fore_verified_from_string:
 * @text: (nullable): a word
 * @verified: (out): where to put the value
 *
 * Returns: %FALSE, leaving @verified alone, if @text is not one of the words
 */
gboolean
fore_verified_from_string (const char *text, ForeVerified *verified)
{
  guint found;

  g_return_val_if_fail (verified != NULL, FALSE);

  if (!fore_words_find (verified_names, FORE_N_VERIFIED, text, &found))
    return FALSE;

  *verified = found;
  return TRUE;
}

/**
 * fore_worker_to_string:
 * @worker: a value
 *
 * Returns: (transfer none): the word for @worker
 */
const char *
fore_worker_to_string (ForeWorker worker)
{
  g_return_val_if_fail ((guint) worker < FORE_N_WORKERS, NULL);

  return worker_names[worker];
}

/**
 * fore_worker_from_string:
 * @text: (nullable): a word
 * @worker: (out): where to put the value
 *
 * Returns: %FALSE, leaving @worker alone, if @text is not one of the words
 */
gboolean
fore_worker_from_string (const char *text, ForeWorker *worker)
{
  guint found;

  g_return_val_if_fail (worker != NULL, FALSE);

  if (!fore_words_find (worker_names, FORE_N_WORKERS, text, &found))
    return FALSE;

  *worker = found;
  return TRUE;
}

/**
 * fore_effect_to_string:
 * @effect: a value
 *
 * Returns: (transfer none): the word for @effect
 */
const char *
fore_effect_to_string (ForeEffect effect)
{
  g_return_val_if_fail ((guint) effect < FORE_N_EFFECTS, NULL);

  return effect_names[effect];
}

/**
 * fore_effect_from_string:
 * @text: (nullable): a word
 * @effect: (out): where to put the value
 *
 * Returns: %FALSE, leaving @effect alone, if @text is not one of the words
 */
gboolean
fore_effect_from_string (const char *text, ForeEffect *effect)
{
  guint found;

  g_return_val_if_fail (effect != NULL, FALSE);

  if (!fore_words_find (effect_names, FORE_N_EFFECTS, text, &found))
    return FALSE;

  *effect = found;
  return TRUE;
}
