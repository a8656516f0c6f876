/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "platform/fore-guard-client.h"
#include "platform/fore-guard-talk.h"

G_BEGIN_DECLS

/* Their numbers are the same wherever they exist. */
#define FORE_SIGNAL_KILL 9
#define FORE_SIGNAL_TERM 15

struct _ForeGuard
{
  GObject parent_instance;

  ForeGuardHub *hub;
  char *task;
  guint n;
  char *socket;        /* where it listens; NULL if that has to be found out */
  char *program;       /* of one that is not started yet */
  GPid pid;            /* our child, if it is one */
  gint64 spawn_cpu_us; /* what it took to start it */
  gint64 spawn_us;
  GArray *held;          /* ForeGuardRecord; NULL once they are told as they come */
  GSource *child_source; /* ready when our child has ended, to be waited for; NULL if adopted */
  GSource *end_source;
  ForeGuardTalk *talk;    /* what is said to the agent */
  ForeGuardTalk *control; /* apart, so that it does not wait for an agent that does not listen */
  ForeGuardRecord start;
  ForeGuardRecord exit;
  gboolean has_start;
  gboolean has_exit;
  gboolean forgotten;
};

/* What differs between systems. */
char *fore_guard_find_socket (const char *run_dir, const char *task, guint n);
GSocketAddress *fore_guard_socket_address_new (const char *path);
int fore_guard_socket_dup_fd (int fd);
void fore_guard_socket_close_fd (int fd);
gboolean fore_guard_socket_pass (GSocket *socket, const char *line, int fd, GError **error);
guint fore_guard_number_slots (const ForeGuardLaunch *launch, int *numbers);

/* Between hub and guard. */
void fore_guard_hub_add (ForeGuardHub *self, ForeGuard *guard);
void fore_guard_hub_remove (ForeGuardHub *self, ForeGuard *guard);
char *fore_guard_hub_dup_exits_path (ForeGuardHub *self);
const char *fore_guard_hub_get_program (ForeGuardHub *self);
void fore_guard_hub_forget_program (ForeGuardHub *self);
char *fore_guard_dup_key (const char *task, guint n);
/* Around the start of a process, from any thread; FALSE once the hub is closed. */
gboolean fore_guard_hub_begin_start (ForeGuardHub *self, GError **error);
void fore_guard_hub_end_start (ForeGuardHub *self);
ForeGuard *fore_guard_new (ForeGuardHub *hub, const char *task, guint n);
void fore_guard_discard (ForeGuard *self);
void fore_guard_release (ForeGuard *self);
void fore_guard_release_soon (ForeGuard *self);
void fore_guard_wait_for_child (ForeGuard *self, GPid pid);
void fore_guard_forget (ForeGuard *self);
void fore_guard_take_record (ForeGuard *self, const ForeGuardRecord *record);

G_END_DECLS
