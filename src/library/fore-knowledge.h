/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *fore_knowledge_dup_conventions (const char *text, gsize budget);
char *fore_knowledge_dup_sections (const char *text, const char *query, gsize budget);

G_END_DECLS
