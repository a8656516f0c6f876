/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-owner-check.h"

#include "app/fore-job.h"

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
  GHashTable *gone = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < check->ids->len; i++)
    {
      const char *id = g_ptr_array_index (check->ids, i);

      if (!fore_store_is_owned (check->store, id))
        g_hash_table_add (gone, g_strdup (id));
    }

  return gone;
}

/**
 * fore_owner_check_run:
 * @owner: (type GObject): whom @done is for
 * @store: the store
 * @ids: (element-type utf8): ids of runs
 * @done: called with a #GHashTable, a set of the ids of those that nobody owns
 *
 * Looks in a worker thread which runs have no runner.
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
