/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-banner.h"

#include "app/fore-run-item.h"

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

/**
 * fore_run_banner_update:
 * @self: the banner of a run's page
 * @model: the run
 * @interrupted: whether its runner is gone
 *
 * Says what the person should know or do first, or hides the banner.
 */
void
fore_run_banner_update (ForeBanner *self, ForeRunModel *model, gboolean interrupted)
{
  const ForeRun *run = fore_run_model_get_run (model);
  const ForeRequest *request = fore_run_model_get_open_request (model);
  gboolean older = fore_run_is_active (run) && run->owner_version != NULL && run->owner_pid > 0
                   && strcmp (run->owner_version, FORE_VERSION) != 0;

  if (request != NULL)
    show_request (self, request);
  else if (interrupted)
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
  else if (fore_run_awaits_review (run)
           && fore_event_items_end_discarded (fore_run_model_get_events (model)))
    fore_banner_show (self, FORE_BANNER_INFO,
                      _ ("The changes of this run were discarded; its branches are kept."),
                      _ ("Undo"), FALSE);
  else if (run->status == FORE_RUN_FAILED && run->phase_text != NULL)
    fore_banner_show (self, FORE_BANNER_ERROR, run->phase_text, NULL, FALSE);
  else
    fore_banner_hide (self);
}
