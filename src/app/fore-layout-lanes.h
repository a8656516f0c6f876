/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-layered-graph.h"

G_BEGIN_DECLS

/**
 * ForeLayoutNet:
 * @min: where its horizontal line begins
 * @max: where it ends
 * @upper: of double: where lines come down to it
 * @lower: of double: where lines leave it downwards
 * @slot: its lane, counted from the top
 *
 * What shares one horizontal line between two layers.
 */
typedef struct
{
  double min;
  double max;
  GArray *upper;
  GArray *lower;
  guint slot;
} ForeLayoutNet;

ForeLayoutNet *fore_layout_net_new (void);
void fore_layout_net_free (ForeLayoutNet *self);
void fore_layout_net_add (ForeLayoutNet *self, gboolean upper, double x);
gboolean fore_layout_net_is_straight (const ForeLayoutNet *self);

guint fore_layout_lanes_assign (GPtrArray *nets);

G_END_DECLS
