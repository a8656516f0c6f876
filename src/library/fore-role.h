/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

#include "library/fore-agent-def.h"

G_BEGIN_DECLS

GStrv fore_role_list (void);
gboolean fore_role_is_known (const char *role);
gboolean fore_role_is_read_only (const char *role);
gboolean fore_role_is_read_only_with_agent (const char *role, const ForeAgentDef *agent);
const char *const *fore_role_get_tools (const char *role);
const char *const *fore_role_get_denied_tools (const char *role);
const char *const *fore_role_get_skills (const char *role);
GStrv fore_role_dup_tools (const char *role, const ForeAgentDef *agent);

G_END_DECLS
