/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-verb.h"

#include <glib/gi18n-lib.h>

/**
 * fore_run_verb_find:
 * @run: a run
 * @health: what its runner is up to
 * @on_changes: whether its changes are looked at
 *
 * Returns: the one thing that is most likely to be wanted now
 */
ForeRunVerb
fore_run_verb_find (const ForeRun *run, ForeRunHealth health, gboolean on_changes)
{
  g_return_val_if_fail (run != NULL, FORE_RUN_VERB_NONE);

  if (on_changes && fore_run_has_result (run) && health == FORE_RUN_WELL)
    return FORE_RUN_VERB_MERGE;
  if (fore_run_awaits_review (run))
    return FORE_RUN_VERB_REVIEW;
  if (health == FORE_RUN_STUCK)
    return FORE_RUN_VERB_RESTART;
  if (health == FORE_RUN_INTERRUPTED)
    return FORE_RUN_VERB_RESUME;
  if (run->status == FORE_RUN_PAUSED)
    return FORE_RUN_VERB_CONTINUE;
  if (run->status == FORE_RUN_FAILED)
    return FORE_RUN_VERB_RETRY;
  if (fore_run_has_result (run))
    return FORE_RUN_VERB_REVIEW;
  if (fore_run_is_active (run))
    return FORE_RUN_VERB_PAUSE;

  return FORE_RUN_VERB_NONE;
}

static char *
dup_label (ForeRunVerb verb, const ForeRun *run, gboolean narrow)
{
  switch (verb)
    {
    case FORE_RUN_VERB_PAUSE:
      return g_strdup (_ ("Pause"));
    case FORE_RUN_VERB_CONTINUE:
      return g_strdup (_ ("Continue"));
    case FORE_RUN_VERB_RESUME:
      return g_strdup (_ ("Resume"));
    case FORE_RUN_VERB_RESTART:
      return g_strdup (_ ("Restart"));
    case FORE_RUN_VERB_RETRY:
      return g_strdup (_ ("Retry"));
    case FORE_RUN_VERB_REVIEW:
      return g_strdup (_ ("Review Changes"));
    case FORE_RUN_VERB_MERGE:
      if (narrow)
        return g_strdup (_ ("Merge…"));
      return g_strdup_printf (_ ("Merge into %s…"),
                              run->base_branch != NULL ? run->base_branch : _ ("the branch"));
    case FORE_RUN_VERB_NONE:
    default:
      return NULL;
    }
}

/**
 * fore_run_verb_show:
 * @verb: a verb
 * @run: the run that it is for
 * @narrow: whether there is room for few words only
 * @button: the main button of its page
 *
 * Gives @button the words and the look of @verb, or hides it.
 */
void
fore_run_verb_show (ForeRunVerb verb, const ForeRun *run, gboolean narrow, GtkButton *button)
{
  g_autofree char *label = NULL;

  g_return_if_fail (run != NULL);
  g_return_if_fail (GTK_IS_BUTTON (button));

  label = dup_label (verb, run, narrow);
  gtk_widget_set_visible (GTK_WIDGET (button), label != NULL);
  if (label != NULL && g_strcmp0 (gtk_button_get_label (button), label) != 0)
    {
      gtk_button_set_label (button, label);
      /* The branch in it may be longer than there is room. */
      gtk_label_set_ellipsize (GTK_LABEL (gtk_button_get_child (button)), PANGO_ELLIPSIZE_END);
    }
  if (verb == FORE_RUN_VERB_PAUSE)
    gtk_widget_remove_css_class (GTK_WIDGET (button), "suggested-action");
  else
    gtk_widget_add_css_class (GTK_WIDGET (button), "suggested-action");
}

/**
 * fore_run_verb_get_command:
 * @verb: a verb
 * @kind: (out): the command that it gives to the run
 * @note: (out): what to say when it was taken up
 *
 * Returns: %FALSE for a verb that leads somewhere instead
 */
gboolean
fore_run_verb_get_command (ForeRunVerb verb, ForeCommandKind *kind, const char **note)
{
  switch (verb)
    {
    case FORE_RUN_VERB_PAUSE:
      *kind = FORE_COMMAND_PAUSE;
      *note = _ ("Paused: nothing new is started.");
      return TRUE;
    case FORE_RUN_VERB_CONTINUE:
      *kind = FORE_COMMAND_CONTINUE;
      *note = _ ("The run goes on.");
      return TRUE;
    case FORE_RUN_VERB_RESUME:
      *kind = FORE_COMMAND_RESUME;
      *note = _ ("The run is taken up again.");
      return TRUE;
    case FORE_RUN_VERB_RETRY:
      *kind = FORE_COMMAND_RETRY;
      *note = _ ("What failed is tried again.");
      return TRUE;
    default:
      return FALSE;
    }
}
