/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Who a commit is by. */
typedef struct
{
  char *name;
  char *email;
} ForeIdentity;

ForeIdentity *fore_identity_new (const char *name, const char *email);
void fore_identity_free (ForeIdentity *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeIdentity, fore_identity_free)

G_END_DECLS
