/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-state.h"
#include "platform/fore-guard-client.h"

G_BEGIN_DECLS

/**
 * ForeTalk:
 *
 * The lines that go to a live session, in the order in which its decoder made them. Each has a
 * number, the same for whoever makes it: the guard delivers a number once. What a person said is
 * held back until it is durable.
 */
#define FORE_TYPE_TALK (fore_talk_get_type ())
G_DECLARE_FINAL_TYPE (ForeTalk, fore_talk, FORE, TALK, GObject)

ForeTalk *fore_talk_new (ForeRunState *state, ForeGuard *guard);
void fore_talk_add (ForeTalk *self, GBytes *lines);
void fore_talk_hold (ForeTalk *self);
void fore_talk_release_when_durable (ForeTalk *self);

G_END_DECLS
