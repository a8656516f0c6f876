/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-compat.h"

G_BEGIN_DECLS

/* What is asked once more before a plan is answered with more than a click. */

void
fore_plan_ask_for_changes (GtkWidget *page, const char *run, gboolean edited, ForeAlertFunc func);
void fore_plan_ask_to_reject (GtkWidget *page, ForeAlertFunc func);

G_END_DECLS
