/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-run-model.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define FORE_TYPE_CHECKOUT_BANNER (fore_checkout_banner_get_type ())

/* Says what changed in the person's own checkout while tasks of a run worked. */
G_DECLARE_FINAL_TYPE (ForeCheckoutBanner, fore_checkout_banner, FORE, CHECKOUT_BANNER, AdwBin)

void fore_checkout_banner_set_model (ForeCheckoutBanner *self, ForeRunModel *model);

G_END_DECLS
