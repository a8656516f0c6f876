/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "library/fore-settings.h"
#include "model/fore-task.h"

G_BEGIN_DECLS

gboolean fore_retry_is_allowed (ForeSettings *settings, const ForeTask *task);
gint64 fore_retry_choose_delay (ForeSettings *settings, const ForeTask *task);

G_END_DECLS
