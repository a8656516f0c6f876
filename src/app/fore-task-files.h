/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "model/fore-task.h"

G_BEGIN_DECLS

#define FORE_TYPE_TASK_FILES (fore_task_files_get_type ())

/* The three facts about a task's outcome: how its agent ended, what it changed, how its checks came
 * out; then the files and what the checks printed.
 */
G_DECLARE_FINAL_TYPE (ForeTaskFiles, fore_task_files, FORE, TASK_FILES, GtkWidget)

void fore_task_files_set_task (ForeTaskFiles *self, const ForeTask *task);

G_END_DECLS
