/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/script/fore-script-json.h"

#include "agents/script/fore-script-order.h"
#include "model/fore-error.h"
#include "text/fore-json.h"

#include <glib/gi18n-lib.h>
#include <lauxlib.h>
#include <math.h>

#define MAX_DEPTH 32
#define MAX_BYTES (4 * 1024 * 1024)

static JsonNode *encode (lua_State *lua, int index, guint depth, GError **error);

static JsonNode *
encode_array (lua_State *lua, int index, lua_Integer n, guint depth, GError **error)
{
  g_autoptr (JsonArray) array = json_array_new ();
  JsonNode *node;

  for (lua_Integer i = 1; i <= n; i++)
    {
      lua_rawgeti (lua, index, i);
      node = encode (lua, lua_gettop (lua), depth, error);
      lua_pop (lua, 1);
      if (node == NULL)
        return NULL;
      json_array_add_element (array, node);
    }

  node = json_node_alloc ();
  return json_node_init_array (node, array);
}

static gboolean
encode_member (lua_State *lua, int index, JsonObject *object, guint depth, GError **error)
{
  JsonNode *node;

  if (lua_type (lua, -1) != LUA_TSTRING)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                           _ ("A table that is handed on has either names or 1, 2, 3 … as keys"));
      return FALSE;
    }

  lua_pushvalue (lua, -1);
  lua_rawget (lua, index);
  node = encode (lua, lua_gettop (lua), depth, error);
  lua_pop (lua, 1);
  if (node == NULL)
    return FALSE;

  json_object_set_member (object, lua_tostring (lua, -1), node);
  return TRUE;
}

static JsonNode *
encode_object (lua_State *lua, int index, guint depth, GError **error)
{
  g_autoptr (JsonObject) object = json_object_new ();
  lua_Integer n;
  int keys;
  JsonNode *node;

  if (!fore_script_order_push_keys (lua, index))
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                           _ ("A table that is handed on has either names or 1, 2, 3 … as keys"));
      return NULL;
    }

  keys = lua_gettop (lua);
  n = (lua_Integer) lua_rawlen (lua, keys);
  for (lua_Integer i = 1; i <= n; i++)
    {
      gboolean done;

      lua_rawgeti (lua, keys, i);
      done = encode_member (lua, index, object, depth, error);
      lua_pop (lua, 1);
      if (!done)
        return NULL;
    }

  lua_pop (lua, 1);
  node = json_node_alloc ();
  return json_node_init_object (node, object);
}

static gboolean
is_array (lua_State *lua, int index, lua_Integer *n)
{
  *n = (lua_Integer) lua_rawlen (lua, index);
  lua_pushnil (lua);
  if (!lua_next (lua, index))
    return FALSE;

  lua_pop (lua, 2);
  return *n > 0;
}

static JsonNode *
encode_number (lua_State *lua, int index, GError **error)
{
  JsonNode *node = json_node_alloc ();

  if (lua_isinteger (lua, index))
    return json_node_init_int (node, lua_tointeger (lua, index));
  if (isfinite (lua_tonumber (lua, index)))
    return json_node_init_double (node, lua_tonumber (lua, index));

  json_node_unref (node);
  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                       _ ("A number that is handed on has to be finite"));
  return NULL;
}

static JsonNode *
encode_string (lua_State *lua, int index, GError **error)
{
  size_t length;
  const char *text = lua_tolstring (lua, index, &length);

  if (g_utf8_validate_len (text, length, NULL))
    return json_node_init_string (json_node_alloc (), text);

  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                       _ ("A text that is handed on has to be UTF-8 without zero bytes"));
  return NULL;
}

static JsonNode *
encode (lua_State *lua, int index, guint depth, GError **error)
{
  lua_Integer n;

  if (depth >= MAX_DEPTH || !lua_checkstack (lua, 8))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_LIMIT,
                   _ ("A table that is handed on may be at most %d deep, and hold no circle"),
                   MAX_DEPTH);
      return NULL;
    }

  switch (lua_type (lua, index))
    {
    case LUA_TNIL:
      return json_node_init_null (json_node_alloc ());

    case LUA_TBOOLEAN:
      return json_node_init_boolean (json_node_alloc (), lua_toboolean (lua, index));

    case LUA_TNUMBER:
      return encode_number (lua, index, error);

    case LUA_TSTRING:
      return encode_string (lua, index, error);

    case LUA_TTABLE:
      return is_array (lua, index, &n) ? encode_array (lua, index, n, depth + 1, error)
                                       : encode_object (lua, index, depth + 1, error);

    default:
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("A %s cannot be handed on"),
                   luaL_typename (lua, index));
      return NULL;
    }
}

/**
 * fore_script_json_encode:
 * @lua: a state
 * @index: where the value is on its stack
 * @error: return location for an error; %FORE_ERROR_USAGE where JSON has nothing for it
 *
 * An empty table is an empty object. The stack is left as it was.
 *
 * Returns: (transfer full): JSON, or %NULL
 */
char *
fore_script_json_encode (lua_State *lua, int index, GError **error)
{
  int top = lua_gettop (lua);
  g_autoptr (JsonNode) node = encode (lua, lua_absindex (lua, index), 0, error);

  lua_settop (lua, top);

  return node != NULL ? fore_json_to_string (node, FALSE) : NULL;
}

static void push (lua_State *lua, JsonNode *node);

static void
push_array (lua_State *lua, JsonArray *array)
{
  guint n = json_array_get_length (array);

  lua_createtable (lua, (int) n, 0);
  for (guint i = 0; i < n; i++)
    {
      push (lua, json_array_get_element (array, i));
      lua_rawseti (lua, -2, (lua_Integer) i + 1);
    }
}

static void
push_object (lua_State *lua, JsonObject *object)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *member;

  lua_newtable (lua);
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &member))
    {
      push (lua, member);
      lua_setfield (lua, -2, name);
    }
}

static void
push_value (lua_State *lua, JsonNode *node)
{
  switch (json_node_get_value_type (node))
    {
    case G_TYPE_BOOLEAN:
      lua_pushboolean (lua, json_node_get_boolean (node));
      break;

    case G_TYPE_INT64:
      lua_pushinteger (lua, json_node_get_int (node));
      break;

    case G_TYPE_DOUBLE:
      lua_pushnumber (lua, json_node_get_double (node));
      break;

    default:
      lua_pushstring (lua, json_node_get_string (node));
    }
}

static void
push (lua_State *lua, JsonNode *node)
{
  luaL_checkstack (lua, 4, NULL);
  if (JSON_NODE_HOLDS_ARRAY (node))
    push_array (lua, json_node_get_array (node));
  else if (JSON_NODE_HOLDS_OBJECT (node))
    push_object (lua, json_node_get_object (node));
  else if (JSON_NODE_HOLDS_NULL (node))
    lua_pushnil (lua);
  else
    push_value (lua, node);
}

static int
push_protected (lua_State *lua)
{
  push (lua, lua_touserdata (lua, 1));

  return 1;
}

/**
 * fore_script_json_push:
 * @lua: a state
 * @text: JSON
 * @length: its bytes, or -1
 * @error: return location for an error
 *
 * Pushes what @text says; members that are null are left out. Where Lua has no memory left for it,
 * nothing is pushed.
 *
 * Returns: whether there is one value more on the stack
 */
gboolean
fore_script_json_push (lua_State *lua, const char *text, gssize length, GError **error)
{
  const ForeJsonLimits limits = { MAX_DEPTH, MAX_BYTES };
  g_autoptr (JsonNode) node = fore_json_parse (text, length, &limits, error);

  if (node == NULL)
    return FALSE;

  lua_pushcfunction (lua, push_protected);
  lua_pushlightuserdata (lua, node);
  if (lua_pcall (lua, 1, 1, 0) == LUA_OK)
    return TRUE;

  lua_pop (lua, 1);
  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_LIMIT, _ ("not enough memory"));
  return FALSE;
}
