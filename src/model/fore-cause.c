/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-cause.h"

static const struct
{
  const char *name;
  gboolean can_pass;
} rows[FORE_N_CAUSES] = {
  [FORE_CAUSE_NONE] = { "none", FALSE },
  [FORE_CAUSE_RATE_LIMIT] = { "rate-limit", TRUE },
  [FORE_CAUSE_OVERLOADED] = { "overloaded", TRUE },
  [FORE_CAUSE_NETWORK] = { "network", TRUE },
  [FORE_CAUSE_BROKEN_STREAM] = { "broken-stream", TRUE },
  [FORE_CAUSE_TIMEOUT] = { "timeout", TRUE },
  [FORE_CAUSE_SILENCE] = { "silence", TRUE },
  [FORE_CAUSE_CRASH] = { "crash", TRUE },
  [FORE_CAUSE_NO_OUTPUT] = { "no-output", TRUE },
  [FORE_CAUSE_LOST] = { "lost", TRUE },
  [FORE_CAUSE_AUTH] = { "auth", FALSE },
  [FORE_CAUSE_BILLING] = { "billing", FALSE },
  [FORE_CAUSE_BAD_MODEL] = { "bad-model", FALSE },
  [FORE_CAUSE_REFUSED] = { "refused", FALSE },
  [FORE_CAUSE_CONTEXT] = { "context", FALSE },
  [FORE_CAUSE_EXIT] = { "exit", FALSE },
  [FORE_CAUSE_ERROR] = { "error", FALSE },
  [FORE_CAUSE_OUTPUT_LIMIT] = { "output-limit", FALSE },
  [FORE_CAUSE_TURN_LIMIT] = { "turn-limit", FALSE },
  [FORE_CAUSE_TOKEN_LIMIT] = { "token-limit", FALSE },
  [FORE_CAUSE_BUDGET] = { "budget", FALSE },
  [FORE_CAUSE_WROTE] = { "wrote", FALSE },
  [FORE_CAUSE_CHECKS] = { "checks", FALSE },
  [FORE_CAUSE_COMPROMISED] = { "compromised", FALSE },
  [FORE_CAUSE_CONFLICT] = { "conflict", FALSE },
  [FORE_CAUSE_NOT_STARTED] = { "not-started", FALSE },
  [FORE_CAUSE_WORKTREE] = { "worktree", FALSE },
  [FORE_CAUSE_NO_PLAN] = { "no-plan", FALSE },
  [FORE_CAUSE_NO_YIELD] = { "no-yield", FALSE },
  [FORE_CAUSE_CANCELLED] = { "cancelled", FALSE },
  [FORE_CAUSE_INTERRUPTED] = { "interrupted", TRUE },
};

/**
 * fore_cause_to_string:
 * @cause: a cause
 *
 * Returns: (transfer none): the word for @cause
 */
const char *
fore_cause_to_string (ForeCause cause)
{
  g_return_val_if_fail (cause < FORE_N_CAUSES, NULL);

  return rows[cause].name;
}

/**
 * fore_cause_from_string:
 * @text: (nullable): a word
 * @cause: (out): where to put the cause
 *
 * Returns: %FALSE, leaving @cause alone, if @text names no cause
 */
gboolean
fore_cause_from_string (const char *text, ForeCause *cause)
{
  g_return_val_if_fail (cause != NULL, FALSE);

  for (guint i = 0; i < FORE_N_CAUSES; i++)
    {
      if (g_strcmp0 (rows[i].name, text) == 0)
        {
          *cause = i;
          return TRUE;
        }
    }

  return FALSE;
}

/**
 * fore_cause_can_pass:
 * @cause: a cause
 *
 * Returns: whether the same attempt may go well a little later
 */
gboolean
fore_cause_can_pass (ForeCause cause)
{
  g_return_val_if_fail (cause < FORE_N_CAUSES, FALSE);

  return rows[cause].can_pass;
}
