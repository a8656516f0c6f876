/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "library/fore-settings.h"

G_BEGIN_DECLS

void fore_log_settings_apply (const char *home, ForeSettings *settings);

G_END_DECLS
