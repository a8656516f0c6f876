/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "engine/fore-actions.h"

G_BEGIN_DECLS

#define FORE_TYPE_RUN_PREVIEW_PANE (fore_run_preview_pane_get_type ())

/* The graph that a new run would have, who would work on it, and what a person should know before.
 * Signal: "previewed" (const char *branch: where it would start from).
 */
G_DECLARE_FINAL_TYPE (ForeRunPreviewPane, fore_run_preview_pane, FORE, RUN_PREVIEW_PANE, GtkWidget)

void fore_run_preview_pane_show (ForeRunPreviewPane *self, ForeRunSpec *spec);
void fore_run_preview_pane_set_has_agent (ForeRunPreviewPane *self, gboolean has_agent);
void fore_run_preview_pane_clear (ForeRunPreviewPane *self);

G_END_DECLS
