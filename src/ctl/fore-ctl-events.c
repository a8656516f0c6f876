/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-events.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "text/fore-json.h"
#include "text/fore-text.h"

#include <glib/gi18n.h>

#define MAX_VALUE 200

/**
 * fore_ctl_event_is_progress:
 * @event: an event
 *
 * Returns: whether a person who follows a run wants to see it go by
 */
gboolean
fore_ctl_event_is_progress (const ForeEvent *event)
{
  switch (event->type)
    {
    case FORE_EVENT_RUN_STATUS:
    case FORE_EVENT_RUN_RESULT:
    case FORE_EVENT_RUN_MERGED:
    case FORE_EVENT_RUN_RESUMED:
    case FORE_EVENT_TASK_STATUS:
    case FORE_EVENT_TASK_CHECK:
    case FORE_EVENT_TASK_MARK:
    case FORE_EVENT_ATTEMPT_RETRY:
    case FORE_EVENT_PLAN_PROPOSED:
    case FORE_EVENT_PLAN_APPROVED:
    case FORE_EVENT_PLAN_CHANGES:
    case FORE_EVENT_PLAN_REJECTED:
    case FORE_EVENT_ADAPTIVE_PLAN_INJECTED:
    case FORE_EVENT_ADAPTIVE_PLAN_REPAIRED:
    case FORE_EVENT_ADAPTIVE_PLAN_REPAIR_FAILED:
    case FORE_EVENT_ADAPTIVE_PLAN_MISSING:
    case FORE_EVENT_GATE_OPENED:
    case FORE_EVENT_GOAL_TURN:
    case FORE_EVENT_GOAL_ENDED:
    case FORE_EVENT_REQUEST_OPENED:
    case FORE_EVENT_REQUEST_ANSWERED:
    case FORE_EVENT_BUDGET_WARNING:
    case FORE_EVENT_BUDGET_STOP:
    case FORE_EVENT_TREE_CONFLICT:
    case FORE_EVENT_LEADER_CHANGED:
    case FORE_EVENT_HOOK_BLOCKED:
    case FORE_EVENT_RECOVERY_LOST:
    case FORE_EVENT_LIMIT_CAPPED:
    case FORE_EVENT_NOTICE:
      return TRUE;
    default:
      return FALSE;
    }
}

static JsonObject *
get_data (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static char *
dup_value (JsonNode *value)
{
  g_autofree char *text = NULL;

  if (JSON_NODE_HOLDS_VALUE (value) && json_node_get_value_type (value) == G_TYPE_STRING)
    text = g_strdup (json_node_get_string (value));
  else
    text = fore_json_to_string (value, FALSE);

  return fore_text_shorten (text, MAX_VALUE);
}

/* Key and value of everything that the event carries. */
static char *
describe_data (JsonObject *data)
{
  GString *text = g_string_new (NULL);
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;

  if (data == NULL)
    return g_string_free (text, FALSE);

  json_object_iter_init_ordered (&iter, data);
  while (json_object_iter_next_ordered (&iter, &key, &value))
    {
      g_autofree char *shown = NULL;

      if (JSON_NODE_HOLDS_NULL (value))
        continue;
      shown = dup_value (value);
      g_string_append_printf (text, "%s%s=%s", text->len > 0 ? " " : "", key, shown);
    }

  return g_string_free (text, FALSE);
}

/* Status changes read as they do in the window: the new word, then why. */
static char *
describe_status (JsonObject *data)
{
  const char *to = fore_json_get_string (data, "to", "");
  const char *why = fore_json_get_string (data, "message", NULL);

  if (why == NULL)
    why = fore_json_get_string (data, "reason", NULL);

  return why != NULL ? g_strdup_printf ("%s: %s", to, why) : g_strdup (to);
}

static char *
describe_request (JsonObject *data)
{
  return g_strdup_printf ("%s %s: %s", fore_json_get_string (data, "id", ""),
                          fore_json_get_string (data, "kind", ""),
                          fore_json_get_string (data, "title", ""));
}

static char *
describe_event (const ForeEvent *event, JsonObject *data)
{
  switch (event->type)
    {
    case FORE_EVENT_RUN_STATUS:
    case FORE_EVENT_TASK_STATUS:
      return describe_status (data);
    case FORE_EVENT_REQUEST_OPENED:
      return describe_request (data);
    case FORE_EVENT_NOTICE:
      return g_strdup (fore_json_get_string (data, "text", ""));
    default:
      return describe_data (data);
    }
}

static ForeCtlStyle
get_style (const ForeEvent *event, JsonObject *data)
{
  ForeRunStatus run_status;
  ForeTaskStatus task_status;
  const char *to = fore_json_get_string (data, "to", NULL);

  if (event->type == FORE_EVENT_RUN_STATUS && fore_run_status_from_string (to, &run_status))
    return fore_ctl_style_for_run (run_status);
  if (event->type == FORE_EVENT_TASK_STATUS && fore_task_status_from_string (to, &task_status))
    return fore_ctl_style_for_task (task_status);
  if (event->type == FORE_EVENT_REQUEST_OPENED)
    return FORE_CTL_WAIT;

  return FORE_CTL_PLAIN;
}

static char *
dup_local_time (gint64 us)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (us / G_USEC_PER_SEC);

  return time != NULL ? g_date_time_format (time, "%H:%M:%S") : g_strdup ("");
}

static void
print_text (ForeCtl *ctl, const ForeEvent *event)
{
  ForeJsonLimits limits = FORE_JSON_DEFAULT_LIMITS;
  g_autoptr (JsonNode) node = event->data != NULL ? fore_json_parse (event->data, -1, &limits, NULL)
                                                  : NULL;
  JsonObject *data = get_data (node);
  g_autofree char *time = dup_local_time (event->time);
  g_autofree char *text = describe_event (event, data);
  g_autofree char *clean = fore_ctl_dup_clean (text);
  g_autofree char *type = g_strdup_printf ("%-18s", fore_event_type_to_string (event->type));

  g_strdelimit (clean, "\n\t", ' ');
  fore_ctl_print_styled (ctl, FORE_CTL_DIM, time);
  fore_ctl_write ("  ", 2);
  fore_ctl_print_styled (ctl, FORE_CTL_DIM, type);
  fore_ctl_print (ctl, "  %-20s  ", event->task != NULL ? event->task : "");
  fore_ctl_print_styled (ctl, get_style (event, data), clean);
  fore_ctl_write ("\n", 1);
}

/**
 * fore_ctl_event_print:
 * @ctl: a call
 * @run_id: run that it belongs to
 * @event: an event
 *
 * Prints one line about @event.
 */
void
fore_ctl_event_print (ForeCtl *ctl, const char *run_id, const ForeEvent *event)
{
  g_autoptr (JsonNode) node = NULL;

  if (!ctl->json)
    {
      print_text (ctl, event);
      return;
    }

  node = json_node_new (JSON_NODE_OBJECT);
  json_node_take_object (node, fore_ctl_json_event (run_id, event));
  fore_ctl_print_json_line (node);
}
