/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "git-fixture.h"
#include "model/fore-error.h"

typedef struct
{
  char *base;   /* where main stands */
  char *result; /* the work of one task: line 1 of file.txt, and new.txt */
} Work;

static void
work_clear (Work *work)
{
  g_free (work->base);
  g_free (work->result);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static Work
do_work (GitFixture *fixture)
{
  Work work = { git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL), NULL };
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", work.base);
  g_autoptr (ForeTreeCommit) commit = NULL;

  git_fixture_edit_line (worktree->path, "file.txt", 1, "one");
  git_fixture_write (worktree->path, "new.txt", "new\n");
  commit = git_fixture_commit (fixture, worktree, work.base);
  work.result = g_strdup (commit->commit);
  return work;
}

static void
advance_main (GitFixture *fixture, const char *path, guint line)
{
  g_autofree char *done = NULL;

  git_fixture_edit_line (fixture->main, path, line, "by the person");
  done = git_fixture_run (fixture->main, "commit", "-qam", "by the person", NULL);
}

static ForeMergeResult *
merge_into (GitFixture *fixture, const Work *work, ForeMergeMode mode, gboolean dry, GError **error)
{
  g_autofree char *tip = git_fixture_run (fixture->main, "rev-parse", "main", NULL);

  return fore_repository_merge_into (fixture->repository, "main", tip, work->result, mode,
                                     "Merge of run1\n", dry, error);
}

static char *
get_tip (GitFixture *fixture)
{
  return git_fixture_run (fixture->main, "rev-parse", "main", NULL);
}

static char *
get_status (GitFixture *fixture)
{
  return git_fixture_run (fixture->main, "status", "--porcelain", NULL);
}

static void
assert_files (GitFixture *fixture, const char *file, const char *new_file)
{
  g_autofree char *text = git_fixture_read (fixture->main, "file.txt");
  g_autofree char *new_text = git_fixture_read (fixture->main, "new.txt");

  g_assert_cmpstr (text, ==, file);
  g_assert_cmpstr (new_text, ==, new_file);
}

static void
test_fast_forward (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeMergeResult) result = merge_into (fixture, &work, FORE_MERGE_FAST_FORWARD, FALSE,
                                                   &error);
  g_autoptr (ForeMergeResult) again = NULL;
  g_autofree char *tip = NULL, *status = NULL, *reflog = NULL;

  g_assert_no_error (error);
  tip = get_tip (fixture);
  status = get_status (fixture);
  g_assert_cmpstr (result->commit, ==, work.result);
  g_assert_cmpstr (tip, ==, work.result);
  g_assert_cmpstr (status, ==, "");
  assert_files (fixture, "one\n2\n3\n4\n5\n6\n7\n8\n9\n", "new\n");
  reflog = git_fixture_run (fixture->main, "reflog", "-1", "HEAD", NULL);
  g_assert_nonnull (strstr (reflog, "foredeck: ff"));

  again = merge_into (fixture, &work, FORE_MERGE_COMMIT, FALSE, &error);
  g_assert_no_error (error);
  g_assert_true (again->up_to_date);
  g_assert_cmpstr (again->commit, ==, work.result);
}

static void
test_fast_forward_impossible (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeMergeResult) result = NULL;

  advance_main (fixture, "dir/kept.txt", 1);
  result = merge_into (fixture, &work, FORE_MERGE_FAST_FORWARD, FALSE, &error);
  g_assert_null (result);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
}

static void
test_merge (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeMergeResult) result = NULL;
  g_autofree char *parents = NULL, *expected = NULL, *before = NULL, *status = NULL;

  advance_main (fixture, "file.txt", 9);
  before = get_tip (fixture);
  result = merge_into (fixture, &work, FORE_MERGE_COMMIT, FALSE, &error);
  g_assert_no_error (error);
  parents = git_fixture_run (fixture->main, "log", "-1", "--format=%P %s", "main", NULL);
  expected = g_strdup_printf ("%s %s Merge of run1", before, work.result);
  status = get_status (fixture);
  g_assert_cmpstr (parents, ==, expected);
  g_assert_cmpstr (status, ==, "");
  assert_files (fixture, "one\n2\n3\n4\n5\n6\n7\n8\nby the person\n", "new\n");
}

static void
test_squash (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeMergeResult) result = merge_into (fixture, &work, FORE_MERGE_SQUASH, FALSE,
                                                   &error);
  g_autofree char *parents = NULL, *status = NULL;

  g_assert_no_error (error);
  parents = git_fixture_run (fixture->main, "log", "-1", "--format=%P", "main", NULL);
  status = get_status (fixture);
  g_assert_cmpstr (parents, ==, work.base);
  g_assert_cmpstr (result->commit, !=, work.result);
  g_assert_cmpstr (status, ==, "");
  assert_files (fixture, "one\n2\n3\n4\n5\n6\n7\n8\n9\n", "new\n");
}

static void
test_dirty_elsewhere_stays (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeMergeResult) result = NULL;
  g_autofree char *staged = NULL, *status = NULL;

  git_fixture_edit_line (fixture->main, "dir/kept.txt", 1, "my edit");
  git_fixture_write (fixture->main, "notes.txt", "my notes\n");
  git_fixture_write (fixture->main, "staged.txt", "staged\n");
  staged = git_fixture_run (fixture->main, "add", "staged.txt", NULL);
  result = merge_into (fixture, &work, FORE_MERGE_COMMIT, FALSE, &error);
  g_assert_no_error (error);
  g_assert_true (result->clean);
  status = git_fixture_run (fixture->main, "-c", "core.quotePath=false", "status", "--porcelain",
                            NULL);
  g_assert_cmpstr (status, ==, " M dir/kept.txt\nA  staged.txt\n?? notes.txt");
  assert_files (fixture, "one\n2\n3\n4\n5\n6\n7\n8\n9\n", "new\n");
}

/* A refusal names the file and changes nothing at all. */
static void
expect_local_conflict (GitFixture *fixture, const Work *work, const char *path)
{
  g_autofree char *tip_before = get_tip (fixture);
  g_autofree char *status_before = get_status (fixture);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeMergeResult) dry = merge_into (fixture, work, FORE_MERGE_COMMIT, TRUE, &error);
  g_autoptr (ForeMergeResult) result = NULL;
  g_autofree char *tip = NULL, *status = NULL;

  g_assert_no_error (error);
  g_assert_false (dry->clean);
  g_assert_true (g_strv_contains ((const char *const *) dry->local_conflicts, path));
  result = merge_into (fixture, work, FORE_MERGE_COMMIT, FALSE, &error);
  g_assert_null (result);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_CONFLICT);
  g_assert_nonnull (strstr (error->message, path));
  tip = get_tip (fixture);
  status = get_status (fixture);
  g_assert_cmpstr (tip, ==, tip_before);
  g_assert_cmpstr (status, ==, status_before);
}

static void
test_dirty_touched_refuses (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);

  git_fixture_edit_line (fixture->main, "file.txt", 9, "my edit");
  expect_local_conflict (fixture, &work, "file.txt");
  assert_files (fixture, "1\n2\n3\n4\n5\n6\n7\n8\nmy edit\n", NULL);
}

static void
test_staged_touched_refuses (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);
  g_autofree char *staged = NULL;

  git_fixture_edit_line (fixture->main, "file.txt", 9, "staged");
  staged = git_fixture_run (fixture->main, "add", "file.txt", NULL);
  git_fixture_edit_line (fixture->main, "file.txt", 9, "9");
  expect_local_conflict (fixture, &work, "file.txt");
}

static void
test_untracked_in_way_refuses (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);

  git_fixture_write (fixture->main, "new.txt", "mine\n");
  expect_local_conflict (fixture, &work, "new.txt");
  assert_files (fixture, "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "mine\n");
}

static void
test_ignored_in_way_refuses (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);

  git_fixture_write (fixture->main, ".git/info/exclude", "new.txt\n");
  git_fixture_write (fixture->main, "new.txt", "mine\n");
  expect_local_conflict (fixture, &work, "new.txt");
  assert_files (fixture, "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "mine\n");
}

static void
test_folder_in_way_refuses (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);

  git_fixture_write (fixture->main, "new.txt/mine.txt", "mine\n");
  expect_local_conflict (fixture, &work, "new.txt");
  g_assert_true (git_fixture_exists (fixture->main, "new.txt/mine.txt"));
}

static void
test_merge_conflict (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeMergeResult) dry = NULL;
  g_autoptr (ForeMergeResult) result = NULL;
  g_autofree char *before = NULL, *after = NULL;

  advance_main (fixture, "file.txt", 1);
  before = get_tip (fixture);
  dry = merge_into (fixture, &work, FORE_MERGE_COMMIT, TRUE, &error);
  g_assert_no_error (error);
  g_assert_false (dry->clean);
  g_assert_cmpuint (dry->conflicts->len, ==, 1);
  result = merge_into (fixture, &work, FORE_MERGE_SQUASH, FALSE, &error);
  g_assert_null (result);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_CONFLICT);
  g_assert_nonnull (strstr (error->message, "file.txt"));
  after = get_tip (fixture);
  g_assert_cmpstr (before, ==, after);
}

static void
test_dry_run_writes_nothing (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);
  g_autoptr (GError) error = NULL;
  g_autofree char *objects = NULL, *objects_after = NULL, *tip = NULL, *tip_after = NULL;
  g_autoptr (ForeMergeResult) dry = NULL;

  advance_main (fixture, "file.txt", 9);
  objects = git_fixture_run (fixture->main, "count-objects", NULL);
  tip = get_tip (fixture);
  dry = merge_into (fixture, &work, FORE_MERGE_COMMIT, TRUE, &error);
  g_assert_no_error (error);
  g_assert_true (dry->clean);
  objects_after = git_fixture_run (fixture->main, "count-objects", NULL);
  tip_after = get_tip (fixture);
  g_assert_cmpstr (objects, ==, objects_after);
  g_assert_cmpstr (tip, ==, tip_after);
  assert_files (fixture, "1\n2\n3\n4\n5\n6\n7\n8\nby the person\n", NULL);
}

static void
test_stale (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeMergeResult) result = NULL;

  advance_main (fixture, "dir/kept.txt", 1);
  result = fore_repository_merge_into (fixture->repository, "main", work.base, work.result,
                                       FORE_MERGE_COMMIT, "x", FALSE, &error);
  g_assert_null (result);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_STALE);
  assert_files (fixture, "1\n2\n3\n4\n5\n6\n7\n8\n9\n", NULL);
}

static void
test_not_checked_out (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);
  g_autofree char *moved = git_fixture_run (fixture->main, "checkout", "-qb", "other", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeMergeResult) result = NULL;
  g_autofree char *tip = NULL, *status = NULL;

  git_fixture_edit_line (fixture->main, "file.txt", 1, "my edit");
  result = merge_into (fixture, &work, FORE_MERGE_COMMIT, FALSE, &error);
  g_assert_no_error (error);
  tip = get_tip (fixture);
  status = get_status (fixture);
  g_assert_cmpstr (tip, ==, result->commit);
  g_assert_cmpstr (status, ==, " M file.txt");
}

/* Another folder of the person has the branch: it is merged there, files and all. */
static void
test_checked_out_elsewhere (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);
  g_autofree char *linked = g_build_filename (fixture->root, "linked", NULL);
  g_autofree char *moved = git_fixture_run (fixture->main, "checkout", "-qb", "other", NULL);
  g_autofree char *added = git_fixture_run (fixture->main, "worktree", "add", linked, "main", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeMergeResult) refused = NULL;
  g_autoptr (ForeMergeResult) result = NULL;
  g_autofree char *tip = NULL, *status = NULL, *text = NULL, *here = NULL;

  git_fixture_write (linked, "new.txt", "by the person\n");
  refused = merge_into (fixture, &work, FORE_MERGE_COMMIT, FALSE, &error);
  g_assert_null (refused);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_CONFLICT);
  g_assert_nonnull (strstr (error->message, "new.txt"));
  g_clear_error (&error);
  text = git_fixture_read (linked, "new.txt");
  g_assert_cmpstr (text, ==, "by the person\n");

  g_clear_pointer (&text, g_free);
  g_free (git_fixture_run (linked, "clean", "-fdq", NULL));
  result = merge_into (fixture, &work, FORE_MERGE_COMMIT, FALSE, &error);
  g_assert_no_error (error);
  tip = get_tip (fixture);
  g_assert_cmpstr (tip, ==, result->commit);
  status = git_fixture_run (linked, "status", "--porcelain", NULL);
  g_assert_cmpstr (status, ==, "");
  text = git_fixture_read (linked, "new.txt");
  g_assert_cmpstr (text, ==, "new\n");
  here = get_status (fixture);
  g_assert_cmpstr (here, ==, "");
  g_assert_false (git_fixture_exists (fixture->main, "new.txt"));
}

/* The person's own folder may be a linked worktree: everything works from there. */
static void
test_from_linked_worktree (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *linked = g_build_filename (fixture->root, "linked", NULL);
  g_autofree char *added = git_fixture_run (fixture->main, "worktree", "add", "-b", "side", linked,
                                            NULL);
  g_autofree char *base = git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL);
  g_autoptr (ForeRepository) main_repository = g_steal_pointer (&fixture->repository);
  g_autofree char *result = NULL;
  g_autoptr (ForeMergeResult) merged = NULL;
  g_autoptr (ForeMergeResult) other = NULL;
  g_autoptr (ForeWorktree) twice = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL, *status = NULL, *path = NULL, *main_text = NULL;

  fixture->repository = fore_repository_open (linked, &error);
  g_assert_no_error (error);
  result = git_fixture_task (fixture, "one", base, "file.txt", 1, "one");
  path = g_build_filename (fixture->root, "trees/again", NULL);
  twice = fore_repository_add_worktree (fixture->repository, "foredeck/run1/one", NULL, path,
                                        &error);
  g_assert_null (twice);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
  g_clear_error (&error);

  merged = fore_repository_merge_into (fixture->repository, "side", base, result, FORE_MERGE_COMMIT,
                                       "x", FALSE, &error);
  g_assert_no_error (error);
  text = git_fixture_read (linked, "file.txt");
  status = git_fixture_run (linked, "status", "--porcelain", NULL);
  g_assert_cmpstr (text, ==, "one\n2\n3\n4\n5\n6\n7\n8\n9\n");
  g_assert_cmpstr (status, ==, "");

  other = fore_repository_merge_into (fixture->repository, "main", base, result, FORE_MERGE_COMMIT,
                                      "x", FALSE, &error);
  g_assert_no_error (error);
  main_text = git_fixture_read (fixture->main, "file.txt");
  g_assert_cmpstr (main_text, ==, text);
}

static void
test_half_done_refuses (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeMergeResult) result = NULL;

  git_fixture_write (fixture->main, ".git/MERGE_HEAD", work.base);
  result = merge_into (fixture, &work, FORE_MERGE_COMMIT, FALSE, &error);
  g_assert_null (result);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
  g_clear_error (&error);

  {
    g_autofree char *merge_head = g_build_filename (fixture->main, ".git/MERGE_HEAD", NULL);

    g_assert_cmpint (g_unlink (merge_head), ==, 0);
  }

  git_fixture_write (fixture->main, ".git/index.lock", "");
  result = merge_into (fixture, &work, FORE_MERGE_COMMIT, FALSE, &error);
  g_assert_null (result);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_BUSY);
  assert_files (fixture, "1\n2\n3\n4\n5\n6\n7\n8\n9\n", NULL);

  {
    g_autofree char *lock = g_build_filename (fixture->main, ".git/index.lock", NULL);

    g_assert_cmpint (g_unlink (lock), ==, 0);
  }
}

static void
test_locked_branch_refuses (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);
  g_autofree char *lock = g_build_filename (fixture->main, ".git/refs/heads/main.lock", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeMergeResult) result = NULL;

  git_fixture_write (fixture->main, ".git/refs/heads/main.lock", "");
  result = merge_into (fixture, &work, FORE_MERGE_COMMIT, FALSE, &error);
  g_assert_null (result);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_BUSY);
  assert_files (fixture, "1\n2\n3\n4\n5\n6\n7\n8\n9\n", NULL);
  g_assert_cmpint (g_unlink (lock), ==, 0);
}

static void
test_failed_update_taken_back (GitFixture *fixture, gconstpointer data)
{
  g_auto (Work) work = do_work (fixture);
  g_autofree char *blob = NULL, *object = NULL, *full = NULL, *away = NULL, *tip = NULL;
  g_autofree char *spec = g_strconcat (work.result, ":new.txt", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeMergeResult) result = NULL;
  g_autofree char *status = NULL;

  /* An object that is gone stands for a disk that fails half way. */
  blob = git_fixture_run (fixture->main, "rev-parse", spec, NULL);
  object = g_strdup_printf (".git/objects/%.2s/%s", blob, blob + 2);
  full = g_build_filename (fixture->main, object, NULL);
  away = g_build_filename (fixture->root, "away", NULL);
  g_assert_cmpint (g_rename (full, away), ==, 0);
  result = merge_into (fixture, &work, FORE_MERGE_COMMIT, FALSE, &error);
  g_assert_cmpint (g_rename (away, full), ==, 0);
  g_assert_null (result);
  g_assert_nonnull (error);
  tip = get_tip (fixture);
  status = get_status (fixture);
  g_assert_cmpstr (tip, ==, work.base);
  g_assert_cmpstr (status, ==, "");
  assert_files (fixture, "1\n2\n3\n4\n5\n6\n7\n8\n9\n", NULL);
}

static void
test_deleted_and_moved (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *base = git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL);
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "one", base);
  g_autofree char *kept = g_build_filename (worktree->path, "dir/kept.txt", NULL);
  g_autofree char *from = g_build_filename (worktree->path, "file.txt", NULL);
  g_autofree char *to = g_build_filename (worktree->path, "größe [1].txt", NULL);
  g_autoptr (ForeTreeCommit) commit = NULL;
  g_autoptr (ForeMergeResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *status = NULL;

  g_assert_cmpint (g_unlink (kept), ==, 0);
  g_assert_cmpint (g_rename (from, to), ==, 0);
  commit = git_fixture_commit (fixture, worktree, base);
  result = fore_repository_merge_into (fixture->repository, "main", NULL, commit->commit,
                                       FORE_MERGE_COMMIT, "x", FALSE, &error);
  g_assert_no_error (error);
  status = get_status (fixture);
  g_assert_cmpstr (status, ==, "");
  g_assert_false (git_fixture_exists (fixture->main, "dir"));
  g_assert_false (git_fixture_exists (fixture->main, "file.txt"));
  g_assert_true (git_fixture_exists (fixture->main, "größe [1].txt"));
}

int
main (int argc, char **argv)
{
  git_test_init (&argc, &argv);

  git_test_add ("/git/target/fast-forward", test_fast_forward);
  git_test_add ("/git/target/fast-forward-impossible", test_fast_forward_impossible);
  git_test_add ("/git/target/merge", test_merge);
  git_test_add ("/git/target/squash", test_squash);
  git_test_add ("/git/target/dirty-elsewhere-stays", test_dirty_elsewhere_stays);
  git_test_add ("/git/target/dirty-touched-refuses", test_dirty_touched_refuses);
  git_test_add ("/git/target/staged-touched-refuses", test_staged_touched_refuses);
  git_test_add ("/git/target/untracked-in-way-refuses", test_untracked_in_way_refuses);
  git_test_add ("/git/target/ignored-in-way-refuses", test_ignored_in_way_refuses);
  git_test_add ("/git/target/folder-in-way-refuses", test_folder_in_way_refuses);
  git_test_add ("/git/target/merge-conflict", test_merge_conflict);
  git_test_add ("/git/target/dry-run-writes-nothing", test_dry_run_writes_nothing);
  git_test_add ("/git/target/stale", test_stale);
  git_test_add ("/git/target/not-checked-out", test_not_checked_out);
  git_test_add ("/git/target/checked-out-elsewhere", test_checked_out_elsewhere);
  git_test_add ("/git/target/from-linked-worktree", test_from_linked_worktree);
  git_test_add ("/git/target/half-done-refuses", test_half_done_refuses);
  git_test_add ("/git/target/locked-branch-refuses", test_locked_branch_refuses);
  git_test_add ("/git/target/failed-update-taken-back", test_failed_update_taken_back);
  git_test_add ("/git/target/deleted-and-moved", test_deleted_and_moved);

  return git_test_run ();
}
