/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-library-window.h"

#include "app/fore-changes-open.h"
#include "app/fore-errors.h"
#include "app/fore-job.h"
#include "app/fore-library-item.h"
#include "app/fore-library-page.h"
#include "app/fore-library-row.h"
#include "app/fore-list-sync.h"
#include "app/fore-split.h"
#include "library/fore-library-edit.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Editors write a file in several steps. */
#define SETTLE_MS 150

struct _ForeLibraryWindow
{
  AdwWindow parent_instance;

  GListStore *items;
  GtkFilterListModel *found;
  GtkWidget *search;
  GtkListBox *list;
  ForeLibraryPage *page;
  ForeSplit *split;
  GPtrArray *monitors;
  GFileMonitor *near; /* of the folder of what is shown */
  ForeLibraryItem *shown;
  char *wanted; /* path of a file that is to be shown once it is there */
  guint reload;
};

G_DEFINE_FINAL_TYPE (ForeLibraryWindow, fore_library_window, ADW_TYPE_WINDOW)

/* Loading */

static gpointer
load_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autoptr (ForeLibrary) library = fore_library_load (user_dir, NULL, FALSE, error);

  return library != NULL ? fore_library_items_new (library) : NULL;
}

/* What shows the same stays the same object, so that its row is not touched. */
static void
keep_same (ForeLibraryWindow *self, GPtrArray *items)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->items));
  guint j = 0;

  for (guint i = 0; i < items->len; i++)
    {
      ForeLibraryItem *item = g_ptr_array_index (items, i);

      for (guint k = j; k < n; k++)
        {
          g_autoptr (ForeLibraryItem) old = g_list_model_get_item (G_LIST_MODEL (self->items), k);

          if (!fore_library_item_equal (old, item))
            continue;
          if (fore_library_item_is_same (old, item))
            g_set_object ((ForeLibraryItem **) &g_ptr_array_index (items, i), old);
          j = k + 1;
          break;
        }
    }
}

static void
select_item (ForeLibraryWindow *self, ForeLibraryItem *item)
{
  GListModel *model = G_LIST_MODEL (self->found);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (ForeLibraryItem) there = g_list_model_get_item (model, i);

      if (fore_library_item_equal (there, item))
        {
          gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, (int) i));
          return;
        }
    }
}

static ForeLibraryItem *
find_next (ForeLibraryWindow *self, GPtrArray *items)
{
  for (guint i = 0; i < items->len; i++)
    {
      ForeLibraryItem *item = g_ptr_array_index (items, i);

      if (self->wanted != NULL ? g_strcmp0 (self->wanted, fore_library_item_get_path (item)) == 0
                               : self->shown != NULL && fore_library_item_equal (self->shown, item))
        return item;
    }

  return NULL;
}

static void
loaded_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeLibraryWindow *self = owner;
  GPtrArray *items = result;
  ForeLibraryItem *next;

  if (error != NULL)
    {
      fore_show_error (GTK_WIDGET (self->list), error);
      return;
    }

  keep_same (self, items);
  next = find_next (self, items);
  fore_list_sync (self->items, items);
  if (next != NULL)
    {
      select_item (self, next);
      g_set_object (&self->shown, next);
      fore_library_page_show (self->page, next);
      g_clear_pointer (&self->wanted, g_free);
    }
  else if (self->wanted == NULL)
    {
      g_clear_object (&self->shown);
      fore_library_page_clear (self->page);
    }
}

static void
load (ForeLibraryWindow *self)
{
  fore_job_run (self, "load-library", NULL, load_thread, NULL, NULL,
                (GDestroyNotify) g_ptr_array_unref, loaded_cb);
}

static gboolean
reload_cb (gpointer data)
{
  ForeLibraryWindow *self = data;

  self->reload = 0;
  load (self);

  return G_SOURCE_REMOVE;
}

static void
changed_cb (GFileMonitor *monitor,
            GFile *file,
            GFile *other,
            GFileMonitorEvent event,
            ForeLibraryWindow *self)
{
  if (self->reload == 0)
    self->reload = g_timeout_add (SETTLE_MS, reload_cb, self);
}

static GFileMonitor *
watch_folder (ForeLibraryWindow *self, const char *path)
{
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  GFileMonitor *monitor = g_file_monitor_directory (folder, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);

  if (monitor != NULL)
    g_signal_connect (monitor, "changed", G_CALLBACK (changed_cb), self);

  return monitor;
}

static void
watch_all (ForeLibraryWindow *self)
{
  static const char *const folders[] = { "", "agents", "teams", "workflows", "skills" };
  g_autofree char *user_dir = fore_library_dup_user_dir ();

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = g_build_filename (user_dir, folders[i], NULL);
      GFileMonitor *monitor = watch_folder (self, path);

      if (monitor != NULL)
        g_ptr_array_add (self->monitors, monitor);
    }
}

/* Somebody comes back from an editor; looking costs next to nothing. */
static void
active_cb (GtkWindow *window, GParamSpec *pspec, ForeLibraryWindow *self)
{
  if (gtk_window_is_active (window))
    load (self);
}

/* The list */

static GtkWidget *
make_row (gpointer data, gpointer user_data)
{
  return fore_library_row_new (data);
}

static void
header_cb (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  fore_library_row_update_header (row, before);
}

static void
selected_cb (GtkListBox *list, GtkListBoxRow *row, ForeLibraryWindow *self)
{
  ForeLibraryItem *item = row != NULL ? fore_library_row_get_item (row) : NULL;
  const char *path;

  if (item == NULL || item == self->shown)
    return;

  g_set_object (&self->shown, item);
  fore_library_page_show (self->page, item);
  if (fore_split_get_collapsed (self->split))
    fore_split_set_show_side (self->split, FALSE);
  g_clear_object (&self->near);
  path = fore_library_item_get_path (item);
  if (path != NULL)
    {
      g_autofree char *folder = g_path_get_dirname (path);

      self->near = watch_folder (self, folder);
    }
}

static gboolean
filter_item (gpointer item, gpointer data)
{
  ForeLibraryWindow *self = data;

  return fore_library_item_matches (item, gtk_editable_get_text (GTK_EDITABLE (self->search)));
}

static void
search_cb (GtkSearchEntry *entry, ForeLibraryWindow *self)
{
  gtk_filter_changed (gtk_filter_list_model_get_filter (self->found), GTK_FILTER_CHANGE_DIFFERENT);
}

/* What is done with a file */

typedef struct
{
  char *kind;
  char *name;
  char *path;
} Deed;

static void
deed_free (gpointer data)
{
  Deed *deed = data;

  g_free (deed->kind);
  g_free (deed->name);
  g_free (deed->path);
  g_free (deed);
}

static Deed *
deed_new (ForeLibraryItem *item)
{
  Deed *deed = g_new0 (Deed, 1);

  deed->kind = g_strdup (fore_library_item_get_kind (item));
  deed->name = g_strdup (fore_library_item_get_name (item));
  deed->path = g_strdup (fore_library_item_get_path (item));

  return deed;
}

static gpointer
copy_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  Deed *deed = data;
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autoptr (ForeLibrary) library = fore_library_load (user_dir, NULL, FALSE, error);

  if (library == NULL)
    return NULL;

  return fore_library_copy (library, deed->kind, deed->name, NULL, user_dir, error);
}

static void
open_file (ForeLibraryWindow *self, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);

  fore_changes_open_file (GTK_WIDGET (self->list), folder, folder, name);
}

static void
copied_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeLibraryWindow *self = owner;

  if (error != NULL)
    {
      fore_show_error (GTK_WIDGET (self->list), error);
      return;
    }

  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  fore_library_window_show_file (self, result);
  open_file (self, result);
}

static gpointer
remove_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  Deed *deed = data;
  g_autofree char *user_dir = fore_library_dup_user_dir ();

  return fore_library_remove (user_dir, deed->path, error);
}

static gpointer
restore_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();

  return fore_library_restore (user_dir, data, error);
}

static void
restored_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeLibraryWindow *self = owner;

  if (error != NULL)
    fore_show_error (GTK_WIDGET (self->list), error);
  else
    load (self);
}

static void
undo (gpointer from, const char *backup)
{
  GtkRoot *root = gtk_widget_get_root (from);

  fore_job_run (root, "restore-library-file", NULL, restore_thread, g_strdup (backup), g_free,
                g_free, restored_cb);
}

static void
removed_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeLibraryWindow *self = owner;
  Deed *deed = data;
  g_autofree char *words = NULL;

  if (error != NULL)
    {
      fore_show_error (GTK_WIDGET (self->list), error);
      return;
    }

  words = g_strdup_printf (_ ("“%s” was deleted"), deed->name);
  fore_show_offer (GTK_WIDGET (self->list), words, _ ("Undo"), result, undo);
  load (self);
}

static void
copy_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ForeLibraryWindow *self = data;

  if (self->shown != NULL)
    fore_job_run (self, "copy-library-file", NULL, copy_thread, deed_new (self->shown), deed_free,
                  g_free, copied_cb);
}

static void
edit_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ForeLibraryWindow *self = data;

  if (self->shown != NULL && fore_library_item_is_own (self->shown))
    open_file (self, fore_library_item_get_path (self->shown));
}

static void
remove_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ForeLibraryWindow *self = data;

  if (self->shown != NULL && fore_library_item_is_own (self->shown))
    fore_job_run (self, "remove-library-file", NULL, remove_thread, deed_new (self->shown),
                  deed_free, g_free, removed_cb);
}

static void
add_actions (ForeLibraryWindow *self)
{
  static const GActionEntry entries[] = {
    { "copy", copy_cb },
    { "edit", edit_cb },
    { "remove", remove_cb },
  };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "library", G_ACTION_GROUP (group));
}

/* Where the list has no room beside the page it comes first, as there is nothing to read yet. */
static void
collapsed_cb (ForeSplit *split, GParamSpec *pspec, ForeLibraryWindow *self)
{
  if (self->shown == NULL)
    fore_split_set_show_side (split, TRUE);
}

static void
toggle_side_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ForeLibraryWindow *self = data;

  fore_split_set_show_side (self->split, !fore_split_get_show_side (self->split));
}

/* Of the headers' button for the side. */
static void
add_window_actions (ForeLibraryWindow *self)
{
  static const GActionEntry entries[] = { { "toggle-sidebar", toggle_side_cb } };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "win", G_ACTION_GROUP (group));
}

static void
fore_library_window_dispose (GObject *object)
{
  ForeLibraryWindow *self = FORE_LIBRARY_WINDOW (object);

  g_clear_handle_id (&self->reload, g_source_remove);
  g_clear_pointer (&self->monitors, g_ptr_array_unref);
  g_clear_object (&self->near);
  g_clear_object (&self->found);
  g_clear_object (&self->items);
  g_clear_object (&self->shown);
  g_clear_pointer (&self->wanted, g_free);

  G_OBJECT_CLASS (fore_library_window_parent_class)->dispose (object);
}

static void
fore_library_window_class_init (ForeLibraryWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_library_window_dispose;

  g_type_ensure (FORE_TYPE_SPLIT);
  g_type_ensure (FORE_TYPE_LIBRARY_PAGE);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/foredeck/Foredeck/ui/fore-library-window.ui");
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryWindow, split);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryWindow, search);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryWindow, list);
  gtk_widget_class_bind_template_child (widget_class, ForeLibraryWindow, page);
  gtk_widget_class_bind_template_callback (widget_class, active_cb);
  gtk_widget_class_bind_template_callback (widget_class, collapsed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_cb);
  gtk_widget_class_bind_template_callback (widget_class, selected_cb);
}

static void
fore_library_window_init (ForeLibraryWindow *self)
{
  GtkFilter *filter = GTK_FILTER (gtk_custom_filter_new (filter_item, self, NULL));

  self->monitors = g_ptr_array_new_with_free_func (g_object_unref);
  self->items = g_list_store_new (FORE_TYPE_LIBRARY_ITEM);
  self->found = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->items)), filter);
  add_window_actions (self);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_list_box_bind_model (self->list, G_LIST_MODEL (self->found), make_row, NULL, NULL);
  gtk_list_box_set_header_func (self->list, header_cb, NULL, NULL);
  gtk_search_entry_set_key_capture_widget (GTK_SEARCH_ENTRY (self->search),
                                           GTK_WIDGET (self->list));

  add_actions (self);
  watch_all (self);
  load (self);
}

/**
 * fore_library_window_new:
 *
 * Returns: (transfer floating): a window on the library
 */
GtkWidget *
fore_library_window_new (void)
{
  return g_object_new (FORE_TYPE_LIBRARY_WINDOW, NULL);
}

/**
 * fore_library_window_show_file:
 * @self: a library window
 * @path: a file of the library
 *
 * Shows @path as soon as it has been read.
 */
void
fore_library_window_show_file (ForeLibraryWindow *self, const char *path)
{
  g_return_if_fail (FORE_IS_LIBRARY_WINDOW (self));
  g_return_if_fail (path != NULL);

  g_free (self->wanted);
  self->wanted = g_strdup (path);
  load (self);
}
