/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-new-run-sheet.h"

#include "app/fore-application.h"
#include "app/fore-compat.h"
#include "app/fore-draft.h"
#include "app/fore-errors.h"
#include "app/fore-limit-spin.h"
#include "app/fore-outside.h"
#include "app/fore-policy-row.h"
#include "app/fore-project-row.h"
#include "app/fore-run-choices.h"
#include "app/fore-run-preview-pane.h"
#include "app/fore-run-start.h"
#include "app/fore-run-way.h"
#include "app/fore-split.h"
#include "app/fore-trust-row.h"
#include "app/fore-when-row.h"
#include "app/fore-widgets.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PREVIEW_MS 250
#define GOAL_WORKFLOW "goal"
#define USUAL_WIDTH 1100
#define USUAL_HEIGHT 780

struct _ForeNewRunSheet
{
  AdwWindow parent_instance;

  GtkWidget *start_button;
  GtkImage *obstacle_icon;
  GtkLabel *obstacle;
  GtkWidget *preview_button;
  AdwToastOverlay *toasts;
  ForeSplit *split;
  GtkTextView *goal;
  GtkWidget *demo_group;
  GtkLabel *goal_hint;
  ForeProjectRow *project_row;
  ForeTrustRow *trust_row;
  GtkSwitch *worktrees;
  ForeRunWay *way;
  AdwComboRow *team_row;
  AdwComboRow *workflow_row;
  AdwComboRow *cli_row;
  AdwEntryRow *model_row;
  GtkSwitch *approval;
  GtkSpinButton *budget;
  GtkSpinButton *jobs;
  AdwComboRow *policy_row;
  ForeWhenRow *when_row;
  ForeRunPreviewPane *preview;

  GPtrArray *teams;
  GPtrArray *workflows;
  GPtrArray *clis;
  char *library_project; /* whose teams and workflows are offered */
  guint preview_timeout;
  gboolean loaded;
  gboolean starting;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (ForeNewRunSheet, fore_new_run_sheet, ADW_TYPE_WINDOW)

static void queue_preview (ForeNewRunSheet *self);

/* Why it cannot start, the gravest first; NULL if it can. */
static const char *
find_obstacle (ForeNewRunSheet *self)
{
  g_autofree char *goal = fore_draft_dup_text (self->goal);
  const char *refusal = fore_run_preview_pane_get_refusal (self->preview);

  if (self->starting)
    return _ ("It is being started.");
  if (fore_project_row_get_path (self->project_row) == NULL)
    return _ ("To start, choose a project.");
  if (refusal != NULL)
    return refusal;
  if (fore_when_row_get_fault (self->when_row) != NULL)
    return fore_when_row_get_fault (self->when_row);

  return fore_run_way_get_obstacle (self->way, *goal != 0);
}

static void
update_start (ForeNewRunSheet *self)
{
  const char *obstacle = find_obstacle (self);
  gboolean refused = fore_run_preview_pane_get_refusal (self->preview) != NULL;

  gtk_button_set_label (GTK_BUTTON (self->start_button),
                        fore_when_row_get_time (self->when_row) != NULL ? _ ("Schedule")
                                                                        : _ ("Start"));
  gtk_widget_set_sensitive (self->start_button, obstacle == NULL);
  gtk_widget_set_tooltip_text (self->start_button, obstacle);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->start_button),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  obstacle != NULL ? obstacle : "", -1);
  gtk_image_set_from_icon_name (self->obstacle_icon,
                                refused ? "fore-warning-symbolic" : "fore-info-symbolic");
  /* It stays where it is: a form that moved would put something else under the pointer. */
  fore_outside_show (self->obstacle, obstacle != NULL ? obstacle : _ ("Ready to start."));
}

static const char *
chosen (AdwComboRow *row, GPtrArray *values)
{
  guint index = adw_combo_row_get_selected (row);

  return values != NULL && index < values->len ? g_ptr_array_index (values, index) : NULL;
}

static ForeRunSpec *
make_spec (ForeNewRunSheet *self)
{
  g_autofree char *goal = fore_draft_dup_text (self->goal);
  gboolean by_team = fore_run_way_get_kind (self->way) == FORE_RUN_WAY_TEAM;
  ForeRunSpec *spec = fore_run_spec_new (fore_project_row_get_path (self->project_row),
                                         *goal == 0 && by_team ? _ ("Your goal") : goal);
  const char *model = gtk_editable_get_text (GTK_EDITABLE (self->model_row));
  double budget = gtk_spin_button_get_value (self->budget);

  g_free (spec->team);
  spec->team = g_strdup (chosen (self->team_row, self->teams));
  g_free (spec->workflow);
  spec->workflow = g_strdup (chosen (self->workflow_row, self->workflows));
  spec->options.isolation = gtk_switch_get_active (self->worktrees) ? FORE_ISOLATION_WORKTREES
                                                                    : FORE_ISOLATION_NONE;
  spec->options.approval = gtk_switch_get_active (self->approval) ? FORE_APPROVAL_ASK
                                                                  : FORE_APPROVAL_AUTO;
  spec->options.on_failure = fore_policy_row_get (self->policy_row);
  spec->options.jobs = (guint) gtk_spin_button_get_value_as_int (self->jobs);
  spec->options.budget_cost = (gint64) (budget * 1e6);
  g_free (spec->options.cli);
  spec->options.cli = g_strdup (chosen (self->cli_row, self->clis));
  g_free (spec->options.model);
  spec->options.model = *model != 0 ? g_strdup (model) : NULL;
  fore_run_way_fill (self->way, spec);

  return spec;
}

static void
judged_cb (ForeRunPreviewPane *pane, ForeNewRunSheet *self)
{
  fore_trust_row_set_project (self->trust_row, fore_run_preview_pane_get_untrusted (pane));
  update_start (self);
}

static void
previewed_cb (ForeRunPreviewPane *pane, const char *branch, ForeNewRunSheet *self)
{
  fore_project_row_set_branch (self->project_row, branch);
}

static gboolean
preview_cb (gpointer data)
{
  ForeNewRunSheet *self = data;

  const char *lacks = fore_run_way_get_obstacle (self->way, TRUE);

  self->preview_timeout = 0;
  if (fore_project_row_get_path (self->project_row) == NULL || !self->loaded)
    fore_run_preview_pane_clear (self->preview,
                                 _ ("Choose a project to see the graph that this run would have."));
  else if (lacks != NULL)
    fore_run_preview_pane_clear (self->preview, lacks);
  else
    fore_run_preview_pane_show (self->preview, make_spec (self));

  return G_SOURCE_REMOVE;
}

static void
queue_preview (ForeNewRunSheet *self)
{
  if (self->updating)
    return;

  update_start (self);
  g_clear_handle_id (&self->preview_timeout, g_source_remove);
  self->preview_timeout = g_timeout_add (PREVIEW_MS, preview_cb, self);
}

static void
changed_cb (GObject *object, GParamSpec *pspec, ForeNewRunSheet *self)
{
  queue_preview (self);
}

static void
goal_changed_cb (GtkTextBuffer *buffer, ForeNewRunSheet *self)
{
  fore_draft_keep (self->goal, fore_project_row_get_path (self->project_row));
  update_start (self);
}

/* A turn is one step, as on the command line, unless another workflow was chosen for it. */
static void
choose_turn (ForeNewRunSheet *self, gboolean loop)
{
  const char *now = chosen (self->workflow_row, self->workflows);

  for (guint i = 0; i < self->workflows->len; i++)
    {
      if (g_strcmp0 (g_ptr_array_index (self->workflows, i), loop ? GOAL_WORKFLOW : NULL) == 0
          && g_strcmp0 (now, loop ? NULL : GOAL_WORKFLOW) == 0)
        adw_combo_row_set_selected (self->workflow_row, i);
    }
}

static void
team_selected_cb (AdwComboRow *row, GParamSpec *pspec, ForeNewRunSheet *self)
{
  if (!self->updating)
    {
      adw_combo_row_set_selected (self->workflow_row, 0);
      choose_turn (self, fore_run_way_get_goal_loop (self->way));
    }
  queue_preview (self);
}

/* What was chosen stays chosen where it is still there. */
static void
fill_teams (ForeNewRunSheet *self, const ForeRunChoices *choices)
{
  g_autofree char *team = g_strdup (chosen (self->team_row, self->teams));
  g_autofree char *workflow = g_strdup (chosen (self->workflow_row, self->workflows));
  guint usual;

  g_ptr_array_set_size (self->teams, 0);
  g_ptr_array_set_size (self->workflows, 0);
  usual = fore_run_choices_list_teams (choices, self->teams);
  g_ptr_array_add (self->workflows, NULL);
  fore_run_choices_list_workflows (choices, self->workflows);
  fore_combo_set_names (self->team_row, self->teams, NULL,
                        fore_run_choices_find (self->teams, team, usual));
  fore_combo_set_names (self->workflow_row, self->workflows, _ ("The team's own"),
                        fore_run_choices_find (self->workflows, workflow, 0));
}

static void
library_loaded_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeNewRunSheet *self = owner;

  if (result == NULL)
    return;

  self->updating = TRUE;
  fill_teams (self, result);
  self->updating = FALSE;
  queue_preview (self);
}

/* A project that is trusted brings teams and workflows of its own. */
static void
load_library (ForeNewRunSheet *self)
{
  g_free (self->library_project);
  self->library_project = g_strdup (fore_project_row_get_path (self->project_row));
  fore_run_choices_query (self, fore_application_get_store (), self->library_project, FALSE,
                          library_loaded_cb);
}

static void
follow_project (ForeNewRunSheet *self)
{
  const char *path = fore_project_row_get_path (self->project_row);

  fore_draft_offer (self->goal, path);
  fore_draft_keep (self->goal, path);
  queue_preview (self);
  if (self->loaded && g_strcmp0 (path, self->library_project) != 0)
    load_library (self);
}

static void
trusted_cb (ForeTrustRow *row, ForeNewRunSheet *self)
{
  load_library (self);
}

static void
way_changed_cb (ForeRunWay *way, ForeNewRunSheet *self)
{
  ForeRunWayKind kind = fore_run_way_get_kind (way);

  g_assert (FORE_IS_NEW_RUN_SHEET (self));

  gtk_widget_set_visible (GTK_WIDGET (self->team_row), kind != FORE_RUN_WAY_CHAIN);
  gtk_widget_set_visible (GTK_WIDGET (self->workflow_row), kind == FORE_RUN_WAY_TEAM);
  gtk_label_set_text (self->goal_hint, fore_run_way_get_hint (way));
  choose_turn (self, kind == FORE_RUN_WAY_TEAM && fore_run_way_get_goal_loop (way));
  queue_preview (self);
}

static void
apply_settings (ForeNewRunSheet *self, ForeSettings *settings)
{
  gtk_spin_button_set_value (self->budget, fore_settings_get_double (settings, "limits.run_cost"));
  gtk_spin_button_set_value (self->jobs,
                             (double) fore_settings_get_int (settings, "limits.run_agents"));
  gtk_switch_set_active (self->approval,
                         g_strcmp0 (fore_settings_get_string (settings, "approval.plan"), "auto")
                             != 0);
  gtk_switch_set_active (self->worktrees,
                         g_strcmp0 (fore_settings_get_string (settings, "git.isolation"), "none")
                             != 0);
  fore_policy_row_set_word (self->policy_row,
                            fore_settings_get_string (settings, "failure.policy"));
}

static void
fill_clis (ForeNewRunSheet *self, const ForeRunChoices *choices)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_set_size (self->clis, 0);
  g_ptr_array_add (self->clis, NULL);
  g_ptr_array_add (names, g_strdup (_ ("Each role's own")));
  for (guint i = 0; i < choices->clis->len; i++)
    {
      g_ptr_array_add (self->clis, g_strdup (g_ptr_array_index (choices->clis, i)));
      g_ptr_array_add (names, g_strdup (g_ptr_array_index (choices->titles, i)));
    }
  fore_combo_set_names (self->cli_row, names, NULL, 0);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->cli_row),
                               fore_run_choices_has_agent (choices)
                                   ? _ ("found on this machine")
                                   : _ ("none was found on this machine"));
  gtk_widget_set_visible (self->demo_group, !fore_run_choices_has_agent (choices));
  fore_run_preview_pane_set_clis (self->preview, choices->clis);
}

static void
agents_found_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeNewRunSheet *self = owner;

  if (result == NULL)
    return;

  self->updating = TRUE;
  fill_clis (self, result);
  self->updating = FALSE;
}

static void
loaded_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeNewRunSheet *self = owner;
  ForeRunChoices *choices = result;

  if (error != NULL)
    {
      fore_show_error (GTK_WIDGET (self->toasts), error);
      return;
    }
  self->updating = TRUE;
  fore_project_row_add_known (self->project_row, choices->projects);
  fill_teams (self, choices);
  apply_settings (self, choices->settings);
  self->loaded = TRUE;
  self->updating = FALSE;
  way_changed_cb (self->way, self);
  follow_project (self);
}

static void
started_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeNewRunSheet *self = owner;
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (self));

  self->starting = FALSE;
  update_start (self);
  if (error != NULL)
    {
      fore_show_error (GTK_WIDGET (self->toasts), error);
      return;
    }
  if (parent != NULL)
    fore_run_start_show (GTK_WIDGET (parent), result);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->goal), "", -1);
  gtk_window_close (GTK_WINDOW (self));
}

static void
start_clicked_cb (GtkButton *button, ForeNewRunSheet *self)
{
  self->starting = TRUE;
  update_start (self);
  fore_run_start (self, fore_application_get_store (), make_spec (self),
                  fore_when_row_get_time (self->when_row), started_cb);
}

static void
start_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ForeNewRunSheet *self = FORE_NEW_RUN_SHEET (widget);

  if (gtk_widget_get_sensitive (self->start_button))
    start_clicked_cb (NULL, self);
}

static void
demo_clicked_cb (GtkButton *button, ForeNewRunSheet *self)
{
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (self));

  if (parent != NULL)
    gtk_widget_activate_action (GTK_WIDGET (parent), "win.try-demo", NULL);
  gtk_window_close (GTK_WINDOW (self));
}

static void
preview_clicked_cb (GtkButton *button, ForeNewRunSheet *self)
{
  fore_split_set_show_side (self->split, !fore_split_get_show_side (self->split));
}

static void
collapsed_cb (ForeSplit *split, GParamSpec *pspec, ForeNewRunSheet *self)
{
  gtk_widget_set_visible (self->preview_button, fore_split_get_collapsed (split));
}

static gboolean
fore_new_run_sheet_close_request (GtkWindow *window)
{
  ForeNewRunSheet *self = FORE_NEW_RUN_SHEET (window);

  fore_draft_keep (self->goal, fore_project_row_get_path (self->project_row));

  return GTK_WINDOW_CLASS (fore_new_run_sheet_parent_class)->close_request (window);
}

static void
fore_new_run_sheet_dispose (GObject *object)
{
  ForeNewRunSheet *self = FORE_NEW_RUN_SHEET (object);

  g_clear_handle_id (&self->preview_timeout, g_source_remove);

  G_OBJECT_CLASS (fore_new_run_sheet_parent_class)->dispose (object);
}

static void
fore_new_run_sheet_finalize (GObject *object)
{
  ForeNewRunSheet *self = FORE_NEW_RUN_SHEET (object);

  g_ptr_array_unref (self->teams);
  g_ptr_array_unref (self->workflows);
  g_ptr_array_unref (self->clis);
  g_free (self->library_project);

  G_OBJECT_CLASS (fore_new_run_sheet_parent_class)->finalize (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, start_button);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, obstacle_icon);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, obstacle);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, preview_button);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, toasts);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, split);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, demo_group);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, goal);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, goal_hint);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, project_row);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, trust_row);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, worktrees);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, way);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, team_row);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, workflow_row);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, cli_row);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, model_row);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, approval);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, budget);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, jobs);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, policy_row);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, when_row);
  gtk_widget_class_bind_template_child (widget_class, ForeNewRunSheet, preview);
}

static void
bind_callbacks (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_callback (widget_class, start_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, preview_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, demo_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, collapsed_cb);
  gtk_widget_class_bind_template_callback (widget_class, previewed_cb);
  gtk_widget_class_bind_template_callback (widget_class, judged_cb);
  gtk_widget_class_bind_template_callback (widget_class, trusted_cb);
  gtk_widget_class_bind_template_callback (widget_class, queue_preview);
  gtk_widget_class_bind_template_callback (widget_class, follow_project);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, team_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, way_changed_cb);
}

static void
fore_new_run_sheet_class_init (ForeNewRunSheetClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_new_run_sheet_dispose;
  G_OBJECT_CLASS (klass)->finalize = fore_new_run_sheet_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = fore_new_run_sheet_close_request;
  g_type_ensure (FORE_TYPE_SPLIT);
  g_type_ensure (FORE_TYPE_PROJECT_ROW);
  g_type_ensure (FORE_TYPE_TRUST_ROW);
  g_type_ensure (FORE_TYPE_WHEN_ROW);
  g_type_ensure (FORE_TYPE_RUN_WAY);
  g_type_ensure (FORE_TYPE_RUN_PREVIEW_PANE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/foredeck/Foredeck/ui/fore-new-run-sheet.ui");
  bind_children (widget_class);
  bind_callbacks (widget_class);
  gtk_widget_class_install_action (widget_class, "sheet.start", NULL, start_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Return, GDK_CONTROL_MASK,
                                       "sheet.start", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
fore_new_run_sheet_init (ForeNewRunSheet *self)
{
  self->teams = g_ptr_array_new_with_free_func (g_free);
  self->workflows = g_ptr_array_new_with_free_func (g_free);
  self->clis = g_ptr_array_new_with_free_func (g_free);
  self->updating = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  g_object_set_data (G_OBJECT (self), "fore-toast-overlay", self->toasts);
  fore_limit_spin_set_up (self->budget);
  fore_policy_row_set_up (self->policy_row);
  g_signal_connect (gtk_text_view_get_buffer (self->goal), "changed", G_CALLBACK (goal_changed_cb),
                    self);
  self->updating = FALSE;
}

/**
 * fore_new_run_sheet_choose_way:
 * @self: a sheet
 * @name: `team`, `goal-loop`, `chain` or `plan-file`
 * @text: (nullable): the chain, or the file of the plan
 */
void
fore_new_run_sheet_choose_way (ForeNewRunSheet *self, const char *name, const char *text)
{
  g_return_if_fail (FORE_IS_NEW_RUN_SHEET (self));

  fore_run_way_choose (self->way, name, text);
}

/**
 * fore_new_run_sheet_new:
 * @parent: the main window
 * @project: (nullable): folder to begin with
 *
 * Returns: (transfer floating): a sheet that reads what can be chosen
 */
GtkWidget *
fore_new_run_sheet_new (GtkWindow *parent, const char *project)
{
  ForeNewRunSheet *self = g_object_new (FORE_TYPE_NEW_RUN_SHEET, "transient-for", parent, NULL);

  if (project != NULL)
    fore_project_row_set_path (self->project_row, project);
  fore_draft_offer (self->goal, project);
  fore_dialog_fit (GTK_WINDOW (self), parent, USUAL_WIDTH, USUAL_HEIGHT);
  gtk_label_set_text (self->goal_hint, fore_run_way_get_hint (self->way));
  update_start (self);
  self->library_project = g_strdup (project);
  fore_run_choices_query (self, fore_application_get_store (), project, FALSE, loaded_cb);
  fore_run_choices_query (self, fore_application_get_store (), NULL, TRUE, agents_found_cb);
  gtk_widget_grab_focus (GTK_WIDGET (self->goal));

  return GTK_WIDGET (self);
}
