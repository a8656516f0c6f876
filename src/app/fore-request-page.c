/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-request-page.h"

#include "app/fore-application.h"
#include "app/fore-compat.h"
#include "app/fore-conflict-view.h"
#include "app/fore-draft-file.h"
#include "app/fore-draft.h"
#include "app/fore-flow.h"
#include "app/fore-format.h"
#include "app/fore-guarded.h"
#include "app/fore-header.h"
#include "app/fore-markdown-view.h"
#include "app/fore-outside.h"
#include "app/fore-page-keys.h"
#include "app/fore-run-commands.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define WIDTH 760
/* Three columns. */
#define CONFLICT_WIDTH 1280
#define REFUSALS "reject reject_once reject_always"
#define SUGGESTIONS "approve allow_once retry agent"

struct _ForeRequestPage
{
  GtkWidget parent_instance;

  GtkWidget *box;
  ForeHeader *header;
  GtkImage *icon;
  GtkLabel *title;
  GtkLabel *who;
  GtkLabel *body;
  ForeMarkdownView *prose;
  ForeConflictView *conflict;
  AdwClamp *clamp;
  GtkWidget *scroller;
  GtkWidget *text_box;
  GtkTextView *text;
  ForeFlow *answers;

  ForeRequest *request;
  ForeGuarded *guarded;
};

G_DEFINE_FINAL_TYPE (ForeRequestPage, fore_request_page, GTK_TYPE_WIDGET)

static void
answered_cb (gpointer owner, gboolean done, gpointer data)
{
  ForeRequestPage *self = owner;

  if (done && self->request != NULL)
    {
      fore_draft_file_set (self->request->id, NULL);
      gtk_widget_activate_action (GTK_WIDGET (self), "win.show-run", "s", self->request->run);
    }
  else
    fore_guarded_arm (self->guarded);
}

static void
option_clicked_cb (GtkButton *button, ForeRequestPage *self)
{
  const char *option = g_object_get_data (G_OBJECT (button), "fore-option");
  g_autofree char *text = fore_draft_dup_text (self->text);

  fore_guarded_disarm (self->guarded);
  fore_request_answer (GTK_WIDGET (self), self->request->id, option, *text != 0 ? text : NULL, NULL,
                       self->request->plan_version, self->request->plan_hash, answered_cb, NULL);
}

static gboolean
takes_text (const ForeRequest *request)
{
  return request->kind == FORE_REQUEST_QUESTION || request->kind == FORE_REQUEST_NO_PLAN
         || request->kind == FORE_REQUEST_FAILURE || request->kind == FORE_REQUEST_CONFLICT;
}

/* Answers that are words wait for them. */
static void
text_changed_cb (GtkTextBuffer *buffer, ForeRequestPage *self)
{
  gboolean blank = fore_text_buffer_is_blank (buffer);
  g_autofree char *text = fore_draft_dup_text (self->text);

  if (takes_text (self->request))
    fore_draft_file_set (self->request->id, text);
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->answers)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      const char *id = g_object_get_data (G_OBJECT (child), "fore-option");
      const ForeRequestOption *option = fore_request_find_option (self->request, id);

      fore_guarded_hold (self->guarded, child,
                         blank && option != NULL
                             && fore_request_needs_text (self->request, option));
    }
}

static gboolean
kind_is (const char *kind, const char *words)
{
  g_auto (GStrv) list = g_strsplit (words, " ", -1);

  return kind != NULL && g_strv_contains ((const char *const *) list, kind);
}

static void
add_answer (ForeRequestPage *self, const ForeRequestOption *option)
{
  g_autofree char *name = fore_format_line (option->name, 120);
  GtkWidget *button = gtk_button_new_with_label (name);

  /* What an agent calls an answer may be wider than the window. */
  gtk_label_set_ellipsize (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))),
                           PANGO_ELLIPSIZE_END);
  fore_outside_explain (button, name);

  if (kind_is (option->kind, REFUSALS))
    gtk_widget_add_css_class (button, "destructive-text");
  else if (kind_is (option->kind, SUGGESTIONS))
    gtk_widget_add_css_class (button, "suggested-action");
  g_object_set_data_full (G_OBJECT (button), "fore-option", g_strdup (option->id), g_free);
  g_signal_connect (button, "clicked", G_CALLBACK (option_clicked_cb), self);
  fore_flow_append (self->answers, button);
  fore_guarded_add (self->guarded, button);
}

/* As on the page of a plan: refusals first, what is suggested last. */
static guint
get_rank (const ForeRequestOption *option)
{
  if (kind_is (option->kind, REFUSALS))
    return 0;

  return kind_is (option->kind, SUGGESTIONS) ? 2 : 1;
}

static void
add_answers (ForeRequestPage *self, const ForeRequest *request)
{
  for (guint rank = 0; rank <= 2; rank++)
    {
      for (guint i = 0; i < request->options->len; i++)
        {
          const ForeRequestOption *option = g_ptr_array_index (request->options, i);

          if (get_rank (option) == rank)
            add_answer (self, option);
        }
    }
}

static void
show_run_cb (GtkButton *button, ForeRequestPage *self)
{
  if (self->request != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-run", "s", self->request->run);
}

static void
fore_request_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fore_request_page_parent_class)->map (widget);
  fore_guarded_arm (FORE_REQUEST_PAGE (widget)->guarded);
}

static void
fore_request_page_dispose (GObject *object)
{
  ForeRequestPage *self = FORE_REQUEST_PAGE (object);

  g_clear_pointer (&self->guarded, fore_guarded_free);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->request, fore_request_free);

  G_OBJECT_CLASS (fore_request_page_parent_class)->dispose (object);
}

static void
fore_request_page_class_init (ForeRequestPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_request_page_dispose;
  widget_class->map = fore_request_page_map;
  g_type_ensure (FORE_TYPE_HEADER);
  g_type_ensure (FORE_TYPE_FLOW);
  g_type_ensure (FORE_TYPE_MARKDOWN_VIEW);
  g_type_ensure (FORE_TYPE_CONFLICT_VIEW);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/foredeck/Foredeck/ui/fore-request-page.ui");
  gtk_widget_class_bind_template_child (widget_class, ForeRequestPage, box);
  gtk_widget_class_bind_template_child (widget_class, ForeRequestPage, header);
  gtk_widget_class_bind_template_child (widget_class, ForeRequestPage, icon);
  gtk_widget_class_bind_template_child (widget_class, ForeRequestPage, title);
  gtk_widget_class_bind_template_child (widget_class, ForeRequestPage, who);
  gtk_widget_class_bind_template_child (widget_class, ForeRequestPage, body);
  gtk_widget_class_bind_template_child (widget_class, ForeRequestPage, prose);
  gtk_widget_class_bind_template_child (widget_class, ForeRequestPage, conflict);
  gtk_widget_class_bind_template_child (widget_class, ForeRequestPage, clamp);
  gtk_widget_class_bind_template_child (widget_class, ForeRequestPage, scroller);
  gtk_widget_class_bind_template_child (widget_class, ForeRequestPage, text_box);
  gtk_widget_class_bind_template_child (widget_class, ForeRequestPage, text);
  gtk_widget_class_bind_template_child (widget_class, ForeRequestPage, answers);
  gtk_widget_class_bind_template_callback (widget_class, show_run_cb);
}

static void
fore_request_page_init (ForeRequestPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->guarded = fore_guarded_new (GTK_WIDGET (self));
  g_signal_connect (gtk_text_view_get_buffer (self->text), "changed", G_CALLBACK (text_changed_cb),
                    self);
}

static void
set_texts (ForeRequestPage *self, const ForeRequest *request)
{
  ForeIndex *index = fore_application_get_index ();
  g_autoptr (ForeRunItem) run = index != NULL ? fore_index_find_run (index, request->run) : NULL;
  g_autofree char *title = fore_format_line (request->title, 400);
  g_autofree char *body = request->body != NULL ? fore_text_make_visible (request->body) : NULL;
  g_autofree char *age = fore_format_age (request->created, g_get_real_time ());
  g_autofree char *who = NULL;
  /* What an agent asks for leave to do is shown as it is, not as Markdown would show it. */
  gboolean prose = request->kind == FORE_REQUEST_QUESTION || request->kind == FORE_REQUEST_GATE;

  if (request->task != NULL)
    who = g_strdup_printf (_ ("%s asked · %s"), request->task, age);
  else
    who = g_strdup_printf (_ ("Foredeck asks · %s"), age);
  fore_header_set_title (self->header, fore_format_request_kind (request->kind));
  fore_header_set_subtitle (self->header, run != NULL ? fore_run_item_get_run (run)->title : NULL);
  gtk_image_set_from_icon_name (self->icon, fore_format_request_icon (request->kind));
  gtk_label_set_text (self->title, title);
  fore_outside_show (self->who, who);
  gtk_label_set_text (self->body, body != NULL && !prose ? body : "");
  gtk_widget_set_visible (GTK_WIDGET (self->body), body != NULL && *body != 0 && !prose);
  fore_markdown_view_set_text (self->prose, prose && body != NULL ? request->body : "");
}

/**
 * fore_request_page_set_request:
 * @self: a page
 * @request: the request to show, copied
 */
void
fore_request_page_set_request (ForeRequestPage *self, const ForeRequest *request)
{
  g_autofree char *draft = NULL;
  GtkWidget *child;

  g_return_if_fail (FORE_IS_REQUEST_PAGE (self));
  g_return_if_fail (request != NULL);

  g_clear_pointer (&self->request, fore_request_free);
  self->request = fore_request_copy (request);
  set_texts (self, request);
  fore_conflict_view_set_request (self->conflict,
                                  request->kind == FORE_REQUEST_CONFLICT ? request : NULL);
  adw_clamp_set_maximum_size (self->clamp,
                              request->kind == FORE_REQUEST_CONFLICT ? CONFLICT_WIDTH : WIDTH);
  gtk_widget_set_visible (self->text_box, takes_text (request));
  fore_page_keys_set_target (GTK_WIDGET (self),
                             takes_text (request) ? GTK_WIDGET (self->text) : self->scroller);
  draft = g_strdup (fore_draft_file_get (request->id));
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->text), draft != NULL ? draft : "", -1);

  fore_guarded_clear (self->guarded);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->answers))) != NULL)
    gtk_widget_unparent (child);
  add_answers (self, request);
  text_changed_cb (gtk_text_view_get_buffer (self->text), self);
  fore_guarded_arm (self->guarded);
}
