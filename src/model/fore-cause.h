/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeCause:
 *
 * Why an attempt did not end well. Only causes that can pass are retried.
 */
typedef enum
{
  FORE_CAUSE_NONE,
  FORE_CAUSE_RATE_LIMIT,
  FORE_CAUSE_OVERLOADED,
  FORE_CAUSE_NETWORK,
  FORE_CAUSE_BROKEN_STREAM,
  FORE_CAUSE_TIMEOUT,
  FORE_CAUSE_SILENCE,
  FORE_CAUSE_CRASH,
  FORE_CAUSE_NO_OUTPUT,
  FORE_CAUSE_LOST,
  FORE_CAUSE_AUTH,
  FORE_CAUSE_BILLING,
  FORE_CAUSE_BAD_MODEL,
  FORE_CAUSE_REFUSED,
  FORE_CAUSE_CONTEXT,
  FORE_CAUSE_EXIT,
  FORE_CAUSE_ERROR,
  FORE_CAUSE_OUTPUT_LIMIT,
  FORE_CAUSE_TURN_LIMIT,
  FORE_CAUSE_TOKEN_LIMIT,
  FORE_CAUSE_BUDGET,
  FORE_CAUSE_WROTE,
  FORE_CAUSE_CHECKS,
  FORE_CAUSE_COMPROMISED,
  FORE_CAUSE_CONFLICT,
  FORE_CAUSE_NOT_STARTED,
  FORE_CAUSE_WORKTREE,
  FORE_CAUSE_NO_PLAN,
  FORE_CAUSE_NO_YIELD,
  FORE_CAUSE_CANCELLED,
  FORE_CAUSE_INTERRUPTED,
  FORE_N_CAUSES
} ForeCause;

const char *fore_cause_to_string (ForeCause cause);
gboolean fore_cause_from_string (const char *text, ForeCause *cause);
gboolean fore_cause_can_pass (ForeCause cause);

G_END_DECLS
