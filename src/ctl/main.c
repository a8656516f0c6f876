/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-help.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-parser.h"
#include "ctl/fore-ctl.h"
#include "platform/fore-crash.h"
#include "platform/fore-dirs.h"
#include "platform/fore-log.h"
#include "platform/fore-signals.h"
#include "platform/fore-texts.h"

#include <glib/gi18n.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void
set_up_reports (void)
{
  g_autofree char *home = fore_dirs_dup_home ();

  g_set_prgname (FORE_CTL_NAME);
  fore_log_install (home, FORE_CTL_NAME);
  fore_crash_install (home, FORE_CTL_NAME);
}

/* Also for command lines that cannot be understood. */
static gboolean
wants_json (int argc, char **argv)
{
  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++)
    {
      if (strcmp (argv[i], "--json") == 0)
        return TRUE;
    }

  return FALSE;
}

static void
set_up_output (ForeCtl *ctl)
{
  gboolean colours = g_log_writer_supports_color (fileno (stdout));

  ctl->terminal = colours;
  ctl->colour = colours && g_getenv ("NO_COLOR") == NULL && !fore_ctl_has (ctl, "no-colour")
                && !ctl->json;
}

static gboolean
do_verb (ForeCtl *ctl, GError **error)
{
  if (ctl->verb == NULL || fore_ctl_has (ctl, "help"))
    {
      if (ctl->verb == NULL && !fore_ctl_has (ctl, "help"))
        {
          g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                       _ ("Say what to do; “foredeckctl --help” lists the verbs."));
          return FALSE;
        }

      fore_ctl_print_help (ctl, ctl->verb);
      return TRUE;
    }

  if ((ctl->verb->flags & FORE_CTL_PERSON) != 0 && !fore_ctl_check_person (ctl, error))
    return FALSE;

  return ctl->verb->func (ctl, error);
}

int
main (int argc, char **argv)
{
  g_autoptr (ForeCtl) ctl = fore_ctl_new ();
  g_autoptr (GError) error = NULL;

  fore_signal_ignore_broken_pipes ();
  fore_texts_bind ();

  if (!fore_ctl_parse (ctl, argc, argv, &error))
    return fore_ctl_print_error (ctl, wants_json (argc, argv), error);

  set_up_output (ctl);
  set_up_reports ();
  if (!do_verb (ctl, &error))
    return fore_ctl_print_error (ctl, ctl->json, error);

  fore_ctl_flush ();
  return ctl->exit_code;
}
