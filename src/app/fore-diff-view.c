/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-diff-view.h"

#include "app/fore-diff-comment.h"
#include "app/fore-diff-row-view.h"
#include "app/fore-diff-rows.h"
#include "app/fore-outside.h"

#include <glib/gi18n-lib.h>

struct _ForeDiffView
{
  GtkWidget parent_instance;

  GtkWidget *scroller;
  GtkWidget *list;
  ForeDiffRows *rows;
  ForeDiffDoc *doc;
  char *path;
  gboolean side_by_side;
  ForeDiffCardFunc card_func;
  gpointer card_data;
};

G_DEFINE_FINAL_TYPE (ForeDiffView, fore_diff_view, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_PATH,
  PROP_SIDE_BY_SIDE,
  N_PROPS
};

enum
{
  LINE_ACTIVATED,
  WHOLE_WANTED,
  COMMENT_EDITED,
  COMMENT_REMOVED,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

static void
emit_for_comment (GtkWidget *button, guint signal)
{
  ForeDiffView *self = FORE_DIFF_VIEW (gtk_widget_get_ancestor (button, FORE_TYPE_DIFF_VIEW));
  GtkWidget *row_view = gtk_widget_get_ancestor (button, FORE_TYPE_DIFF_ROW_VIEW);
  g_autoptr (ForeDiffRow) row = g_object_ref (
      fore_diff_row_view_get_row (FORE_DIFF_ROW_VIEW (row_view)));

  g_signal_emit (self, signals[signal], 0, fore_diff_row_get_data (row)->file->path,
                 fore_diff_row_get_number (row));
}

static void
edit_clicked (GtkButton *button, gpointer data)
{
  emit_for_comment (GTK_WIDGET (button), COMMENT_EDITED);
}

static void
remove_clicked (GtkButton *button, gpointer data)
{
  emit_for_comment (GTK_WIDGET (button), COMMENT_REMOVED);
}

static GtkWidget *
make_card (ForeDiffView *self, ForeDiffRow *row)
{
  if (self->card_func == NULL)
    return fore_diff_comment_new (row, G_CALLBACK (edit_clicked), G_CALLBACK (remove_clicked));

  return self->card_func (fore_diff_row_get_data (row)->file->path, fore_diff_row_get_number (row),
                          self->card_data);
}

static void
selected_changed (GtkListItem *item, GParamSpec *pspec, gpointer data)
{
  fore_diff_row_view_set_selected (FORE_DIFF_ROW_VIEW (gtk_list_item_get_child (item)),
                                   gtk_list_item_get_selected (item));
}

static gboolean
open_row (ForeDiffView *self, guint position)
{
  g_autoptr (ForeDiffRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), position);
  const ForeDiffRowData *data = fore_diff_row_get_data (row);
  gboolean fold = data->kind == FORE_DIFF_ROW_FOLD;

  if (fold && data->opens)
    fore_diff_rows_open_fold (self->rows, position);
  else if (fold || (data->kind == FORE_DIFF_ROW_EMPTY && data->file->too_large))
    g_signal_emit (self, signals[WHOLE_WANTED], 0, data->file->path, fold ? data->first : 0);
  else
    return FALSE;

  return TRUE;
}

/* What opens does so with one click; the list wants two, as lines are selected with the first. */
static void
row_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, GtkListItem *item)
{
  GtkWidget *self = gtk_widget_get_ancestor (gtk_list_item_get_child (item), FORE_TYPE_DIFF_VIEW);

  if (self != NULL && open_row (FORE_DIFF_VIEW (self), gtk_list_item_get_position (item)))
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkGesture *gesture = gtk_gesture_click_new ();
  GtkWidget *view = fore_diff_row_view_new ();

  g_signal_connect (gesture, "pressed", G_CALLBACK (row_pressed_cb), item);
  gtk_widget_add_controller (view, GTK_EVENT_CONTROLLER (gesture));
  gtk_list_item_set_child (item, view);
  g_signal_connect (item, "notify::selected", G_CALLBACK (selected_changed), NULL);
}

static void
show_row (ForeDiffView *self, GtkListItem *item)
{
  ForeDiffRowView *view = FORE_DIFF_ROW_VIEW (gtk_list_item_get_child (item));
  ForeDiffRow *row = FORE_DIFF_ROW (gtk_list_item_get_item (item));
  gboolean comment = fore_diff_row_get_data (row)->kind == FORE_DIFF_ROW_COMMENT;
  g_autofree char *name = fore_diff_row_dup_accessible_name (row);
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (view));

  fore_diff_row_view_set_row (view, row, fore_diff_rows_get_n_digits (self->rows),
                              fore_diff_rows_get_n_columns (self->rows), self->side_by_side);
  fore_diff_row_view_set_card (view, comment ? make_card (self, row) : NULL);
  fore_diff_row_view_set_selected (view, gtk_list_item_get_selected (item));
  if (parent != NULL)
    fore_outside_name (parent, name);
}

static void
row_changed (ForeDiffRow *row, GtkListItem *item)
{
  GtkWidget *self = gtk_widget_get_ancestor (gtk_list_item_get_child (item), FORE_TYPE_DIFF_VIEW);

  if (self != NULL)
    show_row (FORE_DIFF_VIEW (self), item);
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  show_row (FORE_DIFF_VIEW (data), item);
  g_signal_connect (gtk_list_item_get_item (item), "changed", G_CALLBACK (row_changed), item);
}

static void
unbind_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  ForeDiffRowView *view = FORE_DIFF_ROW_VIEW (gtk_list_item_get_child (item));

  g_signal_handlers_disconnect_by_data (gtk_list_item_get_item (item), item);
  fore_diff_row_view_set_card (view, NULL);
  fore_diff_row_view_set_row (view, NULL, 0, 0, FALSE);
}

static void
row_activated (GtkListView *list, guint position, gpointer data)
{
  ForeDiffView *self = FORE_DIFF_VIEW (data);
  g_autoptr (ForeDiffRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), position);
  const ForeDiffRowData *row_data = fore_diff_row_get_data (row);

  if (!open_row (self, position) && row_data->kind == FORE_DIFF_ROW_LINE)
    g_signal_emit (self, signals[LINE_ACTIVATED], 0, row_data->file->path,
                   fore_diff_row_get_number (row),
                   row_data->left != NULL ? row_data->left->old_number : 0);
}

static void
append_line (GString *text, const ForeDiffDocLine *line)
{
  if (line == NULL)
    return;

  g_string_append (text, line->text);
  g_string_append_c (text, '\n');
}

static void
copy_selection (GtkWidget *widget, const char *action, GVariant *parameter)
{
  ForeDiffView *self = FORE_DIFF_VIEW (widget);
  GtkSelectionModel *model = gtk_list_view_get_model (GTK_LIST_VIEW (self->list));
  g_autoptr (GtkBitset) selection = gtk_selection_model_get_selection (model);
  g_autoptr (GString) text = g_string_new (NULL);
  GtkBitsetIter iter;
  guint position;

  if (!gtk_bitset_iter_init_first (&iter, selection, &position))
    return;

  do
    {
      g_autoptr (ForeDiffRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), position);
      const ForeDiffRowData *data = fore_diff_row_get_data (row);

      append_line (text, data->right != NULL ? data->right : data->left);
    }
  while (gtk_bitset_iter_next (&iter, &position));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text->str);
}

static void
fore_diff_view_dispose (GObject *object)
{
  ForeDiffView *self = FORE_DIFF_VIEW (object);

  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->doc, fore_diff_doc_unref);
  g_clear_pointer (&self->path, g_free);

  G_OBJECT_CLASS (fore_diff_view_parent_class)->dispose (object);
}

static void
fore_diff_view_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  ForeDiffView *self = FORE_DIFF_VIEW (object);

  switch (prop_id)
    {
    case PROP_PATH:
      g_value_set_string (value, self->path);
      break;
    case PROP_SIDE_BY_SIDE:
      g_value_set_boolean (value, self->side_by_side);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
fore_diff_view_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  ForeDiffView *self = FORE_DIFF_VIEW (object);

  switch (prop_id)
    {
    case PROP_PATH:
      fore_diff_view_set_path (self, g_value_get_string (value));
      break;
    case PROP_SIDE_BY_SIDE:
      fore_diff_view_set_side_by_side (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
install_signals (GObjectClass *object_class)
{
  GType type = G_OBJECT_CLASS_TYPE (object_class);

  signals[LINE_ACTIVATED] = g_signal_new ("line-activated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 3, G_TYPE_STRING, G_TYPE_UINT,
                                          G_TYPE_UINT);
  signals[WHOLE_WANTED] = g_signal_new ("whole-wanted", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_UINT);
  signals[COMMENT_EDITED] = g_signal_new ("comment-edited", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_UINT);
  signals[COMMENT_REMOVED] = g_signal_new ("comment-removed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                           NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_UINT);
}

static void
fore_diff_view_class_init (ForeDiffViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose = fore_diff_view_dispose;
  object_class->get_property = fore_diff_view_get_property;
  object_class->set_property = fore_diff_view_set_property;
  properties[PROP_PATH] = g_param_spec_string ("path", NULL, NULL, NULL, flags);
  properties[PROP_SIDE_BY_SIDE] = g_param_spec_boolean ("side-by-side", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  install_signals (object_class);

  gtk_widget_class_set_css_name (widget_class, "diffview");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_install_action (widget_class, "diff.copy", NULL, copy_selection);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "diff.copy",
                                       NULL);
}

static void
fore_diff_view_init (ForeDiffView *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkSelectionModel *model;

  self->rows = fore_diff_rows_new ();
  model = GTK_SELECTION_MODEL (gtk_multi_selection_new (G_LIST_MODEL (g_object_ref (self->rows))));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_row), self);

  self->list = gtk_list_view_new (model, factory);
  gtk_widget_add_css_class (self->list, "diff-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Changed lines"), -1);
  g_signal_connect (self->list, "activate", G_CALLBACK (row_activated), self);

  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->list);
  /* Code runs from left to right in every language: so does what shows its begin. */
  gtk_widget_set_direction (self->scroller, GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (self->list, GTK_TEXT_DIR_LTR);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}

GtkWidget *
fore_diff_view_new (void)
{
  return g_object_new (FORE_TYPE_DIFF_VIEW, NULL);
}

/**
 * fore_diff_view_set_doc:
 * @self: a diff view
 * @doc: (nullable): what to show
 */
void
fore_diff_view_set_doc (ForeDiffView *self, ForeDiffDoc *doc)
{
  g_return_if_fail (FORE_IS_DIFF_VIEW (self));

  if (doc != NULL)
    fore_diff_doc_ref (doc);
  g_clear_pointer (&self->doc, fore_diff_doc_unref);
  self->doc = doc;
  fore_diff_rows_set_doc (self->rows, doc, self->path);
}

const char *
fore_diff_view_get_path (ForeDiffView *self)
{
  g_return_val_if_fail (FORE_IS_DIFF_VIEW (self), NULL);

  return self->path;
}

/**
 * fore_diff_view_set_path:
 * @self: a diff view
 * @path: (nullable): the one file to show; all of them without
 */
void
fore_diff_view_set_path (ForeDiffView *self, const char *path)
{
  g_return_if_fail (FORE_IS_DIFF_VIEW (self));

  if (g_strcmp0 (self->path, path) == 0)
    return;

  g_free (self->path);
  self->path = g_strdup (path);
  gtk_selection_model_unselect_all (gtk_list_view_get_model (GTK_LIST_VIEW (self->list)));
  fore_diff_rows_set_doc (self->rows, self->doc, self->path);
  gtk_adjustment_set_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)), 0);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PATH]);
}

gboolean
fore_diff_view_get_side_by_side (ForeDiffView *self)
{
  g_return_val_if_fail (FORE_IS_DIFF_VIEW (self), FALSE);

  return self->side_by_side;
}

/**
 * fore_diff_view_set_side_by_side:
 * @self: a diff view
 * @side_by_side: whether old and new stand beside each other
 */
void
fore_diff_view_set_side_by_side (ForeDiffView *self, gboolean side_by_side)
{
  g_return_if_fail (FORE_IS_DIFF_VIEW (self));

  side_by_side = !!side_by_side;
  if (self->side_by_side == side_by_side)
    return;

  self->side_by_side = side_by_side;
  fore_diff_rows_set_doc (self->rows, NULL, NULL);
  fore_diff_rows_set_side_by_side (self->rows, side_by_side);
  fore_diff_rows_set_doc (self->rows, self->doc, self->path);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SIDE_BY_SIDE]);
}

/**
 * fore_diff_view_set_comment:
 * @self: a diff view
 * @path: a file
 * @new_number: a line of it as it is now
 * @text: (nullable): what is said about the line, shown below it; nothing takes it away
 */
void
fore_diff_view_set_comment (ForeDiffView *self,
                            const char *path,
                            guint new_number,
                            const char *text)
{
  g_return_if_fail (FORE_IS_DIFF_VIEW (self));

  fore_diff_rows_set_comment (self->rows, path, new_number, text);
}

/**
 * fore_diff_view_scroll_to_line:
 * @self: a diff view
 * @new_number: a line of the new file
 */
void
fore_diff_view_scroll_to_line (ForeDiffView *self, guint new_number)
{
  guint position;

  g_return_if_fail (FORE_IS_DIFF_VIEW (self));

  position = fore_diff_rows_find_line (self->rows, new_number);
  if (position != G_MAXUINT)
    gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", position);
}

/**
 * fore_diff_view_set_card_func:
 * @self: a diff view
 * @func: (nullable): makes what is shown of a comment
 * @data: for @func; has to live as long as @self
 */
void
fore_diff_view_set_card_func (ForeDiffView *self, ForeDiffCardFunc func, gpointer data)
{
  g_return_if_fail (FORE_IS_DIFF_VIEW (self));

  self->card_func = func;
  self->card_data = data;
}

/**
 * fore_diff_view_get_selection:
 * @self: a diff view
 * @first: (out): the first line of the new file that is selected
 * @last: (out): the last one
 * @quote: (out) (transfer full): what those lines say
 *
 * Returns: whether a line of the new file is selected
 */
gboolean
fore_diff_view_get_selection (ForeDiffView *self, guint *first, guint *last, char **quote)
{
  GtkSelectionModel *model;
  g_autoptr (GtkBitset) selection = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  GtkBitsetIter iter;
  guint position;

  g_return_val_if_fail (FORE_IS_DIFF_VIEW (self), FALSE);
  g_return_val_if_fail (first != NULL && last != NULL && quote != NULL, FALSE);

  model = gtk_list_view_get_model (GTK_LIST_VIEW (self->list));
  selection = gtk_selection_model_get_selection (model);
  *first = *last = 0;
  for (gboolean more = gtk_bitset_iter_init_first (&iter, selection, &position); more;
       more = gtk_bitset_iter_next (&iter, &position))
    {
      g_autoptr (ForeDiffRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), position);
      const ForeDiffRowData *data = fore_diff_row_get_data (row);
      const ForeDiffDocLine *line = data->right != NULL ? data->right : data->left;

      if (data->kind != FORE_DIFF_ROW_LINE || line == NULL || line->new_number == 0)
        continue;
      g_string_append_printf (text, "%s%s", *first > 0 ? "\n" : "", line->text);
      *first = *first > 0 ? *first : line->new_number;
      *last = line->new_number;
    }
  if (*first > 0)
    *quote = g_strdup (text->str);

  return *first > 0;
}

static gboolean
is_changed (ForeDiffView *self, guint position)
{
  g_autoptr (ForeDiffRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), position);

  return fore_diff_row_is_changed (row);
}

static gboolean
begins_change (ForeDiffView *self, guint position)
{
  return is_changed (self, position) && (position == 0 || !is_changed (self, position - 1));
}

/**
 * fore_diff_view_set_whole:
 * @self: a diff view
 * @whole: changes of one file of those that are shown, with all lines around them
 * @line: a line of the new file whose surroundings are shown; 0 for none
 */
void
fore_diff_view_set_whole (ForeDiffView *self, ForeDiffDoc *whole, guint line)
{
  g_return_if_fail (FORE_IS_DIFF_VIEW (self));

  fore_diff_rows_set_whole (self->rows, whole, line);
}

/**
 * fore_diff_view_step:
 * @self: a diff view
 * @direction: 1 for the next place where something changed, -1 for the one before
 *
 * Selects and shows it; does nothing where there is none.
 */
void
fore_diff_view_step (ForeDiffView *self, int direction)
{
  GtkSelectionModel *model;
  g_autoptr (GtkBitset) selection = NULL;
  guint n;
  gint64 position;

  g_return_if_fail (FORE_IS_DIFF_VIEW (self));

  model = gtk_list_view_get_model (GTK_LIST_VIEW (self->list));
  selection = gtk_selection_model_get_selection (model);
  n = g_list_model_get_n_items (G_LIST_MODEL (self->rows));
  position = gtk_bitset_is_empty (selection) ? -1 : (gint64) gtk_bitset_get_minimum (selection);
  if (position < 0 && direction < 0)
    position = n;

  for (position += direction; position >= 0 && position < n; position += direction)
    {
      if (!begins_change (self, (guint) position))
        continue;
      gtk_selection_model_select_item (model, (guint) position, TRUE);
      gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", (guint) position);
      return;
    }
}
