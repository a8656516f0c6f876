/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "git/fore-merge-result.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/**
 * ForeMergeWish:
 * @target: (nullable): the branch; %NULL is the one that the run started from
 * @mode: (nullable): `ff`, `merge` or `squash`; %NULL is what the settings say
 * @expected: (nullable): commit that the person saw at @target; %NULL takes it as it is
 * @without: (nullable) (array zero-terminated=1): files and folders of the result that are left out
 * @check: run the project's checks on the merged work first
 * @by: who wants it
 * @timeout_ms: how long the run's owner may take
 *
 * How a finished run is to be merged.
 */
typedef struct
{
  const char *target;
  const char *mode;
  const char *expected;
  const char *const *without;
  gboolean check;
  const char *by;
  guint timeout_ms;
} ForeMergeWish;

/* @checks gets the ForeCheck that were run on what the branch will hold. Blocking. */
gboolean fore_merge_queue_merge (ForeStore *store,
                                 const char *run_id,
                                 const ForeMergeWish *wish,
                                 GPtrArray *checks,
                                 char **outcome,
                                 GError **error);

G_END_DECLS
