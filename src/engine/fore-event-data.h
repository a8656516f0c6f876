/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *fore_event_data_new (const char *first_key, ...) G_GNUC_NULL_TERMINATED;

G_END_DECLS
