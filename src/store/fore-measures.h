/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-store.h"

G_BEGIN_DECLS

#define FORE_MEASURE_UNKNOWN (-1)

/**
 * ForeMeasure:
 * @ms: how long something took, in milliseconds
 * @tokens: how many tokens it used, or %FORE_MEASURE_UNKNOWN
 * @cost: what it cost in millionths of a US dollar, or %FORE_MEASURE_UNKNOWN
 * @off_ms: by how much @ms was off each time it was measured again, in thousandths of what was
 *   measured, or %FORE_MEASURE_UNKNOWN
 * @off_tokens: the same of @tokens
 * @n: how often it was measured
 *
 * What something took on average, and how far that was from the truth.
 */
typedef struct
{
  gint64 ms;
  gint64 tokens;
  gint64 cost;
  gint64 off_ms;
  gint64 off_tokens;
  gint64 n;
} ForeMeasure;

GHashTable *fore_measures_read (ForeStore *store, const char *project, GError **error);
gboolean
fore_measures_learn (ForeStore *store, const char *project, GHashTable *measures, GError **error);

G_END_DECLS
