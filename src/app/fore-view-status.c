/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-view-status.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  const char *nick;
  const char *word;
  const char *icon_name;
  const char *css_class;
  const char *light;
  const char *dark;
} StatusLook;

static const StatusLook looks[FORE_N_VIEW_STATUSES] = {
  [FORE_VIEW_PENDING] = { "pending", N_ ("To do"), "fore-queued-symbolic", "status-pending",
                          "#9a9996", "#9a9996" },
  [FORE_VIEW_ACTIVE] = { "active", N_ ("Running"), "fore-running-symbolic", "status-active",
                         "#1c71d8", "#62a0ea" },
  [FORE_VIEW_WAITING] = { "waiting", N_ ("Waiting"), "fore-waiting-symbolic", "status-waiting",
                          "#e5a50a", "#f5c211" },
  [FORE_VIEW_DONE] = { "done", N_ ("Done"), "fore-done-symbolic", "status-done", "#26a269",
                       "#33c07f" },
  [FORE_VIEW_FAILED] = { "failed", N_ ("Failed"), "fore-failed-symbolic", "status-failed",
                         "#c01c28", "#f66151" },
  [FORE_VIEW_CANCELLED] = { "cancelled", N_ ("Cancelled"), "fore-cancelled-symbolic",
                            "status-cancelled", "#77767b", "#9a9996" },
  [FORE_VIEW_ATTENTION] = { "attention", N_ ("Needs attention"), "fore-attention-symbolic",
                            "status-attention", "#d9730d", "#ffa348" },
  [FORE_VIEW_GATE] = { "gate", N_ ("Decision"), "fore-gate-symbolic", "status-gate", "#813d9c",
                       "#c982e0" },
};

GType
fore_view_status_get_type (void)
{
  static gsize type;

  if (g_once_init_enter (&type))
    {
      static GEnumValue values[FORE_N_VIEW_STATUSES + 1];

      for (guint i = 0; i < FORE_N_VIEW_STATUSES; i++)
        values[i] = (GEnumValue){ i, looks[i].nick, looks[i].nick };
      g_once_init_leave (&type, g_enum_register_static ("ForeViewStatus", values));
    }

  return type;
}

/**
 * fore_view_status_get_word:
 * @status: a status
 *
 * Returns: (transfer none): the translated word for it
 */
const char *
fore_view_status_get_word (ForeViewStatus status)
{
  g_return_val_if_fail (status < FORE_N_VIEW_STATUSES, "");

  return _ (looks[status].word);
}

const char *
fore_view_status_get_icon_name (ForeViewStatus status)
{
  g_return_val_if_fail (status < FORE_N_VIEW_STATUSES, NULL);

  return looks[status].icon_name;
}

/**
 * fore_view_status_get_css_class:
 * @status: a status
 *
 * Returns: (transfer none): the style class that gives an icon or a text its colour
 */
const char *
fore_view_status_get_css_class (ForeViewStatus status)
{
  g_return_val_if_fail (status < FORE_N_VIEW_STATUSES, NULL);

  return looks[status].css_class;
}

void
fore_view_status_get_rgba (ForeViewStatus status, gboolean dark, GdkRGBA *rgba)
{
  g_return_if_fail (status < FORE_N_VIEW_STATUSES);
  g_return_if_fail (rgba != NULL);

  gdk_rgba_parse (rgba, dark ? looks[status].dark : looks[status].light);
}

ForeViewStatus
fore_view_status_from_task (ForeTaskStatus status)
{
  switch (status)
    {
    case FORE_TASK_RUNNING:
      return FORE_VIEW_ACTIVE;
    case FORE_TASK_WAITING:
      return FORE_VIEW_WAITING;
    case FORE_TASK_COMPLETED:
      return FORE_VIEW_DONE;
    case FORE_TASK_FAILED:
      return FORE_VIEW_FAILED;
    case FORE_TASK_CANCELLED:
    case FORE_TASK_SKIPPED:
      return FORE_VIEW_CANCELLED;
    case FORE_TASK_NEEDS_ATTENTION:
      return FORE_VIEW_ATTENTION;
    case FORE_TASK_QUEUED:
    case FORE_N_TASK_STATUSES:
    default:
      return FORE_VIEW_PENDING;
    }
}

ForeViewStatus
fore_view_status_from_run (ForeRunStatus status)
{
  switch (status)
    {
    case FORE_RUN_PLANNING:
    case FORE_RUN_RUNNING:
      return FORE_VIEW_ACTIVE;
    case FORE_RUN_BLOCKED:
    case FORE_RUN_PAUSED:
      return FORE_VIEW_WAITING;
    case FORE_RUN_COMPLETED:
      return FORE_VIEW_DONE;
    case FORE_RUN_FAILED:
      return FORE_VIEW_FAILED;
    case FORE_RUN_CANCELLED:
      return FORE_VIEW_CANCELLED;
    case FORE_RUN_QUEUED:
    case FORE_N_RUN_STATUSES:
    default:
      return FORE_VIEW_PENDING;
    }
}
