/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "git/fore-repository-private.h"
#include "model/fore-error.h"

static git_status_list *
read_status (git_repository *git, GError **error)
{
  git_status_options options = GIT_STATUS_OPTIONS_INIT;
  git_status_list *list = NULL;
  int result;

  options.show = GIT_STATUS_SHOW_INDEX_AND_WORKDIR;
  options.flags = GIT_STATUS_OPT_INCLUDE_UNTRACKED | GIT_STATUS_OPT_RECURSE_UNTRACKED_DIRS
                  | GIT_STATUS_OPT_EXCLUDE_SUBMODULES | GIT_STATUS_OPT_DISABLE_PATHSPEC_MATCH;
  result = git_status_list_new (&list, git, &options);
  if (result < 0)
    {
      fore_git_fail (error, result, _ ("The state of the files could not be read"));
      return NULL;
    }

  return list;
}

static const char *
get_entry_path (const git_status_entry *entry)
{
  const git_diff_delta *delta = entry->index_to_workdir != NULL ? entry->index_to_workdir
                                                                : entry->head_to_index;

  return delta->new_file.path != NULL ? delta->new_file.path : delta->old_file.path;
}

static const char *
find_operation (git_repository *git)
{
  switch (git_repository_state (git))
    {
    case GIT_REPOSITORY_STATE_NONE:
      return NULL;

    case GIT_REPOSITORY_STATE_MERGE:
      return "merge";

    case GIT_REPOSITORY_STATE_REVERT:
    case GIT_REPOSITORY_STATE_REVERT_SEQUENCE:
      return "revert";

    case GIT_REPOSITORY_STATE_CHERRYPICK:
    case GIT_REPOSITORY_STATE_CHERRYPICK_SEQUENCE:
      return "cherry-pick";

    case GIT_REPOSITORY_STATE_BISECT:
      return "bisect";

    case GIT_REPOSITORY_STATE_REBASE:
    case GIT_REPOSITORY_STATE_REBASE_INTERACTIVE:
    case GIT_REPOSITORY_STATE_REBASE_MERGE:
    case GIT_REPOSITORY_STATE_APPLY_MAILBOX:
    case GIT_REPOSITORY_STATE_APPLY_MAILBOX_OR_REBASE:
    default:
      return "rebase";
    }
}

/* Where HEAD points, and the commit there; the commit is NULL when there is none yet. */
static gboolean
read_head (git_repository *git, char **ref_name, char **commit, GError **error)
{
  g_autoptr (git_reference) head = NULL;
  git_oid oid;
  int result = git_reference_lookup (&head, git, "HEAD");

  if (result < 0)
    return fore_git_fail (error, result, _ ("HEAD of the repository could not be read"));

  *ref_name = g_strdup (git_reference_symbolic_target (head) ?: "HEAD");
  result = git_reference_name_to_id (&oid, git, "HEAD");
  if (result < 0 && result != GIT_ENOTFOUND)
    return fore_git_fail (error, result, _ ("HEAD of the repository could not be read"));

  *commit = result == 0 ? fore_git_oid_to_string (&oid) : NULL;
  return TRUE;
}

static void
count_entry (ForeRepositoryState *state, guint status)
{
  if (status & GIT_STATUS_CONFLICTED)
    state->n_conflicted++;
  else if (status & GIT_STATUS_WT_NEW)
    state->n_untracked++;
  else
    state->n_modified++;
}

static gboolean
count_status (ForeRepositoryState *state, git_repository *git, guint path_limit, GError **error)
{
  g_autoptr (git_status_list) list = read_status (git, error);
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  gsize n;

  if (list == NULL)
    return FALSE;

  n = git_status_list_entrycount (list);
  for (gsize i = 0; i < n; i++)
    {
      const git_status_entry *entry = git_status_byindex (list, i);

      count_entry (state, entry->status);
      if (i < path_limit)
        g_strv_builder_add (paths, get_entry_path (entry));
    }

  state->dirty_paths = g_strv_builder_end (paths);
  state->paths_cut = n > path_limit;
  return TRUE;
}

/**
 * fore_repository_read_state:
 * @self: a repository
 * @path_limit: how many names of dirty files are wanted at most
 * @error: (nullable): return location
 *
 * Reads where the repository stands.
 *
 * Returns: (transfer full) (nullable): the state
 */
ForeRepositoryState *
fore_repository_read_state (ForeRepository *self, guint path_limit, GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (ForeRepositoryState) state = NULL;
  g_autofree char *ref_name = NULL;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);

  git = fore_repository_open_git (self, error);
  if (git == NULL)
    return NULL;

  state = g_new0 (ForeRepositoryState, 1);
  if (!read_head (git, &ref_name, &state->commit, error))
    return NULL;

  if (g_str_has_prefix (ref_name, "refs/heads/"))
    state->branch = g_strdup (ref_name + strlen ("refs/heads/"));
  state->unborn = state->commit == NULL;
  state->operation = g_strdup (find_operation (git));
  if (fore_repository_get_workdir (self) == NULL)
    state->dirty_paths = g_new0 (char *, 1);
  else if (!count_status (state, git, path_limit, error))
    return NULL;

  return g_steal_pointer (&state);
}

/**
 * fore_repository_read_identity:
 * @self: a repository
 * @error: (nullable): return location; %FORE_ERROR_ENVIRONMENT when git has none
 *
 * Finds whom git itself would take for the author: GIT_AUTHOR_NAME and its like in the environment,
 * then its settings. Whom it would take for the committer has to be known too.
 *
 * Returns: (transfer full) (nullable): who the person is
 */
ForeIdentity *
fore_repository_read_identity (ForeRepository *self, GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_signature) signature = NULL;
  g_autoptr (git_signature) committer = NULL;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);

  git = fore_repository_open_git (self, error);
  if (git == NULL || (committer = fore_git_make_committer (git, error)) == NULL)
    return NULL;

  signature = fore_git_make_signature (git, NULL, error);
  return signature != NULL ? fore_identity_new (signature->name, signature->email) : NULL;
}

/**
 * fore_repository_write_identity:
 * @self: a repository
 * @identity: who commits there
 * @error: (nullable): return location
 *
 * Sets user.name and user.email in the repository's own settings.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_repository_write_identity (ForeRepository *self, const ForeIdentity *identity, GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_config) config = NULL;
  g_autoptr (git_config) local = NULL;
  int result;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), FALSE);
  g_return_val_if_fail (identity != NULL, FALSE);

  git = fore_repository_open_git (self, error);
  if (git == NULL)
    return FALSE;

  result = git_repository_config (&config, git);
  if (result == 0)
    result = git_config_open_level (&local, config, GIT_CONFIG_LEVEL_LOCAL);
  if (result == 0)
    result = git_config_set_string (local, "user.name", identity->name);
  if (result == 0)
    result = git_config_set_string (local, "user.email", identity->email);

  return result == 0
         || fore_git_fail (error, result,
                           _ ("The settings of the repository could not be written"));
}

static char *
hash_index (git_repository *git, GError **error)
{
  g_autoptr (git_index) index = NULL;
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  int result = git_repository_index (&index, git);
  gsize n;

  if (result < 0)
    {
      fore_git_fail (error, result, _ ("The index of the repository could not be read"));
      return NULL;
    }

  n = git_index_entrycount (index);
  for (gsize i = 0; i < n; i++)
    {
      const git_index_entry *entry = git_index_get_byindex (index, i);
      guint32 numbers[2] = { entry->mode, git_index_entry_stage (entry) };

      g_checksum_update (sum, (const guchar *) entry->path, strlen (entry->path) + 1);
      g_checksum_update (sum, entry->id.id, GIT_OID_RAWSZ);
      g_checksum_update (sum, (const guchar *) numbers, sizeof numbers);
    }

  return g_strdup (g_checksum_get_string (sum));
}

static char *
describe_file (const char *workdir, const char *path, guint status)
{
  g_autoptr (GFile) file = g_file_new_build_filename (workdir, path, NULL);
  g_autoptr (GFileInfo) info = g_file_query_info (
      file,
      "standard::size,time::modified,time::modified-usec,time::changed,time::changed-usec,"
      "unix::mode,unix::inode",
      G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL, NULL);
  g_auto (GStrv) names = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "%u", status);
  names = info != NULL ? g_file_info_list_attributes (info, NULL) : NULL;
  for (gsize i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autofree char *value = g_file_info_get_attribute_as_string (info, names[i]);

      g_string_append_printf (text, " %s", value);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static GHashTable *
describe_dirty (git_repository *git, const char *workdir, GError **error)
{
  g_autoptr (git_status_list) list = read_status (git, error);
  g_autoptr (GHashTable) dirty = NULL;
  gsize n;

  if (list == NULL)
    return NULL;

  dirty = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  n = git_status_list_entrycount (list);
  for (gsize i = 0; i < n; i++)
    {
      const git_status_entry *entry = git_status_byindex (list, i);
      const char *path = get_entry_path (entry);

      g_hash_table_insert (dirty, g_strdup (path), describe_file (workdir, path, entry->status));
    }

  return g_steal_pointer (&dirty);
}

/**
 * fore_repository_read_fingerprint:
 * @self: a repository with a work folder
 * @error: (nullable): return location
 *
 * Takes down what the work folder looks like now. No file's contents are read beyond what git
 * itself must compare.
 *
 * Returns: (transfer full) (nullable): the fingerprint
 */
ForeFingerprint *
fore_repository_read_fingerprint (ForeRepository *self, GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (ForeFingerprint) fingerprint = NULL;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);

  if (!fore_repository_require_workdir (self, error))
    return NULL;

  git = fore_repository_open_git (self, error);
  if (git == NULL)
    return NULL;

  fingerprint = g_new0 (ForeFingerprint, 1);
  if (!read_head (git, &fingerprint->head_ref, &fingerprint->head, error))
    return NULL;

  fingerprint->index_hash = hash_index (git, error);
  if (fingerprint->index_hash == NULL)
    return NULL;

  fingerprint->dirty = describe_dirty (git, fore_repository_get_workdir (self), error);
  return fingerprint->dirty != NULL ? g_steal_pointer (&fingerprint) : NULL;
}

static void
collect_dirty (GHashTable *written, GHashTable *from, GHashTable *other)
{
  GHashTableIter iter;
  gpointer path, value;

  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &path, &value))
    {
      if (g_strcmp0 (value, g_hash_table_lookup (other, path)) != 0)
        g_hash_table_add (written, g_strdup (path));
    }
}

static gboolean
collect_commits (
    GHashTable *written, git_repository *git, const char *before, const char *after, GError **error)
{
  g_autoptr (git_tree) old_tree = NULL;
  g_autoptr (git_tree) new_tree = NULL;
  g_autoptr (git_diff) diff = NULL;

  if (g_strcmp0 (before, after) == 0)
    return TRUE;

  if (before != NULL && (old_tree = fore_git_lookup_tree (git, before, error)) == NULL)
    return FALSE;

  if (after != NULL && (new_tree = fore_git_lookup_tree (git, after, error)) == NULL)
    return FALSE;

  diff = fore_git_diff_trees (git, old_tree, new_tree, error);
  if (diff == NULL)
    return FALSE;

  for (gsize i = 0; i < git_diff_num_deltas (diff); i++)
    {
      const git_diff_delta *delta = git_diff_get_delta (diff, i);

      g_hash_table_add (written, g_strdup (delta->old_file.path));
      g_hash_table_add (written, g_strdup (delta->new_file.path));
    }

  return TRUE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/**
 * fore_repository_list_written:
 * @self: the repository both were taken of
 * @before: the earlier fingerprint
 * @after: the later one
 * @error: (nullable): return location
 *
 * Finds the files that were written between the two, committed or not.
 *
 * Returns: (transfer full) (nullable): paths in order, %NULL with @error set
 */
char **
fore_repository_list_written (ForeRepository *self,
                              const ForeFingerprint *before,
                              const ForeFingerprint *after,
                              GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (GHashTable) written = NULL;
  GPtrArray *paths;
  GHashTableIter iter;
  gpointer path;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (before != NULL && after != NULL, NULL);

  git = fore_repository_open_git (self, error);
  if (git == NULL)
    return NULL;

  written = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (!collect_commits (written, git, before->head, after->head, error))
    return NULL;

  collect_dirty (written, before->dirty, after->dirty);
  collect_dirty (written, after->dirty, before->dirty);

  paths = g_ptr_array_new ();
  g_hash_table_iter_init (&iter, written);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    {
      g_hash_table_iter_steal (&iter);
      g_ptr_array_add (paths, path);
    }
  g_ptr_array_sort (paths, compare_names);
  g_ptr_array_add (paths, NULL);

  return (char **) g_ptr_array_free (paths, FALSE);
}
