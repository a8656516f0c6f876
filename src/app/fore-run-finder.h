/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-index.h"

G_BEGIN_DECLS

#define FORE_TYPE_RUN_FINDER (fore_run_finder_get_type ())

/**
 * ForeRunFinder:
 *
 * Searches all runs of this machine, also those that the index does not list. What it found follows
 * the store. Signal: "searched", when the answer to the words has come.
 */
G_DECLARE_FINAL_TYPE (ForeRunFinder, fore_run_finder, FORE, RUN_FINDER, GObject)

ForeRunFinder *fore_run_finder_new (ForeStore *store, ForeIndex *index);
void fore_run_finder_set_words (ForeRunFinder *self, const char *words);
const char *fore_run_finder_get_words (ForeRunFinder *self);
GListModel *fore_run_finder_get_found (ForeRunFinder *self);

G_END_DECLS
