/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeGoalVerdict:
 * @achieved: whether the judge takes the goal as achieved
 * @blocked: whether it says that nothing more can be done without a person
 * @reason: one or more sentences, fit to be shown; what the next turn is told
 * @evidence: what it rests on
 *
 * What a judge says about a turn of a goal loop.
 */
typedef struct
{
  gboolean achieved;
  gboolean blocked;
  char *reason;
  GStrv evidence;
} ForeGoalVerdict;

ForeGoalVerdict *fore_goal_verdict_parse (const char *answer, char **problem);
void fore_goal_verdict_free (ForeGoalVerdict *verdict);
gboolean fore_goal_reasons_are_near (const char *a, const char *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeGoalVerdict, fore_goal_verdict_free)

G_END_DECLS
