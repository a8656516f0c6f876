/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * ForeGuardTalk:
 *
 * One client's end of a guard's socket: what is asked is sent in order, one at a time, as soon as
 * the guard is known to listen. Lives in the main context of its maker.
 */
#define FORE_TYPE_GUARD_TALK (fore_guard_talk_get_type ())
G_DECLARE_FINAL_TYPE (ForeGuardTalk, fore_guard_talk, FORE, GUARD_TALK, GObject)

ForeGuardTalk *fore_guard_talk_new (void);
/* From here on there is somebody at @path. */
void fore_guard_talk_open (ForeGuardTalk *self, const char *path);
/* The guard is gone: all that waits fails, and so does what is asked later. */
void fore_guard_talk_close (ForeGuardTalk *self);

/* Sends @line (with its newline) and the bytes after it; the answer has no newline. */
void fore_guard_talk_ask_async (ForeGuardTalk *self,
                                const char *line,
                                GBytes *bytes,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
/* Hands a copy of @fd over with @line; what comes of it is not told. */
void fore_guard_talk_pass (ForeGuardTalk *self, const char *line, int fd);
char *fore_guard_talk_ask_finish (ForeGuardTalk *self, GAsyncResult *result, GError **error);

G_END_DECLS
