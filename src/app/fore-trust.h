/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Trusting a project: the same as `foredeckctl trust`, after saying what it allows. */

typedef void (*ForeTrustDone) (gpointer owner);

char *fore_trust_dup_state (const char *project);
void fore_trust_ask (GtkWidget *from, const char *project, ForeTrustDone done);
void fore_trust_offer (GtkWidget *from, const char *project);
void fore_trust_revoke (GtkWidget *from, const char *project, ForeTrustDone done);

G_END_DECLS
