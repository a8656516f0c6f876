/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-guarded.h"

struct _ForeGuarded
{
  GtkWidget *page;
  GPtrArray *buttons;
  GtkWindow *window;
  gulong active_handler;
  guint timeout;
  gboolean ready;
};

static void
apply_to (ForeGuarded *self, GtkWidget *button)
{
  gboolean held = g_object_get_data (G_OBJECT (button), "fore-held") != NULL;

  gtk_widget_set_sensitive (button, self->ready && !held);
}

static void
apply (ForeGuarded *self)
{
  for (guint i = 0; i < self->buttons->len; i++)
    apply_to (self, g_ptr_array_index (self->buttons, i));
}

static gboolean
ready_cb (gpointer data)
{
  ForeGuarded *self = data;

  self->timeout = 0;
  self->ready = gtk_widget_get_mapped (self->page);
  apply (self);

  return G_SOURCE_REMOVE;
}

static void
begin (ForeGuarded *self)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  self->ready = FALSE;
  apply (self);
  self->timeout = g_timeout_add (FORE_GUARDED_MS, ready_cb, self);
}

static void
active_cb (GtkWindow *window, GParamSpec *pspec, ForeGuarded *self)
{
  if (gtk_window_is_active (window) && gtk_widget_get_mapped (self->page)
      && (self->ready || self->timeout != 0))
    begin (self);
}

static void
watch_window (ForeGuarded *self)
{
  GtkRoot *root = gtk_widget_get_root (self->page);

  if (self->window != NULL || !GTK_IS_WINDOW (root))
    return;

  self->window = GTK_WINDOW (root);
  self->active_handler = g_signal_connect (self->window, "notify::is-active",
                                           G_CALLBACK (active_cb), self);
  g_object_add_weak_pointer (G_OBJECT (self->window), (gpointer *) &self->window);
}

/**
 * fore_guarded_new:
 * @page: the page of the decision, which owns the guard
 *
 * Returns: (transfer full): a guard without buttons
 */
ForeGuarded *
fore_guarded_new (GtkWidget *page)
{
  ForeGuarded *self = g_new0 (ForeGuarded, 1);

  self->page = page;
  self->buttons = g_ptr_array_new_with_free_func (g_object_unref);

  return self;
}

/**
 * fore_guarded_free:
 * @self: a guard
 */
void
fore_guarded_free (ForeGuarded *self)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  if (self->window != NULL)
    {
      g_signal_handler_disconnect (self->window, self->active_handler);
      g_object_remove_weak_pointer (G_OBJECT (self->window), (gpointer *) &self->window);
    }
  g_ptr_array_unref (self->buttons);
  g_free (self);
}

/**
 * fore_guarded_add:
 * @self: a guard
 * @button: a button of the decision
 */
void
fore_guarded_add (ForeGuarded *self, GtkWidget *button)
{
  g_return_if_fail (self != NULL);

  g_ptr_array_add (self->buttons, g_object_ref (button));
  apply_to (self, button);
}

/**
 * fore_guarded_hold:
 * @self: a guard
 * @button: one of its buttons
 * @held: whether something is missing for it
 *
 * Keeps @button insensitive for a reason of its own.
 */
void
fore_guarded_hold (ForeGuarded *self, GtkWidget *button, gboolean held)
{
  g_return_if_fail (self != NULL);

  g_object_set_data (G_OBJECT (button), "fore-held", GINT_TO_POINTER (held));
  apply_to (self, button);
}

/**
 * fore_guarded_clear:
 * @self: a guard
 *
 * Forgets all buttons.
 */
void
fore_guarded_clear (ForeGuarded *self)
{
  g_return_if_fail (self != NULL);

  g_ptr_array_set_size (self->buttons, 0);
}

/**
 * fore_guarded_arm:
 * @self: a guard
 *
 * Makes the buttons sensitive once the page has been in front for a while from now on.
 */
void
fore_guarded_arm (ForeGuarded *self)
{
  g_return_if_fail (self != NULL);

  watch_window (self);
  begin (self);
}

/**
 * fore_guarded_disarm:
 * @self: a guard
 *
 * Makes the buttons insensitive until it is armed again.
 */
void
fore_guarded_disarm (ForeGuarded *self)
{
  g_return_if_fail (self != NULL);

  g_clear_handle_id (&self->timeout, g_source_remove);
  self->ready = FALSE;
  apply (self);
}

/**
 * fore_guarded_is_ready:
 * @self: a guard
 *
 * Returns: whether the decision may be made now
 */
gboolean
fore_guarded_is_ready (ForeGuarded *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->ready;
}
