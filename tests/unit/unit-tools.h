/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

/* A new folder of the test's own, with a short path (sockets lie in it). */
char *unit_make_dir (void);
void unit_remove_dir (const char *path);
