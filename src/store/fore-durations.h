/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-store.h"

G_BEGIN_DECLS

GHashTable *fore_durations_read (ForeStore *store, const char *project, GError **error);
gboolean
fore_durations_learn (ForeStore *store, const char *project, GHashTable *durations, GError **error);

G_END_DECLS
