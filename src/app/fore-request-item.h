/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

#include "model/fore-request.h"

G_BEGIN_DECLS

#define FORE_TYPE_REQUEST_ITEM (fore_request_item_get_type ())

/* Properties: "title", "subtitle", "icon-name", "open". */
G_DECLARE_FINAL_TYPE (ForeRequestItem, fore_request_item, FORE, REQUEST_ITEM, GObject)

ForeRequestItem *
fore_request_item_new (const ForeRequest *request, const char *run_title, const char *project);
void fore_request_item_update (ForeRequestItem *self, const ForeRequest *request);
void fore_request_item_refresh (ForeRequestItem *self);
const ForeRequest *fore_request_item_get_request (ForeRequestItem *self);
const char *fore_request_item_get_id (ForeRequestItem *self);
const char *fore_request_item_get_subtitle (ForeRequestItem *self);
gboolean fore_request_item_is_open (ForeRequestItem *self);

G_END_DECLS
