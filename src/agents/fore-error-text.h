/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-cause.h"

G_BEGIN_DECLS

ForeCause fore_error_text_classify (const char *text, int http_status);

G_END_DECLS
