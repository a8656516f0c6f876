/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-banner.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static void
show_request (ForeBanner *self, const ForeRequest *request)
{
  g_autofree char *text = NULL;

  if (request->kind == FORE_REQUEST_PLAN)
    text = g_strdup_printf (_ ("Plan v%u waits for your approval. Nothing is written before."),
                            request->plan_version);
  else
    text = g_strdup (request->title);
  fore_banner_show (self, FORE_BANNER_ATTENTION, text,
                    request->kind == FORE_REQUEST_PLAN ? _ ("Review Plan") : _ ("Answer"), FALSE);
}

/* Merging what the others did makes no success of it. */
static void
show_failure (ForeBanner *self, const ForeRun *run)
{
  guint n = run->counts[FORE_TASK_FAILED];
  g_autofree char *failed = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u task failed", "%u tasks failed", n), n);
  gboolean merged = run->merged_commit != NULL;
  const char *why = run->phase_text == NULL || (merged && n > 0) ? failed : run->phase_text;
  g_autofree char *text = NULL;

  if (merged)
    text = g_strdup_printf (_ ("%s. What the other tasks did was merged into %s."), why,
                            run->merged_into);
  fore_banner_show (self, FORE_BANNER_ERROR, text != NULL ? text : why, NULL, FALSE);
}

/**
 * fore_run_banner_says_discarded:
 * @model: a run
 *
 * Returns: whether a person dropped what the run made
 */
gboolean
fore_run_banner_says_discarded (ForeRunModel *model)
{
  const ForeRun *run = fore_run_model_get_run (model);

  return fore_run_is_discarded (run)
         || (fore_run_has_result (run)
             && fore_event_items_end_discarded (fore_run_model_get_events (model)));
}

/**
 * fore_run_banner_update:
 * @self: the banner of a run's page
 * @model: the run
 * @health: what its runner is up to
 *
 * Says what the person should know or do first, or hides the banner.
 */
void
fore_run_banner_update (ForeBanner *self, ForeRunModel *model, ForeRunHealth health)
{
  const ForeRun *run = fore_run_model_get_run (model);
  const ForeRequest *request = fore_run_model_get_open_request (model);
  gboolean older = fore_run_is_active (run) && run->owner_version != NULL && run->owner_pid > 0
                   && strcmp (run->owner_version, FORE_VERSION) != 0;

  if (health == FORE_RUN_STUCK)
    fore_banner_show (self, FORE_BANNER_ATTENTION,
                      _ ("This run does not respond: its runner has done nothing for a while. Its "
                         "agents go on; restarting the runner does nothing twice."),
                      _ ("Restart"), FALSE);
  else if (request != NULL)
    show_request (self, request);
  else if (health == FORE_RUN_INTERRUPTED)
    fore_banner_show (self, FORE_BANNER_ATTENTION,
                      _ ("This run was interrupted: its runner is gone. What was finished is safe; "
                         "resuming does not do it again."),
                      _ ("Resume"), FALSE);
  else if (older)
    {
      g_autofree char *text = g_strdup_printf (
          _ ("This run is finishing on an older version of Foredeck (%s)."), run->owner_version);

      fore_banner_show (self, FORE_BANNER_INFO, text, NULL, FALSE);
    }
  else if (fore_run_banner_says_discarded (model))
    fore_banner_show (self, FORE_BANNER_INFO,
                      _ ("The changes of this run were discarded; its branches are kept."),
                      _ ("Undo"), FALSE);
  else if (run->status == FORE_RUN_FAILED)
    show_failure (self, run);
  else
    fore_banner_hide (self);
}

/**
 * fore_run_banner_get_command:
 * @model: the run
 * @health: what its runner is up to
 * @args: (out) (nullable) (transfer none): further words of the command
 * @note: (out) (transfer none): what to say when it was taken up
 *
 * Returns: what the button of the banner tells the run, where it does not lead to a request
 */
ForeCommandKind
fore_run_banner_get_command (ForeRunModel *model,
                             ForeRunHealth health,
                             const char *const **args,
                             const char **note)
{
  static const char *const undo[] = { "undo", NULL };

  *args = NULL;
  if (health == FORE_RUN_INTERRUPTED)
    {
      *note = _ ("The run is taken up again.");
      return FORE_COMMAND_RESUME;
    }
  if (fore_run_banner_says_discarded (model))
    {
      *args = undo;
      *note = _ ("The changes are there again.");
      return FORE_COMMAND_DISCARD;
    }

  *note = _ ("What failed is tried again.");
  return FORE_COMMAND_RETRY;
}
