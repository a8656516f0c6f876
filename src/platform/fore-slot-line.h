/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeSlotLine:
 *
 * Where those stand who wait for a slot of a pool, so that all runs of the machine get one in turn:
 * a locked file for each in the pool's folder, whose name begins with the time since when. Whoever
 * watches the folder hears of the line too. Not thread-safe.
 */
typedef struct _ForeSlotLine ForeSlotLine;

ForeSlotLine *fore_slot_line_new (const char *home, const char *pool, const char *name);
void fore_slot_line_free (ForeSlotLine *line);

gboolean fore_slot_line_is_our_turn (ForeSlotLine *line);
void fore_slot_line_stand (ForeSlotLine *line);
void fore_slot_line_leave (ForeSlotLine *line);
void fore_slot_line_pass (ForeSlotLine *line);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeSlotLine, fore_slot_line_free)

G_END_DECLS
