/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "git/fore-file-change.h"

G_BEGIN_DECLS

/* A difference as data: files, in them hunks, in them lines. */
typedef struct
{
  char origin;         /* ' ', '+' or '-' */
  gboolean no_newline; /* the file ends here without a line end */
  int old_line;        /* from 1; -1: not in the old file */
  int new_line;
  char *text; /* bytes without the line end */
} ForeDiffLine;

typedef struct
{
  int old_start;
  int old_lines;
  int new_start;
  int new_lines;
  char *header;  /* the whole @@ line, without the line end */
  GArray *lines; /* of ForeDiffLine */
} ForeDiffHunk;

typedef struct
{
  ForeFileChange *change; /* binary or too_large: no hunks are loaded */
  GPtrArray *hunks;       /* of ForeDiffHunk */
} ForeDiffFile;

typedef struct
{
  GPtrArray *files; /* of ForeDiffFile, in the order of paths */
  guint insertions;
  guint deletions;
  gboolean truncated; /* there are more files than the options allow */
} ForeDiff;

/* What is loaded; 0 means the default. */
typedef struct
{
  guint context_lines;      /* default 3 */
  guint64 max_file_size;    /* bytes, default 1 MiB */
  guint max_file_lines;     /* lines of one file's hunks, default 20,000 */
  guint max_files;          /* default 5,000 */
  const char *const *paths; /* (nullable) only these files, named exactly */
} ForeDiffOptions;

void fore_diff_free (ForeDiff *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeDiff, fore_diff_free)

G_END_DECLS
