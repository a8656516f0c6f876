/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Has the system call a program of ours at a certain time, also while nothing of ours runs. */

char *fore_alarm_dup_name (const char *home);
char *fore_alarm_build_systemd_service (const char *home, const char *program);
char *fore_alarm_build_systemd_timer (gint64 at_us);
char *fore_alarm_build_launchd (const char *home, const char *program);
char *fore_alarm_build_task (const char *home, const char *program, gint64 at_us);

gboolean fore_alarm_is_there (void);
gboolean fore_alarm_set (const char *home, const char *program, gint64 at_us, GError **error);

G_END_DECLS
