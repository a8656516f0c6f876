/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-repository-private.h"

/* In a shallow clone the oldest commits name parents that are not there. libgit2 1.5 gives up at
 * them wherever it walks through the history; git takes such commits for the first ones. The walks
 * here do the same. They hold all that they saw in memory, so they are for shallow clones only,
 * whose history is short.
 */

/* Whether a walk goes on behind a commit. */
typedef gboolean (*VisitFunc) (git_commit *commit, gpointer user_data);

static gboolean
is_shallow (git_repository *git)
{
  g_autofree char *path = g_build_filename (git_repository_commondir (git), "shallow", NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
push (GQueue *queue, GHashTable *seen, const git_oid *oid)
{
  char *id = fore_git_oid_to_string (oid);

  if (g_hash_table_add (seen, id))
    g_queue_push_tail (queue, id);
}

static void
visit_next (
    git_repository *git, GQueue *queue, GHashTable *seen, VisitFunc visit, gpointer user_data)
{
  g_autoptr (git_commit) commit = NULL;
  git_oid oid;

  if (git_oid_fromstr (&oid, g_queue_pop_head (queue)) != 0
      || git_commit_lookup (&commit, git, &oid) != 0 || !visit (commit, user_data))
    return;

  for (guint i = 0; i < git_commit_parentcount (commit); i++)
    push (queue, seen, git_commit_parent_id (commit, i));
}

/* Each commit once, the near ones first. Returns the ids that were come by. */
static GHashTable *
walk (git_repository *git, const git_oid *from, gsize n_from, VisitFunc visit, gpointer user_data)
{
  GHashTable *seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GQueue queue = G_QUEUE_INIT;

  for (gsize i = 0; i < n_from; i++)
    push (&queue, seen, &from[i]);
  while (!g_queue_is_empty (&queue))
    visit_next (git, &queue, seen, visit, user_data);

  return seen;
}

static gboolean
visit_all (git_commit *commit, gpointer user_data)
{
  return TRUE;
}

static gboolean
reaches (git_repository *git, const git_oid *from, gsize n_from, const git_oid *to)
{
  g_autoptr (GHashTable) seen = walk (git, from, n_from, visit_all, NULL);
  g_autofree char *id = fore_git_oid_to_string (to);

  return g_hash_table_contains (seen, id);
}

/**
 * fore_git_reaches:
 * @git: an open repository
 * @from: a commit
 * @to: another
 *
 * Returns: whether @to is @from or one of its ancestors
 */
gboolean
fore_git_reaches (git_repository *git, git_commit *from, git_commit *to)
{
  const git_oid *from_oid = git_commit_id (from);
  const git_oid *to_oid = git_commit_id (to);

  if (git_oid_equal (from_oid, to_oid))
    return TRUE;

  return is_shallow (git) ? reaches (git, from_oid, 1, to_oid)
                          : git_graph_descendant_of (git, from_oid, to_oid) == 1;
}

/**
 * fore_git_reached_by_any:
 * @git: an open repository
 * @commit: a commit
 * @tips: (element-type git_oid): others
 *
 * Returns: 1 when one of @tips is @commit or comes after it, 0 when none is, or an error of libgit2
 */
int
fore_git_reached_by_any (git_repository *git, const git_oid *commit, GArray *tips)
{
  const git_oid *oids = (const git_oid *) (gpointer) tips->data;

  return is_shallow (git) ? reaches (git, oids, tips->len, commit)
                          : git_graph_reachable_from_any (git, commit, oids, tips->len);
}

typedef struct
{
  GHashTable *ours;
  git_commit *base; /* the youngest that both sides have */
} BaseJob;

static gboolean
visit_theirs (git_commit *commit, gpointer user_data)
{
  BaseJob *job = user_data;
  g_autofree char *id = fore_git_oid_to_string (git_commit_id (commit));

  if (!g_hash_table_contains (job->ours, id))
    return TRUE;

  if (job->base == NULL || git_commit_time (commit) > git_commit_time (job->base))
    {
      git_commit_free (job->base);
      git_commit_dup (&job->base, commit);
    }

  return FALSE;
}

static int
merge_shallow (git_index **index, git_repository *git, git_commit *ours, git_commit *theirs)
{
  g_autoptr (GHashTable) seen = walk (git, git_commit_id (ours), 1, visit_all, NULL);
  g_autoptr (GHashTable) theirs_seen = NULL;
  git_tree *trees[3] = { NULL };
  BaseJob job = { seen, NULL };
  int result;

  theirs_seen = walk (git, git_commit_id (theirs), 1, visit_theirs, &job);
  result = job.base != NULL ? git_commit_tree (&trees[0], job.base) : 0;
  git_commit_free (job.base);
  if (result == 0)
    result = git_commit_tree (&trees[1], ours);
  if (result == 0)
    result = git_commit_tree (&trees[2], theirs);
  if (result == 0)
    result = git_merge_trees (index, git, trees[0], trees[1], trees[2], NULL);

  for (guint i = 0; i < 3; i++)
    git_tree_free (trees[i]);
  return result;
}

/**
 * fore_git_merge_index:
 * @index: (out) (transfer full): the merged files, with the conflicts
 * @git: an open repository
 * @ours: a commit
 * @theirs: another
 *
 * Merges two commits in memory from what they have in common.
 *
 * Returns: 0 or an error of libgit2
 */
int
fore_git_merge_index (git_index **index, git_repository *git, git_commit *ours, git_commit *theirs)
{
  return is_shallow (git) ? merge_shallow (index, git, ours, theirs)
                          : git_merge_commits (index, git, ours, theirs, NULL);
}
