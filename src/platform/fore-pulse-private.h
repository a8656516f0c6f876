/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "platform/fore-process.h"

G_BEGIN_DECLS

#define FORE_PULSE_MAGIC 0x31535046u

/* Native byte order: it never leaves its machine. */
typedef struct
{
  guint32 magic;
  gint32 pid;
  guint64 start;
  char boot[40];
  gint64 busy_since_us; /* boot clock; 0 while the loop waits */
} ForePulsePage;

/* NULL if the system does not give it. */
ForePulsePage *fore_pulse_system_map (const char *path);

G_END_DECLS
