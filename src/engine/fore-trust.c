/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-trust.h"

#include "git/fore-repository.h"
#include "library/fore-library.h"
#include "model/fore-error.h"
#include "platform/fore-files.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define GIT_ENTRY ".git"

static gboolean
is_inside_real (const char *path, const char *folder)
{
  g_autofree char *real = folder != NULL ? fore_path_dup_real (folder) : NULL;

  return real != NULL && fore_path_is_inside (path, real);
}

/* The person's own folder, and what came with Foredeck. */
static gboolean
is_own (const char *real)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autofree char *crew = fore_library_dup_builtin_dir ();
  g_autofree char *data = crew != NULL ? g_path_get_dirname (crew) : NULL;

  return is_inside_real (real, user_dir) || is_inside_real (real, data);
}

/* One that git itself would not open, as others own it, is one, too. An empty folder is none: some
 * sandboxes put one over what is not to come about in their temporary folder.
 */
static gboolean
is_repository (const char *folder)
{
  g_autofree char *entry = g_build_filename (folder, GIT_ENTRY, NULL);
  g_autofree char *head = g_build_filename (entry, "HEAD", NULL);

  return g_file_test (entry, G_FILE_TEST_IS_REGULAR) || g_file_test (head, G_FILE_TEST_EXISTS)
         || g_file_test (head, G_FILE_TEST_IS_SYMLINK);
}

/* The innermost repository around a file. */
static char *
dup_repository (const char *real)
{
  g_autofree char *folder = g_path_get_dirname (real);

  for (;;)
    {
      char *parent;

      if (is_repository (folder))
        return g_steal_pointer (&folder);

      parent = g_path_get_dirname (folder);
      if (strcmp (parent, folder) == 0)
        {
          g_free (parent);
          return NULL;
        }
      g_free (folder);
      folder = parent;
    }
}

/**
 * fore_trust_dup_warning:
 * @project: canonical path of a project
 *
 * Returns: (transfer full): what to tell a person whose run leaves out what @project brings
 */
char *
fore_trust_dup_warning (const char *project)
{
  g_return_val_if_fail (project != NULL, NULL);

  return g_strdup_printf (_ ("This project is not trusted yet; its settings, checks "
                             "and crew are not used until you say: foredeckctl "
                             "trust %s"),
                          project);
}

/**
 * fore_trust_dup_left_out:
 * @store: the store
 * @project: a folder in a project
 *
 * Blocks on the disk.
 *
 * Returns: (transfer full) (nullable): the project, if it brings something that is left out because
 *   nobody trusts it
 */
char *
fore_trust_dup_left_out (ForeStore *store, const char *project)
{
  g_autofree char *real = NULL;
  g_autofree char *top = NULL;
  g_autoptr (ForeLibrary) library = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (project != NULL, NULL);

  real = fore_path_dup_real (project);
  top = fore_repository_dup_top (real != NULL ? real : project);
  if (top == NULL || fore_store_is_trusted (store, top))
    return NULL;

  library = fore_library_load (NULL, top, FALSE, NULL);
  return library != NULL && fore_library_leaves_project_out (library) ? g_steal_pointer (&top)
                                                                      : NULL;
}

/**
 * fore_trust_dup_owner:
 * @store: the store
 * @project: canonical path of the project of the run
 * @path: a file that the run would be made of, such as a workflow or a plan
 *
 * Finds out whose file @path is, wherever links to it lie. Files of a project, and of any other
 * repository, are used once that is trusted; what lies in no project is the person's own. A file
 * that is not there, or a pipe, is left to whoever reads it. Blocks on the disk.
 *
 * Returns: (transfer full) (nullable): the folder that has to be trusted before, if any
 */
char *
fore_trust_dup_owner (ForeStore *store, const char *project, const char *path)
{
  g_autofree char *real = NULL;
  g_autofree char *repository = NULL;
  const char *owner = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (project != NULL && path != NULL, NULL);

  real = fore_path_dup_real (path);
  if (real == NULL || !g_file_test (real, G_FILE_TEST_IS_REGULAR) || is_own (real))
    return NULL;

  repository = dup_repository (real);
  owner = is_inside_real (real, project) ? project : repository;
  if (owner == NULL || fore_store_is_trusted (store, owner)
      || (repository != NULL && fore_store_is_trusted (store, repository)))
    return NULL;

  return g_strdup (owner);
}

/**
 * fore_trust_check_file:
 * @store: the store
 * @project: canonical path of the project of the run
 * @path: a file that the run would be made of, such as a workflow or a plan
 * @error: return location for an error; %FORE_ERROR_REFUSED says how to trust the project
 *
 * Asks fore_trust_dup_owner(). Blocks on the disk.
 *
 * Returns: whether the run may use it
 */
gboolean
fore_trust_check_file (ForeStore *store, const char *project, const char *path, GError **error)
{
  g_autofree char *owner = fore_trust_dup_owner (store, project, path);
  g_autofree char *quoted = NULL;

  if (owner == NULL)
    return TRUE;

  quoted = fore_text_quote_word (owner);
  g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
               _ ("“%s” is a file of %s, which you do not trust yet; if you know what is in it: "
                  "foredeckctl trust %s"),
               path, owner, quoted);
  return FALSE;
}
