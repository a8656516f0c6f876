/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

#include "model/fore-run.h"

G_BEGIN_DECLS

/* A row that asks what a failed task does to the rest of its run. */

void fore_policy_row_set_up (AdwComboRow *row);
void fore_policy_row_set_word (AdwComboRow *row, const char *word);
ForeFailurePolicy fore_policy_row_get (AdwComboRow *row);

G_END_DECLS
