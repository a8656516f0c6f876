/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  FORE_LOCK_TAKEN,
  FORE_LOCK_BUSY,
  FORE_LOCK_FAILED, /* errno says why */
} ForeLockResult;

/* What differs between systems. */
int fore_lock_system_open (const char *path);
ForeLockResult fore_lock_system_try (int fd, gboolean exclusive);
void fore_lock_system_unlock (int fd);

ForeLockResult fore_lock_try_fd (int fd, gboolean exclusive);

G_END_DECLS
