/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Text from outside made fit to be kept, shown and approved. */

char *fore_text_make_valid (const char *data, gssize length);
char *fore_text_make_visible (const char *text);
char *fore_text_strip_ansi (const char *text);
char *fore_text_shorten (const char *text, guint max_chars);
char *fore_text_first_line (const char *text, guint max_chars);
guint fore_text_estimate_tokens (const char *text, gssize length);
char *fore_text_format_duration (gint64 ms);
char *fore_text_format_tokens (gint64 tokens);
char *fore_text_format_cost (gint64 micro_dollars);
char *fore_text_format_size (guint64 bytes);
char *fore_text_format_time (gint64 us);
gboolean fore_text_needs_shell (const char *const *words);
char *fore_text_quote_word (const char *word);
gboolean fore_text_parse_duration (const char *text, gint64 *ms);
gboolean fore_text_parse_size (const char *text, gint64 *bytes);

G_END_DECLS
