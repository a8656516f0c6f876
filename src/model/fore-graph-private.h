/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-graph.h"

G_BEGIN_DECLS

/* What the files of ForeGraph share. */
typedef struct
{
  char *key;
  guint position;
  guint unmet;
  gboolean satisfied;
  gint64 chain;
  GPtrArray *before;
  GPtrArray *after;
} ForeGraphNode;

struct _ForeGraph
{
  GHashTable *by_key;
  GPtrArray *nodes;
};

G_END_DECLS
