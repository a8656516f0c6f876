/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-plan.h"

G_BEGIN_DECLS

char *fore_item_checks_to_text (GPtrArray *checks);
GPtrArray *fore_item_checks_from_text (const char *text, GPtrArray *before, GError **error);
char *fore_item_words_to_text (const char *const *words);
GStrv fore_item_words_from_text (const char *text, GError **error);

G_END_DECLS
