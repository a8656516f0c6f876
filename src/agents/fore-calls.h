/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What an agent is given so that it can call: the folder, and the token that belongs to its
 * attempt. */
#define FORE_MARKER_CALLS "FOREDECK_CALLS"
#define FORE_MARKER_TOKEN "FOREDECK_TOKEN"
#define FORE_MARKER_PROGRAM "FOREDECK_CTL"

#define FORE_CALLS_ANSWERS "answers"
#define FORE_CALL_MAX_TEXT (256 * 1024)

typedef enum
{
  FORE_CALL_ASK,
  FORE_CALL_SUBMIT,
  FORE_CALL_DELEGATE,
  FORE_CALL_WITHDRAW,
  FORE_CALL_PLAN,
  FORE_CALL_MAIL,
  FORE_CALL_INBOX,
  FORE_CALL_JOIN,
  FORE_CALL_SCRIPT,
  FORE_N_CALL_KINDS
} ForeCallKind;

/**
 * ForeCall:
 * @id: name of the call, given by the agent's side
 * @kind: what is wanted
 * @text: the question, the result, the plan, what a helper shall do, the call that is taken back,
 *   or what a script wants, JSON
 * @options: (nullable): answers to choose from; the role of a helper, and whether nobody waits for
 *   it; to whom mail goes; helpers that are waited for
 * @time: when it was written, microseconds since the epoch
 * @answered: whether it has its answer
 *
 * What an agent wants of its run from inside a task. A call is a file of a folder that belongs to
 * one attempt, and its answer another one, so that neither is lost or given twice, whoever dies
 * meanwhile.
 */
typedef struct
{
  char *id;
  ForeCallKind kind;
  char *text;
  GStrv options;
  gint64 time;
  gboolean answered;
} ForeCall;

void fore_call_free (ForeCall *call);
ForeCall *fore_call_copy (const ForeCall *call);

/* The runner's side; all blocking. */
char *fore_calls_dup_token (const char *secret, const char *task, guint n);
gboolean fore_calls_make (const char *folder, const char *token, GError **error);
GPtrArray *fore_calls_read (const char *folder, const char *token);
gboolean fore_calls_answer (const char *folder, const char *id, const char *text, GError **error);
gboolean fore_calls_refuse (const char *folder, const char *id, const char *text, GError **error);

/* The agent's side; all blocking. */
void fore_calls_enter (const char *folder);
char *
fore_calls_send (ForeCallKind kind, const char *text, const char *const *options, GError **error);
gboolean fore_calls_send_as (const char *id,
                             ForeCallKind kind,
                             const char *text,
                             const char *const *options,
                             GError **error);
char *fore_calls_dup_answers_folder (void);
char *fore_calls_take_answer (const char *id, gboolean *refused);
char *
fore_calls_wait (const char *id, gint64 timeout_us, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeCall, fore_call_free)

G_END_DECLS
