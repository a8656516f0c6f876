/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-page.h"

#include "app/fore-accessible.h"
#include "app/fore-application.h"
#include "app/fore-banner.h"
#include "app/fore-changes-view.h"
#include "app/fore-compat.h"
#include "app/fore-errors.h"
#include "app/fore-format.h"
#include "app/fore-graph-view.h"
#include "app/fore-header.h"
#include "app/fore-log-view.h"
#include "app/fore-merge-dialog.h"
#include "app/fore-run-commands.h"
#include "app/fore-run-item.h"
#include "app/fore-run-model.h"
#include "app/fore-run-stats.h"
#include "app/fore-split.h"
#include "app/fore-task-panel.h"
#include "app/fore-tasks-view.h"
#include "app/fore-view-bar.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef enum
{
  MAIN_NONE,
  MAIN_PAUSE,
  MAIN_CONTINUE,
  MAIN_RESUME,
  MAIN_RETRY,
  MAIN_REVIEW,
  MAIN_MERGE,
} MainVerb;

struct _ForeRunPage
{
  GtkWidget parent_instance;

  GtkWidget *box;
  ForeHeader *header;
  ForeViewBar *view_bar;
  GtkWidget *discard_button;
  GtkWidget *main_button;
  GtkWidget *menu_button;
  GtkWidget *strip;
  GtkBox *stats;
  ForeBanner *banner;
  ForeSplit *split;
  ForeTaskPanel *panel;
  GtkStack *stack;
  ForeGraphView *graph;
  ForeTasksView *tasks;
  ForeChangesView *changes;
  ForeLogView *log;

  ForeRunStats *figures;
  ForeRunModel *model;
  char *run_id;
  char *selected;
  MainVerb verb;
  gboolean interrupted;
  gboolean chose;
  gboolean waits_for_command;
  guint tick;
};

G_DEFINE_FINAL_TYPE (ForeRunPage, fore_run_page, GTK_TYPE_WIDGET)

static void update (ForeRunPage *self);

static const ForeRun *
get_run (ForeRunPage *self)
{
  return self->model != NULL ? fore_run_model_get_run (self->model) : NULL;
}

static gboolean
shows_tasks (ForeRunPage *self)
{
  const char *view = fore_view_bar_get_selected (self->view_bar);

  return g_strcmp0 (view, "graph") == 0 || g_strcmp0 (view, "tasks") == 0;
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

static MainVerb
find_verb (ForeRunPage *self, const ForeRun *run)
{
  gboolean on_changes
      = g_strcmp0 (fore_view_bar_get_selected (self->view_bar), "changes") == 0;

  if (fore_run_awaits_review (run))
    return on_changes ? MAIN_MERGE : MAIN_REVIEW;
  if (self->interrupted)
    return MAIN_RESUME;
  if (run->status == FORE_RUN_PAUSED)
    return MAIN_CONTINUE;
  if (run->status == FORE_RUN_FAILED)
    return MAIN_RETRY;
  if (fore_run_is_active (run))
    return MAIN_PAUSE;

  return MAIN_NONE;
}

static char *
verb_label (MainVerb verb, const ForeRun *run)
{
  switch (verb)
    {
    case MAIN_PAUSE:
      return g_strdup (_ ("Pause"));
    case MAIN_CONTINUE:
      return g_strdup (_ ("Continue"));
    case MAIN_RESUME:
      return g_strdup (_ ("Resume"));
    case MAIN_RETRY:
      return g_strdup (_ ("Retry"));
    case MAIN_REVIEW:
      return g_strdup (_ ("Review Changes"));
    case MAIN_MERGE:
      return g_strdup_printf (_ ("Merge into %s…"),
                              run->base_branch != NULL ? run->base_branch : _ ("the branch"));
    case MAIN_NONE:
    default:
      return NULL;
    }
}

static void
update_buttons (ForeRunPage *self, const ForeRun *run)
{
  g_autofree char *label = NULL;
  gboolean suggested;

  self->verb = find_verb (self, run);
  label = verb_label (self->verb, run);
  suggested = self->verb != MAIN_PAUSE;
  gtk_widget_set_visible (self->main_button, label != NULL);
  gtk_widget_set_visible (self->discard_button, self->verb == MAIN_MERGE);
  if (label != NULL && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (self->main_button)), label) != 0)
    gtk_button_set_label (GTK_BUTTON (self->main_button), label);
  if (suggested)
    gtk_widget_add_css_class (self->main_button, "suggested-action");
  else
    gtk_widget_remove_css_class (self->main_button, "suggested-action");
  gtk_widget_set_sensitive (self->main_button, !self->waits_for_command);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.cancel", fore_run_is_active (run));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.retry", run->status == FORE_RUN_FAILED);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.show-plan", run->plan_version > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.discard", self->verb == MAIN_MERGE);
}

static void
show_request_banner (ForeRunPage *self, const ForeRequest *request)
{
  g_autofree char *text = NULL;

  if (request->kind == FORE_REQUEST_PLAN)
    text = g_strdup_printf (_ ("Plan v%u waits for your approval. Nothing is written before."),
                            request->plan_version);
  else
    text = g_strdup (request->title);
  fore_banner_show (self->banner, FORE_BANNER_ATTENTION, text,
                    request->kind == FORE_REQUEST_PLAN ? _ ("Review Plan") : _ ("Answer"), FALSE);
}

static void
update_banner (ForeRunPage *self, const ForeRun *run)
{
  const ForeRequest *request = fore_run_model_get_open_request (self->model);
  gboolean older = fore_run_is_active (run) && run->owner_version != NULL && run->owner_pid > 0
                   && strcmp (run->owner_version, FORE_VERSION) != 0;

  if (request != NULL)
    show_request_banner (self, request);
  else if (self->interrupted)
    fore_banner_show (self->banner, FORE_BANNER_ATTENTION,
                      _ ("This run was interrupted: its runner is gone. What was finished is safe; "
                         "resuming does not do it again."),
                      _ ("Resume"), FALSE);
  else if (older)
    {
      g_autofree char *text = g_strdup_printf (
          _ ("This run is finishing on an older version of Foredeck (%s)."), run->owner_version);

      fore_banner_show (self->banner, FORE_BANNER_INFO, text, NULL, FALSE);
    }
  else if (run->status == FORE_RUN_FAILED && run->phase_text != NULL)
    fore_banner_show (self->banner, FORE_BANNER_ERROR, run->phase_text, NULL, FALSE);
  else
    fore_banner_hide (self->banner);
}

static void
update_title (ForeRunPage *self, const ForeRun *run)
{
  g_autofree char *project = fore_format_project (run->project);
  g_autofree char *subtitle = NULL;

  if (run->team != NULL)
    subtitle = g_strdup_printf (_ ("%s · %s team"), project, run->team);
  else
    subtitle = g_strdup_printf ("%s · %s", project, run->workflow != NULL ? run->workflow : "");
  fore_header_set_title (self->header, run->title);
  fore_header_set_subtitle (self->header, subtitle);
}

static void
choose_task (ForeRunPage *self)
{
  GListModel *tasks = fore_run_model_get_tasks (self->model);
  guint n = g_list_model_get_n_items (tasks);
  g_autofree char *best = NULL;
  gint64 best_time = -1;

  if (self->chose || n == 0)
    return;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeTaskItem) item = g_list_model_get_item (tasks, i);
      const ForeTask *task = fore_task_item_get_task (item);
      gint64 rank = task->status == FORE_TASK_RUNNING ? G_MAXINT64 - i : task->started;

      if (rank > best_time)
        {
          best_time = rank;
          g_free (best);
          best = g_strdup (task->key);
        }
    }
  if (g_strcmp0 (best, self->selected) == 0)
    return;

  fore_run_page_select_task (self, best);
  self->chose = FALSE;
}

static void
update (ForeRunPage *self)
{
  const ForeRun *run = get_run (self);

  if (run == NULL)
    return;

  update_title (self, run);
  fore_run_stats_update (self->figures, self->model, self->interrupted);
  update_buttons (self, run);
  update_banner (self, run);
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
merge_or_review (ForeRunPage *self)
{
  if (self->verb == MAIN_REVIEW)
    fore_run_page_show_view (self, "changes");
  else
    fore_merge_dialog_open (GTK_WIDGET (self), get_run (self));
}

static void
main_clicked_cb (GtkButton *button, ForeRunPage *self)
{
  switch (self->verb)
    {
    case MAIN_PAUSE:
      run_command (self, FORE_COMMAND_PAUSE, NULL, _ ("Paused: nothing new is started."));
      break;
    case MAIN_CONTINUE:
      run_command (self, FORE_COMMAND_CONTINUE, NULL, _ ("The run goes on."));
      break;
    case MAIN_RESUME:
      run_command (self, FORE_COMMAND_RESUME, NULL, _ ("The run is taken up again."));
      break;
    case MAIN_RETRY:
      run_command (self, FORE_COMMAND_RETRY, NULL, _ ("What failed is tried again."));
      break;
    case MAIN_REVIEW:
    case MAIN_MERGE:
      merge_or_review (self);
      break;
    case MAIN_NONE:
    default:
      break;
    }
}

static void
banner_clicked_cb (ForeBanner *banner, ForeRunPage *self)
{
  if (fore_run_model_get_open_request (self->model) != NULL)
    open_decision (self);
  else if (self->interrupted)
    run_command (self, FORE_COMMAND_RESUME, NULL, _ ("The run is taken up again."));
  else
    run_command (self, FORE_COMMAND_RETRY, NULL, _ ("What failed is tried again."));
}

static void
cancel_answered_cb (gpointer owner, const char *response, const char *text, gpointer data)
{
  if (strcmp (response, "cancel") == 0)
    run_command (owner, FORE_COMMAND_CANCEL, NULL, _ ("The run is cancelled."));
}

static void
cancel_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const ForeAlertAnswer answers[] = {
    { "close", _ ("Keep Running"), ADW_RESPONSE_DEFAULT },
    { "cancel", _ ("Cancel the Run"), ADW_RESPONSE_DESTRUCTIVE },
  };

  fore_alert (widget, _ ("Cancel This Run?"),
              _ ("Its agents are ended and open tasks are cancelled. What they committed stays on "
                 "their branches."),
              answers, G_N_ELEMENTS (answers), "close", widget, cancel_answered_cb, NULL);
}

static void
discard_answered_cb (gpointer owner, const char *response, const char *text, gpointer data)
{
  if (strcmp (response, "discard") == 0)
    run_command (owner, FORE_COMMAND_DISCARD, NULL, _ ("The changes were discarded."));
}

static void
discard_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const ForeAlertAnswer answers[] = {
    { "close", _ ("Keep Them"), ADW_RESPONSE_DEFAULT },
    { "discard", _ ("Discard"), ADW_RESPONSE_DESTRUCTIVE },
  };

  fore_alert (widget, _ ("Discard These Changes?"),
              _ ("The branches and worktrees of this run are removed. Commits that nothing else "
                 "reaches stay under a ref, so that they can be rescued."),
              answers, G_N_ELEMENTS (answers), "close", widget, discard_answered_cb, NULL);
}

static void
retry_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  run_command (FORE_RUN_PAGE (widget), FORE_COMMAND_RETRY, NULL,
               _ ("What failed is tried again."));
}

static void
show_plan_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ForeRunPage *self = FORE_RUN_PAGE (widget);
  const ForePlan *plan = fore_run_model_get_plan (self->model, 0);
  const ForeRequest *request = fore_run_model_get_open_request (self->model);
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

static void
fit_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  fore_graph_view_fit (FORE_RUN_PAGE (widget)->graph);
}

static void
export_chosen_cb (gpointer owner, const char *path, gpointer data)
{
  ForeRunPage *self = owner;
  g_autoptr (GError) error = NULL;

  if (!fore_graph_view_export_svg (self->graph, path, &error))
    fore_show_error (GTK_WIDGET (self), error);
}

static void
export_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  fore_save_file (widget, _ ("Save the Graph"), "graph.svg", widget, export_chosen_cb, NULL);
}

static void
open_folder_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const ForeRun *run = get_run (FORE_RUN_PAGE (widget));
  g_autofree char *uri = NULL;

  if (run == NULL)
    return;

  uri = g_filename_to_uri (run->project, NULL, NULL);
  if (uri != NULL)
    fore_open_uri (widget, uri);
}

static void
copy_link_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ForeRunPage *self = FORE_RUN_PAGE (widget);
  g_autofree char *link = g_strconcat ("foredeck:run/", self->run_id, NULL);

  fore_copy_text (widget, link);
  fore_show_note (widget, _ ("Link copied"));
}

static gboolean
tick_cb (gpointer data)
{
  ForeRunPage *self = data;
  const ForeRun *run = get_run (self);

  if (run != NULL && fore_run_is_active (run))
    {
      fore_run_model_tick (self->model);
      fore_run_stats_update (self->figures, self->model, self->interrupted);
      fore_task_panel_tick (self->panel);
    }

  return G_SOURCE_CONTINUE;
}

static void
fore_run_page_map (GtkWidget *widget)
{
  ForeRunPage *self = FORE_RUN_PAGE (widget);

  GTK_WIDGET_CLASS (fore_run_page_parent_class)->map (widget);
  if (self->tick == 0)
    self->tick = g_timeout_add_seconds (1, tick_cb, self);
}

static void
fore_run_page_unmap (GtkWidget *widget)
{
  ForeRunPage *self = FORE_RUN_PAGE (widget);

  g_clear_handle_id (&self->tick, g_source_remove);
  GTK_WIDGET_CLASS (fore_run_page_parent_class)->unmap (widget);
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

  g_clear_handle_id (&self->tick, g_source_remove);
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
  gtk_widget_class_install_action (widget_class, "run.cancel", NULL, cancel_action);
  gtk_widget_class_install_action (widget_class, "run.discard", NULL, discard_action);
  gtk_widget_class_install_action (widget_class, "run.retry", NULL, retry_action);
  gtk_widget_class_install_action (widget_class, "run.show-plan", NULL, show_plan_action);
  gtk_widget_class_install_action (widget_class, "run.fit", NULL, fit_action);
  gtk_widget_class_install_action (widget_class, "run.export", NULL, export_action);
  gtk_widget_class_install_action (widget_class, "run.open-folder", NULL, open_folder_action);
  gtk_widget_class_install_action (widget_class, "run.copy-link", NULL, copy_link_action);
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
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, menu_button);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, strip);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, stats);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, banner);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, split);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, panel);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, stack);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, graph);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, tasks);
  gtk_widget_class_bind_template_child (widget_class, ForeRunPage, changes);
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
  widget_class->map = fore_run_page_map;
  widget_class->unmap = fore_run_page_unmap;

  g_type_ensure (FORE_TYPE_HEADER);
  g_type_ensure (FORE_TYPE_VIEW_BAR);
  g_type_ensure (FORE_TYPE_BANNER);
  g_type_ensure (FORE_TYPE_SPLIT);
  g_type_ensure (FORE_TYPE_GRAPH_VIEW);
  g_type_ensure (FORE_TYPE_TASK_PANEL);
  g_type_ensure (FORE_TYPE_TASKS_VIEW);
  g_type_ensure (FORE_TYPE_CHANGES_VIEW);
  g_type_ensure (FORE_TYPE_LOG_VIEW);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  bind_template (widget_class);
  install_actions (widget_class);
}

static void
fore_run_page_init (ForeRunPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fore_accessible_watch_stack (self->stack);
  self->figures = fore_run_stats_new (self->stats);
  fore_view_bar_add (self->view_bar, "graph", _ ("Graph"), _ ("Alt+1"));
  fore_view_bar_add (self->view_bar, "tasks", _ ("Tasks"), _ ("Alt+2"));
  fore_view_bar_add (self->view_bar, "changes", _ ("Changes"), _ ("Alt+3"));
  fore_view_bar_add (self->view_bar, "log", _ ("Log"), _ ("Alt+4"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->strip), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Figures of this run"), -1);
}

/**
 * fore_run_page_set_run:
 * @self: a run page
 * @run_id: id of the run to show
 */
void
fore_run_page_set_run (ForeRunPage *self, const char *run_id)
{
  ForeStore *store = fore_application_get_store ();

  g_return_if_fail (FORE_IS_RUN_PAGE (self));
  g_return_if_fail (run_id != NULL);

  if (store == NULL || g_strcmp0 (self->run_id, run_id) == 0)
    return;

  drop_model (self);
  g_free (self->run_id);
  self->run_id = g_strdup (run_id);
  self->interrupted = FALSE;
  self->chose = FALSE;
  g_clear_pointer (&self->selected, g_free);
  fore_banner_hide (self->banner);
  fore_header_set_title (self->header, "");
  fore_header_set_subtitle (self->header, NULL);

  self->model = fore_run_model_new (store, run_id);
  fore_graph_view_set_edges (self->graph, NULL);
  fore_graph_view_set_model (self->graph, fore_run_model_get_nodes (self->model));
  fore_tasks_view_set_model (self->tasks, fore_run_model_get_tasks (self->model));
  fore_log_view_set_model (self->log, fore_run_model_get_events (self->model));
  fore_task_panel_set_task (self->panel, self->model, NULL);
  fore_changes_view_set_run (self->changes, run_id);
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
 * fore_run_page_set_interrupted:
 * @self: a run page
 * @interrupted: whether the run claims to be at work and its runner is gone
 */
void
fore_run_page_set_interrupted (ForeRunPage *self, gboolean interrupted)
{
  g_return_if_fail (FORE_IS_RUN_PAGE (self));

  if (self->interrupted == interrupted)
    return;

  self->interrupted = interrupted;
  update (self);
}

/**
 * fore_run_page_show_view:
 * @self: a run page
 * @view: graph, tasks, changes or log
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
