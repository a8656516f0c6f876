/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-event.h"

G_BEGIN_DECLS

/**
 * ForeSaid:
 * @attempt: attempt that it was said to
 * @at: bytes of its capture that had been read by then
 * @kind: begin, prompt, steer, follow-up, answer, interrupt, end
 * @id: (nullable): what is answered; for begin: session that was taken up again
 * @text: (nullable): what was said; for begin: the prompt, which is kept in the attempt's file
 * @bytes: for begin: length of the prompt
 * @again: (nullable): for begin: what the session is told that was taken up
 * @version: (nullable): for begin: version of the program that speaks
 *
 * One thing that a live session was told. The same things said at the same places of the same
 * capture make a decoder speak the same lines, so that whoever takes a session up knows all that
 * its predecessor had to say, and the guard which of it was heard.
 */
typedef struct
{
  char *task;
  guint attempt;
  gint64 at;
  char *kind;
  char *id;
  char *text;
  gint64 bytes;
  char *again;
  char *version;
} ForeSaid;

ForeSaid *fore_said_new_from_event (const ForeEvent *event);
void fore_said_free (ForeSaid *said);
char *fore_said_to_data (const ForeSaid *said);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeSaid, fore_said_free)

G_END_DECLS
