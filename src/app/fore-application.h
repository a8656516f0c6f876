/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

#include "app/fore-index.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

#define FORE_TYPE_APPLICATION (fore_application_get_type ())

G_DECLARE_FINAL_TYPE (ForeApplication, fore_application, FORE, APPLICATION, AdwApplication)

ForeApplication *fore_application_new (void);
int fore_application_get_exit_status (ForeApplication *self);
ForeStore *fore_application_get_store (void);
ForeIndex *fore_application_get_index (void);
GSettings *fore_application_get_settings (void);
void fore_application_apply_colour_scheme (void);

G_END_DECLS
