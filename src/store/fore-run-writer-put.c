/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-run-writer-private.h"

/* What comes back from a thread after the run was given up is for nobody. */
static void
put (ForeRunWriter *self, ForeWriteKind kind, gconstpointer row)
{
  if (self->committer == NULL)
    return;

  fore_batch_add (self->change, kind, row);
  if (fore_batch_get_length (self->change) >= FORE_COMMITTER_MAX_GROUP)
    fore_run_writer_push (self);
}

/**
 * fore_run_writer_put_run:
 * @self: a writer; once it is closed nothing is written
 * @run: the run as it is now; copied
 */
void
fore_run_writer_put_run (ForeRunWriter *self, const ForeRun *run)
{
  g_return_if_fail (FORE_IS_RUN_WRITER (self));
  g_return_if_fail (run != NULL && g_strcmp0 (run->id, self->run_id) == 0);

  put (self, FORE_WRITE_RUN, run);
}

/**
 * fore_run_writer_put_task:
 * @self: a writer; once it is closed nothing is written
 * @task: the task as it is now; copied
 */
void
fore_run_writer_put_task (ForeRunWriter *self, const ForeTask *task)
{
  g_return_if_fail (FORE_IS_RUN_WRITER (self));
  g_return_if_fail (task != NULL && task->key != NULL);

  put (self, FORE_WRITE_TASK, task);
}

/**
 * fore_run_writer_put_attempt:
 * @self: a writer; once it is closed nothing is written
 * @attempt: the attempt as it is now; copied. Its task must have been put, now or before
 */
void
fore_run_writer_put_attempt (ForeRunWriter *self, const ForeAttempt *attempt)
{
  g_return_if_fail (FORE_IS_RUN_WRITER (self));
  g_return_if_fail (attempt != NULL && attempt->task != NULL);

  put (self, FORE_WRITE_ATTEMPT, attempt);
}

/**
 * fore_run_writer_put_plan:
 * @self: a writer; once it is closed nothing is written
 * @plan: a version of the plan; copied
 */
void
fore_run_writer_put_plan (ForeRunWriter *self, const ForePlan *plan)
{
  g_return_if_fail (FORE_IS_RUN_WRITER (self));
  g_return_if_fail (plan != NULL);

  put (self, FORE_WRITE_PLAN, plan);
}

/**
 * fore_run_writer_put_request:
 * @self: a writer; once it is closed nothing is written
 * @request: the request as it is now; copied
 */
void
fore_run_writer_put_request (ForeRunWriter *self, const ForeRequest *request)
{
  g_return_if_fail (FORE_IS_RUN_WRITER (self));
  g_return_if_fail (request != NULL && request->id != NULL);

  put (self, FORE_WRITE_REQUEST, request);
}

/**
 * fore_run_writer_put_command:
 * @self: a writer; once it is closed nothing is written
 * @command: a command that was taken, with how it ended; copied
 */
void
fore_run_writer_put_command (ForeRunWriter *self, const ForeCommand *command)
{
  g_return_if_fail (FORE_IS_RUN_WRITER (self));
  g_return_if_fail (command != NULL && command->id > 0);

  put (self, FORE_WRITE_COMMAND, command);
}

/**
 * fore_run_writer_put_message:
 * @self: a writer; once it is closed nothing is written
 * @message: a message as it is now; copied. Without an id it gets one
 */
void
fore_run_writer_put_message (ForeRunWriter *self, const ForeMessage *message)
{
  ForeMessage row;

  g_return_if_fail (FORE_IS_RUN_WRITER (self));
  g_return_if_fail (message != NULL);

  row = *message;
  if (row.id == 0)
    row.id = fore_run_writer_next_message_id (self);
  put (self, FORE_WRITE_MESSAGE, &row);
}

/**
 * fore_run_writer_put_event:
 * @self: a writer; once it is closed nothing is written
 * @event: what happened; copied
 *
 * Returns: the number that it will have once it is written: events are in the order in which they
 *   were put
 */
gint64
fore_run_writer_put_event (ForeRunWriter *self, const ForeEvent *event)
{
  g_return_val_if_fail (FORE_IS_RUN_WRITER (self), 0);
  g_return_val_if_fail (event != NULL, 0);

  put (self, FORE_WRITE_EVENT, event);
  return ++self->event_seq;
}
