/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-forget.h"
#include "text/fore-text.h"

#include <glib/gi18n.h>

typedef struct
{
  ForeCtl *ctl;
  JsonArray *runs;
  guint n_gone;
  guint n_stay;
  guint64 bytes;
} Forgetting;

/* One run after the other; one that cannot go says why and keeps no other from going. */
static void
forget_one (Forgetting *forgetting, const char *run_id)
{
  ForeCtl *ctl = forgetting->ctl;
  guint64 bytes = fore_forget_measure (ctl->store, run_id);
  g_autofree char *size = fore_text_format_size (bytes);
  g_autoptr (GError) problem = NULL;
  JsonObject *object = json_object_new ();
  gboolean gone;

  if (fore_ctl_has (ctl, "dry-run"))
    gone = fore_forget_check (ctl->store, run_id, &problem);
  else
    gone = fore_forget_run (ctl->store, run_id, &problem);

  forgetting->n_gone += gone;
  forgetting->n_stay += !gone;
  forgetting->bytes += gone ? bytes : 0;
  fore_ctl_json_set_text (object, "id", run_id);
  json_object_set_boolean_member (object, "forgotten", gone);
  json_object_set_int_member (object, "bytes", (gint64) bytes);
  fore_ctl_json_set_text (object, "why", problem != NULL ? problem->message : NULL);
  json_array_add_object_element (forgetting->runs, object);
  if (!ctl->json)
    fore_ctl_print (ctl, "%s  %s  %s\n", run_id, size, problem != NULL ? problem->message : "");
}

static gboolean
forget_all (ForeCtl *ctl, GPtrArray *ids, GError **error)
{
  g_autoptr (JsonArray) runs = json_array_new ();
  Forgetting forgetting = { ctl, runs, 0, 0, 0 };
  g_autofree char *question = NULL;
  JsonObject *object;

  question = g_strdup_printf (g_dngettext (NULL, "Forget %u run? Its branches stay in the project.",
                                           "Forget %u runs? Their branches stay in the project.",
                                           ids->len),
                              ids->len);
  if (ids->len > 0 && !fore_ctl_has (ctl, "dry-run") && !fore_ctl_confirm (ctl, question, error))
    return FALSE;

  for (guint i = 0; i < ids->len; i++)
    forget_one (&forgetting, g_ptr_array_index (ids, i));

  if (!ctl->json)
    return TRUE;

  object = json_object_new ();
  json_object_set_boolean_member (object, "dry_run", fore_ctl_has (ctl, "dry-run"));
  json_object_set_int_member (object, "forgotten", forgetting.n_gone);
  json_object_set_int_member (object, "stay", forgetting.n_stay);
  json_object_set_int_member (object, "bytes", (gint64) forgetting.bytes);
  json_object_set_array_member (object, "runs", json_array_ref (runs));
  fore_ctl_print_object (ctl, object);

  return TRUE;
}

static void
add_ids (GPtrArray *ids, GPtrArray *runs)
{
  for (guint i = 0; i < runs->len; i++)
    g_ptr_array_add (ids, g_strdup (((ForeRun *) g_ptr_array_index (runs, i))->id));
}

gboolean
fore_ctl_do_forget (ForeCtl *ctl, GError **error)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *run_id = fore_ctl_find_run (ctl, fore_ctl_get_word (ctl, 0), error);

  /* A run that stays although it was named is an error, in a word to a program and in a code. */
  if (run_id == NULL || !fore_forget_check (ctl->store, run_id, error))
    return FALSE;

  g_ptr_array_add (ids, g_steal_pointer (&run_id));

  return forget_all (ctl, ids, error);
}

gboolean
fore_ctl_do_prune (ForeCtl *ctl, GError **error)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) runs = NULL;

  if (!fore_ctl_has (ctl, "keep") && !fore_ctl_has (ctl, "older"))
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                           _ ("Say how many finished runs stay (--keep N), or how old the others "
                              "must be (--older TIME)."));
      return FALSE;
    }
  if (fore_ctl_get_store (ctl, error) == NULL)
    return FALSE;

  runs = fore_forget_list_old (ctl->store, fore_ctl_get_number (ctl, "keep", -1),
                               fore_ctl_get_duration (ctl, "older", -1), error);
  if (runs == NULL)
    return FALSE;

  add_ids (ids, runs);

  return forget_all (ctl, ids, error);
}
