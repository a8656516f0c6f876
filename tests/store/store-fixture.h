/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-run-client.h"
#include "store/fore-run-reader.h"
#include "store/fore-run-writer.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/* A home folder of its own and a store in it. */
typedef struct
{
  char *home;
  ForeStore *store;
} StoreFixture;

void store_fixture_set_up (StoreFixture *fixture, gconstpointer data);
void store_fixture_tear_down (StoreFixture *fixture, gconstpointer data);
void store_fixture_remove (const char *path);

/* Structures in which every field has a value of its own; @n varies them. */
ForeRun *sample_run (const char *id, guint n);
ForeTask *sample_task (const char *key, guint n);
ForeAttempt *sample_attempt (const char *task, guint n);
ForePlan *sample_plan (guint version);
ForeRequest *sample_request (const char *run, guint n);

void assert_run_equal (const ForeRun *a, const ForeRun *b);
void assert_task_equal (const ForeTask *a, const ForeTask *b);
void assert_attempt_equal (const ForeAttempt *a, const ForeAttempt *b);
void assert_plan_equal (const ForePlan *a, const ForePlan *b);
void assert_request_equal (const ForeRequest *a, const ForeRequest *b);

/* Makes a run with @n_tasks tasks t-0, t-1, … and opens it. */
ForeRunWriter *open_sample_run (StoreFixture *fixture, const char *id, guint n_tasks);

/* Runs the default main context until @flag is set; fails after ten seconds. */
void run_until (const gboolean *flag);
void run_until_func (gboolean (*func) (gpointer data), gpointer data);

G_END_DECLS
