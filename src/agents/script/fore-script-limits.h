/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>
#include <lua.h>

G_BEGIN_DECLS

/**
 * ForeScriptLimits:
 *
 * Holds a script to so much memory, and to so many steps of Lua from one wait to the next. What
 * the steps do not reach, a single function of C that computes on, ends by the processor's clock.
 */
typedef struct _ForeScriptLimits ForeScriptLimits;

/* Says why it ended and where, in the middle of anything; the process is over afterwards. */
typedef void (*ForeScriptLastWord) (const char *message);

ForeScriptLimits *fore_script_limits_new (ForeScriptLastWord last_word);
void fore_script_limits_free (ForeScriptLimits *self);
lua_State *fore_script_limits_open (ForeScriptLimits *self);
void fore_script_limits_set (ForeScriptLimits *self, gint64 steps, gint64 bytes);
void fore_script_limits_begin (ForeScriptLimits *self, lua_State *lua);
void fore_script_limits_end (ForeScriptLimits *self);
void fore_script_limits_ease (ForeScriptLimits *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeScriptLimits, fore_script_limits_free)

G_END_DECLS
