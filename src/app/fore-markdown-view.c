/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-markdown-view.h"

#include "app/fore-markdown.h"

#include <glib/gi18n-lib.h>

#define SPACING 8
#define ITEM_SPACING 3
#define INDENT 20
#define QUOTE_INDENT 14

#define LONG_WORD 28

struct _ForeMarkdownView
{
  GtkWidget parent_instance;

  char *text;
  GPtrArray *blocks;
  GPtrArray *widgets;
};

G_DEFINE_FINAL_TYPE (ForeMarkdownView, fore_markdown_view, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_TEXT,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

/* A label asks for the width of the narrowest text that it can make. Between letters that means a
 * line for each of them, which takes time by the square of their number; so only texts with words
 * that are too long for a narrow panel may break there.
 */
static PangoWrapMode
choose_wrap (const char *text)
{
  guint n = 0;

  for (const char *p = text; *p != 0; p = g_utf8_next_char (p))
    {
      n = g_unichar_isspace (g_utf8_get_char (p)) ? 0 : n + 1;
      if (n > LONG_WORD)
        return PANGO_WRAP_WORD_CHAR;
    }

  return PANGO_WRAP_WORD;
}

static GtkWidget *
make_label (const ForeMarkdownBlock *block)
{
  GtkWidget *label = gtk_label_new (block->text);

  gtk_label_set_attributes (GTK_LABEL (label), block->attributes);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), choose_wrap (block->text));
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);

  return label;
}

static GtkWidget *
make_item (const ForeMarkdownBlock *block)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *marker = gtk_label_new (block->marker);

  gtk_label_set_xalign (GTK_LABEL (marker), 1);
  gtk_widget_set_size_request (marker, INDENT, -1);
  gtk_widget_set_valign (marker, GTK_ALIGN_START);
  gtk_widget_add_css_class (marker, "dim-label");
  gtk_widget_set_margin_start (box, block->level * INDENT);
  gtk_box_append (GTK_BOX (box), marker);
  gtk_box_append (GTK_BOX (box), make_label (block));

  return box;
}

static GtkWidget *
make_code (const ForeMarkdownBlock *block)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *label = gtk_label_new (block->text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "monospace");
  gtk_widget_set_direction (label, GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (scroller, GTK_TEXT_DIR_LTR);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), label);
  gtk_widget_add_css_class (scroller, "code-block");
  gtk_widget_set_margin_start (scroller, block->level * INDENT);

  return scroller;
}

static GtkWidget *
make_table (const ForeMarkdownBlock *block)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_widget_add_css_class (grid, "markdown-table");
  gtk_widget_set_halign (grid, GTK_ALIGN_START);
  for (guint y = 0; y < block->cells->len; y++)
    {
      GPtrArray *row = g_ptr_array_index (block->cells, y);

      for (guint x = 0; x < row->len; x++)
        {
          GtkWidget *label = make_label (g_ptr_array_index (row, x));

          gtk_widget_add_css_class (label, y == 0 ? "head-cell" : "cell");
          gtk_grid_attach (GTK_GRID (grid), label, x, y, 1, 1);
        }
    }

  return grid;
}

static GtkWidget *
make_widget (const ForeMarkdownBlock *block)
{
  switch (block->kind)
    {
    case FORE_MARKDOWN_ITEM:
      return make_item (block);
    case FORE_MARKDOWN_CODE:
      return make_code (block);
    case FORE_MARKDOWN_RULE:
      return gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
    case FORE_MARKDOWN_TABLE:
      return make_table (block);
    case FORE_MARKDOWN_PARAGRAPH:
    case FORE_MARKDOWN_HEADING:
    default:
      return make_label (block);
    }
}

static gboolean
blocks_look_equal (const ForeMarkdownBlock *a, const ForeMarkdownBlock *b)
{
  return a->kind == b->kind && a->level == b->level && a->quoted == b->quoted
         && a->kind != FORE_MARKDOWN_TABLE && g_strcmp0 (a->marker, b->marker) == 0
         && g_strcmp0 (a->text, b->text) == 0
         && pango_attr_list_equal (a->attributes, b->attributes);
}

static void
add_widget (ForeMarkdownView *self, const ForeMarkdownBlock *block, const ForeMarkdownBlock *before)
{
  GtkWidget *widget = make_widget (block);
  gboolean in_list = before != NULL && before->kind == FORE_MARKDOWN_ITEM
                     && block->kind == FORE_MARKDOWN_ITEM;
  int space = in_list ? ITEM_SPACING : SPACING;

  if (before != NULL)
    gtk_widget_set_margin_top (widget,
                               block->kind == FORE_MARKDOWN_HEADING ? space + ITEM_SPACING : space);
  if (block->quoted > 0)
    {
      gtk_widget_set_margin_start (widget, gtk_widget_get_margin_start (widget)
                                               + (int) MIN (block->quoted, 6) * QUOTE_INDENT);
      gtk_widget_add_css_class (widget, "quote");
    }
  gtk_widget_set_parent (widget, GTK_WIDGET (self));
  g_ptr_array_add (self->widgets, widget);
}

/* Only what changed is made again, so that a text that grows neither flickers nor loses a
 * selection in its earlier parts.
 */
static void
show_blocks (ForeMarkdownView *self, GPtrArray *blocks)
{
  guint same = 0;

  while (same < self->blocks->len && same < blocks->len
         && blocks_look_equal (g_ptr_array_index (self->blocks, same),
                               g_ptr_array_index (blocks, same)))
    same++;
  while (self->widgets->len > same)
    {
      gtk_widget_unparent (g_ptr_array_index (self->widgets, self->widgets->len - 1));
      g_ptr_array_set_size (self->widgets, self->widgets->len - 1);
    }
  for (guint i = same; i < blocks->len; i++)
    add_widget (self, g_ptr_array_index (blocks, i),
                i > 0 ? g_ptr_array_index (blocks, i - 1) : NULL);

  g_ptr_array_unref (self->blocks);
  self->blocks = g_ptr_array_ref (blocks);
}

/* Always the same, whatever is in it: GTK may keep the answer that an empty view gave, and give a
 * text of two lines that comes later the height of one.
 */
static GtkSizeRequestMode
get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
measure_blocks (GtkWidget *widget,
                GtkOrientation orientation,
                int for_size,
                int *minimum,
                int *natural,
                int *minimum_baseline,
                int *natural_baseline)
{
  gboolean adds = orientation == GTK_ORIENTATION_VERTICAL;

  *minimum = *natural = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int child_minimum;
      int child_natural;

      gtk_widget_measure (child, orientation, adds ? for_size : -1, &child_minimum, &child_natural,
                          NULL, NULL);
      *minimum = adds ? *minimum + child_minimum : MAX (*minimum, child_minimum);
      *natural = adds ? *natural + child_natural : MAX (*natural, child_natural);
    }
}

static void
place_blocks (GtkWidget *widget, int width, int height, int baseline)
{
  int y = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkAllocation place = { 0, y, width, 0 };

      gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, NULL, &place.height, NULL, NULL);
      gtk_widget_size_allocate (child, &place, -1);
      y += place.height;
    }
}

static void
fore_markdown_view_dispose (GObject *object)
{
  ForeMarkdownView *self = FORE_MARKDOWN_VIEW (object);

  for (guint i = 0; i < self->widgets->len; i++)
    gtk_widget_unparent (g_ptr_array_index (self->widgets, i));
  g_ptr_array_set_size (self->widgets, 0);

  G_OBJECT_CLASS (fore_markdown_view_parent_class)->dispose (object);
}

static void
fore_markdown_view_finalize (GObject *object)
{
  ForeMarkdownView *self = FORE_MARKDOWN_VIEW (object);

  g_free (self->text);
  g_ptr_array_unref (self->blocks);
  g_ptr_array_unref (self->widgets);

  G_OBJECT_CLASS (fore_markdown_view_parent_class)->finalize (object);
}

static void
fore_markdown_view_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  ForeMarkdownView *self = FORE_MARKDOWN_VIEW (object);

  switch (prop_id)
    {
    case PROP_TEXT:
      g_value_set_string (value, self->text);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
fore_markdown_view_set_property (GObject *object,
                                 guint prop_id,
                                 const GValue *value,
                                 GParamSpec *pspec)
{
  ForeMarkdownView *self = FORE_MARKDOWN_VIEW (object);

  switch (prop_id)
    {
    case PROP_TEXT:
      fore_markdown_view_set_text (self, g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
fore_markdown_view_class_init (ForeMarkdownViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fore_markdown_view_dispose;
  object_class->finalize = fore_markdown_view_finalize;
  object_class->get_property = fore_markdown_view_get_property;
  object_class->set_property = fore_markdown_view_set_property;
  properties[PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, NULL,
                                               G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY
                                                   | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_css_name (widget_class, "markdown");
}

static void
fore_markdown_view_init (ForeMarkdownView *self)
{
  self->blocks = g_ptr_array_new ();
  self->widgets = g_ptr_array_new ();
  gtk_widget_set_layout_manager (
      GTK_WIDGET (self), gtk_custom_layout_new (get_request_mode, measure_blocks, place_blocks));
}

GtkWidget *
fore_markdown_view_new (void)
{
  return g_object_new (FORE_TYPE_MARKDOWN_VIEW, NULL);
}

const char *
fore_markdown_view_get_text (ForeMarkdownView *self)
{
  g_return_val_if_fail (FORE_IS_MARKDOWN_VIEW (self), NULL);

  return self->text;
}

/**
 * fore_markdown_view_set_text:
 * @self: a Markdown view
 * @text: (nullable): Markdown from anywhere; nothing in it is trusted
 */
void
fore_markdown_view_set_text (ForeMarkdownView *self, const char *text)
{
  g_autoptr (GPtrArray) blocks = NULL;

  g_return_if_fail (FORE_IS_MARKDOWN_VIEW (self));

  if (g_strcmp0 (self->text, text) == 0)
    return;

  g_free (self->text);
  self->text = g_strdup (text);
  blocks = fore_markdown_parse (text != NULL ? text : "", -1);
  show_blocks (self, blocks);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TEXT]);
}
