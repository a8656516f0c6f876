/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-goal-turns.h"

#include "app/fore-accessible.h"
#include "app/fore-application.h"
#include "app/fore-format.h"
#include "app/fore-job.h"
#include "app/fore-status-dot.h"
#include "engine/fore-goal.h"
#include "platform/fore-compat-glib.h"

#include <glib/gi18n-lib.h>

/* No wider than the narrowest window. */
#define WIDTH_CHARS 38

struct _ForeGoalTurns
{
  AdwBin parent_instance;

  GtkWidget *button;
  GtkWidget *list;
  char *shown;
  char *run_id;
  guint max_turns;     /* 0 until it is read */
  ForeRunModel *model; /* weak */
};

G_DEFINE_FINAL_TYPE (ForeGoalTurns, fore_goal_turns, ADW_TYPE_BIN)

static void
fore_goal_turns_dispose (GObject *object)
{
  ForeGoalTurns *self = FORE_GOAL_TURNS (object);

  g_clear_weak_pointer (&self->model);
  g_clear_pointer (&self->shown, g_free);
  g_clear_pointer (&self->run_id, g_free);

  G_OBJECT_CLASS (fore_goal_turns_parent_class)->dispose (object);
}

static void
fore_goal_turns_class_init (ForeGoalTurnsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fore_goal_turns_dispose;
}

static void
fore_goal_turns_init (ForeGoalTurns *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *popover = gtk_popover_new ();

  self->list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  gtk_widget_set_margin_top (self->list, 6);
  gtk_widget_set_margin_bottom (self->list, 6);
  gtk_widget_set_margin_start (self->list, 6);
  gtk_widget_set_margin_end (self->list, 6);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  /* Else the first text would have the focus, and a caret in it. */
  gtk_widget_set_focusable (scrolled, TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 420);
  gtk_widget_set_size_request (scrolled, 300, -1);
  gtk_popover_set_child (GTK_POPOVER (popover), scrolled);

  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->button), popover);
  gtk_widget_set_valign (self->button, GTK_ALIGN_CENTER);
  adw_bin_set_child (ADW_BIN (self), self->button);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/**
 * fore_goal_turns_new:
 *
 * Returns: (transfer floating): turns of no run
 */
GtkWidget *
fore_goal_turns_new (void)
{
  return g_object_new (FORE_TYPE_GOAL_TURNS, NULL);
}

/* Text of one turn */

static const char *
name_verdict (const ForeGoalTurn *turn)
{
  if (turn->verdict == NULL)
    return _ ("not judged yet");
  if (turn->achieved)
    return _ ("achieved");

  return turn->verdict->blocked ? _ ("needs a person") : _ ("not achieved");
}

static const char *
name_checks (const ForeGoalTurn *turn)
{
  switch (turn->verified)
    {
    case FORE_VERIFIED_YES:
      return _ ("checks passed");
    case FORE_VERIFIED_FAILED:
      return _ ("checks failed");
    case FORE_VERIFIED_COMPROMISED:
      return _ ("checks compromised");
    default:
      return _ ("not verified");
    }
}

static char *
describe_turn (const ForeGoalTurn *turn)
{
  g_autofree char *cost = fore_format_cost (turn->usage.cost);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, _ ("Turn %u: %s, %s, %s"), turn->n, name_verdict (turn),
                          name_checks (turn), cost);

  return g_string_free (text, FALSE);
}

static char *
dup_reason (const ForeGoalTurn *turn)
{
  GString *text = g_string_new (turn->reason);

  for (guint i = 0; turn->verdict != NULL && turn->verdict->evidence[i] != NULL; i++)
    g_string_append_printf (text, "%s– %s", text->len > 0 ? "\n" : "", turn->verdict->evidence[i]);

  return g_string_free (text, FALSE);
}

/* List */

static GtkWidget *
make_label (const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_width_chars (GTK_LABEL (label), WIDTH_CHARS);
  gtk_label_set_max_width_chars (GTK_LABEL (label), WIDTH_CHARS);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_can_focus (label, FALSE);
  gtk_widget_add_css_class (label, style);

  return label;
}

static GtkWidget *
make_heading (const ForeGoalTurn *turn, const char *title)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = make_label (title, "heading");
  GtkWidget *dot = fore_status_dot_new (turn->verdict == NULL    ? FORE_VIEW_ACTIVE
                                        : turn->achieved         ? FORE_VIEW_DONE
                                        : turn->verdict->blocked ? FORE_VIEW_ATTENTION
                                                                 : FORE_VIEW_FAILED);

  fore_status_dot_set_show_icon (FORE_STATUS_DOT (dot), TRUE);
  fore_accessible_set_hidden (dot, TRUE);
  gtk_widget_set_valign (dot, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), dot);
  gtk_box_append (GTK_BOX (box), label);

  return box;
}

static void
fill_list (ForeGoalTurns *self, const ForeGoal *goal)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_box_remove (GTK_BOX (self->list), child);

  for (guint i = goal->turns->len; i > 0; i--)
    {
      const ForeGoalTurn *turn = g_ptr_array_index (goal->turns, i - 1);
      g_autofree char *title = describe_turn (turn);
      g_autofree char *reason = dup_reason (turn);
      GtkWidget *row = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);

      gtk_box_append (GTK_BOX (row), make_heading (turn, title));
      if (*reason != '\0')
        gtk_box_append (GTK_BOX (row), make_label (reason, "body"));
      gtk_box_append (GTK_BOX (self->list), row);
    }
}

/* What was drawn is drawn again only where it says something else. */
static char *
dup_all (const ForeGoal *goal)
{
  GString *text = g_string_new (fore_goal_state_to_string (goal->state));

  for (guint i = 0; i < goal->turns->len; i++)
    {
      g_autofree char *title = describe_turn (g_ptr_array_index (goal->turns, i));
      g_autofree char *reason = dup_reason (g_ptr_array_index (goal->turns, i));

      g_string_append_printf (text, "\n%s\n%s", title, reason);
    }

  return g_string_free (text, FALSE);
}

static const char *
name_state (ForeGoalState state)
{
  static const char *const names[FORE_N_GOAL_STATES] = {
    N_ ("at work"), N_ ("paused"), N_ ("achieved"),  N_ ("all turns used"), N_ ("out of budget"),
    N_ ("blocked"), N_ ("stuck"),  N_ ("cancelled"), N_ ("not begun"),
  };

  return _ (names[state]);
}

static void
show_goal (ForeGoalTurns *self, const ForeGoal *goal)
{
  g_autofree char *all = dup_all (goal);
  g_autofree char *label = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  if (g_strcmp0 (all, self->shown) == 0)
    return;

  label = g_strdup_printf (_ ("Turn %u of %u: %s"), fore_goal_get_last (goal)->n, goal->max_turns,
                           name_state (goal->state));
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), label);
  fill_list (self, goal);
  fore_set_str (&self->shown, all);
}

/* Most turns, which the rows of a run do not tell */

static gpointer
load_in_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  const char *const *words = data;

  return GUINT_TO_POINTER (fore_goal_load_max_turns (words[0], words[1]));
}

static void
loaded (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeGoalTurns *self = owner;
  const char *const *words = data;

  if (g_strcmp0 (self->run_id, words[1]) != 0 || self->model == NULL)
    return;

  self->max_turns = GPOINTER_TO_UINT (result);
  fore_goal_turns_update (self, self->model);
}

static void
load (ForeGoalTurns *self, const char *run_id)
{
  const char *words[] = { fore_store_get_home (fore_application_get_store ()), run_id, NULL };

  fore_set_str (&self->run_id, run_id);
  self->max_turns = 0;
  g_clear_pointer (&self->shown, g_free);
  fore_job_run (self, "read the turns of a goal", NULL, load_in_thread, g_strdupv ((char **) words),
                (GDestroyNotify) g_strfreev, NULL, loaded);
}

static GPtrArray *
list_tasks (ForeRunModel *model)
{
  GListModel *items = fore_run_model_get_tasks (model);
  GPtrArray *tasks = g_ptr_array_new ();

  for (guint i = 0; i < g_list_model_get_n_items (items); i++)
    {
      g_autoptr (ForeTaskItem) item = g_list_model_get_item (items, i);

      g_ptr_array_add (tasks, (gpointer) fore_task_item_get_task (item));
    }

  return tasks;
}

static gboolean
is_loop (GPtrArray *tasks)
{
  for (guint i = 0; i < tasks->len; i++)
    {
      if (fore_goal_is_judge (g_ptr_array_index (tasks, i)))
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_goal_turns_update:
 * @self: the turns
 * @model: a run
 *
 * Shows the turns of @model, as they stand now.
 */
void
fore_goal_turns_update (ForeGoalTurns *self, ForeRunModel *model)
{
  const ForeRun *run;
  g_autoptr (GPtrArray) tasks = NULL;
  g_autoptr (ForeGoal) goal = NULL;

  g_return_if_fail (FORE_IS_GOAL_TURNS (self));
  g_return_if_fail (FORE_IS_RUN_MODEL (model));

  run = fore_run_model_get_run (model);
  tasks = list_tasks (model);
  if (run == NULL || !is_loop (tasks))
    {
      gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
      return;
    }

  g_set_weak_pointer (&self->model, model);
  if (g_strcmp0 (self->run_id, run->id) != 0)
    load (self, run->id);
  if (self->max_turns == 0)
    return;

  goal = fore_goal_read (run, tasks, fore_run_model_get_requests (model), self->max_turns);
  if (goal != NULL)
    show_goal (self, goal);
}
