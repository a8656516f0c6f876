/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "library/fore-settings.h"
#include "model/fore-task.h"

G_BEGIN_DECLS

gboolean fore_sandbox_hint_is_refusal (const char *text, gsize length);
gboolean fore_sandbox_hint_find (const char *const *paths);
const char *fore_sandbox_hint_get_of_checks (void);
char *fore_sandbox_hint_dup (ForeSettings *settings, const ForeTask *task);

G_END_DECLS
