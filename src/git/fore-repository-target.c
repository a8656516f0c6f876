/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "git/fore-folder.h"
#include "git/fore-git-program.h"
#include "git/fore-repository-private.h"
#include "git/fore-target-intent.h"
#include "model/fore-error.h"

#define MAX_NAMED_FILES 10

/* One merge into a branch of the person. */
typedef struct
{
  ForeRepository *self; /* whose folder has @target checked out, if any has */
  git_repository *git;
  const char *target;
  const char *message;
  ForeMergeMode mode;
  ForeMergeResult *result;
  char *ref_name;
  git_commit *old;
  git_commit *commit; /* what is merged */
  git_tree *old_tree;
  git_tree *tree;       /* what the branch holds afterwards; NULL: conflicts */
  gboolean checked_out; /* in the folder of @self */
  gboolean dry_run;
  GPtrArray *changed; /* paths that differ between both trees */
} TargetJob;

static void
target_job_clear (TargetJob *job)
{
  g_clear_pointer (&job->changed, g_ptr_array_unref);
  git_tree_free (job->tree);
  git_tree_free (job->old_tree);
  git_commit_free (job->commit);
  git_commit_free (job->old);
  g_free (job->ref_name);
  git_repository_free (job->git);
  g_clear_object (&job->self);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TargetJob, target_job_clear)

static gboolean
set_stale (GError **error, const char *target)
{
  g_set_error (error, FORE_ERROR, FORE_ERROR_STALE,
               _ ("The branch “%s” was moved meanwhile; look at the merge again"), target);
  return FALSE;
}

static gboolean
open_target (TargetJob *job, const char *expected, const char *commit, GError **error)
{
  g_autofree char *found = NULL;

  job->ref_name = g_strconcat ("refs/heads/", job->target, NULL);
  job->old = fore_git_lookup_commit (job->git, job->ref_name, error);
  if (job->old == NULL)
    return FALSE;

  found = fore_git_oid_to_string (git_commit_id (job->old));
  if (expected != NULL && !g_str_equal (found, expected))
    return set_stale (error, job->target);

  job->commit = fore_git_lookup_commit (job->git, commit, error);
  if (job->commit == NULL)
    return FALSE;

  job->old_tree = fore_git_lookup_tree (job->git, job->ref_name, error);
  return job->old_tree != NULL;
}

static gboolean
find_tree (TargetJob *job, GError **error)
{
  gboolean forward = fore_git_reaches (job->git, job->commit, job->old);

  if (job->mode == FORE_MERGE_FAST_FORWARD && !forward)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("“%s” has commits of its own and cannot be fast-forwarded; choose merge or "
                      "squash"),
                   job->target);
      return FALSE;
    }

  if (forward)
    {
      int code = git_commit_tree (&job->tree, job->commit);

      return code == 0 || fore_git_fail (error, code, _ ("The commit could not be read"));
    }

  return fore_git_merge_pair (job->git, job->old, job->commit, FORE_MERGE_FAVOR_NONE, job->result,
                              &job->tree, error);
}

static gboolean
find_changed (TargetJob *job, GError **error)
{
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  g_autoptr (git_diff) diff = NULL;
  int code;

  options.flags = GIT_DIFF_INCLUDE_TYPECHANGE;
  code = git_diff_tree_to_tree (&diff, job->git, job->old_tree, job->tree, &options);
  if (code < 0)
    return fore_git_fail (error, code, _ ("The files could not be compared"));

  job->changed = g_ptr_array_new_with_free_func (g_free);
  for (gsize i = 0; i < git_diff_num_deltas (diff); i++)
    g_ptr_array_add (job->changed, g_strdup (git_diff_get_delta (diff, i)->old_file.path));

  return TRUE;
}

/* A branch that another folder of the person has checked out is merged there. */
static gboolean
move_to (TargetJob *job, const char *git_dir, const char *folder, GError **error)
{
  g_autoptr (ForeRepository) place = fore_repository_open (folder, NULL);

  if (place == NULL || g_strcmp0 (fore_repository_get_git_dir (place), git_dir) != 0)
    return fore_git_refuse_checked_out (job->target, folder, error);

  git_repository_free (job->git);
  g_set_object (&job->self, place);
  job->git = fore_repository_open_git (place, error);
  job->checked_out = TRUE;
  return job->git != NULL && (!job->dry_run || fore_git_add_memory (job->git, error));
}

/* Before anything is read, as all of it is read from there. */
static gboolean
find_place (TargetJob *job, GError **error)
{
  g_autofree char *folder = NULL;
  g_autofree char *git_dir = NULL;

  if (!fore_repository_find_checkout (job->self, job->target, &folder, &git_dir, error))
    return FALSE;

  job->checked_out = folder != NULL
                     && g_strcmp0 (git_dir, fore_repository_get_git_dir (job->self)) == 0;
  if (folder == NULL || job->checked_out)
    return TRUE;

  return move_to (job, git_dir, folder, error);
}

static gboolean
require_quiet (TargetJob *job, GError **error)
{
  g_autofree char *lock = g_build_filename (fore_repository_get_git_dir (job->self), "index.lock",
                                            NULL);

  if (git_repository_state (job->git) != GIT_REPOSITORY_STATE_NONE)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("A merge or rebase is under way in “%s”; finish or abort it first"),
                   fore_repository_get_workdir (job->self));
      return FALSE;
    }

  if (g_file_test (lock, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_BUSY,
                   _ ("Git is at work in “%s”; wait for it, or remove “%s” if it is not"),
                   fore_repository_get_workdir (job->self), lock);
      return FALSE;
    }

  return TRUE;
}

static gboolean
collect_dirty (TargetJob *job, GHashTable *found, GError **error)
{
  g_autoptr (ForeRepositoryState) state = fore_repository_read_state (job->self, G_MAXUINT, error);
  g_autoptr (GHashTable) places = fore_git_make_places (job->changed);

  if (state == NULL)
    return FALSE;

  for (gsize i = 0; state->dirty_paths[i] != NULL; i++)
    {
      if (fore_git_places_overlap (places, state->dirty_paths[i]))
        g_hash_table_add (found, g_strdup (state->dirty_paths[i]));
    }

  return TRUE;
}

/* Files that git ignores are somebody's too: a new file of the merge must not replace one. */
static void
collect_ignored (TargetJob *job, GHashTable *found)
{
  for (guint i = 0; i < job->changed->len; i++)
    {
      const char *path = g_ptr_array_index (job->changed, i);
      g_autoptr (git_tree_entry) before = NULL;

      if (git_tree_entry_bypath (&before, job->old_tree, path) != 0
          && fore_folder_look_up (fore_repository_get_workdir (job->self), path)
                 != FORE_PATH_MISSING)
        g_hash_table_add (found, g_strdup (path));
    }
}

static int
add_conflict (git_checkout_notify_t why,
              const char *path,
              const git_diff_file *baseline,
              const git_diff_file *target,
              const git_diff_file *workdir,
              void *payload)
{
  g_hash_table_add (payload, g_strdup (path));
  return 0;
}

static int
check_out (TargetJob *job, git_tree *from, git_tree *to, guint strategy, GHashTable *found)
{
  git_checkout_options options = GIT_CHECKOUT_OPTIONS_INIT;

  options.checkout_strategy = strategy | GIT_CHECKOUT_DISABLE_PATHSPEC_MATCH;
  options.baseline = from;
  options.paths.strings = (char **) job->changed->pdata;
  options.paths.count = job->changed->len;
  options.notify_flags = GIT_CHECKOUT_NOTIFY_CONFLICT;
  options.notify_cb = found != NULL ? add_conflict : NULL;
  options.notify_payload = found;

  return job->changed->len > 0 ? git_checkout_tree (job->git, (git_object *) to, &options) : 0;
}

static char **
take_names (GHashTable *found)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (found), (GCompareFunc) strcmp);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (GList *l = names; l != NULL; l = l->next)
    g_strv_builder_add (builder, l->data);

  return g_strv_builder_end (builder);
}

static gboolean
find_local_conflicts (TargetJob *job, GError **error)
{
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint strategy = GIT_CHECKOUT_SAFE | GIT_CHECKOUT_DONT_OVERWRITE_IGNORED | GIT_CHECKOUT_DRY_RUN
                   | GIT_CHECKOUT_DONT_UPDATE_INDEX;
  int code;

  if (!require_quiet (job, error) || !collect_dirty (job, found, error))
    return FALSE;

  collect_ignored (job, found);
  code = check_out (job, job->old_tree, job->tree, strategy, found);
  if (code < 0 && code != GIT_ECONFLICT)
    return fore_git_fail (error, code, _ ("The files could not be compared"));

  job->result->local_conflicts = take_names (found);
  return TRUE;
}

static char *
list_names (const char *const *names)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gsize i;

  for (i = 0; names[i] != NULL && i < MAX_NAMED_FILES; i++)
    g_string_append_printf (text, "%s“%s”", i > 0 ? ", " : "", names[i]);
  if (names[i] != NULL)
    g_string_append (text, ", …");

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
refuse_conflicts (TargetJob *job, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) paths = NULL;
  g_autofree char *names = NULL;
  gboolean merge = job->result->conflicts->len > 0;
  g_autofree char *commit = fore_git_oid_to_string (git_commit_id (job->commit));

  for (guint i = 0; i < job->result->conflicts->len; i++)
    g_strv_builder_add (
        builder, ((ForeMergeConflict *) g_ptr_array_index (job->result->conflicts, i))->path);
  paths = g_strv_builder_end (builder);
  names = list_names ((const char *const *) (merge ? paths : job->result->local_conflicts));
  if (merge)
    g_set_error (error, FORE_ERROR, FORE_ERROR_CONFLICT,
                 _ ("“%s” changed the same lines in %s; to settle that, merge by hand there: “git "
                    "merge %.12s”, edit the marked lines and commit"),
                 job->target, names, commit);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_CONFLICT,
                 _ ("There are changes of your own in the folder of “%s” that the merge would "
                    "overwrite: %s; commit or move them first"),
                 job->target, names);
  return FALSE;
}

static gboolean
set_up_to_date (TargetJob *job)
{
  job->result->up_to_date = TRUE;
  job->result->clean = TRUE;
  job->result->commit = fore_git_oid_to_string (git_commit_id (job->old));
  return TRUE;
}

/* Finds out everything; what stands in the way is in the result then. */
static gboolean
predict (TargetJob *job, GError **error)
{
  ForeMergeResult *result = job->result;

  if (fore_git_reaches (job->git, job->old, job->commit))
    return set_up_to_date (job);

  if (!find_tree (job, error))
    return FALSE;

  if (job->tree == NULL)
    return TRUE;

  /* squashed before: there is nothing that a commit could hold */
  if (job->mode == FORE_MERGE_SQUASH
      && git_oid_equal (git_tree_id (job->tree), git_tree_id (job->old_tree)))
    return set_up_to_date (job);

  result->tree = fore_git_oid_to_string (git_tree_id (job->tree));
  if (!find_changed (job, error) || (job->checked_out && !find_local_conflicts (job, error)))
    return FALSE;

  result->clean = result->local_conflicts == NULL || result->local_conflicts[0] == NULL;
  return TRUE;
}

/* The hook may change the message, as git lets it. */
static gboolean
run_message_hook (TargetJob *job, char **message, GError **error)
{
  g_autofree char *path = g_build_filename (fore_repository_get_git_dir (job->self),
                                            "foredeck-message", NULL);
  const char *words[] = { path, NULL };
  gboolean done;

  *message = g_strdup (job->message);
  if (!fore_git_has_hook (job->git, "commit-msg"))
    return TRUE;

  done = g_file_set_contents (path, job->message, -1, error)
         && fore_git_run_hook (job->git, "commit-msg", words, FORE_GIT_PROGRAM_MS, error);
  if (done)
    {
      g_clear_pointer (message, g_free);
      done = g_file_get_contents (path, message, NULL, error);
    }

  g_unlink (path);
  return done;
}

/* Those of git that may refuse; before a commit the files of the merge are there already. */
static gboolean
run_hooks (TargetJob *job, char **message, GError **error)
{
  const char *none[] = { NULL };
  const char *name = job->mode == FORE_MERGE_SQUASH ? "pre-commit" : "pre-merge-commit";

  if (job->mode == FORE_MERGE_FAST_FORWARD)
    return TRUE;

  return (!job->checked_out || fore_git_run_hook (job->git, name, none, FORE_GIT_PROGRAM_MS, error))
         && run_message_hook (job, message, error);
}

static gboolean
make_commit (TargetJob *job, git_oid *oid, GError **error)
{
  git_oid parents[2] = { *git_commit_id (job->old), *git_commit_id (job->commit) };
  gsize n_parents = job->mode == FORE_MERGE_SQUASH ? 1 : 2;
  g_autoptr (git_signature) author = NULL;
  g_autoptr (git_commit) commit = NULL;
  g_autofree char *message = NULL;

  if (!run_hooks (job, &message, error)
      || (job->mode != FORE_MERGE_SQUASH
          && !fore_git_sign_commits (job->git, &parents[1], &parents[0], error)))
    return FALSE;

  if (job->mode == FORE_MERGE_FAST_FORWARD)
    {
      *oid = parents[1];
      return TRUE;
    }

  if (fore_git_signs (job->git))
    return (author = fore_git_make_signature (job->git, NULL, error)) != NULL
           && fore_git_sign_commit (job->git, oid, author, message, job->tree, parents, n_parents,
                                    error);

  return git_commit_lookup (&commit, job->git, &parents[1]) == 0
         && fore_git_create_commit (job->git, oid, NULL, NULL, message, job->tree,
                                    (git_commit *[]){ job->old, commit }, n_parents, error);
}

/* With the branch locked against git itself, nobody can move it between check and change. */
static gboolean
lock_target (TargetJob *job, git_transaction *transaction, GError **error)
{
  git_oid oid;
  int code = git_transaction_lock_ref (transaction, job->ref_name);

  if (code < 0)
    return fore_git_fail (error, code, _ ("The branch is being changed by another program"));

  if (git_reference_name_to_id (&oid, job->git, job->ref_name) != 0
      || !git_oid_equal (&oid, git_commit_id (job->old)))
    return set_stale (error, job->target);

  return TRUE;
}

static gboolean
update_files (TargetJob *job, GError **error)
{
  guint strategy = GIT_CHECKOUT_SAFE | GIT_CHECKOUT_DONT_OVERWRITE_IGNORED;
  int code;

  if (!job->checked_out)
    return TRUE;

  code = check_out (job, job->old_tree, job->tree, strategy, NULL);
  if (code == 0)
    {
      fore_target_intent_sync (job->self, job->changed);
      return TRUE;
    }

  fore_git_fail (error, code, _ ("The files could not be updated; the merge was taken back"));
  if (code != GIT_ECONFLICT)
    check_out (job, job->tree, job->old_tree, GIT_CHECKOUT_FORCE, NULL);

  return FALSE;
}

static void
take_back (TargetJob *job)
{
  if (job->checked_out)
    check_out (job, job->tree, job->old_tree, GIT_CHECKOUT_FORCE, NULL);
}

/* What it says changes nothing any more. */
static void
run_last_hook (TargetJob *job)
{
  const char *words[] = { job->mode == FORE_MERGE_SQUASH ? "1" : "0", NULL };
  g_autoptr (GError) problem = NULL;

  if (job->checked_out
      && !fore_git_run_hook (job->git, "post-merge", words, FORE_GIT_PROGRAM_MS, &problem))
    g_message ("%s", problem->message);
}

/* A branch may have its new name, and only its folder could not be synced. */
static gboolean
has_moved (TargetJob *job, const git_oid *oid)
{
  git_oid now;

  return git_reference_name_to_id (&now, job->git, job->ref_name) == 0 && git_oid_equal (&now, oid);
}

static gboolean
move_target (TargetJob *job, GError **error)
{
  g_autoptr (git_transaction) transaction = NULL;
  g_autofree char *log = g_strdup_printf ("foredeck: %s", fore_merge_mode_to_string (job->mode));
  git_oid oid;
  int code = git_transaction_new (&transaction, job->git);

  if (code < 0)
    return fore_git_fail (error, code, _ ("The branch could not be locked"));

  if (!fore_target_intent_write (job->self, job->ref_name, job->old, job->tree, error)
      || !lock_target (job, transaction, error) || !update_files (job, error))
    return FALSE;

  if (!make_commit (job, &oid, error))
    {
      take_back (job);
      return FALSE;
    }

  code = git_transaction_set_target (transaction, job->ref_name, &oid, NULL, log);
  if (code == 0)
    code = git_transaction_commit (transaction);

  if (code < 0 && !has_moved (job, &oid))
    {
      fore_git_fail (error, code, _ ("The branch could not be moved; the merge was taken back"));
      take_back (job);
      return FALSE;
    }

  job->result->commit = fore_git_oid_to_string (&oid);
  g_clear_pointer (&transaction, git_transaction_free);
  run_last_hook (job);
  return TRUE;
}

static gboolean
run_target (TargetJob *job, const char *expected, const char *commit, GError **error)
{
  gboolean done;

  if (!find_place (job, error) || !open_target (job, expected, commit, error)
      || !predict (job, error))
    return FALSE;

  if (job->dry_run || job->result->up_to_date)
    return TRUE;

  if (!job->result->clean)
    return refuse_conflicts (job, error);

  done = move_target (job, error);
  fore_target_intent_remove (job->self);

  return done;
}

/**
 * fore_repository_merge_into:
 * @self: a repository
 * @target: a local branch, by its short name
 * @expected: (nullable): where @target must point; %NULL takes it as it is
 * @commit: what is merged into it
 * @mode: how
 * @message: the message of a merge or squash commit
 * @dry_run: only find out; nothing is written
 * @error: (nullable): return location; %FORE_ERROR_STALE when @target was moved,
 *   %FORE_ERROR_CONFLICT naming the files
 *
 * Merges into a branch of the person, by compare-and-swap. Where @target is checked out, in the
 * folder of @self or another one, its files are brought along; changes of the person in other files
 * stay. Hooks run and signatures are made as git's settings say. When anything stands in the way,
 * nothing is changed; a dry run reports it in the result instead.
 *
 * Returns: (transfer full) (nullable): the result
 */
ForeMergeResult *
fore_repository_merge_into (ForeRepository *self,
                            const char *target,
                            const char *expected,
                            const char *commit,
                            ForeMergeMode mode,
                            const char *message,
                            gboolean dry_run,
                            GError **error)
{
  g_autoptr (ForeWriteLock) lock = NULL;
  g_autoptr (ForeMergeResult) result = fore_merge_result_new ();
  g_auto (TargetJob) job = { NULL, NULL, target, message, mode, result };

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (target != NULL && commit != NULL && message != NULL, NULL);

  if (!dry_run && (lock = fore_write_lock_acquire (self, error)) == NULL)
    return NULL;

  job.self = g_object_ref (self);
  job.dry_run = dry_run;
  job.git = fore_repository_open_git (self, error);
  if (job.git == NULL || (dry_run && !fore_git_add_memory (job.git, error))
      || (!dry_run && !fore_target_intent_undo (self, error))
      || !run_target (&job, expected, commit, error))
    return NULL;

  return g_steal_pointer (&result);
}
