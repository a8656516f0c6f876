/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-markdown.h"

#include "text/fore-text.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <string.h>

/* What is longer is shown as it stands: nobody reads it as a text, and a parser should not have to.
 */
#define MAX_PARSED (256 * 1024)
#define MAX_BLOCKS 4000
#define CODE_ALPHA 0x2000
#define HEADING_SCALES 3

typedef struct
{
  GPtrArray *blocks;
  GArray *lists;
  guint quoted;
  ForeMarkdownBlock *current;
  GString *text;
  GArray *open;
  char *marker;
  GPtrArray *table;
  GPtrArray *row;
} Reader;

/* A list that the reader is inside of. */
typedef struct
{
  gboolean ordered;
  guint next;
} ListLevel;

/* An attribute that has begun. */
typedef struct
{
  cmark_node *node;
  guint start;
} OpenRange;

static void
block_free (gpointer data)
{
  ForeMarkdownBlock *self = data;

  g_free (self->marker);
  g_free (self->text);
  g_clear_pointer (&self->attributes, pango_attr_list_unref);
  g_free (self->language);
  g_clear_pointer (&self->cells, g_ptr_array_unref);
  g_free (self);
}

static void
begin_block (Reader *self, ForeMarkdownKind kind, guint level)
{
  self->current = g_new0 (ForeMarkdownBlock, 1);
  self->current->kind = kind;
  self->current->level = level;
  self->current->quoted = self->quoted;
  self->current->attributes = pango_attr_list_new ();
  self->text = g_string_new (NULL);
  g_array_set_size (self->open, 0);
}

static ForeMarkdownBlock *
end_block (Reader *self)
{
  ForeMarkdownBlock *block = g_steal_pointer (&self->current);

  block->text = g_string_free (g_steal_pointer (&self->text), FALSE);
  return block;
}

static void
add_text (Reader *self, const char *text)
{
  g_autofree char *visible = NULL;

  if (self->current == NULL || text == NULL)
    return;

  visible = fore_text_make_visible (text);
  g_string_append (self->text, visible);
}

static void
add_attribute (Reader *self, PangoAttribute *attribute, guint start)
{
  attribute->start_index = start;
  attribute->end_index = self->text->len;
  if (attribute->start_index < attribute->end_index)
    pango_attr_list_insert (self->current->attributes, attribute);
  else
    pango_attribute_destroy (attribute);
}

static void
add_code (Reader *self, const char *text)
{
  guint start;

  if (self->current == NULL)
    return;

  start = self->text->len;
  add_text (self, text);
  add_attribute (self, pango_attr_family_new ("Monospace"), start);
  add_attribute (self, pango_attr_scale_new (0.94), start);
  add_attribute (self, pango_attr_background_new (0x8000, 0x8000, 0x8000), start);
  add_attribute (self, pango_attr_background_alpha_new (CODE_ALPHA), start);
}

/* A link cannot be followed; where it leads stands behind it unless that is what it says. */
static void
end_link (Reader *self, cmark_node *node, guint start)
{
  const char *url = cmark_node_get_url (node);
  guint end;

  add_attribute (self, pango_attr_underline_new (PANGO_UNDERLINE_SINGLE), start);
  if (url == NULL || *url == '\0' || strcmp (self->text->str + start, url) == 0)
    return;

  end = self->text->len;
  g_string_append (self->text, " (");
  add_text (self, url);
  g_string_append (self->text, ")");
  add_attribute (self, pango_attr_foreground_alpha_new (0xa000), end);
}

static void
begin_range (Reader *self, cmark_node *node)
{
  OpenRange range = { node, self->current != NULL ? self->text->len : 0 };

  g_array_append_val (self->open, range);
}

static void
end_range (Reader *self, cmark_node *node)
{
  cmark_node_type type = cmark_node_get_type (node);
  OpenRange range;

  if (self->open->len == 0 || self->current == NULL)
    return;

  range = g_array_index (self->open, OpenRange, self->open->len - 1);
  if (range.node != node)
    return;

  g_array_set_size (self->open, self->open->len - 1);
  if (type == CMARK_NODE_EMPH)
    add_attribute (self, pango_attr_style_new (PANGO_STYLE_ITALIC), range.start);
  else if (type == CMARK_NODE_STRONG)
    add_attribute (self, pango_attr_weight_new (PANGO_WEIGHT_BOLD), range.start);
  else if (type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE)
    end_link (self, node, range.start);
  else
    add_attribute (self, pango_attr_strikethrough_new (TRUE), range.start);
}

static void
end_heading (Reader *self)
{
  static const double scales[HEADING_SCALES] = { 1.3, 1.16, 1.06 };
  guint level = CLAMP (self->current->level, 1, HEADING_SCALES);

  add_attribute (self, pango_attr_weight_new (PANGO_WEIGHT_BOLD), 0);
  add_attribute (self, pango_attr_scale_new (scales[level - 1]), 0);
}

static void
begin_paragraph (Reader *self)
{
  if (self->lists->len == 0)
    {
      begin_block (self, FORE_MARKDOWN_PARAGRAPH, 0);
      return;
    }

  begin_block (self, FORE_MARKDOWN_ITEM, self->lists->len - 1);
  self->current->marker = g_steal_pointer (&self->marker);
}

static void
add_literal_block (Reader *self, ForeMarkdownKind kind, const char *literal, const char *language)
{
  ForeMarkdownBlock *block;
  gsize length;

  begin_block (self, kind, self->lists->len);
  add_text (self, literal);
  block = end_block (self);
  length = strlen (block->text);
  while (length > 0 && block->text[length - 1] == '\n')
    block->text[--length] = '\0';
  if (language != NULL && *language != '\0')
    {
      g_autofree char *visible = fore_text_make_visible (language);

      block->language = g_strndup (visible, strcspn (visible, " \t\n{"));
    }
  g_ptr_array_add (self->blocks, block);
}

static void
begin_item (Reader *self, cmark_node *node)
{
  ListLevel *list = &g_array_index (self->lists, ListLevel, self->lists->len - 1);

  g_free (self->marker);
  if (g_str_equal (cmark_node_get_type_string (node), "tasklist"))
    self->marker = g_strdup (cmark_gfm_extensions_get_tasklist_item_checked (node) ? "☑" : "☐");
  else if (list->ordered)
    self->marker = g_strdup_printf ("%u.", list->next);
  else
    self->marker = g_strdup ("•");
  list->next++;
}

static void
begin_list (Reader *self, cmark_node *node)
{
  ListLevel list = { cmark_node_get_list_type (node) == CMARK_ORDERED_LIST,
                     MAX (cmark_node_get_list_start (node), 0) };

  g_array_append_val (self->lists, list);
}

static void
enter_table_part (Reader *self, const char *type)
{
  if (g_str_equal (type, "table"))
    self->table = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  else if (g_str_equal (type, "table_row") || g_str_equal (type, "table_header"))
    self->row = g_ptr_array_new_with_free_func (block_free);
  else if (g_str_equal (type, "table_cell") && self->row != NULL)
    begin_block (self, FORE_MARKDOWN_PARAGRAPH, 0);
}

static void
leave_table_part (Reader *self, const char *type)
{
  if (g_str_equal (type, "table") && self->table != NULL)
    {
      ForeMarkdownBlock *block = g_new0 (ForeMarkdownBlock, 1);

      block->kind = FORE_MARKDOWN_TABLE;
      block->quoted = self->quoted;
      block->cells = g_steal_pointer (&self->table);
      g_ptr_array_add (self->blocks, block);
    }
  else if ((g_str_equal (type, "table_row") || g_str_equal (type, "table_header"))
           && self->table != NULL && self->row != NULL)
    g_ptr_array_add (self->table, g_steal_pointer (&self->row));
  else if (g_str_equal (type, "table_cell") && self->row != NULL && self->current != NULL)
    g_ptr_array_add (self->row, end_block (self));
}

static void
enter_other (Reader *self, cmark_node *node)
{
  const char *type = cmark_node_get_type_string (node);

  if (g_str_has_prefix (type, "table"))
    enter_table_part (self, type);
  else if (g_str_equal (type, "tasklist"))
    begin_item (self, node);
  else
    begin_range (self, node);
}

static void
enter (Reader *self, cmark_node *node)
{
  cmark_node_type type = cmark_node_get_type (node);

  if (type == CMARK_NODE_PARAGRAPH)
    begin_paragraph (self);
  else if (type == CMARK_NODE_HEADING)
    begin_block (self, FORE_MARKDOWN_HEADING, cmark_node_get_heading_level (node));
  else if (type == CMARK_NODE_TEXT || type == CMARK_NODE_HTML_INLINE)
    add_text (self, cmark_node_get_literal (node));
  else if (type == CMARK_NODE_CODE)
    add_code (self, cmark_node_get_literal (node));
  else if (type == CMARK_NODE_SOFTBREAK)
    add_text (self, " ");
  else if (type == CMARK_NODE_LINEBREAK)
    add_text (self, "\n");
  else if (type == CMARK_NODE_CODE_BLOCK)
    add_literal_block (self, FORE_MARKDOWN_CODE, cmark_node_get_literal (node),
                       cmark_node_get_fence_info (node));
  else if (type == CMARK_NODE_HTML_BLOCK)
    add_literal_block (self, FORE_MARKDOWN_PARAGRAPH, cmark_node_get_literal (node), NULL);
  else if (type == CMARK_NODE_THEMATIC_BREAK)
    add_literal_block (self, FORE_MARKDOWN_RULE, "", NULL);
  else if (type == CMARK_NODE_BLOCK_QUOTE)
    self->quoted++;
  else if (type == CMARK_NODE_LIST)
    begin_list (self, node);
  else if (type == CMARK_NODE_ITEM && !g_str_equal (cmark_node_get_type_string (node), "tasklist"))
    begin_item (self, node);
  else
    enter_other (self, node);
}

static void
leave (Reader *self, cmark_node *node)
{
  cmark_node_type type = cmark_node_get_type (node);

  if (type == CMARK_NODE_HEADING)
    end_heading (self);
  if (type == CMARK_NODE_PARAGRAPH || type == CMARK_NODE_HEADING)
    g_ptr_array_add (self->blocks, end_block (self));
  else if (type == CMARK_NODE_BLOCK_QUOTE)
    self->quoted--;
  else if (type == CMARK_NODE_LIST)
    g_array_set_size (self->lists, self->lists->len - 1);
  else if (g_str_has_prefix (cmark_node_get_type_string (node), "table"))
    leave_table_part (self, cmark_node_get_type_string (node));
  else
    end_range (self, node);
}

static cmark_node *
parse_document (const char *text)
{
  static const char *const extensions[] = { "table", "strikethrough", "tasklist" };
  cmark_parser *parser;
  cmark_node *document;

  cmark_gfm_core_extensions_ensure_registered ();
  parser = cmark_parser_new (CMARK_OPT_VALIDATE_UTF8);
  for (guint i = 0; i < G_N_ELEMENTS (extensions); i++)
    {
      cmark_syntax_extension *extension = cmark_find_syntax_extension (extensions[i]);

      if (extension != NULL)
        cmark_parser_attach_syntax_extension (parser, extension);
    }
  cmark_parser_feed (parser, text, strlen (text));
  document = cmark_parser_finish (parser);
  cmark_parser_free (parser);

  return document;
}

static void
walk (Reader *self, cmark_node *document)
{
  cmark_iter *iter = cmark_iter_new (document);
  cmark_event_type event;

  while ((event = cmark_iter_next (iter)) != CMARK_EVENT_DONE)
    {
      cmark_node *node = cmark_iter_get_node (iter);

      if (node == document)
        continue;
      if (event == CMARK_EVENT_ENTER)
        enter (self, node);
      else
        leave (self, node);
    }
  cmark_iter_free (iter);
}

static void
add_plain (Reader *self, const char *text)
{
  begin_block (self, FORE_MARKDOWN_PARAGRAPH, 0);
  add_text (self, text);
  g_ptr_array_add (self->blocks, end_block (self));
}

/**
 * fore_markdown_parse:
 * @text: Markdown from anywhere
 * @length: bytes of @text, or -1 if a NUL ends it
 *
 * Reads Markdown (CommonMark with tables, task lists and strikethrough) into blocks of text and
 * attributes. Nothing in @text becomes markup of Pango, HTML stays text, links cannot be followed,
 * and control and bidirectional characters are visible. Text of more than 256 kB comes back as one
 * paragraph. To be called on the main thread.
 *
 * Returns: (transfer full) (element-type ForeMarkdownBlock): the blocks
 */
GPtrArray *
fore_markdown_parse (const char *text, gssize length)
{
  Reader reader = { NULL };
  g_autofree char *valid = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  valid = fore_text_make_valid (text, length);
  reader.blocks = g_ptr_array_new_with_free_func (block_free);
  reader.lists = g_array_new (FALSE, FALSE, sizeof (ListLevel));
  reader.open = g_array_new (FALSE, FALSE, sizeof (OpenRange));

  if (strlen (valid) > MAX_PARSED)
    add_plain (&reader, valid);
  else
    {
      cmark_node *document = parse_document (valid);

      walk (&reader, document);
      cmark_node_free (document);
    }
  if (reader.blocks->len > MAX_BLOCKS)
    {
      g_ptr_array_set_size (reader.blocks, 0);
      add_plain (&reader, valid);
    }

  g_array_unref (reader.lists);
  g_array_unref (reader.open);
  g_free (reader.marker);
  return reader.blocks;
}
