/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  FORE_COMMAND_PAUSE,
  FORE_COMMAND_CONTINUE,
  FORE_COMMAND_CANCEL,
  FORE_COMMAND_CANCEL_TASK,
  FORE_COMMAND_RESUME,
  FORE_COMMAND_RETRY,
  FORE_COMMAND_ACCEPT,
  FORE_COMMAND_MERGE,
  FORE_COMMAND_DISCARD,
  FORE_COMMAND_STEER,
  FORE_COMMAND_INTERRUPT,
  FORE_COMMAND_GOAL,
  FORE_COMMAND_FOLLOW_UP,
  FORE_N_COMMAND_KINDS
} ForeCommandKind;

typedef enum
{
  FORE_COMMAND_QUEUED,
  FORE_COMMAND_DONE,
  FORE_COMMAND_REFUSED,
  FORE_N_COMMAND_STATES
} ForeCommandState;

/**
 * ForeCommand:
 * @id: number given by the store when it was written
 * @kind: what is wanted
 * @args: (nullable): further words: task keys, target branch, merge mode, text
 * @by: who wants it: window, foredeckctl
 * @time: microseconds since the epoch
 * @state: queued until the run's owner took it up
 * @code: #ForeErrorCode if it was refused
 * @message: (nullable): one sentence: outcome or why it was refused
 *
 * What a person or another process wants of a run, as a row that its owner takes up.
 */
typedef struct
{
  gint64 id;
  ForeCommandKind kind;
  GStrv args;
  char *by;
  gint64 time;
  ForeCommandState state;
  int code;
  char *message;
} ForeCommand;

ForeCommand *fore_command_new (ForeCommandKind kind, const char *const *args, const char *by);
ForeCommand *fore_command_copy (const ForeCommand *command);
void fore_command_free (ForeCommand *command);

const char *fore_command_kind_to_string (ForeCommandKind kind);
gboolean fore_command_kind_from_string (const char *text, ForeCommandKind *kind);
const char *fore_command_state_to_string (ForeCommandState state);
gboolean fore_command_state_from_string (const char *text, ForeCommandState *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeCommand, fore_command_free)

G_END_DECLS
