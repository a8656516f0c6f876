/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-file-list.h"

#include "app/fore-file-row.h"
#include "app/fore-outside.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _ForeFileList
{
  GtkWidget parent_instance;

  GtkWidget *scroller;
  GtkWidget *list;
  GListStore *rows;
  GtkSingleSelection *selection;
  GPtrArray *all; /* rows, the hidden ones too */
  char *words;
  GHashTable *by_path;
  char *selected_path;
  gboolean loading;
};

G_DEFINE_FINAL_TYPE (ForeFileList, fore_file_list, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_SELECTED_PATH,
  N_PROPS
};

enum
{
  FILE_SELECTED,
  VIEWED_CHANGED,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

/* The parts of a row's widget, kept with its list item. */
typedef struct
{
  GtkWidget *box;
  GtkWidget *check;
  GtkWidget *name;
  GtkWidget *badge;
  GtkWidget *added;
  GtkWidget *removed;
  ForeFileRow *row;
  gulong changed;
  gulong toggled;
} RowParts;

static RowParts *
get_parts (GtkListItem *item)
{
  return g_object_get_data (G_OBJECT (item), "parts");
}

static void
show_count (GtkWidget *label, const char *sign, guint count)
{
  g_autofree char *text = g_strdup_printf ("%s%u", sign, count);

  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_widget_set_visible (label, count > 0);
}

static void
show_row (ForeFileRow *row, gpointer data)
{
  GtkListItem *item = data;
  RowParts *parts = get_parts (item);
  gboolean folder = fore_file_row_is_folder (row);
  guint n_comments = fore_file_row_get_n_comments (row);
  g_autofree char *comments = g_strdup_printf ("%u", n_comments);
  g_autofree char *name = fore_file_row_dup_accessible_name (row);
  GtkWidget *parent = gtk_widget_get_parent (parts->box);

  gtk_label_set_text (GTK_LABEL (parts->name), fore_file_row_get_name (row));
  gtk_widget_set_visible (parts->check, !folder);
  gtk_label_set_text (GTK_LABEL (parts->badge), comments);
  gtk_widget_set_visible (parts->badge, n_comments > 0);
  show_count (parts->added, "+", fore_file_row_get_n_added (row));
  show_count (parts->removed, "−", fore_file_row_get_n_removed (row));
  g_signal_handler_block (parts->check, parts->toggled);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (parts->check), fore_file_row_get_viewed (row));
  g_signal_handler_unblock (parts->check, parts->toggled);
  (fore_file_row_get_left_out (row) ? gtk_widget_add_css_class
                                    : gtk_widget_remove_css_class) (parts->box, "left-out");
  (folder ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (parts->box, "folder");
  if (parent != NULL)
    fore_outside_name (parent, name);
}

static void
check_toggled (GtkCheckButton *check, gpointer data)
{
  GtkListItem *item = data;
  RowParts *parts = get_parts (item);
  GtkWidget *list = gtk_widget_get_ancestor (GTK_WIDGET (check), FORE_TYPE_FILE_LIST);

  if (parts->row == NULL || list == NULL)
    return;

  fore_file_row_set_viewed (parts->row, gtk_check_button_get_active (check));
  g_signal_emit (list, signals[VIEWED_CHANGED], 0, fore_file_row_get_path (parts->row),
                 fore_file_row_get_viewed (parts->row));
}

static GtkWidget *
add_label (GtkWidget *box, const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  RowParts *parts = g_new0 (RowParts, 1);

  g_object_set_data_full (G_OBJECT (item), "parts", parts, g_free);
  parts->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_add_css_class (parts->box, "file-row");
  parts->check = gtk_check_button_new ();
  gtk_widget_set_tooltip_text (parts->check, _ ("Viewed"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (parts->check), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Viewed"), -1);
  parts->toggled = g_signal_connect (parts->check, "toggled", G_CALLBACK (check_toggled), item);
  gtk_box_append (GTK_BOX (parts->box), parts->check);

  parts->name = add_label (parts->box, "file-name");
  gtk_label_set_xalign (GTK_LABEL (parts->name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (parts->name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (parts->name, TRUE);
  parts->badge = add_label (parts->box, "count-badge");
  gtk_widget_set_valign (parts->badge, GTK_ALIGN_CENTER);
  parts->added = add_label (parts->box, "added");
  parts->removed = add_label (parts->box, "removed");
  gtk_widget_set_direction (parts->added, GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (parts->removed, GTK_TEXT_DIR_LTR);
  gtk_list_item_set_child (item, parts->box);
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  RowParts *parts = get_parts (item);
  gboolean folder;

  parts->row = FORE_FILE_ROW (gtk_list_item_get_item (item));
  folder = fore_file_row_is_folder (parts->row);
  gtk_list_item_set_selectable (item, !folder);
  gtk_list_item_set_activatable (item, !folder);
  parts->changed = g_signal_connect (parts->row, "changed", G_CALLBACK (show_row), item);
  show_row (parts->row, item);
}

static void
unbind_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  RowParts *parts = get_parts (item);

  g_clear_signal_handler (&parts->changed, parts->row);
  parts->row = NULL;
}

static void
selection_changed (GtkSingleSelection *selection, GParamSpec *pspec, gpointer data)
{
  ForeFileList *self = FORE_FILE_LIST (data);
  ForeFileRow *row = gtk_single_selection_get_selected_item (selection);

  if (self->loading || row == NULL || fore_file_row_is_folder (row)
      || g_strcmp0 (self->selected_path, fore_file_row_get_path (row)) == 0)
    return;

  g_free (self->selected_path);
  self->selected_path = g_strdup (fore_file_row_get_path (row));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SELECTED_PATH]);
  g_signal_emit (self, signals[FILE_SELECTED], 0, self->selected_path);
}

static void
fore_file_list_dispose (GObject *object)
{
  ForeFileList *self = FORE_FILE_LIST (object);

  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);

  G_OBJECT_CLASS (fore_file_list_parent_class)->dispose (object);
}

static void
fore_file_list_finalize (GObject *object)
{
  ForeFileList *self = FORE_FILE_LIST (object);

  g_clear_pointer (&self->all, g_ptr_array_unref);
  g_free (self->words);
  g_hash_table_unref (self->by_path);
  g_free (self->selected_path);

  G_OBJECT_CLASS (fore_file_list_parent_class)->finalize (object);
}

static void
fore_file_list_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  ForeFileList *self = FORE_FILE_LIST (object);

  switch (prop_id)
    {
    case PROP_SELECTED_PATH:
      g_value_set_string (value, self->selected_path);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
fore_file_list_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  ForeFileList *self = FORE_FILE_LIST (object);

  switch (prop_id)
    {
    case PROP_SELECTED_PATH:
      fore_file_list_set_selected_path (self, g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
fore_file_list_class_init (ForeFileListClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fore_file_list_dispose;
  object_class->finalize = fore_file_list_finalize;
  object_class->get_property = fore_file_list_get_property;
  object_class->set_property = fore_file_list_set_property;
  properties[PROP_SELECTED_PATH] = g_param_spec_string ("selected-path", NULL, NULL, NULL,
                                                        G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY
                                                            | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[FILE_SELECTED] = g_signal_new ("file-selected", G_TYPE_FROM_CLASS (klass),
                                         G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                         G_TYPE_STRING);
  signals[VIEWED_CHANGED] = g_signal_new ("viewed-changed", G_TYPE_FROM_CLASS (klass),
                                          G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                          G_TYPE_STRING, G_TYPE_BOOLEAN);

  gtk_widget_class_set_css_name (widget_class, "filelist");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
fore_file_list_init (ForeFileList *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  self->by_path = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  self->rows = g_list_store_new (FORE_TYPE_FILE_ROW);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (g_object_ref (self->rows)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  g_signal_connect (self->selection, "notify::selected-item", G_CALLBACK (selection_changed), self);

  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_row), self);
  self->list = gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (self->selection)), factory);
  gtk_widget_add_css_class (self->list, "navigation-sidebar");
  gtk_widget_add_css_class (self->list, "file-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Changed files"), -1);

  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->list);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}

GtkWidget *
fore_file_list_new (void)
{
  return g_object_new (FORE_TYPE_FILE_LIST, NULL);
}

static int
compare_files (gconstpointer a, gconstpointer b)
{
  const ForeDiffDocFile *left = *(ForeDiffDocFile *const *) a;
  const ForeDiffDocFile *right = *(ForeDiffDocFile *const *) b;
  g_autofree char *left_folder = g_path_get_dirname (left->path);
  g_autofree char *right_folder = g_path_get_dirname (right->path);
  int order = g_strcmp0 (left_folder, right_folder);

  return order != 0 ? order : g_strcmp0 (left->path, right->path);
}

static ForeFileRow *
make_file_row (ForeFileList *self, const ForeDiffDocFile *file, GHashTable *before)
{
  ForeFileRow *old = g_hash_table_lookup (before, file->path);
  ForeFileRow *row = fore_file_row_new_file (file->path, file->n_added, file->n_removed);

  /* What was viewed is so no longer when it changed since. */
  if (old != NULL)
    {
      fore_file_row_set_n_comments (row, fore_file_row_get_n_comments (old));
      fore_file_row_set_viewed (row, fore_file_row_get_viewed (old)
                                         && fore_file_row_get_n_added (old) == file->n_added
                                         && fore_file_row_get_n_removed (old) == file->n_removed);
    }
  g_hash_table_insert (self->by_path, (gpointer) fore_file_row_get_path (row), g_object_ref (row));

  return row;
}

static GPtrArray *
make_rows (ForeFileList *self, ForeDiffDoc *doc, GHashTable *before)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  g_autofree char *folder = NULL;

  for (guint i = 0; doc != NULL && i < fore_diff_doc_get_n_files (doc); i++)
    g_ptr_array_add (files, (gpointer) fore_diff_doc_get_file (doc, i));
  g_ptr_array_sort (files, compare_files);

  for (guint i = 0; i < files->len; i++)
    {
      const ForeDiffDocFile *file = g_ptr_array_index (files, i);
      g_autofree char *here = g_path_get_dirname (file->path);

      if (g_strcmp0 (here, folder) != 0)
        {
          g_ptr_array_add (rows, fore_file_row_new_folder (here));
          g_free (folder);
          folder = g_steal_pointer (&here);
        }
      g_ptr_array_add (rows, make_file_row (self, file, before));
    }

  return rows;
}

static void
select_again (ForeFileList *self)
{
  gpointer row = self->selected_path != NULL
                     ? g_hash_table_lookup (self->by_path, self->selected_path)
                     : NULL;
  guint position;

  if (row == NULL || !g_list_store_find (self->rows, row, &position))
    position = GTK_INVALID_LIST_POSITION;
  gtk_single_selection_set_selected (self->selection, position);
}

static gboolean
is_wanted (ForeFileList *self, ForeFileRow *row)
{
  g_autofree char *folded = NULL;

  if (self->words == NULL)
    return TRUE;

  folded = g_utf8_casefold (fore_file_row_get_path (row), -1);
  return strstr (folded, self->words) != NULL;
}

/* A folder is headed where a file of it is shown. */
static void
show_rows (ForeFileList *self)
{
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();
  ForeFileRow *folder = NULL;

  for (guint i = 0; i < self->all->len; i++)
    {
      ForeFileRow *row = g_ptr_array_index (self->all, i);

      if (fore_file_row_is_folder (row))
        folder = row;
      else if (is_wanted (self, row))
        {
          if (folder != NULL)
            g_ptr_array_add (shown, folder);
          folder = NULL;
          g_ptr_array_add (shown, row);
        }
    }

  self->loading = TRUE;
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
                       shown->pdata, shown->len);
  select_again (self);
  self->loading = FALSE;
}

/**
 * fore_file_list_set_doc:
 * @self: a file list
 * @doc: (nullable): the changes
 *
 * Shows the files of @doc by folder. Marks and selection stay with files of the same path.
 */
void
fore_file_list_set_doc (ForeFileList *self, ForeDiffDoc *doc)
{
  g_autoptr (GHashTable) before = NULL;
  g_autoptr (GPtrArray) rows = NULL;

  g_return_if_fail (FORE_IS_FILE_LIST (self));

  before = g_steal_pointer (&self->by_path);
  self->by_path = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  rows = make_rows (self, doc, before);

  g_clear_pointer (&self->all, g_ptr_array_unref);
  self->all = g_steal_pointer (&rows);
  show_rows (self);
}

/**
 * fore_file_list_set_filter:
 * @self: a file list
 * @words: (nullable): text that the path of a file has to contain to be shown
 */
void
fore_file_list_set_filter (ForeFileList *self, const char *words)
{
  g_return_if_fail (FORE_IS_FILE_LIST (self));

  g_free (self->words);
  self->words = words != NULL && *words != '\0' ? g_utf8_casefold (words, -1) : NULL;
  if (self->all != NULL)
    show_rows (self);
}

/**
 * fore_file_list_step:
 * @self: a file list
 * @direction: 1 for the next file, -1 for the one before
 *
 * Selects it as a person would; does nothing where there is none.
 */
void
fore_file_list_step (ForeFileList *self, int direction)
{
  guint n;
  guint selected;
  gint64 position;

  g_return_if_fail (FORE_IS_FILE_LIST (self));

  n = g_list_model_get_n_items (G_LIST_MODEL (self->rows));
  selected = gtk_single_selection_get_selected (self->selection);
  position = selected != GTK_INVALID_LIST_POSITION ? selected : direction > 0 ? -1 : (gint64) n;
  for (position += direction; position >= 0 && position < n; position += direction)
    {
      g_autoptr (ForeFileRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows),
                                                           (guint) position);

      if (fore_file_row_is_folder (row))
        continue;
      gtk_single_selection_set_selected (self->selection, (guint) position);
      gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", (guint) position);
      return;
    }
}

const char *
fore_file_list_get_selected_path (ForeFileList *self)
{
  g_return_val_if_fail (FORE_IS_FILE_LIST (self), NULL);

  return self->selected_path;
}

/**
 * fore_file_list_set_selected_path:
 * @self: a file list
 * @path: (nullable): the file to select; "file-selected" is not emitted
 */
void
fore_file_list_set_selected_path (ForeFileList *self, const char *path)
{
  g_return_if_fail (FORE_IS_FILE_LIST (self));

  if (g_strcmp0 (self->selected_path, path) == 0)
    return;

  g_free (self->selected_path);
  self->selected_path = g_strdup (path);
  self->loading = TRUE;
  select_again (self);
  self->loading = FALSE;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SELECTED_PATH]);
}

gboolean
fore_file_list_get_viewed (ForeFileList *self, const char *path)
{
  ForeFileRow *row;

  g_return_val_if_fail (FORE_IS_FILE_LIST (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  row = g_hash_table_lookup (self->by_path, path);
  return row != NULL && fore_file_row_get_viewed (row);
}

/**
 * fore_file_list_set_viewed:
 * @self: a file list
 * @path: a file
 * @viewed: whether it has been looked at; "viewed-changed" is not emitted
 */
void
fore_file_list_set_viewed (ForeFileList *self, const char *path, gboolean viewed)
{
  ForeFileRow *row;

  g_return_if_fail (FORE_IS_FILE_LIST (self));
  g_return_if_fail (path != NULL);

  row = g_hash_table_lookup (self->by_path, path);
  if (row != NULL)
    fore_file_row_set_viewed (row, viewed);
}

/**
 * fore_file_list_set_left_out:
 * @self: a file list
 * @paths: (element-type filename): the files that a merge leaves out, as a set
 */
void
fore_file_list_set_left_out (ForeFileList *self, GHashTable *paths)
{
  g_return_if_fail (FORE_IS_FILE_LIST (self));
  g_return_if_fail (paths != NULL);

  for (guint i = 0; self->all != NULL && i < self->all->len; i++)
    {
      ForeFileRow *row = g_ptr_array_index (self->all, i);

      if (!fore_file_row_is_folder (row))
        fore_file_row_set_left_out (row,
                                    g_hash_table_contains (paths, fore_file_row_get_path (row)));
    }
}

/**
 * fore_file_list_set_comments:
 * @self: a file list
 * @path: a file
 * @n_comments: how many comments there are on it
 */
void
fore_file_list_set_comments (ForeFileList *self, const char *path, guint n_comments)
{
  ForeFileRow *row;

  g_return_if_fail (FORE_IS_FILE_LIST (self));
  g_return_if_fail (path != NULL);

  row = g_hash_table_lookup (self->by_path, path);
  if (row != NULL)
    fore_file_row_set_n_comments (row, n_comments);
}
