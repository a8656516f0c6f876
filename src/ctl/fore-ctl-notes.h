/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ctl/fore-ctl.h"
#include "engine/fore-foresight.h"
#include "store/fore-run-reader.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

void fore_ctl_notes_add_json (JsonObject *object, GPtrArray *tasks, const char *key);
void fore_ctl_notes_print (GPtrArray *tasks, const char *key);

GPtrArray *fore_ctl_read_foreseen (ForeCtl *ctl, const ForeRunDelta *delta);
JsonArray *fore_ctl_json_foreseen (GPtrArray *foreseen);

G_END_DECLS
