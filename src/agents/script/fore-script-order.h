/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>
#include <lua.h>

G_BEGIN_DECLS

/* Lua goes through a table in an order that differs from process to process; here it is always the
 * same: numbers, texts, then false and true. */
gboolean fore_script_order_push_keys (lua_State *lua, int index);
void fore_script_order_open (lua_State *lua);

G_END_DECLS
