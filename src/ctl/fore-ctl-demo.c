/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-follow.h"
#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-actions.h"

#include <glib/gi18n.h>

#define MERGE_TIMEOUT_MS 60000
/* A demo asks for its plan and, at most, for a few things more. */
#define MAX_ANSWERS 20

typedef struct
{
  ForeCtl *ctl;
  char *project;
  char *run;
  char *status;
  char *output;
  gboolean tests_known;
  gboolean tests_passed;
} Demo;

static void
demo_clear (Demo *demo)
{
  g_free (demo->project);
  g_free (demo->run);
  g_free (demo->status);
  g_free (demo->output);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Demo, demo_clear)

static void
say (Demo *demo, const char *format, const char *what)
{
  g_autofree char *line = NULL;

  if (demo->ctl->json)
    return;

  line = g_strdup_printf ("%s: %s\n", format, what);
  fore_ctl_print_styled (demo->ctl, FORE_CTL_BOLD, line);
  fore_ctl_flush ();
}

static void
print_demo (Demo *demo)
{
  JsonObject *object;

  if (!demo->ctl->json)
    {
      say (demo, _ ("Run"), demo->status);
      if (demo->tests_known)
        say (demo, _ ("Tests on the merged branch"),
             demo->tests_passed ? _ ("passed") : _ ("failed"));
      if (demo->tests_known && !demo->tests_passed && demo->output != NULL)
        fore_ctl_print (demo->ctl, "%s\n", demo->output);
      return;
    }

  object = json_object_new ();
  fore_ctl_json_set_text (object, "run", demo->run);
  fore_ctl_json_set_text (object, "project", demo->project);
  fore_ctl_json_set_text (object, "status", demo->status);
  if (demo->tests_known)
    json_object_set_boolean_member (object, "tests_passed", demo->tests_passed);
  fore_ctl_print_object (demo->ctl, object);
}

/* Says yes to the oldest open request, as a person who watches would: a plan by its approval,
 * anything else by the first option offered. */
static gboolean
answer_one (Demo *demo, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_run_read (demo->ctl->store, demo->run, 0, 0, 0, error);

  if (delta == NULL)
    return FALSE;

  for (guint i = 0; i < delta->requests->len; i++)
    {
      const ForeRequest *request = delta->requests->pdata[i];
      const ForeRequestOption *option;

      if (request->state != FORE_REQUEST_OPEN)
        continue;

      option = fore_request_find_option_by_kind (request, "approve");
      if (option == NULL && request->options->len > 0)
        option = request->options->pdata[0];
      say (demo, _ ("Approving"), request->title);

      return fore_actions_answer (demo->ctl->store, request->id,
                                  option != NULL ? option->id : "approve", NULL, NULL,
                                  request->plan_version, request->plan_hash, FORE_CTL_NAME, error);
    }

  return TRUE;
}

static gboolean
follow (Demo *demo, ForeCtlRunEnd *end, GError **error)
{
  gboolean asks = g_strcmp0 (fore_ctl_get (demo->ctl, "approve"), "ask") == 0;
  ForeCtlFollowFlags flags = demo->ctl->json ? FORE_CTL_FOLLOW_QUIETLY : FORE_CTL_FOLLOW_PROGRESS;
  gint64 seq = 0;

  for (guint i = 0; i <= MAX_ANSWERS; i++)
    {
      if (!fore_ctl_follow_run (demo->ctl, demo->run, flags, &seq, -1, end, error))
        return FALSE;
      if (*end != FORE_CTL_RUN_WAITS || asks)
        return TRUE;
      if (!answer_one (demo, error))
        return FALSE;
    }

  g_set_error (error, FORE_ERROR, FORE_ERROR_FAILED,
               _ ("The demo asked more than %d times; see “foredeckctl requests %s”."), MAX_ANSWERS,
               demo->run);
  return FALSE;
}

static gboolean
merge_and_test (Demo *demo, GError **error)
{
  g_autofree char *outcome = NULL;

  if (!fore_actions_command (demo->ctl->store, demo->run, FORE_COMMAND_MERGE, NULL, FORE_CTL_NAME,
                             MERGE_TIMEOUT_MS, &outcome, error))
    return FALSE;

  demo->tests_passed = fore_actions_run_sample_tests (demo->project, &demo->output, error);
  if (!demo->tests_passed && error != NULL && *error != NULL)
    return FALSE;

  demo->tests_known = TRUE;
  return TRUE;
}

static gboolean
read_status (Demo *demo, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_run_read (demo->ctl->store, demo->run, 0, 0, 0, error);

  if (delta == NULL)
    return FALSE;

  demo->status = g_strdup (fore_run_status_to_string (delta->run->status));
  return TRUE;
}

static gboolean
start (Demo *demo, GError **error)
{
  g_autoptr (ForeRunSpec) spec = NULL;

  demo->project = fore_actions_make_sample (fore_ctl_get_word (demo->ctl, 0), error);
  if (demo->project == NULL)
    return FALSE;

  say (demo, _ ("Project"), demo->project);
  spec = fore_actions_make_demo_spec (demo->project);
  demo->run = fore_actions_start (demo->ctl->store, spec, error);
  if (demo->run == NULL)
    return FALSE;

  say (demo, _ ("Run"), demo->run);
  return TRUE;
}

gboolean
fore_ctl_do_demo (ForeCtl *ctl, GError **error)
{
  g_auto (Demo) demo = { .ctl = ctl };
  ForeCtlRunEnd end;

  if (fore_ctl_get_store (ctl, error) == NULL || !start (&demo, error)
      || !follow (&demo, &end, error))
    return FALSE;

  if (end == FORE_CTL_RUN_COMPLETED && !merge_and_test (&demo, error))
    return FALSE;
  if (!read_status (&demo, error))
    return FALSE;

  ctl->exit_code = end != FORE_CTL_RUN_COMPLETED ? (int) end : demo.tests_passed ? 0 : 1;
  print_demo (&demo);

  return TRUE;
}
