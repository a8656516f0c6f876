/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-decoder.h"

G_BEGIN_DECLS

/* Compares what a decoder made of a recording with what a plain reading of it gives. Returns
 * whether there was something to compare.
 */
gboolean conformance_check (const char *cli, const char *data, const ForeSummary *summary);

G_END_DECLS
