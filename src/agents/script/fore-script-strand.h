/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>
#include <lua.h>

G_BEGIN_DECLS

typedef enum
{
  FORE_STRAND_READY,
  FORE_STRAND_CALLING,
  FORE_STRAND_JOINING,
  FORE_STRAND_OVER,
} ForeStrandState;

/**
 * ForeStrand:
 * @lua: its thread of Lua
 * @parent: (nullable): what it was forked from
 * @path: where in the script it is: empty for the script itself, else `3.2` for the second that
 *   its third call forked; a call of it is that, a point and the number of the call
 * @id: number of it among its parent's
 * @n_calls: calls and forks so far
 * @state: what it does
 * @path_of_call: (nullable): the call that it waits for
 * @text_of_call: (nullable): what that says, JSON
 * @over: (element-type ForeStrand): its strands that are over and were not collected
 * @n_open: its strands that were not collected
 * @failed: whether it ended with an error
 * @problem: (nullable): which, where Lua itself could not say it
 * @n_results: values on its stack that it goes on with
 *
 * One line of a script that goes on by itself. Strands take turns: each runs until it waits.
 */
typedef struct _ForeStrand ForeStrand;

struct _ForeStrand
{
  lua_State *lua;
  ForeStrand *parent;
  char *path;
  guint id;
  guint n_calls;
  ForeStrandState state;
  char *path_of_call;
  char *text_of_call;
  GQueue over;
  guint n_open;
  gboolean failed;
  char *problem;
  int n_results;
};

void fore_strand_init (lua_State *lua);
ForeStrand *fore_strand_new (lua_State *lua, ForeStrand *parent);
void fore_strand_let_go (ForeStrand *self);
void fore_strand_free (ForeStrand *self);
ForeStrand *fore_strand_get (lua_State *lua);
char *fore_strand_dup_next_path (ForeStrand *self);
void fore_strand_push_self (ForeStrand *self, lua_State *lua);

G_END_DECLS
