/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-signals.h"

#include <glib-unix.h>
#include <signal.h>

static const int numbers[] = {
  [FORE_SIGNAL_INTERRUPT] = SIGINT,
  [FORE_SIGNAL_TERMINATE] = SIGTERM,
  [FORE_SIGNAL_HANGUP] = SIGHUP,
  [FORE_SIGNAL_CANCEL] = SIGUSR1,
};

/**
 * fore_signal_add:
 * @which: what to wait for
 * @func: called in the default main context each time it comes
 * @user_data: for @func
 *
 * From now on @func is called instead of what the signal does by itself.
 *
 * Returns: the id of the source, for g_source_remove(); 0 where there is no such thing
 */
guint
fore_signal_add (ForeSignal which, GSourceFunc func, gpointer user_data)
{
  g_return_val_if_fail (which < G_N_ELEMENTS (numbers), 0);

  return g_unix_signal_add (numbers[which], func, user_data);
}

/**
 * fore_signal_ignore_cancel:
 *
 * A cancel that comes while nobody waits for it does nothing.
 */
void
fore_signal_ignore_cancel (void)
{
  signal (SIGUSR1, SIG_IGN);
}

/**
 * fore_signal_ignore_broken_pipes:
 *
 * Writing to somebody who left is an error of that write, not the end of the program.
 */
void
fore_signal_ignore_broken_pipes (void)
{
  signal (SIGPIPE, SIG_IGN);
}

/**
 * fore_signal_send_cancel:
 * @id: a runner
 * @error: return location for an error
 *
 * Tells a runner to cancel its run, where no command can be written.
 *
 * Returns: whether it was told
 */
gboolean
fore_signal_send_cancel (const ForeProcessId *id, GError **error)
{
  return fore_process_signal (id, SIGUSR1, error);
}

/**
 * fore_signal_is_polite:
 * @number: the signal that ended a process
 *
 * Returns: whether somebody asked it to end
 */
gboolean
fore_signal_is_polite (int number)
{
  return number == SIGTERM || number == SIGINT || number == SIGHUP;
}
