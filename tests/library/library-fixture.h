/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

#include "library/fore-diagnostic.h"

G_BEGIN_DECLS

/* A folder of its own for every test: `user` and `project` lie in it. */
typedef struct
{
  char *dir;
  char *user;
  char *project;
} LibraryFixture;

void library_fixture_set_up (LibraryFixture *fixture, gconstpointer data);
void library_fixture_tear_down (LibraryFixture *fixture, gconstpointer data);
char *library_fixture_write (const char *dir, const char *name, const char *text, gssize length);

char *dup_diagnostics (GPtrArray *diagnostics);
const ForeDiagnostic *find_diagnostic (GPtrArray *diagnostics, const char *part);
void
assert_says (GPtrArray *diagnostics, ForeDiagnosticSeverity severity, guint line, const char *part);
void assert_silent (GPtrArray *diagnostics);

#define library_test(path, function)                                                               \
  g_test_add (path, LibraryFixture, NULL, library_fixture_set_up, function,                        \
              library_fixture_tear_down)

G_END_DECLS
