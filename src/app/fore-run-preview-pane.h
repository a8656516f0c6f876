/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "engine/fore-actions.h"

G_BEGIN_DECLS

#define FORE_TYPE_RUN_PREVIEW_PANE (fore_run_preview_pane_get_type ())

/* The graph that a new run would have, who would work on it, and what a person should know before.
 * Signals: "previewed" (const char *branch: where it would start from); "judged" (whether it can
 * start was looked at anew).
 */
G_DECLARE_FINAL_TYPE (ForeRunPreviewPane, fore_run_preview_pane, FORE, RUN_PREVIEW_PANE, GtkWidget)

void fore_run_preview_pane_show (ForeRunPreviewPane *self, ForeRunSpec *spec);
void fore_run_preview_pane_set_clis (ForeRunPreviewPane *self, GPtrArray *clis);
const char *fore_run_preview_pane_get_refusal (ForeRunPreviewPane *self);
const char *fore_run_preview_pane_get_untrusted (ForeRunPreviewPane *self);
void fore_run_preview_pane_clear (ForeRunPreviewPane *self, const char *sentence);

G_END_DECLS
