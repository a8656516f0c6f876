/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * ForeCapture:
 *
 * Reads an attempt's capture file with pread in windows of 256 KiB while it grows. Never maps it: a
 * shrunken file would be a bus error. Not thread-safe; blocking: worker threads only.
 */
typedef struct _ForeCapture ForeCapture;

char *fore_capture_dup_path (
    const char *home, const char *run_id, const char *task, guint attempt, const char *suffix);

ForeCapture *fore_capture_new (const char *path);
ForeCapture *fore_capture_open (const char *path, GError **error);
void fore_capture_free (ForeCapture *capture);

/* Returns the bytes after the last call, at most one window; an empty GBytes at the end of what is
 * there now. FORE_ERROR_INVALID once if the file shrank (reading goes on at its new end). */
GBytes *fore_capture_read (ForeCapture *capture, GError **error);
gint64 fore_capture_get_offset (ForeCapture *capture);
void fore_capture_seek (ForeCapture *capture, gint64 offset);

void fore_capture_sync (const char *path, gboolean with_prompt);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeCapture, fore_capture_free)

G_END_DECLS
