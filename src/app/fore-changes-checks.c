/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-changes-checks.h"

#include "app/fore-outside.h"
#include "app/fore-task-item.h"
#include "app/fore-task-text.h"
#include "app/fore-view-status.h"

#include <glib/gi18n-lib.h>

static const ForeCheck *
find_check (ForeRunModel *model)
{
  GListModel *tasks = fore_run_model_get_tasks (model);
  const ForeCheck *found = NULL;
  guint n = g_list_model_get_n_items (tasks);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeTaskItem) item = g_list_model_get_item (tasks, i);
      const ForeTask *task = fore_task_item_get_task (item);

      if (task->checks != NULL && task->checks->len > 0)
        found = g_ptr_array_index (task->checks, task->checks->len - 1);
    }

  return found;
}

/**
 * fore_changes_checks_show:
 * @model: a run
 * @box: what holds the two
 * @icon: shows how it went
 * @label: says it
 *
 * Says whether the checks passed on the merged work.
 */
void
fore_changes_checks_show (ForeRunModel *model, GtkWidget *box, GtkImage *icon, GtkLabel *label)
{
  const ForeRun *run = fore_run_model_get_run (model);
  const ForeCheck *check = find_check (model);
  g_autofree char *name = check != NULL ? fore_check_dup_label (check) : NULL;
  g_autofree char *text = NULL;
  ForeViewStatus status = FORE_VIEW_DONE;
  static const ForeViewStatus all[] = { FORE_VIEW_DONE, FORE_VIEW_FAILED, FORE_VIEW_ATTENTION };

  if (run->verified == FORE_VERIFIED_YES)
    text = name != NULL ? g_strdup_printf (_ ("%s passed on the merged work"), name)
                        : g_strdup (_ ("The checks passed on the merged work"));
  else if (run->verified == FORE_VERIFIED_FAILED)
    text = name != NULL ? g_strdup_printf (_ ("%s failed on the merged work"), name)
                        : g_strdup (_ ("The checks failed on the merged work"));
  else if (run->verified == FORE_VERIFIED_COMPROMISED)
    text = g_strdup (_ ("Files that decide the checks were changed"));
  else if (run->status == FORE_RUN_COMPLETED)
    text = g_strdup (_ ("Not verified: no checks were run"));

  if (run->verified == FORE_VERIFIED_FAILED)
    status = FORE_VIEW_FAILED;
  else if (run->verified != FORE_VERIFIED_YES)
    status = FORE_VIEW_ATTENTION;
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    gtk_widget_remove_css_class (box, fore_view_status_get_css_class (all[i]));
  gtk_widget_add_css_class (box, fore_view_status_get_css_class (status));
  gtk_widget_set_visible (GTK_WIDGET (icon), text != NULL);
  gtk_image_set_from_icon_name (icon, fore_view_status_get_icon_name (status));
  fore_outside_show (label, text);
  fore_outside_explain (box, text);
}

/**
 * fore_changes_find_origin:
 * @model: a run
 * @path: a file
 *
 * Returns: (transfer none) (nullable): the last task that changed the file
 */
const ForeTask *
fore_changes_find_origin (ForeRunModel *model, const char *path)
{
  GListModel *tasks = fore_run_model_get_tasks (model);
  guint n = g_list_model_get_n_items (tasks);

  for (guint i = n; i > 0; i--)
    {
      g_autoptr (ForeTaskItem) item = g_list_model_get_item (tasks, i - 1);
      const ForeTask *task = fore_task_item_get_task (item);

      if (fore_task_changed_path (task, path))
        return task;
    }

  return NULL;
}
