/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "library/fore-library.h"

G_BEGIN_DECLS

/**
 * ForeConfidence:
 *
 * How sure a recommendation is.
 */
typedef enum
{
  FORE_CONFIDENCE_LOW,
  FORE_CONFIDENCE_MEDIUM,
  FORE_CONFIDENCE_HIGH,
} ForeConfidence;

/**
 * ForeRecommendedPart:
 * @title: what is to be done
 * @role: role that it sounds like
 *
 * One part of a goal that names several.
 */
typedef struct
{
  char *title;
  char *role;
} ForeRecommendedPart;

/**
 * ForeRecommendation:
 * @team: (nullable): name of a team; %NULL if there is none at all
 * @workflow: (nullable): name of the workflow that it runs by default
 * @confidence: how sure it is
 * @reason: one sentence: why
 * @parts: (element-type ForeRecommendedPart): the parts that the goal lists, may be none
 *
 * What fits a goal.
 */
typedef struct
{
  char *team;
  char *workflow;
  ForeConfidence confidence;
  char *reason;
  GPtrArray *parts;
} ForeRecommendation;

ForeRecommendation *fore_recommend (ForeLibrary *library, const char *goal);
void fore_recommendation_free (ForeRecommendation *self);
const char *fore_confidence_to_string (ForeConfidence confidence);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeRecommendation, fore_recommendation_free)

G_END_DECLS
