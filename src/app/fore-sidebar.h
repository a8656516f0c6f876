/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "app/fore-index.h"

G_BEGIN_DECLS

#define FORE_TYPE_SIDEBAR (fore_sidebar_get_type ())

/* The inbox with its count and the runs, grouped. Signals: "inbox-chosen", "run-chosen"
 * (const char *run_id).
 */
G_DECLARE_FINAL_TYPE (ForeSidebar, fore_sidebar, FORE, SIDEBAR, GtkWidget)

void fore_sidebar_set_index (ForeSidebar *self, ForeIndex *index);
void fore_sidebar_search (ForeSidebar *self);
void fore_sidebar_select_run (ForeSidebar *self, const char *run_id);
void fore_sidebar_select_inbox (ForeSidebar *self);
void fore_sidebar_select_nothing (ForeSidebar *self);

G_END_DECLS
