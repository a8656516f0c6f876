/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-state.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Figures of what carrying a run out took: an object with `main_loop` (dispatches, cpu_us,
 * worst_wall_us, worst_cpu_us, p999_wall_us, stalls, worst_source), `store` (rows, events, commits,
 * barriers, syncs, sync_us, worst_sync_us, most_queued), `decode` (by CLI: bytes, cpu_us) and
 * `tasks`.
 */

/* Those of this runner, as an event of the run. */
void fore_run_figures_emit (ForeRunState *state);
/* Those of all runners that a run had, blocking; without members if none has given it up yet. */
JsonNode *fore_run_figures_read (ForeStore *store, const char *run_id, GError **error);
/* Adds figures to others. */
void fore_run_figures_add (JsonObject *sum, JsonObject *figures);

G_END_DECLS
