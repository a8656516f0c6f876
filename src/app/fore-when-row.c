/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-when-row.h"

#include "app/fore-outside.h"
#include "app/fore-when.h"
#include "model/fore-schedule-time.h"

#include <glib/gi18n-lib.h>

struct _ForeWhenRow
{
  AdwEntryRow parent_instance;

  GtkLabel *next;
  char *fault;
};

G_DEFINE_FINAL_TYPE (ForeWhenRow, fore_when_row, ADW_TYPE_ENTRY_ROW)

static void
judge (ForeWhenRow *self, const char *text)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  g_autoptr (GError) error = NULL;
  gint64 now = g_get_real_time ();
  g_autoptr (ForeScheduleTime) time = fore_schedule_time_new (text, now, zone, &error);
  gint64 next = time != NULL ? fore_schedule_time_find_next (time, now, now, zone) : 0;
  g_autofree char *words = next != 0 ? fore_when_dup_words (next) : NULL;

  if (time == NULL)
    self->fault = g_strdup (error->message);
  else if (next == 0)
    self->fault = g_strdup (_ ("That is over; say a time to come."));
  gtk_label_set_text (self->next, words != NULL ? words : "");
}

static void
changed_cb (ForeWhenRow *self)
{
  const char *text = fore_when_row_get_time (self);

  g_clear_pointer (&self->fault, g_free);
  gtk_label_set_text (self->next, "");
  if (text != NULL)
    judge (self, text);

  if (self->fault != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "error");
  fore_outside_explain (GTK_WIDGET (self), self->fault != NULL ? self->fault : "");
}

static void
fore_when_row_finalize (GObject *object)
{
  g_free (FORE_WHEN_ROW (object)->fault);

  G_OBJECT_CLASS (fore_when_row_parent_class)->finalize (object);
}

static void
fore_when_row_class_init (ForeWhenRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_when_row_finalize;
}

static void
fore_when_row_init (ForeWhenRow *self)
{
  self->next = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->next), "dim-label");
  adw_entry_row_add_suffix (ADW_ENTRY_ROW (self), GTK_WIDGET (self->next));
  g_signal_connect (self, "changed", G_CALLBACK (changed_cb), NULL);
}

/**
 * fore_when_row_get_time:
 * @self: a row
 *
 * Returns: (transfer none) (nullable): what the person wrote, %NULL for now
 */
const char *
fore_when_row_get_time (ForeWhenRow *self)
{
  const char *text;

  g_return_val_if_fail (FORE_IS_WHEN_ROW (self), NULL);

  text = gtk_editable_get_text (GTK_EDITABLE (self));
  while (g_ascii_isspace (*text))
    text++;

  return *text != '\0' ? text : NULL;
}

/**
 * fore_when_row_get_fault:
 * @self: a row
 *
 * Returns: (transfer none) (nullable): what is wrong with it
 */
const char *
fore_when_row_get_fault (ForeWhenRow *self)
{
  g_return_val_if_fail (FORE_IS_WHEN_ROW (self), NULL);

  return self->fault;
}
