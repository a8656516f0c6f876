/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-compat.h"

#include "app/fore-draft.h"
#include "app/fore-outside.h"

#include <glib/gi18n-lib.h>

#define DIALOG_MARGIN 40
#define LEAST_WIDTH 360
#define LEAST_HEIGHT 480

typedef struct
{
  GWeakRef owner;
  ForeAlertFunc func;
  ForeFolderFunc folder_func;
  gpointer data;
  GtkTextBuffer *buffer;
} Asked;

static Asked *
asked_new (gpointer owner, gpointer data)
{
  Asked *asked = g_new0 (Asked, 1);

  g_weak_ref_init (&asked->owner, owner);
  asked->data = data;
  return asked;
}

static void
asked_free (gpointer data)
{
  Asked *asked = data;

  g_weak_ref_clear (&asked->owner);
  g_free (asked);
}

static void
asked_closure_free (gpointer data, GClosure *closure)
{
  asked_free (data);
}

static GtkWindow *
find_window (GtkWidget *widget)
{
  GtkRoot *root = widget != NULL ? gtk_widget_get_root (widget) : NULL;

  return GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
}

static void
alert_response_cb (AdwMessageDialog *dialog, const char *response, Asked *asked)
{
  g_autoptr (GObject) owner = g_weak_ref_get (&asked->owner);
  g_autofree char *text = NULL;

  g_assert (response != NULL);

  if (asked->buffer != NULL)
    {
      GtkTextIter start;
      GtkTextIter end;

      gtk_text_buffer_get_bounds (asked->buffer, &start, &end);
      text = g_strstrip (gtk_text_buffer_get_text (asked->buffer, &start, &end, FALSE));
    }
  if (owner != NULL && asked->func != NULL)
    asked->func (owner, response, text, asked->data);
}

/* Buttons with a mnemonic are named twice over on the accessibility bus of GTK 4.8. */
static void
name_buttons (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      if (GTK_IS_BUTTON (child) && gtk_button_get_label (GTK_BUTTON (child)) != NULL)
        {
          gtk_button_set_use_underline (GTK_BUTTON (child), FALSE);
          gtk_accessible_reset_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL);
        }
      else
        name_buttons (child);
    }
}

static void
set_body (GtkWidget *dialog, const char *body)
{
  g_autofree char *visible = fore_outside_dup (body);

  adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (dialog), visible);
}

static Asked *
connect_alert (GtkWidget *dialog, gpointer owner, ForeAlertFunc func, gpointer data)
{
  Asked *asked = asked_new (owner, data);

  asked->func = func;
  g_signal_connect_data (dialog, "response", G_CALLBACK (alert_response_cb), asked,
                         asked_closure_free, 0);
  return asked;
}

/**
 * fore_alert:
 * @parent: widget whose window it belongs to
 * @heading: what is asked
 * @body: (nullable): what happens then
 * @answers: the buttons
 * @n_answers: how many
 * @preferred: (nullable): id of the answer that Return gives
 * @owner: (type GObject): whom @func is for
 * @func: (nullable): called once with the answer
 * @data: (nullable): for @func
 *
 * Asks one thing, with verbs on its buttons.
 *
 * Returns: (transfer none): the window that asks, shown already
 */
GtkWidget *
fore_alert (GtkWidget *parent,
            const char *heading,
            const char *body,
            const ForeAlertAnswer *answers,
            guint n_answers,
            const char *preferred,
            gpointer owner,
            ForeAlertFunc func,
            gpointer data)
{
  GtkWidget *dialog;

  g_return_val_if_fail (GTK_IS_WIDGET (parent), NULL);

  dialog = adw_message_dialog_new (find_window (parent), heading, NULL);
  if (body != NULL)
    set_body (dialog, body);
  for (guint i = 0; i < n_answers; i++)
    {
      adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), answers[i].id,
                                       answers[i].label);
      adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), answers[i].id,
                                                  answers[i].appearance);
    }
  if (preferred != NULL)
    adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), preferred);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "close");
  connect_alert (dialog, owner, func, data);
  name_buttons (dialog);
  gtk_window_present (GTK_WINDOW (dialog));

  return dialog;
}

/**
 * fore_text_buffer_is_blank:
 * @buffer: what a person writes
 *
 * Returns: whether nothing but blanks stands in it
 */
gboolean
fore_text_buffer_is_blank (GtkTextBuffer *buffer)
{
  GtkTextIter iter;

  g_return_val_if_fail (GTK_IS_TEXT_BUFFER (buffer), TRUE);

  gtk_text_buffer_get_start_iter (buffer, &iter);
  while (!gtk_text_iter_is_end (&iter))
    {
      if (!g_unichar_isspace (gtk_text_iter_get_char (&iter)))
        return FALSE;
      gtk_text_iter_forward_char (&iter);
    }

  return TRUE;
}

static GtkWidget *
new_text_entry (const char *label, const char *initial, GtkTextBuffer **buffer)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *view = gtk_text_view_new ();

  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 9);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 9);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 12);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  if (initial != NULL)
    gtk_text_buffer_set_text (*buffer, initial, -1);

  gtk_widget_add_css_class (scroller, "fore-text-frame");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroller), 110);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_size_request (scroller, 320, -1);

  return scroller;
}

static void
alert_text_changed_cb (GtkTextBuffer *buffer, AdwMessageDialog *dialog)
{
  adw_message_dialog_set_response_enabled (dialog, "ok", !fore_text_buffer_is_blank (buffer));
}

/**
 * fore_alert_text:
 * @parent: widget whose window it belongs to
 * @heading: what is asked
 * @body: (nullable): what happens with the text
 * @label: accessible name of the entry
 * @verb: label of the button whose answer is "ok"
 * @initial: (nullable): text to begin with
 * @owner: (type GObject): whom @func is for
 * @func: called once with the answer and the text
 * @data: (nullable): for @func
 *
 * Asks for a text of one or more lines. "ok" cannot be pressed while it is empty.
 *
 * Returns: (transfer none): the window that asks, shown already
 */
GtkWidget *
fore_alert_text (GtkWidget *parent,
                 const char *heading,
                 const char *body,
                 const char *label,
                 const char *verb,
                 const char *initial,
                 gpointer owner,
                 ForeAlertFunc func,
                 gpointer data)
{
  GtkWidget *dialog;
  GtkWidget *entry;
  GtkTextBuffer *buffer;

  g_return_val_if_fail (GTK_IS_WIDGET (parent), NULL);

  dialog = adw_message_dialog_new (find_window (parent), heading, NULL);
  if (body != NULL)
    set_body (dialog, body);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "close", _ ("Cancel"), "ok", verb,
                                    NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "ok",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "close");
  entry = new_text_entry (label, initial, &buffer);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), entry);
  g_signal_connect_object (buffer, "changed", G_CALLBACK (alert_text_changed_cb), dialog, 0);
  alert_text_changed_cb (buffer, ADW_MESSAGE_DIALOG (dialog));
  connect_alert (dialog, owner, func, data)->buffer = buffer;
  name_buttons (dialog);
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (entry)));

  return dialog;
}

/**
 * fore_alert_keep_text:
 * @alert: what fore_alert_text() returned
 * @about: what is written about
 *
 * Begins with what was written about it and not sent, and keeps what is written now, see
 * fore-draft-file.h: whoever sends it forgets the draft.
 */
void
fore_alert_keep_text (GtkWidget *alert, const char *about)
{
  GtkWidget *scroller;
  GtkTextView *view;

  g_return_if_fail (ADW_IS_MESSAGE_DIALOG (alert));
  g_return_if_fail (about != NULL);

  scroller = adw_message_dialog_get_extra_child (ADW_MESSAGE_DIALOG (alert));
  view = GTK_TEXT_VIEW (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scroller)));
  fore_draft_offer (view, about);
  fore_draft_follow (view, about);
}

/**
 * fore_alert_set_extra:
 * @alert: what fore_alert() returned
 * @child: a widget to show under its text
 */
void
fore_alert_set_extra (GtkWidget *alert, GtkWidget *child)
{
  g_return_if_fail (ADW_IS_MESSAGE_DIALOG (alert));

  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (alert), child);
}

/**
 * fore_alert_set_heading:
 * @alert: what fore_alert() returned
 * @heading: what is asked now
 */
void
fore_alert_set_heading (GtkWidget *alert, const char *heading)
{
  g_return_if_fail (ADW_IS_MESSAGE_DIALOG (alert));

  adw_message_dialog_set_heading (ADW_MESSAGE_DIALOG (alert), heading);
}

/**
 * fore_alert_set_enabled:
 * @alert: what fore_alert() returned
 * @id: one of its answers
 * @enabled: whether it can be given now
 * @preferred: whether Return gives it
 */
void
fore_alert_set_enabled (GtkWidget *alert, const char *id, gboolean enabled, gboolean preferred)
{
  g_return_if_fail (ADW_IS_MESSAGE_DIALOG (alert));

  adw_message_dialog_set_response_enabled (ADW_MESSAGE_DIALOG (alert), id, enabled);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (alert), preferred ? id : NULL);
}

static void
chooser_response_cb (GtkNativeDialog *chooser, int response, Asked *asked)
{
  g_autoptr (GObject) owner = g_weak_ref_get (&asked->owner);
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  if (file != NULL)
    path = g_file_get_path (file);
  if (owner != NULL && path != NULL)
    asked->folder_func (owner, path, asked->data);
  g_object_unref (chooser);
}

static void
show_chooser (GtkWidget *parent,
              GtkFileChooserNative *chooser,
              gpointer owner,
              ForeFolderFunc func,
              gpointer data)
{
  Asked *asked = asked_new (owner, data);

  asked->folder_func = func;
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_data (chooser, "response", G_CALLBACK (chooser_response_cb), asked,
                         asked_closure_free, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/**
 * fore_dialog_fit:
 * @dialog: a window that is not shown yet
 * @parent: the window that it lies on
 * @width: width where there is room, in pixels
 * @height: height where there is room, in pixels
 *
 * Makes @dialog no larger than @parent.
 */
void
fore_dialog_fit (GtkWindow *dialog, GtkWindow *parent, int width, int height)
{
  int room_x;
  int room_y;

  g_return_if_fail (GTK_IS_WINDOW (dialog) && GTK_IS_WINDOW (parent));

  room_x = gtk_widget_get_width (GTK_WIDGET (parent));
  room_y = gtk_widget_get_height (GTK_WIDGET (parent));
  if (room_x <= 0 || room_y <= 0)
    gtk_window_get_default_size (parent, &room_x, &room_y);
  if (room_x > 0 && room_y > 0)
    gtk_window_set_default_size (dialog, CLAMP (room_x - DIALOG_MARGIN, LEAST_WIDTH, width),
                                 CLAMP (room_y - DIALOG_MARGIN, LEAST_HEIGHT, height));
}

/**
 * fore_choose_folder:
 * @parent: widget whose window it belongs to
 * @title: what is chosen
 * @initial: (nullable): folder to begin in
 * @owner: (type GObject): whom @func is for
 * @func: called with the path if one was chosen
 * @data: (nullable): for @func
 */
void
fore_choose_folder (GtkWidget *parent,
                    const char *title,
                    const char *initial,
                    gpointer owner,
                    ForeFolderFunc func,
                    gpointer data)
{
  GtkFileChooserNative *chooser;

  g_return_if_fail (GTK_IS_WIDGET (parent));

  chooser = gtk_file_chooser_native_new (title, find_window (parent),
                                         GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("Choose"), NULL);
  if (initial != NULL)
    {
      g_autoptr (GFile) folder = g_file_new_for_path (initial);

      gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), folder, NULL);
    }
  show_chooser (parent, chooser, owner, func, data);
}

/**
 * fore_choose_file:
 * @parent: widget whose window it belongs to
 * @title: what is chosen
 * @owner: (type GObject): whom @func is for
 * @func: called with the path if one was chosen
 * @data: (nullable): for @func
 */
void
fore_choose_file (
    GtkWidget *parent, const char *title, gpointer owner, ForeFolderFunc func, gpointer data)
{
  GtkFileChooserNative *chooser;

  g_return_if_fail (GTK_IS_WIDGET (parent));

  chooser = gtk_file_chooser_native_new (title, find_window (parent), GTK_FILE_CHOOSER_ACTION_OPEN,
                                         _ ("Choose"), NULL);
  show_chooser (parent, chooser, owner, func, data);
}

/**
 * fore_save_file:
 * @parent: widget whose window it belongs to
 * @title: what is saved
 * @name: name to begin with
 * @owner: (type GObject): whom @func is for
 * @func: called with the path if one was chosen
 * @data: (nullable): for @func
 */
void
fore_save_file (GtkWidget *parent,
                const char *title,
                const char *name,
                gpointer owner,
                ForeFolderFunc func,
                gpointer data)
{
  GtkFileChooserNative *chooser;

  g_return_if_fail (GTK_IS_WIDGET (parent));

  chooser = gtk_file_chooser_native_new (title, find_window (parent), GTK_FILE_CHOOSER_ACTION_SAVE,
                                         _ ("Save"), NULL);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  show_chooser (parent, chooser, owner, func, data);
}

/**
 * fore_show_about:
 * @parent: (nullable): the window that it belongs to
 *
 * Shows who made this, its version and its license.
 */
void
fore_show_about (GtkWindow *parent)
{
  GtkWidget *about = adw_about_window_new ();

  g_object_set (
      about, "application-name", "Foredeck", "application-icon", FORE_APP_ID, "developer-name",
      _ ("The Foredeck authors"), "version", FORE_VERSION, "license-type", GTK_LICENSE_GPL_3_0,
      "comments",
      _ ("Directs crews of coding agents on your repositories: a goal becomes a plan, you "
         "approve it, and the plan runs while you watch."),
      "transient-for", parent, "modal", parent != NULL, NULL);
  gtk_window_present (GTK_WINDOW (about));
}

/**
 * fore_open_uri:
 * @parent: widget whose window asks
 * @uri: what to open with the person's own program for it
 */
void
fore_open_uri (GtkWidget *parent, const char *uri)
{
  g_return_if_fail (GTK_IS_WIDGET (parent));

  gtk_show_uri (find_window (parent), uri, GDK_CURRENT_TIME);
}

/**
 * fore_copy_text:
 * @from: any widget of the display
 * @text: what is put on the clipboard
 */
void
fore_copy_text (GtkWidget *from, const char *text)
{
  g_return_if_fail (GTK_IS_WIDGET (from));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (from), text != NULL ? text : "");
}
