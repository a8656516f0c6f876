/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeIgnoredFate:
 * @FORE_IGNORED_KEPT: goes into the rescue with the other files
 * @FORE_IGNORED_SAME: the person's own checkout holds the same
 * @FORE_IGNORED_REMADE: a tool makes it again: packages, build output, caches
 * @FORE_IGNORED_TOO_LARGE: nobody else has it, and it is too large to be kept
 *
 * What becomes of something that git ignores when its tree is removed.
 */
typedef enum
{
  FORE_IGNORED_KEPT,
  FORE_IGNORED_SAME,
  FORE_IGNORED_REMADE,
  FORE_IGNORED_TOO_LARGE,
} ForeIgnoredFate;

/* A file or a whole folder that git ignores. */
typedef struct
{
  char *path; /* without a slash at its end */
  guint64 bytes;
  guint n_files;
  ForeIgnoredFate fate;
} ForeIgnored;

/* What the removal of a worktree would mean, found out without changing anything. */
typedef struct
{
  gboolean exists;    /* the folder; without it only its entry would go */
  guint n_files;      /* not committed: changed, deleted and new ones; they would be kept */
  guint n_commits;    /* that no branch or tag reaches; they would be kept */
  GPtrArray *ignored; /* of ForeIgnored */
  char **obstacles;   /* sentences: why it is not removed; none: nothing would be lost */
} ForeTreeReport;

const char *fore_ignored_fate_to_string (ForeIgnoredFate fate);
gboolean fore_tree_report_is_safe (const ForeTreeReport *self);
void fore_tree_report_free (ForeTreeReport *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeTreeReport, fore_tree_report_free)

G_END_DECLS
