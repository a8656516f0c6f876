/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-request.h"

#include "model/fore-id.h"
#include "model/fore-words.h"

static const char *const kind_names[FORE_N_REQUEST_KINDS] = {
  "plan", "gate", "no-plan", "permission", "question", "conflict", "budget", "failure", "trust",
};

static const char *const state_names[FORE_N_REQUEST_STATES] = {
  "open",
  "answered",
  "withdrawn",
  "expired",
};

/**
 * fore_request_option_new:
 * @id: what is sent back
 * @name: what a person reads
 * @kind: what choosing it means
 *
 * Returns: (transfer full): an option
 */
ForeRequestOption *
fore_request_option_new (const char *id, const char *name, const char *kind)
{
  ForeRequestOption *option = g_new0 (ForeRequestOption, 1);

  option->id = g_strdup (id);
  option->name = g_strdup (name);
  option->kind = g_strdup (kind);

  return option;
}

/**
 * fore_request_option_copy:
 * @option: an option
 *
 * Returns: (transfer full): a deep copy
 */
ForeRequestOption *
fore_request_option_copy (const ForeRequestOption *option)
{
  ForeRequestOption *copy;

  g_return_val_if_fail (option != NULL, NULL);

  copy = g_memdup2 (option, sizeof *option);
  copy->id = g_strdup (option->id);
  copy->name = g_strdup (option->name);
  copy->kind = g_strdup (option->kind);

  return copy;
}

/**
 * fore_request_option_free:
 * @option: (nullable): an option
 */
void
fore_request_option_free (ForeRequestOption *option)
{
  if (option == NULL)
    return;

  g_free (option->id);
  g_free (option->name);
  g_free (option->kind);
  g_free (option);
}

/**
 * fore_request_new:
 * @run: run it belongs to
 * @n: number in its run, from 1
 * @kind: what kind of decision
 *
 * Returns: (transfer full): an open request without options
 */
ForeRequest *
fore_request_new (const char *run, guint n, ForeRequestKind kind)
{
  ForeRequest *request;

  g_return_val_if_fail (run != NULL, NULL);

  request = g_new0 (ForeRequest, 1);
  request->id = fore_id_dup_request (run, n);
  request->run = g_strdup (run);
  request->kind = kind;
  request->options = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_request_option_free);
  request->created = g_get_real_time ();

  return request;
}

static gpointer
copy_option (gconstpointer option, gpointer user_data)
{
  return fore_request_option_copy (option);
}

static GPtrArray *
copy_options (GPtrArray *options)
{
  return g_ptr_array_copy (options, (GCopyFunc) copy_option, NULL);
}

/**
 * fore_request_copy:
 * @request: a request
 *
 * Returns: (transfer full): a deep copy
 */
ForeRequest *
fore_request_copy (const ForeRequest *request)
{
  ForeRequest *copy;

  g_return_val_if_fail (request != NULL, NULL);

  copy = g_memdup2 (request, sizeof *request);
  copy->id = g_strdup (request->id);
  copy->run = g_strdup (request->run);
  copy->task = g_strdup (request->task);
  copy->title = g_strdup (request->title);
  copy->body = g_strdup (request->body);
  copy->plan_hash = g_strdup (request->plan_hash);
  copy->reply_to = g_strdup (request->reply_to);
  copy->answer = g_strdup (request->answer);
  copy->answer_text = g_strdup (request->answer_text);
  copy->answered_by = g_strdup (request->answered_by);
  copy->options = copy_options (request->options);

  return copy;
}

/**
 * fore_request_free:
 * @request: (nullable): a request
 */
void
fore_request_free (ForeRequest *request)
{
  if (request == NULL)
    return;

  g_free (request->id);
  g_free (request->run);
  g_free (request->task);
  g_free (request->title);
  g_free (request->body);
  g_free (request->plan_hash);
  g_free (request->reply_to);
  g_free (request->answer);
  g_free (request->answer_text);
  g_free (request->answered_by);
  g_clear_pointer (&request->options, g_ptr_array_unref);
  g_free (request);
}

/**
 * fore_request_add_option:
 * @request: a request
 * @id: what is sent back
 * @name: what a person reads
 * @kind: what choosing it means
 *
 * Adds an answer that is offered.
 */
void
fore_request_add_option (ForeRequest *request, const char *id, const char *name, const char *kind)
{
  g_return_if_fail (request != NULL);

  g_ptr_array_add (request->options, fore_request_option_new (id, name, kind));
}

/**
 * fore_request_find_option:
 * @request: a request
 * @id: id of an option
 *
 * Returns: (nullable) (transfer none): the option
 */
const ForeRequestOption *
fore_request_find_option (const ForeRequest *request, const char *id)
{
  g_return_val_if_fail (request != NULL, NULL);

  for (guint i = 0; i < request->options->len; i++)
    {
      const ForeRequestOption *option = g_ptr_array_index (request->options, i);

      if (g_strcmp0 (option->id, id) == 0)
        return option;
    }

  return NULL;
}

/**
 * fore_request_find_option_by_kind:
 * @request: a request
 * @kind: a kind
 *
 * Returns: (nullable) (transfer none): the first option of that kind
 */
const ForeRequestOption *
fore_request_find_option_by_kind (const ForeRequest *request, const char *kind)
{
  g_return_val_if_fail (request != NULL, NULL);

  for (guint i = 0; i < request->options->len; i++)
    {
      const ForeRequestOption *option = g_ptr_array_index (request->options, i);

      if (g_strcmp0 (option->kind, kind) == 0)
        return option;
    }

  return NULL;
}

/**
 * fore_request_needs_text:
 * @request: a request
 * @option: (nullable): one of its options
 *
 * Returns: whether choosing @option says nothing without words: what is asked for is a text, or
 *   what should change
 */
gboolean
fore_request_needs_text (const ForeRequest *request, const ForeRequestOption *option)
{
  g_return_val_if_fail (request != NULL, FALSE);

  if (option == NULL)
    return request->kind == FORE_REQUEST_QUESTION;
  if (request->kind == FORE_REQUEST_PLAN)
    return g_strcmp0 (option->kind, "changes") == 0;

  return g_strcmp0 (option->kind, "answer") == 0 || g_strcmp0 (option->kind, "reply") == 0;
}

/**
 * fore_answer_new:
 * @request: id of the request
 * @option: id of the option chosen
 * @by: who answers
 *
 * Returns: (transfer full): an answer given now
 */
ForeAnswer *
fore_answer_new (const char *request, const char *option, const char *by)
{
  ForeAnswer *answer;

  g_return_val_if_fail (request != NULL, NULL);

  answer = g_new0 (ForeAnswer, 1);
  answer->request = g_strdup (request);
  answer->option = g_strdup (option);
  answer->by = g_strdup (by);
  answer->time = g_get_real_time ();

  return answer;
}

/**
 * fore_answer_copy:
 * @answer: an answer
 *
 * Returns: (transfer full): a deep copy
 */
ForeAnswer *
fore_answer_copy (const ForeAnswer *answer)
{
  ForeAnswer *copy;

  g_return_val_if_fail (answer != NULL, NULL);

  copy = g_memdup2 (answer, sizeof *answer);
  copy->request = g_strdup (answer->request);
  copy->option = g_strdup (answer->option);
  copy->text = g_strdup (answer->text);
  copy->plan_json = g_strdup (answer->plan_json);
  copy->plan_hash = g_strdup (answer->plan_hash);
  copy->by = g_strdup (answer->by);

  return copy;
}

/**
 * fore_answer_free:
 * @answer: (nullable): an answer
 */
void
fore_answer_free (ForeAnswer *answer)
{
  if (answer == NULL)
    return;

  g_free (answer->request);
  g_free (answer->option);
  g_free (answer->text);
  g_free (answer->plan_json);
  g_free (answer->plan_hash);
  g_free (answer->by);
  g_free (answer);
}

/**
 * fore_request_kind_to_string:
 * @kind: a value
 *
 * Returns: (transfer none): the word for @kind
 */
const char *
fore_request_kind_to_string (ForeRequestKind kind)
{
  g_return_val_if_fail ((guint) kind < FORE_N_REQUEST_KINDS, NULL);

  return kind_names[kind];
}

/**
 * fore_request_kind_from_string:
 * @text: (nullable): a word
 * @kind: (out): where to put the value
 *
 * Returns: %FALSE, leaving @kind alone, if @text is not one of the words
 */
gboolean
fore_request_kind_from_string (const char *text, ForeRequestKind *kind)
{
  guint found;

  g_return_val_if_fail (kind != NULL, FALSE);

  if (!fore_words_find (kind_names, FORE_N_REQUEST_KINDS, text, &found))
    return FALSE;

  *kind = found;
  return TRUE;
}

/**
 * fore_request_state_to_string:
 * @state: a value
 *
 * Returns: (transfer none): the word for @state
 */
const char *
fore_request_state_to_string (ForeRequestState state)
{
  g_return_val_if_fail ((guint) state < FORE_N_REQUEST_STATES, NULL);

  return state_names[state];
}

/**
 * fore_request_state_from_string:
 * @text: (nullable): a word
 * @state: (out): where to put the value
 *
 * Returns: %FALSE, leaving @state alone, if @text is not one of the words
 */
gboolean
fore_request_state_from_string (const char *text, ForeRequestState *state)
{
  guint found;

  g_return_val_if_fail (state != NULL, FALSE);

  if (!fore_words_find (state_names, FORE_N_REQUEST_STATES, text, &found))
    return FALSE;

  *state = found;
  return TRUE;
}
