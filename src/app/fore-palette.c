/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-palette.h"

#include <adwaita.h>

typedef struct
{
  gsize offset;
  const char *light;
  const char *dark;
  const char *light_contrast;
  const char *dark_contrast;
} ColourRow;

#define ROW(field, ...)                                                                            \
  {                                                                                                \
    G_STRUCT_OFFSET (ForePalette, field), __VA_ARGS__                                              \
  }

/* Without a value of its own, high contrast uses the ordinary colour. */
static const ColourRow rows[] = {
  ROW (canvas, "#ffffff", "#1e1e1e", NULL, "#101010"),
  ROW (dots, "#e3e3e5", "#343437", NULL, NULL),
  ROW (card, "#ffffff", "#36363a", NULL, "#28282b"),
  ROW (card_border, "#dadadd", "#47474c", "#5e5c64", "#c0bfbc"),
  ROW (card_hover, "#f6f5f4", "#404045", NULL, NULL),
  ROW (shadow, "rgba(0,0,6,0.10)", "rgba(0,0,6,0.36)", NULL, NULL),
  ROW (text, "#1e1e22", "#ffffff", "#000000", NULL),
  ROW (dim, "#68676c", "#b2b2b6", "#2e2e32", "#e4e4e6"),
  ROW (accent, "#3584e4", "#4a90e8", "#1a5fb4", "#99c1f1"),
  ROW (edge, "#a3a2a6", "#8c8b90", "#3d3846", "#deddda"),
  ROW (edge_strong, "#3584e4", "#62a0ea", "#1a5fb4", "#99c1f1"),
  ROW (handoff, "#8a6bb8", "#a98fd0", "#613583", "#dcc8f5"),
  ROW (conflict, "#c64600", "#ff8a4c", "#a13900", "#ffbe8f"),
  ROW (added_bg, "#e3f4ea", "#1f3a2c", "#d4efe0", "#12402a"),
  ROW (added_strong, "#a5dcbd", "#2f6b4a", "#8fd4ae", "#2b7a50"),
  ROW (added_text, "#1b7a4b", "#6fd8a3", "#0d5c35", "#a6f0c8"),
  ROW (removed_bg, "#fbe8e9", "#44262a", "#f9d9db", "#541c22"),
  ROW (removed_strong, "#f3b6ba", "#7d343b", "#eda0a6", "#94333d"),
  ROW (removed_text, "#b3202c", "#ff9aa2", "#8b0f1a", "#ffc4c9"),
  ROW (gutter, "#8b8a8f", "#88878c", "#3d3846", "#deddda"),
  ROW (fold_bg, "#f4f4f5", "#28282a", NULL, NULL),
};

static const char *
choose (const ColourRow *row, gboolean dark, gboolean high_contrast)
{
  const char *strong = dark ? row->dark_contrast : row->light_contrast;

  if (high_contrast && strong != NULL)
    return strong;

  return dark ? row->dark : row->light;
}

/**
 * fore_palette_init:
 * @palette: (out caller-allocates): where to put the colours
 * @dark: whether the style is dark
 * @high_contrast: whether contrast should be high
 */
void
fore_palette_init (ForePalette *palette, gboolean dark, gboolean high_contrast)
{
  g_return_if_fail (palette != NULL);

  palette->dark = dark;
  palette->high_contrast = high_contrast;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    gdk_rgba_parse (G_STRUCT_MEMBER_P (palette, rows[i].offset),
                    choose (&rows[i], dark, high_contrast));
  for (guint i = 0; i < FORE_N_VIEW_STATUSES; i++)
    fore_view_status_get_rgba (i, dark, &palette->status[i]);
}

/**
 * fore_palette_init_for_widget:
 * @palette: (out caller-allocates): where to put the colours
 * @widget: a widget with a display
 *
 * Takes the colours that the style of @widget's display asks for.
 */
void
fore_palette_init_for_widget (ForePalette *palette, GtkWidget *widget)
{
  AdwStyleManager *manager;

  g_return_if_fail (palette != NULL);
  g_return_if_fail (GTK_IS_WIDGET (widget));

  manager = adw_style_manager_get_for_display (gtk_widget_get_display (widget));
  fore_palette_init (palette, adw_style_manager_get_dark (manager),
                     adw_style_manager_get_high_contrast (manager));
}
