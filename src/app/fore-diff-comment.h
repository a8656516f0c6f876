/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "app/fore-diff-row.h"

G_BEGIN_DECLS

GtkWidget *fore_diff_comment_new (ForeDiffRow *row, GCallback edit, GCallback remove);

G_END_DECLS
