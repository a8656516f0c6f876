/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "model/fore-error.h"
#include "platform/fore-guard-client.h"
#include "platform/fore-guard-private.h"
#include "platform/fore-process.h"
#include "platform/fore-watch.h"

struct _ForeGuardHub
{
  GObject parent_instance;

  char *run_dir;
  char *program; /* foredeck-guard, once it was looked for */
  ForeExitsReader *reader;
  ForeWatch *watch;
  GHashTable *guards; /* key -> ForeGuard, those that have not exited */
  GRWLock starts;     /* read while a process is started; for closed */
  gboolean closed;
};

G_DEFINE_FINAL_TYPE (ForeGuardHub, fore_guard_hub, G_TYPE_OBJECT)

static void
on_record (const ForeGuardRecord *record, gpointer user_data)
{
  ForeGuardHub *self = user_data;
  g_autofree char *task = fore_guard_record_dup_task (record);
  g_autofree char *key = fore_guard_dup_key (task, record->attempt);
  ForeGuard *guard = g_hash_table_lookup (self->guards, key);

  if (guard != NULL)
    fore_guard_take_record (guard, record);
}

static void
on_exits_changed (const char *path, ForeWatchEvents events, gpointer user_data)
{
  g_assert (FORE_IS_GUARD_HUB (user_data));

  fore_guard_hub_poll (user_data);
}

static void
fore_guard_hub_finalize (GObject *object)
{
  ForeGuardHub *self = FORE_GUARD_HUB (object);

  g_clear_pointer (&self->watch, fore_watch_free);
  g_clear_pointer (&self->reader, fore_exits_reader_free);
  g_hash_table_unref (self->guards);
  g_rw_lock_clear (&self->starts);
  g_free (self->run_dir);
  g_free (self->program);
  G_OBJECT_CLASS (fore_guard_hub_parent_class)->finalize (object);
}

static void
fore_guard_hub_class_init (ForeGuardHubClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_guard_hub_finalize;
}

static void
fore_guard_hub_init (ForeGuardHub *self)
{
  g_rw_lock_init (&self->starts);
  self->guards = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/**
 * fore_guard_hub_new:
 * @run_dir: folder of a run, which must be there
 * @error: return location for an error
 *
 * Watches the run's `exits` in the default context of this thread.
 *
 * Returns: (transfer full): a hub, or %NULL
 */
ForeGuardHub *
fore_guard_hub_new (const char *run_dir, GError **error)
{
  g_autoptr (ForeGuardHub) self = NULL;
  g_autofree char *exits = NULL;

  g_return_val_if_fail (run_dir != NULL, NULL);

  self = g_object_new (FORE_TYPE_GUARD_HUB, NULL);
  self->run_dir = g_canonicalize_filename (run_dir, NULL);
  exits = fore_guard_hub_dup_exits_path (self);
  self->reader = fore_exits_reader_new (exits);
  fore_exits_reader_skip_to_end (self->reader);
  self->watch = fore_watch_new (exits, on_exits_changed, self, g_main_context_get_thread_default (),
                                error);

  return self->watch == NULL ? NULL : g_steal_pointer (&self);
}

const char *
fore_guard_hub_get_run_dir (ForeGuardHub *self)
{
  g_return_val_if_fail (FORE_IS_GUARD_HUB (self), NULL);

  return self->run_dir;
}

/**
 * fore_guard_hub_poll:
 * @self: a hub
 *
 * Reads what guards have written and emits the signals of theirs. Usually the hub does so by
 * itself.
 */
void
fore_guard_hub_poll (ForeGuardHub *self)
{
  g_autoptr (ForeGuardHub) alive = NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (FORE_IS_GUARD_HUB (self));

  alive = g_object_ref (self);
  if (!fore_exits_reader_read (self->reader, on_record, self, &error))
    g_warning ("Ends of agents cannot be read: %s", error->message);
}

gboolean
fore_guard_hub_begin_start (ForeGuardHub *self, GError **error)
{
  g_rw_lock_reader_lock (&self->starts);
  if (!self->closed)
    return TRUE;

  g_rw_lock_reader_unlock (&self->starts);
  g_set_error (error, FORE_ERROR, FORE_ERROR_CANCELLED,
               _ ("The run was given up before it was started; resume the run"));
  return FALSE;
}

void
fore_guard_hub_end_start (ForeGuardHub *self)
{
  g_rw_lock_reader_unlock (&self->starts);
}

/* Whoever owns the run next looks for what is left of it: what starts now must be there by then. */
static void
end_starts (ForeGuardHub *self)
{
  g_rw_lock_writer_lock (&self->starts);
  self->closed = TRUE;
  g_rw_lock_writer_unlock (&self->starts);
}

/**
 * fore_guard_hub_close:
 * @self: a hub
 *
 * Lets go of all guards that have not exited: no signal is emitted any more, what was said and not
 * delivered fails. Nothing is started any more; waits for what starts in other threads.
 */
void
fore_guard_hub_close (ForeGuardHub *self)
{
  g_autoptr (GList) guards = NULL;

  g_return_if_fail (FORE_IS_GUARD_HUB (self));

  end_starts (self);
  guards = g_hash_table_get_values (self->guards);
  g_hash_table_remove_all (self->guards);
  g_clear_pointer (&self->watch, fore_watch_free);
  for (GList *l = guards; l != NULL; l = l->next)
    fore_guard_forget (l->data);
}

void
fore_guard_hub_add (ForeGuardHub *self, ForeGuard *guard)
{
  g_hash_table_insert (
      self->guards,
      fore_guard_dup_key (fore_guard_get_task (guard), fore_guard_get_attempt (guard)), guard);
}

void
fore_guard_hub_remove (ForeGuardHub *self, ForeGuard *guard)
{
  g_autofree char *key = fore_guard_dup_key (fore_guard_get_task (guard),
                                             fore_guard_get_attempt (guard));

  if (g_hash_table_lookup (self->guards, key) == guard)
    g_hash_table_remove (self->guards, key);
}

char *
fore_guard_hub_dup_exits_path (ForeGuardHub *self)
{
  return g_build_filename (self->run_dir, "exits", NULL);
}

/* (nullable): where foredeck-guard is */
const char *
fore_guard_hub_get_program (ForeGuardHub *self)
{
  if (self->program == NULL)
    self->program = fore_platform_find_program ("foredeck-guard");

  return self->program;
}

/* It could not be started: it may have been moved meanwhile. */
void
fore_guard_hub_forget_program (ForeGuardHub *self)
{
  g_clear_pointer (&self->program, g_free);
}

char *
fore_guard_dup_key (const char *task, guint n)
{
  return g_strdup_printf ("%s.%u", task, n);
}
