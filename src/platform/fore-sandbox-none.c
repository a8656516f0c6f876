/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-sandbox-private.h"

#include <glib/gi18n-lib.h>

#include "model/fore-error.h"

char *
fore_sandbox_system_find (GError **error)
{
  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                       _ ("There is no sandbox for agents on this system; run agents on Linux to "
                          "have one"));

  return NULL;
}

void
fore_sandbox_system_add_powers (GPtrArray *argv)
{
}
