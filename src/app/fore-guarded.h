/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * ForeGuarded:
 *
 * Keeps the buttons of a decision insensitive until its page has been in front, in a window with
 * focus, for 300 ms: nothing is approved by a key that was already down or a click that focused the
 * window.
 */
typedef struct _ForeGuarded ForeGuarded;

#define FORE_GUARDED_MS 300

ForeGuarded *fore_guarded_new (GtkWidget *page);
void fore_guarded_free (ForeGuarded *self);
void fore_guarded_add (ForeGuarded *self, GtkWidget *button);
void fore_guarded_hold (ForeGuarded *self, GtkWidget *button, gboolean held);
void fore_guarded_clear (ForeGuarded *self);
void fore_guarded_arm (ForeGuarded *self);
void fore_guarded_disarm (ForeGuarded *self);
gboolean fore_guarded_is_ready (ForeGuarded *self);

G_END_DECLS
