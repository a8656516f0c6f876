/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _ForeCtl ForeCtl;
typedef gboolean (*ForeCtlFunc) (ForeCtl *ctl, GError **error);

typedef enum
{
  FORE_CTL_FLAG,
  FORE_CTL_TEXT,
  FORE_CTL_TEXTS, /* may be given several times */
  FORE_CTL_COUNT,
  FORE_CTL_DURATION,
  FORE_CTL_COST,
  FORE_CTL_CHOICE,
} ForeCtlOptionType;

/**
 * ForeCtlOption:
 * @name: long name, without the dashes; %NULL ends a list
 * @type: what its value must be
 * @value: (nullable): what stands for the value in help; for choices the words, parted by `|`
 * @meaning: one line for people, to be passed through gettext
 */
typedef struct
{
  const char *name;
  ForeCtlOptionType type;
  const char *value;
  const char *meaning;
} ForeCtlOption;

/**
 * ForeCtlVerbFlags:
 * @FORE_CTL_PERSON: a decision of a person: refused to whatever runs under an agent's guard
 */
typedef enum
{
  FORE_CTL_NO_FLAGS = 0,
  FORE_CTL_PERSON = 1 << 0,
} ForeCtlVerbFlags;

/**
 * ForeCtlVerb:
 * @name: the word
 * @synopsis: what stands after it
 * @summary: one line for people, to be passed through gettext
 * @min_words: fewest words after it
 * @max_words: most words after it
 * @flags: what is special about it
 * @options: (array): its options beside --json and --help, ended by a %NULL name
 * @func: what does it
 *
 * One verb of foredeckctl.
 */
typedef struct
{
  const char *name;
  const char *synopsis;
  const char *summary;
  guint min_words;
  guint max_words;
  ForeCtlVerbFlags flags;
  const ForeCtlOption *options;
  ForeCtlFunc func;
} ForeCtlVerb;

const ForeCtlVerb *fore_ctl_verbs_get (guint *n_verbs);
const ForeCtlVerb *fore_ctl_verbs_find (const char *name);
const char *fore_ctl_verbs_suggest (const char *name);

G_END_DECLS
