/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-plan-dialogs.h"

#include <glib/gi18n-lib.h>

/**
 * fore_plan_ask_for_changes:
 * @page: the page of the plan
 * @run: id of its run
 * @edited: whether the person edited the plan
 * @func: called with @page and what they wrote, `ok` being the response that sends it
 *
 * What they write is kept until it is sent: an answer may be refused, as one to a version that is
 * not the newest any more.
 */
void
fore_plan_ask_for_changes (GtkWidget *page, const char *run, gboolean edited, ForeAlertFunc func)
{
  const char *body;
  GtkWidget *alert;

  g_return_if_fail (GTK_IS_WIDGET (page));
  g_return_if_fail (run != NULL);

  body = edited ? _ ("Your words and your edits go to the planner, which answers with a new "
                     "version.")
                : _ ("Your words go to the planner, which answers with a new version.");
  alert = fore_alert_text (page, _ ("Ask for Changes"), body, _ ("What should change"), _ ("Send"),
                           NULL, page, func, NULL);
  fore_alert_keep_text (alert, run);
}

/**
 * fore_plan_ask_to_reject:
 * @page: the page of the plan
 * @func: called with @page, `reject` being the response that does it
 */
void
fore_plan_ask_to_reject (GtkWidget *page, ForeAlertFunc func)
{
  const ForeAlertAnswer answers[] = {
    { "close", _ ("Back"), ADW_RESPONSE_DEFAULT },
    { "reject", _ ("Reject the Plan"), ADW_RESPONSE_DESTRUCTIVE },
  };

  g_return_if_fail (GTK_IS_WIDGET (page));

  fore_alert (page, _ ("Reject This Plan?"),
              _ ("The run is cancelled with it. Nothing has been written yet."), answers,
              G_N_ELEMENTS (answers), "close", page, func, NULL);
}
