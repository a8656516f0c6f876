/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define FORE_USAGE_UNKNOWN (-1)

/**
 * ForeUsage:
 * @input: tokens sent that were not read from a cache, or %FORE_USAGE_UNKNOWN
 * @output: tokens received, or %FORE_USAGE_UNKNOWN
 * @cache_read: tokens read from a provider's cache, or %FORE_USAGE_UNKNOWN
 * @cache_write: tokens written to a provider's cache, or %FORE_USAGE_UNKNOWN
 * @cost: cost in millionths of a US dollar, or %FORE_USAGE_UNKNOWN
 * @estimated: whether any of it is our own estimate rather than a provider's figure
 *
 * What an attempt, a task or a run used. Unknown is never zero.
 */
typedef struct
{
  gint64 input;
  gint64 output;
  gint64 cache_read;
  gint64 cache_write;
  gint64 cost;
  gboolean estimated;
} ForeUsage;

#define FORE_USAGE_INIT                                                                            \
  ((ForeUsage){ FORE_USAGE_UNKNOWN, FORE_USAGE_UNKNOWN, FORE_USAGE_UNKNOWN, FORE_USAGE_UNKNOWN,    \
                FORE_USAGE_UNKNOWN, FALSE })

void fore_usage_add (ForeUsage *usage, const ForeUsage *other);
void fore_usage_replace (ForeUsage *sum, const ForeUsage *before, const ForeUsage *now);
void fore_usage_raise (ForeUsage *usage, const ForeUsage *other);
gint64 fore_usage_get_tokens (const ForeUsage *usage);
gboolean fore_usage_is_known (const ForeUsage *usage);
gboolean fore_usage_equal (const ForeUsage *a, const ForeUsage *b);

G_END_DECLS
