/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-prompt-view.h"

#include "app/fore-application.h"
#include "app/fore-job.h"
#include "app/fore-outside.h"
#include "engine/fore-transcript.h"

#include <glib/gi18n-lib.h>

struct _ForePromptView
{
  GtkWidget parent_instance;

  GtkWidget *scroller;
  GtkTextBuffer *buffer;
  GCancellable *cancellable;
  char *shown;
};

G_DEFINE_FINAL_TYPE (ForePromptView, fore_prompt_view, GTK_TYPE_WIDGET)

typedef struct
{
  ForeStore *store;
  char *run_id;
  char *task;
  guint attempt;
} PromptQuery;

static void
prompt_query_free (gpointer data)
{
  PromptQuery *query = data;

  g_object_unref (query->store);
  g_free (query->run_id);
  g_free (query->task);
  g_free (query);
}

static gpointer
read_prompt_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  PromptQuery *query = data;
  g_autofree char *text = fore_transcript_read_prompt (query->store, query->run_id, query->task,
                                                       query->attempt, error);

  return text != NULL ? g_utf8_make_valid (text, -1) : NULL;
}

static void
prompt_read_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForePromptView *self = owner;
  g_autofree char *visible = fore_outside_dup (error != NULL ? error->message : result);

  gtk_text_buffer_set_text (self->buffer, visible != NULL ? visible : "", -1);
}

static void
fore_prompt_view_dispose (GObject *object)
{
  ForePromptView *self = FORE_PROMPT_VIEW (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_pointer (&self->shown, g_free);

  G_OBJECT_CLASS (fore_prompt_view_parent_class)->dispose (object);
}

static void
fore_prompt_view_class_init (ForePromptViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fore_prompt_view_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
fore_prompt_view_init (ForePromptView *self)
{
  GtkWidget *widget = gtk_text_view_new ();
  GtkTextView *view = GTK_TEXT_VIEW (widget);

  gtk_text_view_set_editable (view, FALSE);
  gtk_text_view_set_cursor_visible (view, FALSE);
  gtk_text_view_set_monospace (view, TRUE);
  gtk_text_view_set_wrap_mode (view, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_top_margin (view, 6);
  gtk_text_view_set_bottom_margin (view, 16);
  gtk_text_view_set_left_margin (view, 16);
  gtk_text_view_set_right_margin (view, 16);
  gtk_widget_add_css_class (widget, "fore-prompt");
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Prompt"), -1);
  self->buffer = gtk_text_view_get_buffer (view);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), widget);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

/**
 * fore_prompt_view_show:
 * @self: a view of a prompt
 * @run_id: id of a run
 * @task: key of one of its tasks
 * @attempt: number of the attempt, or 0 for what the next one would get
 *
 * Reads the prompt in a worker thread, unless it is shown already.
 */
void
fore_prompt_view_show (ForePromptView *self, const char *run_id, const char *task, guint attempt)
{
  g_autofree char *wanted = g_strdup_printf ("%s/%s.%u", run_id, task, attempt);
  PromptQuery *query;

  g_return_if_fail (FORE_IS_PROMPT_VIEW (self));

  if (g_strcmp0 (wanted, self->shown) == 0)
    return;

  g_free (self->shown);
  self->shown = g_steal_pointer (&wanted);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  query = g_new0 (PromptQuery, 1);
  query->store = g_object_ref (fore_application_get_store ());
  query->run_id = g_strdup (run_id);
  query->task = g_strdup (task);
  query->attempt = attempt;
  gtk_text_buffer_set_text (self->buffer, "", -1);
  fore_job_run (self, "read-prompt", self->cancellable, read_prompt_thread, query,
                prompt_query_free, g_free, prompt_read_cb);
}
