/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Mail: of an agent from inside its task, or of the person, who names the run. */

#include "config.h"

#include "agents/fore-calls.h"
#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-verbs.h"
#include "store/fore-run-client.h"

#include <glib/gi18n.h>
#include <string.h>

#define PERSON "person"
#define MAIL "mail"
#define SEEN "seen"
#define WAIT_MS (10 * 60 * 1000)

static gboolean
is_in_task (void)
{
  return g_getenv (FORE_MARKER_CALLS) != NULL && g_getenv (FORE_MARKER_TOKEN) != NULL;
}

static gboolean
refuse_words (const char *words, GError **error)
{
  g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("Say it like this: foredeckctl mail %s"),
               words);
  return FALSE;
}

/* From inside a task */

/* A wait that is over is taken back, so that the task does not look like one that waits. */
static gboolean
call (ForeCtl *ctl, ForeCallKind kind, const char *text, const char *const *options, GError **error)
{
  g_autofree char *id = fore_calls_send (kind, text, options, error);
  g_autofree char *answer = NULL;
  g_autofree char *withdrawal = NULL;
  g_autoptr (GError) local_error = NULL;

  if (id == NULL)
    return FALSE;

  answer = fore_calls_wait (id, fore_ctl_get_duration (ctl, "timeout", WAIT_MS) * 1000, NULL,
                            &local_error);
  if (answer == NULL)
    {
      if (g_error_matches (local_error, FORE_ERROR, FORE_ERROR_WAITING))
        withdrawal = fore_calls_send (FORE_CALL_WITHDRAW, id, NULL, NULL);
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }

  fore_ctl_write (answer, -1);
  if (!g_str_has_suffix (answer, "\n"))
    fore_ctl_write ("\n", -1);

  return TRUE;
}

static gboolean
speak_in_task (ForeCtl *ctl, const char *what, GError **error)
{
  const char *const to[] = { ctl->words->len > 1 ? fore_ctl_get_word (ctl, 1) : NULL, NULL };
  g_autofree char *text = NULL;

  if (strcmp (what, "inbox") == 0 && ctl->words->len == 1)
    return call (ctl, FORE_CALL_INBOX, fore_ctl_has (ctl, "wait") ? "wait" : "now", NULL, error);
  if (strcmp (what, "send") != 0 || ctl->words->len < 3)
    return refuse_words ("send TO TEXT… | inbox [--wait]", error);

  text = fore_ctl_join_words (ctl, 2);
  return call (ctl, FORE_CALL_MAIL, text, to, error);
}

/* The person */

static gboolean
post (ForeCtl *ctl,
      const char *run,
      const char *to,
      const char *kind,
      const char *text,
      GError **error)
{
  ForeStore *store = fore_ctl_get_store (ctl, error);
  g_autoptr (ForeMessage) message = fore_message_new (PERSON, to, kind, text);

  return store != NULL && fore_run_client_message (store, run, message, error);
}

static gboolean
send_mail (ForeCtl *ctl, GError **error)
{
  g_autoptr (ForeRunDelta) delta = NULL;
  g_autofree char *text = NULL;
  const ForeTask *task;

  if (ctl->words->len < 4)
    return refuse_words ("send RUN TASK TEXT…", error);

  delta = fore_ctl_read_run (ctl, fore_ctl_get_word (ctl, 1), 0, error);
  task = delta != NULL ? fore_ctl_find_task (ctl, delta, fore_ctl_get_word (ctl, 2), error) : NULL;
  if (task == NULL)
    return FALSE;
  if (fore_task_status_get_class (task->status) == FORE_CLASS_FINISHED)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("“%s” has finished; nobody would read it."), task->key);
      return FALSE;
    }

  text = fore_ctl_join_words (ctl, 3);
  return post (ctl, delta->run->id, task->key, MAIL, text, error);
}

static gboolean
is_seen (const ForeRunDelta *delta, const ForeMessage *message)
{
  g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, message->id);

  if (message->state == FORE_MESSAGE_SEEN)
    return TRUE;

  for (guint i = 0; i < delta->messages->len; i++)
    {
      const ForeMessage *other = g_ptr_array_index (delta->messages, i);

      if (g_strcmp0 (other->kind, SEEN) == 0 && g_strcmp0 (other->text, id) == 0)
        return TRUE;
    }

  return FALSE;
}

static GPtrArray *
list_unseen (const ForeRunDelta *delta)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < delta->messages->len; i++)
    {
      ForeMessage *message = g_ptr_array_index (delta->messages, i);

      if (g_strcmp0 (message->kind, MAIL) == 0 && g_strcmp0 (message->to, PERSON) == 0
          && !is_seen (delta, message))
        g_ptr_array_add (list, message);
    }

  return list;
}

static gboolean
show_inbox (ForeCtl *ctl, GError **error)
{
  g_autoptr (ForeRunDelta) delta = NULL;
  g_autoptr (GPtrArray) list = NULL;
  JsonObject *object;
  JsonArray *array;

  if (ctl->words->len != 2)
    return refuse_words ("inbox RUN", error);

  delta = fore_ctl_read_run (ctl, fore_ctl_get_word (ctl, 1), 0, error);
  if (delta == NULL)
    return FALSE;

  list = list_unseen (delta);
  if (!ctl->json)
    {
      fore_ctl_print_messages (ctl, list);
      if (list->len == 0)
        fore_ctl_print (ctl, "%s\n", _ ("There is no mail."));
      return TRUE;
    }

  object = json_object_new ();
  array = json_array_new ();
  for (guint i = 0; i < list->len; i++)
    json_array_add_object_element (array, fore_ctl_json_message (list->pdata[i]));
  json_object_set_string_member (object, "run", delta->run->id);
  json_object_set_array_member (object, "messages", array);
  fore_ctl_print_object (ctl, object);

  return TRUE;
}

static const ForeMessage *
find_unseen (const ForeRunDelta *delta, const char *word, GError **error)
{
  g_autoptr (GPtrArray) list = list_unseen (delta);
  gint64 id = g_ascii_strtoll (word, NULL, 10);

  for (guint i = 0; i < list->len; i++)
    {
      const ForeMessage *message = g_ptr_array_index (list, i);

      if (message->id == id)
        return message;
    }

  g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
               _ ("No mail to you with the number %s waits; “foredeckctl mail inbox %s” lists it."),
               word, delta->run->id);
  return NULL;
}

static gboolean
acknowledge (ForeCtl *ctl, GError **error)
{
  g_autoptr (ForeRunDelta) delta = NULL;

  if (ctl->words->len < 3)
    return refuse_words ("ack RUN NUMBER…", error);

  delta = fore_ctl_read_run (ctl, fore_ctl_get_word (ctl, 1), 0, error);
  for (guint i = 2; delta != NULL && i < ctl->words->len; i++)
    {
      const ForeMessage *message = find_unseen (delta, fore_ctl_get_word (ctl, i), error);
      g_autofree char *id = NULL;

      if (message == NULL)
        return FALSE;

      id = g_strdup_printf ("%" G_GINT64_FORMAT, message->id);
      if (!post (ctl, delta->run->id, message->from, SEEN, id, error))
        return FALSE;
    }

  return delta != NULL;
}

gboolean
fore_ctl_do_mail (ForeCtl *ctl, GError **error)
{
  const char *what = fore_ctl_get_word (ctl, 0);

  if (is_in_task ())
    return speak_in_task (ctl, what, error);
  if (strcmp (what, "send") == 0)
    return send_mail (ctl, error);
  if (strcmp (what, "inbox") == 0)
    return show_inbox (ctl, error);
  if (strcmp (what, "ack") == 0)
    return acknowledge (ctl, error);

  return refuse_words ("send RUN TASK TEXT… | inbox RUN | ack RUN NUMBER…", error);
}
