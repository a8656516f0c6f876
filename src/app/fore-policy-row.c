/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-policy-row.h"

#include "app/fore-format.h"

static const ForeFailurePolicy policies[] = { FORE_POLICY_CONTINUE, FORE_POLICY_STOP,
                                              FORE_POLICY_STOP_NOW, FORE_POLICY_ASK };

/**
 * fore_policy_row_set_up:
 * @row: a row without choices
 */
void
fore_policy_row_set_up (AdwComboRow *row)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  g_return_if_fail (ADW_IS_COMBO_ROW (row));

  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    gtk_string_list_append (list, fore_format_policy (policies[i]));
  adw_combo_row_set_model (row, G_LIST_MODEL (list));
}

/**
 * fore_policy_row_set_word:
 * @row: a row that was set up
 * @word: (nullable): how the settings call a policy; what is none chooses the usual one
 */
void
fore_policy_row_set_word (AdwComboRow *row, const char *word)
{
  ForeFailurePolicy policy = FORE_POLICY_CONTINUE;

  g_return_if_fail (ADW_IS_COMBO_ROW (row));

  fore_failure_policy_from_string (word, &policy);
  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      if (policies[i] == policy)
        adw_combo_row_set_selected (row, i);
    }
}

/**
 * fore_policy_row_get:
 * @row: a row that was set up
 *
 * Returns: the policy that is chosen
 */
ForeFailurePolicy
fore_policy_row_get (AdwComboRow *row)
{
  guint index;

  g_return_val_if_fail (ADW_IS_COMBO_ROW (row), FORE_POLICY_CONTINUE);

  index = adw_combo_row_get_selected (row);
  return policies[MIN (index, G_N_ELEMENTS (policies) - 1)];
}
