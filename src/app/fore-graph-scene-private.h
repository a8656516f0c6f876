/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-graph-scene.h"

G_BEGIN_DECLS

double fore_graph_scene_node_get_middle (const ForeGraphSceneNode *self);

G_END_DECLS
