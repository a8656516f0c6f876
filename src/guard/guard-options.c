/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "guard/guard-options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/fore-guard-protocol.h"

typedef bool (*OptionFunc) (GuardOptions *options, const char *value);

static bool
parse_number (const char *text, uint64_t max, uint64_t *number)
{
  char *end;

  if (!isdigit ((unsigned char) text[0]))
    return false;

  errno = 0;
  *number = strtoull (text, &end, 10);
  return errno == 0 && *end == '\0' && *number <= max;
}

static bool
parse_ms (const char *text, int64_t *ms)
{
  uint64_t number;

  if (!parse_number (text, INT64_MAX / 1000000, &number))
    return false;

  *ms = (int64_t) number;
  return true;
}

static bool
set_run (GuardOptions *options, const char *value)
{
  options->run = value;
  return true;
}

static bool
set_task (GuardOptions *options, const char *value)
{
  options->task = value;
  return value[0] != '\0' && strlen (value) <= FORE_GUARD_TASK_SIZE;
}

static bool
set_attempt (GuardOptions *options, const char *value)
{
  uint64_t number;

  if (!parse_number (value, UINT32_MAX, &number))
    return false;

  options->attempt = (uint32_t) number;
  return number > 0;
}

static bool
set_exits (GuardOptions *options, const char *value)
{
  options->exits = value;
  return true;
}

static bool
set_base (GuardOptions *options, const char *value)
{
  options->base = value;
  return true;
}

static bool
set_cwd (GuardOptions *options, const char *value)
{
  options->cwd = value;
  return true;
}

static bool
set_stdin (GuardOptions *options, const char *value)
{
  if (strcmp (value, "null") == 0)
    options->stdin_mode = GUARD_STDIN_NULL;
  else if (strcmp (value, "file") == 0)
    options->stdin_mode = GUARD_STDIN_FILE;
  else if (strcmp (value, "live") == 0)
    options->stdin_mode = GUARD_STDIN_LIVE;
  else
    return false;

  return true;
}

static bool
set_capture (GuardOptions *options, const char *value)
{
  options->capture_pipe = strcmp (value, "pipe") == 0;
  return options->capture_pipe || strcmp (value, "file") == 0;
}

static bool
set_limit (GuardOptions *options, const char *value)
{
  return parse_number (value, INT64_MAX, &options->limit);
}

static bool
set_wall (GuardOptions *options, const char *value)
{
  return parse_ms (value, &options->wall_ms);
}

static bool
set_grace (GuardOptions *options, const char *value)
{
  return parse_ms (value, &options->grace_ms);
}

static bool
set_orphan (GuardOptions *options, const char *value)
{
  return parse_ms (value, &options->orphan_ms);
}

static bool
set_owner (GuardOptions *options, const char *value)
{
  options->owner = value;
  return true;
}

static bool
set_owner_pid (GuardOptions *options, const char *value)
{
  uint64_t number;

  if (!parse_number (value, INT32_MAX, &number))
    return false;

  options->owner_pid = (pid_t) number;
  return true;
}

static bool
set_socket (GuardOptions *options, const char *value)
{
  options->socket = value;
  return true;
}

static bool
set_sandbox (GuardOptions *options, const char *value)
{
  options->sandbox = strcmp (value, "1") == 0;
  return options->sandbox || strcmp (value, "0") == 0;
}

static bool
set_slots (GuardOptions *options, const char *value)
{
  uint64_t number;

  if (!parse_number (value, GUARD_MAX_SLOTS, &number))
    return false;

  options->n_slots = (int) number;
  return true;
}

static const struct
{
  const char *name;
  OptionFunc set;
} option_table[] = {
  { "--run", set_run },     { "--task", set_task },           { "--attempt", set_attempt },
  { "--exits", set_exits }, { "--base", set_base },           { "--cwd", set_cwd },
  { "--stdin", set_stdin }, { "--capture", set_capture },     { "--limit", set_limit },
  { "--wall", set_wall },   { "--grace", set_grace },         { "--orphan", set_orphan },
  { "--owner", set_owner }, { "--owner-pid", set_owner_pid }, { "--socket", set_socket },
  { "--slots", set_slots }, { "--sandbox", set_sandbox },
};

static bool
set_option (GuardOptions *options, const char *name, const char *value)
{
  for (size_t i = 0; i < sizeof option_table / sizeof option_table[0]; i++)
    {
      if (strcmp (option_table[i].name, name) == 0)
        return option_table[i].set (options, value);
    }

  return false;
}

static bool
is_complete (const GuardOptions *options)
{
  return options->run != NULL && options->task != NULL && options->attempt > 0
         && options->exits != NULL && options->base != NULL && options->cwd != NULL
         && options->argv != NULL && options->argv[0] != NULL;
}

bool
guard_options_parse (GuardOptions *options, int argc, char **argv)
{
  int i;

  memset (options, 0, sizeof *options);
  options->grace_ms = 5000;

  for (i = 1; i < argc && strcmp (argv[i], "--") != 0; i += 2)
    {
      if (i + 1 >= argc || !set_option (options, argv[i], argv[i + 1]))
        {
          fprintf (stderr, "foredeck-guard: wrong or incomplete option %s\n", argv[i]);
          return false;
        }
    }

  if (i < argc)
    options->argv = argv + i + 1;

  if (!is_complete (options))
    {
      fprintf (stderr, "foredeck-guard: started by foredeck-runner only, not by hand\n");
      return false;
    }

  return true;
}
