/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "library/fore-library.h"

G_BEGIN_DECLS

#define FORE_CHAIN_MAX_STEPS 200
#define FORE_CHAIN_MAX_TIMES 50

typedef enum
{
  FORE_CHAIN_NAME,     /* `name`, `agent:name`, `workflow:name`, `team:name`, `@team` */
  FORE_CHAIN_TEXT,     /* "what to do" */
  FORE_CHAIN_PARALLEL, /* parallel(…, …) */
} ForeChainKind;

/**
 * ForeChainNode:
 * @kind: what it is
 * @prefix: (nullable): agent, workflow or team, where the chain says which
 * @text: (nullable): the name, or what to do
 * @branches: (element-type GPtrArray) (nullable): of parallel(): chains, each an array of nodes
 * @times: how often it is gone through, one after the other
 * @cli: (nullable): agent CLI
 * @model: (nullable): model
 * @thinking: (nullable): reasoning level
 * @skills: (nullable): skills
 * @time_limit: wall clock limit of an attempt in milliseconds, or 0
 * @goes_on: what comes after it comes even if it fails
 * @column: where it stands in the text, in characters from 1
 *
 * One link of a chain.
 */
typedef struct
{
  ForeChainKind kind;
  char *prefix;
  char *text;
  GPtrArray *branches;
  guint times;
  char *cli;
  char *model;
  char *thinking;
  GStrv skills;
  gint64 time_limit;
  gboolean goes_on;
  guint column;
} ForeChainNode;

GPtrArray *fore_chain_parse (const char *text, GError **error);
ForeWorkflow *fore_chain_dup_workflow (const char *text, ForeLibrary *library, GError **error);

ForeWorkflow *fore_chain_reload (const char *text, ForeLibrary *library);

G_END_DECLS
