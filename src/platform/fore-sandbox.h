/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a program in a sandbox is told of it. */
#define FORE_MARKER_SANDBOX "FOREDECK_SANDBOX_PROFILE"

/**
 * ForeSandboxAccess:
 * @FORE_SANDBOX_HIDDEN: an empty folder, or an empty file, is there instead
 * @FORE_SANDBOX_READ: it can be read
 * @FORE_SANDBOX_WRITE: it can be read and written
 *
 * How a path is seen from inside; where one path is named twice the later of these holds.
 */
typedef enum
{
  FORE_SANDBOX_HIDDEN,
  FORE_SANDBOX_READ,
  FORE_SANDBOX_WRITE,
} ForeSandboxAccess;

/**
 * ForeSandboxMount:
 * @access: how it is seen
 * @path: an absolute path without links; all beneath it that has no mount of its own is seen so too
 * @source: (nullable): what is seen there, where that is something else
 */
typedef struct
{
  ForeSandboxAccess access;
  char *path;
  char *source;
} ForeSandboxMount;

/**
 * ForeSandbox:
 *
 * What a program may reach: the whole file system to read (or, in the profile `full`, as it is),
 * and mounts that say otherwise. It has processes of its own, which end with it.
 */
typedef struct _ForeSandbox ForeSandbox;

ForeSandbox *fore_sandbox_new (const char *profile);
gboolean fore_sandbox_is_one (const char *const *argv);
ForeSandbox *fore_sandbox_read (const char *const *argv);
void fore_sandbox_free (ForeSandbox *self);

void fore_sandbox_add (ForeSandbox *self, ForeSandboxAccess access, const char *path);
void fore_sandbox_add_from (ForeSandbox *self,
                            ForeSandboxAccess access,
                            const char *source,
                            const char *path);
void fore_sandbox_cut_network (ForeSandbox *self);
GStrv fore_sandbox_wrap (ForeSandbox *self, const char *program, const char *const *argv);

const char *fore_sandbox_get_profile (const ForeSandbox *self);
gboolean fore_sandbox_has_network (const ForeSandbox *self);
GPtrArray *fore_sandbox_get_mounts (ForeSandbox *self);
const char *fore_sandbox_access_to_string (ForeSandboxAccess access);

char *fore_sandbox_find (GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeSandbox, fore_sandbox_free)

G_END_DECLS
