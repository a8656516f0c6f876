/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-request.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-actions.h"
#include "model/fore-id.h"

#include <glib/gi18n.h>

#define MAX_PLAN (1024 * 1024)

static gboolean
print_answered (ForeCtl *ctl, const char *request_id, GError **error)
{
  g_autoptr (ForeRequest) request = fore_run_read_request (ctl->store, request_id, error);

  if (request == NULL)
    return FALSE;

  if (ctl->json)
    {
      fore_ctl_print_object (ctl, fore_ctl_json_request (request));
      return TRUE;
    }

  fore_ctl_print (ctl, _ ("%s: %s\n"), request->id,
                  request->answer != NULL ? request->answer
                                          : fore_request_state_to_string (request->state));
  return TRUE;
}

static void
set_no_option (const ForeRequest *request, const char *word, GError **error)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  const char *nearest;
  g_autofree char *list = NULL;

  for (guint i = 0; i < request->options->len; i++)
    g_ptr_array_add (ids, ((const ForeRequestOption *) request->options->pdata[i])->id);
  g_ptr_array_add (ids, NULL);

  nearest = fore_id_find_nearest (word, (const char *const *) ids->pdata, 3);
  list = g_strjoinv (", ", (char **) ids->pdata);
  if (nearest != NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                 _ ("Request %s offers no “%s”; did you mean “%s”?"), request->id, word, nearest);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                 _ ("Request %s offers no “%s”; it offers %s."), request->id, word,
                 ids->len > 1 ? list : _ ("nothing"));
}

static ForeRequest *
read_request (ForeCtl *ctl, GError **error)
{
  g_autofree char *id = fore_ctl_find_request (ctl, fore_ctl_get_word (ctl, 0), error);

  return id != NULL ? fore_run_read_request (ctl->store, id, error) : NULL;
}

/* An answer counts for what the person saw: with --version and --hash that is checked. */
static gboolean
send_answer (ForeCtl *ctl,
             const ForeRequest *request,
             const char *option,
             const char *text,
             const char *plan_json,
             GError **error)
{
  guint version = fore_ctl_get_number (ctl, "version", 0);

  if (!fore_actions_answer (ctl->store, request->id, option, text, plan_json, version,
                            fore_ctl_get (ctl, "hash"), FORE_CTL_NAME, error))
    return FALSE;

  return print_answered (ctl, request->id, error);
}

static char *
load_plan (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) local_error = NULL;
  g_autoptr (ForePlan) plan = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, &local_error))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("The plan cannot be read: %s."),
                   local_error->message);
      return NULL;
    }
  if (length > MAX_PLAN)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_LIMIT,
                   _ ("%s is too large for a plan; at most 1 MiB is read."), path);
      return NULL;
    }

  plan = fore_actions_plan_from_json (text, error);
  return plan != NULL ? g_steal_pointer (&text) : NULL;
}

gboolean
fore_ctl_do_approve (ForeCtl *ctl, GError **error)
{
  g_autoptr (ForeRequest) request = NULL;
  g_autofree char *plan_json = NULL;
  const ForeRequestOption *option;
  const char *wanted = fore_ctl_get (ctl, "option");
  const char *plan = fore_ctl_get (ctl, "plan");

  if (plan != NULL && (plan_json = load_plan (plan, error)) == NULL)
    return FALSE;

  request = read_request (ctl, error);
  if (request == NULL)
    return FALSE;

  option = wanted != NULL ? fore_ctl_request_find_option (request, wanted)
                          : fore_ctl_request_find_approval (request);
  if (option == NULL)
    {
      set_no_option (request, wanted != NULL ? wanted : "approve", error);
      return FALSE;
    }

  return send_answer (ctl, request, option->id, NULL, plan_json, error);
}

gboolean
fore_ctl_do_reject (ForeCtl *ctl, GError **error)
{
  const char *feedback = fore_ctl_get (ctl, "feedback");
  const char *plan = fore_ctl_get (ctl, "plan");
  g_autoptr (ForeRequest) request = NULL;
  g_autofree char *plan_json = NULL;
  const ForeRequestOption *option;

  if (plan != NULL && feedback == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("--plan goes with --feedback: say what should be different."));
      return FALSE;
    }
  if (plan != NULL && (plan_json = load_plan (plan, error)) == NULL)
    return FALSE;

  request = read_request (ctl, error);
  if (request == NULL)
    return FALSE;

  option = feedback != NULL ? fore_ctl_request_find_option (request, "changes")
                            : fore_ctl_request_find_refusal (request);
  if (option == NULL)
    {
      set_no_option (request, feedback != NULL ? "changes" : "reject", error);
      return FALSE;
    }

  return send_answer (ctl, request, option->id, feedback, plan_json, error);
}

/* The text is an option where the request offers it, and the answer itself where it asks for one.
 */
gboolean
fore_ctl_do_answer (ForeCtl *ctl, GError **error)
{
  const char *const kinds[] = { "answer", "reply", NULL };
  g_autoptr (ForeRequest) request = read_request (ctl, error);
  g_autofree char *text = fore_ctl_join_words (ctl, 1);
  const char *wanted = fore_ctl_get (ctl, "option");
  const ForeRequestOption *option;

  if (request == NULL)
    return FALSE;

  option = fore_ctl_request_find_option (request, wanted != NULL ? wanted : text);
  if (option != NULL)
    return send_answer (ctl, request, option->id, wanted != NULL ? text : NULL, NULL, error);
  if (wanted != NULL || request->kind != FORE_REQUEST_QUESTION)
    {
      set_no_option (request, wanted != NULL ? wanted : text, error);
      return FALSE;
    }

  option = fore_request_find_option_by_kind (request, kinds[0]);
  if (option == NULL)
    option = fore_request_find_option_by_kind (request, kinds[1]);

  return send_answer (ctl, request, option != NULL ? option->id : kinds[0], text, NULL, error);
}
