/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

void fore_toast_place_update (AdwToastOverlay *overlay);

G_END_DECLS
