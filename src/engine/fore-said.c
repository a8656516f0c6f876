/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-said.h"

#include "engine/fore-event-data.h"
#include "text/fore-json.h"

/**
 * fore_said_new_from_event:
 * @event: an event of the type %FORE_EVENT_SESSION_SAID
 *
 * Returns: (transfer full) (nullable): what was said, %NULL if @event does not tell
 */
ForeSaid *
fore_said_new_from_event (const ForeEvent *event)
{
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object;
  ForeSaid *said;

  g_return_val_if_fail (event != NULL, NULL);

  node = event->data != NULL ? fore_json_parse (event->data, -1, NULL, NULL) : NULL;
  if (node == NULL || event->task == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return NULL;

  object = json_node_get_object (node);
  said = g_new0 (ForeSaid, 1);
  said->task = g_strdup (event->task);
  said->attempt = event->attempt;
  said->at = fore_json_get_int (object, "at", 0);
  said->kind = g_strdup (fore_json_get_string (object, "kind", ""));
  said->id = g_strdup (fore_json_get_string (object, "id", NULL));
  said->text = g_strdup (fore_json_get_string (object, "text", NULL));
  said->bytes = fore_json_get_int (object, "bytes", 0);
  said->again = g_strdup (fore_json_get_string (object, "again", NULL));
  said->version = g_strdup (fore_json_get_string (object, "version", NULL));

  return said;
}

/**
 * fore_said_free:
 * @said: (nullable): what was said
 */
void
fore_said_free (ForeSaid *said)
{
  if (said == NULL)
    return;

  g_free (said->task);
  g_free (said->kind);
  g_free (said->id);
  g_free (said->text);
  g_free (said->again);
  g_free (said->version);
  g_free (said);
}

/**
 * fore_said_to_data:
 * @said: what was said
 *
 * Returns: (transfer full): the data of its event
 */
char *
fore_said_to_data (const ForeSaid *said)
{
  g_return_val_if_fail (said != NULL, NULL);

  return fore_event_data_new ("i:at", said->at, "s:kind", said->kind, "s:id", said->id, "s:text",
                              said->text, "i:bytes", said->bytes, "s:again", said->again,
                              "s:version", said->version, NULL);
}
