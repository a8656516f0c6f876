/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Templates, styles and the help overlay; made by the build out of foredeck.gresource.xml. */
GResource *fore_app_get_resource (void);

G_END_DECLS
