/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-calls.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * ForeScriptCalls:
 *
 * The calls of a script that have no answer yet. A call has the same name in every process of the
 * script, so that whoever answers knows it again.
 */
typedef struct _ForeScriptCalls ForeScriptCalls;

ForeScriptCalls *fore_script_calls_new (void);
void fore_script_calls_free (ForeScriptCalls *self);
gboolean fore_script_calls_send (ForeScriptCalls *self,
                                 const char *path,
                                 ForeCallKind kind,
                                 const char *text,
                                 const char *const *options,
                                 GError **error);
char *fore_script_calls_wait (ForeScriptCalls *self, char **reply, gboolean *refused);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeScriptCalls, fore_script_calls_free)

G_END_DECLS
