/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-way.h"

#include "app/fore-compat.h"
#include "app/fore-view-bar.h"
#include "engine/fore-goal.h"
#include "platform/fore-compat-glib.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _ForeRunWay
{
  AdwPreferencesGroup parent_instance;

  AdwActionRow *kind_row;
  ForeViewBar *kinds;
  GtkWidget *chain_row;
  GtkWidget *plan_row;
  GtkWidget *loop_row;
  GtkSwitch *loop;
  GtkWidget *turns_row;
  GtkSpinButton *turns;
};

G_DEFINE_FINAL_TYPE (ForeRunWay, fore_run_way, ADW_TYPE_PREFERENCES_GROUP)

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static const struct
{
  const char *id;
  const char *label;
  const char *subtitle;
} ways[FORE_N_RUN_WAYS] = {
  [FORE_RUN_WAY_TEAM] = { "team", N_ ("Team"), N_ ("a team and its workflow") },
  [FORE_RUN_WAY_CHAIN] = { "chain", N_ ("Chain"), N_ ("links, one after the other") },
  [FORE_RUN_WAY_PLAN] = { "plan", N_ ("Plan"), N_ ("a plan that you wrote") },
};

/* What was typed there, without blanks around it. */
static char *
dup_text (GtkWidget *row)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (row))));
}

static gboolean
is_empty (GtkWidget *row)
{
  g_autofree char *text = dup_text (row);

  return *text == '\0';
}

static void
tell (ForeRunWay *self)
{
  gtk_widget_set_visible (self->turns_row, fore_run_way_get_goal_loop (self));
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
changed_cb (GObject *object, GParamSpec *pspec, ForeRunWay *self)
{
  g_assert (FORE_IS_RUN_WAY (self));

  tell (self);
}

static void
kind_selected_cb (ForeViewBar *bar, GParamSpec *pspec, ForeRunWay *self)
{
  ForeRunWayKind kind = fore_run_way_get_kind (self);

  g_assert (FORE_IS_RUN_WAY (self));

  adw_action_row_set_subtitle (self->kind_row, _ (ways[kind].subtitle));
  gtk_widget_set_visible (self->chain_row, kind == FORE_RUN_WAY_CHAIN);
  gtk_widget_set_visible (self->plan_row, kind == FORE_RUN_WAY_PLAN);
  gtk_widget_set_visible (self->loop_row, kind != FORE_RUN_WAY_PLAN);
  tell (self);
}

static void
plan_chosen_cb (gpointer owner, const char *path, gpointer data)
{
  ForeRunWay *self = owner;

  gtk_editable_set_text (GTK_EDITABLE (self->plan_row), path);
}

static void
choose_plan_cb (GtkButton *button, ForeRunWay *self)
{
  g_assert (FORE_IS_RUN_WAY (self));

  fore_choose_file (GTK_WIDGET (self), _ ("Choose a Plan"), self, plan_chosen_cb, NULL);
}

static void
fore_run_way_class_init (ForeRunWayClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (FORE_TYPE_VIEW_BAR);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/foredeck/Foredeck/ui/fore-run-way.ui");
  gtk_widget_class_bind_template_child (widget_class, ForeRunWay, kind_row);
  gtk_widget_class_bind_template_child (widget_class, ForeRunWay, kinds);
  gtk_widget_class_bind_template_child (widget_class, ForeRunWay, chain_row);
  gtk_widget_class_bind_template_child (widget_class, ForeRunWay, plan_row);
  gtk_widget_class_bind_template_child (widget_class, ForeRunWay, loop_row);
  gtk_widget_class_bind_template_child (widget_class, ForeRunWay, loop);
  gtk_widget_class_bind_template_child (widget_class, ForeRunWay, turns_row);
  gtk_widget_class_bind_template_child (widget_class, ForeRunWay, turns);
  gtk_widget_class_bind_template_callback (widget_class, kind_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, choose_plan_cb);

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
fore_run_way_init (ForeRunWay *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < FORE_N_RUN_WAYS; i++)
    fore_view_bar_add (self->kinds, ways[i].id, _ (ways[i].label), _ (ways[i].subtitle));
  gtk_spin_button_set_range (self->turns, 1, FORE_GOAL_MOST_TURNS);
  gtk_spin_button_set_value (self->turns, FORE_GOAL_MAX_TURNS);
}

/**
 * fore_run_way_get_kind:
 * @self: the group
 *
 * Returns: what the tasks come from
 */
ForeRunWayKind
fore_run_way_get_kind (ForeRunWay *self)
{
  g_return_val_if_fail (FORE_IS_RUN_WAY (self), FORE_RUN_WAY_TEAM);

  for (guint i = 0; i < FORE_N_RUN_WAYS; i++)
    {
      if (g_strcmp0 (fore_view_bar_get_selected (self->kinds), ways[i].id) == 0)
        return i;
    }

  return FORE_RUN_WAY_TEAM;
}

/**
 * fore_run_way_get_goal_loop:
 * @self: the group
 *
 * Returns: whether the tasks are gone through in turns until the goal is achieved
 */
gboolean
fore_run_way_get_goal_loop (ForeRunWay *self)
{
  g_return_val_if_fail (FORE_IS_RUN_WAY (self), FALSE);

  return fore_run_way_get_kind (self) != FORE_RUN_WAY_PLAN && gtk_switch_get_active (self->loop);
}

/**
 * fore_run_way_get_obstacle:
 * @self: the group
 * @has_goal: whether there is a goal
 *
 * A chain is a goal too, and so is the headline of a plan; a goal loop wants to know when it has
 * come to its end.
 *
 * Returns: (transfer none) (nullable): what has to be filled in first
 */
const char *
fore_run_way_get_obstacle (ForeRunWay *self, gboolean has_goal)
{
  ForeRunWayKind kind;

  g_return_val_if_fail (FORE_IS_RUN_WAY (self), NULL);

  kind = fore_run_way_get_kind (self);
  if (kind == FORE_RUN_WAY_CHAIN && is_empty (self->chain_row))
    return _ ("To start, write down the chain.");
  if (kind == FORE_RUN_WAY_PLAN && is_empty (self->plan_row))
    return _ ("To start, choose the file of the plan.");
  if (!has_goal && (kind == FORE_RUN_WAY_TEAM || fore_run_way_get_goal_loop (self)))
    return _ ("To start, write down the goal.");

  return NULL;
}

/**
 * fore_run_way_get_hint:
 * @self: the group
 *
 * Returns: (transfer none): what to write down as the goal, and how what it is reached with is
 *   written
 */
const char *
fore_run_way_get_hint (ForeRunWay *self)
{
  g_return_val_if_fail (FORE_IS_RUN_WAY (self), NULL);

  switch (fore_run_way_get_kind (self))
    {
    case FORE_RUN_WAY_CHAIN:
      return _ (
          "All links of the chain work on this goal; without one the chain is the goal. Links "
          "are agents, workflows, teams or texts: explorer -> \"repair it\" -> "
          "parallel(reviewer, writer)");
    case FORE_RUN_WAY_PLAN:
      return _ (
          "Without a goal the headline of the plan is the goal. A plan is a list in Markdown; "
          "you approve it like a planner's.");
    case FORE_RUN_WAY_TEAM:
    default:
      return _ ("Say what should be true when the crew is done. Details help: files, tests, what "
                "must not change.");
    }
}

static char *
dup_path (const char *text, const char *project)
{
  if (g_str_has_prefix (text, "~/"))
    return g_build_filename (g_get_home_dir (), text + 2, NULL);

  return g_canonicalize_filename (text, project);
}

/**
 * fore_run_way_fill:
 * @self: the group
 * @spec: gets what was chosen here; of what does not go with it, nothing is left
 */
void
fore_run_way_fill (ForeRunWay *self, ForeRunSpec *spec)
{
  ForeRunWayKind kind;

  g_return_if_fail (FORE_IS_RUN_WAY (self));
  g_return_if_fail (spec != NULL);

  kind = fore_run_way_get_kind (self);
  spec->goal_loop = fore_run_way_get_goal_loop (self);
  spec->max_turns = spec->goal_loop ? (guint) gtk_spin_button_get_value_as_int (self->turns) : 0;
  if (kind == FORE_RUN_WAY_TEAM)
    return;

  g_clear_pointer (&spec->workflow, g_free);
  if (kind == FORE_RUN_WAY_PLAN)
    {
      g_autofree char *text = dup_text (self->plan_row);
      g_autofree char *path = dup_path (text, spec->project);

      fore_set_str (&spec->plan_file, path);
      return;
    }

  g_clear_pointer (&spec->team, g_free);
  g_free (spec->chain);
  spec->chain = dup_text (self->chain_row);
  if (*spec->goal == '\0')
    fore_set_str (&spec->goal, spec->chain);
}

/**
 * fore_run_way_choose:
 * @self: the group
 * @name: `team`, `goal-loop`, `chain` or `plan-file`
 * @text: (nullable): the chain, or the file of the plan
 */
void
fore_run_way_choose (ForeRunWay *self, const char *name, const char *text)
{
  gboolean chain, plan;

  g_return_if_fail (FORE_IS_RUN_WAY (self));
  g_return_if_fail (name != NULL);

  chain = strcmp (name, "chain") == 0;
  plan = strcmp (name, "plan-file") == 0;
  gtk_switch_set_active (self->loop, strcmp (name, "goal-loop") == 0);
  if (text != NULL && (chain || plan))
    gtk_editable_set_text (GTK_EDITABLE (chain ? self->chain_row : self->plan_row), text);
  fore_view_bar_set_selected (self->kinds, ways[chain  ? FORE_RUN_WAY_CHAIN
                                                : plan ? FORE_RUN_WAY_PLAN
                                                       : FORE_RUN_WAY_TEAM]
                                               .id);
}
