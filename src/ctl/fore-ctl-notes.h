/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-task.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

void fore_ctl_notes_add_json (JsonObject *object, GPtrArray *tasks, const char *key);
void fore_ctl_notes_print (GPtrArray *tasks, const char *key);

G_END_DECLS
