/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "git/fore-git-program.h"
#include "git/fore-repository-private.h"
#include "model/fore-error.h"

/* More are not likely to be one run's work; each takes a call of the signing program. */
#define MAX_SIGNED 1000

typedef struct
{
  git_repository *git;
  GHashTable *signed_ids; /* id → id of the signed one */
} SignJob;

static gboolean
is_signed (git_repository *git, const git_oid *oid)
{
  g_auto (git_buf) signature = { 0 };
  g_auto (git_buf) data = { 0 };
  git_oid id = *oid;

  return git_commit_extract_signature (&signature, &data, git, &id, NULL) == 0;
}

static git_oid
find_signed (SignJob *job, const git_oid *oid)
{
  g_autofree char *id = fore_git_oid_to_string (oid);
  const git_oid *found = g_hash_table_lookup (job->signed_ids, id);

  return found != NULL ? *found : *oid;
}

static gboolean
sign_one (SignJob *job, const git_oid *oid, GError **error)
{
  g_autoptr (git_commit) commit = NULL;
  g_autoptr (git_tree) tree = NULL;
  g_autoptr (GArray) parents = g_array_new (FALSE, FALSE, sizeof (git_oid));
  git_oid made;
  gboolean moved = FALSE;
  int result = git_commit_lookup (&commit, job->git, oid);

  if (result == 0)
    result = git_commit_tree (&tree, commit);
  if (result < 0)
    return fore_git_fail (error, result, _ ("The commits could not be read"));

  for (guint i = 0; i < git_commit_parentcount (commit); i++)
    {
      git_oid parent = find_signed (job, git_commit_parent_id (commit, i));

      moved |= !git_oid_equal (&parent, git_commit_parent_id (commit, i));
      g_array_append_val (parents, parent);
    }

  if (!moved && is_signed (job->git, oid))
    return TRUE;

  if (!fore_git_sign_commit (job->git, &made, git_commit_author (commit),
                             git_commit_message (commit), tree,
                             (const git_oid *) (gpointer) parents->data, parents->len, error))
    return FALSE;

  g_hash_table_insert (job->signed_ids, fore_git_oid_to_string (oid),
                       g_memdup2 (&made, sizeof made));
  return TRUE;
}

/**
 * fore_git_sign_commits:
 * @git: an open repository
 * @oid: (inout): the commit that the person takes over; gets the signed one
 * @base: what the person has already and stays as it is
 * @error: (nullable): return location
 *
 * Makes the commits between @base and @oid anew with the person's signature, where it asks for
 * signatures. Runs end while nobody is there to unlock a key; so it is done when the person merges.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_git_sign_commits (git_repository *git, git_oid *oid, const git_oid *base, GError **error)
{
  g_autoptr (GHashTable) signed_ids = NULL;
  git_revwalk *walk = NULL;
  SignJob job;
  git_oid next;
  gboolean done = TRUE;
  int result;

  if (!fore_git_signs (git))
    return TRUE;

  signed_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  job = (SignJob){ git, signed_ids };
  result = git_revwalk_new (&walk, git);
  if (result == 0)
    {
      git_revwalk_sorting (walk, GIT_SORT_TOPOLOGICAL | GIT_SORT_REVERSE);
      git_revwalk_push (walk, oid);
      git_revwalk_hide (walk, base);
    }

  for (guint n = 0;
       done && n < MAX_SIGNED && result == 0 && (result = git_revwalk_next (&next, walk)) == 0; n++)
    done = sign_one (&job, &next, error);

  git_revwalk_free (walk);
  *oid = find_signed (&job, oid);
  return done;
}
