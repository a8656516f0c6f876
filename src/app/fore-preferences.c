/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-preferences.h"

#include "app/fore-application.h"
#include "app/fore-errors.h"
#include "app/fore-format.h"
#include "app/fore-job.h"
#include "app/fore-limit-spin.h"
#include "app/fore-run-choices.h"
#include "app/fore-trust-group.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _ForePreferences
{
  AdwPreferencesWindow parent_instance;

  AdwPreferencesPage *general;
  AdwPreferencesPage *limits;
  GHashTable *widgets;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (ForePreferences, fore_preferences, ADW_TYPE_PREFERENCES_WINDOW)

typedef struct
{
  char *key;
  char *text;
} Change;

static void
change_free (gpointer data)
{
  Change *change = data;

  g_free (change->key);
  g_free (change->text);
  g_free (change);
}

static gpointer
store_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  Change *change = data;
  g_autofree char *dir = fore_library_dup_user_dir ();
  g_autofree char *path = fore_settings_dup_user_path (dir);

  return GINT_TO_POINTER (
      fore_settings_store (path, FORE_SETTINGS_USER, change->key, change->text, NULL, error));
}

static void
stored_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  g_autofree char *title = NULL;

  if (error == NULL)
    return;

  title = g_markup_escape_text (error->message, -1);
  adw_preferences_window_add_toast (ADW_PREFERENCES_WINDOW (owner), adw_toast_new (title));
}

static void
write_setting (ForePreferences *self, const char *key, char *text)
{
  Change *change = g_new0 (Change, 1);

  change->key = g_strdup (key);
  change->text = text;
  fore_job_run (self, "store-setting", NULL, store_thread, change, change_free, NULL, stored_cb);
}

/* Limits without a fallback are none while they are not set. */
static gboolean
is_unset (const char *key, double value)
{
  return value <= 0 && fore_setting_keys_find (key)->fallback == NULL;
}

static void
spin_changed_cb (GtkSpinButton *spin, ForePreferences *self)
{
  const char *key = g_object_get_data (G_OBJECT (spin), "fore-key");
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (self->updating)
    return;

  g_ascii_formatd (number, sizeof number, gtk_spin_button_get_digits (spin) > 0 ? "%.2f" : "%.0f",
                   gtk_spin_button_get_value (spin));
  write_setting (self, key,
                 is_unset (key, gtk_spin_button_get_value (spin)) ? NULL : g_strdup (number));
}

static void
combo_changed_cb (AdwComboRow *row, GParamSpec *pspec, ForePreferences *self)
{
  const char *key = g_object_get_data (G_OBJECT (row), "fore-key");
  const char *const *words = g_object_get_data (G_OBJECT (row), "fore-words");
  guint index = adw_combo_row_get_selected (row);

  if (!self->updating && words != NULL && index < g_strv_length ((GStrv) words))
    write_setting (self, key, g_strdup (words[index]));
}

static AdwPreferencesGroup *
add_group (AdwPreferencesPage *page, const char *title, const char *description)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group), description);
  adw_preferences_page_add (page, ADW_PREFERENCES_GROUP (group));

  return ADW_PREFERENCES_GROUP (group);
}

static void
add_spin (ForePreferences *self,
          AdwPreferencesGroup *group,
          const char *key,
          const char *title,
          const char *subtitle,
          double most,
          guint digits)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *spin = gtk_spin_button_new_with_range (digits > 0 ? 0 : 1, most, 1);

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), digits);
  gtk_spin_button_set_update_policy (GTK_SPIN_BUTTON (spin), GTK_UPDATE_IF_VALID);
  if (digits > 0)
    fore_limit_spin_set_up (GTK_SPIN_BUTTON (spin));
  gtk_widget_set_valign (spin, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_object_set_data (G_OBJECT (spin), "fore-key", (gpointer) key);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), spin);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), spin);
  adw_preferences_group_add (group, row);
  g_hash_table_insert (self->widgets, (gpointer) key, spin);
  g_signal_connect (spin, "value-changed", G_CALLBACK (spin_changed_cb), self);
}

static AdwComboRow *
add_combo (AdwPreferencesGroup *group,
           const char *title,
           const char *subtitle,
           const char *const *names)
{
  GtkWidget *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) list = gtk_string_list_new (names);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (list));
  adw_preferences_group_add (group, row);

  return ADW_COMBO_ROW (row);
}

static void
add_words (ForePreferences *self,
           AdwPreferencesGroup *group,
           const char *key,
           const char *title,
           const char *subtitle,
           const char *const *words,
           const char *const *names)
{
  AdwComboRow *row = add_combo (group, title, subtitle, names);

  g_object_set_data (G_OBJECT (row), "fore-key", (gpointer) key);
  g_object_set_data_full (G_OBJECT (row), "fore-words", g_strdupv ((GStrv) words),
                          (GDestroyNotify) g_strfreev);
  g_hash_table_insert (self->widgets, (gpointer) key, row);
  g_signal_connect (row, "notify::selected", G_CALLBACK (combo_changed_cb), self);
}

static void
scheme_changed_cb (AdwComboRow *row, GParamSpec *pspec, ForePreferences *self)
{
  static const char *const words[] = { "system", "light", "dark" };
  GSettings *settings = fore_application_get_settings ();
  guint index = MIN (adw_combo_row_get_selected (row), G_N_ELEMENTS (words) - 1);

  if (settings == NULL)
    return;

  g_settings_set_string (settings, "colour-scheme", words[index]);
  fore_application_apply_colour_scheme ();
}

static void
add_looks (ForePreferences *self)
{
  const char *const names[] = { _ ("Follow the system"), _ ("Light"), _ ("Dark"), NULL };
  GSettings *settings = fore_application_get_settings ();
  g_autofree char *scheme = settings != NULL ? g_settings_get_string (settings, "colour-scheme")
                                             : NULL;
  AdwComboRow *row = add_combo (add_group (self->general, _ ("Appearance"), NULL),
                                _ ("Colour scheme"), NULL, names);

  if (g_strcmp0 (scheme, "light") == 0)
    adw_combo_row_set_selected (row, 1);
  else if (g_strcmp0 (scheme, "dark") == 0)
    adw_combo_row_set_selected (row, 2);
  gtk_widget_set_sensitive (GTK_WIDGET (row), settings != NULL);
  g_signal_connect (row, "notify::selected", G_CALLBACK (scheme_changed_cb), self);
}

static void
add_decisions (ForePreferences *self)
{
  const char *const plan_words[] = { "ask", "auto", NULL };
  const char *const plan_names[] = { _ ("Ask me"), _ ("Approve by itself"), NULL };
  const char *const fail_words[] = { "continue", "stop", "stop-now", "ask", NULL };
  const char *const fail_names[] = { fore_format_policy (FORE_POLICY_CONTINUE),
                                     fore_format_policy (FORE_POLICY_STOP),
                                     fore_format_policy (FORE_POLICY_STOP_NOW),
                                     fore_format_policy (FORE_POLICY_ASK), NULL };
  const char *const tree_words[] = { "worktrees", "none", NULL };
  const char *const tree_names[] = { _ ("Separate worktrees"), _ ("The project's own tree"), NULL };
  AdwPreferencesGroup *group = add_group (self->general, _ ("New Runs"),
                                          _ ("What a new run begins with."));

  add_words (self, group, "approval.plan", _ ("Plans"), _ ("before anything is written"),
             plan_words, plan_names);
  add_words (self, group, "failure.policy", _ ("When a task fails"), NULL, fail_words, fail_names);
  add_words (self, group, "git.isolation", _ ("Where agents write"), NULL, tree_words, tree_names);
}

static void
add_data (ForePreferences *self)
{
  AdwPreferencesGroup *group = add_group (self->general, _ ("Your Data"), NULL);
  ForeStore *store = fore_application_get_store ();
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *path = fore_format_path (store != NULL ? fore_store_get_home (store) : NULL);
  g_autofree char *escaped = g_markup_escape_text (path, -1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Where everything is kept"));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), escaped);
  adw_preferences_group_add (group, row);
}

static void
add_limits (ForePreferences *self)
{
  AdwPreferencesGroup *group = add_group (self->limits, _ ("Agents at Work"), NULL);

  add_spin (self, group, "limits.machine_agents", _ ("On this machine"), _ ("over all runs"), 1024,
            0);
  add_spin (self, group, "limits.run_agents", _ ("In one run"), NULL, 1024, 0);
  group = add_group (self->limits, _ ("Money"),
                     /* xgettext:no-c-format */
                     _ ("In US dollars. Runs warn at 80 % and stop at 95 % of their budget."));
  add_spin (self, group, "limits.run_cost", _ ("Budget of a new run"), NULL, 10000, 2);
  add_spin (self, group, "limits.day_cost", _ ("Most in a day"), _ ("over all runs"), 100000, 2);
}

static gpointer
load_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  g_autofree char *dir = fore_library_dup_user_dir ();

  return fore_settings_load (dir, NULL, FALSE, NULL);
}

static void
show_value (const char *key, GtkWidget *widget, ForeSettings *settings)
{
  if (GTK_IS_SPIN_BUTTON (widget))
    {
      gboolean whole = gtk_spin_button_get_digits (GTK_SPIN_BUTTON (widget)) == 0;

      if (fore_settings_is_set (settings, key) || fore_setting_keys_find (key)->fallback != NULL)
        gtk_spin_button_set_value (GTK_SPIN_BUTTON (widget),
                                   whole ? (double) fore_settings_get_int (settings, key)
                                         : fore_settings_get_double (settings, key));
    }
  else
    {
      GStrv words = g_object_get_data (G_OBJECT (widget), "fore-words");
      const char *word = fore_settings_get_string (settings, key);

      for (guint i = 0; words[i] != NULL; i++)
        {
          if (g_strcmp0 (words[i], word) == 0)
            adw_combo_row_set_selected (ADW_COMBO_ROW (widget), i);
        }
    }
}

static void
loaded_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForePreferences *self = owner;
  GHashTableIter iter;
  gpointer key;
  gpointer widget;

  if (error != NULL || result == NULL)
    return;

  self->updating = TRUE;
  g_hash_table_iter_init (&iter, self->widgets);
  while (g_hash_table_iter_next (&iter, &key, &widget))
    show_value (key, widget, result);
  self->updating = FALSE;
}

static void
add_agents (ForePreferences *self, const ForeRunChoices *choices)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  AdwPreferencesGroup *group = add_group (
      self->general, _ ("Agents"), _ ("Used where neither the run nor the role names another."));
  const char *current = fore_settings_get_string (choices->settings, "agents.default_cli");
  /* None is shown as chosen that was not. */
  guint selected = GTK_INVALID_LIST_POSITION;

  for (guint i = 0; i < choices->clis->len; i++)
    {
      if (g_strcmp0 (g_ptr_array_index (choices->clis, i), current) == 0)
        selected = i;
      g_ptr_array_add (words, g_ptr_array_index (choices->clis, i));
      g_ptr_array_add (names, g_ptr_array_index (choices->titles, i));
    }
  g_ptr_array_add (words, NULL);
  g_ptr_array_add (names, NULL);
  add_words (self, group, "agents.default_cli", _ ("Default agent"), _ ("found on this machine"),
             (const char *const *) words->pdata, (const char *const *) names->pdata);
  self->updating = TRUE;
  adw_combo_row_set_selected (g_hash_table_lookup (self->widgets, "agents.default_cli"), selected);
  self->updating = FALSE;
}

static void
agents_found_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  const ForeRunChoices *choices = result;

  if (choices != NULL && choices->clis->len > 0)
    add_agents (owner, choices);
}

static void
fore_preferences_finalize (GObject *object)
{
  ForePreferences *self = FORE_PREFERENCES (object);

  g_hash_table_unref (self->widgets);

  G_OBJECT_CLASS (fore_preferences_parent_class)->finalize (object);
}

static void
fore_preferences_class_init (ForePreferencesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_preferences_finalize;
}

static AdwPreferencesPage *
add_page (ForePreferences *self, const char *name, const char *title, const char *icon)
{
  GtkWidget *page = adw_preferences_page_new ();

  adw_preferences_page_set_name (ADW_PREFERENCES_PAGE (page), name);
  adw_preferences_page_set_title (ADW_PREFERENCES_PAGE (page), title);
  adw_preferences_page_set_icon_name (ADW_PREFERENCES_PAGE (page), icon);
  adw_preferences_window_add (ADW_PREFERENCES_WINDOW (self), ADW_PREFERENCES_PAGE (page));

  return ADW_PREFERENCES_PAGE (page);
}

static void
fore_preferences_init (ForePreferences *self)
{
  ForeStore *store = fore_application_get_store ();

  self->widgets = g_hash_table_new (g_str_hash, g_str_equal);
  gtk_window_set_modal (GTK_WINDOW (self), TRUE);
  adw_preferences_window_set_search_enabled (ADW_PREFERENCES_WINDOW (self), TRUE);
  self->general = add_page (self, "general", _ ("General"), "fore-settings-symbolic");
  self->limits = add_page (self, "limits", _ ("Limits"), "fore-cost-symbolic");
  add_looks (self);
  add_decisions (self);
  adw_preferences_page_add (self->general, ADW_PREFERENCES_GROUP (fore_trust_group_new ()));
  add_data (self);
  add_limits (self);
  fore_job_run (self, "load-settings", NULL, load_thread, NULL, NULL,
                (GDestroyNotify) fore_settings_unref, loaded_cb);
  if (store != NULL)
    fore_run_choices_query (self, store, NULL, TRUE, agents_found_cb);
}

/**
 * fore_preferences_new:
 *
 * Returns: (transfer floating): the preferences
 */
GtkWidget *
fore_preferences_new (void)
{
  return g_object_new (FORE_TYPE_PREFERENCES, NULL);
}
