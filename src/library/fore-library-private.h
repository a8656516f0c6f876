/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "library/fore-library.h"

G_BEGIN_DECLS

typedef enum
{
  FORE_KIND_AGENT,
  FORE_KIND_TEAM,
  FORE_KIND_WORKFLOW,
  FORE_KIND_SKILL,
  FORE_N_KINDS
} ForeLibraryKind;

ForeLibraryKind fore_library_guess_kind (const char *path, const char *text);

/* How every object of the library starts. */
typedef struct
{
  ForeSource source;
  char *name;
} ForeLibraryObject;

struct _ForeLibrary
{
  GHashTable *by_name[FORE_N_KINDS];
  GPtrArray *sorted[FORE_N_KINDS];
  GPtrArray *diagnostics;
  GArray *looks; /* what of the disk it was made of */
  gboolean untrusted;
};

GArray *fore_library_looks_new (void);
void fore_library_look (ForeLibrary *self, const char *path, gboolean follow_links);
ForeLibrary *fore_library_cache_find (const char *key);
void fore_library_cache_keep (const char *key, ForeLibrary *library);

const char *fore_library_kind_to_string (ForeLibraryKind kind);
gboolean fore_library_kind_from_string (const char *text, ForeLibraryKind *kind);

void fore_library_load_folder (ForeLibrary *self,
                               ForeLibraryKind kind,
                               const char *dir,
                               ForeLibraryLayer layer);
const char *fore_library_get_home (void);
void fore_library_load_home (ForeLibrary *self);
void fore_library_load_project (ForeLibrary *self, const char *project_dir, gboolean trusted);
void fore_library_check (ForeLibrary *self);
void fore_library_check_object (ForeLibrary *self,
                                ForeLibraryKind kind,
                                gpointer object,
                                GPtrArray *diagnostics);
gpointer fore_library_kind_parse (ForeLibraryKind kind,
                                  const char *text,
                                  gsize length,
                                  const char *path,
                                  ForeLibraryLayer layer,
                                  GPtrArray *diagnostics);
void fore_library_kind_unref (ForeLibraryKind kind, gpointer object);

G_END_DECLS
