/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "text/fore-redact.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * ForeResultOutput:
 * @name: (nullable): name of the file that the step leaves for others, %NULL if it leaves none
 * @run_dir: folder of the run
 * @tree: (nullable): where the agent may have written that file itself
 * @since: when it began, in microseconds since the epoch
 *
 * The file that a step leaves; borrowed.
 */
typedef struct
{
  const char *name;
  const char *run_dir;
  const char *tree;
  gint64 since;
} ForeResultOutput;

/* What a task hands on: without secrets, cut to what a row may hold, and whole in a file where it
 * is longer than a prompt takes.
 */
void fore_result_keep_async (ForeRedactor *redactor,
                             const char *text,
                             const char *path,
                             gsize inline_bytes,
                             gsize row_bytes,
                             const ForeResultOutput *output,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
char *fore_result_keep_finish (GAsyncResult *result, GError **error);

G_END_DECLS
