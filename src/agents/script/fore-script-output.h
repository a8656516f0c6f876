/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Lines of JSON that say what a script does, for its transcript. */
void fore_script_output_text (const char *text);
void fore_script_output_call (const char *path, const char *call);
void fore_script_output_answer (
    const char *path, const char *call, gboolean refused, const char *reply, gboolean is_new);
void fore_script_output_result (const char *text);
void fore_script_output_error (const char *message);

G_END_DECLS
