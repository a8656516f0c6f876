/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-calls.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* What the files of ForeCall share. */
#define FORE_CALLS_SUFFIX ".json"

JsonNode *fore_calls_read_object (const char *folder, const char *name, gint64 *time);
const char *fore_calls_get_folder (GError **error);

G_END_DECLS
