/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "git-fixture.h"
#include "model/fore-error.h"
#include "platform/fore-lock.h"

static guint
count_branches (GitFixture *fixture)
{
  g_auto (GStrv) names = fore_repository_list_branches (fixture->repository, "foredeck", NULL);

  return g_strv_length (names);
}

static guint
count_worktrees (GitFixture *fixture)
{
  g_autoptr (GPtrArray) list = fore_repository_list_worktrees (fixture->repository, NULL);

  return list->len;
}

static void
test_add_with_slashes (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *head = git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL);
  g_autofree char *tree_head = git_fixture_run (worktree->path, "rev-parse", "HEAD", NULL);
  g_autofree char *branch = git_fixture_run (worktree->path, "symbolic-ref", "--short", "HEAD",
                                             NULL);
  g_autofree char *status = git_fixture_run (worktree->path, "status", "--porcelain", "--ignored",
                                             NULL);

  g_assert_cmpstr (worktree->name, ==, "foredeck-run1-one");
  g_assert_cmpstr (worktree->branch, ==, "foredeck/run1/one");
  g_assert_cmpstr (branch, ==, "foredeck/run1/one");
  g_assert_cmpstr (tree_head, ==, head);
  g_assert_cmpstr (status, ==, "");
  g_assert_true (worktree->valid);
  g_assert_true (fore_repository_validate_worktree (fixture->repository, worktree, &error));
  g_assert_no_error (error);
  g_assert_true (git_fixture_exists (worktree->path, "dir/kept.txt"));
}

static void
assert_nothing_made (GitFixture *fixture)
{
  g_autofree char *list = git_fixture_run (fixture->main, "worktree", "list", "--porcelain", NULL);

  g_assert_cmpuint (count_branches (fixture), ==, 0);
  g_assert_cmpuint (count_worktrees (fixture), ==, 0);
  g_assert_null (strstr (list, "foredeck"));
  g_assert_false (git_fixture_exists (fixture->root, "trees"));
}

static void
test_add_unborn (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->root, "empty", NULL);
  g_autofree char *tree = g_build_filename (fixture->root, "trees/one", NULL);
  g_autoptr (ForeRepository) empty = fore_repository_create (path, "main", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeWorktree) worktree = fore_repository_add_worktree (empty, "foredeck/run1/one",
                                                                    NULL, tree, &error);

  g_assert_null (worktree);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
  g_assert_nonnull (strstr (error->message, "no commit yet"));
  g_assert_false (git_fixture_exists (path, ".git/worktrees/foredeck-run1-one"));
  assert_nothing_made (fixture);
}

static void
expect_add_refused (GitFixture *fixture, const char *branch, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeWorktree) worktree = fore_repository_add_worktree (fixture->repository, branch,
                                                                    NULL, path, &error);

  g_assert_null (worktree);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
}

static void
test_add_taken_branch (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->root, "trees/deep/one", NULL);
  g_autofree char *branch = git_fixture_run (fixture->main, "branch", "foredeck/run1/one", NULL);

  expect_add_refused (fixture, "foredeck/run1/one", path);
  expect_add_refused (fixture, "foredeck/run1/one/two", path);
  g_assert_cmpuint (count_branches (fixture), ==, 1);
  g_assert_cmpuint (count_worktrees (fixture), ==, 0);
  g_assert_false (git_fixture_exists (fixture->root, "trees"));
}

static void
test_add_taken_folder (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->root, "mine", NULL);
  g_autofree char *text = NULL;

  git_fixture_write (path, "work.txt", "mine\n");
  expect_add_refused (fixture, "foredeck/run1/one", path);
  text = git_fixture_read (path, "work.txt");
  g_assert_cmpstr (text, ==, "mine\n");
  assert_nothing_made (fixture);
}

static void
test_add_failed_checkout (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->root, "trees/one", NULL);
  g_autofree char *blob = git_fixture_run (fixture->main, "rev-parse", "HEAD:file.txt", NULL);
  g_autofree char *object = g_strdup_printf (".git/objects/%.2s/%s", blob, blob + 2);
  g_autofree char *full = g_build_filename (fixture->main, object, NULL);
  g_autofree char *away = g_build_filename (fixture->root, "away", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeWorktree) worktree = NULL;

  g_assert_cmpint (g_rename (full, away), ==, 0);
  worktree = fore_repository_add_worktree (fixture->repository, "foredeck/run1/one", NULL, path,
                                           &error);
  g_assert_null (worktree);
  g_assert_nonnull (error);
  assert_nothing_made (fixture);
  g_assert_cmpint (g_rename (away, full), ==, 0);
}

static void
test_add_foreign_names (GitFixture *fixture, gconstpointer data)
{
  static const char *const names[]
      = { "main",          "foredeck",     "foredeck/",       "foredeck/../x",
          "foredeck/a..b", "foredeck/a b", "foredeck/x.lock", "refs/heads/foredeck/x",
          "foredeck-/x",   "foredeckx/y",  "foredeck/-\n" };
  g_autofree char *path = g_build_filename (fixture->root, "trees/one", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    expect_add_refused (fixture, names[i], path);

  assert_nothing_made (fixture);
  g_assert_true (fore_branch_name_is_ours ("foredeck-2/run1/x"));
}

typedef struct
{
  GitFixture *fixture;
  guint number;
  gboolean made;
} AddThread;

static gpointer
add_in_thread (gpointer data)
{
  AddThread *thread = data;
  g_autofree char *task = g_strdup_printf ("t%u", thread->number);
  g_autoptr (ForeWorktree) worktree = git_fixture_add (thread->fixture, task, NULL);

  thread->made = worktree->valid;
  return NULL;
}

static void
test_add_parallel (GitFixture *fixture, gconstpointer data)
{
  AddThread threads[24];
  GThread *handles[24];
  g_autofree char *list = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      threads[i] = (AddThread){ fixture, i, FALSE };
      handles[i] = g_thread_new ("add", add_in_thread, &threads[i]);
    }

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_thread_join (handles[i]);
      g_assert_true (threads[i].made);
    }

  list = git_fixture_run (fixture->main, "worktree", "list", NULL);
  g_assert_cmpuint (count_worktrees (fixture), ==, 24);
  g_assert_cmpuint (count_branches (fixture), ==, 24);
  g_assert_null (strstr (list, "prunable"));
}

static void
test_busy_names_holder (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *lock = g_build_filename (fixture->main, ".git/foredeck.lock", NULL);
  g_autofree char *path = g_build_filename (fixture->root, "trees/one", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeLock) held = fore_lock_try (lock, TRUE, "run abcdefgh", &error);
  g_autoptr (ForeWorktree) worktree = NULL;

  g_assert_no_error (error);
  fore_repository_set_lock_wait (fixture->repository, 50);
  worktree = fore_repository_add_worktree (fixture->repository, "foredeck/run1/one", NULL, path,
                                           &error);
  g_assert_null (worktree);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_BUSY);
  g_assert_nonnull (strstr (error->message, "run abcdefgh"));
  assert_nothing_made (fixture);
}

static void
test_lock_and_prune (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_autofree char *aside = g_strconcat (worktree->path, ".aside", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) list = NULL;
  guint n = 9;

  g_assert_true (
      fore_repository_lock_worktree (fixture->repository, worktree->name, "run run1", &error));
  g_assert_no_error (error);
  g_assert_false (
      fore_repository_lock_worktree (fixture->repository, worktree->name, "again", &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_BUSY);
  g_clear_error (&error);
  list = fore_repository_list_worktrees (fixture->repository, NULL);
  g_assert_cmpstr (((ForeWorktree *) list->pdata[0])->lock_reason, ==, "run run1");

  g_assert_cmpint (g_rename (worktree->path, aside), ==, 0);
  g_assert_true (fore_repository_prune_worktrees (fixture->repository, &n, &error));
  g_assert_cmpuint (n, ==, 0);
  g_assert_true (fore_repository_unlock_worktree (fixture->repository, worktree->name, &error));
  g_assert_true (fore_repository_prune_worktrees (fixture->repository, &n, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (count_worktrees (fixture), ==, 0);
  g_assert_cmpuint (count_branches (fixture), ==, 1);
}

static void
test_prune_keeps_detached_commit (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_autofree char *aside = g_strconcat (worktree->path, ".aside", NULL);
  g_autofree char *detach = git_fixture_run (worktree->path, "checkout", "-q", "--detach", NULL);
  g_autofree char *made = git_fixture_run (worktree->path, "commit", "-q", "--allow-empty", "-m",
                                           "alone", NULL);
  g_autofree char *commit = git_fixture_run (worktree->path, "rev-parse", "HEAD", NULL);
  g_autofree char *kept = NULL;

  g_assert_cmpint (g_rename (worktree->path, aside), ==, 0);
  g_assert_true (fore_repository_prune_worktrees (fixture->repository, NULL, NULL));
  kept = git_fixture_run (fixture->main, "for-each-ref", "--format=%(objectname)",
                          "refs/foredeck/rescue/pruned", NULL);
  g_assert_cmpstr (kept, ==, commit);
}

static void
test_remove_rescues (GitFixture *fixture, gconstpointer data)
{
  static const char *const keep[] = { ".env", NULL };
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_auto (GStrv) refs = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *first = NULL, *lost = NULL, *moved = NULL, *second = NULL, *files = NULL;
  g_autofree char *kept = NULL;

  git_fixture_write (worktree->path, ".gitignore", ".env\nbuild\n");
  git_fixture_write (worktree->path, ".env", "SECRET=1\n");
  git_fixture_write (worktree->path, "build/out.o", "object\n");
  git_fixture_write (worktree->path, "new file.txt", "untracked\n");
  git_fixture_edit_line (worktree->path, "file.txt", 1, "uncommitted");
  moved = git_fixture_run (worktree->path, "checkout", "-q", "--detach", NULL);
  first = git_fixture_run (worktree->path, "commit", "-q", "--allow-empty", "-m", "lost", NULL);
  lost = git_fixture_run (worktree->path, "rev-parse", "HEAD", NULL);
  second = git_fixture_run (worktree->path, "reset", "-q", "--soft", "HEAD~1", NULL);

  g_assert_true (fore_repository_remove_worktree (fixture->repository, worktree, "run1/one", keep,
                                                  &refs, &error));
  g_assert_no_error (error);
  g_assert_false (git_fixture_exists (worktree->path, ""));
  g_assert_cmpuint (count_worktrees (fixture), ==, 0);
  g_assert_cmpuint (count_branches (fixture), ==, 1);
  g_assert_cmpuint (g_strv_length (refs), ==, 2);
  files = git_fixture_run (fixture->main, "ls-tree", "-r", "--name-only", refs[0], NULL);
  g_assert_cmpstr (files, ==, ".env\n.gitignore\ndir/kept.txt\nfile.txt\nnew file.txt");
  kept = git_fixture_run (fixture->main, "rev-parse", refs[1], NULL);
  g_assert_cmpstr (kept, ==, lost);
  g_assert_true (g_str_has_prefix (refs[0], "refs/foredeck/rescue/run1/one/"));
}

static void
test_remove_clean_leaves_no_ref (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_auto (GStrv) refs = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (fore_repository_remove_worktree (fixture->repository, worktree, "run1/one", NULL,
                                                  &refs, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (refs), ==, 0);
  g_assert_true (fore_repository_delete_branch (fixture->repository, "foredeck/run1/one", &error));
  g_assert_no_error (error);
  g_assert_cmpuint (count_branches (fixture), ==, 0);
}

static void
test_remove_refuses_foreign_folder (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_autofree char *aside = g_strconcat (worktree->path, ".aside", NULL);
  g_autofree char *precious = g_build_filename (fixture->root, "precious", NULL);
  g_autoptr (GError) error = NULL;

  git_fixture_write (precious, "thesis.txt", "years\n");
  g_assert_cmpint (g_rename (worktree->path, aside), ==, 0);
  g_assert_cmpint (symlink (precious, worktree->path), ==, 0);
  g_assert_false (fore_repository_remove_worktree (fixture->repository, worktree, "run1/one", NULL,
                                                   NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
  g_clear_error (&error);
  g_assert_true (git_fixture_exists (precious, "thesis.txt"));

  g_assert_cmpint (g_unlink (worktree->path), ==, 0);
  git_fixture_write (worktree->path, "other.txt", "not ours\n");
  g_assert_false (fore_repository_remove_worktree (fixture->repository, worktree, "run1/one", NULL,
                                                   NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
  g_assert_true (git_fixture_exists (worktree->path, "other.txt"));
}

static void
test_remove_keeps_what_links_point_to (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_autofree char *precious = g_build_filename (fixture->root, "precious", NULL);
  g_autofree char *link = g_build_filename (worktree->path, "shared", NULL);
  g_autofree char *locked = g_build_filename (worktree->path, "cache", NULL);
  g_autoptr (GError) error = NULL;

  git_fixture_write (precious, "thesis.txt", "years\n");
  g_assert_cmpint (symlink (precious, link), ==, 0);
  git_fixture_write (worktree->path, "cache/module.txt", "read-only\n");
  g_assert_cmpint (g_chmod (locked, 0555), ==, 0);
  g_assert_true (fore_repository_remove_worktree (fixture->repository, worktree, "run1/one", NULL,
                                                  NULL, &error));
  g_assert_no_error (error);
  g_assert_false (git_fixture_exists (worktree->path, ""));
  g_assert_true (git_fixture_exists (precious, "thesis.txt"));
}

static void
test_remove_refuses_locked (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (
      fore_repository_lock_worktree (fixture->repository, worktree->name, "agent works", NULL));
  g_assert_false (fore_repository_remove_worktree (fixture->repository, worktree, "run1/one", NULL,
                                                   NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_BUSY);
  g_assert_nonnull (strstr (error->message, "agent works"));
  g_assert_true (git_fixture_exists (worktree->path, "file.txt"));
}

static void
test_delete_branch_keeps_commits (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *base = git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL);
  g_autofree char *commit = git_fixture_task (fixture, "one", base, "file.txt", 1, "one");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) list = NULL;
  g_autofree char *kept = NULL;

  g_assert_false (fore_repository_delete_branch (fixture->repository, "foredeck/run1/one", &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
  g_clear_error (&error);
  g_assert_false (fore_repository_delete_branch (fixture->repository, "main", &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
  g_clear_error (&error);

  list = fore_repository_list_worktrees (fixture->repository, NULL);
  g_assert_true (fore_repository_remove_worktree (fixture->repository, list->pdata[0], "run1/one",
                                                  NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (fore_repository_delete_branch (fixture->repository, "foredeck/run1/one", &error));
  g_assert_no_error (error);
  kept = git_fixture_run (fixture->main, "rev-parse",
                          "refs/foredeck/rescue/branch/foredeck/run1/one/1", NULL);
  g_assert_cmpstr (kept, ==, commit);
}

static void
test_tampered_entry_refused (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_autofree char *other_path = g_build_filename (fixture->root, "other", NULL);
  g_autoptr (ForeRepository) other = fore_repository_create (other_path, "main", NULL);
  g_autofree char *other_git = g_build_filename (other_path, ".git\n", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeRepository) tree = NULL;

  git_fixture_write (worktree->path, ".git", "gitdir: /nonexistent\n");
  tree = fore_repository_open_tree (worktree->git_dir, worktree->path, &error);
  g_assert_no_error (error);
  g_assert_nonnull (tree);
  g_clear_object (&tree);

  git_fixture_write (worktree->git_dir, "commondir", other_git);
  tree = fore_repository_open_tree (worktree->git_dir, worktree->path, &error);
  g_assert_null (tree);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
  git_fixture_write (worktree->git_dir, "commondir", "../..\n");
}

int
main (int argc, char **argv)
{
  git_test_init (&argc, &argv);

  git_test_add ("/git/worktree/add-with-slashes", test_add_with_slashes);
  git_test_add ("/git/worktree/add-unborn", test_add_unborn);
  git_test_add ("/git/worktree/add-taken-branch", test_add_taken_branch);
  git_test_add ("/git/worktree/add-taken-folder", test_add_taken_folder);
  git_test_add ("/git/worktree/add-failed-checkout", test_add_failed_checkout);
  git_test_add ("/git/worktree/add-foreign-names", test_add_foreign_names);
  git_test_add ("/git/worktree/add-parallel", test_add_parallel);
  git_test_add ("/git/worktree/busy-names-holder", test_busy_names_holder);
  git_test_add ("/git/worktree/lock-and-prune", test_lock_and_prune);
  git_test_add ("/git/worktree/prune-keeps-detached-commit", test_prune_keeps_detached_commit);
  git_test_add ("/git/worktree/remove-rescues", test_remove_rescues);
  git_test_add ("/git/worktree/remove-clean-leaves-no-ref", test_remove_clean_leaves_no_ref);
  git_test_add ("/git/worktree/remove-refuses-foreign-folder", test_remove_refuses_foreign_folder);
  git_test_add ("/git/worktree/remove-keeps-link-targets", test_remove_keeps_what_links_point_to);
  git_test_add ("/git/worktree/remove-refuses-locked", test_remove_refuses_locked);
  git_test_add ("/git/worktree/delete-branch-keeps-commits", test_delete_branch_keeps_commits);
  git_test_add ("/git/worktree/tampered-entry-refused", test_tampered_entry_refused);

  return git_test_run ();
}
