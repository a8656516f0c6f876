/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-library-page.h"

#include "app/fore-job.h"
#include "app/fore-markdown-view.h"
#include "app/fore-outside.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _ForeLibraryPage
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkLabel *name;
  GtkLabel *origin;
  GtkLabel *path;
  GtkLabel *faults;
  GtkWidget *edit;
  GtkWidget *remove;
  GtkWidget *markdown;
  GtkTextBuffer *source;
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (ForeLibraryPage, fore_library_page, GTK_TYPE_WIDGET)

static gpointer
read_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents (data, &text, NULL, error))
    return NULL;

  return g_utf8_make_valid (text, -1);
}

/* The keys are shown as what they are, and the text below them as Markdown. */
static char *
dup_rendered (const char *text)
{
  const char *end = g_str_has_prefix (text, "---\n") ? strstr (text + 4, "\n---") : NULL;

  if (end == NULL)
    return g_strdup (text);

  return g_strdup_printf ("```yaml\n%.*s\n```\n%s", (int) (end - text - 4), text + 4,
                          end + strlen ("\n---"));
}

static void
read_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeLibraryPage *self = owner;
  g_autofree char *visible = fore_outside_dup (error != NULL ? error->message : result);
  g_autofree char *rendered = dup_rendered (visible);

  gtk_text_buffer_set_text (self->source, visible, -1);
  fore_markdown_view_set_text (FORE_MARKDOWN_VIEW (self->markdown), rendered);
}

static GtkLabel *
add_label (ForeLibraryPage *self, const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (self->box), label);

  return GTK_LABEL (label);
}

static GtkWidget *
add_button (GtkWidget *box, const char *label, const char *action)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_box_append (GTK_BOX (box), button);

  return button;
}

static void
add_buttons (ForeLibraryPage *self, GtkWidget *stack)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *switcher = gtk_stack_switcher_new ();

  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), GTK_STACK (stack));
  gtk_widget_set_hexpand (switcher, TRUE);
  gtk_widget_set_halign (switcher, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (row), switcher);
  add_button (row, _ ("Duplicate"), "library.copy");
  self->edit = add_button (row, _ ("Edit"), "library.edit");
  self->remove = add_button (row, _ ("Delete"), "library.remove");
  gtk_box_append (GTK_BOX (self->box), row);
}

static GtkWidget *
scroll (GtkWidget *child)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), child);
  gtk_widget_set_vexpand (scroller, TRUE);

  return scroller;
}

static GtkWidget *
make_source (ForeLibraryPage *self)
{
  GtkWidget *view = gtk_text_view_new ();

  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (view, "fore-prompt");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Source"), -1);
  self->source = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));

  return view;
}

static void
fore_library_page_dispose (GObject *object)
{
  ForeLibraryPage *self = FORE_LIBRARY_PAGE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->box, gtk_widget_unparent);

  G_OBJECT_CLASS (fore_library_page_parent_class)->dispose (object);
}

static void
fore_library_page_class_init (ForeLibraryPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fore_library_page_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
fore_library_page_init (ForeLibraryPage *self)
{
  GtkWidget *stack = gtk_stack_new ();

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_set_margin_start (self->box, 18);
  gtk_widget_set_margin_end (self->box, 18);
  gtk_widget_set_margin_top (self->box, 12);
  gtk_widget_set_margin_bottom (self->box, 12);
  self->name = add_label (self, "title-2");
  self->origin = add_label (self, "dim-label");
  self->path = add_label (self, "caption");
  self->faults = add_label (self, "error");
  add_buttons (self, stack);
  self->markdown = fore_markdown_view_new ();
  gtk_stack_add_titled (GTK_STACK (stack), scroll (self->markdown), "text", _ ("Text"));
  gtk_stack_add_titled (GTK_STACK (stack), scroll (make_source (self)), "source", _ ("Source"));
  gtk_box_append (GTK_BOX (self->box), stack);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

/**
 * fore_library_page_new:
 *
 * Returns: (transfer floating): an empty page
 */
GtkWidget *
fore_library_page_new (void)
{
  return g_object_new (FORE_TYPE_LIBRARY_PAGE, NULL);
}

/**
 * fore_library_page_show:
 * @self: a page
 * @item: what it shall show
 *
 * Shows @item, and reads its file in a worker thread.
 */
void
fore_library_page_show (ForeLibraryPage *self, ForeLibraryItem *item)
{
  const char *path;
  g_autofree char *origin = NULL;

  g_return_if_fail (FORE_IS_LIBRARY_PAGE (self));
  g_return_if_fail (FORE_IS_LIBRARY_ITEM (item));

  path = fore_library_item_get_path (item);
  origin = fore_library_item_dup_origin (item);
  fore_outside_show (self->name, fore_library_item_get_name (item));
  gtk_label_set_text (self->origin, origin);
  fore_outside_show (self->path, path != NULL ? path : "");
  fore_outside_show (self->faults, fore_library_item_get_faults (item));
  gtk_widget_set_visible (GTK_WIDGET (self->faults), *fore_library_item_get_faults (item) != '\0');
  gtk_widget_set_visible (self->edit, fore_library_item_is_own (item));
  gtk_widget_set_visible (self->remove, fore_library_item_is_own (item));

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (path == NULL)
    return;

  self->cancellable = g_cancellable_new ();
  fore_job_run (self, "read-library-file", self->cancellable, read_thread, g_strdup (path), g_free,
                g_free, read_cb);
}
