/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-finder.h"

#include "app/fore-job.h"
#include "app/fore-list-sync.h"

#include <string.h>

/* More than anybody reads through; another word makes it less. */
#define MAX_FOUND 500

struct _ForeRunFinder
{
  GObject parent_instance;

  ForeStore *store;
  ForeIndex *index;
  GListStore *found;
  char *words;
  GCancellable *cancellable;
  gboolean again;
};

G_DEFINE_FINAL_TYPE (ForeRunFinder, fore_run_finder, G_TYPE_OBJECT)

enum
{
  SEARCHED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void search (ForeRunFinder *self);

typedef struct
{
  ForeStore *store;
  GStrv words;
} Query;

static void
query_free (gpointer data)
{
  Query *query = data;

  g_object_unref (query->store);
  g_strfreev (query->words);
  g_free (query);
}

static char *
fold (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  g_autofree char *normal = g_utf8_normalize (valid, -1, G_NORMALIZE_ALL);

  return g_utf8_casefold (normal, -1);
}

static gboolean
matches (const ForeRun *run, char **words)
{
  g_autofree char *all = g_strjoin ("\n", run->id, run->project, run->title, run->goal, NULL);
  g_autofree char *folded = fold (all);

  for (guint i = 0; words[i] != NULL; i++)
    {
      if (strstr (folded, words[i]) == NULL)
        return FALSE;
    }

  return TRUE;
}

static gpointer
search_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  Query *query = data;
  g_autoptr (GPtrArray) runs = fore_store_list_runs (query->store, NULL, NULL, 0, 0, error);
  GPtrArray *found;

  if (runs == NULL)
    return NULL;

  found = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_run_free);
  for (guint i = 0; i < runs->len && found->len < MAX_FOUND; i++)
    {
      if (g_cancellable_is_cancelled (cancellable))
        break;
      if (matches (g_ptr_array_index (runs, i), query->words))
        g_ptr_array_add (found, fore_run_copy (g_ptr_array_index (runs, i)));
    }

  return found;
}

static const char *
run_item_id (gpointer item)
{
  return fore_run_item_get_id (item);
}

/* What the index lists is shown as the index knows it: with its requests and its health. */
static ForeRunItem *
dup_item (ForeRunFinder *self, GHashTable *known, const ForeRun *run)
{
  ForeRunItem *item = fore_index_find_run (self->index, run->id);

  if (item != NULL)
    return item;

  item = g_hash_table_lookup (known, run->id);
  if (item == NULL)
    return fore_run_item_new (run);

  fore_run_item_update (item, run);
  return g_object_ref (item);
}

static void
searched_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeRunFinder *self = owner;
  GPtrArray *runs = result;
  g_autoptr (GHashTable) known = fore_list_index (G_LIST_MODEL (self->found), run_item_id);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; runs != NULL && i < runs->len; i++)
    g_ptr_array_add (items, dup_item (self, known, g_ptr_array_index (runs, i)));
  fore_list_sort (items, (GCompareFunc) fore_run_item_compare);
  fore_list_sync (self->found, items);
  g_clear_object (&self->cancellable);
  if (self->again)
    search (self);
  g_signal_emit (self, signals[SEARCHED], 0);
}

static void
search (ForeRunFinder *self)
{
  g_autofree char *folded = fold (self->words);
  g_auto (GStrv) words = g_strsplit_set (folded, " \t\n", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  Query *query = g_new0 (Query, 1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      if (*words[i] != '\0')
        g_strv_builder_add (builder, words[i]);
    }
  query->store = g_object_ref (self->store);
  query->words = g_strv_builder_end (builder);
  self->again = FALSE;
  self->cancellable = g_cancellable_new ();
  fore_job_run (self, "search-runs", self->cancellable, search_thread, query, query_free,
                (GDestroyNotify) g_ptr_array_unref, searched_cb);
}

/* One search at a time: a run at work changes the index many times a second. */
static void
index_changed_cb (ForeIndex *index, ForeRunFinder *self)
{
  g_assert (FORE_IS_RUN_FINDER (self));

  if (self->words == NULL)
    return;
  if (self->cancellable != NULL)
    self->again = TRUE;
  else
    search (self);
}

static void
fore_run_finder_dispose (GObject *object)
{
  ForeRunFinder *self = FORE_RUN_FINDER (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->found);
  g_clear_object (&self->index);
  g_clear_object (&self->store);
  g_clear_pointer (&self->words, g_free);

  G_OBJECT_CLASS (fore_run_finder_parent_class)->dispose (object);
}

static void
fore_run_finder_class_init (ForeRunFinderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fore_run_finder_dispose;
  signals[SEARCHED] = g_signal_new ("searched", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fore_run_finder_init (ForeRunFinder *self)
{
  self->found = g_list_store_new (FORE_TYPE_RUN_ITEM);
}

/**
 * fore_run_finder_new:
 * @store: the store
 * @index: the runs that are listed, which say when to look again
 *
 * Returns: (transfer full): a finder that has found nothing yet
 */
ForeRunFinder *
fore_run_finder_new (ForeStore *store, ForeIndex *index)
{
  ForeRunFinder *self;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (FORE_IS_INDEX (index), NULL);

  self = g_object_new (FORE_TYPE_RUN_FINDER, NULL);
  self->store = g_object_ref (store);
  self->index = g_object_ref (index);
  g_signal_connect_object (index, "changed", G_CALLBACK (index_changed_cb), self, 0);

  return self;
}

/**
 * fore_run_finder_set_words:
 * @self: a finder
 * @words: (nullable): words that all stand in the goal, the project's folder or the id of a run, in
 *   capitals or not; nothing but blanks ends the search
 *
 * Searches in a worker thread and emits "searched" then. What a search before this one found stays
 * until then.
 */
void
fore_run_finder_set_words (ForeRunFinder *self, const char *words)
{
  g_autofree char *stripped = NULL;

  g_return_if_fail (FORE_IS_RUN_FINDER (self));

  stripped = g_strstrip (g_strdup (words != NULL ? words : ""));
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->words, g_free);
  if (*stripped != '\0')
    {
      self->words = g_steal_pointer (&stripped);
      search (self);
    }
  else
    g_list_store_remove_all (self->found);
}

/**
 * fore_run_finder_get_words:
 * @self: a finder
 *
 * Returns: (transfer none) (nullable): what is searched, %NULL while nothing is
 */
const char *
fore_run_finder_get_words (ForeRunFinder *self)
{
  g_return_val_if_fail (FORE_IS_RUN_FINDER (self), NULL);

  return self->words;
}

/**
 * fore_run_finder_get_found:
 * @self: a finder
 *
 * Returns: (transfer none): list of #ForeRunItem in the order of the sidebar
 */
GListModel *
fore_run_finder_get_found (ForeRunFinder *self)
{
  g_return_val_if_fail (FORE_IS_RUN_FINDER (self), NULL);

  return G_LIST_MODEL (self->found);
}
