/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

#include "library/fore-library.h"

G_BEGIN_DECLS

gboolean fore_workflow_validate (ForeWorkflow *workflow,
                                 const ForeTeam *team,
                                 ForeLibrary *library,
                                 GPtrArray *diagnostics);
gboolean fore_workflow_check (ForeWorkflow *workflow,
                              const ForeTeam *team,
                              ForeLibrary *library,
                              GError **error);

G_END_DECLS
