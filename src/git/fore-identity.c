/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-identity.h"

/**
 * fore_identity_new:
 * @name: a name
 * @email: an e-mail address
 *
 * Returns: (transfer full): free with fore_identity_free()
 */
ForeIdentity *
fore_identity_new (const char *name, const char *email)
{
  ForeIdentity *self;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (email != NULL, NULL);

  self = g_new0 (ForeIdentity, 1);
  self->name = g_strdup (name);
  self->email = g_strdup (email);

  return self;
}

/**
 * fore_identity_free:
 * @self: (nullable): an identity
 *
 * Frees @self.
 */
void
fore_identity_free (ForeIdentity *self)
{
  if (self == NULL)
    return;

  g_free (self->name);
  g_free (self->email);
  g_free (self);
}
