/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-quarantine-private.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "model/fore-error.h"
#include "platform/fore-dirs.h"
#include "platform/fore-files.h"

/* Where the repository's own objects are seen from inside. */
#define BASE_NAME "foredeck-base"
#define EMPTY_NAME "empty"
#define INFO_ALTERNATES "info" G_DIR_SEPARATOR_S "alternates"
#define KEEPER_SUFFIX ".sandbox.lock"

/* As many as git follows one after the other. */
#define MAX_DEPTH 5
#define MAX_ALTERNATES 64
#define MAX_REFS 256

static gboolean
write_text (const char *folder, const char *name, const char *text, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

/* Alternates */

/* A line of the file, which git quotes where it begins with a quotation mark. */
static char *
read_line (const char *line, const char *objects)
{
  g_autofree char *inner = NULL;
  g_autofree char *plain = NULL;

  if (line[0] == '\0' || line[0] == '#')
    return NULL;
  if (line[0] == '"' && line[1] != '\0')
    {
      inner = g_strndup (line + 1, strlen (line) - 2);
      plain = g_strcompress (inner);
    }

  return g_canonicalize_filename (plain != NULL ? plain : line, objects);
}

static void
list_alternates (const char *objects, guint depth, GPtrArray *found)
{
  g_autofree char *path = g_build_filename (objects, INFO_ALTERNATES, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (depth > MAX_DEPTH || !g_file_get_contents (path, &text, NULL, NULL))
    return;

  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL && found->len < MAX_ALTERNATES; i++)
    {
      g_autofree char *line = read_line (lines[i], objects);
      g_autofree char *real = line != NULL ? fore_path_dup_real (line) : NULL;

      if (real == NULL || g_ptr_array_find_with_equal_func (found, real, g_str_equal, NULL))
        continue;
      g_ptr_array_add (found, g_steal_pointer (&real));
      list_alternates (g_ptr_array_index (found, found->len - 1), depth + 1, found);
    }
}

static GPtrArray *
find_alternates (const char *common_dir, ForeSandbox *sandbox)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *objects = g_build_filename (common_dir, "objects", NULL);

  list_alternates (objects, 0, found);
  for (guint i = 0; i < found->len; i++)
    fore_sandbox_add (sandbox, FORE_SANDBOX_READ, g_ptr_array_index (found, i));

  return found;
}

/**
 * fore_quarantine_add_alternates:
 * @common_dir: the common folder of a repository
 * @sandbox: a sandbox that is to read it
 *
 * Lets @sandbox read the objects that the repository takes from others. Blocking.
 */
void
fore_quarantine_add_alternates (const char *common_dir, ForeSandbox *sandbox)
{
  g_return_if_fail (common_dir != NULL && sandbox != NULL);

  g_ptr_array_unref (find_alternates (common_dir, sandbox));
}

/* Objects */

/* The first is relative: what lies before it may have a name that git would read otherwise. */
static gboolean
write_alternates (const char *objects, GPtrArray *alternates, GError **error)
{
  g_autoptr (GString) text = g_string_new ("./" BASE_NAME "\n");

  for (guint i = 0; i < alternates->len; i++)
    g_string_append_printf (text, "%s\n", (const char *) g_ptr_array_index (alternates, i));

  return write_text (objects, INFO_ALTERNATES, text->str, error);
}

static gboolean
make_folders (const char *place, GError **error)
{
  static const char *const names[] = { "objects/" BASE_NAME, "objects/info", "objects/pack",
                                       FORE_QUARANTINE_REFS, FORE_QUARANTINE_LOGS };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (place, names[i], NULL);

      if (!fore_dirs_ensure_dir (path, error))
        return FALSE;
    }

  return TRUE;
}

/* The alternates of the repository stand in our own list: from here relative ones lead astray. */
static gboolean
add_objects (const char *place, const char *common_dir, ForeSandbox *sandbox, GError **error)
{
  g_autofree char *objects = g_build_filename (place, FORE_QUARANTINE_OBJECTS, NULL);
  g_autofree char *empty = g_build_filename (place, EMPTY_NAME, NULL);
  g_autofree char *linked = g_build_filename (common_dir, "objects", NULL);
  g_autofree char *real = fore_path_dup_real (linked);
  g_autofree char *list = g_build_filename (objects, INFO_ALTERNATES, NULL);
  g_autofree char *listed = NULL;
  g_autofree char *base = NULL;
  g_autofree char *covered = NULL;
  g_autoptr (GPtrArray) alternates = NULL;

  if (real == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("“%s” is no repository any more; look at the project"), common_dir);
      return FALSE;
    }

  alternates = find_alternates (common_dir, sandbox);
  if (!write_alternates (objects, alternates, error))
    return FALSE;

  base = g_build_filename (real, BASE_NAME, NULL);
  fore_sandbox_add_from (sandbox, FORE_SANDBOX_WRITE, objects, real);
  fore_sandbox_add_from (sandbox, FORE_SANDBOX_READ, real, base);
  listed = g_build_filename (real, INFO_ALTERNATES, NULL);
  covered = g_build_filename (base, INFO_ALTERNATES, NULL);
  fore_sandbox_add_from (sandbox, FORE_SANDBOX_READ, list, listed);
  if (g_file_test (listed, G_FILE_TEST_EXISTS))
    fore_sandbox_add_from (sandbox, FORE_SANDBOX_READ, empty, covered);

  return TRUE;
}

/* Branches */

static gboolean
copy_ref (const char *from, const char *to, const char *name, GError **error)
{
  g_autofree char *oid = NULL;
  g_autofree char *text = NULL;

  if (!fore_quarantine_read_ref (from, name, &oid, error))
    return FALSE;

  text = oid != NULL ? g_strconcat (oid, "\n", NULL) : NULL;
  return text == NULL || write_text (to, name, text, error);
}

/* The branch itself, and those beside it, which can be looked at. */
static gboolean
copy_refs (const char *from, const char *to, const char *own, GError **error)
{
  g_autoptr (GPtrArray) names = NULL;

  if (!copy_ref (from, to, own, error) || !fore_quarantine_list (from, &names, error))
    return FALSE;

  for (guint i = 0; i < MIN (names->len, MAX_REFS); i++)
    {
      const char *name = g_ptr_array_index (names, i);

      if (strcmp (name, own) != 0 && !g_str_has_suffix (name, ".lock")
          && !copy_ref (from, to, name, error))
        return FALSE;
    }

  return TRUE;
}

/* While it stands there, nobody who packs refs removes the folder, which would take the place away
 * at which another one is seen. Git leaves out what is called so.
 */
char *
fore_quarantine_dup_keeper (const char *common_dir, const char *branch)
{
  g_autofree char *name = g_strconcat (branch, KEEPER_SUFFIX, NULL);

  return g_build_filename (common_dir, "refs", "heads", name, NULL);
}

static gboolean
make_ref_folders (const char *common_dir, const char *refs, const char *logs, const char *branch)
{
  g_autofree char *keeper = fore_quarantine_dup_keeper (common_dir, branch);

  return fore_dirs_ensure_dir (refs, NULL) && fore_dirs_ensure_dir (logs, NULL)
         && g_file_set_contents_full (keeper, "", 0, G_FILE_SET_CONTENTS_NONE, 0600, NULL);
}

static gboolean
add_branch (const char *place,
            const char *common_dir,
            const char *branch,
            ForeSandbox *sandbox,
            GError **error)
{
  g_autofree char *group = g_path_get_dirname (branch);
  g_autofree char *own = g_path_get_basename (branch);
  g_autofree char *refs = g_build_filename (common_dir, "refs", "heads", group, NULL);
  g_autofree char *logs = g_build_filename (common_dir, "logs", "refs", "heads", group, NULL);
  g_autofree char *new_refs = g_build_filename (place, FORE_QUARANTINE_REFS, NULL);
  g_autofree char *new_logs = g_build_filename (place, FORE_QUARANTINE_LOGS, NULL);
  g_autofree char *real_refs = NULL;
  g_autofree char *real_logs = NULL;

  if (make_ref_folders (common_dir, refs, logs, branch))
    {
      real_refs = fore_path_dup_real (refs);
      real_logs = fore_path_dup_real (logs);
    }
  if (real_refs == NULL || real_logs == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("The branches in “%s” cannot be written; make the folder writable"), refs);
      return FALSE;
    }

  if (!copy_refs (real_refs, new_refs, own, error))
    return FALSE;

  fore_sandbox_add_from (sandbox, FORE_SANDBOX_WRITE, new_refs, real_refs);
  fore_sandbox_add_from (sandbox, FORE_SANDBOX_WRITE, new_logs, real_logs);

  return TRUE;
}

/**
 * fore_quarantine_add:
 * @folder: where to keep what is written; made when missing, out of reach from inside
 * @common_dir: the common folder of a repository, which @sandbox may read
 * @branch: the branch that is worked on, `foredeck/RUN/TASK`
 * @sandbox: a sandbox
 * @error: return location for an error
 *
 * Makes objects and branches of the run look writable from inside: what is written lands in
 * @folder, until fore_quarantine_import() brings it to the repository. One folder takes what
 * belongs to several repositories. Blocking.
 *
 * Returns: whether everything is there
 */
gboolean
fore_quarantine_add (const char *folder,
                     const char *common_dir,
                     const char *branch,
                     ForeSandbox *sandbox,
                     GError **error)
{
  g_autofree char *real = NULL;
  g_autofree char *name = NULL;
  g_autofree char *place = NULL;

  g_return_val_if_fail (folder != NULL && common_dir != NULL, FALSE);
  g_return_val_if_fail (branch != NULL && sandbox != NULL, FALSE);

  real = fore_path_dup_real (common_dir);
  name = g_compute_checksum_for_string (G_CHECKSUM_SHA1, real != NULL ? real : common_dir, -1);
  place = g_build_filename (folder, name, NULL);

  return make_folders (place, error) && write_text (place, EMPTY_NAME, "", error)
         && write_text (place, FORE_QUARANTINE_BRANCH, branch, error)
         && write_text (place, FORE_QUARANTINE_REPOSITORY, real != NULL ? real : common_dir, error)
         && add_objects (place, real != NULL ? real : common_dir, sandbox, error)
         && add_branch (place, real != NULL ? real : common_dir, branch, sandbox, error);
}
