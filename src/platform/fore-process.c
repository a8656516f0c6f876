/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-process.h"

#include <string.h>

#include "platform/fore-process-private.h"

#define GUARD_NAME "foredeck-guard"

/**
 * fore_process_id_current:
 * @id: (out): where to put it
 *
 * Returns: %FALSE if the system does not tell when this process started
 */
gboolean
fore_process_id_current (ForeProcessId *id)
{
  g_return_val_if_fail (id != NULL, FALSE);

  return fore_process_id_for_pid (fore_process_system_get_pid (), id);
}

/**
 * fore_process_id_equal:
 * @a: an identity
 * @b: another
 *
 * Returns: whether they mean the same process
 */
gboolean
fore_process_id_equal (const ForeProcessId *a, const ForeProcessId *b)
{
  g_return_val_if_fail (a != NULL, FALSE);
  g_return_val_if_fail (b != NULL, FALSE);

  return a->pid == b->pid && a->start == b->start && strcmp (a->boot, b->boot) == 0;
}

/**
 * fore_process_is_alive:
 * @id: an identity
 *
 * Returns: whether that very process runs; one that only waits to be reaped does not
 */
gboolean
fore_process_is_alive (const ForeProcessId *id)
{
  ForeProcessId now;

  g_return_val_if_fail (id != NULL, FALSE);

  return id->pid > 0 && fore_process_id_for_pid (id->pid, &now) && fore_process_id_equal (id, &now);
}

/**
 * fore_process_get_ancestors:
 * @pid: number of a process
 *
 * Returns: (transfer full) (element-type ForeProcessId): its parent, the parent of that and so on,
 *   as far as they can be seen
 */
GArray *
fore_process_get_ancestors (int pid)
{
  GArray *ancestors = g_array_new (FALSE, FALSE, sizeof (ForeProcessId));
  int parent = fore_process_system_get_parent (pid);

  /* While it is read, numbers may be used again and close a circle. */
  while (parent > 0 && ancestors->len < 128)
    {
      ForeProcessId id;

      if (!fore_process_id_for_pid (parent, &id))
        break;

      g_array_append_val (ancestors, id);
      parent = fore_process_system_get_parent (parent);
    }

  return ancestors;
}

/**
 * fore_process_has_guard_ancestor:
 *
 * Returns: whether this process was started, over any number of others, by a guard: then it is an
 *   agent's, not a person's
 */
gboolean
fore_process_has_guard_ancestor (void)
{
  g_autoptr (GArray) ancestors = NULL;

  /* Inside another pid namespace the guard cannot be seen, but the marker is there. */
  if (g_getenv (FORE_MARKER_ATTEMPT) != NULL)
    return TRUE;

  ancestors = fore_process_get_ancestors (fore_process_system_get_pid ());
  for (guint i = 0; i < ancestors->len; i++)
    {
      g_autofree char *name = fore_process_dup_name (
          g_array_index (ancestors, ForeProcessId, i).pid);

      if (g_strcmp0 (name, GUARD_NAME) == 0)
        return TRUE;
    }

  return FALSE;
}

static char *
try_program (const char *dir, const char *subdir, const char *name)
{
  g_autofree char *path = NULL;

  if (dir == NULL || dir[0] == '\0')
    return NULL;

  path = g_build_filename (dir, subdir, name, NULL);
  if (!g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) || g_file_test (path, G_FILE_TEST_IS_DIR))
    return NULL;

  return g_canonicalize_filename (path, NULL);
}

/**
 * fore_platform_find_program:
 * @name: name of a program of ours, such as foredeck-guard
 *
 * Looks in `FOREDECK_LIBEXEC`, beside this program, in ../libexec/foredeck from there and where it
 * was installed to.
 *
 * Returns: (transfer full) (nullable): its absolute path, %NULL if it is not there
 */
char *
fore_platform_find_program (const char *name)
{
  g_autofree char *self = NULL;
  g_autofree char *dir = NULL;
  g_autofree char *file = NULL;
  char *path;

  g_return_val_if_fail (name != NULL, NULL);

  self = fore_process_system_dup_self ();
  dir = self == NULL ? NULL : g_path_get_dirname (self);
  file = g_strconcat (name, FORE_PROGRAM_SUFFIX, NULL);

  path = try_program (g_getenv ("FOREDECK_LIBEXEC"), "", file);
  if (path == NULL)
    path = try_program (dir, "", file);
  if (path == NULL)
    path = try_program (dir, ".." G_DIR_SEPARATOR_S "libexec" G_DIR_SEPARATOR_S "foredeck", file);
  if (path == NULL)
    path = try_program (FORE_LIBEXECDIR, "", file);

  return path;
}

/**
 * fore_platform_find_data:
 * @name: name of a folder or file of our data, such as crew
 *
 * Looks in `FOREDECK_DATA` (and nowhere else if that is set), in the share folder beside the
 * folder of this program, and where it was installed to.
 *
 * Returns: (transfer full): its path; it may be missing
 */
char *
fore_platform_find_data (const char *name)
{
  static const char *const places[] = { "../share/foredeck", "../../share/foredeck" };
  const char *data = g_getenv ("FOREDECK_DATA");
  g_autofree char *self = NULL;
  g_autofree char *dir = NULL;

  g_return_val_if_fail (name != NULL, NULL);

  if (data != NULL && data[0] != '\0')
    return g_build_filename (data, name, NULL);

  self = fore_process_system_dup_self ();
  dir = self == NULL ? NULL : g_path_get_dirname (self);
  for (guint i = 0; dir != NULL && i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *path = g_build_filename (dir, places[i], name, NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_canonicalize_filename (path, NULL);
    }

  return g_build_filename (FORE_PKGDATADIR, name, NULL);
}

/**
 * fore_platform_get_cores:
 *
 * Returns: how many cores this process may use, at least 1
 */
guint
fore_platform_get_cores (void)
{
  return MAX (1, g_get_num_processors ());
}
