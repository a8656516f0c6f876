/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-library-private.h"

#include "platform/fore-clock.h"
#include "platform/fore-files.h"

/* A process works for one person and few projects. */
#define MAX_KEPT 4

/* Files and folders that a library was made of, as they were before they were read. */
typedef struct
{
  char *path;
  ForeFileStamp stamp;
  gboolean follow_links;
  gboolean settled;
} Look;

typedef struct
{
  char *key;
  ForeLibrary *library;
} Kept;

static GMutex lock;
static GPtrArray *all_kept; /* Kept, the one used last at the end */
static guint n_hits;
static guint n_misses;

static void
look_clear (gpointer data)
{
  g_free (((Look *) data)->path);
}

static void
kept_free (gpointer data)
{
  Kept *kept = data;

  g_free (kept->key);
  fore_library_unref (kept->library);
  g_free (kept);
}

/**
 * fore_library_looks_new:
 *
 * Returns: (transfer full): an empty list for fore_library_look()
 */
GArray *
fore_library_looks_new (void)
{
  GArray *looks = g_array_new (FALSE, FALSE, sizeof (Look));

  g_array_set_clear_func (looks, look_clear);

  return looks;
}

/**
 * fore_library_look:
 * @self: a library that is being loaded
 * @path: a file or folder that is about to be read, or is missing
 * @follow_links: whether it is read through a symbolic link
 *
 * Notes what tells later whether the library would be loaded the same way again.
 */
void
fore_library_look (ForeLibrary *self, const char *path, gboolean follow_links)
{
  Look look = { NULL, { 0 }, follow_links, FALSE };

  g_return_if_fail (self != NULL && path != NULL);

  look.path = g_strdup (path);
  fore_file_get_stamp (path, follow_links, &look.stamp);
  look.settled = fore_file_stamp_is_settled (&look.stamp, fore_clock_now_us ());
  g_array_append_val (self->looks, look);
}

static gboolean
is_settled (ForeLibrary *library)
{
  for (guint i = 0; i < library->looks->len; i++)
    {
      if (!g_array_index (library->looks, Look, i).settled)
        return FALSE;
    }

  return TRUE;
}

static gboolean
is_current (ForeLibrary *library)
{
  for (guint i = 0; i < library->looks->len; i++)
    {
      const Look *look = &g_array_index (library->looks, Look, i);
      ForeFileStamp now;

      fore_file_get_stamp (look->path, look->follow_links, &now);
      if (now.file != look->stamp.file || now.size != look->stamp.size
          || now.modified != look->stamp.modified || now.changed != look->stamp.changed)
        return FALSE;
    }

  return TRUE;
}

static gboolean
find_place (const char *key, guint *place)
{
  for (guint i = 0; all_kept != NULL && i < all_kept->len; i++)
    {
      *place = i;
      if (g_str_equal (((Kept *) all_kept->pdata[i])->key, key))
        return TRUE;
    }

  return FALSE;
}

static ForeLibrary *
take (const char *key)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  guint place;
  Kept *kept;

  if (!find_place (key, &place))
    return NULL;

  kept = g_ptr_array_steal_index (all_kept, place);
  g_ptr_array_add (all_kept, kept);

  return fore_library_ref (kept->library);
}

static void
count (gboolean hit)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  n_hits += hit;
  n_misses += !hit;
}

/**
 * fore_library_cache_find:
 * @key: what a library is loaded from
 *
 * Finds the library that this process loaded from @key, if nothing that it was made of has changed
 * since. Asks the disk for the stamp of each of its files and folders and reads none.
 *
 * Returns: (transfer full) (nullable): the library
 */
ForeLibrary *
fore_library_cache_find (const char *key)
{
  g_autoptr (ForeLibrary) library = NULL;
  gboolean hit;

  g_return_val_if_fail (key != NULL, NULL);

  library = take (key);
  hit = library != NULL && is_current (library);
  count (hit);

  return hit ? g_steal_pointer (&library) : NULL;
}

/**
 * fore_library_cache_keep:
 * @key: what a library is loaded from
 * @library: the library
 *
 * Keeps @library for fore_library_cache_find(), unless one of its files has changed so lately that
 * a further change might not be seen.
 */
void
fore_library_cache_keep (const char *key, ForeLibrary *library)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  guint place;
  Kept *kept;

  g_return_if_fail (key != NULL && library != NULL);

  if (all_kept == NULL)
    all_kept = g_ptr_array_new_with_free_func (kept_free);
  if (find_place (key, &place))
    g_ptr_array_remove_index (all_kept, place);
  if (!is_settled (library))
    return;

  if (all_kept->len >= MAX_KEPT)
    g_ptr_array_remove_index (all_kept, 0);
  kept = g_new0 (Kept, 1);
  kept->key = g_strdup (key);
  kept->library = fore_library_ref (library);
  g_ptr_array_add (all_kept, kept);
}

/**
 * fore_library_get_cache_figures:
 * @hits: (out): how often fore_library_load() gave a library that it had loaded before
 * @misses: (out): how often it had to read the files
 *
 * Of this process. Any thread may call it.
 */
void
fore_library_get_cache_figures (guint *hits, guint *misses)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  g_return_if_fail (hits != NULL && misses != NULL);

  *hits = n_hits;
  *misses = n_misses;
}
