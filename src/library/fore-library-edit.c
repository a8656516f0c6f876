/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-library-edit.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "library/fore-library-private.h"
#include "library/fore-library-text.h"
#include "model/fore-error.h"
#include "platform/fore-files.h"

/* Below the person's folder; what lies there is read by nobody. */
#define REMOVED "removed"

static const char *const folders[FORE_N_KINDS] = {
  [FORE_KIND_AGENT] = "agents",
  [FORE_KIND_TEAM] = "teams",
  [FORE_KIND_WORKFLOW] = "workflows",
  [FORE_KIND_SKILL] = "skills",
};

static const char *const suffixes[FORE_N_KINDS] = {
  [FORE_KIND_AGENT] = ".md",
  [FORE_KIND_TEAM] = ".team.md",
  [FORE_KIND_WORKFLOW] = ".workflow.md",
  [FORE_KIND_SKILL] = G_DIR_SEPARATOR_S "SKILL.md",
};

static void
set_file_error (GError **error, const char *path)
{
  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
               _ ("%s cannot be written: %s. Check the folder's permissions."), path,
               g_strerror (errno));
}

/* Where the line of `name` begins in the head of @text, and where its value does; -1 if the head
 * has none. Gives the place after the first line of the head in @after.
 */
static gssize
find_name (const char *text, gssize *value, gssize *after)
{
  const char *line = text + strcspn (text, "\n");

  *after = -1;
  if (strncmp (text, "---", 3) != 0 || (text[3] != '\n' && text[3] != '\r'))
    return -1;

  line += *line == '\n';
  *after = line - text;
  while (*line != '\0' && strncmp (line, "---", 3) != 0)
    {
      if (strncmp (line, "name:", 5) == 0)
        {
          *value = line + 5 - text;
          return line - text;
        }
      line += strcspn (line, "\n");
      line += *line == '\n';
    }

  return -1;
}

/* The text under another name, and else as it was to the byte. */
static char *
dup_renamed (const char *text, const char *name)
{
  GString *renamed = g_string_new (NULL);
  gssize value = 0, after;
  gssize line = find_name (text, &value, &after);

  if (line >= 0)
    {
      g_string_append_len (renamed, text, value);
      g_string_append_printf (renamed, " %s", name);
      g_string_append (renamed, text + value + strcspn (text + value, "\r\n"));
    }
  else if (after >= 0)
    {
      g_string_append_len (renamed, text, after);
      g_string_append_printf (renamed, "name: %s\n%s", name, text + after);
    }
  else
    g_string_append_printf (renamed, "---\nname: %s\n---\n%s", name, text);

  return g_string_free (renamed, FALSE);
}

static ForeLibraryObject *
find_object (ForeLibrary *library, ForeLibraryKind kind, const char *name, GError **error)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  ForeLibraryObject *object = g_hash_table_lookup (library->by_name[kind], lower);

  if (object == NULL || object->source.path == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("There is no %s “%s”."),
                   fore_library_kind_to_string (kind), name);
      return NULL;
    }

  return object;
}

/* One that is the person's own already gets another name; any other is replaced by its copy. */
static char *
choose_name (ForeLibrary *library, ForeLibraryKind kind, const ForeLibraryObject *object)
{
  if (object->source.layer != FORE_LAYER_USER)
    return g_strdup (object->name);

  for (guint i = 2;; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s-%u", object->name, i);

      if (!g_hash_table_contains (library->by_name[kind], name))
        return g_steal_pointer (&name);
    }
}

static gboolean
write_new (const char *path, const char *text, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  gsize length = strlen (text), done = 0;
  int fd;

  if (g_mkdir_with_parents (folder, 0755) != 0)
    {
      set_file_error (error, folder);
      return FALSE;
    }

  fd = g_open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0 && errno == EEXIST)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("There is a file %s already. Choose another name."), path);
      return FALSE;
    }

  while (fd >= 0 && done < length)
    {
      gssize n = fore_file_write_at (fd, text + done, length - done, (gint64) done);

      if (n <= 0)
        break;
      done += (gsize) n;
    }
  if (fd < 0 || done < length || !g_close (fd, NULL))
    {
      set_file_error (error, path);
      return FALSE;
    }

  return TRUE;
}

static gboolean
check_name (const char *name, GError **error)
{
  if (fore_library_name_is_valid (name))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
               _ ("“%s” is no usable name. Take small letters, digits, “-”, “_” and “.”."), name);

  return FALSE;
}

/**
 * fore_library_copy:
 * @library: a library
 * @kind: `agent`, `team`, `workflow` or `skill`
 * @name: the name of what is copied
 * @new_name: (nullable): the name of the copy; else the same one, or a free one if @name is the
 *   person's own already
 * @user_dir: the person's folder
 * @error: return location for an error
 *
 * Copies a file into the person's folder, where it can be edited. But for its name it stays as it
 * is to the byte, and it never takes the place of another file. Blocks on the disk.
 *
 * Returns: (transfer full) (nullable): path of the copy; %FORE_ERROR_REFUSED if there is one
 */
char *
fore_library_copy (ForeLibrary *library,
                   const char *kind,
                   const char *name,
                   const char *new_name,
                   const char *user_dir,
                   GError **error)
{
  const ForeLibraryObject *object;
  g_autofree char *chosen = NULL;
  g_autofree char *text = NULL;
  g_autofree char *renamed = NULL;
  g_autofree char *file = NULL;
  g_autofree char *path = NULL;
  ForeLibraryKind which;

  g_return_val_if_fail (library != NULL && kind != NULL && name != NULL, NULL);
  g_return_val_if_fail (user_dir != NULL, NULL);

  if (!fore_library_kind_from_string (kind, &which))
    g_return_val_if_reached (NULL);

  object = find_object (library, which, name, error);
  if (object == NULL || (new_name != NULL && !check_name (new_name, error)))
    return NULL;

  if (!g_file_get_contents (object->source.path, &text, NULL, error))
    {
      g_prefix_error (error, "%s: ", name);
      return NULL;
    }

  chosen = new_name != NULL ? g_strdup (new_name) : choose_name (library, which, object);
  renamed = dup_renamed (text, chosen);
  file = g_strconcat (chosen, suffixes[which], NULL);
  path = g_build_filename (user_dir, folders[which], file, NULL);

  return write_new (path, renamed, error) ? g_steal_pointer (&path) : NULL;
}

/* What of the person's folder holds the file: the file, or the folder of a skill. */
static char *
dup_place (const char *user_dir, const char *path)
{
  g_autofree char *user_real = fore_path_dup_real (user_dir);
  g_autofree char *real = fore_path_dup_real (path);
  g_auto (GStrv) parts = NULL;

  if (user_real == NULL || real == NULL || !fore_path_is_inside (real, user_real))
    return NULL;

  parts = g_strsplit (real + strlen (user_real) + 1, G_DIR_SEPARATOR_S, 3);
  for (guint i = 0; i < FORE_N_KINDS && g_strv_length (parts) >= 2; i++)
    {
      if (strcmp (parts[0], folders[i]) == 0)
        return g_build_filename (parts[0], parts[1], NULL);
    }

  return NULL;
}

/* A folder of its own for each, whose name tells when. */
static char *
dup_backup_dir (const char *user_dir)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *stamp = g_date_time_format (now, "%Y%m%d-%H%M%S");

  for (guint i = 1;; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s-%u", stamp, i);
      g_autofree char *dir = g_build_filename (user_dir, REMOVED, name, NULL);

      if (!g_file_test (dir, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&dir);
    }
}

static gboolean
move (const char *from, const char *to, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (to);

  if (g_mkdir_with_parents (folder, 0755) == 0 && g_rename (from, to) == 0)
    return TRUE;

  set_file_error (error, to);

  return FALSE;
}

/**
 * fore_library_remove:
 * @user_dir: the person's folder
 * @path: the file of an agent, team, workflow or skill in it
 * @error: return location for an error
 *
 * Takes a file of the person's out of the library. It is kept; of a skill the whole folder is.
 * Blocks on the disk.
 *
 * Returns: (transfer full) (nullable): where it is now, for fore_library_restore();
 *   %FORE_ERROR_REFUSED if it is not the person's own
 */
char *
fore_library_remove (const char *user_dir, const char *path, GError **error)
{
  g_autofree char *place = NULL;
  g_autofree char *dir = NULL;
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;

  g_return_val_if_fail (user_dir != NULL && path != NULL, NULL);

  place = dup_place (user_dir, path);
  if (place == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("%s is none of your own files, which lie in %s."), path, user_dir);
      return NULL;
    }

  dir = dup_backup_dir (user_dir);
  from = g_build_filename (user_dir, place, NULL);
  to = g_build_filename (dir, place, NULL);

  return move (from, to, error) ? g_steal_pointer (&to) : NULL;
}

/**
 * fore_library_restore:
 * @user_dir: the person's folder
 * @backup: what fore_library_remove() gave
 * @error: return location for an error
 *
 * Puts what was removed back to where it was. Blocks on the disk.
 *
 * Returns: (transfer full) (nullable): where it is again; %FORE_ERROR_REFUSED if something else is
 *   there now
 */
char *
fore_library_restore (const char *user_dir, const char *backup, GError **error)
{
  g_autofree char *kept = NULL;
  g_autofree char *real = NULL;
  g_autofree char *to = NULL;
  g_auto (GStrv) parts = NULL;

  g_return_val_if_fail (user_dir != NULL && backup != NULL, NULL);

  to = g_build_filename (user_dir, REMOVED, NULL);
  kept = fore_path_dup_real (to);
  real = fore_path_dup_real (backup);
  if (kept != NULL && real != NULL && fore_path_is_inside (real, kept))
    parts = g_strsplit (real + strlen (kept) + 1, G_DIR_SEPARATOR_S, 2);
  if (parts == NULL || g_strv_length (parts) < 2)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("%s is nothing that was removed from the library."), backup);
      return NULL;
    }

  g_free (to);
  to = g_build_filename (user_dir, parts[1], NULL);
  if (g_file_test (to, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("There is a file %s again. Move it away first."), to);
      return NULL;
    }

  return move (real, to, error) ? g_steal_pointer (&to) : NULL;
}

static void
list_folder (GPtrArray *found, const char *dir, guint depth)
{
  g_autoptr (GDir) names = g_dir_open (dir, 0, NULL);
  const char *name;

  while (names != NULL && (name = g_dir_read_name (names)) != NULL)
    {
      g_autofree char *path = g_build_filename (dir, name, NULL);

      if (depth == 0)
        g_ptr_array_add (found, g_steal_pointer (&path));
      else
        list_folder (found, path, depth - 1);
    }
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/**
 * fore_library_list_removed:
 * @user_dir: the person's folder
 *
 * Lists what was removed and can be put back, the oldest first. Blocks on the disk.
 *
 * Returns: (transfer full): paths for fore_library_restore()
 */
GStrv
fore_library_list_removed (const char *user_dir)
{
  g_autofree char *dir = NULL;
  GPtrArray *found = g_ptr_array_new ();

  g_return_val_if_fail (user_dir != NULL, NULL);

  dir = g_build_filename (user_dir, REMOVED, NULL);
  list_folder (found, dir, 2);
  g_ptr_array_sort (found, compare_texts);
  g_ptr_array_add (found, NULL);

  return (GStrv) g_ptr_array_free (found, FALSE);
}
