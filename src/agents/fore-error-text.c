/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-error-text.h"

#include <stdlib.h>
#include <string.h>

typedef struct
{
  ForeCause cause;
  const char *phrase;
  const char *later;
} Row;

/* In the order in which they are tried: a quota error also says 429, an unknown model also 404. */
static const Row rows[] = {
  { FORE_CAUSE_BILLING, "insufficient_quota" },
  { FORE_CAUSE_BILLING, "quota exceeded. check your plan" },
  { FORE_CAUSE_BILLING, "exceeded your current quota" },
  { FORE_CAUSE_BILLING, "credit balance" },
  { FORE_CAUSE_BILLING, "insufficient credit" },
  { FORE_CAUSE_BILLING, "payment required" },
  { FORE_CAUSE_BILLING, "billing" },
  { FORE_CAUSE_CONTEXT, "context length" },
  { FORE_CAUSE_CONTEXT, "context_length" },
  { FORE_CAUSE_CONTEXT, "context window" },
  { FORE_CAUSE_CONTEXT, "prompt is too long" },
  { FORE_CAUSE_CONTEXT, "prompt_too_long" },
  { FORE_CAUSE_CONTEXT, "input is too long" },
  { FORE_CAUSE_CONTEXT, "too many tokens" },
  { FORE_CAUSE_CONTEXT, "maximum number of tokens" },
  { FORE_CAUSE_BAD_MODEL, "model_not_found" },
  { FORE_CAUSE_BAD_MODEL, "model not found" },
  { FORE_CAUSE_BAD_MODEL, "unknown model" },
  { FORE_CAUSE_BAD_MODEL, "invalid model" },
  { FORE_CAUSE_BAD_MODEL, "no models match" },
  { FORE_CAUSE_BAD_MODEL, "no model matching" },
  { FORE_CAUSE_BAD_MODEL, "model does not exist" },
  { FORE_CAUSE_BAD_MODEL, "issue with the selected model" },
  { FORE_CAUSE_BAD_MODEL, "model ", " not found" },
  { FORE_CAUSE_BAD_MODEL, "model ", " does not exist" },
  { FORE_CAUSE_AUTH, "invalid api key" },
  { FORE_CAUSE_AUTH, "invalid_api_key" },
  { FORE_CAUSE_AUTH, "invalid x-api-key" },
  { FORE_CAUSE_AUTH, "no api key" },
  { FORE_CAUSE_AUTH, "authentication" },
  { FORE_CAUSE_AUTH, "unauthorized" },
  { FORE_CAUSE_AUTH, "unauthenticated" },
  { FORE_CAUSE_AUTH, "not logged in" },
  { FORE_CAUSE_AUTH, "please run /login" },
  { FORE_CAUSE_AUTH, "permission_error" },
  { FORE_CAUSE_RATE_LIMIT, "rate limit" },
  { FORE_CAUSE_RATE_LIMIT, "rate_limit" },
  { FORE_CAUSE_RATE_LIMIT, "usage limit" },
  { FORE_CAUSE_RATE_LIMIT, "too many requests" },
  { FORE_CAUSE_RATE_LIMIT, "resource_exhausted" },
  { FORE_CAUSE_OVERLOADED, "overloaded" },
  { FORE_CAUSE_OVERLOADED, "internal server error" },
  { FORE_CAUSE_OVERLOADED, "service unavailable" },
  { FORE_CAUSE_OVERLOADED, "bad gateway" },
  { FORE_CAUSE_OVERLOADED, "experiencing high demand" },
  { FORE_CAUSE_BROKEN_STREAM, "other side closed" },
  { FORE_CAUSE_BROKEN_STREAM, "stream ended" },
  { FORE_CAUSE_BROKEN_STREAM, "premature close" },
  { FORE_CAUSE_BROKEN_STREAM, "empty response" },
  { FORE_CAUSE_BROKEN_STREAM, "stream disconnected" },
  { FORE_CAUSE_BROKEN_STREAM, "error: terminated" },
  { FORE_CAUSE_NETWORK, "econn" },
  { FORE_CAUSE_NETWORK, "enotfound" },
  { FORE_CAUSE_NETWORK, "etimedout" },
  { FORE_CAUSE_NETWORK, "eai_again" },
  { FORE_CAUSE_NETWORK, "socket hang up" },
  { FORE_CAUSE_NETWORK, "fetch failed" },
  { FORE_CAUSE_NETWORK, "connection reset" },
  { FORE_CAUSE_NETWORK, "connection error" },
  { FORE_CAUSE_NETWORK, "network error" },
  { FORE_CAUSE_NETWORK, "timed out" },
  { FORE_CAUSE_REFUSED, "content policy" },
  { FORE_CAUSE_REFUSED, "content_filter" },
  { FORE_CAUSE_REFUSED, "refusal" },
};

/* The second phrase, where there is one, has to come later on the same line. */
static gboolean
says (const char *text, const Row *row)
{
  const char *start = strstr (text, row->phrase);
  const char *later;

  if (start == NULL || row->later == NULL)
    return start != NULL;

  later = strstr (start, row->later);

  return later != NULL && memchr (start, '\n', later - start) == NULL;
}

static ForeCause
classify_status (int status)
{
  switch (status)
    {
    case 401:
    case 403:
      return FORE_CAUSE_AUTH;
    case 402:
      return FORE_CAUSE_BILLING;
    case 404:
      return FORE_CAUSE_BAD_MODEL;
    case 413:
      return FORE_CAUSE_CONTEXT;
    case 408:
      return FORE_CAUSE_NETWORK;
    case 429:
      return FORE_CAUSE_RATE_LIMIT;
    default:
      return status >= 500 && status <= 599 ? FORE_CAUSE_OVERLOADED : FORE_CAUSE_NONE;
    }
}

static int
read_status (const char *text)
{
  if (g_ascii_isdigit (text[0]) && g_ascii_isdigit (text[1]) && g_ascii_isdigit (text[2])
      && !g_ascii_isalnum (text[3]))
    return atoi (text);

  return 0;
}

/* The status that a message begins with, as in "429: …" or "API Error: 529 …", or that it names. */
static int
find_status (const char *text)
{
  static const char *const marks[] = { "API Error: ", "unexpected status ",
                                       "last status: ", "\"code\":" };
  int status = read_status (text);

  for (guint i = 0; i < G_N_ELEMENTS (marks) && status == 0; i++)
    {
      const char *mark = strstr (text, marks[i]);

      if (mark != NULL)
        status = read_status (mark + strlen (marks[i]));
    }

  return status;
}

/**
 * fore_error_text_classify:
 * @text: (nullable): what an agent says about an error
 * @http_status: status of the model's server, or 0 if it is not known apart from @text
 *
 * Guesses what kind of error it is.
 *
 * Returns: the cause; %FORE_CAUSE_ERROR if nothing is recognised; never %FORE_CAUSE_NONE
 */
ForeCause
fore_error_text_classify (const char *text, int http_status)
{
  g_autofree char *lower = NULL;
  ForeCause cause;

  if (text != NULL)
    {
      lower = g_ascii_strdown (text, -1);
      for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
        {
          if (says (lower, &rows[i]))
            return rows[i].cause;
        }

      if (http_status == 0)
        http_status = find_status (text);
      if (http_status == 0 && g_strcmp0 (lower, "terminated") == 0)
        return FORE_CAUSE_BROKEN_STREAM;
    }

  cause = classify_status (http_status);

  return cause != FORE_CAUSE_NONE ? cause : FORE_CAUSE_ERROR;
}
