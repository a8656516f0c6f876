/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * ForeDiffDoc:
 *
 * The changes that the diff widgets show, as plain data: files, their hunks and lines. Built once
 * (by hand or from the text of a patch), then only read; reference counted.
 */
typedef struct _ForeDiffDoc ForeDiffDoc;

typedef enum
{
  FORE_DIFF_FILE_MODIFIED,
  FORE_DIFF_FILE_ADDED,
  FORE_DIFF_FILE_REMOVED,
  FORE_DIFF_FILE_RENAMED,
} ForeDiffFileState;

typedef enum
{
  FORE_DIFF_LINE_CONTEXT,
  FORE_DIFF_LINE_ADDED,
  FORE_DIFF_LINE_REMOVED,
  FORE_DIFF_LINE_NOTE,
} ForeDiffLineKind;

typedef struct
{
  ForeDiffLineKind kind;
  guint old_number;
  guint new_number;
  char *text;
  guint mark_start;
  guint mark_end;
} ForeDiffDocLine;

typedef struct
{
  guint old_start;
  guint new_start;
  char *heading;
  GArray *lines;
} ForeDiffDocHunk;

typedef struct
{
  char *path;
  char *old_path;
  ForeDiffFileState state;
  gboolean binary;
  gboolean too_large;
  guint n_added;
  guint n_removed;
  GPtrArray *hunks;
} ForeDiffDocFile;

#define FORE_TYPE_DIFF_DOC (fore_diff_doc_get_type ())

GType fore_diff_doc_get_type (void);

ForeDiffDoc *fore_diff_doc_new (void);
ForeDiffDoc *fore_diff_doc_new_from_patch (const char *patch, gssize length);
ForeDiffDoc *fore_diff_doc_ref (ForeDiffDoc *self);
void fore_diff_doc_unref (ForeDiffDoc *self);

void fore_diff_doc_add_file (ForeDiffDoc *self,
                             const char *path,
                             const char *old_path,
                             ForeDiffFileState state,
                             gboolean binary);
void fore_diff_doc_set_too_large (ForeDiffDoc *self);
void
fore_diff_doc_add_hunk (ForeDiffDoc *self, guint old_start, guint new_start, const char *heading);
void
fore_diff_doc_add_line (ForeDiffDoc *self, ForeDiffLineKind kind, const char *text, gssize length);

guint fore_diff_doc_get_n_files (const ForeDiffDoc *self);
const ForeDiffDocFile *fore_diff_doc_get_file (const ForeDiffDoc *self, guint index);
const ForeDiffDocFile *fore_diff_doc_find_file (const ForeDiffDoc *self, const char *path);
void fore_diff_doc_get_totals (const ForeDiffDoc *self, guint *n_added, guint *n_removed);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeDiffDoc, fore_diff_doc_unref)

G_END_DECLS
