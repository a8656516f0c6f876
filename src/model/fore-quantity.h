/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean fore_duration_parse (const char *text, gint64 *ms);
char *fore_duration_format (gint64 ms);
gboolean fore_size_parse (const char *text, gint64 *bytes);
char *fore_size_format (gint64 bytes);

G_END_DECLS
