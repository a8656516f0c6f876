/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-banner.h"
#include "app/fore-run-model.h"

G_BEGIN_DECLS

void fore_run_banner_update (ForeBanner *self, ForeRunModel *model, gboolean interrupted);

G_END_DECLS
