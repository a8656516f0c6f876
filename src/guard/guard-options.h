/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define GUARD_MAX_SLOTS 8

typedef enum
{
  GUARD_STDIN_NULL,
  GUARD_STDIN_FILE,
  GUARD_STDIN_LIVE,
} GuardStdin;

typedef struct
{
  const char *run;
  const char *task;
  uint32_t attempt;
  const char *exits;
  const char *base;
  const char *cwd;
  const char *owner;
  const char *socket;
  GuardStdin stdin_mode;
  bool capture_pipe;
  bool sandbox; /* argv is that of a sandbox, the agent's is in it */
  uint64_t limit;
  int64_t wall_ms;
  int64_t grace_ms;
  int64_t orphan_ms;
  pid_t owner_pid;
  int n_slots;
  char **argv;
} GuardOptions;

bool guard_options_parse (GuardOptions *options, int argc, char **argv);
