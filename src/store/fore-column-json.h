/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-column.h"

G_BEGIN_DECLS

/* The list columns of a row as JSON text and back. */
char *fore_column_json_encode (const ForeColumn *column, gconstpointer row);
gboolean
fore_column_json_decode (const ForeColumn *column, const char *text, gpointer row, GError **error);
gboolean fore_column_find_word (const ForeColumnWords *words, const char *text, int *value);

G_END_DECLS
