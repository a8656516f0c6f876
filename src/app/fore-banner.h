/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum
{
  FORE_BANNER_INFO,
  FORE_BANNER_ATTENTION,
  FORE_BANNER_ERROR,
} ForeBannerStyle;

#define FORE_TYPE_BANNER (fore_banner_get_type ())

/* A sentence over a page with the button that does something about it. Signals: "button-clicked",
 * "dismissed".
 */
G_DECLARE_FINAL_TYPE (ForeBanner, fore_banner, FORE, BANNER, GtkWidget)

GtkWidget *fore_banner_new (void);
void fore_banner_show (ForeBanner *self,
                       ForeBannerStyle style,
                       const char *text,
                       const char *button,
                       gboolean dismissible);
void fore_banner_hide (ForeBanner *self);
gboolean fore_banner_is_shown (ForeBanner *self);

G_END_DECLS
