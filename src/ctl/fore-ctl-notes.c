/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-notes.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"

#include <glib/gi18n.h>
#include <stdio.h>

/**
 * fore_ctl_notes_add_json:
 * @object: gets `notes`: a list of `task` and `note`; nothing when there is none
 * @tasks: (element-type ForeTask): tasks
 * @key: (nullable): only those of this one
 *
 * Says what of the tasks' work a merge does not bring.
 */
void
fore_ctl_notes_add_json (JsonObject *object, GPtrArray *tasks, const char *key)
{
  g_autoptr (JsonArray) array = json_array_new ();

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);
      const char *note = fore_task_get_note (task);
      JsonObject *element;

      if (note == NULL || (key != NULL && !g_str_equal (key, task->key)))
        continue;

      element = json_object_new ();
      fore_ctl_json_set_text (element, "task", task->key);
      fore_ctl_json_set_text (element, "note", note);
      json_array_add_object_element (array, element);
    }

  if (json_array_get_length (array) > 0)
    json_object_set_array_member (object, "notes", g_steal_pointer (&array));
}

/**
 * fore_ctl_notes_print:
 * @tasks: (element-type ForeTask): tasks
 * @key: (nullable): only those of this one
 *
 * Says it to the person, where a patch on the standard output stays a patch.
 */
void
fore_ctl_notes_print (GPtrArray *tasks, const char *key)
{
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);
      const char *note = fore_task_get_note (task);
      g_autofree char *clean = NULL;

      if (note == NULL || (key != NULL && !g_str_equal (key, task->key)))
        continue;

      clean = fore_ctl_dup_clean (note);
      fprintf (stderr, _ ("Note on %s: %s\n"), task->key, clean);
    }
}

/**
 * fore_ctl_read_foreseen:
 * @ctl: a call with an open store
 * @delta: a run
 *
 * Returns: (transfer full) (element-type ForeForeseen): tasks of it that will not fit together
 */
GPtrArray *
fore_ctl_read_foreseen (ForeCtl *ctl, const ForeRunDelta *delta)
{
  g_autoptr (GPtrArray) events = NULL;

  if (fore_run_is_active (delta->run))
    events = fore_run_read_events_of (ctl->store, delta->run->id, FORE_EVENT_TASK_CONFLICT, NULL);

  return fore_foresight_fold (events, delta->run, delta->tasks);
}

/**
 * fore_ctl_json_foreseen:
 * @foreseen: (element-type ForeForeseen): pairs
 *
 * Returns: (transfer full): for each the two `tasks` and the `paths` in their way
 */
JsonArray *
fore_ctl_json_foreseen (GPtrArray *foreseen)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < foreseen->len; i++)
    {
      const ForeForeseen *pair = g_ptr_array_index (foreseen, i);
      const char *const tasks[] = { pair->one, pair->two, NULL };
      JsonObject *object = json_object_new ();

      json_object_set_array_member (object, "tasks", fore_ctl_json_strv (tasks));
      json_object_set_array_member (object, "paths",
                                    fore_ctl_json_strv ((const char *const *) pair->paths));
      json_array_add_object_element (array, object);
    }

  return array;
}
