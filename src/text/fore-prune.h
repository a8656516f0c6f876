/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *fore_prune_text (const char *text, gsize budget, const char *where);

G_END_DECLS
