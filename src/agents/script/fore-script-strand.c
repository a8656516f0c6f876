/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/script/fore-script-strand.h"

#include <lauxlib.h>

/* A thread that the script makes by itself gets a copy of what the first one has: nothing. */
static ForeStrand **
get_place (lua_State *lua)
{
  return (ForeStrand **) lua_getextraspace (lua);
}

/**
 * fore_strand_init:
 * @lua: a new state
 *
 * Its first thread belongs to no strand.
 */
void
fore_strand_init (lua_State *lua)
{
  *get_place (lua) = NULL;
}

/**
 * fore_strand_new:
 * @lua: a state; the function that the strand runs, and its one argument, are popped
 * @parent: (nullable): what it is forked from
 *
 * Returns: (transfer full): a strand that is ready
 */
ForeStrand *
fore_strand_new (lua_State *lua, ForeStrand *parent)
{
  lua_State *thread;
  ForeStrand *self;

  /* What can run out of memory comes first. */
  lua_newtable (lua);
  thread = lua_newthread (lua);
  lua_rawsetp (lua, LUA_REGISTRYINDEX, thread);

  self = g_new0 (ForeStrand, 1);
  *get_place (thread) = self;
  self->lua = thread;
  self->parent = parent;
  self->n_results = 1;
  self->path = parent != NULL ? fore_strand_dup_next_path (parent) : g_strdup ("");
  g_queue_init (&self->over);
  if (parent != NULL)
    {
      parent->n_open++;
      self->id = parent->n_calls;
    }

  lua_rawsetp (lua, LUA_REGISTRYINDEX, self);
  lua_xmove (lua, thread, 2);
  return self;
}

/**
 * fore_strand_let_go:
 * @self: a strand that is over
 *
 * Lets Lua take back what it has of it.
 */
void
fore_strand_let_go (ForeStrand *self)
{
  lua_State *lua = self->lua;

  lua_settop (lua, 0);
  lua_pushnil (lua);
  lua_rawsetp (lua, LUA_REGISTRYINDEX, self);
  lua_pushnil (lua);
  lua_rawsetp (lua, LUA_REGISTRYINDEX, lua);
}

/**
 * fore_strand_free:
 * @self: (nullable): a strand
 *
 * Its thread is left to Lua.
 */
void
fore_strand_free (ForeStrand *self)
{
  if (self == NULL)
    return;

  g_queue_clear (&self->over);
  g_free (self->path);
  g_free (self->path_of_call);
  g_free (self->text_of_call);
  g_free (self->problem);
  g_free (self);
}

/**
 * fore_strand_get:
 * @lua: the thread that a function is called from
 *
 * Raises an error of Lua where a script calls from a coroutine of its own, which nobody but it can
 * let go on.
 *
 * Returns: (transfer none): its strand
 */
ForeStrand *
fore_strand_get (lua_State *lua)
{
  ForeStrand *self = *get_place (lua);

  if (self == NULL)
    luaL_error (lua, "only the script itself and what fan_out and pipeline call can wait; "
                     "this is a coroutine of its own");

  return self;
}

/**
 * fore_strand_dup_next_path:
 * @self: a strand
 *
 * Returns: (transfer full): the path of its next call
 */
char *
fore_strand_dup_next_path (ForeStrand *self)
{
  self->n_calls++;

  return *self->path == '\0' ? g_strdup_printf ("%u", self->n_calls)
                             : g_strdup_printf ("%s.%u", self->path, self->n_calls);
}

/**
 * fore_strand_push_self:
 * @self: a strand
 * @lua: a thread of the same state
 *
 * Pushes the table in which the strand keeps what it needs to know of itself.
 */
void
fore_strand_push_self (ForeStrand *self, lua_State *lua)
{
  lua_rawgetp (lua, LUA_REGISTRYINDEX, self);
}
