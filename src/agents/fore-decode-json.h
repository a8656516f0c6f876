/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-adapter.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

const char *fore_outcome_to_string (ForeOutcome outcome);
JsonNode *fore_usage_to_json (const ForeUsage *usage);
JsonNode *fore_entry_to_json (const ForeEntry *entry);
JsonNode *fore_summary_to_json (const ForeSummary *summary);
JsonNode *fore_decoder_decode_file (const ForeAdapter *adapter,
                                    const char *path,
                                    gboolean live,
                                    GError **error);

G_END_DECLS
