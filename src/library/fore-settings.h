/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>
#include <json-glib/json-glib.h>

#include "library/fore-diagnostic.h"
#include "model/fore-settings-keys.h"

G_BEGIN_DECLS

#define FORE_TYPE_SETTINGS (fore_settings_get_type ())

/**
 * ForeSettingsLayer:
 * @FORE_SETTINGS_DEFAULT: nobody set it
 * @FORE_SETTINGS_USER: the person's `config.json`
 * @FORE_SETTINGS_PROJECT: the project's `.foredeck/config.json`
 * @FORE_SETTINGS_RUN: an option of the run
 */
typedef enum
{
  FORE_SETTINGS_DEFAULT,
  FORE_SETTINGS_USER,
  FORE_SETTINGS_PROJECT,
  FORE_SETTINGS_RUN,
  FORE_N_SETTINGS_LAYERS
} ForeSettingsLayer;

/**
 * ForeSettingsEntry:
 * @name: full dotted name
 * @key: its row in the registry
 * @text: (nullable): effective value as text, %NULL when unset
 * @layer: the layer that it comes from
 *
 * One line of a listing of the settings.
 */
typedef struct
{
  char *name;
  const ForeSettingKey *key;
  char *text;
  ForeSettingsLayer layer;
} ForeSettingsEntry;

/**
 * ForeSettings:
 *
 * The settings of all layers. Run options are set by the one who loaded it before anyone else sees
 * it; from then on it is only read, from any thread.
 */
typedef struct _ForeSettings ForeSettings;

GType fore_settings_get_type (void) G_GNUC_CONST;

ForeSettings *fore_settings_load (const char *user_dir,
                                  const char *project_dir,
                                  gboolean project_trusted,
                                  GPtrArray *diagnostics);
ForeSettings *
fore_settings_load_one (const char *path, ForeSettingsLayer layer, GPtrArray *diagnostics);
ForeSettings *fore_settings_ref (ForeSettings *self);
void fore_settings_unref (ForeSettings *self);

gboolean fore_settings_set_run_option (ForeSettings *self,
                                       const char *name,
                                       const char *text,
                                       GError **error);

gboolean fore_settings_is_set (ForeSettings *self, const char *name);
gboolean fore_settings_get_bool (ForeSettings *self, const char *name);
gint64 fore_settings_get_int (ForeSettings *self, const char *name);
double fore_settings_get_double (ForeSettings *self, const char *name);
gint64 fore_settings_get_duration (ForeSettings *self, const char *name);
gint64 fore_settings_get_size (ForeSettings *self, const char *name);
const char *fore_settings_get_string (ForeSettings *self, const char *name);
const char *const *fore_settings_get_strv (ForeSettings *self, const char *name);
GPtrArray *fore_settings_get_commands (ForeSettings *self, const char *name);
GPtrArray *fore_settings_get_hooks (ForeSettings *self);
GPtrArray *fore_settings_get_tool_rules (ForeSettings *self);
char *fore_settings_dup_text (ForeSettings *self, const char *name);
ForeSettingsLayer fore_settings_get_layer (ForeSettings *self, const char *name);
GPtrArray *fore_settings_list (ForeSettings *self);

char *fore_settings_dup_user_path (const char *user_dir);
char *fore_settings_dup_project_path (const char *project_dir);
gboolean fore_settings_store (const char *path,
                              ForeSettingsLayer layer,
                              const char *name,
                              const char *text,
                              gboolean *changed,
                              GError **error);
const char *fore_settings_layer_to_string (ForeSettingsLayer layer);
void fore_settings_entry_free (ForeSettingsEntry *entry);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeSettings, fore_settings_unref)

G_END_DECLS
