/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/script/fore-script-limits.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * ForeScriptHost:
 *
 * Carries a script out: lets its strands go on one after the other, and when all of them wait,
 * waits for an answer to one of their calls.
 */
typedef struct _ForeScriptHost ForeScriptHost;

ForeScriptHost *fore_script_host_new (ForeScriptLimits *limits, const char *memory, GError **error);
void fore_script_host_free (ForeScriptHost *self);
gboolean fore_script_host_load (
    ForeScriptHost *self, const char *name, const char *text, gsize length, GError **error);
char *fore_script_host_run (ForeScriptHost *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeScriptHost, fore_script_host_free)

G_END_DECLS
