/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-task.h"

G_BEGIN_DECLS

/* One that a person added: no step and no plan has it. */
static inline gboolean
fore_task_is_follow_up (const ForeTask *task)
{
  return task->step == NULL && task->plan_version == 0;
}

G_END_DECLS
