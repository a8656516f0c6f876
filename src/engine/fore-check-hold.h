/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-attempt-sandbox.h"

G_BEGIN_DECLS

GStrv fore_check_hold (const ForeSandboxPlan *plan, const char *const *argv, GError **error);
void fore_check_explain (const char *const *argv, const char *output, GError **error);
gboolean fore_check_import (const ForeSandboxPlan *plan, GError **error);

G_END_DECLS
