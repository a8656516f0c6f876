/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "platform/fore-log.h"

G_BEGIN_DECLS

/* Safe in a signal handler. */
void fore_log_write_recent (int fd);

G_END_DECLS
