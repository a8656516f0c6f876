/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-event-item.h"

#include <string.h>

#include "app/fore-format.h"

#define MAX_VALUE 160

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

/**
 * fore_event_item_dup_text:
 * @self: an event item
 *
 * Returns: (transfer full): the event's data on one line, control characters made visible
 */
char *
fore_event_item_dup_text (ForeEventItem *self)
{
  const char *data;

  g_return_val_if_fail (FORE_IS_EVENT_ITEM (self), NULL);

  data = self->event->data;
  if (data == NULL || strcmp (data, "{}") == 0)
    return g_strdup ("");

  return fore_format_line (data, MAX_VALUE);
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
