/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-id.h"

#include "model/fore-nearest.h"

#include <string.h>

#define NAME_MAX_LENGTH 64
#define REF_MAX_LENGTH 255
#define PATH_MAX_LENGTH 4096

/**
 * fore_id_is_run:
 * @text: (nullable): text from outside
 *
 * Returns: whether @text is a run's id: 8 lowercase base32 characters, the first a letter
 */
gboolean
fore_id_is_run (const char *text)
{
  if (text == NULL || strlen (text) != FORE_RUN_ID_LENGTH || !g_ascii_islower (text[0]))
    return FALSE;

  for (guint i = 1; i < FORE_RUN_ID_LENGTH; i++)
    {
      if (!g_ascii_islower (text[i]) && (text[i] < '2' || text[i] > '7'))
        return FALSE;
    }

  return TRUE;
}

/**
 * fore_id_is_task_key:
 * @text: (nullable): text from outside
 *
 * Returns: whether @text can be the key of a task: `[a-z0-9-]{1,40}`, not starting with a dash and
 *   not the reserved `result`
 */
gboolean
fore_id_is_task_key (const char *text)
{
  gsize length;

  if (text == NULL || *text == '-' || strcmp (text, "result") == 0)
    return FALSE;

  length = strspn (text, "abcdefghijklmnopqrstuvwxyz0123456789-");

  return length > 0 && length <= FORE_TASK_KEY_MAX && text[length] == '\0';
}

/**
 * fore_id_dup_task_key:
 * @text: (nullable): any text
 *
 * Makes a task key of a text: lower case, everything else a dash, shortened.
 *
 * Returns: (transfer full): a valid key
 */
char *
fore_id_dup_task_key (const char *text)
{
  GString *key = g_string_new (NULL);

  for (const char *p = text != NULL ? text : ""; *p != '\0' && key->len < FORE_TASK_KEY_MAX; p++)
    {
      if (g_ascii_isalnum (*p))
        g_string_append_c (key, g_ascii_tolower (*p));
      else if (key->len > 0 && key->str[key->len - 1] != '-')
        g_string_append_c (key, '-');
    }

  while (key->len > 0 && key->str[key->len - 1] == '-')
    g_string_truncate (key, key->len - 1);
  if (key->len == 0 || strcmp (key->str, "result") == 0)
    g_string_assign (key, "task");

  return g_string_free (key, FALSE);
}

/**
 * fore_id_is_name:
 * @text: (nullable): text from outside
 *
 * Returns: whether @text can name an agent, team, workflow, skill, role or adapter
 */
gboolean
fore_id_is_name (const char *text)
{
  gsize length;

  if (text == NULL || !g_ascii_isalnum (*text))
    return FALSE;

  length = strspn (text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");

  return length <= NAME_MAX_LENGTH && text[length] == '\0';
}

/**
 * fore_id_dup_attempt:
 * @task: a task key
 * @n: number of the attempt
 *
 * Returns: (transfer full): `<task>.<n>`
 */
char *
fore_id_dup_attempt (const char *task, guint n)
{
  g_return_val_if_fail (task != NULL, NULL);

  return g_strdup_printf ("%s.%u", task, n);
}

static gboolean
parse_numbered (const char *text, char separator, char **head, guint *n)
{
  const char *mark = text != NULL ? strrchr (text, separator) : NULL;
  guint64 number;

  if (mark == NULL || mark == text || !g_ascii_isdigit (mark[1])
      || !g_ascii_string_to_unsigned (mark + 1, 10, 1, G_MAXUINT, &number, NULL))
    return FALSE;

  *head = g_strndup (text, mark - text);
  *n = (guint) number;

  return TRUE;
}

/**
 * fore_id_parse_attempt:
 * @text: (nullable): text from outside
 * @task: (out) (transfer full): the task key
 * @n: (out): number of the attempt
 *
 * Returns: whether @text is `<task>.<n>`
 */
gboolean
fore_id_parse_attempt (const char *text, char **task, guint *n)
{
  g_autofree char *head = NULL;

  g_return_val_if_fail (task != NULL && n != NULL, FALSE);

  if (!parse_numbered (text, '.', &head, n) || !fore_id_is_task_key (head))
    return FALSE;

  *task = g_steal_pointer (&head);
  return TRUE;
}

/**
 * fore_id_dup_request:
 * @run: a run's id
 * @n: number of the request in its run
 *
 * Returns: (transfer full): `<run>-<n>`
 */
char *
fore_id_dup_request (const char *run, guint n)
{
  g_return_val_if_fail (run != NULL, NULL);

  return g_strdup_printf ("%s-%u", run, n);
}

/**
 * fore_id_parse_request:
 * @text: (nullable): text from outside
 * @run: (out) (transfer full): the run's id
 * @n: (out): number of the request
 *
 * Returns: whether @text is `<run>-<n>`
 */
gboolean
fore_id_parse_request (const char *text, char **run, guint *n)
{
  g_autofree char *head = NULL;

  g_return_val_if_fail (run != NULL && n != NULL, FALSE);

  if (!parse_numbered (text, '-', &head, n) || !fore_id_is_run (head))
    return FALSE;

  *run = g_steal_pointer (&head);
  return TRUE;
}

static gboolean
is_ref_part (const char *part)
{
  return *part != '\0' && *part != '.' && !g_str_has_suffix (part, ".lock")
         && !g_str_has_suffix (part, ".") && strstr (part, "..") == NULL
         && strstr (part, "@{") == NULL;
}

/**
 * fore_id_is_ref:
 * @text: (nullable): text from outside
 *
 * Returns: whether @text can be a branch name, by the rules of git-check-ref-format(1), and does
 *   not start with a dash
 */
gboolean
fore_id_is_ref (const char *text)
{
  g_auto (GStrv) parts = NULL;

  if (text == NULL || *text == '\0' || *text == '-' || strlen (text) > REF_MAX_LENGTH
      || strcmp (text, "@") == 0 || strpbrk (text, " ~^:?*[\\") != NULL
      || !g_utf8_validate (text, -1, NULL))
    return FALSE;

  for (const char *p = text; *p != '\0'; p++)
    {
      if ((guchar) *p < 0x20 || *p == 0x7f)
        return FALSE;
    }

  parts = g_strsplit (text, "/", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (!is_ref_part (parts[i]))
        return FALSE;
    }

  return TRUE;
}

/**
 * fore_id_is_tree_path:
 * @text: (nullable): text from outside
 *
 * Returns: whether @text is a path that stays inside a tree: relative, no `..`, no empty part, not
 *   inside `.git`
 */
gboolean
fore_id_is_tree_path (const char *text)
{
  g_auto (GStrv) parts = NULL;

  if (text == NULL || *text == '\0' || *text == '/' || strlen (text) > PATH_MAX_LENGTH)
    return FALSE;

  parts = g_strsplit_set (text, "/\\", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      gboolean last = parts[i + 1] == NULL;

      if ((*parts[i] == '\0' && !last) || strcmp (parts[i], "..") == 0
          || g_ascii_strcasecmp (parts[i], ".git") == 0)
        return FALSE;
    }

  return TRUE;
}

/**
 * fore_id_dup_task_branch:
 * @run: a run's id
 * @task: a task key
 *
 * Returns: (transfer full): `foredeck/<run>/<task>`
 */
char *
fore_id_dup_task_branch (const char *run, const char *task)
{
  g_return_val_if_fail (run != NULL && task != NULL, NULL);

  return g_strdup_printf ("foredeck/%s/%s", run, task);
}

/**
 * fore_id_dup_result_branch:
 * @run: a run's id
 *
 * Returns: (transfer full): `foredeck/<run>/result`
 */
char *
fore_id_dup_result_branch (const char *run)
{
  g_return_val_if_fail (run != NULL, NULL);

  return g_strdup_printf ("foredeck/%s/result", run);
}

/**
 * fore_id_find_nearest:
 * @word: a word that was not known
 * @candidates: (array zero-terminated=1): the words that are
 * @max_distance: most edits between them
 *
 * Returns: (nullable) (transfer none): the candidate that was probably meant
 */
const char *
fore_id_find_nearest (const char *word, const char *const *candidates, guint max_distance)
{
  const char *nearest = NULL;
  guint best = max_distance + 1;

  g_return_val_if_fail (word != NULL && candidates != NULL, NULL);

  if (strlen (word) > NAME_MAX_LENGTH)
    return NULL;

  for (guint i = 0; candidates[i] != NULL; i++)
    {
      guint edits = fore_edit_distance (word, candidates[i], max_distance);

      if (edits < best)
        {
          best = edits;
          nearest = candidates[i];
        }
    }

  return nearest;
}
