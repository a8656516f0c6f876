/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-task-panel.h"

#include "app/fore-accessible.h"
#include "app/fore-application.h"
#include "app/fore-compat.h"
#include "app/fore-empty.h"
#include "app/fore-errors.h"
#include "app/fore-format.h"
#include "app/fore-outside.h"
#include "app/fore-prompt-view.h"
#include "app/fore-run-commands.h"
#include "app/fore-status-dot.h"
#include "app/fore-run-item.h"
#include "app/fore-task-files.h"
#include "app/fore-task-text.h"
#include "app/fore-transcript-model.h"
#include "app/fore-transcript-view.h"
#include "app/fore-view-bar.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _ForeTaskPanel
{
  GtkWidget parent_instance;

  GtkWidget *box;
  ForeStatusDot *dot;
  GtkLabel *title;
  ForeViewBar *tabs;
  GtkWidget *close_button;
  GtkLabel *facts;
  GtkDropDown *attempts;
  GtkWidget *callout;
  GtkImage *callout_icon;
  GtkLabel *callout_label;
  GtkWidget *callout_button;
  GtkStack *stack;
  GtkStack *transcript_stack;
  ForeEmpty *transcript_empty;
  ForeTranscriptView *transcript;
  ForePromptView *prompt;
  ForeTaskFiles *files;
  GtkWidget *composer;
  GtkEntry *steer_entry;
  GtkWidget *send_button;
  GtkLabel *steer_hint;

  ForeRunModel *model;
  char *key;
  guint attempt;
  guint n_attempts;
  gboolean updating;
  gboolean interrupted;
  ForeTranscriptModel *entries;
};

G_DEFINE_FINAL_TYPE (ForeTaskPanel, fore_task_panel, GTK_TYPE_WIDGET)

enum
{
  CLOSE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static ForeTaskItem *
get_item (ForeTaskPanel *self)
{
  return self->model != NULL ? fore_run_model_find_task (self->model, self->key) : NULL;
}

static const ForeTask *
get_task (ForeTaskPanel *self)
{
  ForeTaskItem *item = get_item (self);

  return item != NULL ? fore_task_item_get_task (item) : NULL;
}

static const ForeAttempt *
get_attempt (ForeTaskPanel *self)
{
  GPtrArray *list = self->model != NULL ? fore_run_model_get_attempts (self->model, self->key)
                                        : NULL;

  return list != NULL ? fore_attempts_find (list, self->attempt) : NULL;
}

static void
show_callout (ForeTaskPanel *self, ForeViewStatus status, const char *text, const char *verb)
{
  const char *kind = status == FORE_VIEW_FAILED      ? "bad"
                     : status == FORE_VIEW_ATTENTION ? "attention"
                                                     : "info";

  gtk_widget_set_css_classes (self->callout, (const char *[]){ "fore-callout", kind, NULL });
  gtk_image_set_from_icon_name (self->callout_icon, fore_view_status_get_icon_name (status));
  fore_outside_show (self->callout_label, text);
  gtk_widget_set_visible (self->callout_button, verb != NULL);
  if (verb != NULL)
    gtk_button_set_label (GTK_BUTTON (self->callout_button), verb);
  gtk_widget_set_visible (self->callout, TRUE);
}

static void
update_callout (ForeTaskPanel *self, const ForeTask *task)
{
  ForeTaskItem *item = get_item (self);
  g_autofree char *detail = fore_task_item_dup_detail (item);
  ForeViewStatus status = fore_task_item_get_status (item);

  if (task->status == FORE_TASK_FAILED)
    show_callout (self, FORE_VIEW_FAILED, detail != NULL ? detail : fore_format_cause (task->cause),
                  fore_run_takes_retry (fore_run_model_get_run (self->model)) ? _ ("Retry") : NULL);
  else if (task->status == FORE_TASK_NEEDS_ATTENTION)
    show_callout (self, FORE_VIEW_ATTENTION,
                  detail != NULL ? detail : _ ("A person should look at this result."),
                  _ ("Accept"));
  else if (detail != NULL)
    show_callout (self, task->mark != NULL ? FORE_VIEW_ATTENTION : status, detail, NULL);
  else
    gtk_widget_set_visible (self->callout, FALSE);
}

static void
update_composer (ForeTaskPanel *self, const ForeTask *task)
{
  gboolean ended = fore_task_status_get_class (task->status) == FORE_CLASS_FINISHED;

  gtk_widget_set_visible (self->composer, !ended && !fore_task_is_script (task));
  gtk_label_set_text (self->steer_hint, fore_task_get_steer_hint (
                                            task, fore_task_item_is_interrupted (get_item (self))));
}

static void
update_actions (ForeTaskPanel *self, const ForeTask *task)
{
  GtkWidget *widget = GTK_WIDGET (self);
  gboolean bad = task->status == FORE_TASK_FAILED || task->status == FORE_TASK_NEEDS_ATTENTION;

  gtk_widget_action_set_enabled (
      widget, "task.retry", bad && fore_run_takes_retry (fore_run_model_get_run (self->model)));
  gtk_widget_action_set_enabled (widget, "task.accept", task->status == FORE_TASK_NEEDS_ATTENTION);
  gtk_widget_action_set_enabled (widget, "task.cancel",
                                 fore_task_status_get_class (task->status) != FORE_CLASS_FINISHED);
  gtk_widget_action_set_enabled (widget, "task.show-launch", get_attempt (self) != NULL);
  gtk_widget_action_set_enabled (widget, "task.copy-transcript", self->entries != NULL);
  gtk_widget_action_set_enabled (widget, "task.open-folder", task->worktree != NULL);
}

static void
update_transcript_page (ForeTaskPanel *self)
{
  const ForeTask *task = get_task (self);
  guint n = self->entries != NULL
                ? g_list_model_get_n_items (fore_transcript_model_get_items (self->entries))
                : 0;
  gboolean interrupted = task != NULL && fore_task_item_is_interrupted (get_item (self));
  const char *title;

  if (n > 0)
    {
      gtk_stack_set_visible_child_name (self->transcript_stack, "list");
      return;
    }
  gtk_stack_set_visible_child_name (self->transcript_stack, "empty");
  if (!interrupted && self->entries != NULL && !fore_transcript_model_has_ended (self->entries))
    fore_empty_set_busy (self->transcript_empty, _ ("Waiting for the agent's first words"));
  else
    {
      const char *text = fore_task_explain_silence (task, interrupted, &title);

      fore_empty_set (self->transcript_empty, "fore-message-symbolic", title, text);
    }
}

static void
entries_changed_cb (
    GListModel *items, guint position, guint removed, guint added, ForeTaskPanel *self)
{
  if (position == 0)
    update_transcript_page (self);
}

static void
drop_entries (ForeTaskPanel *self)
{
  if (self->entries == NULL)
    return;

  g_signal_handlers_disconnect_by_data (self->entries, self);
  g_signal_handlers_disconnect_by_data (fore_transcript_model_get_items (self->entries), self);
  fore_transcript_view_set_model (self->transcript, NULL);
  fore_transcript_model_stop (self->entries);
  g_clear_object (&self->entries);
}

static void
load_transcript (ForeTaskPanel *self)
{
  ForeStore *store = fore_application_get_store ();

  drop_entries (self);
  if (self->attempt > 0 && store != NULL)
    {
      self->entries = fore_transcript_model_new (store, fore_run_model_get_id (self->model),
                                                 self->key, self->attempt);
      g_signal_connect_object (fore_transcript_model_get_items (self->entries), "items-changed",
                               G_CALLBACK (entries_changed_cb), self, 0);
      g_signal_connect_object (self->entries, "ended", G_CALLBACK (update_transcript_page), self,
                               G_CONNECT_SWAPPED);
      fore_transcript_view_set_model (self->transcript,
                                      fore_transcript_model_get_items (self->entries));
      fore_transcript_view_set_following (self->transcript, TRUE);
      fore_transcript_model_start (self->entries);
    }
  update_transcript_page (self);
}

static void
update_attempts (ForeTaskPanel *self)
{
  GPtrArray *list = fore_run_model_get_attempts (self->model, self->key);
  guint n = list != NULL ? list->len : 0;
  g_autoptr (GtkStringList) names = NULL;

  if (n == self->n_attempts)
    return;

  names = gtk_string_list_new (NULL);
  for (guint i = 0; i < n; i++)
    {
      const ForeAttempt *attempt = g_ptr_array_index (list, i);
      g_autofree char *name = g_strdup_printf (_ ("Attempt %u"), attempt->n);

      gtk_string_list_append (names, name);
    }
  self->updating = TRUE;
  self->n_attempts = n;
  gtk_drop_down_set_model (self->attempts, G_LIST_MODEL (names));
  gtk_widget_set_visible (GTK_WIDGET (self->attempts), n > 1);
  self->updating = FALSE;
  if (n > 0)
    {
      const ForeAttempt *last = g_ptr_array_index (list, n - 1);

      gtk_drop_down_set_selected (self->attempts, n - 1);
      self->attempt = last->n;
      load_transcript (self);
    }
}

static void
update_tab (ForeTaskPanel *self)
{
  const char *tab = fore_view_bar_get_selected (self->tabs);

  if (tab == NULL)
    return;

  gtk_stack_set_visible_child_name (self->stack, tab);
  if (strcmp (tab, "prompt") == 0 && self->model != NULL && self->key != NULL)
    fore_prompt_view_show (self->prompt, fore_run_model_get_id (self->model), self->key,
                           self->attempt);
}

static void
update (ForeTaskPanel *self)
{
  const ForeTask *task = get_task (self);
  g_autofree char *facts = NULL;
  g_autofree char *title = NULL;

  if (task == NULL)
    return;

  self->interrupted = fore_task_item_is_interrupted (get_item (self));
  title = fore_task_dup_title (task);
  fore_status_dot_set_status (self->dot, fore_task_item_get_status (get_item (self)));
  fore_outside_show (self->title, title);
  fore_outside_explain (GTK_WIDGET (self->title), title);
  update_attempts (self);
  facts = fore_task_dup_facts (task, get_attempt (self));
  fore_outside_show (self->facts, facts);
  update_callout (self, task);
  update_composer (self, task);
  update_actions (self, task);
  update_transcript_page (self);
  update_tab (self);
  fore_task_files_set_task (self->files, task);
}

static void
task_changed_cb (ForeRunModel *model, const char *key, ForeTaskPanel *self)
{
  if (g_strcmp0 (key, self->key) == 0)
    update (self);
}

static void
tab_selected_cb (ForeViewBar *tabs, GParamSpec *pspec, ForeTaskPanel *self)
{
  update_tab (self);
}

static void
attempt_selected_cb (GtkDropDown *drop_down, GParamSpec *pspec, ForeTaskPanel *self)
{
  GPtrArray *list = self->model != NULL ? fore_run_model_get_attempts (self->model, self->key)
                                        : NULL;
  guint index = gtk_drop_down_get_selected (drop_down);
  const ForeAttempt *attempt;

  if (self->updating || list == NULL || index >= list->len)
    return;

  attempt = g_ptr_array_index (list, index);
  if (attempt->n == self->attempt)
    return;

  self->attempt = attempt->n;
  load_transcript (self);
  update (self);
}

static void
close_clicked_cb (GtkButton *button, ForeTaskPanel *self)
{
  g_signal_emit (self, signals[CLOSE], 0);
}

static void
steer_changed_cb (GtkEditable *editable, ForeTaskPanel *self)
{
  gtk_widget_set_sensitive (self->send_button, *gtk_editable_get_text (editable) != 0);
}

static void
steer_done_cb (gpointer owner, gboolean done, gpointer data)
{
  ForeTaskPanel *self = owner;

  if (done)
    gtk_editable_set_text (GTK_EDITABLE (self->steer_entry), "");
  gtk_widget_set_sensitive (GTK_WIDGET (self->steer_entry), TRUE);
}

static void
send_cb (GtkWidget *widget, ForeTaskPanel *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->steer_entry));
  const char *args[] = { self->key, text, NULL };

  if (*text == 0 || self->model == NULL || self->key == NULL)
    return;

  gtk_widget_set_sensitive (GTK_WIDGET (self->steer_entry), FALSE);
  fore_run_command (GTK_WIDGET (self), fore_run_model_get_id (self->model), FORE_COMMAND_STEER,
                    args, _ ("Your words are on their way."), steer_done_cb, NULL);
}

static void
task_command (ForeTaskPanel *self, ForeCommandKind kind, const char *note)
{
  const char *args[] = { self->key, NULL };

  if (self->model != NULL && self->key != NULL)
    fore_run_command (GTK_WIDGET (self), fore_run_model_get_id (self->model), kind, args, note,
                      NULL, NULL);
}

static void
callout_clicked_cb (GtkButton *button, ForeTaskPanel *self)
{
  const ForeTask *task = get_task (self);

  if (task == NULL)
    return;

  if (task->status == FORE_TASK_NEEDS_ATTENTION)
    task_command (self, FORE_COMMAND_ACCEPT, _ ("The result is accepted."));
  else
    task_command (self, FORE_COMMAND_RETRY, _ ("The task is tried again."));
}

static void
verdict_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (strcmp (name, "task.accept") == 0)
    task_command (FORE_TASK_PANEL (widget), FORE_COMMAND_ACCEPT, _ ("The result is accepted."));
  else
    task_command (FORE_TASK_PANEL (widget), FORE_COMMAND_RETRY, _ ("The task is tried again."));
}

static void
cancel_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  task_command (FORE_TASK_PANEL (widget), FORE_COMMAND_CANCEL_TASK, _ ("The task is cancelled."));
}

static void
show_launch_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const ForeAttempt *attempt = get_attempt (FORE_TASK_PANEL (widget));
  g_autofree char *text = attempt != NULL ? fore_attempt_dup_launch (attempt) : NULL;

  if (text != NULL)
    fore_show_text (widget, _ ("How This Attempt Was Started"), text);
}

static void
copy_transcript_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ForeTaskPanel *self = FORE_TASK_PANEL (widget);
  g_autofree char *text = NULL;

  if (self->entries == NULL)
    return;

  text = fore_transcript_model_dup_plain (self->entries);
  fore_copy_text (widget, text);
  fore_show_note (widget, _ ("Transcript copied"));
}

static void
open_folder_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const ForeTask *task = get_task (FORE_TASK_PANEL (widget));
  g_autofree char *uri = NULL;

  if (task == NULL || task->worktree == NULL)
    return;

  uri = g_filename_to_uri (task->worktree, NULL, NULL);
  if (uri != NULL)
    fore_open_uri (widget, uri);
}

static void
fore_task_panel_dispose (GObject *object)
{
  ForeTaskPanel *self = FORE_TASK_PANEL (object);

  if (self->transcript != NULL)
    drop_entries (self);
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  self->transcript = NULL;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->key, g_free);

  G_OBJECT_CLASS (fore_task_panel_parent_class)->dispose (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/foredeck/Foredeck/ui/fore-task-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, box);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, dot);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, title);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, tabs);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, close_button);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, facts);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, attempts);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, callout);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, callout_icon);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, callout_label);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, callout_button);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, stack);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, transcript_stack);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, transcript_empty);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, transcript);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, prompt);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, files);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, composer);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, steer_entry);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, send_button);
  gtk_widget_class_bind_template_child (widget_class, ForeTaskPanel, steer_hint);
  gtk_widget_class_bind_template_callback (widget_class, tab_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, attempt_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, close_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, callout_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, send_cb);
  gtk_widget_class_bind_template_callback (widget_class, steer_changed_cb);
}

static void
fore_task_panel_class_init (ForeTaskPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_task_panel_dispose;
  signals[CLOSE] = g_signal_new ("close", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (FORE_TYPE_STATUS_DOT);
  g_type_ensure (FORE_TYPE_VIEW_BAR);
  g_type_ensure (FORE_TYPE_EMPTY);
  g_type_ensure (FORE_TYPE_TRANSCRIPT_VIEW);
  g_type_ensure (FORE_TYPE_TASK_FILES);
  g_type_ensure (FORE_TYPE_PROMPT_VIEW);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "foretaskpanel");
  bind_template (widget_class);
  gtk_widget_class_install_action (widget_class, "task.retry", NULL, verdict_action);
  gtk_widget_class_install_action (widget_class, "task.accept", NULL, verdict_action);
  gtk_widget_class_install_action (widget_class, "task.cancel", NULL, cancel_action);
  gtk_widget_class_install_action (widget_class, "task.show-launch", NULL, show_launch_action);
  gtk_widget_class_install_action (widget_class, "task.copy-transcript", NULL,
                                   copy_transcript_action);
  gtk_widget_class_install_action (widget_class, "task.open-folder", NULL, open_folder_action);
}

static void
fore_task_panel_init (ForeTaskPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fore_accessible_watch_stack (self->stack);
  fore_accessible_watch_stack (self->transcript_stack);
  gtk_widget_set_visible (self->close_button, FALSE);
  fore_view_bar_add (self->tabs, "transcript", _ ("Transcript"), NULL);
  fore_view_bar_add (self->tabs, "prompt", _ ("Prompt"), NULL);
  fore_view_bar_add (self->tabs, "files", _ ("Files"), NULL);
}

/**
 * fore_task_panel_set_task:
 * @self: a task panel
 * @model: (nullable): the run
 * @key: (nullable): key of the task to show
 */
void
fore_task_panel_set_task (ForeTaskPanel *self, ForeRunModel *model, const char *key)
{
  g_return_if_fail (FORE_IS_TASK_PANEL (self));

  if (model == self->model && g_strcmp0 (key, self->key) == 0)
    return;

  if (model != self->model)
    {
      if (self->model != NULL)
        g_signal_handlers_disconnect_by_data (self->model, self);
      g_set_object (&self->model, model);
      if (model != NULL)
        g_signal_connect_object (model, "task-changed", G_CALLBACK (task_changed_cb), self, 0);
    }
  drop_entries (self);
  g_free (self->key);
  self->key = g_strdup (key);
  self->attempt = 0;
  self->n_attempts = 0;
  gtk_widget_set_visible (GTK_WIDGET (self->attempts), FALSE);
  gtk_editable_set_text (GTK_EDITABLE (self->steer_entry), "");
  update (self);
}

/**
 * fore_task_panel_set_closable:
 * @self: a task panel
 * @closable: whether it lies over the view and so needs a button to close it
 */
void
fore_task_panel_set_closable (ForeTaskPanel *self, gboolean closable)
{
  g_return_if_fail (FORE_IS_TASK_PANEL (self));

  gtk_widget_set_visible (self->close_button, closable);
}

/**
 * fore_task_panel_tick:
 * @self: a task panel
 *
 * Says that time went on.
 */
void
fore_task_panel_tick (ForeTaskPanel *self)
{
  const ForeTask *task;

  g_return_if_fail (FORE_IS_TASK_PANEL (self));

  task = get_task (self);
  /* of a run that lost its runner or has one again, no task need have changed */
  if (task != NULL && (self->interrupted || fore_task_item_is_interrupted (get_item (self))))
    update (self);
  else if (task != NULL && task->phase == FORE_PHASE_BACK_OFF)
    update_callout (self, task);
}
