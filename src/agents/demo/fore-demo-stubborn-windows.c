/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/demo/fore-demo-player.h"

#include <windows.h>

/* Takes no notice of Ctrl+C, and leaves a child without a console. */
void
demo_be_stubborn (void)
{
  char command[] = "ping -n 3600 127.0.0.1";
  STARTUPINFOA startup = { .cb = sizeof startup };
  PROCESS_INFORMATION process;

  SetConsoleCtrlHandler (NULL, TRUE);
  if (!CreateProcessA (NULL, command, NULL, NULL, FALSE, DETACHED_PROCESS, NULL, NULL, &startup,
                       &process))
    return;

  CloseHandle (process.hProcess);
  CloseHandle (process.hThread);
}
