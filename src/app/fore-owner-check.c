/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-owner-check.h"

#include "app/fore-job.h"
#include "engine/fore-actions.h"

typedef struct
{
  ForeStore *store;
  GPtrArray *ids;
} OwnerCheck;

static void
owner_check_free (gpointer data)
{
  OwnerCheck *check = data;

  g_object_unref (check->store);
  g_ptr_array_unref (check->ids);
  g_free (check);
}

static gpointer
check_owners_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  OwnerCheck *check = data;
  GHashTable *states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gint64 patience = fore_actions_load_patience ();

  for (guint i = 0; i < check->ids->len; i++)
    {
      const char *id = g_ptr_array_index (check->ids, i);

      g_hash_table_insert (states, g_strdup (id),
                           GINT_TO_POINTER (fore_store_look_at_owner (check->store, id, patience)));
    }

  return states;
}

/**
 * fore_owner_check_run:
 * @owner: (type GObject): whom @done is for
 * @store: the store
 * @ids: (element-type utf8): ids of runs
 * @done: called with a #GHashTable of a #ForeOwnerState by the id of each run
 *
 * Looks in a worker thread which runs have a runner, and whether it does anything.
 */
void
fore_owner_check_run (gpointer owner, ForeStore *store, GPtrArray *ids, ForeJobDone done)
{
  OwnerCheck *check;

  g_return_if_fail (FORE_IS_STORE (store));
  g_return_if_fail (ids != NULL);

  check = g_new0 (OwnerCheck, 1);
  check->store = g_object_ref (store);
  check->ids = g_ptr_array_ref (ids);
  fore_job_run (owner, "check-owners", NULL, check_owners_thread, check, owner_check_free,
                (GDestroyNotify) g_hash_table_unref, done);
}
