/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "app/fore-transcript-item.h"

G_BEGIN_DECLS

#define FORE_TYPE_TRANSCRIPT_ROW (fore_transcript_row_get_type ())

/* One entry of a transcript. */
G_DECLARE_FINAL_TYPE (ForeTranscriptRow, fore_transcript_row, FORE, TRANSCRIPT_ROW, GtkWidget)

GtkWidget *fore_transcript_row_new (void);
void fore_transcript_row_set_item (ForeTranscriptRow *self, ForeTranscriptItem *item);
ForeTranscriptItem *fore_transcript_row_get_item (ForeTranscriptRow *self);

G_END_DECLS
