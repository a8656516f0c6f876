/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-adapter.h"

G_BEGIN_DECLS

char *agents_tools_read_fixture (const char *name, gsize *length);
char *agents_tools_dump (const ForeAdapter *adapter,
                         gboolean live,
                         const char *data,
                         gsize length,
                         const gsize *cuts,
                         guint n_cuts);
ForeDecoder *
agents_tools_decode (const ForeAdapter *adapter, gboolean live, const char *data, gsize length);
char *agents_tools_find_recordings (void);

G_END_DECLS
