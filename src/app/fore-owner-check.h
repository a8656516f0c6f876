/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-job.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

void fore_owner_check_run (gpointer owner, ForeStore *store, GPtrArray *ids, ForeJobDone done);

G_END_DECLS
