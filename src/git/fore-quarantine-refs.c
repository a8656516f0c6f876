/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-quarantine-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "git/fore-repository-private.h"

#define BRANCH_PREFIX "foredeck/"

/**
 * fore_quarantine_read_refs:
 * @place: the folder of one repository
 * @refs: (out) (transfer full) (element-type utf8 utf8): names and ids
 * @error: return location for an error
 *
 * Reads the branches before the objects are looked at, so that all that they reach is among them.
 *
 * Returns: whether it could be read
 */
gboolean
fore_quarantine_read_refs (const char *place, GHashTable **refs, GError **error)
{
  g_autofree char *folder = NULL;
  g_autoptr (GPtrArray) names = NULL;

  g_return_val_if_fail (place != NULL && refs != NULL, FALSE);

  *refs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  folder = g_build_filename (place, FORE_QUARANTINE_REFS, NULL);
  if (!fore_quarantine_list (folder, &names, error))
    return FALSE;

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      char *oid = NULL;

      if (!g_str_has_suffix (name, ".lock")
          && !fore_quarantine_read_ref (folder, name, &oid, error))
        return FALSE;
      if (oid != NULL)
        g_hash_table_insert (*refs, g_strdup (name), oid);
    }

  return TRUE;
}

/* Branches of others stay where they are; what was put there is kept apart. */
static gboolean
rescue (git_repository *git, const git_oid *oid, const char *branch, GError **error)
{
  const char *name = g_str_has_prefix (branch, BRANCH_PREFIX) ? branch + strlen (BRANCH_PREFIX)
                                                              : branch;

  return fore_git_rescue_commit (git, oid, name, NULL, NULL, error);
}

static gboolean
import_ref (
    git_repository *git, const char *branch, const char *name, const char *id, GError **error)
{
  g_autofree char *group = g_path_get_dirname (branch);
  g_autofree char *own = g_path_get_basename (branch);
  g_autofree char *ref_name = g_strdup_printf ("refs/heads/%s/%s", group, name);
  g_autoptr (git_commit) commit = NULL;
  git_oid oid, old;
  gboolean known;
  int valid = 0;
  int result;

  if (git_oid_fromstr (&oid, id) != 0 || git_reference_name_is_valid (&valid, ref_name) != 0
      || !valid)
    return TRUE;

  result = git_commit_lookup (&commit, git, &oid);
  if (result < 0 && fore_quarantine_is_ours ())
    return fore_git_fail (error, result, _ ("What was committed could not be taken over"));
  if (result < 0)
    return TRUE;

  known = git_reference_name_to_id (&old, git, ref_name) == 0;
  if (known && git_oid_equal (&old, &oid))
    return TRUE;
  if (known && strcmp (name, own) != 0)
    return git_graph_descendant_of (git, &old, &oid) == 1 || rescue (git, &oid, branch, error);

  return fore_git_swap_branch (git, ref_name, &oid, known ? &old : NULL,
                               "foredeck: from the sandbox", error);
}

/**
 * fore_quarantine_import_refs:
 * @git: the repository, which has the objects
 * @branch: the branch that was worked on
 * @refs: (element-type utf8 utf8): of fore_quarantine_read_refs()
 * @error: return location for an error
 *
 * Moves @branch and makes the branches that are new.
 *
 * Returns: whether that is done
 */
gboolean
fore_quarantine_import_refs (git_repository *git,
                             const char *branch,
                             GHashTable *refs,
                             GError **error)
{
  GHashTableIter iter;
  gpointer name, id;

  g_return_val_if_fail (git != NULL && branch != NULL && refs != NULL, FALSE);

  g_hash_table_iter_init (&iter, refs);
  while (g_hash_table_iter_next (&iter, &name, &id))
    {
      if (!import_ref (git, branch, name, id, error))
        return FALSE;
    }

  return TRUE;
}
