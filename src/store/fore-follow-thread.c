/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-follow-thread.h"

#include "model/fore-error.h"
#include "platform/fore-clock.h"
#include "platform/fore-dirs.h"
#include "platform/fore-timer.h"
#include "platform/fore-watch.h"
#include "store/fore-index.h"
#include "store/fore-run-file.h"

#include <glib/gi18n-lib.h>

#define POLL_US (2 * G_USEC_PER_SEC)
#define POLL_UNWATCHED_US (250 * 1000)
#define INTERVAL_US (10 * 1000)
#define MAX_EVENTS 4096

struct _ForeFollowThread
{
  gatomicrefcount ref_count;
  ForeStore *store;
  char *run_id;
  gboolean with_events;
  guint page_size;

  /* of the owner's thread */
  GMainContext *owner_context;
  ForeFollowFunc func; /* NULL once stopped */
  gpointer user_data;

  GMainContext *context;
  int stopped;   /* atomic */
  int in_flight; /* atomic: news are on their way */

  /* of the thread */
  ForeSql *sql;
  ForeWatch *watch;
  GSource *timer;
  gboolean rung;
  gint64 version;
  guint64 rev;
  gint64 seq;
  gboolean more;
  char *mark;
  char *told; /* the last error */
  gint64 last_read;
};

typedef struct
{
  ForeFollowThread *thread;
  ForeFollowNews news;
} Delivery;

static ForeFollowThread *
ref_thread (ForeFollowThread *self)
{
  g_atomic_ref_count_inc (&self->ref_count);

  return self;
}

static void
unref_thread (ForeFollowThread *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_main_context_unref (self->context);
  g_main_context_unref (self->owner_context);
  g_free (self->run_id);
  g_free (self->mark);
  g_free (self->told);
  g_free (self);
}

static void
delivery_free (Delivery *delivery)
{
  fore_run_delta_free (delivery->news.delta);
  g_clear_pointer (&delivery->news.runs, g_ptr_array_unref);
  g_clear_pointer (&delivery->news.requests, g_ptr_array_unref);
  g_clear_error (&delivery->news.error);
  unref_thread (delivery->thread);
  g_free (delivery);
}

static gboolean
deliver (gpointer user_data)
{
  Delivery *delivery = user_data;
  ForeFollowThread *self = delivery->thread;

  if (self->func != NULL)
    self->func (&delivery->news, self->user_data);

  g_atomic_int_set (&self->in_flight, FALSE);
  g_main_context_wakeup (self->context);

  return G_SOURCE_REMOVE;
}

static Delivery *
delivery_new (ForeFollowThread *self)
{
  Delivery *delivery = g_new0 (Delivery, 1);

  delivery->thread = ref_thread (self);

  return delivery;
}

static void
send (ForeFollowThread *self, Delivery *delivery)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_atomic_int_set (&self->in_flight, TRUE);
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "follower");
  g_source_set_callback (source, deliver, delivery, (GDestroyNotify) delivery_free);
  g_source_attach (source, self->owner_context);
}

static void
tell_error (ForeFollowThread *self, const GError *error)
{
  Delivery *delivery;

  if (g_strcmp0 (self->told, error->message) == 0)
    return;

  g_free (self->told);
  self->told = g_strdup (error->message);
  delivery = delivery_new (self);
  delivery->news.error = g_error_copy (error);
  send (self, delivery);
}

static gboolean
read_run (ForeFollowThread *self, Delivery **delivery, GError **error)
{
  guint max_events = self->with_events ? MAX_EVENTS : 0;
  g_autoptr (ForeRunDelta) delta = fore_run_file_read (self->sql, FORE_RUN_VIEW_OTHERS, self->rev,
                                                       self->seq, max_events, error);

  if (delta == NULL)
    return FALSE;

  self->more = delta->events->len == MAX_EVENTS;
  self->rev = delta->rev;
  self->seq = delta->seq;
  if (fore_run_delta_is_empty (delta))
    return TRUE;

  *delivery = delivery_new (self);
  (*delivery)->news.delta = g_steal_pointer (&delta);
  return TRUE;
}

static gint64
get_start_of_day (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_from_unix_local (fore_clock_now_us ()
                                                               / G_USEC_PER_SEC);
  g_autoptr (GDateTime) day = NULL;

  if (now == NULL)
    return 0;

  day = g_date_time_new_local (g_date_time_get_year (now), g_date_time_get_month (now),
                               g_date_time_get_day_of_month (now), 0, 0, 0);
  return day != NULL ? g_date_time_to_unix (day) * G_USEC_PER_SEC : 0;
}

static gboolean
read_page (ForeFollowThread *self, Delivery **delivery, GError **error)
{
  gint64 today = get_start_of_day ();
  guint mark_size = self->page_size == 0 ? G_MAXINT : self->page_size;
  g_autofree char *mark = fore_index_dup_mark (self->sql, mark_size, today, error);
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GPtrArray) requests = NULL;

  if (mark == NULL)
    return FALSE;

  if (g_strcmp0 (mark, self->mark) == 0)
    return TRUE;

  runs = fore_index_list_runs (self->sql, NULL, NULL, self->page_size, 0, error);
  if (runs == NULL)
    return FALSE;

  requests = fore_index_list_requests_since (self->sql, today, error);
  if (requests == NULL)
    return FALSE;

  g_free (self->mark);
  self->mark = g_steal_pointer (&mark);
  *delivery = delivery_new (self);
  (*delivery)->news.runs = g_steal_pointer (&runs);
  (*delivery)->news.requests = g_steal_pointer (&requests);
  return TRUE;
}

static gboolean
read_index (ForeFollowThread *self, Delivery **delivery, GError **error)
{
  gboolean read;

  if (!fore_sql_begin_read (self->sql, error))
    return FALSE;

  read = read_page (self, delivery, error);
  fore_sql_rollback (self->sql);

  return read;
}

static gboolean
open_file (ForeFollowThread *self, GError **error)
{
  g_autofree char *path = NULL;

  if (self->sql != NULL)
    return TRUE;

  if (self->run_id != NULL)
    self->sql = fore_run_file_open (self->store, self->run_id, FORE_SQL_READ, error);
  else
    {
      path = fore_dirs_dup_index_path (fore_store_get_home (self->store));
      self->sql = fore_sql_open (path, FORE_SQL_READ, error);
    }

  self->version = -1;
  return self->sql != NULL;
}

/* Another file under the same name would never tell: an open file outlives its removal. */
static gboolean
check_there (ForeFollowThread *self, GError **error)
{
  const char *path = fore_sql_get_path (self->sql);

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("“%s” is gone: it was removed."), path);
  return FALSE;
}

static gboolean
read_changes (ForeFollowThread *self, Delivery **delivery, GError **error)
{
  gint64 version;

  if (!open_file (self, error) || !check_there (self, error)
      || !fore_sql_get_int (self->sql, "PRAGMA data_version", &version, error))
    return FALSE;

  if (version == self->version && !self->more)
    return TRUE;

  if (!(self->run_id != NULL ? read_run (self, delivery, error)
                             : read_index (self, delivery, error)))
    return FALSE;

  self->version = version;
  return TRUE;
}

static void
look (ForeFollowThread *self)
{
  g_autoptr (GError) error = NULL;
  Delivery *delivery = NULL;

  self->rung = FALSE;
  self->last_read = g_get_monotonic_time ();
  if (!read_changes (self, &delivery, &error))
    {
      g_clear_pointer (&self->sql, fore_sql_free);
      tell_error (self, error);
      return;
    }

  g_clear_pointer (&self->told, g_free);
  if (delivery != NULL)
    send (self, delivery);
}

static gint64
get_due (ForeFollowThread *self)
{
  if (self->rung || self->more)
    return self->last_read + INTERVAL_US;

  return self->last_read + (self->watch != NULL ? POLL_US : POLL_UNWATCHED_US);
}

static void
on_bell (const char *path, ForeWatchEvents events, gpointer user_data)
{
  ForeFollowThread *self = user_data;

  self->rung = TRUE;
}

static void
start_watching (ForeFollowThread *self)
{
  g_autofree char *bell = fore_dirs_dup_bell_path (fore_store_get_home (self->store));
  g_autoptr (GError) error = NULL;

  self->timer = fore_timer_source_new ("follower");
  g_source_attach (self->timer, self->context);

  self->watch = fore_watch_new (bell, on_bell, self, self->context, &error);
  if (self->watch == NULL)
    g_message ("the bell cannot be watched, looking often: %s", error->message);
}

static void
stop_watching (ForeFollowThread *self)
{
  g_clear_pointer (&self->watch, fore_watch_free);
  g_source_destroy (self->timer);
  g_clear_pointer (&self->timer, g_source_unref);
}

static gpointer
run_thread (gpointer data)
{
  ForeFollowThread *self = data;

  g_main_context_push_thread_default (self->context);
  start_watching (self);
  while (!g_atomic_int_get (&self->stopped))
    {
      gboolean in_flight = g_atomic_int_get (&self->in_flight);

      if (!in_flight && get_due (self) <= g_get_monotonic_time ())
        look (self);

      in_flight = g_atomic_int_get (&self->in_flight);
      g_source_set_ready_time (self->timer, in_flight ? -1 : get_due (self));
      g_main_context_iteration (self->context, TRUE);
    }

  stop_watching (self);
  g_clear_pointer (&self->sql, fore_sql_free);
  g_clear_object (&self->store);
  g_main_context_pop_thread_default (self->context);
  unref_thread (self);

  return NULL;
}

/**
 * fore_follow_thread_start:
 * @store: the store
 * @run_id: (nullable): a run, %NULL for the index
 * @with_events: for a run: whether events come too
 * @page_size: for the index: most runs, 0 for all
 * @func: called on the thread-default main context of the caller
 * @user_data: data for @func
 *
 * Returns: (transfer full): a thread, for fore_follow_thread_stop()
 */
ForeFollowThread *
fore_follow_thread_start (ForeStore *store,
                          const char *run_id,
                          gboolean with_events,
                          guint page_size,
                          ForeFollowFunc func,
                          gpointer user_data)
{
  ForeFollowThread *self = g_new0 (ForeFollowThread, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->store = g_object_ref (store);
  self->run_id = g_strdup (run_id);
  self->with_events = with_events;
  self->page_size = page_size;
  self->func = func;
  self->user_data = user_data;
  self->owner_context = g_main_context_ref_thread_default ();
  self->context = g_main_context_new ();
  self->version = -1;
  self->rung = TRUE;
  g_thread_unref (g_thread_new ("follower", run_thread, ref_thread (self)));

  return self;
}

/**
 * fore_follow_thread_stop:
 * @self: (transfer full): a thread
 *
 * The function is not called any more. The thread ends by itself.
 */
void
fore_follow_thread_stop (ForeFollowThread *self)
{
  self->func = NULL;
  g_atomic_int_set (&self->stopped, TRUE);
  g_main_context_wakeup (self->context);
  unref_thread (self);
}
