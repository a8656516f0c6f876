/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>
#include <lua.h>

G_BEGIN_DECLS

/* What of Lua's own functions a script has: none that reaches out of it, and none that says
 * something else every time. */
void fore_script_base_open (lua_State *lua);
void fore_script_base_seed (lua_State *lua, gint64 seed);
const char *fore_script_base_to_string (lua_State *lua, int index);

G_END_DECLS
