/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-menu.h"

#include "app/fore-errors.h"

#include <glib/gi18n-lib.h>

/**
 * fore_run_menu_update:
 * @widget: the page of a run
 * @run: the run
 * @verb: what its main button does
 *
 * Enables what can be done with the run as it is now.
 */
void
fore_run_menu_update (GtkWidget *widget, const ForeRun *run, ForeRunVerb verb)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (run != NULL);

  gtk_widget_action_set_enabled (widget, "run.cancel", fore_run_is_active (run));
  gtk_widget_action_set_enabled (widget, "run.forget", !fore_run_is_active (run));
  gtk_widget_action_set_enabled (widget, "run.retry", run->status == FORE_RUN_FAILED);
  gtk_widget_action_set_enabled (widget, "run.show-plan", run->plan_version > 0);
  gtk_widget_action_set_enabled (widget, "run.discard",
                                 fore_run_has_result (run) && verb != FORE_RUN_VERB_NONE);
}

/**
 * fore_run_menu_ask_cancel:
 * @widget: the widget that asks
 * @func: called with @widget and "cancel" if the person means it
 */
void
fore_run_menu_ask_cancel (GtkWidget *widget, ForeAlertFunc func)
{
  const ForeAlertAnswer answers[] = {
    { "close", _ ("Keep Running"), ADW_RESPONSE_DEFAULT },
    { "cancel", _ ("Cancel the Run"), ADW_RESPONSE_DESTRUCTIVE },
  };

  fore_alert (widget, _ ("Cancel This Run?"),
              _ ("Its agents are ended and open tasks are cancelled. What they committed stays on "
                 "their branches."),
              answers, G_N_ELEMENTS (answers), "close", widget, func, NULL);
}

/**
 * fore_run_menu_ask_discard:
 * @widget: the widget that asks
 * @func: called with @widget and "discard" if the person means it
 */
void
fore_run_menu_ask_discard (GtkWidget *widget, ForeAlertFunc func)
{
  const ForeAlertAnswer answers[] = {
    { "close", _ ("Keep Them"), ADW_RESPONSE_DEFAULT },
    { "discard", _ ("Discard"), ADW_RESPONSE_DESTRUCTIVE },
  };

  fore_alert (widget, _ ("Discard These Changes?"),
              _ ("The working trees of this run are removed and it is not offered for merging any "
                 "more. Its branches stay in the repository."),
              answers, G_N_ELEMENTS (answers), "close", widget, func, NULL);
}

/**
 * fore_run_menu_show_plan:
 * @widget: the widget that asks
 * @model: the run
 *
 * Shows the newest plan: on its page while it can be answered, else as text.
 */
void
fore_run_menu_show_plan (GtkWidget *widget, ForeRunModel *model)
{
  const ForePlan *plan = fore_run_model_get_plan (model, 0);
  const ForeRequest *request = fore_run_model_get_open_request (model);
  g_autoptr (GString) text = g_string_new (NULL);

  if (request != NULL && request->kind == FORE_REQUEST_PLAN)
    {
      gtk_widget_activate_action (widget, "win.show-request", "s", request->id);
      return;
    }
  if (plan == NULL)
    return;

  g_string_append_printf (text, "%s\n\n%s\n", plan->title != NULL ? plan->title : "",
                          plan->summary != NULL ? plan->summary : "");
  for (guint i = 0; i < plan->items->len; i++)
    {
      const ForePlanItem *item = g_ptr_array_index (plan->items, i);

      g_string_append_printf (text, "\n%u. %s (%s)\n%s\n", i + 1, item->title, item->role,
                              item->text != NULL ? item->text : "");
    }
  fore_show_text (widget, _ ("Plan"), text->str);
}

/**
 * fore_run_menu_open_folder:
 * @widget: the widget that asks
 * @model: the run
 */
void
fore_run_menu_open_folder (GtkWidget *widget, ForeRunModel *model)
{
  const ForeRun *run = fore_run_model_get_run (model);
  g_autofree char *uri = run != NULL ? g_filename_to_uri (run->project, NULL, NULL) : NULL;

  if (uri != NULL)
    fore_open_uri (widget, uri);
}

/**
 * fore_run_menu_copy_link:
 * @widget: the widget that asks
 * @model: the run
 */
void
fore_run_menu_copy_link (GtkWidget *widget, ForeRunModel *model)
{
  g_autofree char *link = g_strconcat ("foredeck:run/", fore_run_model_get_id (model), NULL);

  fore_copy_text (widget, link);
  fore_show_note (widget, _ ("Link copied"));
}

static void
export_chosen_cb (gpointer owner, const char *path, gpointer data)
{
  g_autoptr (GError) error = NULL;

  if (!fore_graph_view_export_svg (owner, path, &error))
    fore_show_error (owner, error);
}

/**
 * fore_run_menu_export:
 * @graph: the graph of a run
 */
void
fore_run_menu_export (ForeGraphView *graph)
{
  fore_save_file (GTK_WIDGET (graph), _ ("Save the Graph"), "graph.svg", graph, export_chosen_cb,
                  NULL);
}
