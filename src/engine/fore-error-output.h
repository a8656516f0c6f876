/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-decoder.h"
#include "model/fore-attempt.h"

G_BEGIN_DECLS

#define FORE_ERROR_OUTPUT_ID "stderr"

/**
 * ForeErrorOutput:
 *
 * Reads what an attempt wrote to its standard error as entries of its transcript while it grows.
 * Not thread-safe; blocking: worker threads only.
 */
typedef struct _ForeErrorOutput ForeErrorOutput;

ForeErrorOutput *
fore_error_output_new (const char *home, const char *run_id, const ForeAttempt *attempt);
void fore_error_output_free (ForeErrorOutput *output);
gboolean fore_error_output_is_shown (ForeErrorOutput *output, gboolean silent);
gboolean fore_error_output_read (ForeErrorOutput *output, ForeEntryFunc func, gpointer user_data);
void fore_error_output_finish (ForeErrorOutput *output, ForeEntryFunc func, gpointer user_data);
const char *fore_error_output_get_path (ForeErrorOutput *output);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeErrorOutput, fore_error_output_free)

G_END_DECLS
