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
 * @first: of a fold that can be opened: the first line behind it
 * @opens: whether a fold can be opened
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

const ForeDiffRowData *fore_diff_row_get_data (ForeDiffRow *self);
guint fore_diff_row_get_number (ForeDiffRow *self);
char *fore_diff_row_dup_accessible_name (ForeDiffRow *self);

#define FORE_TYPE_DIFF_ROWS (fore_diff_rows_get_type ())

/* The rows of a diff as a model that makes its items only when they are looked at. */
G_DECLARE_FINAL_TYPE (ForeDiffRows, fore_diff_rows, FORE, DIFF_ROWS, GObject)

ForeDiffRows *fore_diff_rows_new (void);
void fore_diff_rows_set_doc (ForeDiffRows *self, ForeDiffDoc *doc, const char *path);
void fore_diff_rows_set_side_by_side (ForeDiffRows *self, gboolean side_by_side);
void fore_diff_rows_set_comment (ForeDiffRows *self,
                                 const char *path,
                                 guint new_number,
                                 const char *text);
void fore_diff_rows_open_fold (ForeDiffRows *self, guint position);
guint fore_diff_rows_find_line (ForeDiffRows *self, guint new_number);
guint fore_diff_rows_get_n_columns (ForeDiffRows *self);
guint fore_diff_rows_get_n_digits (ForeDiffRows *self);

G_END_DECLS
