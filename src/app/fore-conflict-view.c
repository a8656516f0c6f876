/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-conflict-view.h"

#include "app/fore-application.h"
#include "app/fore-changes-open.h"
#include "app/fore-conflict-load.h"
#include "app/fore-drop-down.h"
#include "app/fore-outside.h"
#include "app/fore-palette.h"
#include "git/fore-changed-lines.h"

#include <glib/gi18n-lib.h>

#define COLUMN_WIDTH 210
#define COLUMN_HEIGHT 280
#define NAME_CHARS 40

typedef struct
{
  GtkWidget *box;
  GtkLabel *heading;
  GtkLabel *note;
  GtkTextView *text;
} Column;

struct _ForeConflictView
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkWidget *bar;
  GtkDropDown *files;
  GtkWidget *open;
  GtkLabel *problem;
  GtkWidget *scroller;
  Column columns[FORE_N_MERGE_SIDES];

  ForeConflictDoc *doc;
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (ForeConflictView, fore_conflict_view, GTK_TYPE_WIDGET)

static const ForeConflictFile *
get_file (ForeConflictView *self)
{
  guint selected = gtk_drop_down_get_selected (self->files);

  if (self->doc == NULL || selected >= self->doc->files->len)
    return NULL;

  return g_ptr_array_index (self->doc->files, selected);
}

static void
mark_changed (ForeConflictView *self, GtkTextBuffer *buffer, const ForeConflictText *side)
{
  ForePalette palette;
  GtkTextTag *tag;

  fore_palette_init_for_widget (&palette, GTK_WIDGET (self));
  tag = gtk_text_buffer_create_tag (buffer, NULL, "paragraph-background-rgba", &palette.added_bg,
                                    NULL);
  for (guint i = 0; i < side->changed->len; i++)
    {
      const ForeChangedLines *lines = &g_array_index (side->changed, ForeChangedLines, i);
      GtkTextIter start, end;

      gtk_text_buffer_get_iter_at_line (buffer, &start, (int) lines->first);
      gtk_text_buffer_get_iter_at_line (buffer, &end, (int) (lines->first + lines->n));
      if (gtk_text_iter_equal (&start, &end))
        gtk_text_iter_forward_to_line_end (&end);
      gtk_text_buffer_apply_tag (buffer, tag, &start, &end);
    }
}

/* Before the first frame a view has no size to scroll in. */
static gboolean
scroll_to_cursor (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  GtkTextView *view = GTK_TEXT_VIEW (widget);

  if (gtk_widget_get_height (widget) <= 1)
    return G_SOURCE_CONTINUE;

  gtk_text_view_scroll_to_mark (view, gtk_text_buffer_get_insert (gtk_text_view_get_buffer (view)),
                                0, TRUE, 0, 0.2);

  return G_SOURCE_REMOVE;
}

static void
scroll_to_change (GtkTextView *view, const ForeConflictText *side)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter iter;

  if (side->changed->len == 0)
    return;

  gtk_text_buffer_get_iter_at_line (buffer, &iter,
                                    (int) g_array_index (side->changed, ForeChangedLines, 0).first);
  gtk_text_buffer_place_cursor (buffer, &iter);
  gtk_widget_add_tick_callback (GTK_WIDGET (view), scroll_to_cursor, NULL, NULL);
}

static char *
dup_note (const ForeConflictText *side)
{
  if (side->missing)
    return g_strdup (_ ("The file is not there."));
  if (side->text == NULL)
    return g_strdup (_ ("It is not text, or too large to be shown."));
  if (side->above + side->below > 0)
    return g_strdup_printf (_ ("%u lines above and %u below are not shown."), side->above,
                            side->below);

  return NULL;
}

static void
show_side (ForeConflictView *self, Column *column, const ForeConflictText *side)
{
  g_autoptr (GtkTextBuffer) buffer = gtk_text_buffer_new (NULL);
  g_autofree char *note = dup_note (side);

  gtk_label_set_text (column->note, note != NULL ? note : "");
  gtk_widget_set_visible (GTK_WIDGET (column->note), note != NULL);
  if (side->text != NULL)
    {
      gtk_text_buffer_set_text (buffer, side->text, -1);
      mark_changed (self, buffer, side);
    }
  gtk_text_view_set_buffer (column->text, buffer);
  if (side->text != NULL)
    scroll_to_change (column->text, side);
}

static void
file_selected_cb (GtkDropDown *files, GParamSpec *pspec, ForeConflictView *self)
{
  const ForeConflictFile *file = get_file (self);

  for (guint i = 0; file != NULL && i < FORE_N_MERGE_SIDES; i++)
    show_side (self, &self->columns[i], &file->sides[i]);
}

static void
open_clicked_cb (GtkButton *button, ForeConflictView *self)
{
  const ForeConflictFile *file = get_file (self);

  if (file != NULL && self->doc->folder != NULL)
    fore_changes_open_file (GTK_WIDGET (self), self->doc->folder, self->doc->folder, file->path);
}

static void
name_sides (ForeConflictView *self)
{
  g_autofree char *theirs = NULL;

  if (self->doc->theirs != NULL)
    theirs = g_strdup_printf (_ ("Second side: %s"), self->doc->theirs);
  gtk_label_set_text (self->columns[FORE_MERGE_SIDE_BASE].heading, _ ("What both began with"));
  gtk_label_set_text (self->columns[FORE_MERGE_SIDE_OURS].heading, _ ("First side"));
  fore_outside_show (self->columns[FORE_MERGE_SIDE_THEIRS].heading,
                     theirs != NULL ? theirs : _ ("Second side"));
}

static void
list_files (ForeConflictView *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < self->doc->files->len; i++)
    {
      const ForeConflictFile *file = g_ptr_array_index (self->doc->files, i);
      g_autofree char *valid = g_utf8_make_valid (file->path, -1);
      g_autofree char *name = fore_outside_dup (valid);

      gtk_string_list_append (names, name);
    }

  gtk_drop_down_set_model (self->files, G_LIST_MODEL (names));
}

static void
loaded_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeConflictView *self = owner;
  gboolean there;

  g_clear_pointer (&self->doc, fore_conflict_doc_unref);
  self->doc = result != NULL ? fore_conflict_doc_ref (result) : NULL;
  there = self->doc != NULL && self->doc->files->len > 0;
  if (error != NULL)
    fore_outside_show (self->problem, error->message);
  gtk_widget_set_visible (GTK_WIDGET (self->problem), error != NULL);
  gtk_widget_set_visible (self->bar, there);
  gtk_widget_set_visible (self->scroller, there);
  if (!there)
    return;

  gtk_widget_set_visible (self->open, self->doc->folder != NULL);
  name_sides (self);
  list_files (self);
  file_selected_cb (self->files, NULL, self);
}

static void
fore_conflict_view_dispose (GObject *object)
{
  ForeConflictView *self = FORE_CONFLICT_VIEW (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->doc, fore_conflict_doc_unref);

  G_OBJECT_CLASS (fore_conflict_view_parent_class)->dispose (object);
}

static void
fore_conflict_view_class_init (ForeConflictViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fore_conflict_view_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static GtkLabel *
new_label (GtkWidget *box, const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (box), label);

  return GTK_LABEL (label);
}

static void
add_column (Column *column, GtkWidget *row, const char *name)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  column->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  column->heading = new_label (column->box, "fore-section");
  column->note = new_label (column->box, "dim-label");
  column->text = GTK_TEXT_VIEW (gtk_text_view_new ());
  gtk_text_view_set_editable (column->text, FALSE);
  gtk_text_view_set_monospace (column->text, TRUE);
  gtk_text_view_set_top_margin (column->text, 9);
  gtk_text_view_set_bottom_margin (column->text, 9);
  gtk_text_view_set_left_margin (column->text, 12);
  gtk_text_view_set_right_margin (column->text, 12);
  gtk_accessible_update_property (GTK_ACCESSIBLE (column->text), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (column->text));
  gtk_widget_set_size_request (scroller, COLUMN_WIDTH, COLUMN_HEIGHT);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_widget_add_css_class (scroller, "fore-text-frame");
  gtk_box_append (GTK_BOX (column->box), scroller);
  gtk_box_append (GTK_BOX (row), column->box);
}

static GtkWidget *
make_columns (ForeConflictView *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_box_set_homogeneous (GTK_BOX (row), TRUE);
  add_column (&self->columns[FORE_MERGE_SIDE_BASE], row, _ ("What both began with"));
  add_column (&self->columns[FORE_MERGE_SIDE_OURS], row, _ ("First side"));
  add_column (&self->columns[FORE_MERGE_SIDE_THEIRS], row, _ ("Second side"));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), row);

  return scroller;
}

static GtkWidget *
make_bar (ForeConflictView *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);

  self->files = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  fore_drop_down_limit (self->files, NAME_CHARS);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->files), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("File in conflict"), -1);
  g_signal_connect (self->files, "notify::selected", G_CALLBACK (file_selected_cb), self);
  self->open = gtk_button_new_with_label (_ ("Open in Editor"));
  g_signal_connect (self->open, "clicked", G_CALLBACK (open_clicked_cb), self);
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->files));
  gtk_box_append (GTK_BOX (bar), self->open);

  return bar;
}

static void
fore_conflict_view_init (ForeConflictView *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);
  self->bar = make_bar (self);
  gtk_box_append (GTK_BOX (self->box), self->bar);
  self->problem = new_label (self->box, "dim-label");
  self->scroller = make_columns (self);
  gtk_box_append (GTK_BOX (self->box), self->scroller);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

/**
 * fore_conflict_view_new:
 *
 * Returns: (transfer floating): a view that shows nothing yet
 */
GtkWidget *
fore_conflict_view_new (void)
{
  return g_object_new (FORE_TYPE_CONFLICT_VIEW, NULL);
}

/**
 * fore_conflict_view_set_request:
 * @self: a view
 * @request: (nullable): a request about a conflict; %NULL shows nothing
 *
 * Reads the sides in a worker thread and shows them.
 */
void
fore_conflict_view_set_request (ForeConflictView *self, const ForeRequest *request)
{
  g_return_if_fail (FORE_IS_CONFLICT_VIEW (self));

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->doc, fore_conflict_doc_unref);
  gtk_widget_set_visible (GTK_WIDGET (self), request != NULL);
  gtk_widget_set_visible (self->bar, FALSE);
  gtk_widget_set_visible (self->scroller, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->problem), FALSE);
  if (request == NULL)
    return;

  self->cancellable = g_cancellable_new ();
  fore_conflict_query (self, fore_application_get_store (), request, self->cancellable, loaded_cb);
}
