/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "app/fore-diff-doc.h"

G_BEGIN_DECLS

#define FORE_TYPE_DIFF_SNIPPET (fore_diff_snippet_get_type ())

/* The first lines of some changes in a card, for transcripts and previews. */
G_DECLARE_FINAL_TYPE (ForeDiffSnippet, fore_diff_snippet, FORE, DIFF_SNIPPET, GtkWidget)

GtkWidget *fore_diff_snippet_new (void);
void fore_diff_snippet_set_doc (ForeDiffSnippet *self, ForeDiffDoc *doc);

G_END_DECLS
