/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-plan-page.h"

#include "app/fore-application.h"
#include "app/fore-banner.h"
#include "app/fore-draft-file.h"
#include "app/fore-empty.h"
#include "app/fore-format.h"
#include "app/fore-graph-view.h"
#include "app/fore-guarded.h"
#include "app/fore-header.h"
#include "app/fore-markdown-view.h"
#include "app/fore-outside.h"
#include "app/fore-page-keys.h"
#include "app/fore-plan-dialogs.h"
#include "app/fore-plan-draft.h"
#include "app/fore-plan-edit.h"
#include "app/fore-plan-graph.h"
#include "app/fore-plan-items.h"
#include "app/fore-plan-stats.h"
#include "app/fore-plan-verdict.h"
#include "app/fore-run-commands.h"
#include "app/fore-run-query.h"
#include "app/fore-split.h"
#include "engine/fore-actions.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <string.h>

struct _ForePlanPage
{
  GtkWidget parent_instance;

  GtkWidget *box;
  ForeHeader *header;
  GtkDropDown *versions;
  GtkToggleButton *compare;
  GtkWidget *graph_button;
  GtkWidget *run_button;
  GtkWidget *strip;
  ForeFlow *stats;
  ForeBanner *banner;
  ForeSplit *split;
  GtkWidget *scroller;
  ForeEmpty *empty;
  GtkLabel *title;
  ForeMarkdownView *summary;
  ForePlanItems *items;
  ForeGraphView *graph;
  GtkLabel *graph_note;
  GtkWidget *answers;
  GtkWidget *reject_button;
  GtkWidget *changes_button;
  GtkWidget *approve_button;

  ForePlanStats *figures;
  ForeGuarded *guarded;
  ForeRequest *request;
  GPtrArray *plans;
  ForePlan *plan;
  ForePlan *before;
  ForePlanGraph *plan_graph;
  GCancellable *cancellable;
  guint jobs;
  gboolean edited;
  gboolean closed;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (ForePlanPage, fore_plan_page, GTK_TYPE_WIDGET)

static gboolean
is_current (ForePlanPage *self)
{
  return self->plan != NULL && self->request != NULL
         && self->plan->version == self->request->plan_version && !self->closed;
}

/* The plan that is shown, as it was before anybody edited it here. */
static const ForePlan *
get_asked (ForePlanPage *self)
{
  return fore_plan_find_version (self->plans, self->plan->version);
}

static void
update_buttons (ForePlanPage *self, const ForePlan *effective)
{
  guint n = effective->items->len;
  g_autofree char *label = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "Approve %u Task", "Approve %u Tasks", n), n);

  gtk_button_set_label (GTK_BUTTON (self->approve_button), label);
  gtk_widget_set_visible (self->answers, is_current (self));
}

static void
update_edited (ForePlanPage *self)
{
  g_autoptr (ForePlan) effective = fore_plan_make_effective (self->plan);
  g_autofree char *note = NULL;

  note = fore_plan_graph_show (self->plan_graph, effective, is_current (self));
  gtk_label_set_text (self->graph_note, note);
  fore_plan_stats_update (self->figures, effective, self->jobs);
  update_buttons (self, effective);
}

static const ForePlan *
compared (ForePlanPage *self)
{
  return gtk_toggle_button_get_active (self->compare) ? self->before : NULL;
}

static void
items_edited_cb (ForePlanItems *items, ForePlanPage *self)
{
  self->edited = TRUE;
  if (is_current (self))
    fore_plan_draft_keep (self->request->run, get_asked (self), self->plan);
  update_edited (self);
}

static void
show_plan (ForePlanPage *self)
{
  const ForePlan *plan = self->plan;

  gtk_widget_set_visible (GTK_WIDGET (self->empty), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->items), TRUE);
  fore_outside_show (self->title, plan->title != NULL ? plan->title : _ ("Plan"));
  gtk_widget_set_visible (GTK_WIDGET (self->title), TRUE);
  if (g_strcmp0 (fore_markdown_view_get_text (self->summary), plan->summary) != 0)
    fore_markdown_view_set_text (self->summary, plan->summary != NULL ? plan->summary : "");
  fore_plan_items_show (self->items, self->plan, compared (self), is_current (self));
  update_edited (self);
}

static void
take_up_edits (ForePlanPage *self)
{
  ForePlan *edited = is_current (self) ? fore_plan_draft_take (self->request->run, get_asked (self))
                                       : NULL;

  if (edited == NULL)
    return;

  fore_plan_free (self->plan);
  self->plan = edited;
  self->edited = TRUE;
  fore_banner_show (self->banner, FORE_BANNER_INFO,
                    _ ("Your edits of this plan are here again. They have not been sent yet."),
                    _ ("Drop the Edits"), TRUE);
}

static void
choose_version (ForePlanPage *self, guint version)
{
  const ForePlan *plan = fore_plan_find_version (self->plans, version);
  const ForePlan *before = version > 1 ? fore_plan_find_version (self->plans, version - 1) : NULL;
  g_autofree char *label = NULL;

  if (plan == NULL)
    return;

  fore_plan_items_clear (self->items);
  g_clear_pointer (&self->plan, fore_plan_free);
  g_clear_pointer (&self->before, fore_plan_free);
  self->plan = fore_plan_copy (plan);
  self->before = before != NULL ? fore_plan_copy (before) : NULL;
  self->edited = FALSE;
  label = g_strdup_printf (_ ("Compare with v%u"), version - 1);
  gtk_button_set_label (GTK_BUTTON (self->compare), label);
  gtk_widget_set_visible (GTK_WIDGET (self->compare), before != NULL);
  if (plan->repaired != NULL && !self->closed)
    {
      g_autofree char *text = g_strdup_printf (_ ("Foredeck repaired this plan: %s"),
                                               plan->repaired);

      fore_banner_show (self->banner, FORE_BANNER_INFO, text, NULL, TRUE);
    }
  take_up_edits (self);
  show_plan (self);
}

static void
version_selected_cb (GtkDropDown *versions, GParamSpec *pspec, ForePlanPage *self)
{
  guint index = gtk_drop_down_get_selected (versions);

  if (self->updating || index >= self->plans->len)
    return;

  choose_version (self, ((ForePlan *) g_ptr_array_index (self->plans, index))->version);
}

static void
compare_toggled_cb (GtkToggleButton *button, ForePlanPage *self)
{
  if (self->plan != NULL)
    fore_plan_items_show (self->items, self->plan, compared (self), is_current (self));
}

static void
fill_versions (ForePlanPage *self, guint shown)
{
  guint selected = 0;
  g_autoptr (GListModel) names = fore_plan_name_versions (self->plans, shown, &selected);

  self->updating = TRUE;
  gtk_drop_down_set_model (self->versions, names);
  gtk_drop_down_set_selected (self->versions, selected);
  gtk_widget_set_visible (GTK_WIDGET (self->versions), self->plans->len > 0);
  self->updating = FALSE;
}

static void
limit_read_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForePlanPage *self = owner;

  if (result == NULL || self->plan == NULL)
    return;

  self->jobs = *(guint *) result;
  update_edited (self);
}

static void
show_verdict (ForePlanPage *self, guint shown)
{
  g_autofree char *verdict = NULL;

  if (self->request->state == FORE_REQUEST_OPEN)
    return;

  self->closed = TRUE;
  fore_guarded_disarm (self->guarded);
  verdict = fore_plan_dup_verdict (self->request, shown);
  fore_banner_show (self->banner, FORE_BANNER_INFO, verdict, _ ("Show Run"), FALSE);
}

/* Where an earlier plan was read to, and what gets the focus, have no say in it. */
static void
show_begin (ForePlanPage *self)
{
  gtk_adjustment_set_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)), 0);
}

static void
plans_read_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForePlanPage *self = owner;
  ForeRunDelta *delta = result;
  guint shown;

  if (error != NULL)
    {
      fore_empty_set (self->empty, "fore-warning-symbolic", _ ("The Plan Cannot Be Read"),
                      error->message);
      return;
    }

  fore_plan_renew_request (&self->request, delta->requests);
  shown = fore_plan_find_shown_version (self->request, delta->run);
  show_verdict (self, shown);
  g_ptr_array_set_size (self->plans, 0);
  for (guint i = 0; i < delta->plans->len; i++)
    g_ptr_array_add (self->plans, fore_plan_copy (g_ptr_array_index (delta->plans, i)));
  if (delta->run != NULL)
    {
      g_autofree char *title = g_strdup_printf (_ ("Plan for “%s”"), delta->run->title);

      fore_header_set_title (self->header, title);
      fore_plan_read_agent_limit (self, fore_application_get_store (), delta->run,
                                  self->cancellable, limit_read_cb);
    }
  fill_versions (self, shown);
  choose_version (self, shown);
  show_begin (self);
  if (self->plan == NULL)
    fore_empty_set (self->empty, "fore-warning-symbolic", _ ("The Plan Is Missing"),
                    _ ("This version of the plan is not in the run's file."));
  fore_guarded_arm (self->guarded);
}

static void
answered_cb (gpointer owner, gboolean done, gpointer data)
{
  ForePlanPage *self = owner;

  if (done && self->request != NULL)
    {
      g_autofree char *run = g_strdup (self->request->run);

      fore_draft_file_set (run, NULL);
      fore_plan_draft_forget (run, get_asked (self));
      gtk_widget_activate_action (GTK_WIDGET (self), "win.show-run", "s", run);
    }
  else
    fore_guarded_arm (self->guarded);
}

static void
answer (ForePlanPage *self, const char *option, const char *text, const char *plan_json)
{
  fore_guarded_disarm (self->guarded);
  fore_request_answer (GTK_WIDGET (self), self->request->id, option, text, plan_json,
                       self->request->plan_version, self->request->plan_hash, answered_cb, NULL);
}

static void
approve (ForePlanPage *self)
{
  g_autofree char *json = NULL;

  if (!is_current (self) || !fore_guarded_is_ready (self->guarded)
      || fore_plan_count_kept (self->plan) == 0)
    return;

  json = self->edited ? fore_plan_dup_effective (self->plan) : NULL;
  answer (self, "approve", NULL, json);
}

static void
approve_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  approve (FORE_PLAN_PAGE (widget));
}

static void
changes_answered_cb (gpointer owner, const char *response, const char *text, gpointer data)
{
  ForePlanPage *self = owner;
  g_autofree char *json = self->edited ? fore_plan_dup_effective (self->plan) : NULL;

  if (strcmp (response, "ok") == 0 && text != NULL && *text != 0)
    answer (self, "changes", text, json);
}

static void
changes_clicked_cb (GtkButton *button, ForePlanPage *self)
{
  fore_plan_ask_for_changes (GTK_WIDGET (self), self->request->run, self->edited,
                             changes_answered_cb);
}

static void
reject_answered_cb (gpointer owner, const char *response, const char *text, gpointer data)
{
  if (strcmp (response, "reject") == 0)
    answer (owner, "reject", NULL, NULL);
}

static void
reject_clicked_cb (GtkButton *button, ForePlanPage *self)
{
  fore_plan_ask_to_reject (GTK_WIDGET (self), reject_answered_cb);
}

static void
show_run_cb (GtkWidget *widget, ForePlanPage *self)
{
  if (self->request != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-run", "s", self->request->run);
}

static void
banner_clicked_cb (ForeBanner *banner, ForePlanPage *self)
{
  if (self->plan == NULL || !is_current (self))
    {
      show_run_cb (GTK_WIDGET (banner), self);
      return;
    }

  fore_plan_draft_forget (self->request->run, get_asked (self));
  fore_banner_hide (self->banner);
  choose_version (self, self->plan->version);
}

static void
graph_clicked_cb (GtkButton *button, ForePlanPage *self)
{
  fore_split_set_show_side (self->split, !fore_split_get_show_side (self->split));
}

static void
collapsed_cb (ForeSplit *split, GParamSpec *pspec, ForePlanPage *self)
{
  gboolean collapsed = fore_split_get_collapsed (split);
  g_autoptr (GtkWidget) answers = g_object_ref (self->answers);

  gtk_widget_set_visible (self->graph_button, collapsed);
  gtk_box_remove (GTK_BOX (gtk_widget_get_parent (answers)), answers);
  if (collapsed)
    gtk_box_append (GTK_BOX (self->box), answers);
  else
    fore_header_add_end (self->header, answers);
}

static void
read_run (ForePlanPage *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  fore_run_query_read (self, fore_application_get_store (), self->request->run, self->cancellable,
                       plans_read_cb);
}

static void
request_closed_cb (ForeIndex *index, const char *id, ForePlanPage *self)
{
  if (self->request == NULL || g_strcmp0 (id, self->request->id) != 0 || self->closed)
    return;

  self->closed = TRUE;
  fore_guarded_disarm (self->guarded);
  fore_banner_show (self->banner, FORE_BANNER_INFO, _ ("This plan has been answered."),
                    _ ("Show Run"), FALSE);
  if (self->plan != NULL)
    show_plan (self);
  read_run (self);
}

static void
fore_plan_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fore_plan_page_parent_class)->map (widget);
  fore_guarded_arm (FORE_PLAN_PAGE (widget)->guarded);
}

static void
clear (ForePlanPage *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->request, fore_request_free);
  g_clear_pointer (&self->plan, fore_plan_free);
  g_clear_pointer (&self->before, fore_plan_free);
  g_ptr_array_set_size (self->plans, 0);
  self->edited = FALSE;
  self->closed = FALSE;
}

static void
fore_plan_page_dispose (GObject *object)
{
  ForePlanPage *self = FORE_PLAN_PAGE (object);

  g_clear_pointer (&self->guarded, fore_guarded_free);
  g_clear_pointer (&self->figures, fore_plan_stats_free);
  g_clear_pointer (&self->plan_graph, fore_plan_graph_free);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  clear (self);

  G_OBJECT_CLASS (fore_plan_page_parent_class)->dispose (object);
}

static void
fore_plan_page_finalize (GObject *object)
{
  ForePlanPage *self = FORE_PLAN_PAGE (object);

  g_ptr_array_unref (self->plans);

  G_OBJECT_CLASS (fore_plan_page_parent_class)->finalize (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, box);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, header);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, versions);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, compare);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, graph_button);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, run_button);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, strip);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, stats);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, banner);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, split);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, scroller);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, empty);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, title);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, summary);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, items);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, graph);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, graph_note);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, answers);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, reject_button);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, changes_button);
  gtk_widget_class_bind_template_child (widget_class, ForePlanPage, approve_button);
}

static void
bind_callbacks (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_callback (widget_class, version_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, compare_toggled_cb);
  gtk_widget_class_bind_template_callback (widget_class, graph_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, show_run_cb);
  gtk_widget_class_bind_template_callback (widget_class, banner_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, collapsed_cb);
  gtk_widget_class_bind_template_callback (widget_class, items_edited_cb);
  gtk_widget_class_bind_template_callback (widget_class, reject_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, changes_clicked_cb);
  gtk_widget_class_bind_template_callback_full (widget_class, "approve_clicked_cb",
                                                G_CALLBACK (approve));
}

static void
fore_plan_page_class_init (ForePlanPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_plan_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = fore_plan_page_finalize;
  widget_class->map = fore_plan_page_map;

  g_type_ensure (FORE_TYPE_FLOW);
  g_type_ensure (FORE_TYPE_HEADER);
  g_type_ensure (FORE_TYPE_BANNER);
  g_type_ensure (FORE_TYPE_SPLIT);
  g_type_ensure (FORE_TYPE_EMPTY);
  g_type_ensure (FORE_TYPE_MARKDOWN_VIEW);
  g_type_ensure (FORE_TYPE_PLAN_ITEMS);
  g_type_ensure (FORE_TYPE_GRAPH_VIEW);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/foredeck/Foredeck/ui/fore-plan-page.ui");
  bind_children (widget_class);
  bind_callbacks (widget_class);
  gtk_widget_class_install_action (widget_class, "plan.approve", NULL, approve_action);
}

static void
fore_plan_page_init (ForePlanPage *self)
{
  self->plans = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_plan_free);
  gtk_widget_init_template (GTK_WIDGET (self));
  fore_page_keys_add (GTK_WIDGET (self), GDK_KEY_Return, GDK_CONTROL_MASK, "plan.approve", 0);
  fore_page_keys_add (GTK_WIDGET (self), GDK_KEY_KP_Enter, GDK_CONTROL_MASK, "plan.approve", 0);
  fore_page_keys_set_target (GTK_WIDGET (self), self->scroller);
  self->plan_graph = fore_plan_graph_new (self->graph);
  collapsed_cb (self->split, NULL, self);
  self->figures = fore_plan_stats_new (self->stats);
  self->guarded = fore_guarded_new (GTK_WIDGET (self));
  fore_guarded_add (self->guarded, self->reject_button);
  fore_guarded_add (self->guarded, self->changes_button);
  fore_guarded_add (self->guarded, self->approve_button);
}

static void
show_loading (ForePlanPage *self)
{
  fore_banner_hide (self->banner);
  fore_header_set_title (self->header, _ ("Plan"));
  gtk_widget_set_visible (GTK_WIDGET (self->versions), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->compare), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->title), FALSE);
  /* Hiding it would keep the request mode that it had while it was empty. */
  fore_markdown_view_set_text (self->summary, "");
  gtk_widget_set_visible (GTK_WIDGET (self->items), FALSE);
  gtk_widget_set_visible (self->answers, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->empty), TRUE);
  gtk_toggle_button_set_active (self->compare, TRUE);
  fore_empty_set_busy (self->empty, _ ("Reading the plan"));
  fore_plan_graph_clear (self->plan_graph);
}

/**
 * fore_plan_page_set_request:
 * @self: a plan page
 * @request: a request of the kind plan, copied
 */
void
fore_plan_page_set_request (ForePlanPage *self, const ForeRequest *request)
{
  ForeIndex *index = fore_application_get_index ();

  g_return_if_fail (FORE_IS_PLAN_PAGE (self));
  g_return_if_fail (request != NULL);

  if (self->request != NULL && g_strcmp0 (self->request->id, request->id) == 0 && !self->closed)
    return;

  clear (self);
  self->request = fore_request_copy (request);
  show_loading (self);
  g_signal_handlers_disconnect_by_func (index, request_closed_cb, self);
  g_signal_connect_object (index, "request-closed", G_CALLBACK (request_closed_cb), self, 0);
  read_run (self);
}
