/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Dialogs, file choosers and the about window: what the toolkit changed most between versions, so
 * that it stands in one place.
 */

/**
 * ForeAlertFunc:
 * @owner: who asked
 * @response: id of the answer, "close" if it was dismissed
 * @text: (nullable): text that was typed, if the alert had an entry
 * @data: what was given along
 */
typedef void (*ForeAlertFunc) (gpointer owner,
                               const char *response,
                               const char *text,
                               gpointer data);
typedef void (*ForeFolderFunc) (gpointer owner, const char *path, gpointer data);

typedef struct
{
  const char *id;
  const char *label;
  AdwResponseAppearance appearance;
} ForeAlertAnswer;

GtkWidget *fore_alert (GtkWidget *parent,
                       const char *heading,
                       const char *body,
                       const ForeAlertAnswer *answers,
                       guint n_answers,
                       const char *preferred,
                       gpointer owner,
                       ForeAlertFunc func,
                       gpointer data);
GtkWidget *fore_alert_text (GtkWidget *parent,
                            const char *heading,
                            const char *body,
                            const char *label,
                            const char *verb,
                            const char *initial,
                            gpointer owner,
                            ForeAlertFunc func,
                            gpointer data);
void fore_alert_keep_text (GtkWidget *alert, const char *about);
gboolean fore_text_buffer_is_blank (GtkTextBuffer *buffer);
void fore_alert_set_extra (GtkWidget *alert, GtkWidget *child);
void fore_alert_set_heading (GtkWidget *alert, const char *heading);
void
fore_alert_set_enabled (GtkWidget *alert, const char *id, gboolean enabled, gboolean preferred);
void fore_dialog_fit (GtkWindow *dialog, GtkWindow *parent, int width, int height);
void fore_choose_folder (GtkWidget *parent,
                         const char *title,
                         const char *initial,
                         gpointer owner,
                         ForeFolderFunc func,
                         gpointer data);
void fore_choose_file (
    GtkWidget *parent, const char *title, gpointer owner, ForeFolderFunc func, gpointer data);
void fore_save_file (GtkWidget *parent,
                     const char *title,
                     const char *name,
                     gpointer owner,
                     ForeFolderFunc func,
                     gpointer data);
void fore_show_about (GtkWindow *parent);
void fore_open_uri (GtkWidget *parent, const char *uri);
void fore_copy_text (GtkWidget *from, const char *text);

G_END_DECLS
