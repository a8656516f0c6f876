/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long a run has been at work, over all its runners. */

#include "config.h"

#include "engine/fore-run-state-private.h"

typedef struct
{
  gint64 start;
  gint64 end;
} Span;

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  const Span *first = a, *second = b;

  return (first->start > second->start) - (first->start < second->start);
}

/* Attempts that a person had tried again begin to count anew. */
static GArray *
list_spans (ForeRunState *self)
{
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (Span));
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->attempts);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const ForeAttempt *attempt = value;
      gint64 end = attempt->finished != 0 ? attempt->finished : self->last_seen;
      Span span = { attempt->started, end };

      if (attempt->live)
        span.end -= fore_run_state_get_waited_us (self, attempt->task, attempt->n);
      if (attempt->started > self->retried && span.end > span.start)
        g_array_append_val (spans, span);
    }
  g_array_sort (spans, compare_spans);

  return spans;
}

/**
 * fore_run_state_get_busy_us:
 * @self: the state of a run that was just taken up
 *
 * Returns: for how long some agent was at work since the run began, or since a person had something
 *   tried again, in microseconds; without the time in which they waited for a person
 */
gint64
fore_run_state_get_busy_us (ForeRunState *self)
{
  g_autoptr (GArray) spans = NULL;
  gint64 sum = 0;
  gint64 until = 0;

  g_return_val_if_fail (FORE_IS_RUN_STATE (self), 0);

  spans = list_spans (self);
  for (guint i = 0; i < spans->len; i++)
    {
      const Span *span = &g_array_index (spans, Span, i);

      sum += MAX (0, span->end - MAX (span->start, until));
      until = MAX (until, span->end);
    }

  return sum;
}

/**
 * fore_run_state_get_last_seen:
 * @self: the state
 *
 * Returns: when the last owner was last known to live, in microseconds since the epoch
 */
gint64
fore_run_state_get_last_seen (ForeRunState *self)
{
  g_return_val_if_fail (FORE_IS_RUN_STATE (self), 0);

  return self->last_seen;
}

/* A new owner's first look. */
void
fore_run_state_take_times (ForeRunState *self, const ForeRunDelta *delta, gint64 last_seen)
{
  self->last_seen = last_seen;

  for (guint i = 0; i < delta->commands->len; i++)
    {
      const ForeCommand *command = g_ptr_array_index (delta->commands, i);

      if (command->kind == FORE_COMMAND_RETRY && command->state == FORE_COMMAND_DONE)
        self->retried = MAX (self->retried, command->time);
    }

  for (guint i = 0; i < self->requests->len; i++)
    {
      const ForeRequest *request = g_ptr_array_index (self->requests, i);

      if (request->kind == FORE_REQUEST_FAILURE && g_strcmp0 (request->answer, "retry") == 0)
        self->retried = MAX (self->retried, request->answered);
    }
}
