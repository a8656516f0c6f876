/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-plan.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* A plan as JSON, in the shape that planners write: {"title","summary","items":[{"id","title",
 * "role","task","dependsOn":[],"paths":[],"checks":[["cmd","arg"]],"live"}]}. */

JsonNode *fore_plan_to_json (const ForePlan *plan);
ForePlan *fore_plan_from_json (JsonNode *node, GPtrArray *changes, GError **error);

G_END_DECLS
