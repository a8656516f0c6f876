/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reading what was written in a sandbox. What is not there, or is no plain file, is left out; what
 * this machine cannot read just now is an error, so that nobody takes it for left out and removes
 * it.
 */

#include "config.h"

#include "git/fore-quarantine-private.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "platform/fore-files.h"

/* Everything else is a matter of who wrote it. */
static gboolean
is_trouble (int code)
{
  return code == EMFILE || code == ENFILE || code == ENOMEM || code == EIO;
}

/**
 * fore_quarantine_is_ours:
 *
 * Returns: whether what libgit2 has just failed at is the fault of this machine, and not of who
 *   wrote what it read
 */
gboolean
fore_quarantine_is_ours (void)
{
  const git_error *last = git_error_last ();

  return last != NULL
         && (last->klass == GIT_ERROR_OS || last->klass == GIT_ERROR_NOMEMORY
             || last->klass == GIT_ERROR_FILESYSTEM);
}

/**
 * fore_quarantine_fail_read:
 * @code: an errno
 * @path: what could not be read
 * @error: return location for an error
 *
 * Returns: %FALSE with @error set where @code says that it is there, but cannot be read now
 */
gboolean
fore_quarantine_fail_read (int code, const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, FALSE);

  if (!is_trouble (code))
    return TRUE;

  g_set_error (error, G_FILE_ERROR, (int) g_file_error_from_errno (code),
               _ ("“%s” cannot be read now (%s); try again"), path, g_strerror (code));
  return FALSE;
}

/**
 * fore_quarantine_open:
 * @folder: a folder that is trusted
 * @path: a file in it
 * @fd: (out): a descriptor to close; -1 where it is left out
 * @error: return location for an error
 *
 * Returns: whether it was opened or is left out
 */
gboolean
fore_quarantine_open (const char *folder, const char *path, int *fd, GError **error)
{
  g_return_val_if_fail (folder != NULL && path != NULL && fd != NULL, FALSE);

  errno = 0;
  *fd = fore_file_open_beneath (folder, path);

  return *fd >= 0 || fore_quarantine_fail_read (errno, path, error);
}

/**
 * fore_quarantine_list:
 * @folder: a folder
 * @names: (out) (transfer full) (element-type utf8): what is in it
 * @error: return location for an error
 *
 * Returns: whether it could be read, or is none
 */
gboolean
fore_quarantine_list (const char *folder, GPtrArray **names, GError **error)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  g_return_val_if_fail (folder != NULL && names != NULL, FALSE);

  *names = g_ptr_array_new_with_free_func (g_free);
  errno = 0;
  dir = g_dir_open (folder, 0, NULL);
  if (dir == NULL)
    return fore_quarantine_fail_read (errno, folder, error);

  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (*names, g_strdup (name));

  return TRUE;
}

/**
 * fore_quarantine_read_text:
 * @place: the folder of one repository
 * @name: a file of ours in it
 * @text: (out) (nullable) (transfer full): what it says; %NULL where there is none
 * @error: return location for an error
 *
 * Returns: whether it could be read, or is not there
 */
gboolean
fore_quarantine_read_text (const char *place, const char *name, char **text, GError **error)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) problem = NULL;

  g_return_val_if_fail (place != NULL && name != NULL && text != NULL, FALSE);

  path = g_build_filename (place, name, NULL);
  if (g_file_get_contents (path, text, NULL, &problem)
      || g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT)
      || g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOTDIR))
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

static char *
dup_id (const char *text, gssize length)
{
  if (length < FORE_QUARANTINE_REF_SIZE - 1)
    return NULL;

  for (guint i = 0; i < FORE_QUARANTINE_REF_SIZE - 1; i++)
    {
      if (!g_ascii_isxdigit (text[i]))
        return NULL;
    }

  return g_strndup (text, FORE_QUARANTINE_REF_SIZE - 1);
}

/**
 * fore_quarantine_read_ref:
 * @folder: the folder of a ref
 * @name: its name there
 * @id: (out) (nullable) (transfer full): the id of the object; %NULL where it says something else
 * @error: return location for an error
 *
 * Returns: whether it could be read, or is left out
 */
gboolean
fore_quarantine_read_ref (const char *folder, const char *name, char **id, GError **error)
{
  char text[FORE_QUARANTINE_REF_SIZE];
  gssize length;
  int code;
  int fd;

  g_return_val_if_fail (folder != NULL && name != NULL && id != NULL, FALSE);

  *id = NULL;
  if (!fore_quarantine_open (folder, name, &fd, error))
    return FALSE;
  if (fd < 0)
    return TRUE;

  length = fore_file_read_at (fd, text, sizeof text, 0);
  code = length < 0 ? errno : 0;
  g_close (fd, NULL);
  *id = dup_id (text, length);

  return fore_quarantine_fail_read (code, name, error);
}
