/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean fore_run_identity_save (const char *home, const char *run_id, GError **error);
GStrv fore_run_identity_apply (const char *home, const char *run_id, GStrv env);

G_END_DECLS
