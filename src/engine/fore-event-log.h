/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-event.h"

G_BEGIN_DECLS

void fore_event_log (const char *run_id, const ForeEvent *event);

G_END_DECLS
