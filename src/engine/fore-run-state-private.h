/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-state.h"

G_BEGIN_DECLS

/* What the files of ForeRunState share. */
struct _ForeRunState
{
  GObject parent_instance;

  ForeStore *store;
  ForeRunWriter *writer;
  ForeRun *run;
  GPtrArray *tasks;
  GHashTable *tasks_by_key;
  GHashTable *attempts;
  GPtrArray *plans;
  GPtrArray *requests;
  GPtrArray *said;
  gboolean closed;
};

G_END_DECLS
