/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ctl/fore-ctl.h"

G_BEGIN_DECLS

gboolean fore_ctl_event_is_progress (const ForeEvent *event);
void fore_ctl_event_print (ForeCtl *ctl, const char *run_id, const ForeEvent *event);

G_END_DECLS
