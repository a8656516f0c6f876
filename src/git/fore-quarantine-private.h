/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

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

char *fore_quarantine_read_ref (const char *folder, const char *name);
char *fore_quarantine_dup_keeper (const char *common_dir, const char *branch);

G_END_DECLS
