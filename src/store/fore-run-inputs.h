/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-sql.h"

G_BEGIN_DECLS

/**
 * ForeRunInputs:
 * @answers: (element-type ForeAnswer): answers, oldest first
 * @commands: (element-type ForeCommand): commands, oldest first
 * @messages: (element-type ForeMessage): messages, oldest first
 *
 * What others wrote into a run's file and its owner has not seen, and up to where it looked.
 */
typedef struct
{
  GPtrArray *answers;
  GPtrArray *commands;
  GPtrArray *messages;
  gint64 version;
  gint64 answer_rev;
  gint64 command_id;
  gint64 message_id;
  gboolean looked;
} ForeRunInputs;

void fore_run_inputs_init (ForeRunInputs *inputs);
void fore_run_inputs_clear (ForeRunInputs *inputs);
gboolean fore_run_inputs_read (ForeRunInputs *inputs, ForeSql *sql, GError **error);
gboolean fore_run_inputs_is_empty (const ForeRunInputs *inputs);
void fore_run_inputs_move (ForeRunInputs *from, ForeRunInputs *to);

G_END_DECLS
