/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "model/fore-status.h"

G_BEGIN_DECLS

/**
 * ForeViewStatus:
 * @FORE_VIEW_PENDING: has not begun; waits for its turn
 * @FORE_VIEW_ACTIVE: at work
 * @FORE_VIEW_WAITING: waits for time, a slot or another try
 * @FORE_VIEW_DONE: ended well
 * @FORE_VIEW_FAILED: ended badly
 * @FORE_VIEW_CANCELLED: ended by a person, or skipped
 * @FORE_VIEW_ATTENTION: needs a person
 * @FORE_VIEW_GATE: a decision that a person makes or made
 *
 * What a status looks like: each has a colour, an icon and a word, and no one of them stands alone.
 */
typedef enum
{
  FORE_VIEW_PENDING,
  FORE_VIEW_ACTIVE,
  FORE_VIEW_WAITING,
  FORE_VIEW_DONE,
  FORE_VIEW_FAILED,
  FORE_VIEW_CANCELLED,
  FORE_VIEW_ATTENTION,
  FORE_VIEW_GATE,
  FORE_N_VIEW_STATUSES
} ForeViewStatus;

#define FORE_TYPE_VIEW_STATUS (fore_view_status_get_type ())

GType fore_view_status_get_type (void);

const char *fore_view_status_get_word (ForeViewStatus status);
const char *fore_view_status_get_icon_name (ForeViewStatus status);
const char *fore_view_status_get_css_class (ForeViewStatus status);
void fore_view_status_get_rgba (ForeViewStatus status, gboolean dark, GdkRGBA *rgba);

ForeViewStatus fore_view_status_from_task (ForeTaskStatus status);
ForeViewStatus fore_view_status_from_run (ForeRunStatus status);

G_END_DECLS
