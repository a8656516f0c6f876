/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-rescue.h"

/**
 * fore_rescue_free:
 * @self: (nullable): a rescue
 *
 * Frees @self; what it keeps stays.
 */
void
fore_rescue_free (ForeRescue *self)
{
  if (self == NULL)
    return;

  g_free (self->name);
  g_free (self->commit);
  g_free (self->subject);
  g_free (self);
}
