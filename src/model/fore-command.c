/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-command.h"

#include "model/fore-words.h"

static const char *const kind_names[FORE_N_COMMAND_KINDS] = {
  "pause", "continue", "cancel", "cancel-task", "resume", "retry",     "accept",
  "merge", "discard",  "steer",  "interrupt",   "goal",   "follow-up",
};

static const char *const state_names[FORE_N_COMMAND_STATES] = {
  "queued",
  "done",
  "refused",
};

/**
 * fore_command_new:
 * @kind: what is wanted
 * @args: (nullable): further words
 * @by: who wants it
 *
 * Returns: (transfer full): a queued command given now
 */
ForeCommand *
fore_command_new (ForeCommandKind kind, const char *const *args, const char *by)
{
  ForeCommand *command = g_new0 (ForeCommand, 1);

  command->kind = kind;
  command->args = g_strdupv ((char **) args);
  command->by = g_strdup (by);
  command->time = g_get_real_time ();

  return command;
}

/**
 * fore_command_copy:
 * @command: a command
 *
 * Returns: (transfer full): a deep copy
 */
ForeCommand *
fore_command_copy (const ForeCommand *command)
{
  ForeCommand *copy;

  g_return_val_if_fail (command != NULL, NULL);

  copy = g_memdup2 (command, sizeof *command);
  copy->by = g_strdup (command->by);
  copy->message = g_strdup (command->message);
  copy->args = g_strdupv (command->args);

  return copy;
}

/**
 * fore_command_free:
 * @command: (nullable): a command
 */
void
fore_command_free (ForeCommand *command)
{
  if (command == NULL)
    return;

  g_free (command->by);
  g_free (command->message);
  g_strfreev (command->args);
  g_free (command);
}

/**
 * fore_command_kind_to_string:
 * @kind: a value
 *
 * Returns: (transfer none): the word for @kind
 */
const char *
fore_command_kind_to_string (ForeCommandKind kind)
{
  g_return_val_if_fail ((guint) kind < FORE_N_COMMAND_KINDS, NULL);

  return kind_names[kind];
}

/**
 * fore_command_kind_from_string:
 * @text: (nullable): a word
 * @kind: (out): where to put the value
 *
 * Returns: %FALSE, leaving @kind alone, if @text is not one of the words
 */
gboolean
fore_command_kind_from_string (const char *text, ForeCommandKind *kind)
{
  guint found;

  g_return_val_if_fail (kind != NULL, FALSE);

  if (!fore_words_find (kind_names, FORE_N_COMMAND_KINDS, text, &found))
    return FALSE;

  *kind = found;
  return TRUE;
}

/**
 * fore_command_state_to_string:
 * @state: a value
 *
 * Returns: (transfer none): the word for @state
 */
const char *
fore_command_state_to_string (ForeCommandState state)
{
  g_return_val_if_fail ((guint) state < FORE_N_COMMAND_STATES, NULL);

  return state_names[state];
}

/**
 * fore_command_state_from_string:
 * @text: (nullable): a word
 * @state: (out): where to put the value
 *
 * Returns: %FALSE, leaving @state alone, if @text is not one of the words
 */
gboolean
fore_command_state_from_string (const char *text, ForeCommandState *state)
{
  guint found;

  g_return_val_if_fail (state != NULL, FALSE);

  if (!fore_words_find (state_names, FORE_N_COMMAND_STATES, text, &found))
    return FALSE;

  *state = found;
  return TRUE;
}
