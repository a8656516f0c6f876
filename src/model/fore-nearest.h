/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint fore_edit_distance (const char *a, const char *b, guint limit);
const char *fore_nearest_word (const char *word, const char *const *words);

G_END_DECLS
