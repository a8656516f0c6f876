/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "app/fore-application.h"
#include "platform/fore-texts.h"

int
main (int argc, char **argv)
{
  g_autoptr (ForeApplication) application = NULL;
  int status;

  fore_texts_bind ();

  application = fore_application_new ();
  status = g_application_run (G_APPLICATION (application), argc, argv);
  return status != 0 ? status : fore_application_get_exit_status (application);
}
