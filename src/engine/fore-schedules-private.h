/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-schedules.h"

G_BEGIN_DECLS

/* What is done to the list while nobody else can change it; FALSE with an error leaves it as it is.
 */
typedef gboolean (*ForeSchedulesChange) (GPtrArray *schedules, gpointer data, GError **error);

gboolean
fore_schedules_change (const char *home, ForeSchedulesChange func, gpointer data, GError **error);
ForeSchedule *fore_schedules_get (GPtrArray *schedules, const char *id);

G_END_DECLS
