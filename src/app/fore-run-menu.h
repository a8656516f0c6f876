/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-compat.h"
#include "app/fore-graph-view.h"
#include "app/fore-run-model.h"
#include "app/fore-run-verb.h"

G_BEGIN_DECLS

/* What the menu of a run's page does that needs nothing of the page. */

void fore_run_menu_ask_cancel (GtkWidget *widget, ForeAlertFunc func);
void fore_run_menu_ask_discard (GtkWidget *widget, ForeAlertFunc func);
void fore_run_menu_update (GtkWidget *widget, const ForeRun *run, ForeRunVerb verb);
void fore_run_menu_show_plan (GtkWidget *widget, ForeRunModel *model);
void fore_run_menu_open_folder (GtkWidget *widget, ForeRunModel *model);
void fore_run_menu_copy_link (GtkWidget *widget, ForeRunModel *model);
void fore_run_menu_export (ForeGraphView *graph);

G_END_DECLS
