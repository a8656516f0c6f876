/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-signals.h"

#include <glib/gi18n-lib.h>
#include <signal.h>
#include <windows.h>

#include "model/fore-error.h"

/* An event of the session stands for a signal; a console handler sets that of Ctrl+C. */

typedef struct
{
  GSource source;
  GPollFD poll;
} EventSource;

static HANDLE interrupt;

static gboolean
event_prepare (GSource *source, int *timeout)
{
  *timeout = -1;

  return FALSE;
}

static gboolean
event_check (GSource *source)
{
  return ((EventSource *) source)->poll.revents != 0;
}

static gboolean
event_dispatch (GSource *source, GSourceFunc func, gpointer user_data)
{
  ResetEvent ((HANDLE) ((EventSource *) source)->poll.fd);

  return func (user_data);
}

static void
event_finalize (GSource *source)
{
  HANDLE event = (HANDLE) ((EventSource *) source)->poll.fd;

  if (event != interrupt)
    CloseHandle (event);
}

static GSourceFuncs event_funcs = { event_prepare, event_check, event_dispatch, event_finalize };

static BOOL WINAPI
on_console (DWORD what)
{
  return SetEvent (interrupt);
}

static HANDLE
get_interrupt (void)
{
  if (interrupt == NULL)
    {
      interrupt = CreateEventW (NULL, TRUE, FALSE, NULL);
      SetConsoleCtrlHandler (on_console, TRUE);
    }

  return interrupt;
}

static HANDLE
make_cancel (int pid)
{
  g_autofree char *name = g_strdup_printf ("Local\\foredeck-cancel-%d", pid);

  return CreateEventA (NULL, TRUE, FALSE, name);
}

guint
fore_signal_add (ForeSignal which, GSourceFunc func, gpointer user_data)
{
  GSource *source;
  EventSource *event;
  guint id;

  if (which != FORE_SIGNAL_INTERRUPT && which != FORE_SIGNAL_CANCEL)
    return 0;

  source = g_source_new (&event_funcs, sizeof (EventSource));
  event = (EventSource *) source;
  event->poll.fd = (gintptr) (which == FORE_SIGNAL_CANCEL ? make_cancel (GetCurrentProcessId ())
                                                          : get_interrupt ());
  event->poll.events = G_IO_IN;
  g_source_add_poll (source, &event->poll);
  g_source_set_callback (source, func, user_data, NULL);
  g_source_set_static_name (source, "signal");
  id = g_source_attach (source, NULL);
  g_source_unref (source);

  return id;
}

void
fore_signal_ignore_cancel (void)
{
}

void
fore_signal_ignore_broken_pipes (void)
{
}

gboolean
fore_signal_send_cancel (const ForeProcessId *id, GError **error)
{
  HANDLE event;
  gboolean told;

  g_return_val_if_fail (id != NULL, FALSE);

  event = make_cancel (id->pid);
  told = event != NULL && SetEvent (event);
  if (event != NULL)
    CloseHandle (event);
  if (!told)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("Process %d cannot be reached."),
                 id->pid);

  return told;
}

gboolean
fore_signal_is_polite (int number)
{
  return number == SIGTERM || number == SIGINT;
}
