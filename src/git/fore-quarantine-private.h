/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <git2.h>

#include "git/fore-quarantine.h"

G_BEGIN_DECLS

/* What stands in the folder of one repository. */
#define FORE_QUARANTINE_REPOSITORY "repository" /* its path */
#define FORE_QUARANTINE_BRANCH "branch"         /* the branch that is worked on */
#define FORE_QUARANTINE_OBJECTS "objects"
#define FORE_QUARANTINE_REFS "refs"
#define FORE_QUARANTINE_LOGS "logs"

/* An object's id and a line break; a ref holds no more. */
#define FORE_QUARANTINE_REF_SIZE 41

gboolean fore_quarantine_is_ours (void);
gboolean fore_quarantine_fail_read (int code, const char *path, GError **error);
gboolean fore_quarantine_open (const char *folder, const char *path, int *fd, GError **error);
gboolean fore_quarantine_list (const char *folder, GPtrArray **names, GError **error);
gboolean
fore_quarantine_read_text (const char *place, const char *name, char **text, GError **error);
gboolean fore_quarantine_read_ref (const char *folder, const char *name, char **id, GError **error);
gboolean fore_quarantine_read_refs (const char *place, GHashTable **refs, GError **error);
gboolean fore_quarantine_import_refs (git_repository *git,
                                      const char *branch,
                                      GHashTable *refs,
                                      GError **error);
char *fore_quarantine_dup_keeper (const char *common_dir, const char *branch);

G_END_DECLS
