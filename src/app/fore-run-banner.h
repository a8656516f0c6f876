/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-banner.h"
#include "app/fore-run-item.h"
#include "app/fore-run-model.h"
#include "model/fore-command.h"

G_BEGIN_DECLS

void fore_run_banner_update (ForeBanner *self, ForeRunModel *model, ForeRunHealth health);
gboolean fore_run_banner_says_discarded (ForeRunModel *model);
ForeCommandKind fore_run_banner_get_command (ForeRunModel *model,
                                             ForeRunHealth health,
                                             const char *const **args,
                                             const char **note);

G_END_DECLS
