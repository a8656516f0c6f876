/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-conversation.h"

/* Only says that a message was seen, which that message shows. */
#define KIND_SEEN "seen"

struct _ForeConversation
{
  GListStore *items;
  GHashTable *by_key; /* the items, by their keys */
};

/**
 * fore_conversation_new:
 *
 * Returns: (transfer full): a conversation in which nothing was said
 */
ForeConversation *
fore_conversation_new (void)
{
  ForeConversation *self = g_new0 (ForeConversation, 1);

  self->items = g_list_store_new (FORE_TYPE_TALK_ITEM);
  self->by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return self;
}

/**
 * fore_conversation_free:
 * @self: (nullable): a conversation
 */
void
fore_conversation_free (ForeConversation *self)
{
  if (self == NULL)
    return;

  g_hash_table_unref (self->by_key);
  g_object_unref (self->items);
  g_free (self);
}

/**
 * fore_conversation_get_items:
 * @self: a conversation
 *
 * Returns: (transfer none): list of #ForeTalkItem, the oldest first
 */
GListModel *
fore_conversation_get_items (ForeConversation *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return G_LIST_MODEL (self->items);
}

/* New ones come last, nearly always. */
static guint
find_place (ForeConversation *self, gint64 time)
{
  guint place = g_list_model_get_n_items (G_LIST_MODEL (self->items));

  while (place > 0)
    {
      g_autoptr (ForeTalkItem) before = g_list_model_get_item (G_LIST_MODEL (self->items),
                                                               place - 1);

      if (fore_talk_item_get_time (before) <= time)
        break;
      place--;
    }

  return place;
}

static void
put (ForeConversation *self, ForeTalkItem *given)
{
  g_autoptr (ForeTalkItem) item = given;
  ForeTalkItem *known = g_hash_table_lookup (self->by_key, fore_talk_item_get_key (item));
  guint place;

  if (known != NULL && g_list_store_find (self->items, known, &place))
    g_list_store_splice (self->items, place, 1, (gpointer *) &item, 1);
  else
    g_list_store_insert (self->items, find_place (self, fore_talk_item_get_time (item)), item);
  g_hash_table_replace (self->by_key, g_strdup (fore_talk_item_get_key (item)), item);
}

/**
 * fore_conversation_take:
 * @self: a conversation
 * @messages: (element-type ForeMessage): messages as they are now
 * @requests: (element-type ForeRequest): requests as they are now
 *
 * Adds what is new and shows anew what has changed.
 */
void
fore_conversation_take (ForeConversation *self, GPtrArray *messages, GPtrArray *requests)
{
  g_return_if_fail (self != NULL && messages != NULL && requests != NULL);

  for (guint i = 0; i < messages->len; i++)
    {
      const ForeMessage *message = g_ptr_array_index (messages, i);

      if (g_strcmp0 (message->kind, KIND_SEEN) != 0)
        put (self, fore_talk_item_new_for_message (message));
    }
  for (guint i = 0; i < requests->len; i++)
    {
      const ForeRequest *request = g_ptr_array_index (requests, i);

      put (self, fore_talk_item_new_for_question (request));
      if (request->state == FORE_REQUEST_ANSWERED)
        put (self, fore_talk_item_new_for_answer (request));
    }
}
