/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-log-settings.h"

#include "platform/fore-log.h"

#define DAY_MS (24 * 60 * 60 * 1000)

/**
 * fore_log_settings_apply:
 * @home: the folder of everything
 * @settings: settings in force
 *
 * Sets what this program writes to its log, and removes logs that are older than log.keep, which
 * counts in whole days. Blocks on the disk. Any thread.
 */
void
fore_log_settings_apply (const char *home, ForeSettings *settings)
{
  gint64 keep;
  ForeLogLevel level;

  g_return_if_fail (home != NULL && settings != NULL);

  if (fore_log_level_from_string (fore_settings_get_string (settings, "log.level"), &level))
    fore_log_set_level (level);

  keep = fore_settings_get_duration (settings, "log.keep");
  fore_log_prune (home, (guint) ((keep + DAY_MS - 1) / DAY_MS));
}
