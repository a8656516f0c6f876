/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-quarantine-private.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "git/fore-repository-private.h"

#define BRANCH_PREFIX "foredeck/"
/* More than anybody makes on purpose. */
#define MAX_DEPTH 8
#define MAX_REFS 10000

static gboolean
read_folder (const char *folder, const char *prefix, guint depth, GHashTable *refs, GError **error);

/* A link is not followed: it may lead anywhere. */
static gboolean
is_folder (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  GStatBuf info;

  return g_lstat (path, &info) == 0 && S_ISDIR (info.st_mode);
}

static gboolean
read_entry (const char *folder, const char *name, guint depth, GHashTable *refs, GError **error)
{
  char *oid = NULL;

  if (is_folder (folder, name))
    return depth == MAX_DEPTH || read_folder (folder, name, depth + 1, refs, error);

  if (!g_str_has_suffix (name, ".lock") && !fore_quarantine_read_ref (folder, name, &oid, error))
    return FALSE;
  if (oid != NULL)
    g_hash_table_insert (refs, g_strdup (name), oid);

  return TRUE;
}

static gboolean
read_folder (const char *folder, const char *prefix, guint depth, GHashTable *refs, GError **error)
{
  g_autofree char *path = g_build_filename (folder, prefix, NULL);
  g_autoptr (GPtrArray) names = NULL;

  if (!fore_quarantine_list (path, &names, error))
    return FALSE;

  for (guint i = 0; i < names->len && g_hash_table_size (refs) < MAX_REFS; i++)
    {
      g_autofree char *name = g_build_path ("/", prefix, g_ptr_array_index (names, i), NULL);

      if (!read_entry (folder, name, depth, refs, error))
        return FALSE;
    }

  return TRUE;
}

/**
 * fore_quarantine_read_refs:
 * @place: the folder of one repository
 * @refs: (out) (transfer full) (element-type utf8 utf8): names and ids
 * @error: return location for an error
 *
 * Reads the branches, those in folders too, before the objects are looked at, so that all that they
 * reach is among them.
 *
 * Returns: whether it could be read
 */
gboolean
fore_quarantine_read_refs (const char *place, GHashTable **refs, GError **error)
{
  g_autofree char *folder = NULL;

  g_return_val_if_fail (place != NULL && refs != NULL, FALSE);

  *refs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  folder = g_build_filename (place, FORE_QUARANTINE_REFS, NULL);
  return read_folder (folder, "", 0, *refs, error);
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

  /* A branch cannot be where there is a folder of branches, nor in a folder that is one. */
  if (strcmp (name, own) != 0)
    return fore_git_swap_branch (git, ref_name, &oid, NULL, "foredeck: from the sandbox", NULL)
           || rescue (git, &oid, branch, error);

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
