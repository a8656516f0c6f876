/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <pango/pango.h>

G_BEGIN_DECLS

/**
 * ForeMarkdownKind:
 * @FORE_MARKDOWN_PARAGRAPH: running text
 * @FORE_MARKDOWN_HEADING: a heading; @level 1 to 6
 * @FORE_MARKDOWN_ITEM: an item of a list; @marker is "•", "1." or a box
 * @FORE_MARKDOWN_CODE: a block of code, plain
 * @FORE_MARKDOWN_RULE: a line across
 * @FORE_MARKDOWN_TABLE: a table: its cells in @cells
 */
typedef enum
{
  FORE_MARKDOWN_PARAGRAPH,
  FORE_MARKDOWN_HEADING,
  FORE_MARKDOWN_ITEM,
  FORE_MARKDOWN_CODE,
  FORE_MARKDOWN_RULE,
  FORE_MARKDOWN_TABLE,
} ForeMarkdownKind;

/**
 * ForeMarkdownBlock:
 * @kind: what the block is
 * @level: of a heading 1 to 6, of a list item its depth from 0
 * @quoted: how deep in quotes the block lies
 * @marker: (nullable): what stands before a list item
 * @text: (nullable): the text, never markup, control characters made visible
 * @attributes: (nullable): how @text is drawn
 * @language: (nullable): the word behind the fence of a block of code
 * @cells: (nullable) (element-type GPtrArray): the rows of a table, each of ForeMarkdownBlock
 */
typedef struct
{
  ForeMarkdownKind kind;
  guint level;
  guint quoted;
  char *marker;
  char *text;
  PangoAttrList *attributes;
  char *language;
  GPtrArray *cells;
} ForeMarkdownBlock;

GPtrArray *fore_markdown_parse (const char *text, gssize length);

G_END_DECLS
