/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

JsonNode *demo_scenario_load (const char *path, GError **error);
const char *demo_scenario_get_model (JsonNode *scenario);
JsonArray *
demo_scenario_find_steps (JsonNode *scenario, const char *task, guint attempt, const char *prompt);

G_END_DECLS
