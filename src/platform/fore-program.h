/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeProgram:
 * @argv: the program, found in PATH, and its arguments
 * @envp: (nullable): its environment, %NULL for ours
 * @dir: (nullable): folder to start it in
 * @input: (nullable): what it reads; %NULL for nothing
 * @timeout_ms: when it is killed with all that it started
 * @output: (nullable): what it printed
 * @errors: (nullable): what it printed to stderr, made valid UTF-8
 * @exit_code: its exit code, or -1 when a signal ended it
 *
 * One call of a program; the last three are set by fore_program_run(), however it ends.
 */
typedef struct
{
  const char *const *argv;
  const char *const *envp;
  const char *dir;
  GBytes *input;
  guint timeout_ms;
  GBytes *output;
  char *errors;
  int exit_code;
} ForeProgram;

gboolean fore_program_run (ForeProgram *self, GError **error);
void fore_program_clear (ForeProgram *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ForeProgram, fore_program_clear)

G_END_DECLS
