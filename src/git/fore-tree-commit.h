/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What an agent left in its tree, made safe. */
typedef struct
{
  char *commit;          /* the task branch points here; the base when nothing changed */
  GPtrArray *changes;    /* of ForeFileChange against the base */
  guint n_agent_commits; /* commits that the agent made itself */
  char *agent_branch;    /* (nullable) branch the agent had checked out instead of the task's */
  gboolean was_detached;
  char **nested; /* folders that are repositories of their own: kept as plain files */
  char **notes;  /* sentences: what of the work a merge does not bring by itself */
} ForeTreeCommit;

void fore_tree_commit_free (ForeTreeCommit *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeTreeCommit, fore_tree_commit_free)

G_END_DECLS
