/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "library/fore-diagnostic.h"

G_BEGIN_DECLS

#define FORE_SETTINGS_MAX_FILE (1024 * 1024)

gboolean fore_settings_file_read (const char *path, JsonNode **root, GError **error);
char *fore_settings_file_format (JsonNode *root);

G_END_DECLS
