/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "text/fore-redact.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a task hands on: without secrets, cut to what a row may hold, and whole in a file where it
 * is longer than a prompt takes.
 */
void fore_result_keep_async (ForeRedactor *redactor,
                             const char *text,
                             const char *path,
                             gsize inline_bytes,
                             gsize row_bytes,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
char *fore_result_keep_finish (GAsyncResult *result, GError **error);

G_END_DECLS
