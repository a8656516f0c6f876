/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-spec.h"
#include "library/fore-workflow.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

void fore_forecast_take (ForeRunPreview *preview, ForeStore *store, const ForeWorkflow *workflow);
char *fore_forecast_dup_text (const ForeForecast *forecast);

G_END_DECLS
