/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/demo/fore-demo-output.h"

G_BEGIN_DECLS

typedef struct _DemoLive DemoLive;

DemoLive *demo_live_new (void);
char *demo_live_next_prompt (DemoLive *self);

G_END_DECLS
