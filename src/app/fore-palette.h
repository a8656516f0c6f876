/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-view-status.h"

G_BEGIN_DECLS

/**
 * ForePalette:
 *
 * The colours that drawn widgets use, taken from the style of the moment: light or dark, and
 * stronger where high contrast is asked for.
 */
typedef struct
{
  gboolean dark;
  gboolean high_contrast;
  GdkRGBA canvas;
  GdkRGBA dots;
  GdkRGBA card;
  GdkRGBA card_border;
  GdkRGBA card_hover;
  GdkRGBA shadow;
  GdkRGBA text;
  GdkRGBA dim;
  GdkRGBA accent;
  GdkRGBA edge;
  GdkRGBA edge_strong;
  GdkRGBA handoff;
  GdkRGBA conflict;
  GdkRGBA added_bg;
  GdkRGBA added_strong;
  GdkRGBA added_text;
  GdkRGBA removed_bg;
  GdkRGBA removed_strong;
  GdkRGBA removed_text;
  GdkRGBA gutter;
  GdkRGBA fold_bg;
  GdkRGBA status[FORE_N_VIEW_STATUSES];
} ForePalette;

void fore_palette_init (ForePalette *palette, gboolean dark, gboolean high_contrast);
void fore_palette_init_for_widget (ForePalette *palette, GtkWidget *widget);

G_END_DECLS
