/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-space-banner.h"

#include "text/fore-text.h"

#include <glib/gi18n-lib.h>

#define MIB G_GUINT64_CONSTANT (1048576)
#define SPACE_WARNING (2048 * MIB)
#define SPACE_STOP (500 * MIB)

/**
 * fore_space_banner_update:
 * @self: a banner
 * @bytes: bytes that are free where the store lies
 *
 * Warns when the disk is nearly full, or hides the banner.
 */
void
fore_space_banner_update (ForeBanner *self, guint64 bytes)
{
  g_autofree char *size = fore_text_format_size (bytes);
  g_autofree char *text = NULL;

  g_return_if_fail (FORE_IS_BANNER (self));

  if (bytes >= SPACE_WARNING)
    {
      fore_banner_hide (self);
      return;
    }

  if (bytes < SPACE_STOP)
    text = g_strdup_printf (_ ("Only %s are free on the disk: nothing new is started until there "
                               "is more."),
                            size);
  else
    text = g_strdup_printf (_ ("Only %s are free on the disk. Foredeck starts nothing new below "
                               "500 MiB."),
                            size);
  fore_banner_show (self, bytes < SPACE_STOP ? FORE_BANNER_ERROR : FORE_BANNER_ATTENTION, text,
                    NULL, bytes >= SPACE_STOP);
}
