/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-spec.h"
#include "model/fore-command.h"
#include "model/fore-plan.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/* Everything that a person can do, as one function each for the window and for foredeckctl alike.
 * All of them block (disk, git, waiting for a runner): call them from a worker thread or from
 * foredeckctl. @by says who acts: "window" or "foredeckctl".
 */

ForeRunPreview *fore_actions_preview (ForeStore *store, const ForeRunSpec *spec, GError **error);

/* Makes the run and starts its runner; returns its id. */
char *fore_actions_start (ForeStore *store, const ForeRunSpec *spec, GError **error);
char *fore_actions_start_full (ForeStore *store,
                               const ForeRunSpec *spec,
                               GPtrArray **warnings,
                               GError **error);

/* Starts a runner for the run if nobody owns it. */
gboolean fore_actions_ensure_runner (ForeStore *store, const char *run_id, GError **error);

/* How long a runner may do nothing before it counts as not responding, in µs; for
 * fore_store_look_at_owner(). */
gint64 fore_actions_load_patience (void);
/* Ends the runner alone (its agents go on), by force in the end, and lets another take the run up.
 */
gboolean
fore_actions_restart_runner (ForeStore *store, const char *run_id, const char *by, GError **error);

/* @option is an option id or its kind (approve, reject, changes, …). @version and @hash are those
 * that the person saw, or 0 and NULL for "the one open now". */
gboolean fore_actions_answer (ForeStore *store,
                              const char *request_id,
                              const char *option,
                              const char *text,
                              const char *plan_json,
                              guint version,
                              const char *hash,
                              const char *by,
                              GError **error);

/* Writes the command, starts a runner where needed and waits until the owner took it up (at most
 * @timeout_ms, 0 for not at all). A refusal comes back as its error. */
gboolean fore_actions_check_command (ForeStore *store,
                                     const char *run_id,
                                     ForeCommandKind kind,
                                     const char *const *args,
                                     GError **error);
gboolean fore_actions_check_merge (ForeStore *store, const char *run_id, GError **error);
gboolean fore_actions_command (ForeStore *store,
                               const char *run_id,
                               ForeCommandKind kind,
                               const char *const *args,
                               const char *by,
                               guint timeout_ms,
                               char **outcome,
                               GError **error);

/* The plan as JSON (the same shape that a planner writes) and back; for editing before approval. */
char *fore_actions_plan_to_json (const ForePlan *plan);
ForePlan *fore_actions_plan_from_json (const char *json, GError **error);

/* The sample repository of the demo in @dir (made; default: a fresh folder), and a run on it. */
char *fore_actions_make_sample (const char *dir, GError **error);
ForeRunSpec *fore_actions_make_demo_spec (const char *project);
gboolean fore_actions_run_sample_tests (const char *project, char **output, GError **error);

/* Cancels every active run; returns how many. */
int fore_actions_stop_everything (ForeStore *store, const char *by, GError **error);

G_END_DECLS
