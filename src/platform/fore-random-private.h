/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

void fore_random_fill (guint8 *bytes, gsize length);

G_END_DECLS
