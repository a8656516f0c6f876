/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-diff-row-view.h"

#include <glib/gi18n-lib.h>

#define PADDING 10
#define LINE_SPACE 3
#define HEADER_SPACE 18
#define CARD_MARGIN 10
#define CARD_MAX_WIDTH 760

struct _ForeDiffRowView
{
  GtkWidget parent_instance;

  ForeDiffRow *row;
  GtkWidget *card;
  guint n_digits;
  guint n_columns;
  gboolean side_by_side;
  gboolean selected;

  ForePalette palette;
  PangoLayout *left;
  PangoLayout *right;
  double char_width;
  int line_height;
};

G_DEFINE_FINAL_TYPE (ForeDiffRowView, fore_diff_row_view, GTK_TYPE_WIDGET)

static void
forget_layouts (ForeDiffRowView *self)
{
  g_clear_object (&self->left);
  g_clear_object (&self->right);
}

static void
ensure_metrics (ForeDiffRowView *self)
{
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));
  PangoFontMetrics *metrics;

  if (self->char_width > 0)
    return;

  metrics = pango_context_get_metrics (context, NULL, NULL);
  self->char_width = (double) pango_font_metrics_get_approximate_digit_width (metrics)
                     / PANGO_SCALE;
  self->line_height = PANGO_PIXELS_CEIL (pango_font_metrics_get_height (metrics)) + LINE_SPACE;
  pango_font_metrics_unref (metrics);
  fore_palette_init_for_widget (&self->palette, GTK_WIDGET (self));
}

static double
get_number_width (ForeDiffRowView *self)
{
  return self->n_digits * self->char_width + PADDING;
}

/* Where the text of a side begins: behind its numbers and its sign. */
static double
get_text_x (ForeDiffRowView *self)
{
  return get_number_width (self) * (self->side_by_side ? 1 : 2) + PADDING + 2 * self->char_width;
}

static void
add_mark (PangoAttrList *attributes, const ForeDiffDocLine *line, const GdkRGBA *colour)
{
  PangoAttribute *mark;

  if (line->mark_end <= line->mark_start)
    return;

  mark = pango_attr_background_new (colour->red * 65535, colour->green * 65535,
                                    colour->blue * 65535);
  mark->start_index = line->mark_start;
  mark->end_index = line->mark_end;
  pango_attr_list_insert (attributes, mark);
}

static PangoLayout *
make_line_layout (ForeDiffRowView *self, const ForeDiffDocLine *line)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), line->text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  if (line->kind == FORE_DIFF_LINE_ADDED)
    add_mark (attributes, line, &self->palette.added_strong);
  else if (line->kind == FORE_DIFF_LINE_REMOVED)
    add_mark (attributes, line, &self->palette.removed_strong);
  pango_layout_set_attributes (layout, attributes);
  if (self->side_by_side)
    pango_layout_set_wrap (layout, PANGO_WRAP_CHAR);

  return layout;
}

static PangoLayout *
make_other_layout (ForeDiffRowView *self, const ForeDiffRowData *data)
{
  g_autofree char *text = NULL;

  switch (data->kind)
    {
    case FORE_DIFF_ROW_FOLD:
    case FORE_DIFF_ROW_EMPTY:
      text = fore_diff_row_dup_words (self->row);
      break;
    case FORE_DIFF_ROW_FILE:
      text = g_strdup (data->file->path);
      break;
    case FORE_DIFF_ROW_LINE:
    case FORE_DIFF_ROW_COMMENT:
    default:
      return NULL;
    }

  return gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
}

static void
ensure_layouts (ForeDiffRowView *self)
{
  const ForeDiffRowData *data;

  ensure_metrics (self);
  if (self->row == NULL || self->left != NULL || self->right != NULL)
    return;

  data = fore_diff_row_get_data (self->row);
  if (data->kind != FORE_DIFF_ROW_LINE)
    {
      self->left = make_other_layout (self, data);
      return;
    }
  if (data->left != NULL)
    self->left = make_line_layout (self, data->left);
  if (data->right != NULL)
    self->right = make_line_layout (self, data->right);
}

static int
measure_wrapped (ForeDiffRowView *self, PangoLayout *layout, int width)
{
  int height;

  if (layout == NULL)
    return 0;

  pango_layout_set_width (layout, MAX (width, 1) * PANGO_SCALE);
  pango_layout_get_pixel_size (layout, NULL, &height);
  return height + LINE_SPACE;
}

static int
measure_height (ForeDiffRowView *self, int width)
{
  const ForeDiffRowData *data = fore_diff_row_get_data (self->row);

  if (data->kind == FORE_DIFF_ROW_FILE)
    return self->line_height + HEADER_SPACE;
  if (data->kind == FORE_DIFF_ROW_LINE && self->side_by_side && width > 0)
    {
      int room = width / 2 - get_text_x (self) - PADDING;

      ensure_layouts (self);
      return MAX (self->line_height, MAX (measure_wrapped (self, self->left, room),
                                          measure_wrapped (self, self->right, room)));
    }

  return self->line_height + (data->kind == FORE_DIFF_ROW_EMPTY ? HEADER_SPACE : 0);
}

static void
measure_card (
    ForeDiffRowView *self, GtkOrientation orientation, int for_size, int *minimum, int *natural)
{
  int indent = get_text_x (self);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      gtk_widget_measure (self->card, orientation, -1, minimum, natural, NULL, NULL);
      *minimum += indent + CARD_MARGIN;
      *natural += indent + CARD_MARGIN;
      return;
    }

  if (for_size > 0)
    for_size = MIN (MAX (for_size - indent - CARD_MARGIN, 1), CARD_MAX_WIDTH);
  gtk_widget_measure (self->card, orientation, for_size, minimum, natural, NULL, NULL);
  *minimum += 2 * CARD_MARGIN;
  *natural += 2 * CARD_MARGIN;
}

static void
fore_diff_row_view_measure (GtkWidget *widget,
                            GtkOrientation orientation,
                            int for_size,
                            int *minimum,
                            int *natural,
                            int *minimum_baseline,
                            int *natural_baseline)
{
  ForeDiffRowView *self = FORE_DIFF_ROW_VIEW (widget);

  *minimum = *natural = 0;
  if (self->row == NULL)
    return;

  ensure_metrics (self);
  if (self->card != NULL)
    {
      measure_card (self, orientation, for_size, minimum, natural);
      return;
    }
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural = measure_height (self, for_size);
  else if (self->side_by_side)
    *minimum = *natural = 2 * (get_text_x (self) + 16 * self->char_width);
  else
    *minimum = *natural = get_text_x (self) + (self->n_columns + 1) * self->char_width + PADDING;
}

static void
fore_diff_row_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  ForeDiffRowView *self = FORE_DIFF_ROW_VIEW (widget);
  GtkAllocation place;

  if (self->card == NULL)
    return;

  place.x = get_text_x (self);
  place.width = MIN (MAX (width - place.x - CARD_MARGIN, 1), CARD_MAX_WIDTH);
  place.y = CARD_MARGIN;
  place.height = height - 2 * CARD_MARGIN;
  gtk_widget_size_allocate (self->card, &place, -1);
}

static void
append_text (GtkSnapshot *snapshot, PangoLayout *layout, double x, double y, const GdkRGBA *colour)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y));
  gtk_snapshot_append_layout (snapshot, layout, colour);
  gtk_snapshot_restore (snapshot);
}

static void
draw_number (ForeDiffRowView *self, GtkSnapshot *snapshot, guint number, double right)
{
  g_autoptr (PangoLayout) layout = NULL;
  char text[16];
  int width;

  if (number == 0)
    return;

  g_snprintf (text, sizeof text, "%u", number);
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  pango_layout_get_pixel_size (layout, &width, NULL);
  append_text (snapshot, layout, right - width, LINE_SPACE / 2, &self->palette.gutter);
}

static const GdkRGBA *
get_ground (ForeDiffRowView *self, const ForeDiffDocLine *line)
{
  if (line->kind == FORE_DIFF_LINE_ADDED)
    return &self->palette.added_bg;

  return line->kind == FORE_DIFF_LINE_REMOVED ? &self->palette.removed_bg : NULL;
}

static void
draw_sign (ForeDiffRowView *self, GtkSnapshot *snapshot, const ForeDiffDocLine *line, double x)
{
  gboolean added = line->kind == FORE_DIFF_LINE_ADDED;
  g_autoptr (PangoLayout) layout = NULL;

  if (!added && line->kind != FORE_DIFF_LINE_REMOVED)
    return;

  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), added ? "+" : "−");
  append_text (snapshot, layout, x, LINE_SPACE / 2,
               added ? &self->palette.added_text : &self->palette.removed_text);
}

/* One side of a line, or the whole of it: ground, sign and text. */
static void
draw_side (ForeDiffRowView *self,
           GtkSnapshot *snapshot,
           const ForeDiffDocLine *line,
           PangoLayout *layout,
           double x,
           double width,
           double height)
{
  const GdkRGBA *ground = get_ground (self, line);
  gboolean note = line->kind == FORE_DIFF_LINE_NOTE;
  double text_x = x + get_text_x (self);

  if (ground != NULL)
    gtk_snapshot_append_color (snapshot, ground, &GRAPHENE_RECT_INIT (x, 0, width, height));
  draw_sign (self, snapshot, line, text_x - 2 * self->char_width);
  append_text (snapshot, layout, text_x, LINE_SPACE / 2,
               note ? &self->palette.dim : &self->palette.text);
}

static void
draw_line (ForeDiffRowView *self, GtkSnapshot *snapshot, double width, double height)
{
  const ForeDiffRowData *data = fore_diff_row_get_data (self->row);
  double number_width = get_number_width (self);
  double middle = (int) (width / 2);

  if (!self->side_by_side)
    {
      draw_side (self, snapshot, data->left, self->left, 0, width, height);
      draw_number (self, snapshot, data->left->old_number, number_width);
      draw_number (self, snapshot, data->left->new_number, 2 * number_width);
      return;
    }

  if (data->left != NULL)
    {
      draw_side (self, snapshot, data->left, self->left, 0, middle, height);
      draw_number (self, snapshot, data->left->old_number, number_width);
    }
  if (data->right != NULL)
    {
      draw_side (self, snapshot, data->right, self->right, middle, width - middle, height);
      draw_number (self, snapshot, data->right->new_number, middle + number_width);
    }
  gtk_snapshot_append_color (snapshot, &self->palette.card_border,
                             &GRAPHENE_RECT_INIT (middle, 0, 1, height));
}

static void
draw_count (ForeDiffRowView *self,
            GtkSnapshot *snapshot,
            const char *sign,
            guint count,
            const GdkRGBA *colour,
            double *right,
            double y)
{
  g_autofree char *text = g_strdup_printf ("%s%u", sign, count);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  int width;

  if (count == 0)
    return;

  pango_layout_get_pixel_size (layout, &width, NULL);
  *right -= width + PADDING;
  append_text (snapshot, layout, *right, y, colour);
}

static void
draw_header (ForeDiffRowView *self, GtkSnapshot *snapshot, double width, double height)
{
  const ForeDiffDocFile *file = fore_diff_row_get_data (self->row)->file;
  g_autoptr (PangoAttrList) bold = pango_attr_list_new ();
  double right = width - PADDING;
  double y = (height - self->line_height + LINE_SPACE) / 2;

  gtk_snapshot_append_color (snapshot, &self->palette.fold_bg,
                             &GRAPHENE_RECT_INIT (0, 0, width, height));
  gtk_snapshot_append_color (snapshot, &self->palette.card_border,
                             &GRAPHENE_RECT_INIT (0, height - 1, width, 1));
  pango_attr_list_insert (bold, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (self->left, bold);
  append_text (snapshot, self->left, 2 * PADDING, y, &self->palette.text);
  draw_count (self, snapshot, "−", file->n_removed, &self->palette.removed_text, &right, y);
  draw_count (self, snapshot, "+", file->n_added, &self->palette.added_text, &right, y);
}

static void
draw_row (ForeDiffRowView *self, GtkSnapshot *snapshot, double width, double height)
{
  switch (fore_diff_row_get_data (self->row)->kind)
    {
    case FORE_DIFF_ROW_LINE:
      draw_line (self, snapshot, width, height);
      break;
    case FORE_DIFF_ROW_FOLD:
      gtk_snapshot_append_color (snapshot, &self->palette.fold_bg,
                                 &GRAPHENE_RECT_INIT (0, 0, width, height));
      append_text (snapshot, self->left, get_text_x (self), LINE_SPACE / 2, &self->palette.gutter);
      break;
    case FORE_DIFF_ROW_FILE:
      draw_header (self, snapshot, width, height);
      break;
    case FORE_DIFF_ROW_EMPTY:
      append_text (snapshot, self->left, get_text_x (self), HEADER_SPACE / 2, &self->palette.dim);
      break;
    case FORE_DIFF_ROW_COMMENT:
    default:
      break;
    }
}

static void
fore_diff_row_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  ForeDiffRowView *self = FORE_DIFF_ROW_VIEW (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);

  if (self->row == NULL)
    return;

  ensure_layouts (self);
  draw_row (self, snapshot, width, height);
  if (self->selected)
    {
      GdkRGBA veil = self->palette.accent;

      veil.alpha = 0.16;
      gtk_snapshot_append_color (snapshot, &veil, &GRAPHENE_RECT_INIT (0, 0, width, height));
    }
  if (self->card != NULL)
    gtk_widget_snapshot_child (widget, self->card, snapshot);
}

static GtkSizeRequestMode
fore_diff_row_view_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
fore_diff_row_view_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (fore_diff_row_view_parent_class)->css_changed (widget, change);

  forget_layouts (FORE_DIFF_ROW_VIEW (widget));
  FORE_DIFF_ROW_VIEW (widget)->char_width = 0;
  gtk_widget_queue_resize (widget);
}

static void
fore_diff_row_view_dispose (GObject *object)
{
  ForeDiffRowView *self = FORE_DIFF_ROW_VIEW (object);

  g_clear_pointer (&self->card, gtk_widget_unparent);
  g_clear_object (&self->row);
  forget_layouts (self);

  G_OBJECT_CLASS (fore_diff_row_view_parent_class)->dispose (object);
}

static void
fore_diff_row_view_class_init (ForeDiffRowViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_diff_row_view_dispose;
  widget_class->measure = fore_diff_row_view_measure;
  widget_class->size_allocate = fore_diff_row_view_size_allocate;
  widget_class->snapshot = fore_diff_row_view_snapshot;
  widget_class->get_request_mode = fore_diff_row_view_get_request_mode;
  widget_class->css_changed = fore_diff_row_view_css_changed;
  gtk_widget_class_set_css_name (widget_class, "diffrow");
}

static void
fore_diff_row_view_init (ForeDiffRowView *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self), "monospace");
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);
}

GtkWidget *
fore_diff_row_view_new (void)
{
  return g_object_new (FORE_TYPE_DIFF_ROW_VIEW, NULL);
}

/**
 * fore_diff_row_view_set_row:
 * @self: a row view
 * @row: (nullable): what to show
 * @n_digits: digits of the largest line number
 * @n_columns: columns of the longest line
 * @side_by_side: whether old and new stand beside each other
 */
void
fore_diff_row_view_set_row (
    ForeDiffRowView *self, ForeDiffRow *row, guint n_digits, guint n_columns, gboolean side_by_side)
{
  g_return_if_fail (FORE_IS_DIFF_ROW_VIEW (self));
  g_return_if_fail (row == NULL || FORE_IS_DIFF_ROW (row));

  g_set_object (&self->row, row);
  self->n_digits = n_digits;
  self->n_columns = n_columns;
  self->side_by_side = side_by_side;
  forget_layouts (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
fore_diff_row_view_set_selected (ForeDiffRowView *self, gboolean selected)
{
  g_return_if_fail (FORE_IS_DIFF_ROW_VIEW (self));

  self->selected = selected;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * fore_diff_row_view_set_card:
 * @self: a row view
 * @card: (nullable) (transfer full): what a comment looks like
 */
void
fore_diff_row_view_set_card (ForeDiffRowView *self, GtkWidget *card)
{
  g_return_if_fail (FORE_IS_DIFF_ROW_VIEW (self));

  if (self->card == NULL && card == NULL)
    return;

  g_clear_pointer (&self->card, gtk_widget_unparent);
  self->card = card;
  if (card != NULL)
    gtk_widget_set_parent (card, GTK_WIDGET (self));
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

ForeDiffRow *
fore_diff_row_view_get_row (ForeDiffRowView *self)
{
  g_return_val_if_fail (FORE_IS_DIFF_ROW_VIEW (self), NULL);

  return self->row;
}
