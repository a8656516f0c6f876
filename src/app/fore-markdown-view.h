/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FORE_TYPE_MARKDOWN_VIEW (fore_markdown_view_get_type ())

/* Property: "text", Markdown from anywhere; nothing in it is trusted. */
G_DECLARE_FINAL_TYPE (ForeMarkdownView, fore_markdown_view, FORE, MARKDOWN_VIEW, GtkWidget)

GtkWidget *fore_markdown_view_new (void);
const char *fore_markdown_view_get_text (ForeMarkdownView *self);
void fore_markdown_view_set_text (ForeMarkdownView *self, const char *text);

G_END_DECLS
