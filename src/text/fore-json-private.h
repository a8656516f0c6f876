/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "text/fore-json.h"

G_BEGIN_DECLS

extern const char fore_json_problem_depth[];

/* All take the text of one token, already checked by the scanner. */
gboolean
fore_json_string_equals (const char *text, gsize length, gboolean escaped, const char *other);
char *fore_json_string_decode (const char *text, gsize length, gboolean escaped, gsize *decoded);
gboolean fore_json_number_is_int (const char *text, gsize length, gint64 *value);
gint64 fore_json_number_to_int (const char *text, gsize length);
double fore_json_number_to_double (const char *text, gsize length);

G_END_DECLS
