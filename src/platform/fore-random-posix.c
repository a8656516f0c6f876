/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-random-private.h"

#include <unistd.h>

#define MAX_AT_ONCE 256

/**
 * fore_random_fill:
 * @bytes: where to put them
 * @length: how many
 *
 * Fills @bytes from the generator of the system. Without one there is no safe way on: ends the
 * program.
 */
void
fore_random_fill (guint8 *bytes, gsize length)
{
  while (length > 0)
    {
      gsize step = MIN (length, MAX_AT_ONCE);

      if (getentropy (bytes, step) != 0)
        g_error ("The system gives no random numbers");

      bytes += step;
      length -= step;
    }
}
