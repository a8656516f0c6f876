/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-errors.h"

#include "app/fore-application.h"
#include "app/fore-compat.h"
#include "app/fore-job.h"
#include "app/fore-outside.h"
#include "app/fore-toast-place.h"
#include "model/fore-error.h"
#include "platform/fore-log.h"

#include <glib/gi18n-lib.h>

#define LOG_LINES 400

static AdwToastOverlay *
find_overlay (GtkWidget *from)
{
  GtkWidget *overlay = gtk_widget_get_ancestor (from, ADW_TYPE_TOAST_OVERLAY);
  GtkRoot *root = gtk_widget_get_root (from);

  if (overlay == NULL && root != NULL)
    overlay = g_object_get_data (G_OBJECT (root), "fore-toast-overlay");

  return overlay != NULL ? ADW_TOAST_OVERLAY (overlay) : NULL;
}

/**
 * fore_error_dup_details:
 * @error: an error
 *
 * Returns: (transfer full): everything about @error that helps somebody else: what, when, which
 *   version, where the log lies
 */
char *
fore_error_dup_details (const GError *error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *when = g_date_time_format_iso8601 (now);
  g_autofree char *log = fore_log_dup_path ();

  g_return_val_if_fail (error != NULL, NULL);

  return g_strdup_printf ("%s\n\n%s: %s (%d)\n%s: %s\n%s: Foredeck %s\n%s: %s", error->message,
                          _ ("Error"),
                          error->domain == FORE_ERROR ? fore_error_code_to_string (error->code)
                                                      : g_quark_to_string (error->domain),
                          error->code, _ ("Time"), when, _ ("Version"), FORE_VERSION, _ ("Log"),
                          log != NULL ? log : _ ("none"));
}

#define TEXT_KEY "fore-toast-text"
#define OFFER_KEY "fore-toast-offer"

/* A signal rather than an action: the windows of New Run and Preferences have no “app” actions. */
static AdwToast *
add_toast (AdwToastOverlay *overlay,
           const char *words,
           guint seconds,
           const char *label,
           GCallback clicked,
           const char *text)
{
  g_autofree char *visible = fore_outside_dup (words);
  g_autofree char *title = g_markup_escape_text (visible, -1);
  AdwToast *toast = adw_toast_new (title);

  adw_toast_set_timeout (toast, seconds);
  if (label != NULL)
    {
      adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
      adw_toast_set_button_label (toast, label);
      g_object_set_data_full (G_OBJECT (toast), TEXT_KEY, g_strdup (text), g_free);
      g_signal_connect_object (toast, "button-clicked", clicked, overlay, 0);
    }
  fore_toast_place_update (overlay);
  adw_toast_overlay_add_toast (overlay, toast);

  return toast;
}

static void
details_clicked_cb (AdwToast *toast, GtkWidget *overlay)
{
  fore_show_error_details (overlay, g_object_get_data (G_OBJECT (toast), TEXT_KEY));
}

/**
 * fore_show_error:
 * @from: the widget where it happened
 * @error: what happened
 *
 * Shows the sentence of @error as a toast that leads to its details and to the log, and logs it.
 */
void
fore_show_error (GtkWidget *from, const GError *error)
{
  g_autofree char *details = NULL;
  AdwToastOverlay *overlay;

  g_return_if_fail (GTK_IS_WIDGET (from));
  g_return_if_fail (error != NULL);

  fore_log (FORE_LOG_WARNING, NULL, NULL, 0, "%s", error->message);
  overlay = find_overlay (from);
  if (overlay == NULL)
    return;

  details = fore_error_dup_details (error);
  add_toast (overlay, error->message, 10, _ ("Details"), G_CALLBACK (details_clicked_cb), details);
}

static void
warning_clicked_cb (AdwToast *toast, GtkWidget *overlay)
{
  fore_show_text (overlay, _ ("Warning"), g_object_get_data (G_OBJECT (toast), TEXT_KEY));
}

/**
 * fore_show_warning:
 * @from: the widget where it happened
 * @text: what the person should know about something that was done, never markup
 *
 * Shows the begin of @text as a toast that leads to all of it, and logs it.
 */
void
fore_show_warning (GtkWidget *from, const char *text)
{
  AdwToastOverlay *overlay;

  g_return_if_fail (GTK_IS_WIDGET (from));
  g_return_if_fail (text != NULL);

  fore_log (FORE_LOG_WARNING, NULL, NULL, 0, "%s", text);
  overlay = find_overlay (from);
  if (overlay != NULL)
    add_toast (overlay, text, 10, _ ("Show"), G_CALLBACK (warning_clicked_cb), text);
}

static void
offer_clicked_cb (AdwToast *toast, GtkWidget *overlay)
{
  ForeOfferFunc func = (ForeOfferFunc) g_object_get_data (G_OBJECT (toast), OFFER_KEY);

  func (overlay, g_object_get_data (G_OBJECT (toast), TEXT_KEY));
}

/**
 * fore_show_offer:
 * @from: the widget where it happened
 * @words: what the person should know, never markup
 * @label: label of the button that does something about it
 * @text: for @func
 * @func: called with a widget of the same window and @text when the button was pressed
 *
 * Shows a toast with a button.
 */
void
fore_show_offer (
    GtkWidget *from, const char *words, const char *label, const char *text, ForeOfferFunc func)
{
  AdwToastOverlay *overlay;
  AdwToast *toast;

  g_return_if_fail (GTK_IS_WIDGET (from));
  g_return_if_fail (words != NULL && label != NULL && func != NULL);

  overlay = find_overlay (from);
  if (overlay == NULL)
    return;

  toast = add_toast (overlay, words, 10, label, G_CALLBACK (offer_clicked_cb), text);
  g_object_set_data (G_OBJECT (toast), OFFER_KEY, (gpointer) func);
}

/**
 * fore_show_note:
 * @from: the widget where it happened
 * @text: a few words about what was done, never markup
 */
void
fore_show_note (GtkWidget *from, const char *text)
{
  AdwToastOverlay *overlay;

  g_return_if_fail (GTK_IS_WIDGET (from));

  overlay = find_overlay (from);
  if (overlay != NULL)
    add_toast (overlay, text, 4, NULL, NULL, NULL);
}

static void
free_text (gpointer data, GClosure *closure)
{
  g_free (data);
}

static void
copy_clicked_cb (GtkButton *button, char *text)
{
  fore_copy_text (GTK_WIDGET (button), text);
}

static GtkWidget *
new_text_pane (const char *text)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *view = gtk_text_view_new ();
  g_autofree char *visible = fore_outside_dup (text);

  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 16);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 16);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), visible, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Text"),
                                  -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  gtk_widget_set_vexpand (scroller, TRUE);

  return scroller;
}

/**
 * fore_show_text:
 * @from: the widget that asks
 * @title: title of the window
 * @text: what it shows, as valid UTF-8
 *
 * Shows a text in a window of its own, with a button that copies it.
 */
void
fore_show_text (GtkWidget *from, const char *title, const char *text)
{
  GtkWidget *window = adw_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *copy = gtk_button_new_with_label (_ ("Copy"));
  GtkRoot *root = gtk_widget_get_root (from);
  int room = root != NULL ? gtk_widget_get_width (GTK_WIDGET (root)) : 0;

  gtk_window_set_title (GTK_WINDOW (window), title);
  /* No wider than the window that it belongs to. */
  gtk_window_set_default_size (GTK_WINDOW (window), room > 0 ? CLAMP (room - 40, 320, 760) : 760,
                               560);
  gtk_window_set_transient_for (GTK_WINDOW (window),
                                GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), copy);
  g_signal_connect_data (copy, "clicked", G_CALLBACK (copy_clicked_cb), g_strdup (text), free_text,
                         0);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), new_text_pane (text));
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
}

static gpointer
read_log_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  g_auto (GStrv) lines = fore_log_read_tail (data, NULL, LOG_LINES, error);

  return lines != NULL ? g_strjoinv ("\n", lines) : NULL;
}

static void
log_read_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  if (error != NULL)
    fore_show_error (owner, error);
  else
    fore_show_text (owner, _ ("Log"),
                    result != NULL && *(char *) result != 0 ? result : _ ("The log is empty."));
}

static void
details_answered_cb (gpointer owner, const char *response, const char *text, gpointer data)
{
  g_autofree char *details = g_object_steal_data (owner, "fore-error-details");
  ForeStore *store = fore_application_get_store ();

  if (g_strcmp0 (response, "copy") == 0)
    fore_copy_text (owner, details);
  else if (g_strcmp0 (response, "log") == 0 && store != NULL)
    fore_job_run (owner, "read-log", NULL, read_log_thread, g_strdup (fore_store_get_home (store)),
                  g_free, g_free, log_read_cb);
}

/**
 * fore_show_error_details:
 * @from: a widget of the window that it belongs to
 * @details: what fore_error_dup_details() told
 */
void
fore_show_error_details (GtkWidget *from, const char *details)
{
  static const ForeAlertAnswer answers[] = {
    { "close", N_ ("Close"), ADW_RESPONSE_DEFAULT },
    { "log", N_ ("Show Log"), ADW_RESPONSE_DEFAULT },
    { "copy", N_ ("Copy Details"), ADW_RESPONSE_SUGGESTED },
  };
  ForeAlertAnswer translated[G_N_ELEMENTS (answers)];

  g_return_if_fail (details != NULL);

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      translated[i] = answers[i];
      translated[i].label = _ (answers[i].label);
    }
  g_object_set_data_full (G_OBJECT (from), "fore-error-details", g_strdup (details), g_free);
  fore_alert (from, _ ("Something Did Not Work"), details, translated, G_N_ELEMENTS (translated),
              "close", from, details_answered_cb, NULL);
}
