/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-page-keys.h"

#define CONTROLLER "fore-page-keys"
#define TARGET "fore-page-target"

typedef struct
{
  char *action;
  int argument;
  gboolean plain;
} Key;

static void
key_free (gpointer data)
{
  Key *key = data;

  g_free (key->action);
  g_free (key);
}

static GtkWidget *
get_focus (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);

  return root != NULL ? gtk_root_get_focus (root) : NULL;
}

static gboolean
is_written_in (GtkWidget *focus)
{
  return focus != NULL && (GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus));
}

static gboolean
key_cb (GtkWidget *page, GVariant *arguments, gpointer data)
{
  Key *key = data;

  if (!gtk_widget_get_mapped (page) || (key->plain && is_written_in (get_focus (page))))
    return FALSE;

  if (key->argument != 0)
    return gtk_widget_activate_action (page, key->action, "i", key->argument);

  return gtk_widget_activate_action (page, key->action, NULL);
}

static GtkShortcutController *
ensure_controller (GtkWidget *page)
{
  GtkEventController *controller = g_object_get_data (G_OBJECT (page), CONTROLLER);

  if (controller == NULL)
    {
      controller = gtk_shortcut_controller_new ();
      gtk_shortcut_controller_set_scope (GTK_SHORTCUT_CONTROLLER (controller),
                                         GTK_SHORTCUT_SCOPE_GLOBAL);
      gtk_widget_add_controller (page, controller);
      g_object_set_data (G_OBJECT (page), CONTROLLER, controller);
    }

  return GTK_SHORTCUT_CONTROLLER (controller);
}

/**
 * fore_page_keys_add:
 * @page: a page, or a view on one
 * @key: a key
 * @modifiers: what is held with it; without any, who writes a text has the key
 * @action: an action of @page
 * @argument: number that @action takes, 0 for one that takes none
 *
 * Lets @key do @action while @page is shown, wherever in its window the focus is.
 */
void
fore_page_keys_add (
    GtkWidget *page, guint key, GdkModifierType modifiers, const char *action, int argument)
{
  Key *data;
  GtkShortcutAction *callback;

  g_return_if_fail (GTK_IS_WIDGET (page));
  g_return_if_fail (action != NULL);

  data = g_new0 (Key, 1);
  data->action = g_strdup (action);
  data->argument = argument;
  data->plain = modifiers == 0;
  callback = gtk_callback_action_new (key_cb, data, key_free);
  gtk_shortcut_controller_add_shortcut (
      ensure_controller (page),
      gtk_shortcut_new (gtk_keyval_trigger_new (key, modifiers), callback));
}

/**
 * fore_page_keys_set_target:
 * @page: a page, or a view on one
 * @target: (nullable): the widget in it that is to have the focus; of a #GtkStack the child that
 *   can be seen
 */
void
fore_page_keys_set_target (GtkWidget *page, GtkWidget *target)
{
  g_return_if_fail (GTK_IS_WIDGET (page));

  g_object_set_data (G_OBJECT (page), TARGET, target);
}

static GtkWidget *
find_target (GtkWidget *page)
{
  for (GtkWidget *next = page; next != NULL;)
    {
      page = next;
      next = GTK_IS_STACK (page) ? gtk_stack_get_visible_child (GTK_STACK (page))
                                 : g_object_get_data (G_OBJECT (page), TARGET);
    }

  return page;
}

/**
 * fore_page_keys_focus:
 * @page: a page that was opened
 *
 * Gives the focus to what @page is for, unless it is there.
 *
 * Returns: whether the focus is in @page
 */
gboolean
fore_page_keys_focus (GtkWidget *page)
{
  GtkWidget *target;
  GtkWidget *focus;

  g_return_val_if_fail (GTK_IS_WIDGET (page), FALSE);

  target = find_target (page);
  focus = get_focus (page);
  if (focus != NULL && gtk_widget_get_mapped (focus)
      && (focus == target || gtk_widget_is_ancestor (focus, target)))
    return TRUE;

  return gtk_widget_grab_focus (target) || gtk_widget_child_focus (target, GTK_DIR_TAB_FORWARD)
         || gtk_widget_child_focus (page, GTK_DIR_TAB_FORWARD);
}

static void
stop_search_cb (GtkSearchEntry *entry, gpointer data)
{
  gtk_editable_set_text (GTK_EDITABLE (entry), "");
}

/**
 * fore_page_keys_clear_on_escape:
 * @entry: what is searched with
 *
 * Lets Escape end the search.
 */
void
fore_page_keys_clear_on_escape (GtkSearchEntry *entry)
{
  g_return_if_fail (GTK_IS_SEARCH_ENTRY (entry));

  g_signal_connect (entry, "stop-search", G_CALLBACK (stop_search_cb), NULL);
}
