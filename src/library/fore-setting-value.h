/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "library/fore-hook-def.h"
#include "library/fore-tool-rule.h"
#include "model/fore-settings-keys.h"

G_BEGIN_DECLS

/**
 * ForeSettingValue:
 * @key: the key that it is a value of
 * @number: value of a bool (0 or 1), int, duration (ms) or size (bytes)
 * @real: value of a double
 * @text: (nullable): value of a string; for an enum one of the key's words
 * @list: (nullable): value of a list of texts
 * @commands: (nullable) (element-type GStrv): value of a list of command lines
 * @hooks: (nullable) (element-type ForeHookDef): value of a list of hooks
 * @rules: (nullable) (element-type ForeToolRule): value of a list of rules for tools
 * @json: (nullable): what a list of any kind was read from
 *
 * A checked value of a setting.
 */
typedef struct
{
  const ForeSettingKey *key;
  gint64 number;
  double real;
  char *text;
  GStrv list;
  GPtrArray *commands;
  GPtrArray *hooks;
  GPtrArray *rules;
  JsonNode *json;
} ForeSettingValue;

ForeSettingValue *
fore_setting_value_new (const ForeSettingKey *key, JsonNode *node, char **problem);
ForeSettingValue *
fore_setting_value_new_from_text (const ForeSettingKey *key, const char *text, char **problem);
void fore_setting_value_free (ForeSettingValue *self);

ForeSettingValue *fore_setting_value_join (const ForeSettingValue *before, ForeSettingValue *self);

JsonNode *fore_setting_text_to_node (const ForeSettingKey *key, const char *text, char **problem);
char *fore_setting_value_dup_text (const ForeSettingValue *self);
gboolean fore_setting_value_is_at_most (const ForeSettingValue *self,
                                        const ForeSettingValue *other);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeSettingValue, fore_setting_value_free)

G_END_DECLS
