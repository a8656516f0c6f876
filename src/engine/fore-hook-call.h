/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-context.h"
#include "library/fore-hook-def.h"

G_BEGIN_DECLS

/**
 * ForeHookCall:
 * @hook: (transfer none): what is called
 * @event: the event's name
 * @seq: its number in the run, or 0
 * @run: the run's id
 * @task: (nullable): key of the task that it is about
 * @attempt: number of the attempt, or 0
 * @input: JSON for its standard input
 * @dir: folder that it starts in
 * @exit_code: its exit code, or -1 where a signal or its time limit ended it
 * @ms: how long it took
 * @output: (nullable): the end of what it printed
 *
 * One call of a hook; the last three are set by fore_hook_call_run().
 */
typedef struct
{
  const ForeHookDef *hook;
  char *event;
  gint64 seq;
  char *run;
  char *task;
  guint attempt;
  char *input;
  char *dir;
  int exit_code;
  gint64 ms;
  char *output;
} ForeHookCall;

ForeHookCall *fore_hook_call_new (const ForeHookDef *hook,
                                  const char *event,
                                  const ForeRun *run,
                                  const ForeTask *task,
                                  const char *data);
void fore_hook_call_free (ForeHookCall *self);

gboolean fore_hook_call_run (ForeHookCall *self, ForeRunContext *context, GError **error);
char *fore_hook_call_to_data (const ForeHookCall *self);
gboolean fore_hook_calls_ask (ForeRunContext *context,
                              const ForeRun *run,
                              const ForeTask *task,
                              const char *tree,
                              GPtrArray *calls,
                              GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeHookCall, fore_hook_call_free)

G_END_DECLS
