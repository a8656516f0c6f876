/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-limit-spin.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static gboolean
output_cb (GtkSpinButton *spin, gpointer data)
{
  if (gtk_spin_button_get_value (spin) > 0)
    return FALSE;

  if (strcmp (gtk_editable_get_text (GTK_EDITABLE (spin)), _ ("No limit")) != 0)
    gtk_editable_set_text (GTK_EDITABLE (spin), _ ("No limit"));

  return TRUE;
}

/* An emptied field says nothing; what is no number is refused by GTK's own reading. */
static int
input_cb (GtkSpinButton *spin, double *value, gpointer data)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (spin));

  if (*text == '\0')
    return GTK_INPUT_ERROR;
  if (strcmp (text, _ ("No limit")) != 0)
    return FALSE;

  *value = 0;
  return TRUE;
}

/**
 * fore_limit_spin_set_up:
 * @spin: a limit of which 0 means that there is none
 *
 * Lets @spin say so in words.
 */
void
fore_limit_spin_set_up (GtkSpinButton *spin)
{
  g_return_if_fail (GTK_IS_SPIN_BUTTON (spin));

  g_signal_connect (spin, "output", G_CALLBACK (output_cb), NULL);
  g_signal_connect (spin, "input", G_CALLBACK (input_cb), NULL);
  gtk_spin_button_set_numeric (spin, FALSE);
  /* A slip of the keyboard must not take a limit away. */
  gtk_spin_button_set_update_policy (spin, GTK_UPDATE_IF_VALID);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 10);
  gtk_spin_button_update (spin);
}
