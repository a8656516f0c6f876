/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  FORE_REQUEST_PLAN,
  FORE_REQUEST_GATE,
  FORE_REQUEST_NO_PLAN,
  FORE_REQUEST_PERMISSION,
  FORE_REQUEST_QUESTION,
  FORE_REQUEST_CONFLICT,
  FORE_REQUEST_BUDGET,
  FORE_REQUEST_FAILURE,
  FORE_REQUEST_TRUST,
  FORE_N_REQUEST_KINDS
} ForeRequestKind;

typedef enum
{
  FORE_REQUEST_OPEN,
  FORE_REQUEST_ANSWERED,
  FORE_REQUEST_WITHDRAWN,
  FORE_REQUEST_EXPIRED,
  FORE_N_REQUEST_STATES
} ForeRequestState;

/**
 * ForeRequestOption:
 * @id: what is sent back, exactly as the asker gave it
 * @name: what a person reads
 * @kind: approve, reject, changes, allow_once, allow_always, reject_once, retry, skip, …
 */
typedef struct
{
  char *id;
  char *name;
  char *kind;
} ForeRequestOption;

/**
 * ForeRequest:
 * @id: `<run>-<n>`
 * @run: run it belongs to
 * @task: (nullable): task that asks
 * @attempt: attempt that asks, 0 for the engine
 * @kind: what kind of decision
 * @title: one line
 * @body: whole text
 * @options: (element-type ForeRequestOption): the answers offered
 * @plan_version: for plans: the version it is about, else 0
 * @plan_hash: (nullable): for plans: hash of that version
 * @reply_to: (nullable): id under which the asker waits
 * @created: microseconds since the epoch
 * @expires: microseconds since the epoch, or 0 for never
 * @state: open or how it ended
 * @answer: (nullable): id of the option chosen
 * @answer_text: (nullable): text that came with it
 * @answered_by: (nullable): window, foredeckctl, timeout, …
 * @answered: microseconds since the epoch, or 0
 * @rev: revision of the row in its run file; set by the store
 *
 * Anything that waits for a person.
 */
typedef struct
{
  char *id;
  char *run;
  char *task;
  guint attempt;
  ForeRequestKind kind;
  char *title;
  char *body;
  GPtrArray *options;
  guint plan_version;
  char *plan_hash;
  char *reply_to;
  gint64 created;
  gint64 expires;
  ForeRequestState state;
  char *answer;
  char *answer_text;
  char *answered_by;
  gint64 answered;
  guint64 rev;
} ForeRequest;

/**
 * ForeAnswer:
 * @request: request it answers
 * @option: id of the option chosen
 * @text: (nullable): feedback or free text
 * @plan_json: (nullable): for plans: the plan as the person edited it
 * @plan_version: for plans: the version that the person saw
 * @plan_hash: (nullable): for plans: hash of that version
 * @by: who answered: window, foredeckctl, timeout
 * @time: microseconds since the epoch
 *
 * A person's answer, as another process writes it and the runner takes it up.
 */
typedef struct
{
  char *request;
  char *option;
  char *text;
  char *plan_json;
  guint plan_version;
  char *plan_hash;
  char *by;
  gint64 time;
} ForeAnswer;

ForeRequestOption *fore_request_option_new (const char *id, const char *name, const char *kind);
ForeRequestOption *fore_request_option_copy (const ForeRequestOption *option);
void fore_request_option_free (ForeRequestOption *option);

ForeRequest *fore_request_new (const char *run, guint n, ForeRequestKind kind);
ForeRequest *fore_request_copy (const ForeRequest *request);
void fore_request_free (ForeRequest *request);
void
fore_request_add_option (ForeRequest *request, const char *id, const char *name, const char *kind);
const ForeRequestOption *fore_request_find_option (const ForeRequest *request, const char *id);
const ForeRequestOption *fore_request_find_option_by_kind (const ForeRequest *request,
                                                           const char *kind);

gboolean fore_request_needs_text (const ForeRequest *request, const ForeRequestOption *option);

ForeAnswer *fore_answer_new (const char *request, const char *option, const char *by);
ForeAnswer *fore_answer_copy (const ForeAnswer *answer);
void fore_answer_free (ForeAnswer *answer);

const char *fore_request_kind_to_string (ForeRequestKind kind);
gboolean fore_request_kind_from_string (const char *text, ForeRequestKind *kind);
const char *fore_request_state_to_string (ForeRequestState state);
gboolean fore_request_state_from_string (const char *text, ForeRequestState *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeRequestOption, fore_request_option_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeRequest, fore_request_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeAnswer, fore_answer_free)

G_END_DECLS
