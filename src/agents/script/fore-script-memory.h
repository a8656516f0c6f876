/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeScriptMemory:
 *
 * What a script was answered so far, in the order in which it went on with that: a line of JSON
 * each, on the disk before the script goes on. Another process of the same script goes the same
 * way by it, and does nothing twice.
 */
typedef struct _ForeScriptMemory ForeScriptMemory;

/**
 * ForeScriptAnswer:
 * @path: which call it answers
 * @hash: what was called for
 * @reply: what was answered, JSON
 * @refused: whether @reply is no JSON but says why there is nothing
 * @time: when, microseconds since the epoch
 */
typedef struct
{
  char *path;
  char *hash;
  char *reply;
  gboolean refused;
  gint64 time;
} ForeScriptAnswer;

ForeScriptMemory *fore_script_memory_open (const char *path, GError **error);
void fore_script_memory_free (ForeScriptMemory *self);
ForeScriptAnswer *fore_script_memory_take (ForeScriptMemory *self);
gboolean
fore_script_memory_keep (ForeScriptMemory *self, const ForeScriptAnswer *answer, GError **error);
void fore_script_memory_give_up (ForeScriptMemory *self, const char *path);
void fore_script_answer_free (ForeScriptAnswer *answer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeScriptMemory, fore_script_memory_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeScriptAnswer, fore_script_answer_free)

G_END_DECLS
