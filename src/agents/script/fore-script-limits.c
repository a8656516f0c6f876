/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/script/fore-script-limits.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <time.h>

#define STEPS (200 * 1000 * 1000)
#define BYTES (128 * 1024 * 1024)
/* For saying what went wrong. */
#define SPARE_BYTES (1024 * 1024)
#define HOOK_STEPS 1000
/* No processor is so slow: what takes longer than its steps may is one function that computes on.
 */
#define STEPS_A_SECOND (10 * 1000 * 1000)
#define MIN_SECONDS 2
#define LOOK_US (250 * 1000)

struct _ForeScriptLimits
{
  ForeScriptLastWord last_word;
  size_t used;
  size_t bytes;
  size_t spare;
  gint64 steps;
  gint64 done;
  lua_State *running; /* atomic */
  clock_t since;
  int over; /* atomic */
  GThread *watchdog;
};

static ForeScriptLimits *
get_limits (lua_State *lua)
{
  void *limits;

  lua_getallocf (lua, &limits);

  return limits;
}

static void *
allocate (void *user_data, void *block, size_t old_size, size_t new_size)
{
  ForeScriptLimits *self = user_data;
  void *moved;

  if (block == NULL)
    old_size = 0;
  if (new_size == 0)
    {
      free (block);
      self->used -= old_size;
      return NULL;
    }
  if (new_size > old_size && self->used + (new_size - old_size) > self->bytes + self->spare)
    return NULL;

  moved = realloc (block, new_size);
  if (moved != NULL)
    self->used += new_size - old_size;

  return moved;
}

/* Once it has gone too far every further step fails, so that no pcall() goes on from there. */
static void
count (lua_State *lua, lua_Debug *debug)
{
  ForeScriptLimits *self = get_limits (lua);

  self->done += HOOK_STEPS;
  if (self->done <= self->steps)
    return;

  lua_sethook (lua, count, LUA_MASKCOUNT, 1);
  lua_getinfo (lua, "Sl", debug);
  lua_pushfstring (lua,
                   "%s:%d: the script computed for more than %d million steps without waiting for "
                   "anything",
                   debug->short_src, debug->currentline, (int) (self->steps / 1000000));
  lua_error (lua);
}

static int
get_seconds (const ForeScriptLimits *self)
{
  return MIN_SECONDS + (int) (self->steps / STEPS_A_SECOND);
}

/* A function of C holds it up, which leaves the state of Lua as it is. */
static void
say_where (ForeScriptLimits *self, lua_State *lua)
{
  char message[512];
  lua_Debug debug = { 0 };

  for (int level = 0; lua_getstack (lua, level, &debug); level++)
    {
      if (lua_getinfo (lua, "Sl", &debug) && debug.currentline > 0)
        break;
    }
  g_snprintf (message, sizeof message, "%s:%d: the script computed for more than %d s in one call",
              debug.short_src, debug.currentline, get_seconds (self));
  self->last_word (message);
}

static gpointer
watch (gpointer user_data)
{
  ForeScriptLimits *self = user_data;

  while (!g_atomic_int_get (&self->over))
    {
      lua_State *lua = g_atomic_pointer_get (&self->running);

      if (lua != NULL && (clock () - self->since) / CLOCKS_PER_SEC >= get_seconds (self))
        say_where (self, lua);
      g_usleep (LOOK_US);
    }

  return NULL;
}

/**
 * fore_script_limits_new:
 * @last_word: told, by another thread, when a script has to be ended in the middle of something
 *
 * Returns: (transfer full): the limits that hold where nothing else is said
 */
ForeScriptLimits *
fore_script_limits_new (ForeScriptLastWord last_word)
{
  ForeScriptLimits *self = g_new0 (ForeScriptLimits, 1);

  g_return_val_if_fail (last_word != NULL, self);

  self->last_word = last_word;
  self->steps = STEPS;
  self->bytes = BYTES;
  self->watchdog = g_thread_new ("script-watchdog", watch, self);

  return self;
}

/**
 * fore_script_limits_free:
 * @self: (nullable): limits whose state is closed
 */
void
fore_script_limits_free (ForeScriptLimits *self)
{
  if (self == NULL)
    return;

  g_atomic_int_set (&self->over, 1);
  g_thread_join (self->watchdog);
  g_free (self);
}

/**
 * fore_script_limits_open:
 * @self: the limits
 *
 * Returns: (transfer full) (nullable): a state that is held to them, for lua_close()
 */
lua_State *
fore_script_limits_open (ForeScriptLimits *self)
{
  lua_State *lua;

  g_return_val_if_fail (self != NULL, NULL);

  lua = lua_newstate (allocate, self);
  if (lua != NULL)
    lua_sethook (lua, count, LUA_MASKCOUNT, HOOK_STEPS);

  return lua;
}

/**
 * fore_script_limits_set:
 * @self: the limits
 * @steps: steps of Lua between two waits
 * @bytes: memory
 */
void
fore_script_limits_set (ForeScriptLimits *self, gint64 steps, gint64 bytes)
{
  g_return_if_fail (self != NULL && steps > 0 && bytes > 0);

  self->steps = steps;
  self->bytes = (size_t) bytes;
}

/**
 * fore_script_limits_begin:
 * @self: the limits
 * @lua: the thread of Lua that goes on now
 */
void
fore_script_limits_begin (ForeScriptLimits *self, lua_State *lua)
{
  g_return_if_fail (self != NULL && lua != NULL);

  self->done = 0;
  self->since = clock ();
  g_atomic_pointer_set (&self->running, lua);
}

/**
 * fore_script_limits_end:
 * @self: the limits
 *
 * Nothing of the script runs any more.
 */
void
fore_script_limits_end (ForeScriptLimits *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_pointer_set (&self->running, NULL);
}

/**
 * fore_script_limits_ease:
 * @self: the limits of a script that is over
 *
 * Leaves a little more memory for saying what was wrong.
 */
void
fore_script_limits_ease (ForeScriptLimits *self)
{
  g_return_if_fail (self != NULL);

  self->spare = SPARE_BYTES;
}
