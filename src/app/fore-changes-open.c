/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-changes-open.h"

#include "app/fore-compat.h"
#include "app/fore-errors.h"
#include "platform/fore-files.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The file in @folder, unless a link leads out of it. */
static char *
find_inside (const char *folder, const char *path)
{
  g_autofree char *joined = folder != NULL ? g_build_filename (folder, path, NULL) : NULL;
  g_autofree char *root = folder != NULL ? fore_path_dup_real (folder) : NULL;
  g_autofree char *real = joined != NULL ? fore_path_dup_real (joined) : NULL;

  if (root == NULL || real == NULL || !fore_path_is_inside (real, root)
      || !g_file_test (real, G_FILE_TEST_IS_REGULAR))
    return NULL;

  return g_steal_pointer (&real);
}

/**
 * fore_changes_open_file:
 * @from: a widget of the window
 * @tree: (nullable): the working tree where the file was changed last
 * @project: the project, for what has no tree any more
 * @path: a changed file in it
 *
 * Opens the file in what the person edits text with, whatever else is meant to open its kind.
 */
void
fore_changes_open_file (GtkWidget *from, const char *tree, const char *project, const char *path)
{
  g_autofree char *found = NULL;
  g_autofree char *uri = NULL;
  g_autoptr (GAppInfo) editor = NULL;
  g_autoptr (GError) error = NULL;
  GList uris = { NULL, NULL, NULL };

  g_return_if_fail (GTK_IS_WIDGET (from));
  g_return_if_fail (project != NULL && path != NULL);

  found = find_inside (tree, path);
  if (found == NULL)
    found = find_inside (project, path);
  if (found == NULL)
    {
      fore_show_note (from, _ ("The file is not in a folder any more that could be opened."));
      return;
    }

  uri = g_filename_to_uri (found, NULL, NULL);
  editor = g_app_info_get_default_for_type ("text/plain", FALSE);
  uris.data = uri;
  if (editor == NULL)
    fore_open_uri (from, uri);
  else if (!g_app_info_launch_uris (editor, &uris, NULL, &error))
    fore_show_error (from, error);
}
