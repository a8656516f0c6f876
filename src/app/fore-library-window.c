/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-library-window.h"

#include "app/fore-changes-open.h"
#include "app/fore-errors.h"
#include "app/fore-job.h"
#include "app/fore-library-item.h"
#include "app/fore-library-page.h"
#include "app/fore-list-sync.h"
#include "app/fore-outside.h"
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
  GtkWidget *start;
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

static void
show_page (ForeLibraryWindow *self, gboolean shown)
{
  gtk_widget_set_visible (GTK_WIDGET (self->page), shown);
  gtk_widget_set_visible (self->start, !shown);
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
      show_page (self, TRUE);
      g_clear_pointer (&self->wanted, g_free);
    }
  else if (self->wanted == NULL)
    {
      g_clear_object (&self->shown);
      show_page (self, FALSE);
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

static const char *
get_title (const char *kind)
{
  if (strcmp (kind, "agent") == 0)
    return _ ("Agents");
  if (strcmp (kind, "team") == 0)
    return _ ("Teams");
  if (strcmp (kind, "workflow") == 0)
    return _ ("Workflows");

  return _ ("Skills");
}

static GtkWidget *
make_line (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  fore_outside_show (GTK_LABEL (label), text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);

  return label;
}

static GtkWidget *
make_row (gpointer data, gpointer user_data)
{
  ForeLibraryItem *item = data;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *row = gtk_list_box_row_new ();
  g_autofree char *origin = fore_library_item_dup_origin (item);
  gboolean fine = *fore_library_item_get_faults (item) == '\0';
  g_autofree char *mark = NULL;

  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 6);
  mark = fine ? g_strdup (fore_library_item_get_name (item))
              : g_strconcat ("⚠ ", fore_library_item_get_name (item), NULL);
  gtk_box_append (GTK_BOX (box),
                  make_line (mark, fore_library_item_is_usable (item) ? NULL : "error"));
  gtk_box_append (GTK_BOX (box), make_line (origin, "caption"));
  fore_outside_explain (box, fore_library_item_get_description (item));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), "fore-item", g_object_ref (item), g_object_unref);

  return row;
}

static void
header_cb (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  ForeLibraryItem *item = g_object_get_data (G_OBJECT (row), "fore-item");
  ForeLibraryItem *above = before != NULL ? g_object_get_data (G_OBJECT (before), "fore-item")
                                          : NULL;
  const char *kind = fore_library_item_get_kind (item);
  GtkWidget *header;

  if (above != NULL && strcmp (kind, fore_library_item_get_kind (above)) == 0)
    {
      gtk_list_box_row_set_header (row, NULL);
      return;
    }

  header = make_line (get_title (kind), "heading");
  gtk_widget_set_margin_top (header, 12);
  gtk_widget_set_margin_start (header, 12);
  gtk_widget_set_margin_bottom (header, 3);
  gtk_list_box_row_set_header (row, header);
}

static void
selected_cb (GtkListBox *list, GtkListBoxRow *row, ForeLibraryWindow *self)
{
  ForeLibraryItem *item = row != NULL ? g_object_get_data (G_OBJECT (row), "fore-item") : NULL;
  const char *path;

  if (item == NULL || item == self->shown)
    return;

  g_set_object (&self->shown, item);
  fore_library_page_show (self->page, item);
  show_page (self, TRUE);
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

  g_free (self->wanted);
  self->wanted = g_strdup (result);
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  load (self);
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

/* Building */

static GtkWidget *
make_list (ForeLibraryWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkFilter *filter = GTK_FILTER (gtk_custom_filter_new (filter_item, self, NULL));

  self->search = gtk_search_entry_new ();
  gtk_widget_set_margin_start (self->search, 6);
  gtk_widget_set_margin_end (self->search, 6);
  gtk_widget_set_margin_top (self->search, 6);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Search the Library"), -1);
  self->items = g_list_store_new (FORE_TYPE_LIBRARY_ITEM);
  self->found = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->items)), filter);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "navigation-sidebar");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Library"), -1);
  gtk_list_box_bind_model (self->list, G_LIST_MODEL (self->found), make_row, NULL, NULL);
  gtk_list_box_set_header_func (self->list, header_cb, NULL, NULL);
  g_signal_connect (self->list, "row-selected", G_CALLBACK (selected_cb), self);
  g_signal_connect (self->search, "search-changed", G_CALLBACK (search_cb), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->list));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_widget_set_size_request (box, 250, -1);
  gtk_box_append (GTK_BOX (box), self->search);
  gtk_box_append (GTK_BOX (box), scroller);

  return box;
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
  G_OBJECT_CLASS (klass)->dispose = fore_library_window_dispose;
}

static void
fore_library_window_init (ForeLibraryWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  GtkWidget *side = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *overlay = adw_toast_overlay_new ();

  self->monitors = g_ptr_array_new_with_free_func (g_object_unref);
  self->page = FORE_LIBRARY_PAGE (fore_library_page_new ());
  self->start = gtk_label_new (_ ("What agents are told, who works in a team, and in which order "
                                  "it is done. Choose something to read it."));
  gtk_label_set_wrap (GTK_LABEL (self->start), TRUE);
  gtk_widget_set_margin_start (self->start, 18);
  gtk_widget_set_margin_end (self->start, 18);
  gtk_widget_set_hexpand (self->start, TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self->page), TRUE);
  gtk_box_append (GTK_BOX (side), self->start);
  gtk_box_append (GTK_BOX (side), GTK_WIDGET (self->page));
  show_page (self, FALSE);
  gtk_paned_set_start_child (GTK_PANED (paned), make_list (self));
  gtk_paned_set_end_child (GTK_PANED (paned), side);
  gtk_paned_set_resize_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_widget_set_vexpand (paned, TRUE);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), paned);
  adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (overlay), box);
  adw_window_set_content (ADW_WINDOW (self), overlay);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Library"));
  gtk_window_set_default_size (GTK_WINDOW (self), 900, 640);

  add_actions (self);
  watch_all (self);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (active_cb), self);
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
