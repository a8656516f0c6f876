/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What was written in a view and not sent yet. See fore-draft-file.h. */

char *fore_draft_dup_text (GtkTextView *view);
void fore_draft_offer (GtkTextView *view, const char *about);
void fore_draft_keep (GtkTextView *view, const char *about);
void fore_draft_follow (GtkTextView *view, const char *about);

G_END_DECLS
