/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-hook-def.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "model/fore-quantity.h"
#include "text/fore-json.h"

#define MAX_HOOKS 100
#define DEFAULT_TIMEOUT_MS 30000
#define MAX_TIMEOUT_MS (60 * 60 * 1000)

static const char *const keys[] = { "name", "on", "command", "blocking", "timeout", NULL };

static const char *const event_names[] = {
  "run.started",
  "run.blocked",
  "run.finished",
  "run.merged",
  "task.started",
  "task.finished",
  "plan.proposed",
  "plan.approved",
  "plan.rejected",
  "request.opened",
  "request.answered",
  "goal.turn",
  "goal.ended",
  "budget.warning",
  "budget.stop",
  FORE_HOOK_TASK_STARTING,
  NULL,
};

/**
 * fore_hook_def_free:
 * @self: (transfer full): a hook
 */
void
fore_hook_def_free (ForeHookDef *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->name);
  g_strfreev (self->events);
  g_strfreev (self->argv);
  g_free (self);
}

/**
 * fore_hook_def_copy:
 * @self: a hook
 *
 * Returns: (transfer full): a copy
 */
ForeHookDef *
fore_hook_def_copy (const ForeHookDef *self)
{
  ForeHookDef *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = g_new0 (ForeHookDef, 1);
  *copy = *self;
  copy->name = g_strdup (self->name);
  copy->events = g_strdupv (self->events);
  copy->argv = g_strdupv (self->argv);

  return copy;
}

/**
 * fore_hook_def_is_at:
 * @self: a hook
 * @event: name of an event
 *
 * Returns: whether @self is to be called at @event
 */
gboolean
fore_hook_def_is_at (const ForeHookDef *self, const char *event)
{
  g_return_val_if_fail (self != NULL && event != NULL, FALSE);

  return g_strv_contains ((const char *const *) self->events, event);
}

/* A text, or a list of texts that is not empty. */
static GStrv
dup_words (JsonNode *node, gboolean is_command)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) argv = NULL;
  JsonArray *array;

  if (node == NULL)
    return NULL;

  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
    {
      const char *text = json_node_get_string (node);

      if (is_command)
        g_shell_parse_argv (text, NULL, &argv, NULL);
      else
        argv = g_strdupv ((char *[]){ (char *) text, NULL });
      return argv != NULL && argv[0] != NULL && argv[0][0] != '\0' ? g_steal_pointer (&argv) : NULL;
    }
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return NULL;

  array = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *item = json_array_get_element (array, i);

      if (!JSON_NODE_HOLDS_VALUE (item) || json_node_get_value_type (item) != G_TYPE_STRING)
        return NULL;
      g_strv_builder_add (builder, json_node_get_string (item));
    }
  argv = g_strv_builder_end (builder);

  return argv[0] != NULL && argv[0][0] != '\0' ? g_steal_pointer (&argv) : NULL;
}

static gboolean
read_timeout (JsonNode *node, gint64 *ms)
{
  if (!JSON_NODE_HOLDS_VALUE (node))
    return FALSE;
  if (json_node_get_value_type (node) == G_TYPE_INT64)
    *ms = json_node_get_int (node);
  else if (json_node_get_value_type (node) != G_TYPE_STRING
           || !fore_duration_parse (json_node_get_string (node), ms))
    return FALSE;

  return *ms >= 1 && *ms <= MAX_TIMEOUT_MS;
}

static char *
dup_unknown_key (JsonObject *object)
{
  g_autoptr (GList) members = json_object_get_members (object);

  for (GList *l = members; l != NULL; l = l->next)
    {
      if (!g_strv_contains (keys, l->data))
        return g_strdup (l->data);
    }

  return NULL;
}

/* Returns: (nullable): what is wrong */
static char *
check_events (const ForeHookDef *self)
{
  for (guint i = 0; self->events[i] != NULL; i++)
    {
      g_autofree char *all = NULL;

      if (g_strv_contains (event_names, self->events[i]))
        continue;
      all = g_strjoinv (", ", (char **) event_names);
      return g_strdup_printf (_ ("“%s” is no event that a hook is called at; there are: %s"),
                              self->events[i], all);
    }

  if (!self->blocking && fore_hook_def_is_at (self, FORE_HOOK_TASK_STARTING))
    return g_strdup (_ ("a hook at “task.starting” has \"blocking\": true; “task.started” is for "
                        "those that are only told"));
  if (self->blocking && g_strv_length (self->events) > 1)
    return g_strdup (_ ("a hook that blocks is called at “task.starting” and nothing else"));
  if (self->blocking && !fore_hook_def_is_at (self, FORE_HOOK_TASK_STARTING))
    return g_strdup_printf (_ ("“%s” has happened and cannot be blocked; only “task.starting” can"),
                            self->events[0]);

  return NULL;
}

static gboolean
read_blocking (ForeHookDef *self, JsonObject *object)
{
  JsonNode *node = json_object_get_member (object, "blocking");

  if (node == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_BOOLEAN)
    return FALSE;

  self->blocking = json_node_get_boolean (node);
  return TRUE;
}

/* Returns: (nullable): what is wrong */
static char *
read_hook (ForeHookDef *self, JsonObject *object)
{
  g_autofree char *unknown = dup_unknown_key (object);
  JsonNode *timeout = json_object_get_member (object, "timeout");

  if (unknown != NULL)
    return g_strdup_printf (_ ("a hook has no key “%s”; it has name, on, command, blocking and "
                               "timeout"),
                            unknown);

  self->events = dup_words (json_object_get_member (object, "on"), FALSE);
  self->argv = dup_words (json_object_get_member (object, "command"), TRUE);
  if (self->events == NULL)
    return g_strdup (_ ("a hook needs “on”: the name of an event or a list of names"));
  if (self->argv == NULL)
    return g_strdup (_ ("a hook needs “command”: a command line or a list of its words"));
  if (!read_blocking (self, object))
    return g_strdup (_ ("“blocking” of a hook must be true or false"));

  self->timeout_ms = DEFAULT_TIMEOUT_MS;
  if (timeout != NULL && !read_timeout (timeout, &self->timeout_ms))
    return g_strdup (_ ("“timeout” of a hook must be a time up to an hour, such as \"30 s\""));

  self->name = g_strdup (fore_json_get_string (object, "name", NULL));
  if (self->name == NULL || self->name[0] == '\0')
    {
      g_free (self->name);
      self->name = g_path_get_basename (self->argv[0]);
    }

  return check_events (self);
}

/**
 * fore_hook_defs_parse:
 * @node: the value of the setting “hooks”: a list of objects
 * @problem: (out): place for what is wrong, as the second half of a sentence
 *
 * Returns: (transfer full) (element-type ForeHookDef) (nullable): the hooks in their order
 */
GPtrArray *
fore_hook_defs_parse (JsonNode *node, char **problem)
{
  g_autoptr (GPtrArray) hooks = g_ptr_array_new_with_free_func (
      (GDestroyNotify) fore_hook_def_free);
  JsonArray *array;

  g_return_val_if_fail (node != NULL && problem != NULL, NULL);

  array = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  if (array == NULL || json_array_get_length (array) > MAX_HOOKS)
    {
      *problem = g_strdup_printf (_ ("it must be a list of at most %d hooks"), MAX_HOOKS);
      return NULL;
    }

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *item = json_array_get_element (array, i);
      ForeHookDef *hook = g_new0 (ForeHookDef, 1);

      g_ptr_array_add (hooks, hook);
      if (!JSON_NODE_HOLDS_OBJECT (item))
        *problem = g_strdup (_ ("each hook must be an object"));
      else
        *problem = read_hook (hook, json_node_get_object (item));
      if (*problem != NULL)
        return NULL;
    }

  return g_steal_pointer (&hooks);
}
