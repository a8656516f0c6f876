/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-project-row.h"

#include "app/fore-compat.h"
#include "app/fore-drop-down.h"
#include "app/fore-format.h"

#include <glib/gi18n-lib.h>

#define MAX_NAME_CHARS 16

struct _ForeProjectRow
{
  AdwActionRow parent_instance;

  GtkDropDown *projects;
  GPtrArray *paths;
  guint selected;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (ForeProjectRow, fore_project_row, ADW_TYPE_ACTION_ROW)

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
fill (ForeProjectRow *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < self->paths->len; i++)
    {
      g_autofree char *name = fore_format_project (g_ptr_array_index (self->paths, i));

      gtk_string_list_append (names, name);
    }
  self->updating = TRUE;
  gtk_drop_down_set_model (self->projects, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->projects, self->selected);
  self->updating = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self->projects), self->paths->len > 1);
  fore_project_row_set_branch (self, NULL);
}

static void
project_selected_cb (GtkDropDown *drop_down, GParamSpec *pspec, ForeProjectRow *self)
{
  guint index = gtk_drop_down_get_selected (drop_down);

  g_assert (FORE_IS_PROJECT_ROW (self));

  if (self->updating || index >= self->paths->len)
    return;

  self->selected = index;
  fore_project_row_set_branch (self, NULL);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
folder_chosen_cb (gpointer owner, const char *path, gpointer data)
{
  ForeProjectRow *self = owner;

  fore_project_row_set_path (self, path);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
choose_project_cb (GtkButton *button, ForeProjectRow *self)
{
  g_assert (FORE_IS_PROJECT_ROW (self));

  fore_choose_folder (GTK_WIDGET (self), _ ("Choose a Project"), fore_project_row_get_path (self),
                      self, folder_chosen_cb, NULL);
}

static void
fore_project_row_finalize (GObject *object)
{
  ForeProjectRow *self = FORE_PROJECT_ROW (object);

  g_ptr_array_unref (self->paths);

  G_OBJECT_CLASS (fore_project_row_parent_class)->finalize (object);
}

static void
fore_project_row_class_init (ForeProjectRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = fore_project_row_finalize;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/foredeck/Foredeck/ui/fore-project-row.ui");
  gtk_widget_class_bind_template_child (widget_class, ForeProjectRow, projects);
  gtk_widget_class_bind_template_callback (widget_class, project_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, choose_project_cb);

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
fore_project_row_init (ForeProjectRow *self)
{
  self->paths = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (self));
  fore_drop_down_limit (self->projects, MAX_NAME_CHARS);
}

/**
 * fore_project_row_get_path:
 * @self: the row
 *
 * Returns: (transfer none) (nullable): the folder that is chosen
 */
const char *
fore_project_row_get_path (ForeProjectRow *self)
{
  g_return_val_if_fail (FORE_IS_PROJECT_ROW (self), NULL);

  return self->selected < self->paths->len ? g_ptr_array_index (self->paths, self->selected) : NULL;
}

/**
 * fore_project_row_set_path:
 * @self: the row
 * @path: the folder to choose, which then is a known one
 */
void
fore_project_row_set_path (ForeProjectRow *self, const char *path)
{
  g_return_if_fail (FORE_IS_PROJECT_ROW (self));
  g_return_if_fail (path != NULL);

  if (!g_ptr_array_find_with_equal_func (self->paths, path, g_str_equal, &self->selected))
    {
      g_ptr_array_insert (self->paths, 0, g_strdup (path));
      self->selected = 0;
    }
  fill (self);
}

/**
 * fore_project_row_add_known:
 * @self: the row
 * @paths: (element-type utf8): further folders to choose from; if none is chosen, the first one is
 */
void
fore_project_row_add_known (ForeProjectRow *self, GPtrArray *paths)
{
  g_return_if_fail (FORE_IS_PROJECT_ROW (self));
  g_return_if_fail (paths != NULL);

  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = g_ptr_array_index (paths, i);

      if (!g_ptr_array_find_with_equal_func (self->paths, path, g_str_equal, NULL))
        g_ptr_array_add (self->paths, g_strdup (path));
    }
  fill (self);
}

/**
 * fore_project_row_set_branch:
 * @self: the row
 * @branch: (nullable): the branch that is checked out there, if it is known
 */
void
fore_project_row_set_branch (ForeProjectRow *self, const char *branch)
{
  g_autofree char *path = NULL;
  g_autofree char *line = NULL;
  g_autofree char *escaped = NULL;

  g_return_if_fail (FORE_IS_PROJECT_ROW (self));

  if (fore_project_row_get_path (self) == NULL)
    line = g_strdup (_ ("choose the folder to work in"));
  else
    path = fore_format_path (fore_project_row_get_path (self));
  if (path != NULL)
    line = branch != NULL ? g_strdup_printf ("%s · %s", path, branch) : g_strdup (path);
  escaped = g_markup_escape_text (line, -1);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), escaped);
}
