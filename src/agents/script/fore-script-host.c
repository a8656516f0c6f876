/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/script/fore-script-host-private.h"

#include "agents/script/fore-script-base.h"
#include "agents/script/fore-script-json.h"
#include "agents/script/fore-script-output.h"
#include "model/fore-error.h"
#include "text/fore-json.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <lauxlib.h>
#include <string.h>

#define PRELUDE "/app/foredeck/script/prelude.lua"
#define RUN_KEY "fore.run"

/* Loading */

static gboolean
take_error (lua_State *lua, const char *context, GError **error)
{
  const char *message = lua_tostring (lua, -1);

  g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID, "%s%s", context,
               message != NULL ? message : "?");
  return FALSE;
}

/* Lets the prelude make `crew` out of the functions of the host. */
static int
open_all (lua_State *lua)
{
  g_autoptr (GBytes) prelude = g_resources_lookup_data (PRELUDE, G_RESOURCE_LOOKUP_FLAGS_NONE,
                                                        NULL);
  gsize length;
  const char *text = g_bytes_get_data (prelude, &length);

  fore_script_base_open (lua);
  g_assert (prelude != NULL);
  if (luaL_loadbufferx (lua, text, length, "=crew", "t") != LUA_OK)
    return lua_error (lua);
  fore_script_host_push_functions (lua);
  lua_call (lua, 1, 1);
  lua_setfield (lua, LUA_REGISTRYINDEX, RUN_KEY);

  return 0;
}

/**
 * fore_script_host_new:
 * @limits: what the script is held to; outlives the host
 * @memory: (nullable): file of what it was answered before; %NULL for a host that runs nothing
 * @error: return location for an error
 *
 * Returns: (transfer full): a host, or %NULL
 */
ForeScriptHost *
fore_script_host_new (ForeScriptLimits *limits, const char *memory, GError **error)
{
  g_autoptr (ForeScriptHost) self = g_new0 (ForeScriptHost, 1);

  g_return_val_if_fail (limits != NULL, NULL);

  self->limits = limits;
  self->strands = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_strand_free);
  g_queue_init (&self->ready);
  self->blamed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (memory != NULL && (self->memory = fore_script_memory_open (memory, error)) == NULL)
    return NULL;

  self->lua = fore_script_limits_open (limits);
  if (self->lua == NULL)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT, _ ("not enough memory"));
      return NULL;
    }

  fore_strand_init (self->lua);
  lua_pushcfunction (self->lua, open_all);
  if (lua_pcall (self->lua, 0, 0, 0) != LUA_OK)
    {
      take_error (self->lua, "", error);
      return NULL;
    }
  lua_pushlightuserdata (self->lua, self);
  lua_setfield (self->lua, LUA_REGISTRYINDEX, FORE_SCRIPT_HOST_KEY);

  return g_steal_pointer (&self);
}

/**
 * fore_script_host_free:
 * @self: (nullable): a host
 */
void
fore_script_host_free (ForeScriptHost *self)
{
  if (self == NULL)
    return;

  g_queue_clear (&self->ready);
  if (self->lua != NULL)
    fore_script_limits_ease (self->limits);
  g_clear_pointer (&self->strands, g_ptr_array_unref);
  g_clear_pointer (&self->lua, lua_close);
  g_clear_pointer (&self->memory, fore_script_memory_free);
  g_clear_pointer (&self->calls, fore_script_calls_free);
  g_clear_pointer (&self->blamed, g_hash_table_unref);
  g_free (self->result);
  g_free (self);
}

static int
make_script (lua_State *lua)
{
  ForeScriptHost *self = lua_touserdata (lua, 2);

  lua_settop (lua, 1);
  lua_getfield (lua, LUA_REGISTRYINDEX, RUN_KEY);
  lua_insert (lua, 1);
  self->script = fore_script_host_add_strand (self, lua, NULL);

  return 0;
}

/**
 * fore_script_host_load:
 * @self: a host
 * @name: what the script is called in messages
 * @text: the script
 * @length: its bytes
 * @error: return location for an error
 *
 * Returns: whether it is one
 */
gboolean
fore_script_host_load (
    ForeScriptHost *self, const char *name, const char *text, gsize length, GError **error)
{
  g_autofree char *chunk = NULL;

  g_return_val_if_fail (self != NULL && name != NULL && text != NULL, FALSE);

  chunk = g_strconcat ("@", name, NULL);
  lua_pushcfunction (self->lua, make_script);
  if (luaL_loadbufferx (self->lua, text, length, chunk, "t") != LUA_OK)
    return take_error (self->lua, "", error);

  lua_pushlightuserdata (self->lua, self);
  return lua_pcall (self->lua, 2, 0, 0) == LUA_OK || take_error (self->lua, "", error);
}

/* Going on */

static void
tell_parent (ForeScriptHost *self, ForeStrand *strand)
{
  ForeStrand *parent = strand->parent;

  if (parent == NULL)
    return;

  g_queue_push_tail (&parent->over, strand);
  if (parent->state != FORE_STRAND_JOINING)
    return;

  parent->state = FORE_STRAND_READY;
  parent->n_results = 0;
  g_queue_push_tail (&self->ready, parent);
}

/* Nothing else says where that was, and Lua may have no room left to say it. */
static void
say_problem (ForeStrand *strand, const char *problem)
{
  lua_Debug debug = { 0 };

  for (int level = 0; lua_getstack (strand->lua, level, &debug); level++)
    {
      if (lua_getinfo (strand->lua, "Sl", &debug) && debug.currentline > 0)
        break;
    }

  strand->problem = g_strdup_printf ("%s:%d: %s", debug.short_src, debug.currentline, problem);
}

/* What a function returns is one value. */
static void
keep_first (lua_State *lua, int n)
{
  if (n == 0)
    lua_pushnil (lua);
  else
    lua_pop (lua, n - 1);
}

static void
let_go_on (ForeScriptHost *self, ForeStrand *strand)
{
  int n_results;
  int status;

  fore_script_limits_begin (self->limits, strand->lua);
  status = lua_resume (strand->lua, NULL, strand->n_results, &n_results);
  fore_script_limits_end (self->limits);
  if (status == LUA_YIELD && strand->state != FORE_STRAND_READY)
    return;

  strand->state = FORE_STRAND_OVER;
  strand->failed = status != LUA_OK;
  if (status == LUA_ERRMEM)
    say_problem (strand, "not enough memory");
  else if (status == LUA_YIELD)
    say_problem (strand, "nobody lets this go on that yields outside of a coroutine");
  else if (status == LUA_OK)
    keep_first (strand->lua, n_results);
  tell_parent (self, strand);
}

static char *
hash_call (const ForeStrand *strand)
{
  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, strand->text_of_call, -1);
}

static ForeStrand *
find_calling (ForeScriptHost *self, const char *path)
{
  for (guint i = 0; i < self->strands->len; i++)
    {
      ForeStrand *strand = g_ptr_array_index (self->strands, i);

      if (strand->state == FORE_STRAND_CALLING && strcmp (strand->path_of_call, path) == 0)
        return strand;
    }

  return NULL;
}

static void
take_start (ForeScriptHost *self, JsonObject *object)
{
  gint64 steps = fore_json_get_int (object, "steps", 0);
  gint64 memory = fore_json_get_int (object, "memory", 0);

  if (steps > 0 && memory > 0)
    fore_script_limits_set (self->limits, steps, memory);
  fore_script_base_seed (self->lua, fore_json_get_int (object, "seed", 0));
}

/* What a script starts with is known to its host first. */
static void
look_at_start (ForeScriptHost *self, const ForeStrand *strand, const ForeScriptAnswer *answer)
{
  g_autoptr (JsonNode) node = NULL;

  if (strand != self->script || strand->n_calls != 1 || answer->refused)
    return;

  node = fore_json_parse (answer->reply, -1, NULL, NULL);
  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    take_start (self, json_node_get_object (node));
}

static void
answer_strand (ForeScriptHost *self, ForeStrand *strand, const ForeScriptAnswer *answer)
{
  g_autoptr (GError) error = NULL;

  look_at_start (self, strand, answer);
  self->now = answer->time;
  strand->n_results = 1;
  if (answer->refused || !fore_script_json_push (strand->lua, answer->reply, -1, &error))
    {
      lua_pushnil (strand->lua);
      lua_pushstring (strand->lua, error != NULL ? error->message : answer->reply);
      strand->n_results = 2;
    }

  fore_script_output_answer (strand->path_of_call, strand->text_of_call, answer->refused,
                             answer->reply, !self->knows_more);
  strand->state = FORE_STRAND_READY;
  g_queue_push_tail (&self->ready, strand);
}

/* The same script, the same answers: another way is one by something that differs every time. */
static gboolean
go_known_way (ForeScriptHost *self, const ForeScriptAnswer *answer, GError **error)
{
  ForeStrand *strand = find_calling (self, answer->path);
  g_autofree char *hash = strand != NULL ? hash_call (strand) : NULL;

  if (g_strcmp0 (hash, answer->hash) == 0)
    {
      answer_strand (self, strand, answer);
      return TRUE;
    }

  g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
               _ ("The script does not go the way that it went before: what was call %s is %s now. "
                  "Start the run anew."),
               answer->path, strand != NULL ? strand->text_of_call : _ ("not called for"));
  return FALSE;
}

static ForeCallKind
choose_kind (const char *what)
{
  return g_strcmp0 (what, "ask") == 0    ? FORE_CALL_ASK
         : g_strcmp0 (what, "mail") == 0 ? FORE_CALL_MAIL
                                         : FORE_CALL_SCRIPT;
}

/* Questions and mail go the way that those of agents do. */
static gboolean
send (ForeScriptHost *self, const ForeStrand *strand, GError **error)
{
  g_autoptr (JsonNode) node = fore_json_parse (strand->text_of_call, -1, NULL, error);
  JsonObject *object = node != NULL ? json_node_get_object (node) : NULL;
  ForeCallKind kind;
  g_auto (GStrv) options = NULL;

  if (object == NULL)
    return FALSE;

  kind = choose_kind (fore_json_get_string (object, "do", NULL));
  options = fore_json_dup_strv (object, "options");
  fore_script_output_call (strand->path_of_call, strand->text_of_call);

  return fore_script_calls_send (
      self->calls, strand->path_of_call, kind,
      kind == FORE_CALL_SCRIPT ? strand->text_of_call : fore_json_get_string (object, "text", ""),
      (const char *const *) options, error);
}

static gboolean
send_all (ForeScriptHost *self, GHashTable *sent, GError **error)
{
  for (guint i = 0; i < self->strands->len; i++)
    {
      const ForeStrand *strand = g_ptr_array_index (self->strands, i);

      if (strand->state == FORE_STRAND_CALLING
          && g_hash_table_add (sent, g_strdup (strand->path_of_call))
          && !send (self, strand, error))
        return FALSE;
    }

  return TRUE;
}

/* An answer of a question or of mail is a text. */
static char *
dup_reply (const ForeStrand *strand, const char *text, gboolean refused)
{
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (JsonNode) call = NULL;

  if (refused)
    return g_strdup (text);

  call = fore_json_parse (strand->text_of_call, -1, NULL, NULL);
  if (call != NULL
      && choose_kind (fore_json_get_string (json_node_get_object (call), "do", NULL))
             == FORE_CALL_SCRIPT)
    return g_strdup (text);

  node = json_node_init_string (json_node_alloc (), text);
  return fore_json_to_string (node, FALSE);
}

static gboolean
wait_for_answer (ForeScriptHost *self, GError **error)
{
  g_autoptr (ForeScriptAnswer) answer = g_new0 (ForeScriptAnswer, 1);
  g_autofree char *text = NULL;
  ForeStrand *strand;

  answer->path = fore_script_calls_wait (self->calls, &text, &answer->refused);
  answer->time = g_get_real_time ();
  strand = find_calling (self, answer->path);
  answer->hash = hash_call (strand);
  answer->reply = dup_reply (strand, text, answer->refused);
  if (!fore_script_memory_keep (self->memory, answer, error))
    return FALSE;

  answer_strand (self, strand, answer);
  return TRUE;
}

/* All strands wait: for what is known already, else for an answer. One that joins waits for others
 * that call.
 */
static gboolean
go_on (ForeScriptHost *self, GHashTable *sent, GError **error)
{
  g_autoptr (ForeScriptAnswer) known = fore_script_memory_take (self->memory);

  self->knows_more = known != NULL;
  if (known != NULL)
    return go_known_way (self, known, error);

  return send_all (self, sent, error) && wait_for_answer (self, error);
}

/* A person may have the script tried again, after what was in its way is gone: it goes on before
 * the call that failed then. Lua puts the line before what was said.
 */
static void
keep_blame (ForeScriptHost *self, const char *message)
{
  GHashTableIter iter;
  gpointer text;
  gpointer path;

  g_hash_table_iter_init (&iter, self->blamed);
  while (g_hash_table_iter_next (&iter, &text, &path))
    {
      if (g_str_has_suffix (message, text))
        {
          fore_script_memory_give_up (self->memory, path);
          return;
        }
    }
}

static char *
take_result (ForeScriptHost *self, GError **error)
{
  const char *message;

  if (!self->script->failed)
    return self->result != NULL ? g_steal_pointer (&self->result)
                                : g_strdup (_ ("The script ended without a result."));

  fore_script_limits_ease (self->limits);
  message = self->script->problem != NULL ? self->script->problem
                                          : fore_script_base_to_string (self->script->lua, -1);
  keep_blame (self, message);
  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_INVALID, message);
  return NULL;
}

/**
 * fore_script_host_run:
 * @self: a host with a script
 * @error: return location for an error, which says in which line
 *
 * Blocks until the script is over.
 *
 * Returns: (transfer full): its result, or %NULL
 */
char *
fore_script_host_run (ForeScriptHost *self, GError **error)
{
  g_autoptr (GHashTable) sent = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_return_val_if_fail (self != NULL && self->script != NULL && self->memory != NULL, NULL);

  self->calls = fore_script_calls_new ();
  for (;;)
    {
      ForeStrand *strand;

      while ((strand = g_queue_pop_head (&self->ready)) != NULL)
        let_go_on (self, strand);
      if (self->script->state == FORE_STRAND_OVER)
        return take_result (self, error);
      if (!go_on (self, sent, error))
        return NULL;
    }
}
