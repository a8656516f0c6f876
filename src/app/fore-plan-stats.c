/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-plan-stats.h"

#include "app/fore-plan-edit.h"
#include "app/fore-stat.h"

#include <glib/gi18n-lib.h>

#define MAX_PATHS 6

struct _ForePlanStats
{
  ForeStat *tasks;
  ForeStat *at_once;
  ForeStat *longest;
  ForeStat *checks;
  ForeStat *paths;
};

static ForeStat *
add_stat (ForeFlow *box, const char *caption)
{
  GtkWidget *stat = fore_stat_new (caption);

  fore_flow_append (box, stat);
  return FORE_STAT (stat);
}

/**
 * fore_plan_stats_new:
 * @box: where the figures go
 *
 * Returns: (transfer full): the figures, without values
 */
ForePlanStats *
fore_plan_stats_new (ForeFlow *box)
{
  ForePlanStats *self = g_new0 (ForePlanStats, 1);

  self->tasks = add_stat (box, _ ("Tasks"));
  self->at_once = add_stat (box, _ ("At Once"));
  self->longest = add_stat (box, _ ("Longest Path"));
  self->checks = add_stat (box, _ ("Checks"));
  self->paths = add_stat (box, _ ("May Write"));

  return self;
}

/**
 * fore_plan_stats_free:
 * @self: the figures; their widgets stay with the box
 */
void
fore_plan_stats_free (ForePlanStats *self)
{
  g_free (self);
}

static guint
count_checks (const ForePlan *plan)
{
  guint n = 0;

  for (guint i = 0; i < plan->items->len; i++)
    {
      const ForePlanItem *item = g_ptr_array_index (plan->items, i);

      n += item->checks != NULL ? item->checks->len : 0;
    }

  return n;
}

/**
 * fore_plan_stats_update:
 * @self: the figures
 * @effective: a plan without what the person left out
 * @jobs: agents at work at once at most, or 0
 */
void
fore_plan_stats_update (ForePlanStats *self, const ForePlan *effective, guint jobs)
{
  g_autoptr (GPtrArray) paths = fore_plan_list_paths (effective);
  g_autofree char *tasks = g_strdup_printf ("%u", effective->items->len);
  guint width = fore_plan_get_width (effective);
  guint at_once = jobs > 0 ? MIN (width, jobs) : width;
  g_autofree char *agents = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u agent", "%u agents", at_once), at_once);
  g_autofree char *longest = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u task", "%u tasks", fore_plan_get_depth (effective)),
      fore_plan_get_depth (effective));
  guint n_checks = count_checks (effective);
  g_autofree char *checks = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u command", "%u commands", n_checks), n_checks);
  g_autoptr (GString) written = g_string_new (NULL);

  for (guint i = 0; i < MIN (paths->len, MAX_PATHS); i++)
    g_string_append_printf (written, "%s%s", i > 0 ? " " : "",
                            (char *) g_ptr_array_index (paths, i));
  if (paths->len > MAX_PATHS)
    g_string_append_printf (written, " +%u", paths->len - MAX_PATHS);
  fore_stat_set_value (self->tasks, tasks);
  fore_stat_set_value (self->at_once, agents);
  fore_stat_set_value (self->longest, longest);
  fore_stat_set_value (self->checks, n_checks > 0 ? checks : _ ("none"));
  fore_stat_set_value (self->paths, paths->len > 0 ? written->str : _ ("anything in its tree"));
  fore_stat_set_mono (self->paths, paths->len > 0);
}
