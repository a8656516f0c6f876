/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  FORE_WATCH_CHANGED
  = 1 << 0, /* the content or the times changed, or something in the folder did */
  FORE_WATCH_CREATED = 1 << 1, /* the path came into being, or was replaced */
  FORE_WATCH_GONE = 1 << 2,    /* the path is gone */
} ForeWatchEvents;

/**
 * ForeWatch:
 *
 * Tells when a file or a folder changes. The file may be missing at first, and may come back. Many
 * changes before a dispatch are one call.
 */
typedef struct _ForeWatch ForeWatch;

/**
 * ForeWatchFunc:
 * @path: the path as it was given
 * @events: everything that happened since the last call
 * @user_data: what was given with the function
 *
 * Runs in the context that was given to fore_watch_new(); may free the watch.
 */
typedef void (*ForeWatchFunc) (const char *path, ForeWatchEvents events, gpointer user_data);

ForeWatch *fore_watch_new (const char *path,
                           ForeWatchFunc func,
                           gpointer user_data,
                           GMainContext *context,
                           GError **error);
void fore_watch_free (ForeWatch *watch);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeWatch, fore_watch_free)

G_END_DECLS
