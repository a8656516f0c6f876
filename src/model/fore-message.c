/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-message.h"

#include "model/fore-words.h"

static const char *const state_names[FORE_N_MESSAGE_STATES] = {
  "queued",
  "delivered",
  "seen",
};

/**
 * fore_message_new:
 * @from: `person` or a task key
 * @to: `person` or a task key
 * @kind: steer, follow-up, mail, feedback
 * @text: what it says
 *
 * Returns: (transfer full): a queued message sent now
 */
ForeMessage *
fore_message_new (const char *from, const char *to, const char *kind, const char *text)
{
  ForeMessage *message = g_new0 (ForeMessage, 1);

  message->from = g_strdup (from);
  message->to = g_strdup (to);
  message->kind = g_strdup (kind);
  message->text = g_strdup (text);
  message->time = g_get_real_time ();

  return message;
}

/**
 * fore_message_copy:
 * @message: a message
 *
 * Returns: (transfer full): a deep copy
 */
ForeMessage *
fore_message_copy (const ForeMessage *message)
{
  ForeMessage *copy;

  g_return_val_if_fail (message != NULL, NULL);

  copy = g_memdup2 (message, sizeof *message);
  copy->from = g_strdup (message->from);
  copy->to = g_strdup (message->to);
  copy->kind = g_strdup (message->kind);
  copy->text = g_strdup (message->text);

  return copy;
}

/**
 * fore_message_free:
 * @message: (nullable): a message
 */
void
fore_message_free (ForeMessage *message)
{
  if (message == NULL)
    return;

  g_free (message->from);
  g_free (message->to);
  g_free (message->kind);
  g_free (message->text);
  g_free (message);
}

/**
 * fore_message_state_to_string:
 * @state: a value
 *
 * Returns: (transfer none): the word for @state
 */
const char *
fore_message_state_to_string (ForeMessageState state)
{
  g_return_val_if_fail ((guint) state < FORE_N_MESSAGE_STATES, NULL);

  return state_names[state];
}

/**
 * fore_message_state_from_string:
 * @text: (nullable): a word
 * @state: (out): where to put the value
 *
 * Returns: %FALSE, leaving @state alone, if @text is not one of the words
 */
gboolean
fore_message_state_from_string (const char *text, ForeMessageState *state)
{
  guint found;

  g_return_val_if_fail (state != NULL, FALSE);

  if (!fore_words_find (state_names, FORE_N_MESSAGE_STATES, text, &found))
    return FALSE;

  *state = found;
  return TRUE;
}
