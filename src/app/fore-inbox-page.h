/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "app/fore-index.h"

G_BEGIN_DECLS

#define FORE_TYPE_INBOX_PAGE (fore_inbox_page_get_type ())

/* Everything that waits for the person, over all runs and projects, the newest first. */
G_DECLARE_FINAL_TYPE (ForeInboxPage, fore_inbox_page, FORE, INBOX_PAGE, GtkWidget)

void fore_inbox_page_set_index (ForeInboxPage *self, ForeIndex *index);
ForeRequestItem *fore_inbox_page_dup_next (ForeInboxPage *self);

G_END_DECLS
