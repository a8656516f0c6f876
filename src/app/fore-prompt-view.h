/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FORE_TYPE_PROMPT_VIEW (fore_prompt_view_get_type ())

/* The exact prompt of an attempt. */
G_DECLARE_FINAL_TYPE (ForePromptView, fore_prompt_view, FORE, PROMPT_VIEW, GtkWidget)

void
fore_prompt_view_show (ForePromptView *self, const char *run_id, const char *task, guint attempt);

G_END_DECLS
