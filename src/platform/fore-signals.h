/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "platform/fore-process.h"

G_BEGIN_DECLS

/* Windows knows neither: the one ends a process as any other does there, the other does nothing. */
#ifdef G_OS_WIN32
#define SIGKILL 9
#define SIGCONT 18
#endif

/**
 * ForeSignal:
 * @FORE_SIGNAL_INTERRUPT: Ctrl+C
 * @FORE_SIGNAL_TERMINATE: somebody politely wants the program to end
 * @FORE_SIGNAL_HANGUP: its terminal is gone
 * @FORE_SIGNAL_CANCEL: cancel the run, sent by fore_signal_send_cancel()
 *
 * What a program of ours is told from outside. Windows has only the first and the last.
 */
typedef enum
{
  FORE_SIGNAL_INTERRUPT,
  FORE_SIGNAL_TERMINATE,
  FORE_SIGNAL_HANGUP,
  FORE_SIGNAL_CANCEL,
} ForeSignal;

guint fore_signal_add (ForeSignal which, GSourceFunc func, gpointer user_data);
void fore_signal_ignore_cancel (void);
void fore_signal_ignore_broken_pipes (void);
gboolean fore_signal_send_cancel (const ForeProcessId *id, GError **error);
gboolean fore_signal_is_polite (int number);

G_END_DECLS
