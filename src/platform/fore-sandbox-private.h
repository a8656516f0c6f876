/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* fore-sandbox-*.c: what differs between systems. */
char *fore_sandbox_system_find (GError **error);
/* What a program of the superuser keeps of its powers; nothing for everybody else, who has none. */
void fore_sandbox_system_add_powers (GPtrArray *argv);

G_END_DECLS
