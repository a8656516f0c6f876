/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-pulse.h"

#include "platform/fore-clock.h"
#include "platform/fore-guard-launch.h"
#include "platform/fore-guard-private.h"
#include "platform/fore-pulse-private.h"

#include <glib/gstdio.h>
#include <string.h>

/* No task has that key. */
#define NAME "pulse."

static struct
{
  ForePulsePage *page;
  GPollFunc poll;
} pulse;

static int
poll_and_tell (GPollFD *fds, guint n_fds, int timeout)
{
  int result;

  __atomic_store_n (&pulse.page->busy_since_us, 0, __ATOMIC_RELAXED);
  result = pulse.poll (fds, n_fds, timeout);
  __atomic_store_n (&pulse.page->busy_since_us, fore_clock_boot_us (), __ATOMIC_RELAXED);

  return result;
}

/**
 * fore_pulse_install:
 * @run_dir: folder of the run that this process owns
 *
 * From here on others can see whether the default main context of this process turns. In its main
 * thread. Where there is no place for it, nobody sees, and nothing else changes.
 */
void
fore_pulse_install (const char *run_dir)
{
  g_autofree char *path = NULL;
  ForePulsePage *page;
  ForeProcessId self;

  g_return_if_fail (run_dir != NULL);

  path = fore_guard_dup_socket_path (run_dir, NAME, 0, NULL);
  page = path != NULL ? fore_pulse_system_map (path) : NULL;
  if (page == NULL || !fore_process_id_current (&self))
    return;

  page->pid = self.pid;
  page->start = self.start;
  memcpy (page->boot, self.boot, sizeof self.boot);
  page->busy_since_us = fore_clock_boot_us ();
  page->magic = FORE_PULSE_MAGIC;

  /* A run that is taken up again has a page of its own; the one before is nobody's. */
  pulse.page = page;
  if (pulse.poll != NULL)
    return;

  pulse.poll = g_main_context_get_poll_func (g_main_context_default ());
  g_main_context_set_poll_func (g_main_context_default (), poll_and_tell);
}

/**
 * fore_pulse_remove:
 * @run_dir: folder of the run that this process is about to give up
 *
 * Leaves nothing for others to see; the next owner has not come yet.
 */
void
fore_pulse_remove (const char *run_dir)
{
  g_autofree char *path = NULL;

  g_return_if_fail (run_dir != NULL);

  path = fore_guard_find_socket (run_dir, NAME, 0);
  if (pulse.page != NULL && path != NULL)
    g_unlink (path);
}

static gboolean
read_page (const char *run_dir, ForeProcessId *id, gint64 *busy_since_us)
{
  g_autofree char *path = fore_guard_find_socket (run_dir, NAME, 0);
  g_autofree char *text = NULL;
  ForePulsePage page;
  gsize length;

  if (path == NULL || !g_file_get_contents (path, &text, &length, NULL) || length < sizeof page)
    return FALSE;

  memcpy (&page, text, sizeof page);
  memset (id, 0, sizeof *id);
  id->pid = page.pid;
  id->start = page.start;
  memcpy (id->boot, page.boot, sizeof id->boot - 1);
  *busy_since_us = page.busy_since_us;

  return page.magic == FORE_PULSE_MAGIC;
}

/**
 * fore_pulse_find_dead:
 * @run_dir: folder of a run that this process owns now
 *
 * Returns: number that the last owner had, which died; 0 if it gave the run up, or is not known
 */
int
fore_pulse_find_dead (const char *run_dir)
{
  ForeProcessId last;
  gint64 busy_since_us;

  g_return_val_if_fail (run_dir != NULL, 0);

  return read_page (run_dir, &last, &busy_since_us) && !fore_process_is_alive (&last) ? last.pid
                                                                                      : 0;
}

/**
 * fore_pulse_read:
 * @run_dir: folder of a run
 * @id: (out) (optional): the runner
 * @stuck_us: (out) (optional): for how long its main loop has not turned; 0 if it waits for
 *   something to do, %G_MAXINT64 if the process was stopped
 *
 * Any thread; some ten µs.
 *
 * Returns: whether there is a runner that lives and tells
 */
gboolean
fore_pulse_read (const char *run_dir, ForeProcessId *id, gint64 *stuck_us)
{
  ForeProcessId runner;
  gint64 since;

  g_return_val_if_fail (run_dir != NULL, FALSE);

  if (!read_page (run_dir, &runner, &since) || !fore_process_is_alive (&runner))
    return FALSE;

  if (id != NULL)
    *id = runner;
  if (stuck_us != NULL && fore_process_is_stopped (&runner))
    *stuck_us = G_MAXINT64;
  else if (stuck_us != NULL)
    *stuck_us = since > 0 ? MAX (0, fore_clock_boot_us () - since) : 0;

  return TRUE;
}
