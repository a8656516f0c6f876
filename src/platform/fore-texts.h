/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *fore_texts_dup_dir (void);
void fore_texts_bind (void);

G_END_DECLS
