/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "platform/fore-guard-client.h"
#include "platform/fore-guard-talk.h"

G_BEGIN_DECLS

/* What differs between systems. */
char *fore_guard_find_socket (const char *run_dir, const char *task, guint n);
GSocketAddress *fore_guard_socket_address_new (const char *path);
gboolean fore_guard_give_slots (GSubprocessLauncher *launcher,
                                const ForeGuardLaunch *launch,
                                GError **error);

/* Between hub and guard. */
void fore_guard_hub_add (ForeGuardHub *self, ForeGuard *guard);
void fore_guard_hub_remove (ForeGuardHub *self, ForeGuard *guard);
char *fore_guard_hub_dup_exits_path (ForeGuardHub *self);
char *fore_guard_dup_key (const char *task, guint n);
void fore_guard_forget (ForeGuard *self);
void fore_guard_take_record (ForeGuard *self, const ForeGuardRecord *record);

G_END_DECLS
