/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ctl/fore-ctl.h"

G_BEGIN_DECLS

void fore_ctl_print_help (ForeCtl *ctl, const ForeCtlVerb *verb);

G_END_DECLS
