/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-library-types.h"

#include "library/fore-library-text.h"

/**
 * fore_library_layer_to_string:
 * @layer: a layer
 *
 * Gets the word that stands for @layer in JSON.
 *
 * Returns: (transfer none): a static string
 */
const char *
fore_library_layer_to_string (ForeLibraryLayer layer)
{
  static const char *const names[FORE_N_LAYERS] = {
    [FORE_LAYER_BUILTIN] = "built-in",
    [FORE_LAYER_USER] = "user",
    [FORE_LAYER_HOME_PI] = "home-pi",
    [FORE_LAYER_HOME_CLAUDE] = "home-claude",
    [FORE_LAYER_HOME_SHARED] = "home-agents",
    [FORE_LAYER_PROJECT] = "project",
    [FORE_LAYER_CREW] = "project-crew",
    [FORE_LAYER_PI] = "project-pi",
    [FORE_LAYER_CLAUDE] = "project-claude",
    [FORE_LAYER_SHARED] = "project-agents",
    [FORE_LAYER_FILE] = "file",
    [FORE_LAYER_MADE] = "made",
  };

  g_return_val_if_fail ((guint) layer < FORE_N_LAYERS, "file");

  return names[layer];
}

/**
 * fore_library_layer_is_project:
 * @layer: a layer
 *
 * Tells whether @layer belongs to a project: to whoever wrote the repository, not to the person.
 *
 * Returns: %TRUE if it does
 */
gboolean
fore_library_layer_is_project (ForeLibraryLayer layer)
{
  return layer >= FORE_LAYER_PROJECT && layer <= FORE_LAYER_SHARED;
}

/**
 * fore_library_layer_is_home:
 * @layer: a layer
 *
 * Tells whether @layer is what a person has for other systems.
 *
 * Returns: %TRUE if it is
 */
gboolean
fore_library_layer_is_home (ForeLibraryLayer layer)
{
  return layer >= FORE_LAYER_HOME_PI && layer <= FORE_LAYER_HOME_SHARED;
}

/**
 * fore_library_layer_is_foreign:
 * @layer: a layer
 *
 * Tells whether files of @layer are written for another system, whose keys and values need not be
 * ours.
 *
 * Returns: %TRUE if they are
 */
gboolean
fore_library_layer_is_foreign (ForeLibraryLayer layer)
{
  return fore_library_layer_is_home (layer)
         || (layer >= FORE_LAYER_CREW && layer <= FORE_LAYER_SHARED);
}

/**
 * fore_source_init:
 * @self: a source, uninitialised
 * @layer: its layer
 * @path: (nullable): its file
 *
 * Fills in a source.
 */
void
fore_source_init (ForeSource *self, ForeLibraryLayer layer, const char *path)
{
  g_return_if_fail (self != NULL);

  self->layer = layer;
  self->path = g_strdup (path);
  self->replaced = NULL;
  self->n_errors = 0;
  self->extra = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

/**
 * fore_source_clear:
 * @self: a source
 *
 * Frees what a source holds.
 */
void
fore_source_clear (ForeSource *self)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->replaced, g_free);
  g_clear_pointer (&self->extra, g_hash_table_unref);
  g_clear_pointer (&self->places, g_hash_table_unref);
}

/**
 * fore_source_set_place:
 * @self: a source
 * @key: a key of its file
 * @line: the key's line, from 1
 * @column: the key's column, from 1
 *
 * Notes where a key stands.
 */
void
fore_source_set_place (ForeSource *self, const char *key, guint line, guint column)
{
  guint64 place = (guint64) line << 32 | column;

  g_return_if_fail (self != NULL);
  g_return_if_fail (key != NULL);

  g_hash_table_replace (self->places, fore_key_fold (key), g_memdup2 (&place, sizeof place));
}

/**
 * fore_source_get_place:
 * @self: a source
 * @key: a key, however it is written
 * @line: (out): its line, 0 if the file does not have it
 * @column: (out): its column, 0 if the file does not have it
 *
 * Tells where a key stands.
 */
void
fore_source_get_place (const ForeSource *self, const char *key, guint *line, guint *column)
{
  g_autofree char *folded = NULL;
  const guint64 *place;

  g_return_if_fail (self != NULL);
  g_return_if_fail (key != NULL);

  folded = fore_key_fold (key);
  place = g_hash_table_lookup (self->places, folded);
  *line = place != NULL ? (guint) (*place >> 32) : 0;
  *column = place != NULL ? (guint) (*place & G_MAXUINT32) : 0;
}

/**
 * fore_routing_clear:
 * @self: routing hints
 *
 * Frees what routing hints hold.
 */
void
fore_routing_clear (ForeRouting *self)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->triggers, g_strfreev);
  g_clear_pointer (&self->use_when, g_strfreev);
  g_clear_pointer (&self->avoid_when, g_strfreev);
  g_clear_pointer (&self->cost, g_free);
  g_clear_pointer (&self->category, g_free);
}
