/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* What happens before a task starts: the one event that a hook can refuse. */
#define FORE_HOOK_TASK_STARTING "task.starting"

/**
 * ForeHookDef:
 * @name: how it is called in events and errors
 * @events: names of the events that it is called at
 * @argv: its command line
 * @blocking: whether what it is told of waits for it, and does not happen if it ends with an error
 * @timeout_ms: when it is ended with all that it started
 *
 * A command that the person wants called at events of runs.
 */
typedef struct
{
  char *name;
  GStrv events;
  GStrv argv;
  gboolean blocking;
  gint64 timeout_ms;
} ForeHookDef;

ForeHookDef *fore_hook_def_copy (const ForeHookDef *self);
void fore_hook_def_free (ForeHookDef *self);
gboolean fore_hook_def_is_at (const ForeHookDef *self, const char *event);

GPtrArray *fore_hook_defs_parse (JsonNode *node, char **problem);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeHookDef, fore_hook_def_free)

G_END_DECLS
