/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-state.h"

G_BEGIN_DECLS

char *fore_helper_dup_step (const char *asker, const char *call);
char *fore_helper_dup_asker (const ForeTask *task);
gboolean fore_helper_is_of (const ForeTask *task, const char *asker, const char *call);
gboolean fore_helper_is_one (const ForeTask *task);
gboolean fore_helper_is_waited_for (ForeRunState *state, const ForeTask *asker);
gboolean fore_helper_was_needless (ForeRunState *state, const ForeTask *task);
guint fore_helper_count (ForeRunState *state);
guint fore_helper_measure_depth (ForeRunState *state, const ForeTask *task);

G_END_DECLS
