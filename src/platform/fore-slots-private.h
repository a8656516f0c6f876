/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

void fore_slots_close (int fd);
/* Unlocks for all copies of the descriptor and touches the file. */
void fore_slots_unlock (int fd);

G_END_DECLS
