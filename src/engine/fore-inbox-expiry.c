/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Agents that ask for leave and are kept waiting for longer than the person wants. */

#include "config.h"

#include "engine/fore-inbox-private.h"

#include "platform/fore-clock.h"

#define SETTING "approval.timeout"

static gint64
get_due (ForeInbox *self, const ForeRequest *request)
{
  gint64 ms = fore_settings_get_duration (self->services->context->settings, SETTING);

  if (ms <= 0 || request->kind != FORE_REQUEST_PERMISSION || request->state != FORE_REQUEST_OPEN)
    return G_MAXINT64;

  return request->created + ms * 1000;
}

static void
refuse (ForeInbox *self, const ForeRequest *request)
{
  const ForeRequestOption *option = fore_request_find_option_by_kind (request, "reject_once");
  g_autoptr (ForeAnswer) answer = NULL;

  if (option == NULL)
    return;

  answer = g_new0 (ForeAnswer, 1);
  answer->request = g_strdup (request->id);
  answer->option = g_strdup (option->id);
  answer->by = g_strdup (SETTING);
  answer->time = fore_clock_now_us ();
  fore_inbox_take_answer (self, answer);
}

static gboolean
expired (gpointer user_data)
{
  ForeInbox *self = user_data;
  GPtrArray *requests = fore_run_state_get_requests (fore_inbox_get_state (self));
  gint64 now = fore_clock_now_us ();

  self->expiry_source = 0;
  for (guint i = 0; i < requests->len; i++)
    {
      const ForeRequest *request = g_ptr_array_index (requests, i);

      if (get_due (self, request) <= now)
        refuse (self, request);
    }
  fore_inbox_watch_expiry (self);

  return G_SOURCE_REMOVE;
}

/* Waits for the first request that nobody answers in time. */
void
fore_inbox_watch_expiry (ForeInbox *self)
{
  GPtrArray *requests = fore_run_state_get_requests (fore_inbox_get_state (self));
  gint64 now = fore_clock_now_us ();
  gint64 first = G_MAXINT64;

  for (guint i = 0; i < requests->len; i++)
    {
      const ForeRequest *request = g_ptr_array_index (requests, i);
      gint64 due = get_due (self, request);

      /* One that cannot be refused is past its time and stays. */
      if (due > now)
        first = MIN (first, due);
      else if (fore_request_find_option_by_kind (request, "reject_once") != NULL)
        first = now;
    }

  g_clear_handle_id (&self->expiry_source, g_source_remove);
  if (first == G_MAXINT64)
    return;

  self->expiry_source = g_timeout_add ((guint) MIN ((first - now) / 1000 + 1, G_MAXINT), expired,
                                       self);
  g_source_set_name_by_id (self->expiry_source, "requests that nobody answers");
}
