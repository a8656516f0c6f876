/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Agents that wait for all, or any, of several helpers. */

#include "config.h"

#include "engine/fore-inbox-private.h"

#include "engine/fore-helper.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CALL_PREFIX "call:"
#define ANY "any"

typedef struct
{
  char *asker;
  guint attempt;
  char *reply_to;
  GStrv keys;
  gboolean any;
} Join;

static void
join_free (gpointer data)
{
  Join *join = data;

  g_free (join->asker);
  g_free (join->reply_to);
  g_strfreev (join->keys);
  g_free (join);
}

GPtrArray *
fore_inbox_new_joins (void)
{
  return g_ptr_array_new_with_free_func (join_free);
}

static gboolean
is_over (const ForeTask *task)
{
  return fore_task_status_get_class (task->status) == FORE_CLASS_FINISHED
         && task->status != FORE_TASK_NEEDS_ATTENTION;
}

static gboolean
is_ready (ForeInbox *self, const Join *join)
{
  guint n_over = 0;

  for (guint i = 0; join->keys[i] != NULL; i++)
    n_over += is_over (fore_run_state_find_task (fore_inbox_get_state (self), join->keys[i]));

  return join->any ? n_over > 0 : n_over == g_strv_length (join->keys);
}

static char *
describe (ForeInbox *self, const Join *join)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; join->keys[i] != NULL; i++)
    {
      const ForeTask *task = fore_run_state_find_task (fore_inbox_get_state (self), join->keys[i]);
      g_autofree char *said = NULL;

      if (!is_over (task))
        continue;

      said = task->status == FORE_TASK_COMPLETED ? fore_inbox_describe_helper (self, task)
                                                 : g_strdup (task->message);
      g_string_append_printf (text, "%s%s (%s):\n%s", text->len > 0 ? "\n\n" : "", task->key,
                              fore_task_status_to_string (task->status), said != NULL ? said : "");
    }

  return g_string_free (text, FALSE);
}

static gboolean
settle (ForeInbox *self, const Join *join)
{
  ForeTask *asker = fore_run_state_find_task (fore_inbox_get_state (self), join->asker);
  g_autofree char *text = NULL;

  if (!is_ready (self, join))
    return FALSE;

  text = describe (self, join);
  if (asker != NULL && asker->attempts == join->attempt)
    fore_scheduler_answer (self->scheduler, asker, join->reply_to, text);

  return TRUE;
}

/* A helper is over: whoever waited for that goes on. */
void
fore_inbox_look_at_joins (ForeInbox *self)
{
  for (guint i = self->joins->len; i > 0; i--)
    {
      if (settle (self, g_ptr_array_index (self->joins, i - 1)))
        g_ptr_array_remove_index (self->joins, i - 1);
    }
}

static const char *
find_stranger (ForeInbox *self, const ForeTask *asker, const ForeCall *call)
{
  for (guint i = 0; call->options[i] != NULL; i++)
    {
      const ForeTask *task = fore_run_state_find_task (fore_inbox_get_state (self),
                                                       call->options[i]);

      if (task == NULL || !fore_helper_is_of (task, asker->key, NULL))
        return call->options[i];
    }

  return NULL;
}

static Join *
join_new (const ForeTask *asker, const ForeCall *call)
{
  Join *join = g_new0 (Join, 1);

  join->asker = g_strdup (asker->key);
  join->attempt = asker->attempts;
  join->reply_to = g_strconcat (CALL_PREFIX, call->id, NULL);
  join->keys = g_strdupv (call->options);
  join->any = strcmp (call->text, ANY) == 0;

  return join;
}

/* Text of the call: all or any; its options: keys of helpers of its own. */
void
fore_inbox_helpers_joined (ForeInbox *self, ForeTask *asker, const ForeCall *call)
{
  const char *stranger = call->options != NULL ? find_stranger (self, asker, call) : "";
  g_autofree char *reply_to = g_strconcat (CALL_PREFIX, call->id, NULL);
  g_autofree char *text = NULL;
  Join *join;

  if (stranger != NULL || call->options[0] == NULL)
    {
      text = g_strdup_printf (_ ("“%s” is no helper of this task; name those that it asked for."),
                              stranger != NULL ? stranger : "");
      fore_scheduler_refuse (self->scheduler, asker, reply_to, text);
      return;
    }

  join = join_new (asker, call);
  if (settle (self, join))
    {
      join_free (join);
      return;
    }

  g_ptr_array_add (self->joins, join);
  fore_scheduler_wait_for_answer (self->scheduler, asker);
  if (asker->status == FORE_TASK_WAITING)
    fore_run_state_set_phase (fore_inbox_get_state (self), asker, FORE_PHASE_DEPENDENCIES,
                              _ ("waits for its helpers"));
}
