/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-object-pack.h"

#include <glib/gi18n-lib.h>

/* What is held in memory at once, but for the last object. */
#define MAX_BYTES (64 * 1024 * 1024)

struct _ForeObjectPack
{
  char *common_dir;
  git_repository *git;
  git_odb *odb;
  GArray *oids;
  guint64 bytes;
};

/**
 * fore_object_pack_new:
 * @common_dir: the common folder of a repository
 *
 * Returns: (transfer full): a pack of nothing
 */
ForeObjectPack *
fore_object_pack_new (const char *common_dir)
{
  ForeObjectPack *self;

  g_return_val_if_fail (common_dir != NULL, NULL);

  self = g_new0 (ForeObjectPack, 1);
  self->common_dir = g_strdup (common_dir);
  self->oids = g_array_new (FALSE, FALSE, sizeof (git_oid));

  return self;
}

static void
forget (ForeObjectPack *self)
{
  g_clear_pointer (&self->odb, git_odb_free);
  g_clear_pointer (&self->git, git_repository_free);
  g_array_set_size (self->oids, 0);
  self->bytes = 0;
}

/**
 * fore_object_pack_free:
 * @self: (nullable): a pack
 *
 * What was not written is lost.
 */
void
fore_object_pack_free (ForeObjectPack *self)
{
  if (self == NULL)
    return;

  forget (self);
  g_array_unref (self->oids);
  g_free (self->common_dir);
  g_free (self);
}

/**
 * fore_object_pack_open:
 * @self: a pack
 * @error: return location for an error
 *
 * Returns: (transfer none) (nullable): where to write objects for the pack, until the next call of
 *   another function
 */
git_odb *
fore_object_pack_open (ForeObjectPack *self, GError **error)
{
  int result;

  g_return_val_if_fail (self != NULL, NULL);

  if (self->odb != NULL)
    return self->odb;

  result = git_repository_open_bare (&self->git, self->common_dir);
  if (result < 0)
    {
      fore_git_fail (error, result, _ ("The repository of a sandbox could not be opened"));
      return NULL;
    }
  if (!fore_git_add_memory (self->git, error))
    return NULL;

  git_repository_odb (&self->odb, self->git);
  return self->odb;
}

/**
 * fore_object_pack_add:
 * @self: a pack
 * @oid: an object that was written to what fore_object_pack_open() returned
 * @size: its size in bytes
 * @error: return location for an error
 *
 * Returns: %FALSE where the pack had become too large and could not be written
 */
gboolean
fore_object_pack_add (ForeObjectPack *self, const git_oid *oid, guint64 size, GError **error)
{
  g_return_val_if_fail (self != NULL && oid != NULL, FALSE);

  g_array_append_val (self->oids, *oid);
  self->bytes += size;

  return self->bytes < MAX_BYTES || fore_object_pack_write (self, error);
}

static int
write_pack (ForeObjectPack *self)
{
  git_packbuilder *builder = NULL;
  int result = git_packbuilder_new (&builder, self->git);

  for (guint i = 0; result == 0 && i < self->oids->len; i++)
    result = git_packbuilder_insert (builder, &g_array_index (self->oids, git_oid, i), NULL);
  if (result == 0)
    result = git_packbuilder_write (builder, NULL, 0, NULL, NULL);

  git_packbuilder_free (builder);

  return result;
}

/**
 * fore_object_pack_write:
 * @self: a pack
 * @error: return location for an error
 *
 * Writes what was added to the repository, synced to the disk, and begins anew.
 *
 * Returns: whether it is there
 */
gboolean
fore_object_pack_write (ForeObjectPack *self, GError **error)
{
  int result = 0;

  g_return_val_if_fail (self != NULL, FALSE);

  if (self->oids->len > 0)
    result = write_pack (self);
  forget (self);

  return result == 0
         || fore_git_fail (error, result, _ ("What was committed could not be taken over"));
}
