/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

#include "app/fore-diff-doc.h"

G_BEGIN_DECLS

typedef enum
{
  FORE_DIFF_ROW_FILE,
  FORE_DIFF_ROW_FOLD,
  FORE_DIFF_ROW_LINE,
  FORE_DIFF_ROW_COMMENT,
  FORE_DIFF_ROW_EMPTY,
} ForeDiffRowKind;

/**
 * ForeDiffRowData:
 * @kind: what the row shows
 * @file: the file it belongs to
 * @left: (nullable): the line of the old side, or the only line
 * @right: (nullable): the line of the new side, when both sides are shown
 * @count: of a fold: how many lines it stands for
 * @heading: (nullable): of a fold: where one is behind it
 * @comment: (nullable): of a comment: what was said
 * @hunk: of a fold that can be opened: its hunk
 * @first: of a fold that can be opened: the first line behind it; of another: the number of the
 * last line that it stands for
 * @opens: whether the changes have the lines of the fold
 */
typedef struct
{
  ForeDiffRowKind kind;
  const ForeDiffDocFile *file;
  const ForeDiffDocLine *left;
  const ForeDiffDocLine *right;
  guint count;
  const char *heading;
  const char *comment;
  const ForeDiffDocHunk *hunk;
  guint first;
  gboolean opens;
} ForeDiffRowData;

#define FORE_TYPE_DIFF_ROW (fore_diff_row_get_type ())

G_DECLARE_FINAL_TYPE (ForeDiffRow, fore_diff_row, FORE, DIFF_ROW, GObject)

ForeDiffRow *fore_diff_row_new (ForeDiffDoc *doc, const ForeDiffRowData *data);
void fore_diff_row_change (ForeDiffRow *self, ForeDiffDoc *doc, const ForeDiffRowData *data);
const ForeDiffRowData *fore_diff_row_get_data (ForeDiffRow *self);
gboolean fore_diff_row_is_changed (ForeDiffRow *self);
guint fore_diff_row_get_number (ForeDiffRow *self);
char *fore_diff_row_dup_words (ForeDiffRow *self);
char *fore_diff_row_dup_accessible_name (ForeDiffRow *self);

G_END_DECLS
