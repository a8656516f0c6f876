/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-format.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "text/fore-text.h"

#define SECOND_US G_GINT64_CONSTANT (1000000)
#define MINUTE_US (60 * SECOND_US)
#define HOUR_US (60 * MINUTE_US)
#define DAY_US (24 * HOUR_US)

/**
 * fore_format_tokens:
 * @tokens: a number of tokens, or %FORE_USAGE_UNKNOWN
 *
 * Returns: (transfer full): "840", "214 k", "1.2 M" or a dash
 */
char *
fore_format_tokens (gint64 tokens)
{
  return tokens < 0 ? g_strdup ("–") : fore_text_format_tokens (tokens);
}

/**
 * fore_format_cost:
 * @micros: millionths of a dollar, or %FORE_USAGE_UNKNOWN
 *
 * Returns: (transfer full): "$1.87" or a dash
 */
char *
fore_format_cost (gint64 micros)
{
  return micros < 0 ? g_strdup ("–") : fore_text_format_cost (micros);
}

/**
 * fore_format_span:
 * @us: microseconds
 *
 * Returns: (transfer full): "41 s", "3 min 7 s" or "2 h 5 min"
 */
char *
fore_format_span (gint64 us)
{
  return fore_text_format_duration (us / 1000);
}

/**
 * fore_format_clock:
 * @us: microseconds
 *
 * Returns: (transfer full): the same as short as a clock says it: "41 s", "3:07" or "2:05:41"
 */
char *
fore_format_clock (gint64 us)
{
  gint64 seconds = us / SECOND_US;
  int hours = (int) (seconds / 3600);
  int minutes = (int) (seconds / 60 % 60);

  if (us < MINUTE_US || us >= DAY_US)
    return fore_format_span (us);
  if (hours == 0)
    return g_strdup_printf ("%d:%02d", minutes, (int) (seconds % 60));

  return g_strdup_printf ("%d:%02d:%02d", hours, minutes, (int) (seconds % 60));
}

static char *
format_days (gint64 when, gint64 now)
{
  g_autoptr (GDateTime) then = g_date_time_new_from_unix_local (when / SECOND_US);
  g_autoptr (GDateTime) today = g_date_time_new_from_unix_local (now / SECOND_US);

  if (then == NULL || today == NULL)
    return g_strdup ("–");
  if (now - when < 2 * DAY_US
      && g_date_time_get_day_of_year (then) + 1 == g_date_time_get_day_of_year (today))
    return g_strdup (_ ("yesterday"));
  if (now - when < 6 * DAY_US)
    return g_date_time_format (then, "%A");
  if (g_date_time_get_year (then) == g_date_time_get_year (today))
    return g_date_time_format (then, _ ("%e %b"));

  return g_date_time_format (then, "%x");
}

/**
 * fore_format_age:
 * @when: microseconds since the epoch
 * @now: microseconds since the epoch
 *
 * Returns: (transfer full): "just now", "4 min", "3 h", "yesterday", "Friday" or a date
 */
char *
fore_format_age (gint64 when, gint64 now)
{
  gint64 age = MAX (now - when, 0);
  int minutes = (int) (age / MINUTE_US);
  g_autofree char *days = NULL;

  if (age < MINUTE_US)
    return g_strdup (_ ("just now"));
  if (age < HOUR_US)
    return g_strdup_printf (_ ("%d min"), minutes);
  if (age < 12 * HOUR_US)
    return g_strdup_printf (_ ("%d h"), minutes / 60);

  days = format_days (when, now);
  if (age < DAY_US && g_strcmp0 (days, _ ("yesterday")) != 0)
    return g_strdup_printf (_ ("%d h"), minutes / 60);

  return g_strdup (g_strstrip (days));
}

/**
 * fore_format_time:
 * @when: microseconds since the epoch
 *
 * Returns: (transfer full): the local time of day
 */
char *
fore_format_time (gint64 when)
{
  g_autoptr (GDateTime) then = g_date_time_new_from_unix_local (when / SECOND_US);

  return then != NULL ? g_date_time_format (then, "%H:%M:%S") : g_strdup ("–");
}

/**
 * fore_format_path:
 * @path: (nullable): an absolute path
 *
 * Returns: (transfer full): @path with the home folder as a tilde
 */
char *
fore_format_path (const char *path)
{
  const char *home = g_get_home_dir ();
  gsize length = strlen (home);

  if (path == NULL)
    return g_strdup ("");
  if (length > 1 && g_str_has_prefix (path, home) && (path[length] == '/' || path[length] == 0))
    return g_strconcat ("~", path + length, NULL);

  return g_filename_display_name (path);
}

/**
 * fore_format_project:
 * @project: (nullable): folder of a project
 *
 * Returns: (transfer full): the name by which a person knows it
 */
char *
fore_format_project (const char *project)
{
  return project != NULL ? g_filename_display_basename (project) : g_strdup ("");
}

/**
 * fore_format_command:
 * @argv: (nullable): a command line
 *
 * Returns: (transfer full): @argv quoted so that a shell would read the same words
 */
char *
fore_format_command (const char *const *argv)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; argv != NULL && argv[i] != NULL; i++)
    {
      gboolean plain = argv[i][0] != 0
                       && strspn (argv[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                           "0123456789_-./:=,+@%")
                              == strlen (argv[i]);
      g_autofree char *word = plain ? g_strdup (argv[i]) : g_shell_quote (argv[i]);

      if (i > 0)
        g_string_append_c (text, ' ');
      g_string_append (text, word);
    }

  return g_string_free (text, FALSE);
}

/**
 * fore_format_line:
 * @text: (nullable): text from outside, of any number of lines
 * @max_chars: how many characters are kept
 *
 * Returns: (transfer full): @text on one line, what would act without being seen made visible
 */
char *
fore_format_line (const char *text, guint max_chars)
{
  g_autofree char *valid = fore_text_make_valid (text != NULL ? text : "", -1);
  g_autofree char *cut = NULL;

  g_strdelimit (g_strstrip (valid), "\n\r\t", ' ');
  cut = fore_text_shorten (valid, max_chars);

  return fore_text_make_visible (cut);
}

/**
 * fore_format_cause:
 * @cause: why an attempt did not end well
 *
 * Returns: (transfer none): a few words for @cause
 */
const char *
fore_format_cause (ForeCause cause)
{
  static const char *const words[FORE_N_CAUSES] = {
    [FORE_CAUSE_NONE] = N_ ("ended well"),
    [FORE_CAUSE_RATE_LIMIT] = N_ ("rate limit"),
    [FORE_CAUSE_OVERLOADED] = N_ ("provider overloaded"),
    [FORE_CAUSE_NETWORK] = N_ ("network"),
    [FORE_CAUSE_BROKEN_STREAM] = N_ ("broken stream"),
    [FORE_CAUSE_TIMEOUT] = N_ ("time limit"),
    [FORE_CAUSE_SILENCE] = N_ ("was silent too long"),
    [FORE_CAUSE_CRASH] = N_ ("crashed"),
    [FORE_CAUSE_NO_OUTPUT] = N_ ("no output"),
    [FORE_CAUSE_LOST] = N_ ("lost"),
    [FORE_CAUSE_AUTH] = N_ ("not logged in"),
    [FORE_CAUSE_BILLING] = N_ ("billing"),
    [FORE_CAUSE_BAD_MODEL] = N_ ("unknown model"),
    [FORE_CAUSE_REFUSED] = N_ ("refused"),
    [FORE_CAUSE_CONTEXT] = N_ ("context full"),
    [FORE_CAUSE_EXIT] = N_ ("exit code"),
    [FORE_CAUSE_ERROR] = N_ ("error"),
    [FORE_CAUSE_OUTPUT_LIMIT] = N_ ("too much output"),
    [FORE_CAUSE_TURN_LIMIT] = N_ ("turn limit"),
    [FORE_CAUSE_TOKEN_LIMIT] = N_ ("token limit"),
    [FORE_CAUSE_BUDGET] = N_ ("budget reached"),
    [FORE_CAUSE_WROTE] = N_ ("wrote although read-only"),
    [FORE_CAUSE_CHECKS] = N_ ("checks failed"),
    [FORE_CAUSE_COMPROMISED] = N_ ("changed its own checks"),
    [FORE_CAUSE_CONFLICT] = N_ ("conflict"),
    [FORE_CAUSE_NOT_STARTED] = N_ ("could not be started"),
    [FORE_CAUSE_WORKTREE] = N_ ("no worktree"),
    [FORE_CAUSE_NO_PLAN] = N_ ("no usable plan"),
    [FORE_CAUSE_NO_YIELD] = N_ ("no result handed in"),
    [FORE_CAUSE_CANCELLED] = N_ ("cancelled"),
    [FORE_CAUSE_INTERRUPTED] = N_ ("interrupted"),
  };

  g_return_val_if_fail (cause < FORE_N_CAUSES, "");

  return words[cause] != NULL ? _ (words[cause]) : fore_cause_to_string (cause);
}

/**
 * fore_format_run_status:
 * @status: a run's status
 *
 * Returns: (transfer none): a word for @status
 */
const char *
fore_format_run_status (ForeRunStatus status)
{
  static const char *const words[FORE_N_RUN_STATUSES] = {
    [FORE_RUN_QUEUED] = N_ ("Queued"),   [FORE_RUN_PLANNING] = N_ ("Planning"),
    [FORE_RUN_RUNNING] = N_ ("Running"), [FORE_RUN_BLOCKED] = N_ ("Waits for You"),
    [FORE_RUN_PAUSED] = N_ ("Paused"),   [FORE_RUN_COMPLETED] = N_ ("Completed"),
    [FORE_RUN_FAILED] = N_ ("Failed"),   [FORE_RUN_CANCELLED] = N_ ("Cancelled"),
  };

  g_return_val_if_fail (status < FORE_N_RUN_STATUSES, "");

  return _ (words[status]);
}

/**
 * fore_format_task_status:
 * @status: a task's status
 *
 * Returns: (transfer none): a word for @status
 */
const char *
fore_format_task_status (ForeTaskStatus status)
{
  static const char *const words[FORE_N_TASK_STATUSES] = {
    [FORE_TASK_QUEUED] = N_ ("Queued"),   [FORE_TASK_RUNNING] = N_ ("Running"),
    [FORE_TASK_WAITING] = N_ ("Waiting"), [FORE_TASK_COMPLETED] = N_ ("Completed"),
    [FORE_TASK_FAILED] = N_ ("Failed"),   [FORE_TASK_CANCELLED] = N_ ("Cancelled"),
    [FORE_TASK_SKIPPED] = N_ ("Skipped"), [FORE_TASK_NEEDS_ATTENTION] = N_ ("Needs Attention"),
  };

  g_return_val_if_fail (status < FORE_N_TASK_STATUSES, "");

  return _ (words[status]);
}

/**
 * fore_format_request_kind:
 * @kind: kind of a request
 *
 * Returns: (transfer none): what kind of decision it is
 */
const char *
fore_format_request_kind (ForeRequestKind kind)
{
  static const char *const words[FORE_N_REQUEST_KINDS] = {
    [FORE_REQUEST_PLAN] = N_ ("Plan"),
    [FORE_REQUEST_GATE] = N_ ("Permission to write"),
    [FORE_REQUEST_NO_PLAN] = N_ ("No usable plan"),
    [FORE_REQUEST_PERMISSION] = N_ ("Permission"),
    [FORE_REQUEST_QUESTION] = N_ ("Question"),
    [FORE_REQUEST_CONFLICT] = N_ ("Conflict"),
    [FORE_REQUEST_BUDGET] = N_ ("Budget"),
    [FORE_REQUEST_FAILURE] = N_ ("Failure"),
    [FORE_REQUEST_TRUST] = N_ ("Trust"),
  };

  g_return_val_if_fail (kind < FORE_N_REQUEST_KINDS, "");

  return _ (words[kind]);
}

/**
 * fore_format_request_icon:
 * @kind: kind of a request
 *
 * Returns: (transfer none): name of the icon that stands for it
 */
const char *
fore_format_request_icon (ForeRequestKind kind)
{
  static const char *const names[FORE_N_REQUEST_KINDS] = {
    [FORE_REQUEST_PLAN] = "fore-plan-symbolic",
    [FORE_REQUEST_GATE] = "fore-gate-symbolic",
    [FORE_REQUEST_NO_PLAN] = "fore-warning-symbolic",
    [FORE_REQUEST_PERMISSION] = "fore-permission-symbolic",
    [FORE_REQUEST_QUESTION] = "fore-question-symbolic",
    [FORE_REQUEST_CONFLICT] = "fore-conflict-symbolic",
    [FORE_REQUEST_BUDGET] = "fore-cost-symbolic",
    [FORE_REQUEST_FAILURE] = "fore-failed-symbolic",
    [FORE_REQUEST_TRUST] = "fore-permission-symbolic",
  };

  g_return_val_if_fail (kind < FORE_N_REQUEST_KINDS, "");

  return names[kind];
}

/**
 * fore_format_policy:
 * @policy: what a failed task does to the rest
 *
 * Returns: (transfer none): a few words for @policy
 */
const char *
fore_format_policy (ForeFailurePolicy policy)
{
  switch (policy)
    {
    case FORE_POLICY_STOP:
      return _ ("Finish what runs, then stop");
    case FORE_POLICY_STOP_NOW:
      return _ ("Stop everything at once");
    case FORE_POLICY_ASK:
      return _ ("Ask me");
    case FORE_POLICY_CONTINUE:
    default:
      return _ ("Go on with the rest");
    }
}
