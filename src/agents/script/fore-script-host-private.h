/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/script/fore-script-host.h"

#include "agents/script/fore-script-calls.h"
#include "agents/script/fore-script-memory.h"
#include "agents/script/fore-script-strand.h"

G_BEGIN_DECLS

#define FORE_SCRIPT_HOST_KEY "fore.host"

/* What the files of ForeScriptHost share. */
struct _ForeScriptHost
{
  ForeScriptLimits *limits;
  ForeScriptMemory *memory;
  ForeScriptCalls *calls;
  lua_State *lua;
  GPtrArray *strands; /* all that there were, in the order of their beginning */
  GQueue ready;
  ForeStrand *script;
  gint64 now; /* when the answer came that it goes on with */
  char *result;
  GHashTable *blamed;  /* what was said of a failure -> which call had failed */
  gboolean knows_more; /* another process of the script was here before */
};

ForeStrand *fore_script_host_add_strand (ForeScriptHost *self, lua_State *lua, ForeStrand *parent);
void fore_script_host_push_functions (lua_State *lua);

G_END_DECLS
