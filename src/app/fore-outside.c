/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-outside.h"

#include "text/fore-text.h"

/**
 * fore_outside_dup:
 * @text: (nullable): text from outside
 *
 * Returns: (transfer full) (nullable): @text, with what would act without being seen made visible
 */
char *
fore_outside_dup (const char *text)
{
  return text != NULL ? fore_text_make_visible (text) : NULL;
}

/**
 * fore_outside_show:
 * @label: a label
 * @text: (nullable): text from outside, never markup
 *
 * Shows @text; setting what is shown already changes nothing.
 */
void
fore_outside_show (GtkLabel *label, const char *text)
{
  g_autofree char *visible = NULL;

  g_return_if_fail (GTK_IS_LABEL (label));

  visible = fore_text_make_visible (text != NULL ? text : "");
  if (g_strcmp0 (gtk_label_get_text (label), visible) != 0)
    gtk_label_set_text (label, visible);
}

/**
 * fore_outside_explain:
 * @widget: a widget
 * @text: (nullable): text from outside for its tooltip
 */
void
fore_outside_explain (GtkWidget *widget, const char *text)
{
  g_autofree char *visible = NULL;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  visible = fore_outside_dup (text);
  gtk_widget_set_tooltip_text (widget, visible);
}

/**
 * fore_outside_name:
 * @widget: a widget
 * @text: text from outside that assistive technology says for it
 */
void
fore_outside_name (GtkWidget *widget, const char *text)
{
  g_autofree char *visible = NULL;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (text != NULL);

  visible = fore_text_make_visible (text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, visible,
                                  -1);
}
