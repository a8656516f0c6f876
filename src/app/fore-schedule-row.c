/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-schedule-row.h"

#include "app/fore-outside.h"
#include "app/fore-when.h"

#include <glib/gi18n-lib.h>

#define N_NEXT 5

struct _ForeScheduleRow
{
  AdwExpanderRow parent_instance;

  GtkSwitch *enabled;
  AdwActionRow *next;
  AdwActionRow *last;
  AdwActionRow *does;

  char *id;
  gboolean updating;
};

enum
{
  SWITCHED,
  START_NOW,
  REMOVE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ForeScheduleRow, fore_schedule_row, ADW_TYPE_EXPANDER_ROW)

static void
switched_cb (GtkSwitch *enabled, GParamSpec *pspec, ForeScheduleRow *self)
{
  if (!self->updating)
    g_signal_emit (self, signals[SWITCHED], 0, gtk_switch_get_active (enabled));
}

static void
start_now_cb (GtkButton *button, ForeScheduleRow *self)
{
  g_signal_emit (self, signals[START_NOW], 0);
}

static void
remove_cb (GtkButton *button, ForeScheduleRow *self)
{
  g_signal_emit (self, signals[REMOVE], 0);
}

static void
fore_schedule_row_finalize (GObject *object)
{
  g_free (FORE_SCHEDULE_ROW (object)->id);

  G_OBJECT_CLASS (fore_schedule_row_parent_class)->finalize (object);
}

static void
fore_schedule_row_class_init (ForeScheduleRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = fore_schedule_row_finalize;

  signals[SWITCHED] = g_signal_new ("switched", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  signals[START_NOW] = g_signal_new ("start-now", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 0);
  signals[REMOVE] = g_signal_new ("remove", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/foredeck/Foredeck/ui/fore-schedule-row.ui");
  gtk_widget_class_bind_template_child (widget_class, ForeScheduleRow, enabled);
  gtk_widget_class_bind_template_child (widget_class, ForeScheduleRow, next);
  gtk_widget_class_bind_template_child (widget_class, ForeScheduleRow, last);
  gtk_widget_class_bind_template_child (widget_class, ForeScheduleRow, does);
  gtk_widget_class_bind_template_callback (widget_class, switched_cb);
  gtk_widget_class_bind_template_callback (widget_class, start_now_cb);
  gtk_widget_class_bind_template_callback (widget_class, remove_cb);
}

static void
fore_schedule_row_init (ForeScheduleRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * fore_schedule_row_new:
 *
 * Returns: (transfer floating): an empty row
 */
GtkWidget *
fore_schedule_row_new (void)
{
  return g_object_new (FORE_TYPE_SCHEDULE_ROW, NULL);
}

static void
set_subtitle (gpointer row, const char *text)
{
  g_autofree char *visible = fore_outside_dup (text);
  g_autofree char *escaped = g_markup_escape_text (visible, -1);

  g_object_set (row, "subtitle", escaped, NULL);
}

static void
show_next (ForeScheduleRow *self, GArray *times)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < times->len; i++)
    {
      g_autofree char *words = fore_when_dup_words (g_array_index (times, gint64, i));

      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", words);
    }
  set_subtitle (self->next, text->len > 0 ? text->str : _ ("none"));
}

static void
show_last (ForeScheduleRow *self, const ForeSchedule *schedule)
{
  g_autofree char *when = fore_when_dup_words (schedule->due_us);
  g_autofree char *outcome = fore_schedule_dup_outcome (schedule);
  g_autofree char *text = g_strdup_printf ("%s: %s", when, outcome);

  set_subtitle (self->last, schedule->due_us != 0 ? text : outcome);
}

static void
show_head (ForeScheduleRow *self, const ForeSchedule *schedule, GArray *times)
{
  g_autofree char *visible = fore_outside_dup (schedule->name);
  g_autofree char *title = g_markup_escape_text (visible, -1);
  g_autofree char *next = times->len > 0 ? fore_when_dup_words (g_array_index (times, gint64, 0))
                                         : NULL;
  g_autofree char *subtitle = NULL;

  if (!schedule->enabled)
    subtitle = g_strdup_printf (_ ("%s · switched off"), schedule->when);
  else if (next != NULL)
    subtitle = g_strdup_printf (_ ("%s · next %s"), schedule->when, next);
  else
    subtitle = g_strdup_printf (_ ("%s · over"), schedule->when);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), title);
  set_subtitle (self, subtitle);
  fore_outside_name (GTK_WIDGET (self->enabled), schedule->name);
}

/**
 * fore_schedule_row_show:
 * @self: a row
 * @schedule: what it shows
 */
void
fore_schedule_row_show (ForeScheduleRow *self, const ForeSchedule *schedule)
{
  g_autofree char *words = NULL;
  g_autoptr (GArray) times = NULL;

  g_return_if_fail (FORE_IS_SCHEDULE_ROW (self));
  g_return_if_fail (schedule != NULL);

  g_free (self->id);
  self->id = g_strdup (schedule->id);
  words = g_strjoinv (" ", schedule->words);
  times = fore_schedule_list_next (schedule, N_NEXT);
  show_head (self, schedule, times);
  show_next (self, times);
  show_last (self, schedule);
  set_subtitle (self->does, words);
  self->updating = TRUE;
  gtk_switch_set_active (self->enabled, schedule->enabled);
  self->updating = FALSE;
}

/**
 * fore_schedule_row_get_id:
 * @self: a row
 *
 * Returns: (transfer none) (nullable): the schedule that it shows
 */
const char *
fore_schedule_row_get_id (ForeScheduleRow *self)
{
  g_return_val_if_fail (FORE_IS_SCHEDULE_ROW (self), NULL);

  return self->id;
}
