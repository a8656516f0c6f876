/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Secrets that are told by what they look like, whoever they belong to. */

char *fore_secrets_mask (const char *text, gboolean named);

G_END_DECLS
