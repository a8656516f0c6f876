/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "app/fore-view-status.h"

G_BEGIN_DECLS

#define FORE_TYPE_STAT (fore_stat_get_type ())

/* One figure of a strip: a caption over a value, and a bar under it where there is a limit.
 * Properties: "caption", "value".
 */
G_DECLARE_FINAL_TYPE (ForeStat, fore_stat, FORE, STAT, GtkBox)

GtkWidget *fore_stat_new (const char *caption);
void fore_stat_set_value (ForeStat *self, const char *value);
void fore_stat_set_changes (ForeStat *self, int insertions, int deletions);
void fore_stat_set_fraction (ForeStat *self, double fraction, const char *tooltip);
void fore_stat_set_status (ForeStat *self, ForeViewStatus status);
void fore_stat_set_mono (ForeStat *self, gboolean mono);

G_END_DECLS
