/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "guard/guard-options.h"
#include "platform/fore-guard-protocol.h"

#define GUARD_MAX_CLIENTS 8
#define GUARD_TICK_MS 50

typedef enum
{
  GUARD_STEP_NONE,
  GUARD_STEP_POLITE,
  GUARD_STEP_TERM,
  GUARD_STEP_KILL,
} GuardStep;

/* Something to be said to the agent: whole, or it is not begun. */
typedef struct
{
  uint64_t id;
  size_t length;
  size_t done;
  char *bytes;
} GuardMessage;

typedef struct
{
  int fd;
  int passed; /* descriptor that came along, -1 */
  char line[128];
  size_t line_length;
  GuardMessage incoming; /* bytes != NULL while they arrive */
  GuardMessage queued;   /* bytes != NULL while they wait for the agent */
} GuardClient;

/* One of stdout and stderr: where it is kept, and the pipe it comes from if it is copied. */
typedef struct
{
  int file;
  int pipe;
  uint64_t size;
} GuardCapture;

typedef struct
{
  GuardOptions options;
  ForeGuardRecord record;
  bool adopts_orphans;
  int exits;
  int slot;    /* taken later, -1 */
  int signals; /* read end of the pipe that signal handlers write to */
  int64_t owner_checked_us;
  int64_t orphan_since_us;
  int listener;
  GuardClient clients[GUARD_MAX_CLIENTS];
  uint64_t last_id;

  pid_t agent;
  int gate;
  int agent_stdin;  /* live only, -1 once closed */
  bool close_stdin; /* when the queue is empty */
  int sent;         /* .in of a live session */
  GuardCapture captures[2];
  bool truncated; /* bytes of a pipe above the limit were thrown away */
  int64_t sizes_checked_us;

  bool agent_gone;
  bool tree_gone;
  int wait_status;
  ForeGuardReason reason;
  GuardStep step;
  int64_t step_until_us;
  int64_t kill_since_us;
} Guard;

/* guard-agent.c */
int guard_agent_start (Guard *guard);
void guard_agent_open_gate (Guard *guard);
int guard_agent_get_error (Guard *guard);
void guard_agent_reap (Guard *guard);
void guard_agent_interrupt (Guard *guard);

/* guard-record.c */
bool guard_record_open (Guard *guard);
bool guard_record_start (Guard *guard);
void guard_record_end (Guard *guard);
bool guard_record_exit (Guard *guard);

/* guard-capture.c */
int guard_capture_open (Guard *guard);
void guard_capture_copy (Guard *guard, GuardCapture *capture);
void guard_capture_drain (Guard *guard);
void guard_capture_check (Guard *guard);
uint64_t guard_capture_get_total (Guard *guard);

/* guard-stdin.c */
GuardClient *guard_stdin_next (Guard *guard);
void guard_stdin_write (Guard *guard);
void guard_stdin_close (Guard *guard);

/* guard-client.c */
bool guard_client_listen (Guard *guard);
void guard_client_accept (Guard *guard);
void guard_client_read (Guard *guard, GuardClient *client);
void guard_client_reply (GuardClient *client, const char *text);
void guard_client_reply_id (GuardClient *client, const char *word, uint64_t id);
void guard_client_drop (GuardClient *client);

/* guard-ladder.c */
void guard_ladder_end (Guard *guard, ForeGuardReason reason);
void guard_ladder_end_soon (Guard *guard, ForeGuardReason reason);
void guard_ladder_kill (Guard *guard, ForeGuardReason reason);
void guard_ladder_left (Guard *guard);
void guard_ladder_step (Guard *guard);

/* guard-slots.c */
void guard_slots_hold (Guard *guard);
void guard_slots_release (Guard *guard);
void guard_slots_take (Guard *guard, int fd);

/* guard-limits.c */
void guard_limits_check (Guard *guard);
int64_t guard_limits_next_us (Guard *guard);

/* guard-system-*.c: what differs between systems */
int64_t guard_system_boot_us (void);
int64_t guard_system_wall_us (void);
/* Whether everything of the tree whose parent dies becomes a child of ours. */
bool guard_system_adopt_orphans (void);
void guard_system_die_with_guard (pid_t guard);
void guard_system_close_from (int first);
bool guard_system_pipe (int fds[2]);
uint64_t guard_system_get_start (pid_t pid);
void guard_system_get_boot_id (uint8_t id[16]);
int guard_system_signal_tree (int sig);
/* What is in the sandbox whose outermost process is @outer; only of its group if asked. */
int guard_system_signal_inside (pid_t outer, bool only_group, int sig);
int guard_system_signal_marked (const GuardOptions *options, int sig);
