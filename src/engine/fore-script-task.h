/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-attempt-job.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

ForeTask *fore_script_task_make (const ForeAttemptServices *services,
                                 const ForeTask *script,
                                 const char *call,
                                 JsonObject *wish,
                                 GError **error);

G_END_DECLS
