/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FORE_TYPE_WHEN_ROW (fore_when_row_get_type ())

/* Asks when something is to happen, and says when that is next. Signal: "changed" of an editable.
 */
G_DECLARE_FINAL_TYPE (ForeWhenRow, fore_when_row, FORE, WHEN_ROW, AdwEntryRow)

const char *fore_when_row_get_time (ForeWhenRow *self);
const char *fore_when_row_get_fault (ForeWhenRow *self);

G_END_DECLS
