/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Agents that turn to whoever supervises them by a line that they print, and go on. What they say
 * is mail to the person; where they ask for a decision it is a question too, whose answer is mail
 * to them.
 */

#include "config.h"

#include "engine/fore-inbox-private.h"

#include "engine/fore-event-data.h"
#include "text/fore-plain-line.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PERSON "person"
#define TITLE_LENGTH 80
#define MAX_CONTACTS 50

static gboolean
wants_decision (const char *reason)
{
  static const char *const reasons[] = { "decision_needed", "clarification", "approval",
                                         "error_escalation", NULL };

  return g_strv_contains (reasons, reason);
}

static void
ask (ForeInbox *self, ForeTask *task, const ForeEntry *entry, const char *text)
{
  g_autofree char *title = fore_plain_line_dup (text, TITLE_LENGTH);
  ForeRequest *request = fore_run_state_new_request (fore_inbox_get_state (self),
                                                     FORE_REQUEST_QUESTION, task->key, title, text);

  request->attempt = task->attempts;
  request->reply_to = g_strdup (entry->id);
  if (strcmp (entry->title, "approval") == 0)
    {
      fore_request_add_option (request, "yes", _ ("Yes"), "choice");
      fore_request_add_option (request, "no", _ ("No"), "choice");
    }
  fore_request_add_option (request, "answer", _ ("Answer"), "answer");
  fore_run_state_open_request (fore_inbox_get_state (self), request);
}

static guint
count_contacts (ForeInbox *self, const ForeTask *task)
{
  GPtrArray *mail = fore_run_state_get_mail (fore_inbox_get_state (self));
  guint n = 0;

  for (guint i = 0; i < mail->len; i++)
    {
      const ForeMessage *message = g_ptr_array_index (mail, i);

      n += g_strcmp0 (message->from, task->key) == 0 && strcmp (message->to, PERSON) == 0;
    }

  return n;
}

/* Whoever reads a capture again finds the same contact again: its place there tells it. */
void
fore_inbox_take_contact (ForeInbox *self, ForeTask *task, const ForeEntry *entry)
{
  ForeRunState *state = fore_inbox_get_state (self);
  g_autofree char *place = g_strdup_printf ("%s.%u.%s", task->key, task->attempts, entry->id);
  g_autofree char *text = NULL;
  g_autofree char *data = NULL;

  if (fore_run_state_has_sent (state, place) || count_contacts (self, task) >= MAX_CONTACTS)
    return;

  text = fore_redactor_apply (self->services->context->redactor, entry->text);
  data = entry->input != NULL
             ? fore_redactor_apply (self->services->context->redactor, entry->input)
             : NULL;
  fore_run_state_emit (
      state, FORE_EVENT_SUPERVISOR_CONTACT, task->key, task->attempts,
      fore_event_data_new ("s:reason", entry->title, "s:message", text, "s:data", data, NULL));
  if (wants_decision (entry->title))
    ask (self, task, entry, text);
  fore_run_state_add_mail (state, fore_message_new (task->key, PERSON, "mail", text), place);
}

/* The answer to such a question: mail to whoever works on the task, now or next. */
gboolean
fore_inbox_answer_contact (ForeInbox *self, const ForeRequest *request, const char *answer)
{
  g_autofree char *text = NULL;

  if (!g_str_has_prefix (request->reply_to, FORE_CONTACT_PREFIX))
    return FALSE;

  text = g_strdup_printf ("You asked: %s\n\n%s", request->title, answer);
  fore_run_state_add_mail (fore_inbox_get_state (self),
                           fore_message_new (PERSON, request->task, "mail", text), NULL);
  fore_inbox_deliver_mail (self);

  return TRUE;
}
