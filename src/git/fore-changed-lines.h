/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Lines of a text that another does not have, from 0. */
typedef struct
{
  guint first;
  guint n;
} ForeChangedLines;

GArray *fore_changed_lines_find (GBytes *before, GBytes *after);

G_END_DECLS
