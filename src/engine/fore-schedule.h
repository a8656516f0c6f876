/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-schedule-time.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * ForeSchedule:
 * @id: short, of letters and digits
 * @name: what a person calls it
 * @when: when it comes, see fore_schedule_time_new()
 * @folder: where its words are carried out
 * @words: what `foredeckctl` is told: `run` or `goal start`, and so on
 * @enabled: whether it comes
 * @makes_up: whether one that was missed is made up for, once
 * @created_us: microseconds since the epoch; intervals count from here on
 * @seen_us: up to when all that was due has been dealt with
 * @claimed_us: when the last start was begun, or 0
 * @due_us: when the newest that was dealt with was due, or 0
 * @run: (nullable): the run that it started last
 * @outcome: (nullable): what came of the newest: `started`, `missed`, `busy`, `failed` or `claimed`
 * @message: (nullable): why it failed
 * @n_started: how often it started something
 * @n_missed: how often it could not, or was not to
 *
 * Something that starts a run at certain times. One thread at a time.
 */
typedef struct
{
  char *id;
  char *name;
  char *when;
  char *folder;
  GStrv words;
  gboolean enabled;
  gboolean makes_up;
  gint64 created_us;
  gint64 seen_us;
  gint64 claimed_us;
  gint64 due_us;
  char *run;
  char *outcome;
  char *message;
  guint n_started;
  guint n_missed;
} ForeSchedule;

#define FORE_SCHEDULE_STARTED "started"
#define FORE_SCHEDULE_MISSED "missed"
#define FORE_SCHEDULE_BUSY "busy"
#define FORE_SCHEDULE_FAILED "failed"
#define FORE_SCHEDULE_CLAIMED "claimed"

ForeSchedule *fore_schedule_new (void);
ForeSchedule *fore_schedule_copy (const ForeSchedule *self);
void fore_schedule_free (ForeSchedule *self);

ForeSchedule *fore_schedule_from_json (JsonObject *object, GError **error);
JsonObject *fore_schedule_to_json (const ForeSchedule *self);

gint64 fore_schedule_find_next (const ForeSchedule *self, gint64 after_us, GTimeZone *zone);
gboolean fore_schedule_take_due (ForeSchedule *self, gint64 now_us, GTimeZone *zone);
GArray *fore_schedule_list_next (const ForeSchedule *self, guint n);
char *fore_schedule_dup_outcome (const ForeSchedule *self);
void fore_schedule_set_outcome (ForeSchedule *self, const char *outcome, const char *message);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeSchedule, fore_schedule_free)

G_END_DECLS
