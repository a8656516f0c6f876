/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *fore_visible_text (const char *text, gssize length);
char *fore_visible_line (const char *text, gssize length, gsize max_chars);
gboolean fore_visible_text_is_plain (const char *text, gssize length);

G_END_DECLS
