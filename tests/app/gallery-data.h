/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-diff-doc.h"
#include "app/fore-graph-view.h"

G_BEGIN_DECLS

/* Data that looks like that of real runs, for the gallery and for tests. */
GListModel *gallery_make_run (GPtrArray **edges);
GListModel *gallery_make_preview (GPtrArray **edges);
GListModel *gallery_make_random (guint n, GPtrArray **edges);
GListModel *gallery_make_transcript (void);
GListModel *gallery_make_long_transcript (guint n);
ForeDiffDoc *gallery_make_diff (void);
ForeDiffDoc *gallery_make_long_diff (guint n_lines);

G_END_DECLS
