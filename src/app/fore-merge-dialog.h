/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "model/fore-run.h"

G_BEGIN_DECLS

void fore_merge_dialog_open (GtkWidget *from, const ForeRun *run, const char *const *without);

G_END_DECLS
