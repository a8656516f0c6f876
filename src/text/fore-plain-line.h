/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One line for a list or a notification, made of a text that was written as Markdown. */

char *fore_plain_line_dup (const char *markdown, guint max_chars);

G_END_DECLS
