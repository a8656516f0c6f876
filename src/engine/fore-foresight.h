/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-event.h"
#include "model/fore-run.h"
#include "model/fore-task.h"

G_BEGIN_DECLS

/* Two tasks at work that will not fit together. */
typedef struct
{
  char *one;
  char *two;
  GStrv paths;
} ForeForeseen;

GPtrArray *fore_foresight_new (void);
gboolean fore_foresight_add (GPtrArray *list, const ForeEvent *event);
const ForeForeseen *fore_foresight_find (GPtrArray *list, const char *key);
GPtrArray *fore_foresight_fold (GPtrArray *events, const ForeRun *run, GPtrArray *tasks);
char *fore_foreseen_dup_text (const ForeForeseen *foreseen);

G_END_DECLS
