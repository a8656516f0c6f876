/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

#include "library/fore-library-types.h"

G_BEGIN_DECLS

/* Largest file that is read from a folder of the library. */
#define FORE_LIBRARY_MAX_FILE (256 * 1024)

char *fore_library_text_read (const char *path,
                              gsize max_bytes,
                              gboolean follow_links,
                              gsize *length,
                              GPtrArray *diagnostics);
char *fore_library_text_normalise (const char *text,
                                   gssize length,
                                   const char *path,
                                   GPtrArray *diagnostics);

char *fore_library_text_sanitise (const char *text,
                                  ForeLibraryLayer layer,
                                  const char *path,
                                  guint first_line,
                                  GPtrArray *diagnostics);

GStrv fore_csv_split (const char *text);
GStrv fore_strv_unique (GPtrArray *words);
gboolean fore_parse_yes_no (const char *text, gboolean *value);
gboolean fore_parse_count (const char *text, guint maximum, guint *value);
char *fore_key_fold (const char *key);
gboolean fore_key_equal (const char *a, const char *b);
gboolean fore_library_name_is_valid (const char *name);
char *fore_library_name_from_path (const char *path, const char *suffix);

G_END_DECLS
