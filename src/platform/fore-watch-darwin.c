/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-watch.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <sys/event.h>
#include <unistd.h>

#include "model/fore-error.h"

#define SELF_NOTES (NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | NOTE_DELETE | NOTE_RENAME)

/* One queue for each watch: it has the parent folder, for coming and going, and the path itself. */
struct _ForeWatch
{
  char *path;
  int queue;
  int parent;
  int self; /* -1 while it is not there */
  GSource *source;
  ForeWatchFunc func;
  gpointer user_data;
  gboolean *is_freed; /* while its function is called */
};

static gboolean
add_to_queue (int queue, int fd, unsigned notes)
{
  struct kevent event;

  EV_SET (&event, fd, EVFILT_VNODE, EV_ADD | EV_CLEAR, notes, 0, NULL);
  return kevent (queue, &event, 1, NULL, 0, NULL) == 0;
}

static gboolean
open_self (ForeWatch *watch)
{
  watch->self = open (watch->path, O_EVTONLY | O_CLOEXEC);
  return watch->self >= 0 && add_to_queue (watch->queue, watch->self, SELF_NOTES);
}

static void
close_self (ForeWatch *watch)
{
  if (watch->self >= 0)
    close (watch->self);
  watch->self = -1;
}

static ForeWatchEvents
read_events (ForeWatch *watch)
{
  struct timespec now = { 0, 0 };
  struct kevent event;
  ForeWatchEvents events = 0;
  gboolean look_again = FALSE;

  while (kevent (watch->queue, NULL, 0, &event, 1, &now) == 1)
    {
      if ((int) event.ident == watch->self && (event.fflags & (NOTE_DELETE | NOTE_RENAME)))
        {
          close_self (watch);
          events |= FORE_WATCH_GONE;
          look_again = TRUE;
        }
      else if ((int) event.ident == watch->self)
        events |= FORE_WATCH_CHANGED;
      else
        look_again = TRUE;
    }

  if (look_again && watch->self < 0 && open_self (watch))
    events |= FORE_WATCH_CREATED;
  return events;
}

static gboolean
on_readable (int fd, GIOCondition condition, gpointer user_data)
{
  ForeWatch *watch = user_data;
  ForeWatchEvents events = read_events (watch);
  gboolean is_freed = FALSE;

  if (events == 0)
    return G_SOURCE_CONTINUE;

  watch->is_freed = &is_freed;
  watch->func (watch->path, events, watch->user_data);
  if (!is_freed)
    watch->is_freed = NULL;

  return G_SOURCE_CONTINUE;
}

static void
attach (ForeWatch *watch, GMainContext *context)
{
  watch->source = g_unix_fd_source_new (watch->queue, G_IO_IN);
  g_source_set_name (watch->source, "file watch");
  g_source_set_callback (watch->source, G_SOURCE_FUNC (on_readable), watch, NULL);
  g_source_attach (watch->source, context);
}

ForeWatch *
fore_watch_new (
    const char *path, ForeWatchFunc func, gpointer user_data, GMainContext *context, GError **error)
{
  g_autofree char *parent = NULL;
  ForeWatch *watch;
  int code;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (func != NULL, NULL);

  parent = g_path_get_dirname (path);
  watch = g_new0 (ForeWatch, 1);
  watch->path = g_strdup (path);
  watch->func = func;
  watch->user_data = user_data;
  watch->self = -1;
  watch->queue = kqueue ();
  watch->parent = open (parent, O_EVTONLY | O_CLOEXEC);
  if (watch->queue >= 0 && watch->parent >= 0
      && add_to_queue (watch->queue, watch->parent, NOTE_WRITE))
    {
      open_self (watch);
      attach (watch, context);
      return watch;
    }

  code = errno;
  fore_watch_free (watch);
  g_set_error (
      error, FORE_ERROR, code == ENOENT ? FORE_ERROR_NOT_FOUND : FORE_ERROR_ENVIRONMENT,
      _ ("%s cannot be watched for changes (%s); close other programs that watch many files"), path,
      g_strerror (code));
  return NULL;
}

void
fore_watch_free (ForeWatch *watch)
{
  g_return_if_fail (watch != NULL);

  if (watch->is_freed != NULL)
    *watch->is_freed = TRUE;
  if (watch->source != NULL)
    {
      g_source_destroy (watch->source);
      g_source_unref (watch->source);
    }

  close_self (watch);
  if (watch->parent >= 0)
    close (watch->parent);
  if (watch->queue >= 0)
    close (watch->queue);
  g_free (watch->path);
  g_free (watch);
}
