/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether schedules start runs, and who calls for it. All of this blocks. */

gboolean fore_schedules_are_on (void);
gboolean fore_schedules_turn_on (GError **error);
gboolean fore_schedules_arm (const char *home, GError **error);

G_END_DECLS
