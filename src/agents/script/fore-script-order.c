/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/script/fore-script-order.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#define NO_ORDER "this table has a key that is a %s, which has no order; use numbers or texts"

typedef struct
{
  lua_State *lua;
  int keys;
} Sorting;

static int
get_rank (int type)
{
  switch (type)
    {
    case LUA_TNUMBER:
      return 0;

    case LUA_TSTRING:
      return 1;

    case LUA_TBOOLEAN:
      return 2;

    default:
      return -1;
    }
}

static int
compare_texts (lua_State *lua, int a, int b)
{
  size_t a_length, b_length;
  const char *a_text = lua_tolstring (lua, a, &a_length);
  const char *b_text = lua_tolstring (lua, b, &b_length);
  int order = memcmp (a_text, b_text, MIN (a_length, b_length));

  if (order != 0)
    return order;

  return a_length < b_length ? -1 : a_length > b_length;
}

/* Two keys of one table; neither can be anything but what has a rank. */
static int
compare (lua_State *lua, int a, int b)
{
  int a_rank = get_rank (lua_type (lua, a));
  int b_rank = get_rank (lua_type (lua, b));

  if (a_rank != b_rank)
    return a_rank - b_rank;
  if (a_rank == 1)
    return compare_texts (lua, a, b);
  if (a_rank == 2)
    return lua_toboolean (lua, a) - lua_toboolean (lua, b);

  return lua_compare (lua, a, b, LUA_OPLT) ? -1 : lua_compare (lua, b, a, LUA_OPLT);
}

static int
compare_keys (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Sorting *sorting = user_data;
  int order;

  lua_rawgeti (sorting->lua, sorting->keys, *(const lua_Integer *) a);
  lua_rawgeti (sorting->lua, sorting->keys, *(const lua_Integer *) b);
  order = compare (sorting->lua, lua_gettop (sorting->lua) - 1, lua_gettop (sorting->lua));
  lua_pop (sorting->lua, 2);

  return order;
}

/* Collects the keys of the table at @index in a table that it pushes; FALSE at one without order,
 * which is left on the stack instead.
 */
static gboolean
collect (lua_State *lua, int index, lua_Integer *n)
{
  *n = 0;
  lua_newtable (lua);
  lua_pushnil (lua);
  while (lua_next (lua, index))
    {
      lua_pop (lua, 1);
      if (get_rank (lua_type (lua, -1)) < 0)
        {
          lua_remove (lua, -2);
          return FALSE;
        }
      lua_pushvalue (lua, -1);
      lua_rawseti (lua, -3, ++*n);
    }

  return TRUE;
}

/**
 * fore_script_order_push_keys:
 * @lua: a state
 * @index: a table on its stack
 *
 * Pushes a table of the keys in their order, or, where one of them has none, that key.
 *
 * Returns: whether all of them have an order
 */
gboolean
fore_script_order_push_keys (lua_State *lua, int index)
{
  Sorting sorting = { lua, 0 };
  lua_Integer n;
  lua_Integer *places;

  index = lua_absindex (lua, index);
  luaL_checkstack (lua, 8, NULL);
  if (!collect (lua, index, &n))
    return FALSE;

  sorting.keys = lua_gettop (lua);
  /* Lua's own memory: an error of its own must leave nothing behind. */
  places = lua_newuserdatauv (lua, MAX ((size_t) n, 1) * sizeof *places, 0);
  for (lua_Integer i = 0; i < n; i++)
    places[i] = i + 1;
  g_qsort_with_data (places, (int) n, sizeof *places, compare_keys, &sorting);

  lua_createtable (lua, (int) n, 0);
  for (lua_Integer i = 0; i < n; i++)
    {
      lua_rawgeti (lua, sorting.keys, places[i]);
      lua_rawseti (lua, -2, i + 1);
    }
  lua_replace (lua, sorting.keys);
  lua_settop (lua, sorting.keys);

  return TRUE;
}

/* Upvalues: the keys, how many were visited. A key that is gone by now is passed over. */
static int
go_on (lua_State *lua)
{
  lua_Integer i = lua_tointeger (lua, lua_upvalueindex (2));

  luaL_checktype (lua, 1, LUA_TTABLE);
  for (;;)
    {
      if (lua_rawgeti (lua, lua_upvalueindex (1), ++i) == LUA_TNIL)
        return 1;

      lua_pushinteger (lua, i);
      lua_replace (lua, lua_upvalueindex (2));
      lua_pushvalue (lua, -1);
      if (lua_rawget (lua, 1) != LUA_TNIL)
        return 2;
      lua_pop (lua, 2);
    }
}

static int
pairs (lua_State *lua)
{
  luaL_checkany (lua, 1);
  if (luaL_getmetafield (lua, 1, "__pairs") != LUA_TNIL)
    {
      lua_pushvalue (lua, 1);
      lua_call (lua, 1, 3);
      return 3;
    }

  luaL_checktype (lua, 1, LUA_TTABLE);
  if (!fore_script_order_push_keys (lua, 1))
    return luaL_error (lua, NO_ORDER, luaL_typename (lua, -1));

  lua_pushinteger (lua, 0);
  lua_pushcclosure (lua, go_on, 2);
  lua_pushvalue (lua, 1);
  lua_pushnil (lua);
  return 3;
}

/* The smallest key after the one that is given, or the first; 3 on the stack is the best so far. */
static int
next (lua_State *lua)
{
  luaL_checktype (lua, 1, LUA_TTABLE);
  lua_settop (lua, 2);
  lua_pushnil (lua);
  lua_pushnil (lua);
  while (lua_next (lua, 1))
    {
      lua_pop (lua, 1);
      if (get_rank (lua_type (lua, -1)) < 0)
        return luaL_error (lua, NO_ORDER, luaL_typename (lua, -1));
      if ((lua_isnil (lua, 2) || compare (lua, 4, 2) > 0)
          && (lua_isnil (lua, 3) || compare (lua, 4, 3) < 0))
        {
          lua_pushvalue (lua, 4);
          lua_replace (lua, 3);
        }
    }

  lua_settop (lua, 3);
  if (lua_isnil (lua, 3))
    return 1;

  lua_pushvalue (lua, 3);
  lua_rawget (lua, 1);
  return 2;
}

/**
 * fore_script_order_open:
 * @lua: a state with its basic functions
 *
 * Replaces `pairs` and `next`.
 */
void
fore_script_order_open (lua_State *lua)
{
  lua_register (lua, "pairs", pairs);
  lua_register (lua, "next", next);
}
