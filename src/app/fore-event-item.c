/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-event-item.h"

#include <string.h>

#include "app/fore-format.h"
#include "text/fore-json.h"

#define MAX_VALUE 240

struct _ForeEventItem
{
  GObject parent_instance;

  ForeEvent *event;
};

G_DEFINE_FINAL_TYPE (ForeEventItem, fore_event_item, G_TYPE_OBJECT)

static void
fore_event_item_finalize (GObject *object)
{
  ForeEventItem *self = FORE_EVENT_ITEM (object);

  g_clear_pointer (&self->event, fore_event_free);

  G_OBJECT_CLASS (fore_event_item_parent_class)->finalize (object);
}

static void
fore_event_item_class_init (ForeEventItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_event_item_finalize;
}

static void
fore_event_item_init (ForeEventItem *self)
{
}

/**
 * fore_event_item_new:
 * @event: an event, copied
 *
 * Returns: (transfer full): an item for a list of events
 */
ForeEventItem *
fore_event_item_new (const ForeEvent *event)
{
  ForeEventItem *self;

  g_return_val_if_fail (event != NULL, NULL);

  self = g_object_new (FORE_TYPE_EVENT_ITEM, NULL);
  self->event = fore_event_copy (event);

  return self;
}

/**
 * fore_event_item_get_event:
 * @self: an event item
 *
 * Returns: (transfer none): the event
 */
const ForeEvent *
fore_event_item_get_event (ForeEventItem *self)
{
  g_return_val_if_fail (FORE_IS_EVENT_ITEM (self), NULL);

  return self->event;
}

static void
append_value (GString *text, const char *key, JsonNode *value)
{
  g_autofree char *shown = NULL;

  if (JSON_NODE_HOLDS_VALUE (value) && json_node_get_value_type (value) == G_TYPE_STRING)
    shown = g_strdup (json_node_get_string (value));
  else
    shown = fore_json_to_string (value, FALSE);
  g_string_append_printf (text, "%s%s: %s", text->len > 0 ? " · " : "", key, shown);
}

/**
 * fore_event_item_dup_text:
 * @self: an event item
 *
 * Returns: (transfer full): the event's data on one line, control characters made visible
 */
char *
fore_event_item_dup_text (ForeEventItem *self)
{
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;

  g_return_val_if_fail (FORE_IS_EVENT_ITEM (self), NULL);

  if (self->event->data == NULL)
    return g_strdup ("");

  node = fore_json_parse (self->event->data, -1, NULL, NULL);
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return fore_format_line (self->event->data, MAX_VALUE);

  json_object_iter_init_ordered (&iter, json_node_get_object (node));
  while (json_object_iter_next_ordered (&iter, &key, &value))
    append_value (text, key, value);

  return fore_format_line (text->str, MAX_VALUE);
}

static gboolean
contains_folded (const char *text, const char *words)
{
  g_autofree char *folded = NULL;

  if (text == NULL)
    return FALSE;

  folded = g_utf8_casefold (text, -1);
  return strstr (folded, words) != NULL;
}

/**
 * fore_event_item_matches:
 * @self: an event item
 * @words: (nullable): folded text to look for in type, task and data
 * @audit_only: whether diagnostic events are left out
 *
 * Returns: whether the event is to be shown
 */
gboolean
fore_event_item_matches (ForeEventItem *self, const char *words, gboolean audit_only)
{
  const ForeEvent *event;

  g_return_val_if_fail (FORE_IS_EVENT_ITEM (self), FALSE);

  event = self->event;
  if (audit_only && fore_event_type_get_class (event->type) != FORE_EVENT_AUDIT)
    return FALSE;
  if (words == NULL || *words == 0)
    return TRUE;

  return contains_folded (fore_event_type_to_string (event->type), words)
         || contains_folded (event->task, words) || contains_folded (event->data, words);
}

/**
 * fore_event_items_get_last_time:
 * @events: list of #ForeEventItem of a run, the oldest first
 *
 * Returns: when the last of them happened, in microseconds since the epoch; 0 without any
 */
gint64
fore_event_items_get_last_time (GListModel *events)
{
  g_autoptr (ForeEventItem) last = NULL;
  guint n;

  g_return_val_if_fail (G_IS_LIST_MODEL (events), 0);

  n = g_list_model_get_n_items (events);
  last = n > 0 ? g_list_model_get_item (events, n - 1) : NULL;

  return last != NULL ? fore_event_item_get_event (last)->time : 0;
}

/**
 * fore_event_items_end_discarded:
 * @events: list of #ForeEventItem of a run, the oldest first
 *
 * Returns: whether a person dropped what the run made; one that was tried again after that has a
 *   result again
 */
gboolean
fore_event_items_end_discarded (GListModel *events)
{
  g_return_val_if_fail (G_IS_LIST_MODEL (events), FALSE);

  for (guint i = g_list_model_get_n_items (events); i > 0; i--)
    {
      g_autoptr (ForeEventItem) item = g_list_model_get_item (events, i - 1);
      ForeEventType type = fore_event_item_get_event (item)->type;

      if (type == FORE_EVENT_RUN_DISCARDED || type == FORE_EVENT_RUN_RESULT)
        return type == FORE_EVENT_RUN_DISCARDED;
    }

  return FALSE;
}
