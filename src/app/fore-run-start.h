/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-job.h"
#include "engine/fore-run-spec.h"
#include "store/fore-store.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * ForeRunStarted:
 * @id: (nullable): id of the run, or %NULL if it comes later
 * @next: (nullable): when it comes, in words
 * @untrusted: (nullable): its project, if something of it was left out as nobody trusts it
 * @warnings: (element-type utf8): what the person should know about it
 */
typedef struct
{
  char *id;
  char *next;
  char *untrusted;
  GPtrArray *warnings;
} ForeRunStarted;

gboolean fore_run_start_read_plan (ForeRunSpec *spec, GError **error);
char *fore_run_start_dup_untrusted (ForeStore *store, const ForeRunSpec *spec);
void fore_run_start (
    gpointer owner, ForeStore *store, ForeRunSpec *spec, const char *when, ForeJobDone done);
void fore_run_start_show (GtkWidget *window, const ForeRunStarted *started);

G_END_DECLS
