/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-adapter.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * ForeAgentTest:
 *
 * The button in the row of an agent that sends it one tiny prompt, and takes that back. What came
 * of it is the second line of the row.
 */
#define FORE_TYPE_AGENT_TEST (fore_agent_test_get_type ())
G_DECLARE_FINAL_TYPE (ForeAgentTest, fore_agent_test, FORE, AGENT_TEST, GtkWidget)

GtkWidget *fore_agent_test_new (AdwActionRow *row, const ForeAdapter *adapter);

G_END_DECLS
