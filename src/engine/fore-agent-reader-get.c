/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-agent-reader-private.h"

/**
 * fore_agent_reader_get_last_activity:
 * @self: a reader
 *
 * Returns: when something was last printed, on the boot clock in microseconds
 */
gint64
fore_agent_reader_get_last_activity (ForeAgentReader *self)
{
  g_return_val_if_fail (FORE_IS_AGENT_READER (self), 0);

  return __atomic_load_n (&self->last_activity, __ATOMIC_RELAXED);
}

/**
 * fore_agent_reader_get_tools_running:
 * @self: a reader
 *
 * Returns: tool calls that have begun and not ended
 */
guint
fore_agent_reader_get_tools_running (ForeAgentReader *self)
{
  g_return_val_if_fail (FORE_IS_AGENT_READER (self), 0);

  return self->tools_running;
}

/**
 * fore_agent_reader_get_turns:
 * @self: a reader
 *
 * Returns: turns seen
 */
guint
fore_agent_reader_get_turns (ForeAgentReader *self)
{
  g_return_val_if_fail (FORE_IS_AGENT_READER (self), 0);

  return self->turns;
}

/**
 * fore_agent_reader_get_settled:
 * @self: a reader
 *
 * Returns: whether the agent said that it is done
 */
gboolean
fore_agent_reader_get_settled (ForeAgentReader *self)
{
  g_return_val_if_fail (FORE_IS_AGENT_READER (self), FALSE);

  return self->settled;
}

/**
 * fore_agent_reader_has_completed:
 * @self: a reader
 *
 * Returns: whether the agent has said just now that all went well, and was told nothing since
 */
gboolean
fore_agent_reader_has_completed (ForeAgentReader *self)
{
  const ForeSummary *summary;
  gboolean completed;

  g_return_val_if_fail (FORE_IS_AGENT_READER (self), FALSE);

  g_mutex_lock (&self->mutex);
  summary = fore_decoder_get_summary (self->decoder);
  completed = summary->settled && summary->outcome == FORE_OUTCOME_COMPLETED;
  g_mutex_unlock (&self->mutex);

  return completed;
}

/**
 * fore_agent_reader_has_background:
 * @self: a reader
 *
 * Returns: whether the agent ever began work in the background, which may bring another turn
 */
gboolean
fore_agent_reader_has_background (ForeAgentReader *self)
{
  gboolean background;

  g_return_val_if_fail (FORE_IS_AGENT_READER (self), FALSE);

  g_mutex_lock (&self->mutex);
  background = fore_decoder_get_summary (self->decoder)->background;
  g_mutex_unlock (&self->mutex);

  return background;
}

/**
 * fore_agent_reader_get_usage:
 * @self: a reader
 *
 * Returns: (transfer none): what was used so far
 */
const ForeUsage *
fore_agent_reader_get_usage (ForeAgentReader *self)
{
  g_return_val_if_fail (FORE_IS_AGENT_READER (self), NULL);

  return &self->usage;
}

/**
 * fore_agent_reader_get_session:
 * @self: a reader
 *
 * Returns: (transfer none) (nullable): the CLI's session id
 */
const char *
fore_agent_reader_get_session (ForeAgentReader *self)
{
  g_return_val_if_fail (FORE_IS_AGENT_READER (self), NULL);

  return self->session;
}

/**
 * fore_agent_reader_get_model:
 * @self: a reader
 *
 * Returns: (transfer none) (nullable): the model that answers
 */
const char *
fore_agent_reader_get_model (ForeAgentReader *self)
{
  g_return_val_if_fail (FORE_IS_AGENT_READER (self), NULL);

  return self->model;
}

/**
 * fore_agent_reader_get_taken_up:
 * @self: a reader
 *
 * Returns: what became of the session that was to be taken up, as far as it is known
 */
ForeTakenUp
fore_agent_reader_get_taken_up (ForeAgentReader *self)
{
  g_return_val_if_fail (FORE_IS_AGENT_READER (self), FORE_TAKEN_UP_UNKNOWN);

  return self->taken_up;
}

/**
 * fore_agent_reader_get_anew_reason:
 * @self: a reader
 *
 * Returns: (transfer none) (nullable): why another session was begun
 */
const char *
fore_agent_reader_get_anew_reason (ForeAgentReader *self)
{
  g_return_val_if_fail (FORE_IS_AGENT_READER (self), NULL);

  return self->anew_reason;
}

/**
 * fore_agent_reader_get_decoder:
 * @self: a reader that has finished
 *
 * Returns: (transfer none): its decoder
 */
ForeDecoder *
fore_agent_reader_get_decoder (ForeAgentReader *self)
{
  g_return_val_if_fail (FORE_IS_AGENT_READER (self), NULL);
  g_return_val_if_fail (!self->reading && self->beat == NULL, NULL);

  return self->decoder;
}
