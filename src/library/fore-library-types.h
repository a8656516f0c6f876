/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeLibraryLayer:
 * @FORE_LAYER_BUILTIN: ships with the program
 * @FORE_LAYER_USER: the person's own folder
 * @FORE_LAYER_HOME_PI: `~/.pi/agent`
 * @FORE_LAYER_HOME_CLAUDE: `~/.claude`
 * @FORE_LAYER_HOME_SHARED: `~/.agents`
 * @FORE_LAYER_PROJECT: `.foredeck` in the project
 * @FORE_LAYER_CREW: `.crew` in the project
 * @FORE_LAYER_PI: `.pi` in the project
 * @FORE_LAYER_CLAUDE: `.claude` in the project
 * @FORE_LAYER_SHARED: `.agents` in the project
 * @FORE_LAYER_FILE: a single file that was named
 * @FORE_LAYER_MADE: made in memory, from no file
 *
 * Where an object of the library comes from. A user's file replaces a built-in one of the same
 * name; files of a project, and what a person has for other systems, add names but replace nothing.
 */
typedef enum
{
  FORE_LAYER_BUILTIN,
  FORE_LAYER_USER,
  FORE_LAYER_HOME_PI,
  FORE_LAYER_HOME_CLAUDE,
  FORE_LAYER_HOME_SHARED,
  FORE_LAYER_PROJECT,
  FORE_LAYER_CREW,
  FORE_LAYER_PI,
  FORE_LAYER_CLAUDE,
  FORE_LAYER_SHARED,
  FORE_LAYER_FILE,
  FORE_LAYER_MADE,
  FORE_N_LAYERS
} ForeLibraryLayer;

/**
 * ForeTristate:
 *
 * A yes or no that a file may leave open.
 */
typedef enum
{
  FORE_UNSET = -1,
  FORE_NO = 0,
  FORE_YES = 1,
} ForeTristate;

/**
 * ForeSource:
 * @layer: the layer that won
 * @path: (nullable): absolute path of the file, %NULL for an object made in memory
 * @replaced: (nullable): path of the file of a lower layer that this one replaced
 * @n_errors: how many errors loading and checking found in it; with any it must not be run
 * @extra: (element-type utf8 utf8): keys that we do not know, with their text
 * @places: (element-type utf8 uint64): where each key stands, see fore_source_get_place()
 *
 * Where an object comes from and how it fared.
 */
typedef struct
{
  ForeLibraryLayer layer;
  char *path;
  char *replaced;
  guint n_errors;
  GHashTable *extra;
  GHashTable *places;
} ForeSource;

/**
 * ForeRouting:
 * @triggers: (nullable): words of a goal that speak for it
 * @use_when: (nullable): when it fits
 * @avoid_when: (nullable): when it does not
 * @cost: (nullable): `free`, `cheap` or `expensive`
 * @category: (nullable): free text
 *
 * What helps to recommend an agent or a team for a goal.
 */
typedef struct
{
  GStrv triggers;
  GStrv use_when;
  GStrv avoid_when;
  char *cost;
  char *category;
} ForeRouting;

const char *fore_library_layer_to_string (ForeLibraryLayer layer);
gboolean fore_library_layer_is_project (ForeLibraryLayer layer);
gboolean fore_library_layer_is_home (ForeLibraryLayer layer);
gboolean fore_library_layer_is_foreign (ForeLibraryLayer layer);

void fore_source_init (ForeSource *self, ForeLibraryLayer layer, const char *path);
void fore_source_clear (ForeSource *self);
void fore_source_set_place (ForeSource *self, const char *key, guint line, guint column);
void fore_source_get_place (const ForeSource *self, const char *key, guint *line, guint *column);
void fore_routing_clear (ForeRouting *self);

G_END_DECLS
