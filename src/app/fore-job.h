/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* One blocking piece of work of the library in a worker thread, on behalf of a widget or model. */

typedef gpointer (*ForeJobFunc) (gpointer data, GCancellable *cancellable, GError **error);
typedef void (*ForeJobDone) (gpointer owner, gpointer result, const GError *error, gpointer data);

void fore_job_run (gpointer owner,
                   const char *name,
                   GCancellable *cancellable,
                   ForeJobFunc func,
                   gpointer data,
                   GDestroyNotify free_data,
                   GDestroyNotify free_result,
                   ForeJobDone done);
guint fore_job_get_n_running (void);

G_END_DECLS
