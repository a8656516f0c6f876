/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "model/fore-command.h"

G_BEGIN_DECLS

/* What a person does to runs and requests, off the main thread; errors are shown where it was done.
 */

typedef void (*ForeCommandDone) (gpointer owner, gboolean done, gpointer data);

void fore_run_command (GtkWidget *from,
                       const char *run_id,
                       ForeCommandKind kind,
                       const char *const *args,
                       const char *note,
                       ForeCommandDone done,
                       gpointer data);
void fore_run_merge (GtkWidget *from,
                     const char *run_id,
                     const char *target,
                     const char *expected,
                     const char *mode,
                     const char *const *without);
void fore_request_answer (GtkWidget *from,
                          const char *request_id,
                          const char *option,
                          const char *text,
                          const char *plan_json,
                          guint version,
                          const char *hash,
                          ForeCommandDone done,
                          gpointer data);
void fore_run_restart (GtkWidget *from, const char *run_id, ForeCommandDone done, gpointer data);
void fore_ask_to_stop_everything (GtkWidget *from);

G_END_DECLS
