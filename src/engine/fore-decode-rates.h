/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* How fast this process decodes what agents print, by agent CLI. Any thread. */
void fore_decode_rates_add (const char *cli, gsize bytes, gint64 cpu_us);
JsonNode *fore_decode_rates_to_json (void);

G_END_DECLS
