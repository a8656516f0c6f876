/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-view-status.h"
#include "model/fore-request.h"
#include "model/fore-run.h"

G_BEGIN_DECLS

typedef enum
{
  FORE_RUN_GROUP_NEEDS_YOU,
  FORE_RUN_GROUP_ACTIVE,
  FORE_RUN_GROUP_REVIEW,
  FORE_RUN_GROUP_RECENT,
} ForeRunGroup;

/**
 * ForeRunHealth:
 * @FORE_RUN_WELL: as its status says
 * @FORE_RUN_INTERRUPTED: it claims to be at work and nobody owns it
 * @FORE_RUN_STUCK: its owner does not respond
 */
typedef enum
{
  FORE_RUN_WELL,
  FORE_RUN_INTERRUPTED,
  FORE_RUN_STUCK,
} ForeRunHealth;

#define FORE_TYPE_RUN_ITEM (fore_run_item_get_type ())

/* Properties: "title", "subtitle", "status" (ForeViewStatus), "group" (ForeRunGroup as uint). */
G_DECLARE_FINAL_TYPE (ForeRunItem, fore_run_item, FORE, RUN_ITEM, GObject)

ForeRunItem *fore_run_item_new (const ForeRun *run);
void fore_run_item_update (ForeRunItem *self, const ForeRun *run);
void fore_run_item_set_request (ForeRunItem *self, const ForeRequest *request);
void fore_run_item_set_health (ForeRunItem *self, ForeRunHealth health);
void fore_run_item_refresh (ForeRunItem *self);

const ForeRun *fore_run_item_get_run (ForeRunItem *self);
const char *fore_run_item_get_id (ForeRunItem *self);
const char *fore_run_item_get_subtitle (ForeRunItem *self);
ForeViewStatus fore_run_item_get_status (ForeRunItem *self);
ForeRunGroup fore_run_item_get_group (ForeRunItem *self);
gboolean fore_run_item_is_stopped (ForeRunItem *self);
ForeRunHealth fore_run_item_get_health (ForeRunItem *self);
int fore_run_item_compare (ForeRunItem *a, ForeRunItem *b);

ForeViewStatus fore_run_get_view_status (const ForeRun *run, ForeRunHealth health, gboolean asks);
gboolean fore_run_has_result (const ForeRun *run);
gboolean fore_run_awaits_review (const ForeRun *run);
gboolean fore_run_takes_retry (const ForeRun *run);
const char *fore_run_explain_no_changes (const ForeRun *run, const char **title);
char *fore_run_dup_subtitle (const ForeRun *run);

G_END_DECLS
