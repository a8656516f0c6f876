/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ctl/fore-ctl.h"
#include "library/fore-library.h"

G_BEGIN_DECLS

gboolean fore_ctl_validate_library (ForeCtl *ctl, GError **error);

gboolean fore_ctl_edit_library (ForeCtl *ctl, ForeLibrary *library, GError **error);

gboolean fore_ctl_find_library_item (
    ForeCtl *ctl, ForeLibrary *library, const char **kind, const char **name, GError **error);
gboolean
fore_ctl_find_library_path (ForeCtl *ctl, ForeLibrary *library, const char **path, GError **error);

G_END_DECLS
