/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-spec.h"

G_BEGIN_DECLS

GStrv fore_schedule_words_new (const ForeRunSpec *spec);

G_END_DECLS
