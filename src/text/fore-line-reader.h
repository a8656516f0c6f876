/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeLineReader:
 *
 * Cuts a byte stream that arrives in pieces into lines at LF (a CR before it is dropped). Memory is
 * bounded: a line longer than @fold bytes is handed over as its first @fold bytes with @truncated
 * set, and the rest of it is dropped here (it stays in the capture). Offsets are those of the
 * line's first byte in the stream.
 */
typedef struct _ForeLineReader ForeLineReader;

typedef void (*ForeLineFunc) (
    const char *line, gsize length, gint64 offset, gboolean truncated, gpointer user_data);

#define FORE_LINE_FOLD (8 * 1024 * 1024)

ForeLineReader *fore_line_reader_new (gsize fold);
void fore_line_reader_free (ForeLineReader *reader);
void fore_line_reader_feed (
    ForeLineReader *reader, const char *data, gsize length, ForeLineFunc func, gpointer user_data);
void fore_line_reader_finish (ForeLineReader *reader, ForeLineFunc func, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeLineReader, fore_line_reader_free)

G_END_DECLS
