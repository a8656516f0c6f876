/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "git/fore-repository-private.h"

enum
{
  PLACE_ABOVE = 1,
  PLACE_CHANGED,
};

static char *
get_parent (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash != NULL ? g_strndup (path, slash - path) : NULL;
}

/* Adds @path and all folders above it, with where they stand: a path itself wins. */
static void
add_changed (GHashTable *places, const char *path)
{
  g_autofree char *above = get_parent (path);

  g_hash_table_insert (places, g_strdup (path), GINT_TO_POINTER (PLACE_CHANGED));
  while (above != NULL && !g_hash_table_contains (places, above))
    {
      char *next = get_parent (above);

      g_hash_table_insert (places, above, GINT_TO_POINTER (PLACE_ABOVE));
      above = next;
    }
}

/**
 * fore_git_make_places:
 * @paths: (element-type filename): relative paths
 *
 * Returns: (transfer full): where @paths and the folders above them lie, for
 *   fore_git_places_overlap()
 */
GHashTable *
fore_git_make_places (GPtrArray *paths)
{
  GHashTable *places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < paths->len; i++)
    add_changed (places, g_ptr_array_index (paths, i));

  return places;
}

/**
 * fore_git_places_overlap:
 * @places: what fore_git_make_places() made
 * @path: a relative path, with or without a slash at its end
 *
 * Returns: whether @path is one of them, lies below one or has one below
 */
gboolean
fore_git_places_overlap (GHashTable *places, const char *path)
{
  g_autofree char *above = g_strdup (path);

  if (g_str_has_suffix (above, "/"))
    above[strlen (above) - 1] = '\0';

  if (g_hash_table_contains (places, above))
    return TRUE;

  while (above != NULL)
    {
      char *next = get_parent (above);

      g_free (above);
      above = next;
      if (above != NULL && GPOINTER_TO_INT (g_hash_table_lookup (places, above)) == PLACE_CHANGED)
        return TRUE;
    }

  return FALSE;
}
