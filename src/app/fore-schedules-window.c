/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-schedules-window.h"

#include "app/fore-application.h"
#include "app/fore-banner.h"
#include "app/fore-empty.h"
#include "app/fore-errors.h"
#include "app/fore-job.h"
#include "app/fore-schedule-row.h"
#include "engine/fore-schedules-arm.h"
#include "engine/fore-schedules.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Others change the file too, and times go by. */
#define LOOK_SECONDS 5

struct _ForeSchedulesWindow
{
  AdwWindow parent_instance;

  ForeBanner *banner;
  GtkStack *stack;
  ForeEmpty *empty;
  GtkListBox *list;
  guint look;
};

G_DEFINE_FINAL_TYPE (ForeSchedulesWindow, fore_schedules_window, ADW_TYPE_WINDOW)

typedef struct
{
  GPtrArray *schedules;
  gboolean on;
} Found;

typedef enum
{
  DEED_ENABLE,
  DEED_DISABLE,
  DEED_REMOVE,
  DEED_PUT_BACK,
  DEED_START,
  DEED_TURN_ON,
} DeedKind;

typedef struct
{
  ForeStore *store;
  DeedKind kind;
  char *id;
  ForeSchedule *removed;
} Deed;

/* The list */

static void
found_free (gpointer data)
{
  Found *found = data;

  g_ptr_array_unref (found->schedules);
  g_free (found);
}

static gpointer
load_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  GPtrArray *schedules = fore_schedules_load (fore_store_get_home (data), error);
  Found *found;

  if (schedules == NULL)
    return NULL;

  found = g_new0 (Found, 1);
  found->schedules = schedules;
  found->on = fore_schedules_are_on ();

  return found;
}

static void
do_deed (ForeSchedulesWindow *self, DeedKind kind, const char *id, ForeSchedule *removed);

static void
switched_cb (ForeScheduleRow *row, gboolean enabled, ForeSchedulesWindow *self)
{
  do_deed (self, enabled ? DEED_ENABLE : DEED_DISABLE, fore_schedule_row_get_id (row), NULL);
}

static void
start_now_cb (ForeScheduleRow *row, ForeSchedulesWindow *self)
{
  do_deed (self, DEED_START, fore_schedule_row_get_id (row), NULL);
}

static void
remove_cb (ForeScheduleRow *row, ForeSchedulesWindow *self)
{
  do_deed (self, DEED_REMOVE, fore_schedule_row_get_id (row), NULL);
}

static GtkWidget *
add_row (ForeSchedulesWindow *self)
{
  GtkWidget *row = fore_schedule_row_new ();

  g_signal_connect (row, "switched", G_CALLBACK (switched_cb), self);
  g_signal_connect (row, "start-now", G_CALLBACK (start_now_cb), self);
  g_signal_connect (row, "remove", G_CALLBACK (remove_cb), self);
  gtk_list_box_append (self->list, row);

  return row;
}

/* Rows stay what they are, so that one that is open stays open. */
static void
show_list (ForeSchedulesWindow *self, GPtrArray *schedules)
{
  GtkListBoxRow *row;

  for (guint i = 0; i < schedules->len; i++)
    {
      const ForeSchedule *schedule = schedules->pdata[i];
      GtkListBoxRow *there = gtk_list_box_get_row_at_index (self->list, (int) i);

      while (there != NULL
             && g_strcmp0 (fore_schedule_row_get_id (FORE_SCHEDULE_ROW (there)), schedule->id) != 0)
        {
          gtk_list_box_remove (self->list, GTK_WIDGET (there));
          there = gtk_list_box_get_row_at_index (self->list, (int) i);
        }
      fore_schedule_row_show (
          FORE_SCHEDULE_ROW (there != NULL ? GTK_WIDGET (there) : add_row (self)), schedule);
    }
  while ((row = gtk_list_box_get_row_at_index (self->list, (int) schedules->len)) != NULL)
    gtk_list_box_remove (self->list, GTK_WIDGET (row));
}

static void
loaded_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeSchedulesWindow *self = owner;
  Found *found = result;

  if (error != NULL)
    {
      fore_banner_show (self->banner, FORE_BANNER_ERROR, error->message, NULL, FALSE);
      return;
    }

  show_list (self, found->schedules);
  gtk_stack_set_visible_child_name (self->stack, found->schedules->len > 0 ? "list" : "none");
  if (!found->on && found->schedules->len > 0)
    fore_banner_show (self->banner, FORE_BANNER_ATTENTION,
                      _ ("Schedules are off: nothing starts by itself."), _ ("Turn On"), FALSE);
  else
    fore_banner_hide (self->banner);
}

static void
load (ForeSchedulesWindow *self)
{
  ForeStore *store = fore_application_get_store ();

  if (store != NULL)
    fore_job_run (self, "load-schedules", NULL, load_thread, g_object_ref (store), g_object_unref,
                  found_free, loaded_cb);
}

static gboolean
look_cb (gpointer data)
{
  load (data);

  return G_SOURCE_CONTINUE;
}

/* What is done with them */

static void
deed_free (gpointer data)
{
  Deed *deed = data;

  g_object_unref (deed->store);
  g_free (deed->id);
  fore_schedule_free (deed->removed);
  g_free (deed);
}

static gboolean
remove_it (const char *home, const char *id, ForeSchedule **removed, GError **error)
{
  g_autoptr (GPtrArray) schedules = fore_schedules_load (home, error);
  const ForeSchedule *schedule = schedules != NULL ? fore_schedules_find (schedules, id, error)
                                                   : NULL;

  if (schedule == NULL)
    return FALSE;

  *removed = fore_schedule_copy (schedule);
  return fore_schedules_remove (home, id, error);
}

static gboolean
put_back (const char *home, const ForeSchedule *schedule, GError **error)
{
  g_autoptr (ForeSchedule) added = fore_schedules_add (home, schedule, error);

  return added != NULL;
}

static gboolean
start_it (ForeStore *store, const char *id, GError **error)
{
  g_autoptr (ForeSchedule) started = fore_schedules_start_now (store, id, error);

  if (started == NULL || g_strcmp0 (started->outcome, FORE_SCHEDULE_FAILED) != 0)
    return started != NULL;

  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, started->message);
  return FALSE;
}

static gboolean
carry_out (Deed *deed, GError **error)
{
  const char *home = fore_store_get_home (deed->store);

  switch (deed->kind)
    {
    case DEED_ENABLE:
    case DEED_DISABLE:
      return fore_schedules_set_enabled (home, deed->id, deed->kind == DEED_ENABLE, error);
    case DEED_REMOVE:
      return remove_it (home, deed->id, &deed->removed, error);
    case DEED_PUT_BACK:
      return put_back (home, deed->removed, error);
    case DEED_START:
      return start_it (deed->store, deed->id, error);
    case DEED_TURN_ON:
    default:
      return fore_schedules_turn_on (error);
    }
}

static gpointer
deed_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  Deed *deed = data;

  if (!carry_out (deed, error) || !fore_schedules_arm (fore_store_get_home (deed->store), error))
    return NULL;

  return GINT_TO_POINTER (TRUE);
}

#define REMOVED_KEY "fore-removed-schedule"

static void
undo (gpointer from, const char *text)
{
  ForeSchedulesWindow *self = FORE_SCHEDULES_WINDOW (gtk_widget_get_root (from));
  const ForeSchedule *removed = g_object_get_data (G_OBJECT (self), REMOVED_KEY);

  if (removed != NULL && strcmp (removed->id, text) == 0)
    do_deed (self, DEED_PUT_BACK, NULL, fore_schedule_copy (removed));
}

static void
offer_undo (ForeSchedulesWindow *self, const ForeSchedule *removed)
{
  g_autofree char *words = g_strdup_printf (_ ("“%s” was removed"), removed->name);

  g_object_set_data_full (G_OBJECT (self), REMOVED_KEY, fore_schedule_copy (removed),
                          (GDestroyNotify) fore_schedule_free);
  fore_show_offer (GTK_WIDGET (self->list), words, _ ("Undo"), removed->id, undo);
}

static void
done_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeSchedulesWindow *self = owner;
  Deed *deed = data;

  if (error != NULL)
    fore_show_error (GTK_WIDGET (self->list), error);
  else if (deed->kind == DEED_REMOVE)
    offer_undo (self, deed->removed);
  else if (deed->kind == DEED_START)
    fore_show_note (GTK_WIDGET (self->list), _ ("It was started."));
  load (self);
}

static void
do_deed (ForeSchedulesWindow *self, DeedKind kind, const char *id, ForeSchedule *removed)
{
  Deed *deed = g_new0 (Deed, 1);

  deed->store = g_object_ref (fore_application_get_store ());
  deed->kind = kind;
  deed->id = g_strdup (id);
  deed->removed = removed;
  fore_job_run (self, "change-schedule", NULL, deed_thread, deed, deed_free, NULL, done_cb);
}

static void
turn_on_cb (ForeBanner *banner, ForeSchedulesWindow *self)
{
  do_deed (self, DEED_TURN_ON, NULL, NULL);
}

static void
fore_schedules_window_dispose (GObject *object)
{
  ForeSchedulesWindow *self = FORE_SCHEDULES_WINDOW (object);

  g_clear_handle_id (&self->look, g_source_remove);

  G_OBJECT_CLASS (fore_schedules_window_parent_class)->dispose (object);
}

static void
fore_schedules_window_class_init (ForeSchedulesWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_schedules_window_dispose;

  g_type_ensure (FORE_TYPE_BANNER);
  g_type_ensure (FORE_TYPE_EMPTY);

  gtk_widget_class_set_template_from_resource (
      widget_class, "/app/foredeck/Foredeck/ui/fore-schedules-window.ui");
  gtk_widget_class_bind_template_child (widget_class, ForeSchedulesWindow, banner);
  gtk_widget_class_bind_template_child (widget_class, ForeSchedulesWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, ForeSchedulesWindow, empty);
  gtk_widget_class_bind_template_child (widget_class, ForeSchedulesWindow, list);
  gtk_widget_class_bind_template_callback (widget_class, turn_on_cb);
}

static void
fore_schedules_window_init (ForeSchedulesWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fore_empty_set (self->empty, "fore-schedule-symbolic", _ ("No Schedules"),
                  _ ("A run starts at a certain time, or again and again, if you say when in New "
                     "Run. It is listed here then."));
  self->look = g_timeout_add_seconds (LOOK_SECONDS, look_cb, self);
  load (self);
}

/**
 * fore_schedules_window_new:
 *
 * Returns: (transfer floating): a window on the schedules
 */
GtkWidget *
fore_schedules_window_new (void)
{
  return g_object_new (FORE_TYPE_SCHEDULES_WINDOW, NULL);
}
