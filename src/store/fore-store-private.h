/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-sql.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/* Lends a connection to the index; nobody else has it until it is given back. */
ForeSql *fore_store_borrow_index (ForeStore *self, GError **error);
void fore_store_give_back_index (ForeStore *self, ForeSql *sql);

/* Which runs are owned through this store. */
void fore_store_set_owns (ForeStore *self, const char *run_id, gboolean owns);
gboolean fore_store_owns (ForeStore *self, const char *run_id);

G_END_DECLS
