/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "git/fore-repository-private.h"
#include "model/fore-error.h"

#define RESCUE_PREFIX "refs/foredeck/rescue/"
#define MAX_MEASURED_COMMITS 1000
#define MAX_BRANCH_TRIES 99

typedef struct
{
  git_repository *git;
  git_odb *odb;
  ForeRescue *rescue;
  GHashTable *seen; /* contents that were counted */
} MeasureJob;

static void
measure_file (MeasureJob *job, const git_diff_delta *delta)
{
  git_object_t type;
  size_t length;

  job->rescue->n_files++;
  if (delta->status != GIT_DELTA_DELETED
      && g_hash_table_add (job->seen, fore_git_oid_to_string (&delta->new_file.id))
      && git_odb_read_header (&length, &type, job->odb, &delta->new_file.id) == 0)
    job->rescue->bytes += length;
}

/* What the commit changed against its first parent. */
static void
measure_commit (MeasureJob *job, const git_oid *oid)
{
  g_autoptr (git_commit) commit = NULL;
  g_autoptr (git_commit) parent = NULL;
  g_autoptr (git_tree) tree = NULL;
  g_autoptr (git_tree) old_tree = NULL;
  g_autoptr (git_diff) diff = NULL;

  if (git_commit_lookup (&commit, job->git, oid) != 0 || git_commit_tree (&tree, commit) != 0)
    return;

  if (git_commit_parentcount (commit) > 0
      && (git_commit_parent (&parent, commit, 0) != 0 || git_commit_tree (&old_tree, parent) != 0))
    return;

  if (git_diff_tree_to_tree (&diff, job->git, old_tree, tree, NULL) != 0)
    return;

  /* git_diff_foreach() would read what is in the files. */
  for (gsize i = 0; i < git_diff_num_deltas (diff); i++)
    measure_file (job, git_diff_get_delta (diff, i));
}

/* Whatever branches and tags reach costs nothing more. */
static void
measure (git_repository *git, const git_oid *commit, ForeRescue *rescue)
{
  g_autoptr (git_odb) odb = NULL;
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  MeasureJob job = { git, NULL, rescue, seen };
  git_revwalk *walk = NULL;
  git_oid oid;

  if (git_repository_odb (&odb, git) != 0 || git_revwalk_new (&walk, git) != 0)
    return;

  job.odb = odb;
  git_revwalk_push (walk, commit);
  git_revwalk_hide_glob (walk, "refs/heads/*");
  git_revwalk_hide_glob (walk, "refs/tags/*");
  git_revwalk_hide_glob (walk, "refs/remotes/*");
  for (guint n = 0; n < MAX_MEASURED_COMMITS && git_revwalk_next (&oid, walk) == 0; n++)
    measure_commit (&job, &oid);

  git_revwalk_free (walk);
}

static ForeRescue *
read_rescue (git_repository *git, git_reference *ref)
{
  g_autoptr (git_commit) commit = NULL;
  g_autoptr (git_object) object = NULL;
  ForeRescue *rescue;

  if (git_reference_peel (&object, ref, GIT_OBJECT_COMMIT) != 0
      || git_commit_lookup (&commit, git, git_object_id (object)) != 0)
    return NULL;

  rescue = g_new0 (ForeRescue, 1);
  rescue->name = g_strdup (git_reference_name (ref) + strlen (RESCUE_PREFIX));
  rescue->commit = fore_git_oid_to_string (git_commit_id (commit));
  rescue->subject = g_utf8_make_valid (git_commit_summary (commit) ?: "", -1);
  rescue->time = (gint64) git_commit_time (commit) * G_USEC_PER_SEC;
  measure (git, git_commit_id (commit), rescue);

  return rescue;
}

static int
compare_rescues (gconstpointer a, gconstpointer b)
{
  const ForeRescue *one = *(ForeRescue *const *) a;
  const ForeRescue *other = *(ForeRescue *const *) b;

  if (one->time != other->time)
    return one->time < other->time ? 1 : -1;

  return strcmp (one->name, other->name);
}

/**
 * fore_repository_list_rescues:
 * @self: a repository
 * @prefix: (nullable): only those whose name starts with this
 * @error: (nullable): return location
 *
 * Lists what was put aside when trees and branches were removed, the newest first.
 *
 * Returns: (transfer full) (element-type ForeRescue) (nullable): the rescues
 */
GPtrArray *
fore_repository_list_rescues (ForeRepository *self, const char *prefix, GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_reference_iterator) iter = NULL;
  g_autoptr (GPtrArray) list = NULL;
  git_reference *ref;
  int result;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);

  git = fore_repository_open_git (self, error);
  if (git == NULL)
    return NULL;

  list = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_rescue_free);
  result = git_reference_iterator_glob_new (&iter, git, RESCUE_PREFIX "*");
  while (result == 0 && (result = git_reference_next (&ref, iter)) == 0)
    {
      const char *name = git_reference_name (ref) + strlen (RESCUE_PREFIX);
      ForeRescue *rescue = prefix == NULL || g_str_has_prefix (name, prefix)
                               ? read_rescue (git, ref)
                               : NULL;

      if (rescue != NULL)
        g_ptr_array_add (list, rescue);
      git_reference_free (ref);
    }

  if (result != GIT_ITEROVER)
    {
      fore_git_fail (error, result, _ ("The rescued work could not be listed"));
      return NULL;
    }

  g_ptr_array_sort (list, compare_rescues);
  return g_steal_pointer (&list);
}

static git_commit *
look_up_rescue (git_repository *git, const char *name, GError **error)
{
  g_autofree char *ref_name = g_strconcat (RESCUE_PREFIX, name, NULL);
  git_commit *commit = NULL;
  git_oid oid;

  if (git_reference_name_to_id (&oid, git, ref_name) == 0
      && git_commit_lookup (&commit, git, &oid) == 0)
    return commit;

  g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
               _ ("There is no rescued work “%s”; “foredeckctl rescue list” names what there is"),
               name);
  return NULL;
}

static gboolean
check_branch_name (const char *branch, GError **error)
{
  int valid = 0;

  if (git_branch_name_is_valid (&valid, branch) == 0 && valid)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("“%s” is no name for a branch"), branch);
  return FALSE;
}

/* A branch of that name, or with a number behind it where the name was not asked for. */
static char *
make_branch (
    git_repository *git, git_commit *commit, const char *branch, guint tries, GError **error)
{
  int result = GIT_EEXISTS;

  for (guint i = 1; result == GIT_EEXISTS && i <= tries; i++)
    {
      g_autofree char *name = i == 1 ? g_strdup (branch) : g_strdup_printf ("%s-%u", branch, i);
      g_autofree char *ref_name = g_strconcat ("refs/heads/", name, NULL);

      result = fore_git_create_ref (git, ref_name, git_commit_id (commit), "foredeck: restored");
      if (result == 0)
        return g_steal_pointer (&name);
    }

  fore_git_fail (error, result, _ ("The branch could not be made; choose another name"));
  return NULL;
}

/**
 * fore_repository_restore_rescue:
 * @self: a repository
 * @name: name of a rescue, without refs/foredeck/rescue/
 * @branch: (nullable): the branch to make; %NULL is `rescued/` and @name, with a number where taken
 * @error: (nullable): return location; %FORE_ERROR_NOT_FOUND, %FORE_ERROR_REFUSED for a taken name
 *
 * Makes a branch of what was put aside. No folder is touched and the rescue stays.
 *
 * Returns: (transfer full) (nullable): the branch
 */
char *
fore_repository_restore_rescue (ForeRepository *self,
                                const char *name,
                                const char *branch,
                                GError **error)
{
  g_autoptr (ForeWriteLock) lock = NULL;
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_commit) commit = NULL;
  g_autofree char *fallback = NULL;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  fallback = g_strconcat ("rescued/", name, NULL);
  if (!check_branch_name (branch ?: fallback, error)
      || (lock = fore_write_lock_acquire (self, error)) == NULL
      || (git = fore_repository_open_git (self, error)) == NULL
      || (commit = look_up_rescue (git, name, error)) == NULL)
    return NULL;

  return make_branch (git, commit, branch ?: fallback, branch != NULL ? 1 : MAX_BRANCH_TRIES,
                      error);
}

/**
 * fore_repository_publish_branch:
 * @self: a repository
 * @branch: the branch that the person wants, of any free name
 * @commit: where it shall point
 * @error: (nullable): return location; %FORE_ERROR_REFUSED for a taken name
 *
 * Makes a branch of the person's own of finished work.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_repository_publish_branch (ForeRepository *self,
                                const char *branch,
                                const char *commit,
                                GError **error)
{
  g_autoptr (ForeWriteLock) lock = NULL;
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_commit) target = NULL;
  g_autofree char *made = NULL;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), FALSE);
  g_return_val_if_fail (branch != NULL && commit != NULL, FALSE);

  if (!check_branch_name (branch, error) || (lock = fore_write_lock_acquire (self, error)) == NULL
      || (git = fore_repository_open_git (self, error)) == NULL
      || (target = fore_git_lookup_commit (git, commit, error)) == NULL)
    return FALSE;

  made = make_branch (git, target, branch, 1, error);
  return made != NULL;
}

static gboolean
make_new_folder (const char *folder, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  if ((dir != NULL && g_dir_read_name (dir) == NULL)
      || (dir == NULL && !g_file_test (folder, G_FILE_TEST_EXISTS)
          && g_mkdir_with_parents (folder, 0755) == 0))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
               _ ("“%s” is not an empty folder; name one that does not exist yet"), folder);
  return FALSE;
}

/**
 * fore_repository_export_rescue:
 * @self: a repository
 * @name: name of a rescue, without refs/foredeck/rescue/
 * @folder: absolute path of a folder that is empty or does not exist
 * @error: (nullable): return location
 *
 * Writes the files of what was put aside to @folder, ignored ones among them. The rescue stays.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_repository_export_rescue (ForeRepository *self,
                               const char *name,
                               const char *folder,
                               GError **error)
{
  git_checkout_options options = GIT_CHECKOUT_OPTIONS_INIT;
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_commit) commit = NULL;
  int result;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), FALSE);
  g_return_val_if_fail (name != NULL && folder != NULL && g_path_is_absolute (folder), FALSE);

  if ((git = fore_repository_open_git (self, error)) == NULL
      || (commit = look_up_rescue (git, name, error)) == NULL || !make_new_folder (folder, error))
    return FALSE;

  options.checkout_strategy = GIT_CHECKOUT_FORCE | GIT_CHECKOUT_DONT_UPDATE_INDEX
                              | GIT_CHECKOUT_DONT_WRITE_INDEX;
  options.target_directory = folder;
  result = git_checkout_tree (git, (git_object *) commit, &options);

  return result == 0
         || fore_git_fail (error, result, _ ("Not all files could be written; look at the folder"));
}

/**
 * fore_repository_drop_rescue:
 * @self: a repository
 * @name: name of a rescue, without refs/foredeck/rescue/
 * @expected: the commit that the person saw there
 * @error: (nullable): return location; %FORE_ERROR_STALE when it keeps something else by now
 *
 * Gives up work that was put aside; git's own tidying removes it some time after.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_repository_drop_rescue (ForeRepository *self,
                             const char *name,
                             const char *expected,
                             GError **error)
{
  g_autoptr (ForeWriteLock) lock = NULL;
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_commit) commit = NULL;
  g_autofree char *ref_name = NULL;
  g_autofree char *found = NULL;
  int result;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), FALSE);
  g_return_val_if_fail (name != NULL && expected != NULL, FALSE);

  if ((lock = fore_write_lock_acquire (self, error)) == NULL
      || (git = fore_repository_open_git (self, error)) == NULL
      || (commit = look_up_rescue (git, name, error)) == NULL)
    return FALSE;

  found = fore_git_oid_to_string (git_commit_id (commit));
  if (!g_str_equal (found, expected))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_STALE,
                   _ ("“%s” keeps other work by now; list the rescued work again"), name);
      return FALSE;
    }

  ref_name = g_strconcat (RESCUE_PREFIX, name, NULL);
  result = fore_git_remove_ref (git, ref_name);

  return result == 0 || fore_git_fail (error, result, _ ("The rescued work could not be dropped"));
}
