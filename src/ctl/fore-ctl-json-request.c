/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"

#include "text/fore-json.h"

/**
 * fore_ctl_json_options:
 * @options: (nullable) (element-type ForeRequestOption): options of a request
 *
 * Returns: (transfer full): an array of them
 */
JsonArray *
fore_ctl_json_options (GPtrArray *options)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; options != NULL && i < options->len; i++)
    {
      const ForeRequestOption *option = options->pdata[i];
      JsonObject *object = json_object_new ();

      fore_ctl_json_set_text (object, "id", option->id);
      fore_ctl_json_set_text (object, "name", option->name);
      fore_ctl_json_set_text (object, "kind", option->kind);
      json_array_add_object_element (array, object);
    }

  return array;
}

static void
set_answer (JsonObject *object, const ForeRequest *request)
{
  JsonObject *answer = json_object_new ();

  fore_ctl_json_set_text (answer, "option", request->answer);
  fore_ctl_json_set_text (answer, "text", request->answer_text);
  fore_ctl_json_set_text (answer, "by", request->answered_by);
  fore_ctl_json_set_time (answer, "time", request->answered);
  fore_ctl_json_take_object (object, "answer", answer);
}

/**
 * fore_ctl_json_request:
 * @request: a request
 *
 * Returns: (transfer full): the request
 */
JsonObject *
fore_ctl_json_request (const ForeRequest *request)
{
  JsonObject *object = json_object_new ();
  JsonObject *plan = json_object_new ();

  fore_ctl_json_set_text (object, "id", request->id);
  fore_ctl_json_set_text (object, "run", request->run);
  fore_ctl_json_set_text (object, "task", request->task);
  fore_ctl_json_set_positive (object, "attempt", request->attempt);
  fore_ctl_json_set_text (object, "kind", fore_request_kind_to_string (request->kind));
  fore_ctl_json_set_text (object, "title", request->title);
  fore_ctl_json_set_text (object, "body", request->body);
  json_object_set_array_member (object, "options", fore_ctl_json_options (request->options));
  fore_ctl_json_set_positive (plan, "version", request->plan_version);
  fore_ctl_json_set_text (plan, "hash", request->plan_hash);
  fore_ctl_json_take_object (object, "plan", plan);
  fore_ctl_json_set_time (object, "created", request->created);
  fore_ctl_json_set_time (object, "expires", request->expires);
  fore_ctl_json_set_text (object, "state", fore_request_state_to_string (request->state));
  set_answer (object, request);

  return object;
}

static JsonArray *
items_to_json (GPtrArray *items)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < items->len; i++)
    {
      const ForePlanItem *item = items->pdata[i];
      JsonObject *object = json_object_new ();

      fore_ctl_json_set_text (object, "id", item->id);
      fore_ctl_json_set_text (object, "title", item->title);
      fore_ctl_json_set_text (object, "role", item->role);
      fore_ctl_json_set_text (object, "task", item->text);
      json_object_set_array_member (object, "depends_on",
                                    fore_ctl_json_strv ((const char *const *) item->depends_on));
      json_object_set_array_member (object, "paths",
                                    fore_ctl_json_strv ((const char *const *) item->paths));
      json_object_set_array_member (object, "checks", fore_ctl_json_checks (item->checks));
      json_object_set_boolean_member (object, "live", item->live);
      json_object_set_boolean_member (object, "plans", item->plans);
      json_object_set_boolean_member (object, "dropped", item->dropped);
      json_array_add_object_element (array, object);
    }

  return array;
}

/**
 * fore_ctl_json_plan:
 * @plan: a plan
 * @run: run that it belongs to
 *
 * Returns: (transfer full): the plan, with whether it is the one that was approved
 */
JsonObject *
fore_ctl_json_plan (const ForePlan *plan, const ForeRun *run)
{
  JsonObject *object = json_object_new ();

  fore_ctl_json_set_text (object, "run", run->id);
  json_object_set_int_member (object, "version", plan->version);
  json_object_set_int_member (object, "newest", MAX (run->plan_version, plan->version));
  fore_ctl_json_set_text (object, "task", plan->task);
  fore_ctl_json_set_text (object, "title", plan->title);
  fore_ctl_json_set_text (object, "summary", plan->summary);
  json_object_set_array_member (object, "items", items_to_json (plan->items));
  fore_ctl_json_set_text (object, "hash", plan->hash);
  fore_ctl_json_set_text (object, "repaired", plan->repaired);
  fore_ctl_json_set_time (object, "created", plan->created);
  json_object_set_boolean_member (object, "approved", run->approved_version == plan->version);

  return object;
}

/**
 * fore_ctl_json_plan_delta:
 * @older: a plan
 * @newer: a later version of it
 *
 * Returns: (transfer full): {from, to, added, removed, changed}
 */
JsonObject *
fore_ctl_json_plan_delta (const ForePlan *older, const ForePlan *newer)
{
  g_autoptr (ForePlanDelta) delta = fore_plan_compare (older, newer);
  JsonObject *object = json_object_new ();

  json_object_set_int_member (object, "from", older->version);
  json_object_set_int_member (object, "to", newer->version);
  json_object_set_array_member (object, "added", fore_ctl_json_texts (delta->added));
  json_object_set_array_member (object, "removed", fore_ctl_json_texts (delta->removed));
  json_object_set_array_member (object, "changed", fore_ctl_json_texts (delta->changed));

  return object;
}

/**
 * fore_ctl_json_event:
 * @run_id: run that it belongs to
 * @event: an event
 *
 * Returns: (transfer full): the event
 */
JsonObject *
fore_ctl_json_event (const char *run_id, const ForeEvent *event)
{
  JsonObject *object = json_object_new ();
  ForeEventClass event_class = fore_event_type_get_class (event->type);
  ForeJsonLimits limits = FORE_JSON_DEFAULT_LIMITS;
  JsonNode *data = NULL;

  fore_ctl_json_set_text (object, "run", run_id);
  json_object_set_int_member (object, "seq", event->seq);
  fore_ctl_json_set_time (object, "time", event->time);
  fore_ctl_json_set_text (object, "type", fore_event_type_to_string (event->type));
  fore_ctl_json_set_text (object, "class",
                          event_class == FORE_EVENT_AUDIT ? "audit" : "diagnostic");
  fore_ctl_json_set_text (object, "task", event->task);
  fore_ctl_json_set_positive (object, "attempt", event->attempt);
  if (event->data != NULL)
    data = fore_json_parse (event->data, -1, &limits, NULL);
  if (data != NULL)
    json_object_set_member (object, "data", data);

  return object;
}

/**
 * fore_ctl_json_message:
 * @message: a message
 *
 * Returns: (transfer full): the message
 */
JsonObject *
fore_ctl_json_message (const ForeMessage *message)
{
  JsonObject *object = json_object_new ();

  json_object_set_int_member (object, "id", message->id);
  fore_ctl_json_set_text (object, "from", message->from);
  fore_ctl_json_set_text (object, "to", message->to);
  fore_ctl_json_set_text (object, "kind", message->kind);
  fore_ctl_json_set_text (object, "text", message->text);
  fore_ctl_json_set_text (object, "state", fore_message_state_to_string (message->state));
  fore_ctl_json_set_time (object, "time", message->time);

  return object;
}
