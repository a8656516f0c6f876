/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>
#include <lua.h>

G_BEGIN_DECLS

/* Lua's values and JSON's. Keys are written in one order, so that equal tables are equal texts. */
char *fore_script_json_encode (lua_State *lua, int index, GError **error);
gboolean fore_script_json_push (lua_State *lua, const char *text, gssize length, GError **error);

G_END_DECLS
