/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-watch.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <limits.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "model/fore-error.h"

#define SELF_MASK                                                                                  \
  (IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF    \
   | IN_MOVE_SELF)
#define PARENT_MASK (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR)

/* The kernel allows few instances (128 for a user), so that all watches of a context share one. */
typedef struct
{
  int fd;
  GMainContext *context;
  GSource *source;
  GPtrArray *watches;
} Notifier;

struct _ForeWatch
{
  gatomicrefcount ref_count;
  Notifier *notifier;
  char *path;
  char *name; /* in its parent folder */
  char *parent;
  int wd; /* of the path itself, -1 while it is not there */
  int parent_wd;
  ForeWatchFunc func; /* NULL once freed */
  gpointer user_data;
  ForeWatchEvents pending;
};

static GMutex notifiers_lock;
static GPtrArray *notifiers;

static void
watch_unref (ForeWatch *watch)
{
  if (!g_atomic_ref_count_dec (&watch->ref_count))
    return;

  g_free (watch->path);
  g_free (watch->name);
  g_free (watch->parent);
  g_free (watch);
}

static ForeWatch *
watch_ref (ForeWatch *watch)
{
  g_atomic_ref_count_inc (&watch->ref_count);
  return watch;
}

static gboolean
wd_is_used (Notifier *notifier, int wd)
{
  for (guint i = 0; i < notifier->watches->len; i++)
    {
      ForeWatch *watch = g_ptr_array_index (notifier->watches, i);

      if (watch->wd == wd || watch->parent_wd == wd)
        return TRUE;
    }

  return FALSE;
}

static void
drop_wd (Notifier *notifier, int *wd)
{
  int dropped = *wd;

  *wd = -1;
  if (dropped >= 0 && !wd_is_used (notifier, dropped))
    inotify_rm_watch (notifier->fd, dropped);
}

static void
look_at_self (ForeWatch *watch)
{
  int wd = inotify_add_watch (watch->notifier->fd, watch->path, SELF_MASK | IN_MASK_ADD);

  if (wd == watch->wd)
    return;

  drop_wd (watch->notifier, &watch->wd);
  watch->wd = wd;
}

static void
note_parent_event (ForeWatch *watch, const struct inotify_event *event)
{
  if (event->len == 0 || strcmp (event->name, watch->name) != 0)
    return;

  if (event->mask & (IN_CREATE | IN_MOVED_TO))
    {
      look_at_self (watch);
      watch->pending |= FORE_WATCH_CREATED;
    }
  else if (event->mask & (IN_DELETE | IN_MOVED_FROM))
    {
      drop_wd (watch->notifier, &watch->wd);
      watch->pending |= FORE_WATCH_GONE;
    }
}

static void
note_event (ForeWatch *watch, const struct inotify_event *event)
{
  if (event->mask & IN_Q_OVERFLOW)
    {
      look_at_self (watch);
      watch->pending |= FORE_WATCH_CHANGED;
    }
  else if (event->wd == watch->wd && (event->mask & IN_IGNORED))
    watch->wd = -1;
  else if (event->wd == watch->wd && (event->mask & SELF_MASK))
    watch->pending |= FORE_WATCH_CHANGED;

  if (event->wd == watch->parent_wd)
    note_parent_event (watch, event);
}

static void
read_events (Notifier *notifier)
{
  union
  {
    struct inotify_event event;
    char bytes[16 * 1024];
  } buffer;
  gssize length;

  while ((length = read (notifier->fd, buffer.bytes, sizeof buffer.bytes)) > 0)
    {
      for (char *at = buffer.bytes; at < buffer.bytes + length;)
        {
          const struct inotify_event *event = (const void *) at;

          for (guint i = 0; i < notifier->watches->len; i++)
            note_event (g_ptr_array_index (notifier->watches, i), event);
          at += sizeof *event + event->len;
        }
    }
}

static void
tell (ForeWatch *watch)
{
  ForeWatchEvents events = watch->pending;

  watch->pending = 0;
  if (events != 0 && watch->func != NULL)
    watch->func (watch->path, events, watch->user_data);
}

/* What is called may free any watch, also the last one and with it the notifier. */
static gboolean
on_readable (int fd, GIOCondition condition, gpointer user_data)
{
  Notifier *notifier = user_data;
  g_autoptr (GPtrArray) watches = g_ptr_array_new_with_free_func ((GDestroyNotify) watch_unref);

  read_events (notifier);
  for (guint i = 0; i < notifier->watches->len; i++)
    {
      ForeWatch *watch = g_ptr_array_index (notifier->watches, i);

      if (watch->pending != 0)
        g_ptr_array_add (watches, watch_ref (watch));
    }

  for (guint i = 0; i < watches->len; i++)
    tell (g_ptr_array_index (watches, i));

  return G_SOURCE_CONTINUE;
}

static Notifier *
notifier_new (GMainContext *context)
{
  Notifier *notifier;
  int fd = inotify_init1 (IN_NONBLOCK | IN_CLOEXEC);

  if (fd < 0)
    return NULL;

  notifier = g_new0 (Notifier, 1);
  notifier->fd = fd;
  notifier->context = context;
  notifier->watches = g_ptr_array_new ();
  notifier->source = g_unix_fd_source_new (fd, G_IO_IN);
  g_source_set_name (notifier->source, "file watch");
  g_source_set_callback (notifier->source, G_SOURCE_FUNC (on_readable), notifier, NULL);
  g_source_attach (notifier->source, context);
  return notifier;
}

static void
notifier_free (Notifier *notifier)
{
  g_source_destroy (notifier->source);
  g_source_unref (notifier->source);
  close (notifier->fd);
  g_ptr_array_unref (notifier->watches);
  g_free (notifier);
}

static Notifier *
get_notifier (GMainContext *context)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&notifiers_lock);
  Notifier *notifier;

  if (notifiers == NULL)
    notifiers = g_ptr_array_new ();

  for (guint i = 0; i < notifiers->len; i++)
    {
      notifier = g_ptr_array_index (notifiers, i);
      if (notifier->context == context)
        return notifier;
    }

  notifier = notifier_new (context);
  if (notifier != NULL)
    g_ptr_array_add (notifiers, notifier);
  return notifier;
}

static void
drop_unused_notifier (Notifier *notifier)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&notifiers_lock);

  if (notifier->watches->len > 0)
    return;

  g_ptr_array_remove_fast (notifiers, notifier);
  notifier_free (notifier);
  if (notifiers->len == 0)
    g_clear_pointer (&notifiers, g_ptr_array_unref);
}

static ForeWatch *
watch_new (Notifier *notifier, const char *path, ForeWatchFunc func, gpointer user_data)
{
  ForeWatch *watch = g_new0 (ForeWatch, 1);

  g_atomic_ref_count_init (&watch->ref_count);
  watch->notifier = notifier;
  watch->path = g_strdup (path);
  watch->name = g_path_get_basename (path);
  watch->parent = g_path_get_dirname (path);
  watch->wd = -1;
  watch->parent_wd = -1;
  watch->func = func;
  watch->user_data = user_data;
  g_ptr_array_add (notifier->watches, watch);
  return watch;
}

static void
set_error (GError **error, const char *path, int code)
{
  g_set_error (
      error, FORE_ERROR, code == ENOENT ? FORE_ERROR_NOT_FOUND : FORE_ERROR_ENVIRONMENT,
      _ ("%s cannot be watched for changes (%s); close other programs that watch many files"), path,
      g_strerror (code));
}

/**
 * fore_watch_new:
 * @path: a file or a folder, or one that will be; its parent folder must be there
 * @func: (scope notified): what to call
 * @user_data: data for @func
 * @context: (nullable): where to call it, %NULL for the default one; the caller's thread must be
 * the one that runs it
 * @error: return location for an error
 *
 * Returns: (transfer full): a watch; free it in the same thread
 */
ForeWatch *
fore_watch_new (
    const char *path, ForeWatchFunc func, gpointer user_data, GMainContext *context, GError **error)
{
  ForeWatch *watch;
  Notifier *notifier;
  int code;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (func != NULL, NULL);

  notifier = get_notifier (context == NULL ? g_main_context_default () : context);
  if (notifier == NULL)
    {
      set_error (error, path, errno);
      return NULL;
    }

  watch = watch_new (notifier, path, func, user_data);
  watch->parent_wd = inotify_add_watch (notifier->fd, watch->parent, PARENT_MASK | IN_MASK_ADD);
  code = errno;
  if (watch->parent_wd >= 0)
    {
      look_at_self (watch);
      return watch;
    }

  set_error (error, path, code);
  fore_watch_free (watch);
  return NULL;
}

/**
 * fore_watch_free:
 * @watch: (transfer full): a watch
 *
 * Stops it: its function is not called any more.
 */
void
fore_watch_free (ForeWatch *watch)
{
  Notifier *notifier;

  g_return_if_fail (watch != NULL);

  notifier = watch->notifier;
  g_ptr_array_remove (notifier->watches, watch);
  drop_wd (notifier, &watch->wd);
  drop_wd (notifier, &watch->parent_wd);
  watch->func = NULL;
  watch->notifier = NULL;
  watch_unref (watch);
  drop_unused_notifier (notifier);
}
