/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-timer.h"

static gboolean
dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  g_source_set_ready_time (source, -1);

  return callback != NULL ? callback (user_data) : G_SOURCE_CONTINUE;
}

static GSourceFuncs funcs = { NULL, NULL, dispatch, NULL, NULL, NULL };

/**
 * fore_timer_source_new:
 * @name: a literal: what a stall in it is called by
 *
 * Returns: (transfer full): a source that is never ready until it is given a time
 */
GSource *
fore_timer_source_new (const char *name)
{
  GSource *source;

  g_return_val_if_fail (name != NULL, NULL);

  source = g_source_new (&funcs, sizeof (GSource));
  g_source_set_static_name (source, name);

  return source;
}
