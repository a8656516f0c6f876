/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-graph.h"

G_BEGIN_DECLS

typedef struct _ForeGraphNode ForeGraphNode;

/* A node has few of them and a graph has ten thousand nodes: no more room than they take. */
typedef struct
{
  ForeGraphNode **items;
  guint len;
} ForeGraphEdges;

/* What the files of ForeGraph share. */
struct _ForeGraphNode
{
  guint position;
  guint unmet;
  gint64 chain;
  ForeGraphEdges before;
  ForeGraphEdges after;
  gboolean satisfied;
  char key[];
};

struct _ForeGraph
{
  GHashTable *by_key;
  GPtrArray *nodes;
};

G_END_DECLS
