/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-machine-watch.h"

#include "engine/fore-pool.h"
#include "model/fore-error.h"
#include "platform/fore-compat-glib.h"
#include "platform/fore-dirs.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>

#define INTERVAL_SECONDS 5
#define NOTHING_NEW_BELOW (500ull * 1024 * 1024)

struct _ForeMachineWatch
{
  GObject parent_instance;

  ForeStore *store;
  gint64 day_limit;
  guint source;
  gboolean looking;
  char *reason;
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ForeMachineWatch, fore_machine_watch, G_TYPE_OBJECT)

static void
fore_machine_watch_dispose (GObject *object)
{
  ForeMachineWatch *self = FORE_MACHINE_WATCH (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_object (&self->store);

  G_OBJECT_CLASS (fore_machine_watch_parent_class)->dispose (object);
}

static void
fore_machine_watch_finalize (GObject *object)
{
  g_free (FORE_MACHINE_WATCH (object)->reason);

  G_OBJECT_CLASS (fore_machine_watch_parent_class)->finalize (object);
}

static void
fore_machine_watch_class_init (ForeMachineWatchClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fore_machine_watch_dispose;
  object_class->finalize = fore_machine_watch_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
fore_machine_watch_init (ForeMachineWatch *self)
{
}

typedef struct
{
  ForeStore *store;
  gint64 day_limit;
} Look;

static void
look_free (Look *look)
{
  g_object_unref (look->store);
  g_free (look);
}

static gint64
get_day_limit (ForeSettings *settings)
{
  if (!fore_settings_is_set (settings, "limits.day_cost"))
    return 0;

  return (gint64) (fore_settings_get_double (settings, "limits.day_cost") * 1e6);
}

static gboolean
check_machine (ForeStore *store, gint64 day_limit, gboolean starting, GError **error)
{
  guint64 free_space = fore_dirs_get_free_space (fore_store_get_home (store));
  gint64 cost = day_limit > 0 ? fore_store_get_day_cost (store, NULL) : -1;

  if (free_space < NOTHING_NEW_BELOW)
    {
      g_autofree char *size = fore_text_format_size (free_space);
      g_autofree char *needed = fore_text_format_size (NOTHING_NEW_BELOW);

      g_set_error (error, FORE_ERROR, FORE_ERROR_NO_SPACE,
                   starting ? _ ("Only %s are free on the disk; a run needs at least %s to start, "
                                 "so make room first.")
                            : _ ("Only %s are free on the disk; the run goes on when there are at "
                                 "least %s."),
                   size, needed);
      return FALSE;
    }

  if (day_limit > 0 && cost >= day_limit)
    {
      g_autofree char *used = fore_text_format_cost (cost);
      g_autofree char *limit = fore_text_format_cost (day_limit);

      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("All runs of today have cost %s of %s (limits.day_cost)."), used, limit);
      return FALSE;
    }

  return TRUE;
}

/**
 * fore_machine_check:
 * @store: the store
 * @settings: settings in force
 * @error: return location for an error
 *
 * Looks once whether this machine lets a run start. Blocking.
 *
 * Returns: %FALSE with %FORE_ERROR_NO_SPACE, or %FORE_ERROR_REFUSED when today has cost enough
 */
gboolean
fore_machine_check (ForeStore *store, ForeSettings *settings, GError **error)
{
  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (settings != NULL, FALSE);

  return check_machine (store, get_day_limit (settings), TRUE, error);
}

static void
look_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Look *look = data;
  g_autoptr (GError) problem = NULL;

  check_machine (look->store, look->day_limit, FALSE, &problem);
  g_task_return_pointer (task, problem != NULL ? g_strdup (problem->message) : NULL, g_free);
}

static void
looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ForeMachineWatch *self = FORE_MACHINE_WATCH (source);
  g_autofree char *reason = g_task_propagate_pointer (G_TASK (result), NULL);

  self->looking = FALSE;
  if (self->source != 0 && fore_set_str (&self->reason, reason))
    g_signal_emit (self, signals[CHANGED], 0);
}

static gboolean
look (gpointer user_data)
{
  ForeMachineWatch *self = user_data;
  g_autoptr (GTask) task = NULL;
  Look *data;

  if (self->looking)
    return G_SOURCE_CONTINUE;

  data = g_new0 (Look, 1);
  data->store = g_object_ref (self->store);
  data->day_limit = self->day_limit;
  self->looking = TRUE;
  task = g_task_new (self, NULL, looked, NULL);
  g_task_set_name (task, "look at the machine");
  g_task_set_task_data (task, data, (GDestroyNotify) look_free);
  fore_pool_run (FORE_POOL_FILE, task, look_in_thread);

  return G_SOURCE_CONTINUE;
}

/**
 * fore_machine_watch_new:
 * @store: the store
 * @settings: settings in force
 *
 * Returns: (transfer full): a watch that has begun to look
 */
ForeMachineWatch *
fore_machine_watch_new (ForeStore *store, ForeSettings *settings)
{
  ForeMachineWatch *self = g_object_new (FORE_TYPE_MACHINE_WATCH, NULL);

  self->store = g_object_ref (store);
  self->day_limit = get_day_limit (settings);
  self->source = g_timeout_add_seconds (INTERVAL_SECONDS, look, self);
  g_source_set_name_by_id (self->source, "machine");
  look (self);

  return self;
}

/**
 * fore_machine_watch_get_reason:
 * @self: a watch
 *
 * Returns: (transfer none) (nullable): one sentence: why nothing new may start
 */
const char *
fore_machine_watch_get_reason (ForeMachineWatch *self)
{
  g_return_val_if_fail (FORE_IS_MACHINE_WATCH (self), NULL);

  return self->reason;
}

/**
 * fore_machine_watch_is_halting:
 * @self: a watch
 *
 * Returns: whether nothing new may start
 */
gboolean
fore_machine_watch_is_halting (ForeMachineWatch *self)
{
  g_return_val_if_fail (FORE_IS_MACHINE_WATCH (self), FALSE);

  return self->reason != NULL;
}
