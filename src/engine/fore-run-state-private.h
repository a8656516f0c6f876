/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-state.h"

G_BEGIN_DECLS

/* What the files of ForeRunState share. */
struct _ForeRunState
{
  GObject parent_instance;

  ForeStore *store;
  ForeRunWriter *writer;
  ForeRun *run;
  GPtrArray *tasks;
  GHashTable *tasks_by_key;
  GHashTable *attempts;
  GPtrArray *plans;
  GPtrArray *requests;
  GPtrArray *said;
  GPtrArray *mail;
  GPtrArray *told;        /* what agents were told to their face, and did not say again so far */
  GHashTable *mail_calls; /* what calls sent and were given */
  GPtrArray *held;        /* tasks whose phase is not written yet; NULL while each is at once */
  gint64 last_seen;
  gint64 retried;
  gboolean closed;
};

/* From all tasks; fore_run_state_update_usage() only adds what changed. */
void fore_run_state_sum_up (ForeRunState *self);
void fore_run_state_take_mail (ForeRunState *self, GPtrArray *messages);
gboolean fore_run_state_load_mail_calls (ForeRunState *self, GError **error);
void
fore_run_state_note_mail_call (ForeRunState *self, const char *call, const char *what, gint64 id);
void fore_run_state_forget_record (ForeAttempt *attempt);
void fore_run_state_take_times (ForeRunState *self, const ForeRunDelta *delta, gint64 last_seen);

G_END_DECLS
