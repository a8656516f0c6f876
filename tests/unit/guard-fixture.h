/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "platform/fore-guard-client.h"
#include "platform/fore-lock.h"

/* A run's folder with a hub, and what is needed to start attempts in it. */
typedef struct
{
  char *home;
  char *run;
  char *run_dir;
  GStrv env;
  ForeGuardLaunch launch;
  const char *script_argv[4];
  ForeGuardHub *hub;
  guint n_started;
  gboolean slot_was_free;
} GuardFixture;

void guard_fixture_init (const char *path);
void guard_fixture_finish (void);
int guard_fixture_be_runner (char **args);
void guard_fixture_set_up (GuardFixture *f, gconstpointer data);
void guard_fixture_tear_down (GuardFixture *f, gconstpointer data);
void guard_fixture_new_hub (GuardFixture *f);

ForeGuard *guard_fixture_spawn (GuardFixture *f);
ForeGuard *guard_fixture_spawn_script (GuardFixture *f, const char *script);
const ForeGuardRecord *guard_fixture_run_script (GuardFixture *f, const char *script);
/* A process like a runner starts `cat` as a live session, says "first" with id 1 and is killed. */
void guard_fixture_run_runner (GuardFixture *f, const char *orphan_ms);

void guard_fixture_wait (GuardFixture *f, gboolean (*is_done) (gpointer), gpointer data);
void guard_fixture_let_pass (GuardFixture *f, gint64 us);
void guard_fixture_wait_pointer (GuardFixture *f, gpointer *pointer);
void guard_fixture_wait_started (GuardFixture *f, ForeGuard *guard);
const ForeGuardRecord *guard_fixture_wait_exit (GuardFixture *f, ForeGuard *guard);
void guard_fixture_wait_capture (GuardFixture *f, const char *suffix, gsize length);

void guard_fixture_say (GuardFixture *f, ForeGuard *guard, const char *text, guint64 id);
guint64 guard_fixture_hello (GuardFixture *f, ForeGuard *guard);

char *guard_fixture_dup_path (GuardFixture *f, const char *suffix);
void guard_fixture_assert_capture (GuardFixture *f,
                                   const char *suffix,
                                   const char *bytes,
                                   gssize length);
void guard_fixture_assert_nothing_left (GuardFixture *f);
