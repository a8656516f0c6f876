/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-library.h"
#include "ctl/fore-ctl-output.h"
#include "library/fore-library-edit.h"

#include <glib/gi18n.h>
#include <string.h>

static void
print_place (ForeCtl *ctl, const char *member, const char *path)
{
  JsonObject *object;

  if (!ctl->json)
    {
      fore_ctl_print (ctl, "%s\n", path);
      return;
    }

  object = json_object_new ();
  fore_ctl_json_set_text (object, member, path);
  fore_ctl_print_object (ctl, object);
}

static gboolean
copy_item (ForeCtl *ctl, ForeLibrary *library, const char *user_dir, GError **error)
{
  g_autofree char *path = NULL;
  const char *kind;
  const char *name;

  if (!fore_ctl_find_library_item (ctl, library, &kind, &name, error))
    return FALSE;

  path = fore_library_copy (library, kind, name, fore_ctl_get_word (ctl, 3), user_dir, error);
  if (path == NULL)
    return FALSE;

  print_place (ctl, "path", path);
  return TRUE;
}

static gboolean
remove_item (ForeCtl *ctl, ForeLibrary *library, const char *user_dir, GError **error)
{
  g_autofree char *backup = NULL;
  const char *path;

  if (!fore_ctl_find_library_path (ctl, library, &path, error))
    return FALSE;

  backup = fore_library_remove (user_dir, path, error);
  if (backup == NULL)
    return FALSE;

  print_place (ctl, "backup", backup);
  return TRUE;
}

static gboolean
restore_item (ForeCtl *ctl, const char *user_dir, GError **error)
{
  g_auto (GStrv) removed = fore_library_list_removed (user_dir);
  const char *backup = fore_ctl_get_word (ctl, 1);
  guint n = g_strv_length (removed);
  g_autofree char *path = NULL;

  if (backup == NULL && n == 0)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                           _ ("Nothing was removed from the library."));
      return FALSE;
    }

  path = fore_library_restore (user_dir, backup != NULL ? backup : removed[n - 1], error);
  if (path == NULL)
    return FALSE;

  print_place (ctl, "path", path);
  return TRUE;
}

/**
 * fore_ctl_edit_library:
 * @ctl: the command line; its first word is `copy`, `remove` or `restore`
 * @library: the library
 * @error: return location for an error
 *
 * Changes the person's own files of the library, which is for persons only.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_ctl_edit_library (ForeCtl *ctl, ForeLibrary *library, GError **error)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  const char *word = fore_ctl_get_word (ctl, 0);

  if (!fore_ctl_check_person (ctl, error))
    return FALSE;
  if (strcmp (word, "copy") == 0)
    return copy_item (ctl, library, user_dir, error);
  if (strcmp (word, "remove") == 0)
    return remove_item (ctl, library, user_dir, error);

  return restore_item (ctl, user_dir, error);
}
