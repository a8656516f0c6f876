/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "model/fore-request.h"

G_BEGIN_DECLS

#define FORE_TYPE_PLAN_PAGE (fore_plan_page_get_type ())

/* A plan that waits for approval: its text and items at the left, the graph that it would make at
 * the right, and the answers.
 */
G_DECLARE_FINAL_TYPE (ForePlanPage, fore_plan_page, FORE, PLAN_PAGE, GtkWidget)

void fore_plan_page_set_request (ForePlanPage *self, const ForeRequest *request);

G_END_DECLS
