/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/demo/fore-demo-output.h"

G_BEGIN_DECLS

/**
 * DemoPlayer:
 * @output: where it speaks
 * @speed: how fast: 1 as written, 0 without any delay
 * @next_id: number of the next text or tool
 *
 * Plays the steps of a script: what it says is made up, what it does to files and which commands it
 * runs is real.
 */
typedef struct
{
  DemoOutput *output;
  double speed;
  guint next_id;
} DemoPlayer;

void demo_player_play (DemoPlayer *player, JsonArray *steps);
void demo_player_wait (DemoPlayer *player, gint64 ms);

/* Tools: each does what it says and shows it. */
void demo_tool_read (DemoPlayer *player, const char *path);
void demo_tool_list (DemoPlayer *player, const char *path);
void demo_tool_grep (DemoPlayer *player, JsonObject *arguments);
void demo_tool_write (DemoPlayer *player, JsonObject *arguments);
void demo_tool_edit (DemoPlayer *player, JsonObject *arguments);
void demo_tool_run (DemoPlayer *player, JsonArray *words);

/* Failures of agents, as told. */
void demo_fail (DemoPlayer *player, JsonObject *arguments);
void demo_write_long_line (gint64 bytes);
void demo_write_brackets (gint64 count);
void demo_write_endless (void);
void demo_be_stubborn (void);

G_END_DECLS
