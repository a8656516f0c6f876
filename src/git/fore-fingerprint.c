/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-fingerprint.h"

/**
 * fore_fingerprint_equal:
 * @a: a fingerprint
 * @b: another of the same folder
 *
 * Returns: whether nothing happened between the two
 */
gboolean
fore_fingerprint_equal (const ForeFingerprint *a, const ForeFingerprint *b)
{
  GHashTableIter iter;
  gpointer path, value;

  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  if (g_strcmp0 (a->head, b->head) != 0 || g_strcmp0 (a->head_ref, b->head_ref) != 0
      || g_strcmp0 (a->index_hash, b->index_hash) != 0
      || g_hash_table_size (a->dirty) != g_hash_table_size (b->dirty))
    return FALSE;

  g_hash_table_iter_init (&iter, a->dirty);
  while (g_hash_table_iter_next (&iter, &path, &value))
    {
      if (g_strcmp0 (value, g_hash_table_lookup (b->dirty, path)) != 0)
        return FALSE;
    }

  return TRUE;
}

/**
 * fore_fingerprint_free:
 * @self: (nullable): a fingerprint
 *
 * Frees @self.
 */
void
fore_fingerprint_free (ForeFingerprint *self)
{
  if (self == NULL)
    return;

  g_free (self->head_ref);
  g_free (self->head);
  g_free (self->index_hash);
  g_clear_pointer (&self->dirty, g_hash_table_unref);
  g_free (self);
}
