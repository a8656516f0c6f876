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
