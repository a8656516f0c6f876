/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FORE_TYPE_TRUST_GROUP (fore_trust_group_get_type ())

/* The projects that are trusted, and those that bring something and are not; hidden without any. */
G_DECLARE_FINAL_TYPE (ForeTrustGroup, fore_trust_group, FORE, TRUST_GROUP, AdwPreferencesGroup)

GtkWidget *fore_trust_group_new (void);

G_END_DECLS
