/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-retry.h"

#include <math.h>

#define MAX_DELAY_MS (60 * 60 * 1000)

/**
 * fore_retry_is_allowed:
 * @settings: settings in force
 * @task: a task whose attempt failed for a cause that can pass
 *
 * Returns: whether it has an attempt left: by its own `retries`, else by retry.attempts; a command
 *   has none unless its step says so
 */
gboolean
fore_retry_is_allowed (ForeSettings *settings, const ForeTask *task)
{
  gint64 attempts;

  g_return_val_if_fail (settings != NULL && task != NULL, FALSE);

  if (task->retries >= 0)
    attempts = task->retries + 1;
  else if (g_strcmp0 (task->cli, "command") == 0)
    attempts = 1;
  else
    attempts = fore_settings_get_int (settings, "retry.attempts");

  return task->attempts < attempts;
}

/**
 * fore_retry_choose_delay:
 * @settings: settings in force
 * @task: a task that is to be tried again
 *
 * Returns: milliseconds to wait: retry.delay × retry.factor ^ (attempts − 1), ± retry.jitter, at
 *   most an hour
 */
gint64
fore_retry_choose_delay (ForeSettings *settings, const ForeTask *task)
{
  double delay;
  double jitter;

  g_return_val_if_fail (settings != NULL && task != NULL, 0);

  delay = (double) fore_settings_get_duration (settings, "retry.delay")
          * pow (fore_settings_get_double (settings, "retry.factor"),
                 (double) (task->attempts > 0 ? task->attempts - 1 : 0));
  jitter = fore_settings_get_double (settings, "retry.jitter");
  delay *= g_random_double_range (1 - jitter, 1 + jitter + 1e-9);

  return (gint64) CLAMP (delay, 0, (double) MAX_DELAY_MS);
}
