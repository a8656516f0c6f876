/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The few functions of the host that everything that scripts call is made of. */

#include "config.h"

#include "agents/script/fore-script-host-private.h"

#include "agents/script/fore-script-base.h"
#include "agents/script/fore-script-json.h"
#include "agents/script/fore-script-output.h"

#include <lauxlib.h>

#define MAX_STRANDS 2000

static ForeScriptHost *
get_host (lua_State *lua)
{
  ForeScriptHost *self;

  lua_getfield (lua, LUA_REGISTRYINDEX, FORE_SCRIPT_HOST_KEY);
  self = lua_touserdata (lua, -1);
  lua_pop (lua, 1);

  return self;
}

static int
go_on_with_answer (lua_State *lua, int status, lua_KContext context)
{
  return lua_gettop (lua) - (int) context;
}

/* call (what, table): waits for the answer of the run, a table, or nothing and why. */
static int
host_call (lua_State *lua)
{
  ForeStrand *strand = fore_strand_get (lua);
  g_autoptr (GError) error = NULL;
  char *text;

  luaL_checkstring (lua, 1);
  luaL_checktype (lua, 2, LUA_TTABLE);
  lua_settop (lua, 2);
  lua_pushvalue (lua, 1);
  lua_setfield (lua, 2, "do");
  text = fore_script_json_encode (lua, 2, &error);
  if (text == NULL)
    {
      lua_pushnil (lua);
      lua_pushstring (lua, error->message);
      return 2;
    }

  g_free (strand->path_of_call);
  g_free (strand->text_of_call);
  strand->path_of_call = fore_strand_dup_next_path (strand);
  strand->text_of_call = text;
  strand->state = FORE_STRAND_CALLING;

  return lua_yieldk (lua, 0, (lua_KContext) 2, go_on_with_answer);
}

ForeStrand *
fore_script_host_add_strand (ForeScriptHost *self, lua_State *lua, ForeStrand *parent)
{
  ForeStrand *strand = fore_strand_new (lua, parent);

  g_ptr_array_add (self->strands, strand);
  g_queue_push_tail (&self->ready, strand);

  return strand;
}

/* fork (function, value): calls it beside; returns the strand's number and its table. */
static int
host_fork (lua_State *lua)
{
  ForeScriptHost *self = get_host (lua);
  ForeStrand *parent = fore_strand_get (lua);
  ForeStrand *strand;

  luaL_checktype (lua, 1, LUA_TFUNCTION);
  lua_settop (lua, 2);
  if (self->strands->len >= MAX_STRANDS)
    return luaL_error (lua, "a script may call %d functions side by side; this is one more",
                       MAX_STRANDS);

  strand = fore_script_host_add_strand (self, lua, parent);
  lua_pushinteger (lua, strand->id);
  fore_strand_push_self (strand, lua);
  return 2;
}

static int
give_over (lua_State *lua, ForeStrand *parent)
{
  ForeStrand *strand = g_queue_pop_head (&parent->over);

  parent->n_open--;
  lua_pushinteger (lua, strand->id);
  lua_pushboolean (lua, !strand->failed);
  if (strand->problem != NULL)
    lua_pushstring (lua, strand->problem);
  else
    lua_xmove (strand->lua, lua, 1);
  fore_strand_push_self (strand, lua);
  fore_strand_let_go (strand);
  g_ptr_array_remove (get_host (lua)->strands, strand);

  return 4;
}

static int
go_on_with_strand (lua_State *lua, int status, lua_KContext context)
{
  return give_over (lua, fore_strand_get (lua));
}

/* join (): waits for a strand to be over; returns its number, whether it went well, its value or
 * what it failed with, and its table. */
static int
host_join (lua_State *lua)
{
  ForeStrand *strand = fore_strand_get (lua);

  lua_settop (lua, 0);
  if (strand->n_open == 0)
    return luaL_error (lua, "there is nothing to wait for");
  if (!g_queue_is_empty (&strand->over))
    return give_over (lua, strand);

  strand->state = FORE_STRAND_JOINING;
  return lua_yieldk (lua, 0, 0, go_on_with_strand);
}

static int
host_self (lua_State *lua)
{
  fore_strand_push_self (fore_strand_get (lua), lua);

  return 1;
}

static int
host_now (lua_State *lua)
{
  lua_pushinteger (lua, get_host (lua)->now);

  return 1;
}

/* What was said before, by another process, is not said again. */
static int
host_log (lua_State *lua)
{
  const char *text = luaL_checkstring (lua, 1);

  if (!get_host (lua)->knows_more)
    fore_script_output_text (text);

  return 0;
}

static int
host_set_result (lua_State *lua)
{
  ForeScriptHost *self = get_host (lua);
  const char *text = luaL_checkstring (lua, 1);

  g_free (self->result);
  self->result = g_utf8_make_valid (text, -1);

  return 0;
}

/* blame (text): what the call that was answered last is to blame for, should the script end so. */
static int
host_blame (lua_State *lua)
{
  ForeScriptHost *self = get_host (lua);
  const ForeStrand *strand = fore_strand_get (lua);

  g_hash_table_replace (self->blamed, g_strdup (luaL_checkstring (lua, 1)),
                        g_strdup (strand->path_of_call));
  lua_settop (lua, 1);
  return 1;
}

static int
host_encode (lua_State *lua)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  luaL_checkany (lua, 1);
  text = fore_script_json_encode (lua, 1, &error);
  lua_pushstring (lua, text);
  lua_pushstring (lua, error != NULL ? error->message : NULL);

  return 2;
}

static int
host_decode (lua_State *lua)
{
  g_autoptr (GError) error = NULL;
  size_t length;
  const char *text = luaL_checklstring (lua, 1, &length);

  if (fore_script_json_push (lua, text, (gssize) length, &error))
    return 1;

  lua_pushnil (lua);
  lua_pushstring (lua, error->message);
  return 2;
}

static int
host_to_string (lua_State *lua)
{
  luaL_checkany (lua, 1);
  fore_script_base_to_string (lua, 1);

  return 1;
}

static const luaL_Reg host_functions[] = {
  { "call", host_call },
  { "fork", host_fork },
  { "join", host_join },
  { "self", host_self },
  { "now", host_now },
  { "log", host_log },
  { "set_result", host_set_result },
  { "blame", host_blame },
  { "encode", host_encode },
  { "decode", host_decode },
  { "tostring", host_to_string },
  { NULL, NULL },
};

void
fore_script_host_push_functions (lua_State *lua)
{
  luaL_newlib (lua, host_functions);
}
