/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

#include "engine/fore-run-spec.h"

G_BEGIN_DECLS

/**
 * ForeRunWayKind:
 * @FORE_RUN_WAY_TEAM: a team carries out a workflow
 * @FORE_RUN_WAY_CHAIN: a chain says what comes after what
 * @FORE_RUN_WAY_PLAN: the person wrote the plan
 *
 * What the tasks of a new run come from.
 */
typedef enum
{
  FORE_RUN_WAY_TEAM,
  FORE_RUN_WAY_CHAIN,
  FORE_RUN_WAY_PLAN,
  FORE_N_RUN_WAYS
} ForeRunWayKind;

#define FORE_TYPE_RUN_WAY (fore_run_way_get_type ())

/* The group of the sheet that says what the tasks come from. Signals: "changed". */
G_DECLARE_FINAL_TYPE (ForeRunWay, fore_run_way, FORE, RUN_WAY, AdwPreferencesGroup)

ForeRunWayKind fore_run_way_get_kind (ForeRunWay *self);
gboolean fore_run_way_get_goal_loop (ForeRunWay *self);
const char *fore_run_way_get_obstacle (ForeRunWay *self, gboolean has_goal);
const char *fore_run_way_get_hint (ForeRunWay *self);
void fore_run_way_fill (ForeRunWay *self, ForeRunSpec *spec);
void fore_run_way_choose (ForeRunWay *self, const char *name, const char *text);

G_END_DECLS
