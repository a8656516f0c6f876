/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Leaves crashes/<program>-<pid>-<time>.txt when this process dies of SEGV, ABRT, BUS, FPE or ILL.
 */
void fore_crash_install (const char *home, const char *program);
/* Paths of reports that nobody has seen, the newest first. */
GStrv fore_crash_list_unseen (const char *home);
gboolean fore_crash_mark_seen (const char *path, GError **error);

char *fore_crash_find (const char *home, const char *program, int pid, char **cause);

G_END_DECLS
