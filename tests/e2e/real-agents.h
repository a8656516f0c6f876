/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-adapter.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * RealAgents:
 * @bin: folder of the agent's program and its Node
 * @dir: a home of its own
 * @tmp: folder for temporary files in it
 * @url: where the scripted model server listens
 *
 * What the tests with real agent CLIs share: the newest release of one from npm and the scripted
 * model server on the loopback. Nothing of the person who runs the tests is read or written.
 */
typedef struct
{
  char *bin;
  char *dir;
  char *tmp;
  char *url;
  GSubprocess *server;
} RealAgents;

extern RealAgents real_agents;

void real_agents_set_up (const char *agent);
void real_agents_tear_down (void);
gboolean real_agents_skipped (void);
gboolean real_agents_skipped_without_sandbox (const char *agent);
void real_agents_wait_asked (void);
char *real_agents_run (const char *const *argv);
char *real_agents_source (const char *name);

G_END_DECLS
