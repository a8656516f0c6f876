/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-random-private.h"

#include <windows.h>

#include <bcrypt.h>

void
fore_random_fill (guint8 *bytes, gsize length)
{
  if (BCryptGenRandom (NULL, bytes, (ULONG) length, BCRYPT_USE_SYSTEM_PREFERRED_RNG) != 0)
    g_error ("The system gives no random numbers");
}
