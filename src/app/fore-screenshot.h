/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-window.h"

G_BEGIN_DECLS

/* Writes a picture of one page once it has settled, then quits: for scripts that show the window
 * where there is no screen to look at.
 */
typedef struct _ForeScreenshot ForeScreenshot;

ForeScreenshot *fore_screenshot_new (GVariantDict *options, GError **error);
int fore_screenshot_get_status (ForeScreenshot *self);
void fore_screenshot_begin (ForeScreenshot *self, ForeWindow *window);
void fore_screenshot_free (ForeScreenshot *self);
gboolean fore_widget_write_png (GtkWidget *widget, const char *path, GError **error);

G_END_DECLS
