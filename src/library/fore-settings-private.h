/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "library/fore-setting-value.h"
#include "library/fore-settings.h"

G_BEGIN_DECLS

/* A value in force. An unset one has none. */
typedef struct
{
  const ForeSettingKey *key;
  ForeSettingValue *value;
  ForeSettingsLayer layer;
} ForeSettingSlot;

struct _ForeSettings
{
  GHashTable *slots;
};

void fore_settings_put (ForeSettings *self,
                        const char *name,
                        ForeSettingValue *value,
                        ForeSettingsLayer layer);
ForeSettingValue *fore_settings_dup_default (const ForeSettingKey *key, const char *name);

void fore_settings_load_file (ForeSettings *self,
                              const char *path,
                              ForeSettingsLayer layer,
                              GPtrArray *diagnostics);
void fore_settings_load_crew_file (ForeSettings *self, const char *path, GPtrArray *diagnostics);

G_END_DECLS
