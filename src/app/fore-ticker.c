/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-ticker.h"

typedef struct
{
  GtkWidget *widget;
  ForeTickFunc func;
  guint source;
} ForeTicker;

static gboolean
tick_cb (gpointer data)
{
  ForeTicker *self = data;

  self->func (self->widget);

  return G_SOURCE_CONTINUE;
}

static void
map_cb (GtkWidget *widget, ForeTicker *self)
{
  if (self->source == 0)
    self->source = g_timeout_add_seconds (1, tick_cb, self);
}

static void
unmap_cb (GtkWidget *widget, ForeTicker *self)
{
  g_clear_handle_id (&self->source, g_source_remove);
}

static void
ticker_free (gpointer data)
{
  ForeTicker *self = data;

  g_clear_handle_id (&self->source, g_source_remove);
  g_free (self);
}

/**
 * fore_ticker_attach:
 * @widget: a widget
 * @func: called with @widget each second while it is mapped
 */
void
fore_ticker_attach (GtkWidget *widget, ForeTickFunc func)
{
  ForeTicker *self;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  self = g_new0 (ForeTicker, 1);
  self->widget = widget;
  self->func = func;
  g_signal_connect (widget, "map", G_CALLBACK (map_cb), self);
  g_signal_connect (widget, "unmap", G_CALLBACK (unmap_cb), self);
  g_object_set_data_full (G_OBJECT (widget), "fore-ticker", self, ticker_free);
}
