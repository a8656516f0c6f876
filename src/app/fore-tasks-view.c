/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-tasks-view.h"

#include "app/fore-format.h"
#include "app/fore-graph-card.h"
#include "app/fore-narrow-layout.h"
#include "app/fore-page-keys.h"
#include "app/fore-outside.h"
#include "app/fore-status-dot.h"
#include "app/fore-task-item.h"
#include "app/fore-task-text.h"

#include <glib/gi18n-lib.h>

typedef enum
{
  COLUMN_STATUS,
  COLUMN_TITLE,
  COLUMN_ROLE,
  COLUMN_AGENT,
  COLUMN_TIME,
  COLUMN_TOKENS,
  COLUMN_COST,
  COLUMN_CHANGES,
  COLUMN_WHY,
  N_COLUMNS
} Column;

struct _ForeTasksView
{
  GtkWidget parent_instance;

  GtkWidget *scroller;
  GtkWidget *view;
  guint n_columns;
  GtkSortListModel *sorted;
  GtkSingleSelection *selection;
  char *wanted;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (ForeTasksView, fore_tasks_view, GTK_TYPE_WIDGET)

enum
{
  TASK_SELECTED,
  TASK_ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static char *
changes_text (const ForeTask *task)
{
  int added = 0;
  int removed = 0;

  if (task->effect == FORE_EFFECT_UNKNOWN)
    return g_strdup ("–");
  for (guint i = 0; task->files != NULL && i < task->files->len; i++)
    {
      const ForeChange *change = g_ptr_array_index (task->files, i);

      added += MAX (change->insertions, 0);
      removed += MAX (change->deletions, 0);
    }
  if (added + removed == 0)
    return g_strdup (task->effect == FORE_EFFECT_CHANGED ? _ ("changed") : _ ("none"));

  return g_strdup_printf ("+%d −%d", added, removed);
}

static char *
agent_text (const ForeTask *task)
{
  if (task->cli == NULL)
    return g_strdup ("–");
  if (task->model == NULL)
    return g_strdup (task->cli);

  return g_strdup_printf ("%s · %s", task->cli, task->model);
}

static char *
cell_text (ForeTaskItem *item, Column column)
{
  const ForeTask *task = fore_task_item_get_task (item);

  switch (column)
    {
    case COLUMN_STATUS:
      return fore_task_item_dup_status (item);
    case COLUMN_TITLE:
      return fore_task_dup_title (task);
    case COLUMN_ROLE:
      return g_strdup (task->role != NULL ? task->role : "–");
    case COLUMN_AGENT:
      return agent_text (task);
    case COLUMN_TIME:
      return fore_task_item_get_elapsed (item) >= 0
                 ? fore_format_clock (fore_task_item_get_elapsed (item))
                 : g_strdup ("–");
    case COLUMN_TOKENS:
      return fore_format_tokens (fore_usage_get_tokens (&task->usage));
    case COLUMN_COST:
      return fore_format_cost (task->usage.cost);
    case COLUMN_CHANGES:
      return changes_text (task);
    case COLUMN_WHY:
    default:
      {
        g_autofree char *detail = fore_task_item_dup_detail (item);

        return detail != NULL ? g_steal_pointer (&detail) : g_strdup ("");
      }
    }
}

static void
update_cell (ForeTaskItem *item, GtkWidget *cell)
{
  Column column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (cell), "fore-column"));
  GtkWidget *label = gtk_widget_get_last_child (cell);
  g_autofree char *plain = cell_text (item, column);
  g_autofree char *text = fore_outside_dup (plain);

  if (column == COLUMN_STATUS)
    fore_status_dot_set_status (FORE_STATUS_DOT (gtk_widget_get_first_child (cell)),
                                fore_task_item_get_status (item));
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), text) == 0)
    return;

  gtk_label_set_text (GTK_LABEL (label), text);
  if (column == COLUMN_WHY || column == COLUMN_TITLE)
    gtk_widget_set_tooltip_text (cell, text);
}

static gboolean
is_number (Column column)
{
  return column == COLUMN_TIME || column == COLUMN_TOKENS || column == COLUMN_COST
         || column == COLUMN_CHANGES;
}

static void
setup_cb (GtkListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  Column column = GPOINTER_TO_UINT (data);
  GtkWidget *cell = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  if (column == COLUMN_TITLE)
    gtk_label_set_width_chars (GTK_LABEL (label), 14);
  if (is_number (column))
    gtk_widget_add_css_class (label, "numeric");
  if (column == COLUMN_TITLE)
    gtk_widget_add_css_class (label, "cell-title");
  else if (column != COLUMN_STATUS)
    gtk_widget_add_css_class (label, "cell-dim");
  if (column == COLUMN_STATUS)
    {
      GtkWidget *dot = fore_status_dot_new (FORE_VIEW_PENDING);

      fore_status_dot_set_show_icon (FORE_STATUS_DOT (dot), TRUE);
      gtk_widget_set_valign (dot, GTK_ALIGN_CENTER);
      gtk_box_append (GTK_BOX (cell), dot);
    }
  gtk_box_append (GTK_BOX (cell), label);
  g_object_set_data (G_OBJECT (cell), "fore-column", GUINT_TO_POINTER (column));
  gtk_list_item_set_child (list_item, cell);
}

static void
name_row (GtkWidget *cell, ForeTaskItem *item)
{
  GtkWidget *parent = gtk_widget_get_parent (cell);
  g_autofree char *status = cell_text (item, COLUMN_STATUS);
  g_autofree char *title = cell_text (item, COLUMN_TITLE);
  g_autofree char *name = g_strdup_printf ("%s, %s", title, status);

  /* Rows of list widgets have no name of their own. */
  if (parent != NULL && gtk_widget_get_parent (parent) != NULL)
    fore_outside_name (gtk_widget_get_parent (parent), name);
}

static void
item_changed_cb (ForeTaskItem *item, GtkWidget *cell)
{
  update_cell (item, cell);
}

static void
bind_cb (GtkListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  GtkWidget *cell = gtk_list_item_get_child (list_item);
  ForeTaskItem *item = gtk_list_item_get_item (list_item);

  update_cell (item, cell);
  if (GPOINTER_TO_UINT (data) == COLUMN_TITLE)
    name_row (cell, item);
  g_signal_connect_object (item, "changed", G_CALLBACK (item_changed_cb), cell, 0);
}

static void
unbind_cb (GtkListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  g_signal_handlers_disconnect_by_data (gtk_list_item_get_item (list_item),
                                        gtk_list_item_get_child (list_item));
}

static int
compare_numbers (gint64 a, gint64 b)
{
  return (a > b) - (a < b);
}

static gint64
count_changes (const ForeTask *task)
{
  gint64 n = 0;

  for (guint i = 0; task->files != NULL && i < task->files->len; i++)
    {
      const ForeChange *change = g_ptr_array_index (task->files, i);

      n += MAX (change->insertions, 0) + MAX (change->deletions, 0);
    }

  return n;
}

static int
compare_cb (gconstpointer a, gconstpointer b, gpointer data)
{
  ForeTaskItem *left = (ForeTaskItem *) a;
  ForeTaskItem *right = (ForeTaskItem *) b;
  const ForeTask *x = fore_task_item_get_task (left);
  const ForeTask *y = fore_task_item_get_task (right);

  switch ((Column) GPOINTER_TO_UINT (data))
    {
    case COLUMN_STATUS:
      return x->status != y->status ? compare_numbers (x->status, y->status)
                                    : compare_numbers (fore_task_item_get_status (left),
                                                       fore_task_item_get_status (right));
    case COLUMN_TITLE:
      return g_utf8_collate (x->title, y->title);
    case COLUMN_ROLE:
      return g_strcmp0 (x->role, y->role);
    case COLUMN_AGENT:
      return g_strcmp0 (x->cli, y->cli);
    case COLUMN_TIME:
      return compare_numbers (fore_task_item_get_elapsed (left),
                              fore_task_item_get_elapsed (right));
    case COLUMN_TOKENS:
      return compare_numbers (fore_usage_get_tokens (&x->usage), fore_usage_get_tokens (&y->usage));
    case COLUMN_COST:
      return compare_numbers (x->usage.cost, y->usage.cost);
    case COLUMN_CHANGES:
      return compare_numbers (count_changes (x), count_changes (y));
    default:
      return compare_numbers (x->position, y->position);
    }
}

static void
add_column (ForeTasksView *self, Column column, const char *title)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *view_column;
  g_autoptr (GtkSorter) sorter = NULL;

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), GUINT_TO_POINTER (column));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GUINT_TO_POINTER (column));
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cb), GUINT_TO_POINTER (column));
  view_column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_resizable (view_column, TRUE);
  gtk_column_view_column_set_expand (view_column, column == COLUMN_TITLE);
  if (column != COLUMN_WHY)
    {
      sorter = GTK_SORTER (gtk_custom_sorter_new (compare_cb, GUINT_TO_POINTER (column), NULL));
      gtk_column_view_column_set_sorter (view_column, sorter);
    }
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), view_column);
  g_object_unref (view_column);
}

static void
selected_cb (GtkSingleSelection *selection, GParamSpec *pspec, ForeTasksView *self)
{
  ForeTaskItem *item = gtk_single_selection_get_selected_item (selection);

  if (self->updating || item == NULL)
    return;

  g_free (self->wanted);
  self->wanted = g_strdup (fore_task_item_get_key (item));
  g_signal_emit (self, signals[TASK_SELECTED], 0, self->wanted);
}

static void
activate_cb (GtkColumnView *view, guint position, ForeTasksView *self)
{
  g_autoptr (ForeTaskItem) item = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (item != NULL)
    g_signal_emit (self, signals[TASK_ACTIVATED], 0, fore_task_item_get_key (item));
}

static void
apply_selection (ForeTasksView *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  guint found = GTK_INVALID_LIST_POSITION;

  for (guint i = 0; self->wanted != NULL && i < n; i++)
    {
      g_autoptr (ForeTaskItem) item = g_list_model_get_item (G_LIST_MODEL (self->selection), i);

      if (g_strcmp0 (fore_task_item_get_key (item), self->wanted) == 0)
        found = i;
    }
  self->updating = TRUE;
  gtk_single_selection_set_selected (self->selection, found);
  self->updating = FALSE;
}

/* In pixels, with text of the usual size; the title takes what is left. */
static const int column_widths[N_COLUMNS] = {
  [COLUMN_STATUS] = 146, [COLUMN_TITLE] = 170,  [COLUMN_ROLE] = 108,
  [COLUMN_AGENT] = 86,   [COLUMN_TIME] = 76,    [COLUMN_TOKENS] = 70,
  [COLUMN_COST] = 72,    [COLUMN_CHANGES] = 96, [COLUMN_WHY] = 260,
};

/* What a person looks for first; the panel of a task has what finds no room. */
static const Column column_order[] = { COLUMN_STATUS, COLUMN_TITLE,   COLUMN_TIME,
                                       COLUMN_AGENT,  COLUMN_TOKENS,  COLUMN_COST,
                                       COLUMN_ROLE,   COLUMN_CHANGES, COLUMN_WHY };

static void
show_column (ForeTasksView *self, Column which, gboolean shown)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));
  g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, which);
  double scale = fore_graph_card_get_scale (gtk_widget_get_pango_context (self->view));
  int width = which == COLUMN_TITLE ? -1 : (int) (column_widths[which] * scale);

  gtk_column_view_column_set_visible (column, shown);
  /* What is hidden is measured all the same by GTK 4.8. */
  gtk_column_view_column_set_fixed_width (column, shown ? width : 0);
}

/* Nothing is cut: as many columns as there is room for, and always the first three. */
static void
set_width (GtkWidget *widget, int width)
{
  ForeTasksView *self = FORE_TASKS_VIEW (widget);
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (column_order); i++)
    {
      width -= column_widths[column_order[i]];
      if (width >= 0 || i < 3)
        n = i + 1;
    }
  if (n == self->n_columns)
    return;

  self->n_columns = n;
  for (guint i = 0; i < G_N_ELEMENTS (column_order); i++)
    show_column (self, column_order[i], i < n);
}

static void
fore_tasks_view_dispose (GObject *object)
{
  ForeTasksView *self = FORE_TASKS_VIEW (object);

  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_pointer (&self->wanted, g_free);

  G_OBJECT_CLASS (fore_tasks_view_parent_class)->dispose (object);
}

static void
fore_tasks_view_class_init (ForeTasksViewClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_tasks_view_dispose;
  signals[TASK_SELECTED] = g_signal_new ("task-selected", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[TASK_ACTIVATED] = g_signal_new ("task-activated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
fore_tasks_view_init (ForeTasksView *self)
{
  self->scroller = gtk_scrolled_window_new ();
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
  self->view = gtk_column_view_new (NULL);
  gtk_widget_add_css_class (self->view, "fore-tasks");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Tasks"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->view);

  add_column (self, COLUMN_STATUS, _ ("Status"));
  add_column (self, COLUMN_TITLE, _ ("Task"));
  add_column (self, COLUMN_ROLE, _ ("Role"));
  add_column (self, COLUMN_AGENT, _ ("Agent"));
  add_column (self, COLUMN_TIME, _ ("Time"));
  add_column (self, COLUMN_TOKENS, _ ("Tokens"));
  add_column (self, COLUMN_COST, _ ("Cost"));
  add_column (self, COLUMN_CHANGES, _ ("Changes"));
  add_column (self, COLUMN_WHY, _ ("Remark"));

  self->sorted = gtk_sort_list_model_new (
      NULL, g_object_ref (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view))));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (self->sorted));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), GTK_SELECTION_MODEL (self->selection));
  g_signal_connect (self->selection, "notify::selected", G_CALLBACK (selected_cb), self);
  g_signal_connect (self->view, "activate", G_CALLBACK (activate_cb), self);
  fore_narrow_layout_install_width (GTK_WIDGET (self), set_width);
  fore_page_keys_set_target (GTK_WIDGET (self), self->view);
}

/**
 * fore_tasks_view_set_model:
 * @self: a table of tasks
 * @tasks: (nullable): list of #ForeTaskItem
 */
void
fore_tasks_view_set_model (ForeTasksView *self, GListModel *tasks)
{
  g_return_if_fail (FORE_IS_TASKS_VIEW (self));

  self->updating = TRUE;
  gtk_sort_list_model_set_model (self->sorted, tasks);
  self->updating = FALSE;
  g_clear_pointer (&self->wanted, g_free);
}

/**
 * fore_tasks_view_set_selected:
 * @self: a table of tasks
 * @key: (nullable): key of the task to select
 */
void
fore_tasks_view_set_selected (ForeTasksView *self, const char *key)
{
  g_return_if_fail (FORE_IS_TASKS_VIEW (self));

  if (g_strcmp0 (key, self->wanted) != 0)
    {
      g_free (self->wanted);
      self->wanted = g_strdup (key);
    }
  apply_selection (self);
}
