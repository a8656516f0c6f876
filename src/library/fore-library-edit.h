/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "library/fore-library.h"

G_BEGIN_DECLS

char *fore_library_copy (ForeLibrary *library,
                         const char *kind,
                         const char *name,
                         const char *new_name,
                         const char *user_dir,
                         GError **error);
char *fore_library_remove (const char *user_dir, const char *path, GError **error);
char *fore_library_restore (const char *user_dir, const char *backup, GError **error);
GStrv fore_library_list_removed (const char *user_dir);

G_END_DECLS
