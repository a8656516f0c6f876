/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

void fore_crash_system_install (const char *dir, const char *program);

G_END_DECLS
