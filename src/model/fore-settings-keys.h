/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeSettingType:
 * @FORE_SETTING_BOOL: yes or no
 * @FORE_SETTING_INT: whole number
 * @FORE_SETTING_DOUBLE: number
 * @FORE_SETTING_DURATION: milliseconds; in files `"10 min"`, `"5 s"`, or a number of ms
 * @FORE_SETTING_SIZE: bytes; in files `"512 MiB"` or a number of bytes
 * @FORE_SETTING_STRING: text
 * @FORE_SETTING_ENUM: one of the key's words
 * @FORE_SETTING_STRV: list of texts
 * @FORE_SETTING_COMMANDS: list of command lines, each a list of texts
 * @FORE_SETTING_RULES: list of rules for tools, each an object
 * @FORE_SETTING_HOOKS: list of hooks, each an object
 */
typedef enum
{
  FORE_SETTING_BOOL,
  FORE_SETTING_INT,
  FORE_SETTING_DOUBLE,
  FORE_SETTING_DURATION,
  FORE_SETTING_SIZE,
  FORE_SETTING_STRING,
  FORE_SETTING_ENUM,
  FORE_SETTING_STRV,
  FORE_SETTING_COMMANDS,
  FORE_SETTING_RULES,
  FORE_SETTING_HOOKS,
} ForeSettingType;

/**
 * ForeSettingFlags:
 * @FORE_SETTING_IN_USER: may stand in the user's file
 * @FORE_SETTING_IN_PROJECT: may stand in a trusted project's file
 * @FORE_SETTING_IN_RUN: may be an option of a run
 * @FORE_SETTING_TIGHTEN: a project may only make it stricter
 * @FORE_SETTING_TRUST: a project's value runs programs, so the person has to trust it
 */
typedef enum
{
  FORE_SETTING_IN_USER = 1 << 0,
  FORE_SETTING_IN_PROJECT = 1 << 1,
  FORE_SETTING_IN_RUN = 1 << 2,
  FORE_SETTING_TIGHTEN = 1 << 3,
  FORE_SETTING_TRUST = 1 << 4,
} ForeSettingFlags;

/**
 * ForeSettingKey:
 * @name: dotted name; a part in capitals (`NAME`, `ROLE`) stands for any name
 * @type: type of its values
 * @flags: where it may be set
 * @minimum: smallest number allowed (durations in ms, sizes in bytes, lists: not used)
 * @maximum: largest number allowed
 * @fallback: (nullable): default value as text of a file, %NULL for unset
 * @choices: (nullable): the words of an enum, strictest first, ended by %NULL
 * @meaning: one line for people, to be passed through gettext
 */
typedef struct
{
  const char *name;
  ForeSettingType type;
  ForeSettingFlags flags;
  double minimum;
  double maximum;
  const char *fallback;
  const char *const *choices;
  const char *meaning;
} ForeSettingKey;

const ForeSettingKey *fore_setting_keys_get (guint *n_keys);
const ForeSettingKey *fore_setting_keys_find (const char *name);
gboolean fore_setting_keys_has_group (const char *prefix);
const char *fore_setting_keys_suggest (const char *name);
gboolean fore_setting_key_is_pattern (const ForeSettingKey *self);
const char *fore_setting_type_to_string (ForeSettingType type);

G_END_DECLS
