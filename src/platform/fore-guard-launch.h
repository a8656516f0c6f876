/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  FORE_GUARD_STDIN_NULL,
  FORE_GUARD_STDIN_FILE, /* <task>.<n>.in, which must be there */
  FORE_GUARD_STDIN_LIVE,
} ForeGuardStdin;

typedef enum
{
  FORE_GUARD_CAPTURE_FILE,
  FORE_GUARD_CAPTURE_PIPE,
} ForeGuardCapture;

#define FORE_GUARD_MAX_SLOTS 8

/**
 * ForeGuardLaunch:
 * @run_dir: runs/<run>; exits, owner.lock and attempts/ lie there
 * @argv: the agent; the first is an absolute path
 * @env: its whole environment (nothing else is added but what is in here)
 * @cwd: its folder
 * @sandbox: whether @argv is that of a sandbox with the agent in it
 * @capture_limit: bytes of stdout and stderr together, 0 for none
 * @wall_ms: 0 for none
 * @grace_ms: between two steps of the kill ladder (5000)
 * @orphan_grace_ms: how long it lives without an owner (600000), 0 for ever
 * @slot_fds: what the guard holds while it lives; stay the caller's
 *
 * How an attempt is to be started. All strings are borrowed; fill it on the stack.
 */
typedef struct
{
  const char *run;
  const char *task;
  guint n;
  const char *run_dir;
  const char *const *argv;
  const char *const *env;
  const char *cwd;
  gboolean sandbox;
  ForeGuardStdin stdin_mode;
  ForeGuardCapture capture_mode;
  guint64 capture_limit;
  guint64 wall_ms;
  guint64 grace_ms;
  guint64 orphan_grace_ms;
  int slot_fds[FORE_GUARD_MAX_SLOTS];
  guint n_slot_fds;
} ForeGuardLaunch;

/* { 0 } with the default graces. */
#define FORE_GUARD_LAUNCH_INIT                                                                     \
  {                                                                                                \
    .grace_ms = 5000, .orphan_grace_ms = 600000                                                    \
  }

char **fore_guard_launch_dup_argv (const ForeGuardLaunch *launch,
                                   const char *guard_path,
                                   const char *socket_path);
gboolean fore_guard_launch_check (const ForeGuardLaunch *launch, GError **error);

/* Where the guard of an attempt listens; the folder is made. */
char *fore_guard_dup_socket_path (const char *run_dir, const char *task, guint n, GError **error);

G_END_DECLS
