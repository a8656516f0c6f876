/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What was written about a project and not sent yet, for as long as the program runs. */

char *fore_draft_dup_text (GtkTextView *view);
void fore_draft_offer (GtkTextView *view, const char *about);
void fore_draft_keep (GtkTextView *view, const char *about);
void fore_draft_set (const char *about, const char *text);
const char *fore_draft_get (const char *about);

G_END_DECLS
