/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Gives the system back what was freed: for after something big was read of which little is kept.
 * Takes milliseconds; any thread. */
void fore_memory_give_back (void);

G_END_DECLS
