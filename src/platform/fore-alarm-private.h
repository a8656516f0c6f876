/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean fore_alarm_write (const char *path, const char *text, GError **error);
gboolean fore_alarm_call (const char *const *argv, GError **error);

G_END_DECLS
