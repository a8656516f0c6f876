/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "app/fore-transcript-item.h"

G_BEGIN_DECLS

#define FORE_TYPE_TRANSCRIPT_VIEW (fore_transcript_view_get_type ())

/* Properties: "model" (GListModel of ForeTranscriptItem), "following" (boolean: sticks to the
 * newest entry; scrolling up ends it, the pill and End begin it again).
 */
G_DECLARE_FINAL_TYPE (ForeTranscriptView, fore_transcript_view, FORE, TRANSCRIPT_VIEW, GtkWidget)

GtkWidget *fore_transcript_view_new (void);
GListModel *fore_transcript_view_get_model (ForeTranscriptView *self);
void fore_transcript_view_set_model (ForeTranscriptView *self, GListModel *model);
gboolean fore_transcript_view_get_following (ForeTranscriptView *self);
void fore_transcript_view_set_following (ForeTranscriptView *self, gboolean following);
void fore_transcript_view_scroll_to (ForeTranscriptView *self, guint position);

G_END_DECLS
