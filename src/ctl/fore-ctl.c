/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl.h"

#include "engine/fore-actions.h"
#include "model/fore-id.h"
#include "model/fore-quantity.h"
#include "platform/fore-dirs.h"
#include "platform/fore-process.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

/**
 * fore_ctl_new:
 *
 * Returns: (transfer full): a call without a verb, options or words
 */
ForeCtl *
fore_ctl_new (void)
{
  ForeCtl *self = g_new0 (ForeCtl, 1);

  self->options = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->words = g_ptr_array_new_with_free_func (g_free);

  return self;
}

/**
 * fore_ctl_free:
 * @self: (nullable): a call
 */
void
fore_ctl_free (ForeCtl *self)
{
  if (self == NULL)
    return;

  g_hash_table_unref (self->options);
  g_ptr_array_unref (self->words);
  g_clear_object (&self->store);
  g_free (self->hint);
  g_free (self);
}

/**
 * fore_ctl_has:
 * @self: a call
 * @option: long name of an option
 *
 * Returns: whether it was given
 */
gboolean
fore_ctl_has (ForeCtl *self, const char *option)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return g_hash_table_contains (self->options, option);
}

/**
 * fore_ctl_get:
 * @self: a call
 * @option: long name of an option
 *
 * Returns: (transfer none) (nullable): its value, or %NULL if it was not given
 */
const char *
fore_ctl_get (ForeCtl *self, const char *option)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_hash_table_lookup (self->options, option);
}

/**
 * fore_ctl_get_number:
 * @self: a call
 * @option: long name of an option whose value is a count
 * @fallback: what it is without the option
 *
 * Returns: its value
 */
gint64
fore_ctl_get_number (ForeCtl *self, const char *option, gint64 fallback)
{
  const char *text = fore_ctl_get (self, option);

  return text != NULL ? g_ascii_strtoll (text, NULL, 10) : fallback;
}

/**
 * fore_ctl_get_duration:
 * @self: a call
 * @option: long name of an option whose value is a duration
 * @fallback: what it is without the option, in milliseconds
 *
 * Returns: its value in milliseconds
 */
gint64
fore_ctl_get_duration (ForeCtl *self, const char *option, gint64 fallback)
{
  const char *text = fore_ctl_get (self, option);
  gint64 ms;

  return text != NULL && fore_duration_parse (text, &ms) ? ms : fallback;
}

/**
 * fore_ctl_get_word:
 * @self: a call
 * @n: which word, from 0
 *
 * Returns: (transfer none) (nullable): the word, or %NULL if there are fewer
 */
const char *
fore_ctl_get_word (ForeCtl *self, guint n)
{
  g_return_val_if_fail (self != NULL, NULL);

  return n < self->words->len ? self->words->pdata[n] : NULL;
}

/**
 * fore_ctl_join_words:
 * @self: a call
 * @first: the first word to take, from 0
 *
 * Returns: (transfer full) (nullable): the rest of the words with spaces between them, or %NULL if
 *   there are none
 */
char *
fore_ctl_join_words (ForeCtl *self, guint first)
{
  GString *text;

  g_return_val_if_fail (self != NULL, NULL);

  if (first >= self->words->len)
    return NULL;

  text = g_string_new (self->words->pdata[first]);
  for (guint i = first + 1; i < self->words->len; i++)
    g_string_append_printf (text, " %s", (const char *) self->words->pdata[i]);

  return g_string_free (text, FALSE);
}

/**
 * fore_ctl_set_hint:
 * @self: a call
 * @format: a sentence, as for printf()
 *
 * Says what would help if the verb ends with an error.
 */
void
fore_ctl_set_hint (ForeCtl *self, const char *format, ...)
{
  va_list args;

  g_return_if_fail (self != NULL);

  g_free (self->hint);
  va_start (args, format);
  self->hint = g_strdup_vprintf (format, args);
  va_end (args);
}

/**
 * fore_ctl_get_store:
 * @self: a call
 * @error: where to put an error
 *
 * Opens the store if it is not open yet.
 *
 * Returns: (transfer none) (nullable): the store, owned by @self
 */
ForeStore *
fore_ctl_get_store (ForeCtl *self, GError **error)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (self->store == NULL)
    {
      g_autofree char *home = fore_dirs_dup_home ();

      self->store = fore_store_open (home, error);
      if (self->store == NULL)
        fore_ctl_set_hint (self, _ ("FOREDECK_HOME names the folder that Foredeck keeps all in."));
    }

  return self->store;
}

/**
 * fore_ctl_find_run:
 * @self: a call
 * @prefix: an id of a run, or what it starts with
 * @error: where to put an error
 *
 * Returns: (transfer full) (nullable): the whole id
 */
char *
fore_ctl_find_run (ForeCtl *self, const char *prefix, GError **error)
{
  ForeStore *store = fore_ctl_get_store (self, error);
  char *id;

  if (store == NULL)
    return NULL;

  id = fore_store_find_run (store, prefix, error);
  if (id == NULL)
    fore_ctl_explain_run (self, prefix);

  return id;
}

static GPtrArray *
pick_open (GPtrArray *requests, const char *run)
{
  GPtrArray *open = g_ptr_array_new ();

  for (guint i = 0; requests != NULL && i < requests->len; i++)
    {
      const ForeRequest *request = requests->pdata[i];

      if (request->state == FORE_REQUEST_OPEN && g_strcmp0 (request->run, run) == 0)
        g_ptr_array_add (open, g_ptr_array_index (requests, i));
    }

  return open;
}

static char *
choose_only (GPtrArray *open, const char *run, GError **error)
{
  if (open->len == 1)
    return g_strdup (((const ForeRequest *) open->pdata[0])->id);

  if (open->len > 1)
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                 _ ("Run %s has more than one open request; name the one you mean."), run);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("Run %s has no open request; nothing waits for an answer there."), run);

  return NULL;
}

/* A run's id stands for its only open request too. Its own file is asked where the index knows of
 * none: an owner that died in between may have left the index behind.
 */
static char *
find_only_request (ForeCtl *self, const char *prefix, GError **error)
{
  g_autofree char *run = fore_store_find_run (self->store, prefix, NULL);
  g_autoptr (GPtrArray) listed = NULL;
  g_autoptr (GPtrArray) open = NULL;
  g_autoptr (ForeRunDelta) delta = NULL;

  if (run == NULL || (listed = fore_store_list_requests (self->store, TRUE, NULL)) == NULL)
    return NULL;

  open = pick_open (listed, run);
  if (open->len == 0 && (delta = fore_run_read (self->store, run, 0, 0, 0, NULL)) != NULL)
    {
      g_ptr_array_unref (open);
      open = pick_open (delta->requests, run);
    }

  return choose_only (open, run, error);
}

/**
 * fore_ctl_find_request:
 * @self: a call
 * @prefix: an id of a request or what it starts with, or a run with one open request
 * @error: where to put an error
 *
 * Returns: (transfer full) (nullable): the whole id
 */
char *
fore_ctl_find_request (ForeCtl *self, const char *prefix, GError **error)
{
  ForeStore *store = fore_ctl_get_store (self, error);
  g_autoptr (GError) local_error = NULL;
  char *id = NULL;

  if (store == NULL)
    return NULL;

  if (strchr (prefix, '-') == NULL)
    {
      id = find_only_request (self, prefix, &local_error);
      if (local_error != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return NULL;
        }
    }

  if (id == NULL)
    id = fore_store_find_request (store, prefix, error);
  if (id == NULL)
    fore_ctl_explain_request (self, prefix);

  return id;
}

static void
set_no_task (const ForeRunDelta *delta, const char *prefix, GError **error)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();
  const char *nearest;

  for (guint i = 0; i < delta->tasks->len; i++)
    g_ptr_array_add (keys, ((const ForeTask *) delta->tasks->pdata[i])->key);
  g_ptr_array_add (keys, NULL);

  nearest = fore_id_find_nearest (prefix, (const char *const *) keys->pdata, 3);
  if (nearest != NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("Run %s has no task “%s”; did you mean “%s”?"), delta->run->id, prefix,
                 nearest);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("Run %s has no task “%s”."),
                 delta->run->id, prefix);
}

/**
 * fore_ctl_find_task:
 * @self: a call
 * @delta: everything about a run
 * @prefix: a key of a task or what it starts with; `RUN/KEY` too
 * @error: where to put an error
 *
 * Returns: (transfer none) (nullable): the task, owned by @delta
 */
const ForeTask *
fore_ctl_find_task (ForeCtl *self, ForeRunDelta *delta, const char *prefix, GError **error)
{
  const char *slash = strrchr (prefix, '/');
  const char *key = slash != NULL ? slash + 1 : prefix;
  const ForeTask *found = NULL;
  guint n_found = 0;

  for (guint i = 0; i < delta->tasks->len; i++)
    {
      const ForeTask *task = delta->tasks->pdata[i];

      if (strcmp (task->key, key) == 0)
        return task;
      if (*key != '\0' && g_str_has_prefix (task->key, key))
        {
          found = task;
          n_found++;
        }
    }

  if (n_found == 1)
    return found;

  fore_ctl_set_hint (self, _ ("“foredeckctl tasks %s” shows its tasks."), delta->run->id);
  if (n_found > 1)
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                 _ ("“%s” fits %u tasks; give more of the key."), key, n_found);
  else
    set_no_task (delta, key, error);

  return NULL;
}

/**
 * fore_ctl_read_run:
 * @self: a call
 * @prefix: an id of a run, or what it starts with
 * @max_events: how many events to read, 0 for none
 * @error: where to put an error
 *
 * Returns: (transfer full) (nullable): everything about the run
 */
ForeRunDelta *
fore_ctl_read_run (ForeCtl *self, const char *prefix, guint max_events, GError **error)
{
  g_autofree char *id = fore_ctl_find_run (self, prefix, error);
  g_autoptr (ForeRunDelta) delta = NULL;

  if (id == NULL)
    return NULL;

  delta = fore_run_read (self->store, id, 0, 0, max_events, error);
  if (delta != NULL && delta->run == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("The file of run %s holds no run; “foredeckctl doctor --check-store” tells "
                      "more."),
                   id);
      return NULL;
    }

  return g_steal_pointer (&delta);
}

/**
 * fore_ctl_look_at_owner:
 * @self: a call with an open store
 * @run_id: a run
 *
 * Returns: whether somebody owns the run, and responds
 */
ForeOwnerState
fore_ctl_look_at_owner (ForeCtl *self, const char *run_id)
{
  g_return_val_if_fail (self->store != NULL, FORE_OWNER_NONE);

  if (self->patience_us == 0)
    self->patience_us = fore_actions_load_patience ();

  return fore_store_look_at_owner (self->store, run_id, self->patience_us);
}

/**
 * fore_ctl_get_run_word:
 * @self: a call with an open store
 * @run: a run
 *
 * Returns: (transfer none): how it stands, in a word for a person
 */
const char *
fore_ctl_get_run_word (ForeCtl *self, const ForeRun *run)
{
  if (fore_ctl_is_interrupted (self, run))
    return _ ("interrupted");
  if (fore_run_is_active (run) && fore_ctl_look_at_owner (self, run->id) == FORE_OWNER_STUCK)
    return _ ("not responding");

  return fore_run_status_to_string (run->status);
}

/**
 * fore_ctl_is_interrupted:
 * @self: a call with an open store
 * @run: a run
 *
 * Returns: whether it claims to be active while no runner owns it
 */
gboolean
fore_ctl_is_interrupted (ForeCtl *self, const ForeRun *run)
{
  g_return_val_if_fail (self->store != NULL, FALSE);

  return fore_run_status_get_class (run->status) == FORE_CLASS_ACTIVE
         && !fore_store_is_owned (self->store, run->id);
}

/**
 * fore_ctl_check_person:
 * @self: a call
 * @error: where to put an error
 *
 * Returns: %FALSE when an agent's guard is among the ancestors of this process
 */
gboolean
fore_ctl_check_person (ForeCtl *self, GError **error)
{
  if (!fore_process_has_guard_ancestor ())
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
               _ ("“%s” is for a person to decide; nothing that runs under an agent may do it."),
               self->verb->name);
  return FALSE;
}

/**
 * fore_ctl_confirm:
 * @self: a call of a verb that destroys something
 * @question: what would be done, as a question
 * @error: where to put an error
 *
 * Asks on a terminal, once; elsewhere only `--yes` will do.
 *
 * Returns: whether to go on
 */
gboolean
fore_ctl_confirm (ForeCtl *self, const char *question, GError **error)
{
  char answer[16] = "";

  if (fore_ctl_has (self, "yes"))
    return TRUE;

  if (!self->terminal || self->json)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("“%s” destroys something; say --yes to do it without being asked."),
                   self->verb->name);
      return FALSE;
    }

  fprintf (stderr, "%s [y/N] ", question);
  if (fgets (answer, sizeof answer, stdin) != NULL && g_ascii_tolower (answer[0]) == 'y')
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_CANCELLED, _ ("Nothing was done."));
  return FALSE;
}
