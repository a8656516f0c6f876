/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-page.h"

#include "app/fore-accessible.h"
#include "app/fore-application.h"
#include "app/fore-banner.h"
#include "app/fore-changes-view.h"
#include "app/fore-checkout-banner.h"
#include "app/fore-conversation-view.h"
#include "app/fore-graph-view.h"
#include "app/fore-header.h"
#include "app/fore-log-view.h"
#include "app/fore-merge-dialog.h"
#include "app/fore-narrow-layout.h"
#include "app/fore-page-keys.h"
#include "app/fore-run-banner.h"
#include "app/fore-run-commands.h"
#include "app/fore-run-forget.h"
#include "app/fore-run-menu.h"
#include "app/fore-run-model.h"
#include "app/fore-run-stats.h"
#include "app/fore-run-verb.h"
#include "app/fore-split.h"
#include "app/fore-task-panel.h"
#include "app/fore-tasks-view.h"
#include "app/fore-ticker.h"
#include "app/fore-view-bar.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _ForeRunPage
{
  GtkWidget parent_instance;

  GtkWidget *box;
  ForeHeader *header;
  ForeViewBar *view_bar;
  GtkWidget *discard_button;
  GtkWidget *main_button;
  ForeFlow *stats;
  ForeBanner *banner;
  ForeCheckoutBanner *checkout;
  ForeSplit *split;
  ForeTaskPanel *panel;
  GtkStack *stack;
  ForeGraphView *graph;
  ForeTasksView *tasks;
  ForeChangesView *changes;
  ForeConversationView *conversation;
  ForeLogView *log;

  ForeRunStats *figures;
  ForeRunModel *model;
  char *run_id;
  char *selected;
  ForeRunVerb verb;
  ForeRunHealth health;
  gboolean chose;
  gboolean waits_for_command;
  gboolean narrow;
};

G_DEFINE_FINAL_TYPE (ForeRunPage, fore_run_page, GTK_TYPE_WIDGET)

static void update (ForeRunPage *self);

static const ForeRun *
get_run (ForeRunPage *self)
{
  return self->model != NULL ? fore_run_model_get_run (self->model) : NULL;
}

static gboolean
is_view (ForeRunPage *self, const char *view)
{
  return g_strcmp0 (fore_view_bar_get_selected (self->view_bar), view) == 0;
}

static gboolean
shows_tasks (ForeRunPage *self)
{
  return is_view (self, "graph") || is_view (self, "tasks");
}

static void
update_panel (ForeRunPage *self, gboolean open)
{
  gboolean wanted = self->selected != NULL && shows_tasks (self);

  if (!fore_split_get_collapsed (self->split) || !wanted || open)
    fore_split_set_show_side (self->split, wanted);
}

static void
command_done_cb (gpointer owner, gboolean done, gpointer data)
{
  ForeRunPage *self = owner;

  self->waits_for_command = FALSE;
  update (self);
}

static void
run_command (ForeRunPage *self, ForeCommandKind kind, const char *const *args, const char *note)
{
  self->waits_for_command = TRUE;
  gtk_widget_set_sensitive (self->main_button, FALSE);
  fore_run_command (GTK_WIDGET (self), self->run_id, kind, args, note, command_done_cb, NULL);
}

static void
update_buttons (ForeRunPage *self, const ForeRun *run)
{
  self->verb = fore_run_verb_find (run, self->health, is_view (self, "changes"));
  if (fore_run_banner_says_discarded (self->model))
    self->verb = FORE_RUN_VERB_NONE;
  fore_run_verb_show (self->verb, run, self->narrow, GTK_BUTTON (self->main_button));
  gtk_widget_set_sensitive (self->main_button, !self->waits_for_command);
  gtk_widget_set_visible (self->discard_button, self->verb == FORE_RUN_VERB_MERGE && !self->narrow);
  fore_run_menu_update (GTK_WIDGET (self), run, self->verb);
}

/* Without room discarding is in the menu only. */
static void
set_narrow (GtkWidget *widget, gboolean narrow)
{
  FORE_RUN_PAGE (widget)->narrow = narrow;
  update (FORE_RUN_PAGE (widget));
}

static void
choose_task (ForeRunPage *self)
{
  const char *best = fore_task_items_pick (fore_run_model_get_tasks (self->model));

  if (self->chose || best == NULL || g_strcmp0 (best, self->selected) == 0)
    return;

  fore_run_page_select_task (self, best);
  self->chose = FALSE;
}

static void
update (ForeRunPage *self)
{
  const ForeRun *run = get_run (self);
  g_autofree char *subtitle = NULL;

  if (run == NULL)
    return;

  subtitle = fore_run_dup_subtitle (run);
  fore_header_set_title (self->header, run->title);
  fore_header_set_subtitle (self->header, subtitle);
  fore_run_stats_update (self->figures, self->model, self->health);
  update_buttons (self, run);
  fore_run_banner_update (self->banner, self->model, self->health);
  fore_changes_view_update (self->changes, self->model);
  choose_task (self);
}

static void
model_changed_cb (ForeRunModel *model, ForeRunPage *self)
{
  g_assert (FORE_IS_RUN_PAGE (self));

  update (self);
}

static void
edges_changed_cb (ForeRunModel *model, ForeRunPage *self)
{
  g_autoptr (GPtrArray) edges = fore_run_model_dup_edges (model);

  fore_graph_view_set_edges (self->graph, edges);
}

static void
model_failed_cb (ForeRunModel *model, const GError *error, ForeRunPage *self)
{
  fore_banner_show (self->banner, FORE_BANNER_ERROR, error->message, NULL, TRUE);
}

static void
open_decision (ForeRunPage *self)
{
  const ForeRequest *request = fore_run_model_get_open_request (self->model);

  if (request != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-request", "s", request->id);
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "run.show-plan", NULL);
}

static void
node_activated_cb (ForeGraphView *graph, const char *id, ForeRunPage *self)
{
  if (g_str_equal (id, FORE_NODE_RESULT))
    fore_run_page_show_view (self, "changes");
  else if (g_str_has_prefix (id, "gate:"))
    open_decision (self);
  else
    {
      fore_run_page_select_task (self, id);
      update_panel (self, TRUE);
    }
}

static void
node_selected_cb (ForeGraphView *graph, GParamSpec *pspec, ForeRunPage *self)
{
  const char *id = fore_graph_view_get_selected_id (graph);

  if (id == NULL || g_str_has_prefix (id, "gate:") || g_strcmp0 (id, self->selected) == 0)
    return;

  fore_run_page_select_task (self, id);
}

static void
task_selected_cb (GtkWidget *view, const char *key, ForeRunPage *self)
{
  if (g_strcmp0 (key, self->selected) != 0)
    fore_run_page_select_task (self, key);
}

static void
task_activated_cb (GtkWidget *view, const char *key, ForeRunPage *self)
{
  if (!shows_tasks (self))
    fore_run_page_show_view (self, "graph");
  fore_run_page_select_task (self, key);
  update_panel (self, TRUE);
}

static void
collapsed_cb (ForeSplit *split, GParamSpec *pspec, ForeRunPage *self)
{
  fore_task_panel_set_closable (self->panel, fore_split_get_collapsed (split));
}

static void
panel_close_cb (ForeTaskPanel *panel, ForeRunPage *self)
{
  fore_split_set_show_side (self->split, FALSE);
  gtk_widget_grab_focus (GTK_WIDGET (self->graph));
}

static void
view_selected_cb (ForeViewBar *bar, GParamSpec *pspec, ForeRunPage *self)
{
  const char *view = fore_view_bar_get_selected (bar);

  if (view == NULL)
    return;

  gtk_stack_set_visible_child_name (self->stack, view);
  fore_changes_view_set_active (self->changes, strcmp (view, "changes") == 0);
  update_panel (self, FALSE);
  update (self);
}

static void
restart (ForeRunPage *self)
{
  self->waits_for_command = TRUE;
  update (self);
  fore_run_restart (GTK_WIDGET (self), self->run_id, command_done_cb, NULL);
}

static void
main_clicked_cb (GtkButton *button, ForeRunPage *self)
{
  g_auto (GStrv) without = fore_changes_view_dup_left_out (self->changes);
  ForeCommandKind kind;
  const char *note;

  if (fore_run_verb_get_command (self->verb, &kind, &note))
    run_command (self, kind, NULL, note);
  else if (self->verb == FORE_RUN_VERB_RESTART)
    restart (self);
  else if (self->verb == FORE_RUN_VERB_REVIEW)
    fore_run_page_show_view (self, "changes");
  else if (self->verb == FORE_RUN_VERB_MERGE)
    fore_merge_dialog_open (GTK_WIDGET (self), get_run (self), (const char *const *) without);
}

static void
banner_clicked_cb (ForeBanner *banner, ForeRunPage *self)
{
  ForeCommandKind kind;
  const char *const *args;
  const char *note;

  kind = fore_run_banner_get_command (self->model, self->health, &args, &note);
  if (self->health == FORE_RUN_STUCK)
    restart (self);
  else if (fore_run_model_get_open_request (self->model) != NULL)
    open_decision (self);
  else
    run_command (self, kind, args, note);
}

static void
confirmed_cb (gpointer owner, const char *response, const char *text, gpointer data)
{
  if (strcmp (response, "cancel") == 0)
    run_command (owner, FORE_COMMAND_CANCEL, NULL, _ ("The run is cancelled."));
  else if (strcmp (response, "discard") == 0)
    run_command (owner, FORE_COMMAND_DISCARD, NULL, _ ("The changes were discarded."));
}

static void
end_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (strcmp (name, "run.cancel") == 0)
    fore_run_menu_ask_cancel (widget, confirmed_cb);
  else
    fore_run_menu_ask_discard (widget, confirmed_cb);
}

static void
menu_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ForeRunPage *self = FORE_RUN_PAGE (widget);

  if (strcmp (name, "run.show-plan") == 0)
    fore_run_menu_show_plan (widget, self->model);
  else if (strcmp (name, "run.retry") == 0)
    run_command (self, FORE_COMMAND_RETRY, NULL, _ ("What failed is tried again."));
  else if (strcmp (name, "run.export") == 0)
    fore_run_menu_export (self->graph);
  else if (strcmp (name, "run.fit") == 0)
    fore_graph_view_fit (self->graph);
  else if (strcmp (name, "run.copy-link") == 0)
    fore_run_menu_copy_link (widget, self->model);
  else if (strcmp (name, "run.open-folder") == 0)
    fore_run_menu_open_folder (widget, self->model);
  else
    fore_run_forget_ask (widget, self->run_id);
}

static void
tick (GtkWidget *widget)
{
  ForeRunPage *self = FORE_RUN_PAGE (widget);
  const ForeRun *run = get_run (self);

  if (run == NULL || !fore_run_is_active (run))
    return;

  fore_run_model_tick (self->model);
  fore_run_stats_tick (self->figures, self->model, self->health);
  fore_task_panel_tick (self->panel);
}

static void
drop_model (ForeRunPage *self)
{
  if (self->model == NULL)
    return;

  g_signal_handlers_disconnect_by_data (self->model, self);
  fore_run_model_stop (self->model);
  g_clear_object (&self->model);
}

static void
fore_run_page_dispose (GObject *object)
{
  ForeRunPage *self = FORE_RUN_PAGE (object);

  drop_model (self);
  g_clear_pointer (&self->figures, fore_run_stats_free);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->run_id, g_free);
  g_clear_pointer (&self->selected, g_free);

  G_OBJECT_CLASS (fore_run_page_parent_class)->dispose (object);
}

static void
install_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "run.cancel", NULL, end_action);
  gtk_widget_class_install_action (widget_class, "run.discard", NULL, end_action);
  gtk_widget_class_install_action (widget_class, "run.retry", NULL, menu_action);
  gtk_widget_class_install_action (widget_class, "run.show-plan", NULL, menu_action);
  gtk_widget_class_install_action (widget_class, "run.fit", NULL, menu_action);
  gtk_widget_class_install_action (widget_class, "run.export", NULL, menu_action);
  gtk_widget_class_install_action (widget_class, "run.forget", NULL, menu_action);
  gtk_widget_class_install_action (widget_class, "run.open-folder", NULL, menu_action);
  gtk_widget_class_install_action (widget_class, "run.copy-link", NULL, menu_action);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/foredeck/Foredeck/ui/fore-run-page.ui");
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, box);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, header);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, view_bar);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, discard_button);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, main_button);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, stats);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, banner);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, checkout);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, split);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, panel);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, stack);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, graph);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, tasks);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, changes);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, conversation);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, log);
  gtk_widget_class_bind_template_callback (widget_class, view_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, main_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, banner_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, node_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, node_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, task_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, task_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, panel_close_cb);
  gtk_widget_class_bind_template_callback (widget_class, collapsed_cb);
}

static void
fore_run_page_class_init (ForeRunPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_run_page_dispose;

  g_type_ensure (FORE_TYPE_FLOW);
  g_type_ensure (FORE_TYPE_HEADER);
  g_type_ensure (FORE_TYPE_VIEW_BAR);
  g_type_ensure (FORE_TYPE_BANNER);
  g_type_ensure (FORE_TYPE_CHECKOUT_BANNER);
  g_type_ensure (FORE_TYPE_SPLIT);
  g_type_ensure (FORE_TYPE_GRAPH_VIEW);
  g_type_ensure (FORE_TYPE_TASK_PANEL);
  g_type_ensure (FORE_TYPE_TASKS_VIEW);
  g_type_ensure (FORE_TYPE_CHANGES_VIEW);
  g_type_ensure (FORE_TYPE_CONVERSATION_VIEW);
  g_type_ensure (FORE_TYPE_LOG_VIEW);
  bind_template (widget_class);
  install_actions (widget_class);
}

static void
fore_run_page_init (ForeRunPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fore_narrow_layout_install (GTK_WIDGET (self), 560, set_narrow);
  fore_accessible_watch_stack (self->stack);
  fore_page_keys_set_target (GTK_WIDGET (self), GTK_WIDGET (self->stack));
  self->figures = fore_run_stats_new (self->stats);
  fore_ticker_attach (GTK_WIDGET (self), tick);
  if (fore_application_get_settings () != NULL)
    g_settings_bind (fore_application_get_settings (), "panel-width", self->split, "side-width",
                     G_SETTINGS_BIND_DEFAULT);
  fore_view_bar_add (self->view_bar, "graph", _ ("Graph"), _ ("Alt+1"));
  fore_view_bar_add (self->view_bar, "tasks", _ ("Tasks"), _ ("Alt+2"));
  fore_view_bar_add (self->view_bar, "changes", _ ("Changes"), _ ("Alt+3"));
  fore_view_bar_add (self->view_bar, "log", _ ("Log"), _ ("Alt+4"));
  fore_view_bar_add (self->view_bar, "conversation", _ ("Conversation"), _ ("Alt+5"));
}

/**
 * fore_run_page_set_run:
 * @self: a run page
 * @run_id: (nullable): id of the run to show; %NULL lets go of the one that is shown
 */
void
fore_run_page_set_run (ForeRunPage *self, const char *run_id)
{
  ForeStore *store = fore_application_get_store ();

  g_return_if_fail (FORE_IS_RUN_PAGE (self));

  if (store == NULL || g_strcmp0 (self->run_id, run_id) == 0)
    return;

  drop_model (self);
  g_free (self->run_id);
  self->run_id = g_strdup (run_id);
  if (run_id == NULL)
    return;

  self->health = FORE_RUN_WELL;
  self->chose = FALSE;
  g_clear_pointer (&self->selected, g_free);
  fore_banner_hide (self->banner);
  fore_header_set_title (self->header, "");
  fore_header_set_subtitle (self->header, NULL);

  self->model = fore_run_model_new (store, run_id);
  fore_graph_view_set_edges (self->graph, NULL);
  fore_graph_view_set_model (self->graph, fore_run_model_get_nodes (self->model));
  fore_tasks_view_set_model (self->tasks, fore_run_model_get_tasks (self->model));
  fore_conversation_view_follow (self->conversation, self->model);
  fore_log_view_set_model (self->log, fore_run_model_get_events (self->model));
  fore_task_panel_set_task (self->panel, self->model, NULL);
  fore_changes_view_set_run (self->changes, run_id);
  fore_checkout_banner_set_model (self->checkout, self->model);
  g_signal_connect_object (self->model, "changed", G_CALLBACK (model_changed_cb), self, 0);
  g_signal_connect_object (self->model, "edges-changed", G_CALLBACK (edges_changed_cb), self, 0);
  g_signal_connect_object (self->model, "failed", G_CALLBACK (model_failed_cb), self, 0);
  fore_run_model_start (self->model);
  fore_run_page_show_view (self, "graph");
}

/**
 * fore_run_page_get_run_id:
 * @self: a run page
 *
 * Returns: (transfer none) (nullable): id of the run that is shown
 */
const char *
fore_run_page_get_run_id (ForeRunPage *self)
{
  g_return_val_if_fail (FORE_IS_RUN_PAGE (self), NULL);

  return self->run_id;
}

/**
 * fore_run_page_set_health:
 * @self: a run page
 * @health: what the run's runner is up to
 */
void
fore_run_page_set_health (ForeRunPage *self, ForeRunHealth health)
{
  g_return_if_fail (FORE_IS_RUN_PAGE (self));

  if (self->health == health)
    return;

  self->health = health;
  update (self);
}

/**
 * fore_run_page_show_view:
 * @self: a run page
 * @view: graph, tasks, changes, log or conversation
 */
void
fore_run_page_show_view (ForeRunPage *self, const char *view)
{
  g_return_if_fail (FORE_IS_RUN_PAGE (self));

  fore_view_bar_set_selected (self->view_bar, view);
}

/**
 * fore_run_page_select_task:
 * @self: a run page
 * @key: (nullable): key of a task
 *
 * Selects the task in the graph, in the table and in the panel alike.
 */
void
fore_run_page_select_task (ForeRunPage *self, const char *key)
{
  g_autofree char *copy = g_strdup (key);

  g_return_if_fail (FORE_IS_RUN_PAGE (self));

  if (self->model == NULL)
    return;

  self->chose = TRUE;
  g_free (self->selected);
  self->selected = g_steal_pointer (&copy);
  fore_graph_view_set_selected_id (self->graph, self->selected);
  fore_tasks_view_set_selected (self->tasks, self->selected);
  fore_task_panel_set_task (self->panel, self->model, self->selected);
  update_panel (self, FALSE);
}

/**
 * fore_run_page_is_settled:
 * @self: a run page
 *
 * Returns: whether the run was read and its graph lies where it will lie
 */
gboolean
fore_run_page_is_settled (ForeRunPage *self)
{
  g_return_val_if_fail (FORE_IS_RUN_PAGE (self), TRUE);

  return get_run (self) != NULL && fore_graph_view_is_settled (self->graph);
}
