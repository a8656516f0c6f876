/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-talk-item.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PERSON "person"

struct _ForeTalkItem
{
  GObject parent_instance;

  char *key;
  gint64 time;
  char *from;
  char *to;
  char *text;
  const char *what;
};

G_DEFINE_FINAL_TYPE (ForeTalkItem, fore_talk_item, G_TYPE_OBJECT)

static void
fore_talk_item_finalize (GObject *object)
{
  ForeTalkItem *self = FORE_TALK_ITEM (object);

  g_free (self->key);
  g_free (self->from);
  g_free (self->to);
  g_free (self->text);

  G_OBJECT_CLASS (fore_talk_item_parent_class)->finalize (object);
}

static void
fore_talk_item_class_init (ForeTalkItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_talk_item_finalize;
}

static void
fore_talk_item_init (ForeTalkItem *self)
{
}

static ForeTalkItem *
new_item (char *key, gint64 time, const char *from, const char *to, const char *text)
{
  ForeTalkItem *self = g_object_new (FORE_TYPE_TALK_ITEM, NULL);

  self->key = key;
  self->time = time;
  self->from = g_strdup (from != NULL ? from : "");
  self->to = g_strdup (to != NULL ? to : "");
  self->text = g_strdup (text != NULL ? text : "");

  return self;
}

static const char *
describe_state (const ForeMessage *message)
{
  switch (message->state)
    {
    case FORE_MESSAGE_DELIVERED:
      return _ ("delivered");

    case FORE_MESSAGE_SEEN:
      return _ ("seen");

    default:
      return g_strcmp0 (message->to, PERSON) == 0 ? _ ("new") : _ ("not delivered yet");
    }
}

/**
 * fore_talk_item_new_for_message:
 * @message: a message
 *
 * Returns: (transfer full): an item that says it
 */
ForeTalkItem *
fore_talk_item_new_for_message (const ForeMessage *message)
{
  ForeTalkItem *self;

  g_return_val_if_fail (message != NULL, NULL);

  self = new_item (g_strdup_printf ("m%" G_GINT64_FORMAT, message->id), message->time,
                   message->from, message->to, message->text);
  self->what = describe_state (message);

  return self;
}

static const char *
describe_question (const ForeRequest *request)
{
  switch (request->state)
    {
    case FORE_REQUEST_OPEN:
      return _ ("asks you");

    case FORE_REQUEST_ANSWERED:
      return _ ("asked you");

    default:
      return _ ("does not ask any more");
    }
}

/* A budget that is used up is nobody's question. */
static const char *
get_asker (const ForeRequest *request)
{
  return request->task != NULL && *request->task != '\0' ? request->task : _ ("The run");
}

/**
 * fore_talk_item_new_for_question:
 * @request: a question of an agent, or anything else that a person decides
 *
 * Returns: (transfer full): an item that says it; of a plan and its like the headline
 */
ForeTalkItem *
fore_talk_item_new_for_question (const ForeRequest *request)
{
  gboolean whole;
  ForeTalkItem *self;

  g_return_val_if_fail (request != NULL, NULL);

  whole = request->kind == FORE_REQUEST_QUESTION && request->body != NULL;
  self = new_item (g_strconcat ("q", request->id, NULL), request->created, get_asker (request),
                   PERSON, whole ? request->body : request->title);
  self->what = describe_question (request);

  return self;
}

/**
 * fore_talk_item_new_for_answer:
 * @request: a question that was answered
 *
 * Returns: (transfer full): an item that says the answer
 */
ForeTalkItem *
fore_talk_item_new_for_answer (const ForeRequest *request)
{
  const ForeRequestOption *option;
  gboolean chosen;
  ForeTalkItem *self;

  g_return_val_if_fail (request != NULL, NULL);

  option = fore_request_find_option (request, request->answer);
  chosen = option != NULL && option->name != NULL
           && (request->answer_text == NULL || *request->answer_text == '\0');
  self = new_item (g_strconcat ("a", request->id, NULL), request->answered, PERSON,
                   get_asker (request), chosen ? option->name : request->answer_text);
  self->what = _ ("answered");

  return self;
}

/**
 * fore_talk_item_get_key:
 * @self: an item
 *
 * Returns: (transfer none): what it has in common with a newer version of itself alone
 */
const char *
fore_talk_item_get_key (ForeTalkItem *self)
{
  g_return_val_if_fail (FORE_IS_TALK_ITEM (self), NULL);

  return self->key;
}

/**
 * fore_talk_item_get_time:
 * @self: an item
 *
 * Returns: when it was said, microseconds since the epoch
 */
gint64
fore_talk_item_get_time (ForeTalkItem *self)
{
  g_return_val_if_fail (FORE_IS_TALK_ITEM (self), 0);

  return self->time;
}

/**
 * fore_talk_item_get_text:
 * @self: an item
 *
 * Returns: (transfer none): what was said, as it was said
 */
const char *
fore_talk_item_get_text (ForeTalkItem *self)
{
  g_return_val_if_fail (FORE_IS_TALK_ITEM (self), NULL);

  return self->text;
}

/**
 * fore_talk_item_get_task:
 * @self: an item
 *
 * Returns: (transfer none): the task that said it, or was told
 */
const char *
fore_talk_item_get_task (ForeTalkItem *self)
{
  g_return_val_if_fail (FORE_IS_TALK_ITEM (self), NULL);

  return strcmp (self->from, PERSON) != 0 ? self->from : self->to;
}

static const char *
name_of (const char *key)
{
  return strcmp (key, PERSON) == 0 ? _ ("You") : key;
}

/**
 * fore_talk_item_dup_who:
 * @self: an item
 *
 * Returns: (transfer full): who said it to whom
 */
char *
fore_talk_item_dup_who (ForeTalkItem *self)
{
  g_return_val_if_fail (FORE_IS_TALK_ITEM (self), NULL);

  return g_strdup_printf ("%s → %s", name_of (self->from), name_of (self->to));
}

/**
 * fore_talk_item_get_what:
 * @self: an item
 *
 * Returns: (transfer none): how it stands, in a word or two
 */
const char *
fore_talk_item_get_what (ForeTalkItem *self)
{
  g_return_val_if_fail (FORE_IS_TALK_ITEM (self), NULL);

  return self->what;
}
