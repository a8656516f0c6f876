/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FORE_TYPE_WELCOME_PAGE (fore_welcome_page_get_type ())

/* The first page: what was found on this machine, what leaves it, and how to begin. */
G_DECLARE_FINAL_TYPE (ForeWelcomePage, fore_welcome_page, FORE, WELCOME_PAGE, GtkWidget)

void fore_welcome_page_start_demo (ForeWelcomePage *self);
void fore_welcome_page_examine (ForeWelcomePage *self);

G_END_DECLS
