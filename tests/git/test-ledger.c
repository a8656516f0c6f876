/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "git-fixture.h"
#include "model/fore-error.h"

static ForeTreeReport *
inspect (GitFixture *fixture, const ForeWorktree *worktree)
{
  g_autoptr (GError) error = NULL;
  ForeTreeReport *report = fore_repository_inspect_worktree (fixture->repository, worktree, &error);

  g_assert_no_error (error);
  return report;
}

static ForeIgnoredFate
find_fate (const ForeTreeReport *report, const char *path)
{
  for (guint i = 0; i < report->ignored->len; i++)
    {
      const ForeIgnored *ignored = g_ptr_array_index (report->ignored, i);

      if (g_str_equal (ignored->path, path))
        return ignored->fate;
    }

  g_assert_not_reached ();
}

static char **
retire (GitFixture *fixture, const ForeWorktree *worktree)
{
  g_autoptr (GError) error = NULL;
  char **refs = NULL;

  g_assert_true (fore_repository_retire_worktree (fixture->repository, worktree, "run1/one", FALSE,
                                                  &refs, &error));
  g_assert_no_error (error);
  g_assert_false (git_fixture_exists (worktree->path, ""));
  return refs;
}

static void
assert_refused (GitFixture *fixture, const ForeWorktree *worktree, int code, const char *word)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *before = git_fixture_run (fixture->main, "for-each-ref", NULL);
  g_autofree char *after = NULL;

  g_assert_false (fore_repository_retire_worktree (fixture->repository, worktree, "run1/one", FALSE,
                                                   NULL, &error));
  g_assert_error (error, FORE_ERROR, code);
  g_assert_nonnull (strstr (error->message, word));
  g_assert_true (git_fixture_exists (worktree->path, "file.txt"));
  after = git_fixture_run (fixture->main, "for-each-ref", NULL);
  g_assert_cmpstr (after, ==, before);
}

static char *
show (GitFixture *fixture, const char *ref, const char *path)
{
  g_autofree char *object = g_strdup_printf ("%s:%s", ref, path);

  return git_fixture_run (fixture->main, "show", object, NULL);
}

static void
test_inspect_changes_nothing (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_autoptr (ForeTreeReport) report = NULL;
  g_autofree char *kept = g_build_filename (worktree->path, "dir", "kept.txt", NULL);
  g_autofree char *objects = NULL, *after = NULL, *status = NULL, *status_after = NULL;

  git_fixture_write (worktree->path, "new.txt", "new\n");
  git_fixture_edit_line (worktree->path, "file.txt", 1, "edited");
  g_assert_cmpint (unlink (kept), ==, 0);
  objects = git_fixture_run (fixture->main, "count-objects", NULL);
  status = git_fixture_run (worktree->path, "status", "--porcelain", NULL);
  report = inspect (fixture, worktree);
  g_assert_true (fore_tree_report_is_safe (report));
  g_assert_true (report->exists);
  g_assert_cmpuint (report->n_files, ==, 3);
  g_assert_cmpuint (report->n_commits, ==, 0);
  after = git_fixture_run (fixture->main, "count-objects", NULL);
  status_after = git_fixture_run (worktree->path, "status", "--porcelain", NULL);
  g_assert_cmpstr (after, ==, objects);
  g_assert_cmpstr (status_after, ==, status);
}

/* Whatever nobody can make again is kept, without anyone having named it. */
static void
test_ignored_is_kept (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_autoptr (ForeTreeReport) report = NULL;
  g_auto (GStrv) refs = NULL;
  g_autofree char *notes = NULL, *files = NULL;

  git_fixture_write (fixture->main, ".env", "SECRET=1\n");
  git_fixture_write (worktree->path, ".gitignore", ".env\nnotes\nnode_modules\nown.log\n");
  git_fixture_write (worktree->path, ".env", "SECRET=1\n");
  git_fixture_write (worktree->path, "notes/deep/today.md", "found it\n");
  git_fixture_write (worktree->path, "node_modules/left-pad/index.js", "pad\n");
  git_fixture_write (worktree->path, "own.log", "a line\n");
  report = inspect (fixture, worktree);
  g_assert_cmpuint (report->ignored->len, ==, 4);
  g_assert_cmpint (find_fate (report, ".env"), ==, FORE_IGNORED_SAME);
  g_assert_cmpint (find_fate (report, "notes"), ==, FORE_IGNORED_KEPT);
  g_assert_cmpint (find_fate (report, "own.log"), ==, FORE_IGNORED_KEPT);
  g_assert_cmpint (find_fate (report, "node_modules"), ==, FORE_IGNORED_REMADE);

  refs = retire (fixture, worktree);
  g_assert_cmpuint (g_strv_length (refs), ==, 1);
  notes = show (fixture, refs[0], "notes/deep/today.md");
  g_assert_cmpstr (notes, ==, "found it");
  files = git_fixture_run (fixture->main, "ls-tree", "-r", "--name-only", refs[0], NULL);
  g_assert_cmpstr (files, ==, ".gitignore\ndir/kept.txt\nfile.txt\nnotes/deep/today.md\nown.log");
}

/* The person's file of the same name is another one: then the agent's is worth keeping. */
static void
test_ignored_and_changed_is_kept (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_autoptr (ForeTreeReport) report = NULL;

  git_fixture_write (fixture->main, ".env", "SECRET=1\n");
  git_fixture_write (worktree->path, ".gitignore", ".env\n");
  git_fixture_write (worktree->path, ".env", "SECRET=2\n");
  report = inspect (fixture, worktree);
  g_assert_cmpint (find_fate (report, ".env"), ==, FORE_IGNORED_KEPT);
}

static void
test_too_large_stays (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_autofree char *path = g_build_filename (worktree->path, "data.bin", NULL);
  g_auto (GStrv) refs = NULL;
  g_autoptr (GError) error = NULL;

  git_fixture_write (worktree->path, ".gitignore", "data.bin\n");
  git_fixture_write (worktree->path, "data.bin", "");
  g_assert_cmpint (truncate (path, 20 * 1024 * 1024), ==, 0);
  assert_refused (fixture, worktree, FORE_ERROR_REFUSED, "data.bin");
  g_assert_true (fore_repository_retire_worktree (fixture->repository, worktree, "run1/one", TRUE,
                                                  &refs, &error));
  g_assert_no_error (error);
}

static void
test_nested_repository_stays (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_autofree char *inner = g_build_filename (worktree->path, "vendor/lib", NULL);
  g_autofree char *hidden = g_build_filename (worktree->path, "scratch/clone", NULL);
  g_autofree char *made = git_fixture_run (fixture->main, "init", "-q", inner, NULL);
  g_autofree char *done = NULL, *hidden_made = NULL;

  git_fixture_write (inner, "lib.c", "int lib;\n");
  done = git_fixture_run (inner, "commit", "-q", "--allow-empty", "-m", "only here", NULL);
  assert_refused (fixture, worktree, FORE_ERROR_REFUSED, "vendor/lib");
  fore_repository_retire_worktree (fixture->repository, worktree, "run1/one", TRUE, NULL, NULL);
  g_clear_pointer (&worktree, fore_worktree_free);

  worktree = git_fixture_add (fixture, "two", NULL);
  g_free (hidden);
  hidden = g_build_filename (worktree->path, "scratch/clone", NULL);
  git_fixture_write (worktree->path, ".gitignore", "scratch\n");
  hidden_made = git_fixture_run (fixture->main, "init", "-q", hidden, NULL);
  assert_refused (fixture, worktree, FORE_ERROR_REFUSED, "scratch");
}

static void
test_submodule_with_work_stays (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->root, "other", NULL);
  g_autofree char *init = NULL, *first = NULL, *add = NULL, *commit = NULL, *update = NULL;
  g_autofree char *work = NULL, *module = NULL, *push = NULL;
  g_autoptr (ForeWorktree) worktree = NULL;
  g_autoptr (ForeTreeReport) report = NULL;
  g_auto (GStrv) refs = NULL;

  init = git_fixture_run (fixture->main, "init", "-q", other, NULL);
  first = git_fixture_run (other, "commit", "-q", "--allow-empty", "-m", "first", NULL);
  add = git_fixture_run (fixture->main, "submodule", "--quiet", "add", other, "sub", NULL);
  commit = git_fixture_run (fixture->main, "commit", "-q", "-m", "submodule", NULL);
  worktree = git_fixture_add (fixture, "one", NULL);
  update = git_fixture_run (worktree->path, "submodule", "--quiet", "update", "--init", NULL);
  report = inspect (fixture, worktree);
  g_assert_true (fore_tree_report_is_safe (report));

  module = g_build_filename (worktree->path, "sub", NULL);
  work = git_fixture_run (module, "commit", "-q", "--allow-empty", "-m", "work", NULL);
  assert_refused (fixture, worktree, FORE_ERROR_REFUSED, "sub");
  push = git_fixture_run (module, "push", "-q", "origin", "HEAD:refs/heads/work", NULL);
  /* What is kept is where it stands. */
  refs = retire (fixture, worktree);
  g_assert_cmpuint (g_strv_length (refs), ==, 1);
}

/* git takes files in the folder of a submodule that is not checked out for the submodule's. */
static void
test_files_of_a_submodule_that_is_not_there_stay (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->root, "other", NULL);
  g_autofree char *init = NULL, *first = NULL, *add = NULL, *commit = NULL;
  g_autoptr (ForeWorktree) worktree = NULL;
  g_autoptr (ForeTreeReport) report = NULL;

  init = git_fixture_run (fixture->main, "init", "-q", other, NULL);
  first = git_fixture_run (other, "commit", "-q", "--allow-empty", "-m", "first", NULL);
  add = git_fixture_run (fixture->main, "submodule", "--quiet", "add", other, "sub", NULL);
  commit = git_fixture_run (fixture->main, "commit", "-q", "-m", "submodule", NULL);
  worktree = git_fixture_add (fixture, "one", NULL);
  report = inspect (fixture, worktree);
  g_assert_true (fore_tree_report_is_safe (report));

  git_fixture_write (worktree->path, "sub/unseen.c", "int x;\n");
  assert_refused (fixture, worktree, FORE_ERROR_REFUSED, "sub");
}

/* Commits that only the entry's own refs, an interrupted merge or the log of HEAD name. */
static void
test_hidden_commits (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_autoptr (ForeTreeReport) report = NULL;
  g_auto (GStrv) refs = NULL;
  g_autofree char *tree = git_fixture_run (worktree->path, "rev-parse", "HEAD^{tree}", NULL);
  g_autofree char *one = git_fixture_run (worktree->path, "commit-tree", "-m", "own ref", tree,
                                          NULL);
  g_autofree char *two = git_fixture_run (worktree->path, "commit-tree", "-m", "to merge", tree,
                                          NULL);
  g_autofree char *line = g_strconcat (two, "\n", NULL);
  g_autofree char *done = git_fixture_run (worktree->path, "update-ref", "refs/worktree/mine", one,
                                           NULL);
  g_autofree char *all = NULL;

  git_fixture_write (worktree->git_dir, "MERGE_HEAD", line);
  report = inspect (fixture, worktree);
  g_assert_cmpuint (report->n_commits, ==, 2);
  refs = retire (fixture, worktree);
  g_assert_cmpuint (g_strv_length (refs), ==, 2);
  all = git_fixture_run (fixture->main, "rev-parse", refs[0], refs[1], NULL);
  g_assert_nonnull (strstr (all, one));
  g_assert_nonnull (strstr (all, two));
}

static void
test_staged_is_kept (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_auto (GStrv) refs = NULL;
  g_autofree char *done = NULL, *staged = NULL, *folder = NULL;

  git_fixture_edit_line (worktree->path, "file.txt", 1, "staged");
  done = git_fixture_run (worktree->path, "add", "-A", NULL);
  git_fixture_edit_line (worktree->path, "file.txt", 1, "in the folder");
  refs = retire (fixture, worktree);
  g_assert_cmpuint (g_strv_length (refs), ==, 2);
  folder = show (fixture, refs[0], "file.txt");
  staged = show (fixture, refs[1], "file.txt");
  g_assert_true (g_str_has_prefix (folder, "in the folder\n"));
  g_assert_true (g_str_has_prefix (staged, "staged\n"));
}

static void
test_lock_of_dead_process (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_autofree char *alive = g_strdup_printf ("agent (pid %d)", (int) getpid ());
  g_auto (GStrv) refs = NULL;

  git_fixture_write (worktree->git_dir, "locked", alive);
  assert_refused (fixture, worktree, FORE_ERROR_REFUSED, "locked");
  git_fixture_write (worktree->git_dir, "locked", "agent (pid 2147483646)");
  refs = retire (fixture, worktree);
  g_assert_cmpuint (g_strv_length (refs), ==, 0);
}

static void
test_list_and_restore (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_autofree char *folder = g_build_filename (fixture->root, "back", NULL);
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) refs = NULL;
  g_autofree char *branch = NULL, *second = NULL, *text = NULL, *made = NULL;
  const ForeRescue *rescue;

  git_fixture_write (worktree->path, "new.txt", "twelve bytes");
  refs = retire (fixture, worktree);
  list = fore_repository_list_rescues (fixture->repository, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (list->len, ==, 1);
  rescue = g_ptr_array_index (list, 0);
  g_assert_cmpstr (rescue->name, ==, "run1/one/1");
  g_assert_cmpuint (rescue->n_files, ==, 1);
  g_assert_cmpuint (rescue->bytes, ==, 12);
  g_assert_cmpint (ABS (g_get_real_time () - rescue->time), <, 60 * G_USEC_PER_SEC);

  branch = fore_repository_restore_rescue (fixture->repository, rescue->name, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (branch, ==, "rescued/run1/one/1");
  text = show (fixture, branch, "new.txt");
  g_assert_cmpstr (text, ==, "twelve bytes");
  second = fore_repository_restore_rescue (fixture->repository, rescue->name, NULL, &error);
  g_assert_cmpstr (second, ==, "rescued/run1/one/1-2");
  g_assert_null (
      fore_repository_restore_rescue (fixture->repository, rescue->name, "main", &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
  g_clear_error (&error);

  g_assert_true (fore_repository_export_rescue (fixture->repository, rescue->name, folder, &error));
  g_assert_no_error (error);
  made = git_fixture_read (folder, "new.txt");
  g_assert_cmpstr (made, ==, "twelve bytes");
  g_assert_false (
      fore_repository_export_rescue (fixture->repository, rescue->name, folder, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
  g_clear_error (&error);

  g_assert_false (fore_repository_drop_rescue (fixture->repository, rescue->name,
                                               "0000000000000000000000000000000000000001", &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_STALE);
  g_clear_error (&error);
  g_assert_true (
      fore_repository_drop_rescue (fixture->repository, rescue->name, rescue->commit, &error));
  g_assert_no_error (error);
  none = fore_repository_list_rescues (fixture->repository, "run1/", &error);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_null (fore_repository_restore_rescue (fixture->repository, "run1/one/1", NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
}

/* A creation that was cut short is undone; a folder that happens to be there is not ours. */
static void
test_undo_leaves_foreign_folder (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->root, "trees", "one", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *branch = git_fixture_run (fixture->main, "branch", "foredeck/run1/one", NULL);
  g_autofree char *left = NULL;

  git_fixture_write (path, "thesis.txt", "years\n");
  g_assert_false (
      fore_repository_undo_add_worktree (fixture->repository, "foredeck/run1/one", path, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
  g_assert_true (git_fixture_exists (path, "thesis.txt"));
  left = git_fixture_run (fixture->main, "branch", "--list", "foredeck/*", NULL);
  g_assert_cmpstr (left, !=, "");
}

static void
test_undo_keeps_commits (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *commit = git_fixture_run (worktree->path, "commit", "-q", "--allow-empty", "-m",
                                             "by hand", NULL);
  g_autofree char *id = git_fixture_run (worktree->path, "rev-parse", "HEAD", NULL);
  g_autofree char *kept = NULL;

  g_assert_true (fore_repository_undo_add_worktree (fixture->repository, "foredeck/run1/one",
                                                    worktree->path, &error));
  g_assert_no_error (error);
  g_assert_false (git_fixture_exists (worktree->path, ""));
  kept = git_fixture_run (fixture->main, "for-each-ref", "--format=%(objectname)",
                          "refs/foredeck/rescue", NULL);
  g_assert_cmpstr (kept, ==, id);
}

int
main (int argc, char **argv)
{
  git_test_init (&argc, &argv);
  git_test_add ("/git/ledger/inspect-changes-nothing", test_inspect_changes_nothing);
  git_test_add ("/git/ledger/ignored-is-kept", test_ignored_is_kept);
  git_test_add ("/git/ledger/ignored-and-changed-is-kept", test_ignored_and_changed_is_kept);
  git_test_add ("/git/ledger/too-large-stays", test_too_large_stays);
  git_test_add ("/git/ledger/nested-repository-stays", test_nested_repository_stays);
  git_test_add ("/git/ledger/submodule-with-work-stays", test_submodule_with_work_stays);
  git_test_add ("/git/ledger/files-of-a-submodule-that-is-not-there-stay",
                test_files_of_a_submodule_that_is_not_there_stay);
  git_test_add ("/git/ledger/hidden-commits", test_hidden_commits);
  git_test_add ("/git/ledger/staged-is-kept", test_staged_is_kept);
  git_test_add ("/git/ledger/lock-of-dead-process", test_lock_of_dead_process);
  git_test_add ("/git/ledger/list-and-restore", test_list_and_restore);
  git_test_add ("/git/ledger/undo-leaves-foreign-folder", test_undo_leaves_foreign_folder);
  git_test_add ("/git/ledger/undo-keeps-commits", test_undo_keeps_commits);
  return git_test_run ();
}
