/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What agents say to their run from inside a task. */

#include "config.h"

#include "agents/fore-calls.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-verbs.h"

#include <glib/gi18n.h>
#include <string.h>

static gboolean
print_answer (ForeCtl *ctl, const char *id, char *answer)
{
  JsonObject *object;

  if (!ctl->json)
    {
      fore_ctl_write (answer, -1);
      if (!g_str_has_suffix (answer, "\n"))
        fore_ctl_write ("\n", -1);
      return TRUE;
    }

  object = json_object_new ();
  json_object_set_string_member (object, "call", id);
  json_object_set_string_member (object, "answer", answer);
  fore_ctl_print_object (ctl, object);

  return TRUE;
}

static gboolean
call (ForeCtl *ctl, ForeCallKind kind, const char *text, const char *const *options, GError **error)
{
  g_autofree char *id = fore_calls_send (kind, text, options, error);
  g_autofree char *answer = NULL;

  if (id != NULL)
    answer = fore_calls_wait (id, fore_ctl_get_duration (ctl, "timeout", 0) * 1000, NULL, error);

  return answer != NULL && print_answer (ctl, id, answer);
}

gboolean
fore_ctl_do_ask (ForeCtl *ctl, GError **error)
{
  g_autofree char *text = fore_ctl_join_words (ctl, 0);
  const char *list = fore_ctl_get (ctl, "options");
  g_auto (GStrv) options = list != NULL ? g_strsplit (list, "|", 0) : NULL;

  return call (ctl, FORE_CALL_ASK, text, (const char *const *) options, error);
}

gboolean
fore_ctl_do_delegate (ForeCtl *ctl, GError **error)
{
  g_autofree char *text = fore_ctl_join_words (ctl, 0);
  const char *role = fore_ctl_get (ctl, "role");
  const char *const options[] = { role != NULL ? role : "",
                                  fore_ctl_has (ctl, "detach") ? "detach" : NULL, NULL };

  return call (ctl, FORE_CALL_DELEGATE, text, options, error);
}

gboolean
fore_ctl_do_join (ForeCtl *ctl, GError **error)
{
  g_auto (GStrv) keys = g_new0 (char *, ctl->words->len + 1);

  for (guint i = 0; i < ctl->words->len; i++)
    keys[i] = g_strdup (fore_ctl_get_word (ctl, i));

  return call (ctl, FORE_CALL_JOIN, fore_ctl_has (ctl, "any") ? "any" : "all",
               (const char *const *) keys, error);
}

static gboolean
submit (ForeCtl *ctl, ForeCallKind kind, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) local_error = NULL;

  if (g_file_get_contents (fore_ctl_get_word (ctl, 0), &text, NULL, &local_error))
    return call (ctl, kind, text, NULL, error);

  g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("“%s” cannot be read: %s"),
               fore_ctl_get_word (ctl, 0), local_error->message);
  return FALSE;
}

gboolean
fore_ctl_do_submit_result (ForeCtl *ctl, GError **error)
{
  return submit (ctl, FORE_CALL_SUBMIT, error);
}

gboolean
fore_ctl_do_submit_plan (ForeCtl *ctl, GError **error)
{
  return submit (ctl, FORE_CALL_PLAN, error);
}
