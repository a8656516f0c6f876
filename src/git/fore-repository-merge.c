/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "git/fore-repository-private.h"
#include "model/fore-error.h"

static void
free_conflict (gpointer data)
{
  ForeMergeConflict *conflict = data;

  g_free (conflict->path);
  g_free (conflict->base);
  g_free (conflict->ours);
  g_free (conflict->theirs);
  for (guint i = 0; i < FORE_N_MERGE_SIDES; i++)
    g_clear_pointer (&conflict->contents[i], g_bytes_unref);
  g_free (conflict);
}

/**
 * fore_merge_result_new:
 *
 * Returns: (transfer full): a result without conflicts that is not clean yet
 */
ForeMergeResult *
fore_merge_result_new (void)
{
  ForeMergeResult *result = g_new0 (ForeMergeResult, 1);

  result->conflicts = g_ptr_array_new_with_free_func (free_conflict);
  return result;
}

/* Three sides of one conflict, copied out of the index so that it can be changed meanwhile. */
typedef struct
{
  git_index_entry sides[3]; /* base, ours, theirs; without a path: not there */
} Conflict;

static void
clear_conflict (gpointer data)
{
  Conflict *conflict = data;

  for (guint i = 0; i < 3; i++)
    g_free ((char *) conflict->sides[i].path);
}

static void
copy_side (git_index_entry *to, const git_index_entry *from)
{
  if (from == NULL)
    return;

  *to = *from;
  to->path = g_strdup (from->path);
}

static GArray *
read_conflicts (git_index *index, GError **error)
{
  g_autoptr (git_index_conflict_iterator) iter = NULL;
  g_autoptr (GArray) conflicts = g_array_new (FALSE, TRUE, sizeof (Conflict));
  const git_index_entry *base, *ours, *theirs;
  int result = git_index_conflict_iterator_new (&iter, index);

  g_array_set_clear_func (conflicts, clear_conflict);
  while (result == 0 && (result = git_index_conflict_next (&base, &ours, &theirs, iter)) == 0)
    {
      Conflict conflict = { 0 };

      copy_side (&conflict.sides[0], base);
      copy_side (&conflict.sides[1], ours);
      copy_side (&conflict.sides[2], theirs);
      g_array_append_val (conflicts, conflict);
    }

  if (result == GIT_ITEROVER)
    return g_steal_pointer (&conflicts);

  fore_git_fail (error, result, _ ("The conflicts could not be read"));
  return NULL;
}

static char *
side_id (const git_index_entry *side)
{
  return side->path != NULL ? fore_git_oid_to_string (&side->id) : NULL;
}

static const char *
conflict_path (const Conflict *conflict)
{
  return conflict->sides[1].path ?: conflict->sides[2].path ?: conflict->sides[0].path;
}

/* A pointer to a commit of a submodule is no file. */
static GBytes *
read_side (git_repository *git, const git_index_entry *side)
{
  g_autoptr (git_blob) blob = NULL;

  if (side->path == NULL || git_blob_lookup (&blob, git, &side->id) != 0
      || git_blob_rawsize (blob) > FORE_MERGE_MAX_CONTENTS)
    return NULL;

  return g_bytes_new (git_blob_rawcontent (blob), (gsize) git_blob_rawsize (blob));
}

static void
report_conflict (git_repository *git, const Conflict *conflict, ForeMergeResult *result)
{
  ForeMergeConflict *report = g_new0 (ForeMergeConflict, 1);

  report->path = g_strdup (conflict_path (conflict));
  report->base = side_id (&conflict->sides[0]);
  report->ours = side_id (&conflict->sides[1]);
  report->theirs = side_id (&conflict->sides[2]);
  for (guint i = 0; i < FORE_N_MERGE_SIDES && result->with_contents; i++)
    report->contents[i] = read_side (git, &conflict->sides[i]);
  g_ptr_array_add (result->conflicts, report);
}

static int
put_side (git_index *index, const git_index_entry *side)
{
  git_index_entry entry = *side;

  if (side->path == NULL)
    return 0;

  entry.flags = 0;
  entry.flags_extended = 0;
  return git_index_add (index, &entry);
}

static gboolean
is_regular (const git_index_entry *side)
{
  return side->path != NULL
         && (side->mode == GIT_FILEMODE_BLOB || side->mode == GIT_FILEMODE_BLOB_EXECUTABLE);
}

/* Merges one file again, line by line: where both changed the same lines the favored side stands,
 * or both between marks. What has no lines is taken whole.
 */
static int
put_merged (git_repository *git,
            git_index *index,
            const Conflict *conflict,
            ForeMergeFavor favor,
            const git_index_entry *whole)
{
  git_merge_file_options options = GIT_MERGE_FILE_OPTIONS_INIT;
  const git_index_entry *base = is_regular (&conflict->sides[0]) ? &conflict->sides[0] : NULL;
  git_merge_file_result merged = { 0 };
  git_index_entry entry = *whole;
  int result;

  if (favor != FORE_MERGE_FAVOR_MARKERS)
    options.favor = favor == FORE_MERGE_FAVOR_OURS ? GIT_MERGE_FILE_FAVOR_OURS
                                                   : GIT_MERGE_FILE_FAVOR_THEIRS;

  result = git_merge_file_from_index (&merged, git, base, &conflict->sides[1], &conflict->sides[2],
                                      &options);
  if (result == 0 && merged.ptr != NULL)
    result = git_blob_create_from_buffer (&entry.id, git, merged.ptr, merged.len);

  git_merge_file_result_free (&merged);
  return result < 0 ? result : put_side (index, &entry);
}

static int
drop_marks (git_index *index, const Conflict *conflict)
{
  for (guint i = 0; i < 3; i++)
    {
      int result;

      if (conflict->sides[i].path == NULL)
        continue;

      result = git_index_conflict_remove (index, conflict->sides[i].path);
      if (result < 0 && result != GIT_ENOTFOUND)
        return result;
    }

  return 0;
}

static int
settle_conflict (git_repository *git,
                 git_index *index,
                 const Conflict *conflict,
                 ForeMergeFavor favor)
{
  const git_index_entry *ours = &conflict->sides[1];
  const git_index_entry *theirs = &conflict->sides[2];
  const git_index_entry *whole = favor == FORE_MERGE_FAVOR_THEIRS ? theirs : ours;
  int result = drop_marks (index, conflict);

  if (result < 0)
    return result;

  if (is_regular (ours) && is_regular (theirs))
    return put_merged (git, index, conflict, favor, whole);

  if (favor == FORE_MERGE_FAVOR_MARKERS && whole->path == NULL)
    return put_side (index, theirs);

  return put_side (index, whole);
}

static gboolean
settle_conflicts (git_repository *git,
                  git_index *index,
                  ForeMergeFavor favor,
                  ForeMergeResult *result,
                  GError **error)
{
  g_autoptr (GArray) conflicts = read_conflicts (index, error);

  if (conflicts == NULL)
    return FALSE;

  for (guint i = 0; i < conflicts->len; i++)
    {
      const Conflict *conflict = &g_array_index (conflicts, Conflict, i);
      int code = 0;

      if (favor == FORE_MERGE_FAVOR_NONE || favor == FORE_MERGE_FAVOR_MARKERS)
        report_conflict (git, conflict, result);
      if (favor != FORE_MERGE_FAVOR_NONE)
        code = settle_conflict (git, index, conflict, favor);
      if (code < 0)
        return fore_git_fail (error, code, _ ("A conflict could not be settled"));
    }

  return TRUE;
}

/**
 * fore_git_finish_merge:
 * @git: an open repository
 * @index: what came out of a merge
 * @favor: what to do about conflicts
 * @result: gets the conflicts
 * @tree: (out) (nullable) (transfer full): the merged tree, %NULL when conflicts stand in the way
 * @error: (nullable): return location
 *
 * Returns: %FALSE with @error set; a conflict is no error
 */
gboolean
fore_git_finish_merge (git_repository *git,
                       git_index *index,
                       ForeMergeFavor favor,
                       ForeMergeResult *result,
                       git_tree **tree,
                       GError **error)
{
  git_oid oid;
  int code;

  *tree = NULL;
  if (git_index_has_conflicts (index))
    {
      if (!settle_conflicts (git, index, favor, result, error))
        return FALSE;

      if (favor == FORE_MERGE_FAVOR_NONE)
        return TRUE;
    }

  code = git_index_write_tree_to (&oid, index, git);
  if (code == 0)
    code = git_tree_lookup (tree, git, &oid);
  if (code < 0)
    return fore_git_fail (error, code, _ ("The merged files could not be written"));

  return TRUE;
}

/**
 * fore_git_merge_pair:
 * @git: an open repository
 * @ours: one commit
 * @theirs: another
 * @favor: what to do about conflicts
 * @result: gets the conflicts
 * @tree: (out) (nullable) (transfer full): the merged tree, %NULL when conflicts stand in the way
 * @error: (nullable): return location
 *
 * Merges two commits in memory.
 *
 * Returns: %FALSE with @error set; a conflict is no error
 */
gboolean
fore_git_merge_pair (git_repository *git,
                     git_commit *ours,
                     git_commit *theirs,
                     ForeMergeFavor favor,
                     ForeMergeResult *result,
                     git_tree **tree,
                     GError **error)
{
  g_autoptr (git_index) index = NULL;
  int code = fore_git_merge_index (&index, git, ours, theirs);

  if (code < 0)
    return fore_git_fail (error, code, _ ("The commits could not be merged"));

  return fore_git_finish_merge (git, index, favor, result, tree, error);
}

/* Merges of what a sequence of commits has in common so far. */
typedef struct
{
  git_repository *git;
  ForeMergeFavor favor;
  const char *message;
  const ForeIdentity *author;
  ForeMergeResult *result;
  git_commit *current;
} MergeJob;

static gboolean
commit_pair (MergeJob *job, git_commit *next, git_tree *tree, GError **error)
{
  git_commit *parents[2] = { job->current, next };
  git_commit *merged = NULL;
  git_oid oid;
  int code;

  if (!fore_git_create_commit (job->git, &oid, NULL, job->author, job->message, tree, parents, 2,
                               error))
    return FALSE;

  code = git_commit_lookup (&merged, job->git, &oid);
  if (code < 0)
    return fore_git_fail (error, code, _ ("The merge could not be read back"));

  git_commit_free (job->current);
  job->current = merged;
  return TRUE;
}

/* TRUE with conflicts reported and nothing made is an answer as well. */
static gboolean
merge_next (MergeJob *job, git_commit *next, gboolean *stop, GError **error)
{
  g_autoptr (git_tree) tree = NULL;
  guint n_before = job->result->conflicts->len;

  if (fore_git_reaches (job->git, job->current, next))
    return TRUE;

  if (fore_git_reaches (job->git, next, job->current))
    {
      git_commit_free (job->current);
      return git_commit_dup (&job->current, next) == 0;
    }

  if (!fore_git_merge_pair (job->git, job->current, next, job->favor, job->result, &tree, error))
    return FALSE;

  if (job->result->conflicts->len > n_before && job->result->conflict_with == NULL)
    job->result->conflict_with = fore_git_oid_to_string (git_commit_id (next));

  *stop = tree == NULL;
  return tree == NULL || commit_pair (job, next, tree, error);
}

static void
report_merge (MergeJob *job, gboolean stopped)
{
  job->result->clean = job->result->conflicts->len == 0;
  if (stopped)
    return;

  job->result->commit = fore_git_oid_to_string (git_commit_id (job->current));
  job->result->tree = fore_git_oid_to_string (git_commit_tree_id (job->current));
}

static gboolean
merge_all (MergeJob *job, const char *const *commits, GError **error)
{
  gboolean stop = FALSE;

  job->current = fore_git_lookup_commit (job->git, commits[0], error);
  if (job->current == NULL)
    return FALSE;

  for (gsize i = 1; commits[i] != NULL && !stop; i++)
    {
      g_autoptr (git_commit) next = fore_git_lookup_commit (job->git, commits[i], error);

      if (next == NULL || !merge_next (job, next, &stop, error))
        return FALSE;
    }

  report_merge (job, stop);
  return TRUE;
}

static ForeMergeResult *
run_merge (MergeJob *job, const char *const *commits, gboolean with_contents, GError **error)
{
  g_autoptr (ForeMergeResult) result = fore_merge_result_new ();
  gboolean done;

  result->with_contents = with_contents;

  job->result = result;
  done = merge_all (job, commits, error);
  git_commit_free (job->current);

  return done ? g_steal_pointer (&result) : NULL;
}

/**
 * fore_repository_merge_commits:
 * @self: a repository
 * @commits: (array zero-terminated=1): at least one
 * @favor: what to do about conflicts
 * @message: the message of the merges
 * @author: (nullable): who; %NULL takes git's settings
 * @error: (nullable): return location
 *
 * Merges commits one after the other, in this order; one that contains another needs no merge. No
 * branch and no file is touched. With conflicts and %FORE_MERGE_FAVOR_NONE the result has no
 * commit and says at which commit it stopped.
 *
 * Returns: (transfer full) (nullable): the result; a conflict is no error
 */
ForeMergeResult *
fore_repository_merge_commits (ForeRepository *self,
                               const char *const *commits,
                               ForeMergeFavor favor,
                               const char *message,
                               const ForeIdentity *author,
                               GError **error)
{
  g_autoptr (git_repository) git = NULL;
  MergeJob job = { NULL, favor, message, author };

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (commits != NULL && commits[0] != NULL && message != NULL, NULL);

  git = fore_repository_open_git (self, error);
  if (git == NULL)
    return NULL;

  job.git = git;
  return run_merge (&job, commits, FALSE, error);
}

static ForeMergeResult *
predict (ForeRepository *self, const char *const *commits, gboolean with_contents, GError **error)
{
  static const ForeIdentity nobody = { (char *) "Foredeck", (char *) "foredeck@localhost" };
  g_autoptr (git_repository) git = fore_repository_open_git (self, error);
  MergeJob job = { git, FORE_MERGE_FAVOR_NONE, "Prediction\n", &nobody };

  if (git == NULL || !fore_git_add_memory (git, error))
    return NULL;

  return run_merge (&job, commits, with_contents, error);
}

/**
 * fore_repository_predict_merge:
 * @self: a repository
 * @commits: (array zero-terminated=1): at least one
 * @error: (nullable): return location
 *
 * Says what fore_repository_merge_commits() would find, and writes nothing at all: the commit it
 * names does not exist.
 *
 * Returns: (transfer full) (nullable): the result
 */
ForeMergeResult *
fore_repository_predict_merge (ForeRepository *self, const char *const *commits, GError **error)
{
  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (commits != NULL && commits[0] != NULL, NULL);

  return predict (self, commits, FALSE, error);
}

/**
 * fore_repository_show_conflicts:
 * @self: a repository
 * @commits: (array zero-terminated=1): at least one
 * @error: (nullable): return location
 *
 * Finds the same as fore_repository_predict_merge(), with what each side of each conflict holds.
 *
 * Returns: (transfer full) (nullable): the result
 */
ForeMergeResult *
fore_repository_show_conflicts (ForeRepository *self, const char *const *commits, GError **error)
{
  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (commits != NULL && commits[0] != NULL, NULL);

  return predict (self, commits, TRUE, error);
}

static ForeMergeResult *
merge_in_memory (
    git_repository *git, git_tree *base, git_tree *ours, git_tree *theirs, GError **error)
{
  g_autoptr (ForeMergeResult) result = fore_merge_result_new ();
  g_autoptr (git_index) index = NULL;
  g_autoptr (git_tree) tree = NULL;
  int code = git_merge_trees (&index, git, base, ours, theirs, NULL);

  if (code < 0)
    {
      fore_git_fail (error, code, _ ("The files could not be merged"));
      return NULL;
    }

  if (!fore_git_finish_merge (git, index, FORE_MERGE_FAVOR_NONE, result, &tree, error))
    return NULL;

  result->clean = tree != NULL;
  return g_steal_pointer (&result);
}

/**
 * fore_repository_predict_trees:
 * @self: a repository
 * @scratch_dir: where the snapshots were put
 * @base: what the second tree started from
 * @ours: a snapshot of the first tree
 * @theirs: a snapshot of the second
 * @error: (nullable): return location
 *
 * Says whether what two tasks have in their trees at the moment can be merged. Nothing is written.
 *
 * Returns: (transfer full) (nullable): a result with conflicts, and without commit and tree
 */
ForeMergeResult *
fore_repository_predict_trees (ForeRepository *self,
                               const char *scratch_dir,
                               const char *base,
                               const char *ours,
                               const char *theirs,
                               GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_tree) base_tree = NULL;
  g_autoptr (git_tree) our_tree = NULL;
  g_autoptr (git_tree) their_tree = NULL;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (scratch_dir != NULL, NULL);
  g_return_val_if_fail (base != NULL && ours != NULL && theirs != NULL, NULL);

  git = fore_repository_open_git (self, error);
  if (git == NULL || !fore_git_add_scratch (git, scratch_dir, error)
      || !fore_git_add_memory (git, error)
      || (base_tree = fore_git_lookup_tree (git, base, error)) == NULL
      || (our_tree = fore_git_lookup_tree (git, ours, error)) == NULL
      || (their_tree = fore_git_lookup_tree (git, theirs, error)) == NULL)
    return NULL;

  return merge_in_memory (git, base_tree, our_tree, their_tree, error);
}
