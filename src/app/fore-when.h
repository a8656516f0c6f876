/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *fore_when_dup_words (gint64 at_us);

G_END_DECLS
