/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean
fore_words_find (const char *const *words, guint n_words, const char *text, guint *position);

G_END_DECLS
