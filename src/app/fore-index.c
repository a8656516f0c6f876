/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-index.h"

#include "app/fore-list-sync.h"
#include "app/fore-owner-check.h"
#include "store/fore-follower.h"

#define PAGE_SIZE 100
#define TICK_SECONDS 5
/* How long a new run may be without a runner before that says anything. */
#define START_GRACE (8 * G_USEC_PER_SEC)

struct _ForeIndex
{
  GObject parent_instance;

  ForeStore *store;
  ForeFollower *follower;
  GListStore *runs;
  GListStore *requests;
  GListStore *answered;
  GHashTable *interrupted;
  gboolean loaded;
  gboolean checking;
  guint tick;
};

G_DEFINE_FINAL_TYPE (ForeIndex, fore_index, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_N_OPEN,
  N_PROPS
};

enum
{
  CHANGED,
  REQUEST_OPENED,
  REQUEST_CLOSED,
  FAILED,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

static gboolean
claims_to_work (const ForeRun *run)
{
  if (run->status == FORE_RUN_QUEUED)
    return g_get_real_time () - run->created > START_GRACE;

  return fore_run_status_get_class (run->status) == FORE_CLASS_ACTIVE
         && g_get_real_time () - MAX (run->created, run->started) > G_USEC_PER_SEC;
}

static void
sort_runs (ForeIndex *self)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->runs));

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (items, g_list_model_get_item (G_LIST_MODEL (self->runs), i));
  fore_list_sort (items, (GCompareFunc) fore_run_item_compare);
  fore_list_sync (self->runs, items);
}

static ForeRunHealth
find_health (ForeRunItem *item, GHashTable *owners)
{
  const ForeRun *run = fore_run_item_get_run (item);
  gpointer state = NULL;

  if (!fore_run_is_active (run) || !g_hash_table_lookup_extended (owners, run->id, NULL, &state))
    return FORE_RUN_WELL;
  if (GPOINTER_TO_INT (state) == FORE_OWNER_STUCK)
    return FORE_RUN_STUCK;

  return GPOINTER_TO_INT (state) == FORE_OWNER_NONE && claims_to_work (run) ? FORE_RUN_INTERRUPTED
                                                                            : FORE_RUN_WELL;
}

static void
owners_checked_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeIndex *self = owner;
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->runs));

  self->checking = FALSE;
  if (result == NULL)
    return;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeRunItem) item = g_list_model_get_item (G_LIST_MODEL (self->runs), i);

      fore_run_item_set_health (item, find_health (item, result));
    }
  sort_runs (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * fore_index_check_owners:
 * @self: an index
 *
 * Looks in a worker thread which runs claim to be at work without a runner, or have one that does
 * not respond.
 */
void
fore_index_check_owners (ForeIndex *self)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  guint n;

  g_return_if_fail (FORE_IS_INDEX (self));

  n = g_list_model_get_n_items (G_LIST_MODEL (self->runs));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeRunItem) item = g_list_model_get_item (G_LIST_MODEL (self->runs), i);

      if (fore_run_is_active (fore_run_item_get_run (item))
          || fore_run_item_get_health (item) != FORE_RUN_WELL)
        g_ptr_array_add (ids, g_strdup (fore_run_item_get_id (item)));
    }
  if (self->checking || ids->len == 0)
    return;

  self->checking = TRUE;
  fore_owner_check_run (self, self->store, ids, owners_checked_cb);
}

static gboolean
tick_cb (gpointer data)
{
  ForeIndex *self = data;
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->runs));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeRunItem) item = g_list_model_get_item (G_LIST_MODEL (self->runs), i);

      fore_run_item_refresh (item);
    }
  n = g_list_model_get_n_items (G_LIST_MODEL (self->requests));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeRequestItem) item = g_list_model_get_item (G_LIST_MODEL (self->requests), i);

      fore_request_item_refresh (item);
    }
  fore_index_check_owners (self);

  return G_SOURCE_CONTINUE;
}

static const char *
run_item_id (gpointer item)
{
  return fore_run_item_get_id (item);
}

static const char *
request_item_id (gpointer item)
{
  return fore_request_item_get_id (item);
}

static GHashTable *
newest_requests (GPtrArray *requests)
{
  GHashTable *by_run = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < requests->len; i++)
    {
      ForeRequest *request = g_ptr_array_index (requests, i);
      ForeRequest *known = g_hash_table_lookup (by_run, request->run);

      if (request->state == FORE_REQUEST_OPEN
          && (known == NULL || known->created < request->created))
        g_hash_table_insert (by_run, request->run, request);
    }

  return by_run;
}

static void
apply_runs (ForeIndex *self, GPtrArray *runs, GPtrArray *requests)
{
  g_autoptr (GHashTable) known = fore_list_index (G_LIST_MODEL (self->runs), run_item_id);
  g_autoptr (GHashTable) open = newest_requests (requests);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < runs->len; i++)
    {
      ForeRun *run = g_ptr_array_index (runs, i);
      ForeRunItem *item = g_hash_table_lookup (known, run->id);

      if (item != NULL)
        g_object_ref (item);
      else
        item = fore_run_item_new (run);
      fore_run_item_update (item, run);
      fore_run_item_set_request (item, g_hash_table_lookup (open, run->id));
      if (!fore_run_is_active (run)
          || (!claims_to_work (run) && fore_run_item_get_health (item) == FORE_RUN_INTERRUPTED))
        fore_run_item_set_health (item, FORE_RUN_WELL);
      g_ptr_array_add (items, item);
    }
  fore_list_sort (items, (GCompareFunc) fore_run_item_compare);
  fore_list_sync (self->runs, items);
}

static int
compare_requests (ForeRequestItem *a, ForeRequestItem *b)
{
  const ForeRequest *left = fore_request_item_get_request (a);
  const ForeRequest *right = fore_request_item_get_request (b);
  gint64 at_left = left->answered > 0 ? left->answered : left->created;
  gint64 at_right = right->answered > 0 ? right->answered : right->created;

  if (at_left != at_right)
    return at_left < at_right ? 1 : -1;

  return g_strcmp0 (left->id, right->id);
}

static gboolean
is_today (gint64 when)
{
  g_autoptr (GDateTime) then = g_date_time_new_from_unix_local (when / G_USEC_PER_SEC);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  return then != NULL && g_date_time_get_day_of_year (then) == g_date_time_get_day_of_year (now)
         && g_date_time_get_year (then) == g_date_time_get_year (now);
}

static ForeRequestItem *
dup_request_item (ForeIndex *self, GHashTable *known, const ForeRequest *request)
{
  ForeRequestItem *item = g_hash_table_lookup (known, request->id);
  g_autoptr (ForeRunItem) run_item = NULL;
  const ForeRun *run;

  if (item != NULL)
    {
      fore_request_item_update (item, request);
      return g_object_ref (item);
    }

  run_item = fore_index_find_run (self, request->run);
  run = run_item != NULL ? fore_run_item_get_run (run_item) : NULL;

  return fore_request_item_new (request, run != NULL ? run->title : NULL,
                                run != NULL ? run->project : NULL);
}

static void
announce_closed (ForeIndex *self, GHashTable *open_before, GPtrArray *open)
{
  GHashTableIter iter;
  gpointer id;
  gpointer item;

  g_hash_table_iter_init (&iter, open_before);
  while (g_hash_table_iter_next (&iter, &id, &item))
    {
      if (!g_ptr_array_find (open, item, NULL))
        g_signal_emit (self, signals[REQUEST_CLOSED], 0, fore_request_item_get_id (item));
    }
}

static void
apply_requests (ForeIndex *self, GPtrArray *requests)
{
  g_autoptr (GHashTable) known = fore_list_index (G_LIST_MODEL (self->requests), request_item_id);
  g_autoptr (GHashTable) done = fore_list_index (G_LIST_MODEL (self->answered), request_item_id);
  g_autoptr (GPtrArray) open = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) closed = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) fresh = g_ptr_array_new ();

  for (guint i = 0; i < requests->len; i++)
    {
      ForeRequest *request = g_ptr_array_index (requests, i);
      gboolean is_open = request->state == FORE_REQUEST_OPEN;
      ForeRequestItem *item;

      if (!is_open && !is_today (MAX (request->answered, request->created)))
        continue;
      item = dup_request_item (
          self, !is_open && g_hash_table_contains (done, request->id) ? done : known, request);
      if (is_open && !g_hash_table_contains (known, request->id))
        g_ptr_array_add (fresh, item);
      g_ptr_array_add (is_open ? open : closed, item);
    }
  fore_list_sort (open, (GCompareFunc) compare_requests);
  fore_list_sort (closed, (GCompareFunc) compare_requests);
  fore_list_sync (self->requests, open);
  fore_list_sync (self->answered, closed);

  for (guint i = 0; self->loaded && i < fresh->len; i++)
    g_signal_emit (self, signals[REQUEST_OPENED], 0, g_ptr_array_index (fresh, i));
  announce_closed (self, known, open);
}

static void
index_changed_cb (ForeFollower *follower, GPtrArray *runs, GPtrArray *requests, ForeIndex *self)
{
  guint n_open = fore_index_get_n_open (self);

  g_assert (FORE_IS_INDEX (self));

  apply_runs (self, runs, requests);
  apply_requests (self, requests);
  self->loaded = TRUE;
  if (n_open != fore_index_get_n_open (self))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_OPEN]);
  g_signal_emit (self, signals[CHANGED], 0);
  fore_index_check_owners (self);
}

static void
follower_failed_cb (ForeFollower *follower, GError *error, ForeIndex *self)
{
  g_signal_emit (self, signals[FAILED], 0, error);
}

static void
fore_index_dispose (GObject *object)
{
  ForeIndex *self = FORE_INDEX (object);

  g_clear_handle_id (&self->tick, g_source_remove);
  if (self->follower != NULL)
    fore_follower_stop (self->follower);
  g_clear_object (&self->follower);
  g_clear_object (&self->runs);
  g_clear_object (&self->requests);
  g_clear_object (&self->answered);
  g_clear_object (&self->store);

  G_OBJECT_CLASS (fore_index_parent_class)->dispose (object);
}

static void
fore_index_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ForeIndex *self = FORE_INDEX (object);

  switch (id)
    {
    case PROP_N_OPEN:
      g_value_set_uint (value, fore_index_get_n_open (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fore_index_class_init (ForeIndexClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = fore_index_dispose;
  object_class->get_property = fore_index_get_property;

  props[PROP_N_OPEN] = g_param_spec_uint ("n-open", NULL, NULL, 0, G_MAXUINT, 0,
                                          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  signals[CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  signals[REQUEST_OPENED] = g_signal_new ("request-opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 1, FORE_TYPE_REQUEST_ITEM);
  signals[REQUEST_CLOSED] = g_signal_new ("request-closed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[FAILED] = g_signal_new ("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
fore_index_init (ForeIndex *self)
{
  self->runs = g_list_store_new (FORE_TYPE_RUN_ITEM);
  self->requests = g_list_store_new (FORE_TYPE_REQUEST_ITEM);
  self->answered = g_list_store_new (FORE_TYPE_REQUEST_ITEM);
}

/**
 * fore_index_new:
 * @store: the store
 *
 * Returns: (transfer full): an index of @store, empty until it is started
 */
ForeIndex *
fore_index_new (ForeStore *store)
{
  ForeIndex *self;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);

  self = g_object_new (FORE_TYPE_INDEX, NULL);
  self->store = g_object_ref (store);

  return self;
}

/**
 * fore_index_start:
 * @self: an index
 *
 * Begins to follow the store.
 */
void
fore_index_start (ForeIndex *self)
{
  g_return_if_fail (FORE_IS_INDEX (self));
  g_return_if_fail (self->follower == NULL);

  self->follower = fore_follower_new_for_index (self->store, PAGE_SIZE);
  g_signal_connect_object (self->follower, "index-changed", G_CALLBACK (index_changed_cb), self, 0);
  g_signal_connect_object (self->follower, "failed", G_CALLBACK (follower_failed_cb), self, 0);
  fore_follower_start (self->follower);
  self->tick = g_timeout_add_seconds (TICK_SECONDS, tick_cb, self);
}

/**
 * fore_index_get_runs:
 * @self: an index
 *
 * Returns: (transfer none): list of #ForeRunItem in the order of the sidebar
 */
GListModel *
fore_index_get_runs (ForeIndex *self)
{
  g_return_val_if_fail (FORE_IS_INDEX (self), NULL);

  return G_LIST_MODEL (self->runs);
}

/**
 * fore_index_get_requests:
 * @self: an index
 *
 * Returns: (transfer none): list of open #ForeRequestItem, the newest first
 */
GListModel *
fore_index_get_requests (ForeIndex *self)
{
  g_return_val_if_fail (FORE_IS_INDEX (self), NULL);

  return G_LIST_MODEL (self->requests);
}

/**
 * fore_index_get_answered:
 * @self: an index
 *
 * Returns: (transfer none): list of #ForeRequestItem that were answered today
 */
GListModel *
fore_index_get_answered (ForeIndex *self)
{
  g_return_val_if_fail (FORE_IS_INDEX (self), NULL);

  return G_LIST_MODEL (self->answered);
}

/**
 * fore_index_find_run:
 * @self: an index
 * @run_id: id of a run
 *
 * Returns: (transfer full) (nullable): the run if it is on the page that the index shows
 */
ForeRunItem *
fore_index_find_run (ForeIndex *self, const char *run_id)
{
  guint n;

  g_return_val_if_fail (FORE_IS_INDEX (self), NULL);

  n = g_list_model_get_n_items (G_LIST_MODEL (self->runs));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeRunItem) item = g_list_model_get_item (G_LIST_MODEL (self->runs), i);

      if (g_strcmp0 (fore_run_item_get_id (item), run_id) == 0)
        return g_steal_pointer (&item);
    }

  return NULL;
}

static ForeRequestItem *
find_in (GListStore *list, const char *request_id)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (list));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeRequestItem) item = g_list_model_get_item (G_LIST_MODEL (list), i);

      if (g_strcmp0 (fore_request_item_get_id (item), request_id) == 0)
        return g_steal_pointer (&item);
    }

  return NULL;
}

/**
 * fore_index_find_request:
 * @self: an index
 * @request_id: id of a request
 *
 * Returns: (transfer full) (nullable): the request if it is open or was answered today
 */
ForeRequestItem *
fore_index_find_request (ForeIndex *self, const char *request_id)
{
  ForeRequestItem *item;

  g_return_val_if_fail (FORE_IS_INDEX (self), NULL);

  item = find_in (self->requests, request_id);
  return item != NULL ? item : find_in (self->answered, request_id);
}

/**
 * fore_index_get_n_open:
 * @self: an index
 *
 * Returns: how many requests are open
 */
guint
fore_index_get_n_open (ForeIndex *self)
{
  g_return_val_if_fail (FORE_IS_INDEX (self), 0);

  return g_list_model_get_n_items (G_LIST_MODEL (self->requests));
}

/**
 * fore_index_get_n_active:
 * @self: an index
 *
 * Returns: how many runs have not finished
 */
guint
fore_index_get_n_active (ForeIndex *self)
{
  guint n;
  guint n_active = 0;

  g_return_val_if_fail (FORE_IS_INDEX (self), 0);

  n = g_list_model_get_n_items (G_LIST_MODEL (self->runs));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeRunItem) item = g_list_model_get_item (G_LIST_MODEL (self->runs), i);

      if (fore_run_is_active (fore_run_item_get_run (item)))
        n_active++;
    }

  return n_active;
}

/**
 * fore_index_is_loaded:
 * @self: an index
 *
 * Returns: whether it has seen the store at least once
 */
gboolean
fore_index_is_loaded (ForeIndex *self)
{
  g_return_val_if_fail (FORE_IS_INDEX (self), FALSE);

  return self->loaded;
}
