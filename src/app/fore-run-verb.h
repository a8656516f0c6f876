/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-run-item.h"
#include "model/fore-command.h"
#include "model/fore-run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What the main button of a run's page does. */
typedef enum
{
  FORE_RUN_VERB_NONE,
  FORE_RUN_VERB_PAUSE,
  FORE_RUN_VERB_CONTINUE,
  FORE_RUN_VERB_RESUME,
  FORE_RUN_VERB_RESTART,
  FORE_RUN_VERB_RETRY,
  FORE_RUN_VERB_REVIEW,
  FORE_RUN_VERB_MERGE,
} ForeRunVerb;

ForeRunVerb fore_run_verb_find (const ForeRun *run, ForeRunHealth health, gboolean on_changes);
void fore_run_verb_show (ForeRunVerb verb, const ForeRun *run, gboolean narrow, GtkButton *button);
gboolean fore_run_verb_get_command (ForeRunVerb verb, ForeCommandKind *kind, const char **note);

G_END_DECLS
