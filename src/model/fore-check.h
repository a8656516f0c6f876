/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  FORE_VERIFIED_NONE,
  FORE_VERIFIED_YES,
  FORE_VERIFIED_FAILED,
  FORE_VERIFIED_COMPROMISED,
  FORE_N_VERIFIED
} ForeVerified;

typedef enum
{
  FORE_WORKER_NONE,
  FORE_WORKER_WELL,
  FORE_WORKER_BADLY,
  FORE_N_WORKERS
} ForeWorker;

typedef enum
{
  FORE_EFFECT_UNKNOWN,
  FORE_EFFECT_NONE,
  FORE_EFFECT_CHANGED,
  FORE_N_EFFECTS
} ForeEffect;

/**
 * ForeCheck:
 * @argv: the command, run without a shell
 * @verified: how it came out
 * @exit_code: its exit code, or -1 while unknown or if it was ended by a signal
 * @ms: how long it ran, in milliseconds, or -1
 * @output: (nullable): the tail of what it printed
 * @files: (nullable): tree-relative paths of the files that decide it
 * @hash: (nullable): SHA-256 over those files at approval
 *
 * One verification command of a task, run by the engine itself.
 */
typedef struct
{
  GStrv argv;
  ForeVerified verified;
  int exit_code;
  gint64 ms;
  char *output;
  GStrv files;
  char *hash;
} ForeCheck;

ForeCheck *fore_check_new (const char *const *argv);
ForeCheck *fore_check_copy (const ForeCheck *check);
void fore_check_free (ForeCheck *check);
char *fore_check_dup_label (const ForeCheck *check);
GPtrArray *fore_checks_copy (GPtrArray *checks);
gboolean fore_checks_have (GPtrArray *checks, char **argv);

const char *fore_verified_to_string (ForeVerified verified);
gboolean fore_verified_from_string (const char *text, ForeVerified *verified);
const char *fore_worker_to_string (ForeWorker worker);
gboolean fore_worker_from_string (const char *text, ForeWorker *worker);
const char *fore_effect_to_string (ForeEffect effect);
gboolean fore_effect_from_string (const char *text, ForeEffect *effect);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeCheck, fore_check_free)

G_END_DECLS
