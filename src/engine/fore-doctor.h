/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-store.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef enum
{
  FORE_FINDING_GOOD,
  FORE_FINDING_NOTE,
  FORE_FINDING_BAD,
} ForeFindingLevel;

/**
 * ForeFinding:
 * @section: agents, git, sandbox, store, system
 * @name: what was looked at
 * @level: good, worth knowing, or in the way
 * @value: what was found
 * @hint: (nullable): one sentence: what to do
 * @testable: whether it is an agent that is there and can be tried
 */
typedef struct
{
  char *section;
  char *name;
  ForeFindingLevel level;
  char *value;
  char *hint;
  gboolean testable;
} ForeFinding;

void fore_finding_free (ForeFinding *finding);

/* Looks at this machine; blocking (runs each agent's --version): worker threads and foredeckctl. */
GPtrArray *fore_doctor_examine (ForeStore *store, const char *project, GCancellable *cancellable);
JsonNode *fore_doctor_to_json (GPtrArray *findings);

/* Writes findings, settings, versions, last log lines and crash reports, without prompts, results
 * or secrets, to one text file. */
gboolean
fore_doctor_write_bundle (ForeStore *store, GPtrArray *findings, const char *path, GError **error);

/* One tiny prompt through an agent's real adapter, as a run would start it: answer, cost, time. */
JsonNode *fore_doctor_test_agent (ForeStore *store,
                                  const char *cli,
                                  GCancellable *cancellable,
                                  GError **error);

G_END_DECLS
