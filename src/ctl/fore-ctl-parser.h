/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ctl/fore-ctl.h"

G_BEGIN_DECLS

/* Strict: what no table names is an error that suggests the nearest. */

gboolean fore_ctl_parse (ForeCtl *ctl, int argc, char *const *argv, GError **error);
const ForeCtlOption *fore_ctl_get_common_options (void);

G_END_DECLS
