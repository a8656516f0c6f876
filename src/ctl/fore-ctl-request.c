/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-request.h"

#include "ctl/fore-ctl-output.h"
#include "text/fore-text.h"

#include <glib/gi18n.h>
#include <string.h>

static const char *const yes_kinds[] = { "approve", "allow_once", "accept", "yes", NULL };
static const char *const no_kinds[] = { "reject", "reject_once", "deny", "cancel", "no", NULL };

/**
 * fore_ctl_request_find_option:
 * @request: a request
 * @word: the id of an option, or its kind
 *
 * Returns: (transfer none) (nullable): the option that is meant
 */
const ForeRequestOption *
fore_ctl_request_find_option (const ForeRequest *request, const char *word)
{
  const ForeRequestOption *option = fore_request_find_option (request, word);

  return option != NULL ? option : fore_request_find_option_by_kind (request, word);
}

static const ForeRequestOption *
find_first (const ForeRequest *request, const char *const *kinds)
{
  for (guint i = 0; kinds[i] != NULL; i++)
    {
      const ForeRequestOption *option = fore_ctl_request_find_option (request, kinds[i]);

      if (option != NULL)
        return option;
    }

  return NULL;
}

/**
 * fore_ctl_request_find_approval:
 * @request: a request
 *
 * Returns: (transfer none) (nullable): the option that `approve` without more words chooses
 */
const ForeRequestOption *
fore_ctl_request_find_approval (const ForeRequest *request)
{
  return find_first (request, yes_kinds);
}

/**
 * fore_ctl_request_find_refusal:
 * @request: a request
 *
 * Returns: (transfer none) (nullable): the option that `reject` without more words chooses
 */
const ForeRequestOption *
fore_ctl_request_find_refusal (const ForeRequest *request)
{
  return find_first (request, no_kinds);
}

static gboolean
wants_text (const ForeRequestOption *option)
{
  return g_strcmp0 (option->kind, "again") == 0;
}

static char *
dup_command (const ForeRequest *request, const ForeRequestOption *option)
{
  g_autofree char *word = fore_text_quote_word (option->id);

  if (g_strcmp0 (option->kind, "answer") == 0)
    return g_strdup_printf (FORE_CTL_NAME " answer %s TEXT", request->id);
  if (g_strcmp0 (option->kind, "changes") == 0)
    return g_strdup_printf (FORE_CTL_NAME " reject %s --feedback TEXT", request->id);
  if (request->kind == FORE_REQUEST_NO_PLAN && g_strcmp0 (option->kind, "approve") == 0)
    return g_strdup_printf (FORE_CTL_NAME " approve %s --plan FILE", request->id);
  if (wants_text (option))
    return g_strdup_printf (FORE_CTL_NAME " answer %s --option %s TEXT", request->id, word);
  if (option == fore_ctl_request_find_approval (request))
    return g_strdup_printf (FORE_CTL_NAME " approve %s", request->id);
  if (option == fore_ctl_request_find_refusal (request))
    return g_strdup_printf (FORE_CTL_NAME " reject %s", request->id);

  return g_strdup_printf (FORE_CTL_NAME " answer %s %s", request->id, word);
}

/* Each line stands behind a bar, so that no agent's text passes for ours. */
static void
print_text (ForeCtl *ctl, const ForeRequest *request, guint max_lines)
{
  g_autofree char *clean = fore_ctl_dup_clean (request->body);
  g_auto (GStrv) lines = g_strsplit (g_strstrip (clean), "\n", -1);
  guint n_lines = g_strv_length (lines);
  guint n_shown = max_lines > 0 && n_lines > max_lines ? max_lines : n_lines;

  if (*clean == '\0' || g_strcmp0 (clean, request->title) == 0)
    return;

  for (guint i = 0; i < n_shown; i++)
    {
      fore_ctl_print_styled (ctl, FORE_CTL_DIM, "  │ ");
      fore_ctl_print (ctl, "%s\n", lines[i]);
    }
  if (n_shown < n_lines)
    fore_ctl_print (ctl,
                    g_dngettext (NULL, "  … %u more line: “foredeckctl requests %s” shows all\n",
                                 "  … %u more lines: “foredeckctl requests %s” shows all\n",
                                 n_lines - n_shown),
                    n_lines - n_shown, request->run);
}

static void
print_option (ForeCtl *ctl, const ForeRequest *request, const ForeRequestOption *option)
{
  g_autofree char *command = dup_command (request, option);
  g_autofree char *name = fore_ctl_dup_clean (option->name != NULL ? option->name : option->id);

  fore_ctl_print (ctl, "  %s: ", name);
  fore_ctl_print_styled (ctl, FORE_CTL_BOLD, command);
  fore_ctl_print (ctl, "\n");
}

/**
 * fore_ctl_request_print:
 * @ctl: a call
 * @request: a request
 * @max_lines: most lines of its text, or 0 for all
 *
 * Prints who asks what, the answers that there are, and the command that gives each.
 */
void
fore_ctl_request_print (ForeCtl *ctl, const ForeRequest *request, guint max_lines)
{
  g_autofree char *title = NULL;

  g_return_if_fail (ctl != NULL && request != NULL);

  title = fore_ctl_dup_clean (request->title);
  fore_ctl_print_styled (ctl, FORE_CTL_WAIT, request->id);
  fore_ctl_print (ctl, "  %s\n", title);
  if (request->task != NULL)
    fore_ctl_print (ctl, _ ("  Asked by the task %s (%s)\n"), request->task,
                    fore_request_kind_to_string (request->kind));
  print_text (ctl, request, max_lines);
  if (request->state != FORE_REQUEST_OPEN)
    return;

  if (request->kind == FORE_REQUEST_PLAN)
    fore_ctl_print (ctl, _ ("  The plan: foredeckctl plan %s\n"), request->run);
  for (guint i = 0; i < request->options->len; i++)
    print_option (ctl, request, request->options->pdata[i]);
}

/**
 * fore_ctl_request_print_open:
 * @ctl: a call
 * @requests: (element-type ForeRequest): requests, of which the open ones are printed
 * @max_lines: most lines of the text of each, or 0 for all
 *
 * Prints them with a blank line in front of each.
 */
void
fore_ctl_request_print_open (ForeCtl *ctl, GPtrArray *requests, guint max_lines)
{
  g_return_if_fail (ctl != NULL && requests != NULL);

  for (guint i = 0; i < requests->len; i++)
    {
      const ForeRequest *request = requests->pdata[i];

      if (request->state != FORE_REQUEST_OPEN)
        continue;
      fore_ctl_print (ctl, "\n");
      fore_ctl_request_print (ctl, request, max_lines);
    }
}
