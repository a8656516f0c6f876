/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-watch.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <windows.h>

#include "model/fore-error.h"

#define FILTER                                                                                     \
  (FILE_NOTIFY_CHANGE_FILE_NAME | FILE_NOTIFY_CHANGE_DIR_NAME | FILE_NOTIFY_CHANGE_SIZE            \
   | FILE_NOTIFY_CHANGE_LAST_WRITE)

typedef struct
{
  GSource source;
  GPollFD poll;
} WatchSource;

/* The folder tells that something in it changed; what, is seen by looking at the path. */
struct _ForeWatch
{
  char *path;
  gboolean is_dir;
  GStatBuf last;
  gboolean was_there;
  WatchSource *source;
  ForeWatchFunc func;
  gpointer user_data;
};

static ForeWatchEvents
look (ForeWatch *watch)
{
  GStatBuf now;
  gboolean there = g_stat (watch->path, &now) == 0;
  ForeWatchEvents events = 0;

  if (there && !watch->was_there)
    events = FORE_WATCH_CREATED;
  else if (!there && watch->was_there)
    events = FORE_WATCH_GONE;
  else if (there
           && (watch->is_dir || now.st_size != watch->last.st_size
               || now.st_mtime != watch->last.st_mtime || now.st_size <= 1))
    events = FORE_WATCH_CHANGED;

  watch->was_there = there;
  if (there)
    watch->last = now;
  return events;
}

static gboolean
check_watch (GSource *source)
{
  return ((WatchSource *) source)->poll.revents != 0;
}

static gboolean
dispatch_watch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  ForeWatch *watch = user_data;
  ForeWatchEvents events;

  FindNextChangeNotification ((HANDLE) ((WatchSource *) source)->poll.fd);
  events = look (watch);
  if (events != 0)
    watch->func (watch->path, events, watch->user_data);

  return G_SOURCE_CONTINUE;
}

static void
finalize_watch (GSource *source)
{
  FindCloseChangeNotification ((HANDLE) ((WatchSource *) source)->poll.fd);
}

static GSourceFuncs watch_source_funcs = {
  .check = check_watch,
  .dispatch = dispatch_watch,
  .finalize = finalize_watch,
};

static gboolean
never_called (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
attach (ForeWatch *watch, HANDLE change, GMainContext *context)
{
  watch->source = (WatchSource *) g_source_new (&watch_source_funcs, sizeof (WatchSource));
  watch->source->poll.fd = (gintptr) change;
  watch->source->poll.events = G_IO_IN;
  g_source_add_poll (&watch->source->source, &watch->source->poll);
  g_source_set_name (&watch->source->source, "file watch");
  g_source_set_callback (&watch->source->source, never_called, watch, NULL);
  g_source_attach (&watch->source->source, context);
}

ForeWatch *
fore_watch_new (
    const char *path, ForeWatchFunc func, gpointer user_data, GMainContext *context, GError **error)
{
  gboolean is_dir = g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autofree char *folder = is_dir ? g_strdup (path) : g_path_get_dirname (path);
  g_autofree gunichar2 *wide = g_utf8_to_utf16 (folder, -1, NULL, NULL, NULL);
  HANDLE change = INVALID_HANDLE_VALUE;
  ForeWatch *watch;

  if (wide != NULL)
    change = FindFirstChangeNotificationW ((wchar_t *) wide, FALSE, FILTER);
  if (change == INVALID_HANDLE_VALUE)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("%s cannot be watched for changes; check that its folder is there"), path);
      return NULL;
    }

  watch = g_new0 (ForeWatch, 1);
  watch->path = g_strdup (path);
  watch->is_dir = is_dir;
  watch->was_there = g_stat (path, &watch->last) == 0;
  watch->func = func;
  watch->user_data = user_data;
  attach (watch, change, context);
  return watch;
}

void
fore_watch_free (ForeWatch *watch)
{
  g_return_if_fail (watch != NULL);

  g_source_destroy (&watch->source->source);
  g_source_unref (&watch->source->source);
  g_free (watch->path);
  g_free (watch);
}
