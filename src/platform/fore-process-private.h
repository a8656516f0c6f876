/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#ifdef G_OS_WIN32
#define FORE_PROGRAM_SUFFIX ".exe"
#else
#define FORE_PROGRAM_SUFFIX ""
#endif

int fore_process_system_get_pid (void);
/* 0 if there is none that can be seen */
int fore_process_system_get_parent (int pid);
char *fore_process_system_dup_self (void);
/* What a child of g_spawn does before it becomes its program: a session of its own. NULL: nothing.
 */
GSpawnChildSetupFunc fore_process_system_get_setup (void);
/* Ends a child that was set up so, and what it started. */
void fore_process_system_kill_group (GPid pid);

G_END_DECLS
