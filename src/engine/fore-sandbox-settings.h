/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "library/fore-library.h"
#include "library/fore-settings.h"

G_BEGIN_DECLS

/* What the environment says goes before `sandbox.mode`. */
#define FORE_SANDBOX_MODE_VARIABLE "FOREDECK_SANDBOX"

gboolean fore_sandbox_settings_check_mode (GError **error);
gboolean fore_sandbox_settings_check_role (ForeLibrary *library, const char *name, GError **error);
gboolean fore_sandbox_settings_check (ForeSettings *settings,
                                      ForeLibrary *library,
                                      GPtrArray *problems,
                                      GError **error);

G_END_DECLS
