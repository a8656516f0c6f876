/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-banner.h"
#include "app/fore-inbox-page.h"
#include "app/fore-plan-page.h"
#include "app/fore-request-page.h"
#include "app/fore-run-page.h"
#include "app/fore-sidebar.h"
#include "app/fore-split.h"
#include "app/fore-welcome-page.h"
#include "app/fore-window.h"

G_BEGIN_DECLS

struct _ForeWindow
{
  AdwApplicationWindow parent_instance;

  AdwToastOverlay *toasts;
  ForeSplit *split;
  ForeSidebar *sidebar;
  GtkStack *stack;
  GtkSpinner *spinner;
  AdwStatusPage *error_page;
  GtkWidget *error_button;
  ForeWelcomePage *welcome;
  ForeInboxPage *inbox;
  ForeRunPage *run_page;
  ForeRequestPage *request_page;
  ForePlanPage *plan_page;
  ForeBanner *crash_banner;
  ForeBanner *disk_banner;

  ForeIndex *index;
  GStrv crash_paths;
  char *wanted_request;
  guint spinner_timeout;
  guint place_idle;
  gboolean placed;
};

void fore_window_class_init_actions (GtkWidgetClass *widget_class);

G_END_DECLS
