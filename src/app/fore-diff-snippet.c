/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-diff-snippet.h"

#include "app/fore-palette.h"

#include <glib/gi18n-lib.h>

#define MAX_LINES 40
#define PADDING 12
#define LINE_SPACE 2

struct _ForeDiffSnippet
{
  GtkWidget parent_instance;

  ForeDiffDoc *doc;
  GPtrArray *lines;
  guint n_more;
  int line_height;
  int char_width;
  ForePalette palette;
};

G_DEFINE_FINAL_TYPE (ForeDiffSnippet, fore_diff_snippet, GTK_TYPE_WIDGET)

static void
collect_lines (ForeDiffSnippet *self)
{
  g_ptr_array_set_size (self->lines, 0);
  self->n_more = 0;
  for (guint f = 0; self->doc != NULL && f < fore_diff_doc_get_n_files (self->doc); f++)
    {
      const ForeDiffDocFile *file = fore_diff_doc_get_file (self->doc, f);

      for (guint h = 0; h < file->hunks->len; h++)
        {
          const ForeDiffDocHunk *hunk = g_ptr_array_index (file->hunks, h);

          for (guint i = 0; i < hunk->lines->len; i++)
            if (self->lines->len < MAX_LINES)
              g_ptr_array_add (self->lines, &g_array_index (hunk->lines, ForeDiffDocLine, i));
            else
              self->n_more++;
        }
    }
}

static void
ensure_metrics (ForeDiffSnippet *self)
{
  PangoFontMetrics *metrics;

  if (self->line_height > 0)
    return;

  metrics = pango_context_get_metrics (gtk_widget_get_pango_context (GTK_WIDGET (self)), NULL,
                                       NULL);
  self->line_height = PANGO_PIXELS_CEIL (pango_font_metrics_get_height (metrics)) + LINE_SPACE;
  self->char_width = PANGO_PIXELS_CEIL (pango_font_metrics_get_approximate_digit_width (metrics));
  pango_font_metrics_unref (metrics);
  fore_palette_init_for_widget (&self->palette, GTK_WIDGET (self));
}

static void
fore_diff_snippet_measure (GtkWidget *widget,
                           GtkOrientation orientation,
                           int for_size,
                           int *minimum,
                           int *natural,
                           int *minimum_baseline,
                           int *natural_baseline)
{
  ForeDiffSnippet *self = FORE_DIFF_SNIPPET (widget);

  ensure_metrics (self);
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural = (self->lines->len + (self->n_more > 0)) * self->line_height + PADDING;
  else
    {
      *minimum = 20 * self->char_width;
      *natural = 72 * self->char_width;
    }
}

static void
append_text (ForeDiffSnippet *self,
             GtkSnapshot *snapshot,
             const char *text,
             double x,
             double y,
             double width,
             const GdkRGBA *colour)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);

  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_width (layout, MAX (width, 1) * PANGO_SCALE);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y));
  gtk_snapshot_append_layout (snapshot, layout, colour);
  gtk_snapshot_restore (snapshot);
}

static void
draw_line (ForeDiffSnippet *self,
           GtkSnapshot *snapshot,
           const ForeDiffDocLine *line,
           double y,
           double width)
{
  const ForePalette *palette = &self->palette;
  gboolean added = line->kind == FORE_DIFF_LINE_ADDED;
  gboolean removed = line->kind == FORE_DIFF_LINE_REMOVED;
  double text_x = PADDING + 2 * self->char_width;

  if (added || removed)
    {
      gtk_snapshot_append_color (snapshot, added ? &palette->added_bg : &palette->removed_bg,
                                 &GRAPHENE_RECT_INIT (0, y, width, self->line_height));
      append_text (self, snapshot, added ? "+" : "−", PADDING, y + 1, 2 * self->char_width,
                   added ? &palette->added_text : &palette->removed_text);
    }
  append_text (self, snapshot, line->text, text_x, y + 1, width - text_x - PADDING,
               line->kind == FORE_DIFF_LINE_NOTE ? &palette->dim : &palette->text);
}

static void
fore_diff_snippet_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  ForeDiffSnippet *self = FORE_DIFF_SNIPPET (widget);
  double width = gtk_widget_get_width (widget);
  double y = PADDING / 2;

  ensure_metrics (self);
  for (guint i = 0; i < self->lines->len; i++, y += self->line_height)
    draw_line (self, snapshot, g_ptr_array_index (self->lines, i), y, width);
  if (self->n_more > 0)
    {
      g_autofree char *text = g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "%u more line", "%u more lines", self->n_more),
          self->n_more);

      append_text (self, snapshot, text, PADDING, y + 1, width - 2 * PADDING, &self->palette.dim);
    }
}

static void
fore_diff_snippet_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (fore_diff_snippet_parent_class)->css_changed (widget, change);

  FORE_DIFF_SNIPPET (widget)->line_height = 0;
  gtk_widget_queue_resize (widget);
}

static void
fore_diff_snippet_finalize (GObject *object)
{
  ForeDiffSnippet *self = FORE_DIFF_SNIPPET (object);

  g_ptr_array_unref (self->lines);
  g_clear_pointer (&self->doc, fore_diff_doc_unref);

  G_OBJECT_CLASS (fore_diff_snippet_parent_class)->finalize (object);
}

static void
fore_diff_snippet_class_init (ForeDiffSnippetClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = fore_diff_snippet_finalize;
  widget_class->measure = fore_diff_snippet_measure;
  widget_class->snapshot = fore_diff_snippet_snapshot;
  widget_class->css_changed = fore_diff_snippet_css_changed;
  gtk_widget_class_set_css_name (widget_class, "diffsnippet");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
fore_diff_snippet_init (ForeDiffSnippet *self)
{
  self->lines = g_ptr_array_new ();
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (GTK_WIDGET (self), "monospace");
  gtk_widget_add_css_class (GTK_WIDGET (self), "card");
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);
}

GtkWidget *
fore_diff_snippet_new (void)
{
  return g_object_new (FORE_TYPE_DIFF_SNIPPET, NULL);
}

/**
 * fore_diff_snippet_set_doc:
 * @self: a snippet
 * @doc: (nullable): the changes to show
 */
void
fore_diff_snippet_set_doc (ForeDiffSnippet *self, ForeDiffDoc *doc)
{
  g_autofree char *label = NULL;
  guint n_added = 0, n_removed = 0;

  g_return_if_fail (FORE_IS_DIFF_SNIPPET (self));

  if (self->doc == doc)
    return;

  g_clear_pointer (&self->doc, fore_diff_doc_unref);
  self->doc = doc != NULL ? fore_diff_doc_ref (doc) : NULL;
  collect_lines (self);
  if (doc != NULL)
    fore_diff_doc_get_totals (doc, &n_added, &n_removed);
  label = g_strdup_printf (_ ("Change: %u lines added, %u removed"), n_added, n_removed);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
