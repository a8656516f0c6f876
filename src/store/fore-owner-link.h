/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-run-writer.h"

G_BEGIN_DECLS

/**
 * ForeOwnerLink:
 *
 * How the thread of a #ForeRunWriter reaches it: everything arrives on the owner's main context.
 * The thread never holds a reference to the writer, as the writer's end waits for the thread.
 */
typedef struct _ForeOwnerLink ForeOwnerLink;

ForeOwnerLink *fore_owner_link_new (ForeRunWriter *writer, GMainContext *context);
void fore_owner_link_unref (ForeOwnerLink *link);
void fore_owner_link_cut (ForeOwnerLink *link);

void fore_owner_link_emit_failed (ForeOwnerLink *link, const GError *error);
void fore_owner_link_emit_input (ForeOwnerLink *link);
void fore_owner_link_finish_tasks (ForeOwnerLink *link, GPtrArray *tasks, const GError *error);

G_END_DECLS
