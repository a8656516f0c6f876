/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-banner.h"

G_BEGIN_DECLS

void fore_space_banner_update (ForeBanner *self, guint64 bytes);

G_END_DECLS
