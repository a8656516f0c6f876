/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/script/fore-script-base.h"

#include "agents/script/fore-script-order.h"

#include <lauxlib.h>
#include <lualib.h>
#include <string.h>

/* A seed of its own for every process, but one that a run can be given again. */
#define SEED_KEY "fore.seed"

static const luaL_Reg libraries[] = {
  { LUA_GNAME, luaopen_base },       { LUA_COLIBNAME, luaopen_coroutine },
  { LUA_TABLIBNAME, luaopen_table }, { LUA_STRLIBNAME, luaopen_string },
  { LUA_MATHLIBNAME, luaopen_math }, { LUA_UTF8LIBNAME, luaopen_utf8 },
};

/* Code from elsewhere, files, and what depends on when memory is looked through. */
static const char *const left_out[][2] = {
  { LUA_GNAME, "dofile" },           { LUA_GNAME, "loadfile" }, { LUA_GNAME, "load" },
  { LUA_GNAME, "collectgarbage" },   { LUA_GNAME, "warn" },     { LUA_STRLIBNAME, "dump" },
  { LUA_MATHLIBNAME, "randomseed" },
};

/**
 * fore_script_base_to_string:
 * @lua: a state
 * @index: a value on its stack
 *
 * What `tostring` says, but for what has no text of its own no address, which is never the same.
 *
 * Returns: (transfer none): the text, which is pushed as well
 */
const char *
fore_script_base_to_string (lua_State *lua, int index)
{
  int type = lua_type (lua, index);

  index = lua_absindex (lua, index);
  if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD || type == LUA_TUSERDATA
      || type == LUA_TLIGHTUSERDATA)
    {
      if (luaL_getmetafield (lua, index, "__tostring") == LUA_TNIL)
        return lua_pushstring (lua, lua_typename (lua, type));
      lua_pop (lua, 1);
    }

  return luaL_tolstring (lua, index, NULL);
}

static int
to_string (lua_State *lua)
{
  luaL_checkany (lua, 1);
  fore_script_base_to_string (lua, 1);

  return 1;
}

/* Upvalue: the format() of Lua, which shows addresses. */
static int
format (lua_State *lua)
{
  int n = lua_gettop (lua);
  const char *text = luaL_checkstring (lua, 1);

  for (const char *c = strchr (text, '%'); c != NULL; c = strchr (c, '%'))
    {
      c++;
      c += strspn (c, "-+ #0123456789.");
      if (*c == 'p')
        return luaL_error (lua, "addresses (%%p) differ every time; format has none");
      if (*c != '\0')
        c++;
    }

  for (int i = 2; i <= n; i++)
    {
      if (lua_isboolean (lua, i) || lua_isnoneornil (lua, i) || lua_isnumber (lua, i)
          || lua_isstring (lua, i))
        continue;
      fore_script_base_to_string (lua, i);
      lua_replace (lua, i);
    }

  lua_pushvalue (lua, lua_upvalueindex (1));
  lua_insert (lua, 1);
  lua_call (lua, n, 1);
  return 1;
}

/* Upvalue: the setmetatable() of Lua. When memory is looked through differs every time. */
static int
set_meta_table (lua_State *lua)
{
  lua_settop (lua, 2);
  for (guint i = 0; lua_istable (lua, 2) && i < 2; i++)
    {
      const char *field = i == 0 ? "__gc" : "__mode";

      lua_pushstring (lua, field);
      if (lua_rawget (lua, 2) != LUA_TNIL)
        return luaL_error (lua, "a script has no %s: when it happens differs every time", field);
      lua_pop (lua, 1);
    }

  lua_pushvalue (lua, lua_upvalueindex (1));
  lua_insert (lua, 1);
  lua_call (lua, 2, 1);
  return 1;
}

static void
wrap (lua_State *lua, const char *library, const char *name, lua_CFunction func)
{
  lua_getglobal (lua, library);
  lua_getfield (lua, -1, name);
  lua_pushcclosure (lua, func, 1);
  lua_setfield (lua, -2, name);
  lua_pop (lua, 1);
}

/**
 * fore_script_base_open:
 * @lua: a new state
 */
void
fore_script_base_open (lua_State *lua)
{
  g_return_if_fail (lua != NULL);

  for (guint i = 0; i < G_N_ELEMENTS (libraries); i++)
    {
      luaL_requiref (lua, libraries[i].name, libraries[i].func, 1);
      lua_pop (lua, 1);
    }

  lua_getglobal (lua, LUA_MATHLIBNAME);
  lua_getfield (lua, -1, "randomseed");
  lua_setfield (lua, LUA_REGISTRYINDEX, SEED_KEY);
  lua_pop (lua, 1);

  for (guint i = 0; i < G_N_ELEMENTS (left_out); i++)
    {
      lua_getglobal (lua, left_out[i][0]);
      lua_pushnil (lua);
      lua_setfield (lua, -2, left_out[i][1]);
      lua_pop (lua, 1);
    }

  fore_script_order_open (lua);
  wrap (lua, LUA_STRLIBNAME, "format", format);
  wrap (lua, LUA_GNAME, "setmetatable", set_meta_table);
  lua_register (lua, "tostring", to_string);
}

/**
 * fore_script_base_seed:
 * @lua: a state that was opened
 * @seed: number of the run
 *
 * Lets `math.random` say the same in every process of that run.
 */
void
fore_script_base_seed (lua_State *lua, gint64 seed)
{
  g_return_if_fail (lua != NULL);

  lua_getfield (lua, LUA_REGISTRYINDEX, SEED_KEY);
  lua_pushinteger (lua, seed);
  lua_pushinteger (lua, 0);
  lua_call (lua, 2, 0);
}
