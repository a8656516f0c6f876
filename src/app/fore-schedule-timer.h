/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-store.h"

G_BEGIN_DECLS

/* Starts what is due for as long as the window is open. */

guint fore_schedule_timer_start (ForeStore *store);

G_END_DECLS
