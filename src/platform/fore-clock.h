/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

gint64 fore_clock_now_us (void);
gint64 fore_clock_boot_us (void);
gint64 fore_clock_thread_cpu_us (void);

G_END_DECLS
