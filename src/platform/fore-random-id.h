/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* 8 lowercase base32 characters, the first a letter: an id of a run. */
char *fore_platform_random_run_id (void);
/* @n_bytes (≥ 16) from the system's generator as hex, for capability tokens. */
char *fore_platform_random_token (gsize n_bytes);

G_END_DECLS
