/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FORE_TYPE_TRUST_ROW (fore_trust_row_get_type ())

/* Says that a project is not trusted, with the button that asks what this means and does it.
 * Signal: "trusted".
 */
G_DECLARE_FINAL_TYPE (ForeTrustRow, fore_trust_row, FORE, TRUST_ROW, AdwActionRow)

void fore_trust_row_set_project (ForeTrustRow *self, const char *project);

G_END_DECLS
