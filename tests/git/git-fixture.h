/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>
#include <sys/resource.h>

#include "git/fore-repository.h"

G_BEGIN_DECLS

/* A real repository in a temporary folder, with one commit on main: file.txt of nine lines and
 * dir/kept.txt. The git program makes odd states and checks what was made.
 */
typedef struct
{
  char *root; /* holds everything, removed at the end */
  char *main; /* the work folder */
  ForeRepository *repository;
} GitFixture;

void git_test_init (int *argc, char ***argv);
int git_test_run (void);

void git_fixture_set_up (GitFixture *fixture, gconstpointer data);
void git_fixture_tear_down (GitFixture *fixture, gconstpointer data);

char *git_fixture_run (const char *dir, const char *first, ...) G_GNUC_NULL_TERMINATED;
gboolean git_fixture_try (const char *dir, const char *first, ...) G_GNUC_NULL_TERMINATED;
void git_fixture_write (const char *dir, const char *path, const char *text);
char *git_fixture_read (const char *dir, const char *path);
gboolean git_fixture_exists (const char *dir, const char *path);
void git_fixture_edit_line (const char *dir, const char *path, guint line, const char *text);
ForeWorktree *git_fixture_add (GitFixture *fixture, const char *task, const char *start);
ForeTreeCommit *git_fixture_commit (GitFixture *fixture, ForeWorktree *worktree, const char *base);
char *git_fixture_task (GitFixture *fixture,
                        const char *task,
                        const char *start,
                        const char *path,
                        guint line,
                        const char *text);
rlim_t git_test_limit (int resource, rlim_t limit);
rlim_t git_test_find_next_file (void);
ForeFileChange *git_fixture_find (GPtrArray *changes, const char *path);

#define git_test_add(path, function)                                                               \
  g_test_add (path, GitFixture, NULL, git_fixture_set_up, function, git_fixture_tear_down)

G_END_DECLS
