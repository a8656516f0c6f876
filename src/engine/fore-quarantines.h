/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *fore_quarantines_dup_path (const char *home, const char *run, const char *task, guint n);
gboolean
fore_quarantines_import (const char *home, const char *run, const char *task, GError **error);

G_END_DECLS
