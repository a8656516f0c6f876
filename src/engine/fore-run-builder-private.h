/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-builder.h"
#include "engine/fore-run-context.h"

G_BEGIN_DECLS

/* What the files of the builder share; @diagnostics are of the settings and the workflow. */
typedef struct
{
  ForeStore *store;
  const ForeRunSpec *spec;
  ForeRunContext *context;
  ForeRunPreview *preview;
  GPtrArray *diagnostics;
} ForeRunBuilder;

gboolean fore_run_builder_choose_crew (ForeRunBuilder *builder, GError **error);
gboolean fore_run_builder_check_steps (ForeRunBuilder *builder, GError **error);

G_END_DECLS
