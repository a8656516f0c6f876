/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "git/fore-repository.h"

G_BEGIN_DECLS

GArray *fore_integration_parts_list (ForeRepository *repository, GPtrArray *tasks);

G_END_DECLS
