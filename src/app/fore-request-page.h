/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "model/fore-request.h"

G_BEGIN_DECLS

#define FORE_TYPE_REQUEST_PAGE (fore_request_page_get_type ())

/* One request that is not a plan: who asks for what exactly, and the answers as they were offered.
 */
G_DECLARE_FINAL_TYPE (ForeRequestPage, fore_request_page, FORE, REQUEST_PAGE, GtkWidget)

void fore_request_page_set_request (ForeRequestPage *self, const ForeRequest *request);

G_END_DECLS
