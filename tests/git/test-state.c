/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "git-fixture.h"
#include "git/fore-lease.h"
#include "model/fore-error.h"

static void
test_open (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *inside = g_build_filename (fixture->main, "dir", NULL);
  g_autofree char *git_dir = g_build_filename (fixture->main, ".git", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeRepository) found = fore_repository_open (inside, &error);
  g_autoptr (ForeRepository) none = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (fore_repository_get_workdir (found), ==, fixture->main);
  g_assert_cmpstr (fore_repository_get_git_dir (found), ==, git_dir);
  g_assert_cmpstr (fore_repository_get_common_dir (found), ==, git_dir);
  g_assert_cmpstr (fore_repository_get_name (found), ==, "main work");
  none = fore_repository_open (fixture->root, &error);
  g_assert_null (none);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, fixture->root));
}

static void
expect_unsupported (GitFixture *fixture, const char *key)
{
  g_autofree char *set = git_fixture_run (fixture->main, "config", key, "true", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeRepository) found = fore_repository_open (fixture->main, &error);
  g_autofree char *unset = NULL;

  g_assert_null (found);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT);
  g_assert_nonnull (strstr (error->message, "newer format"));
  git_fixture_edit_line (fixture->main, ".git/config", 1, "[core]");
}

static void
test_open_extensions (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *config = git_fixture_read (fixture->main, ".git/config");
  g_autofree char *version = git_fixture_run (fixture->main, "config",
                                              "core.repositoryformatversion", "1", NULL);
  g_autofree char *known = git_fixture_run (fixture->main, "config", "extensions.worktreeConfig",
                                            "true", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeRepository) found = fore_repository_open (fixture->main, &error);

  g_assert_no_error (error);
  g_assert_nonnull (found);
  expect_unsupported (fixture, "extensions.somethingNew");
  git_fixture_write (fixture->main, ".git/config", config);
}

static void
test_state (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *head = git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeRepositoryState) clean = fore_repository_read_state (fixture->repository, 10,
                                                                      &error);
  g_autoptr (ForeRepositoryState) dirty = NULL;
  g_autofree char *detached = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (clean->branch, ==, "main");
  g_assert_cmpstr (clean->commit, ==, head);
  g_assert_false (clean->unborn || fore_repository_state_is_dirty (clean));
  g_assert_null (clean->operation);

  git_fixture_edit_line (fixture->main, "file.txt", 1, "one");
  git_fixture_write (fixture->main, "a", "a");
  git_fixture_write (fixture->main, "more/b", "b");
  git_fixture_write (fixture->main, ".git/info/exclude", "ignored\n");
  git_fixture_write (fixture->main, "ignored", "x");
  detached = git_fixture_run (fixture->main, "checkout", "-q", "--detach", NULL);
  dirty = fore_repository_read_state (fixture->repository, 2, &error);
  g_assert_no_error (error);
  g_assert_null (dirty->branch);
  g_assert_cmpstr (dirty->commit, ==, head);
  g_assert_cmpuint (dirty->n_modified, ==, 1);
  g_assert_cmpuint (dirty->n_untracked, ==, 2);
  g_assert_cmpuint (g_strv_length (dirty->dirty_paths), ==, 2);
  g_assert_true (dirty->paths_cut);
}

static void
test_state_unborn_and_conflicted (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->root, "empty", NULL);
  g_autoptr (ForeRepository) empty = fore_repository_create (path, "trunk", NULL);
  g_autoptr (ForeRepositoryState) unborn = fore_repository_read_state (empty, 0, NULL);
  g_autoptr (ForeRepositoryState) merging = NULL;
  g_autofree char *a = NULL, *b = NULL, *c = NULL, *d = NULL;

  g_assert_true (unborn->unborn);
  g_assert_null (unborn->commit);
  g_assert_cmpstr (unborn->branch, ==, "trunk");

  a = git_fixture_run (fixture->main, "checkout", "-qb", "side", NULL);
  git_fixture_edit_line (fixture->main, "file.txt", 1, "side");
  b = git_fixture_run (fixture->main, "commit", "-qam", "side", NULL);
  c = git_fixture_run (fixture->main, "checkout", "-q", "main", NULL);
  git_fixture_edit_line (fixture->main, "file.txt", 1, "main");
  d = git_fixture_run (fixture->main, "commit", "-qam", "main", NULL);
  g_assert_false (git_fixture_try (fixture->main, "merge", "side", NULL));
  merging = fore_repository_read_state (fixture->repository, 5, NULL);
  g_assert_cmpstr (merging->operation, ==, "merge");
  g_assert_cmpuint (merging->n_conflicted, ==, 1);
}

static char **
list_written (GitFixture *fixture, const ForeFingerprint *before)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeFingerprint) after = fore_repository_read_fingerprint (fixture->repository,
                                                                        &error);
  char **written;

  g_assert_no_error (error);
  written = fore_repository_list_written (fixture->repository, before, after, &error);
  g_assert_no_error (error);
  g_assert_cmpint (fore_fingerprint_equal (before, after), ==, g_strv_length (written) == 0);
  return written;
}

static void
test_fingerprint (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeFingerprint) before = NULL;
  g_auto (GStrv) nothing = NULL;
  g_auto (GStrv) written = NULL;
  g_autofree char *list = NULL, *committed = NULL, *status = NULL;

  git_fixture_write (fixture->main, "mine.txt", "dirty before\n");
  git_fixture_write (fixture->main, "still.txt", "dirty before and after\n");
  before = fore_repository_read_fingerprint (fixture->repository, NULL);
  status = git_fixture_run (fixture->main, "status", "--porcelain", NULL);
  nothing = list_written (fixture, before);
  g_assert_cmpuint (g_strv_length (nothing), ==, 0);

  /* A file that was dirty already, a clean one, a new one, and one that is committed at once. */
  git_fixture_write (fixture->main, "mine.txt", "Dirty before\n");
  git_fixture_edit_line (fixture->main, "file.txt", 1, "one");
  git_fixture_write (fixture->main, "new.txt", "new\n");
  git_fixture_edit_line (fixture->main, "dir/kept.txt", 1, "committed");
  committed = git_fixture_run (fixture->main, "commit", "-qm", "x", "dir/kept.txt", NULL);
  written = list_written (fixture, before);
  list = g_strjoinv (" ", written);
  g_assert_cmpstr (list, ==, "dir/kept.txt file.txt mine.txt new.txt");
}

static void
test_resolve_and_prefix (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *head = git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *resolved = fore_repository_resolve (fixture->repository, "main", &error);
  g_autofree char *first = NULL, *second = NULL, *third = NULL, *taken = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (resolved, ==, head);
  g_assert_null (fore_repository_resolve (fixture->repository, "no-such-branch", &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
  g_clear_error (&error);

  first = fore_repository_pick_branch_prefix (fixture->repository, "run1", &error);
  g_assert_cmpstr (first, ==, "foredeck/run1");
  g_assert_true (
      fore_repository_create_branch (fixture->repository, "foredeck/run1/result", head, &error));
  g_assert_no_error (error);
  g_assert_false (
      fore_repository_create_branch (fixture->repository, "foredeck/run1/result", head, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_STALE);
  g_clear_error (&error);
  second = fore_repository_pick_branch_prefix (fixture->repository, "run1", &error);
  g_assert_cmpstr (second, ==, "foredeck-2/run1");
  g_assert_true (
      fore_repository_delete_branch (fixture->repository, "foredeck/run1/result", &error));
  taken = git_fixture_run (fixture->main, "branch", "foredeck", NULL);
  third = fore_repository_pick_branch_prefix (fixture->repository, "run9", &error);
  g_assert_cmpstr (third, ==, "foredeck-2/run9");
  g_assert_null (fore_repository_pick_branch_prefix (fixture->repository, "../x", &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
}

static GPtrArray *
compare (GitFixture *fixture, const char *scratch, const char *snapshot, GBytes **patch)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *changes = fore_repository_compare_snapshot (fixture->repository, scratch, snapshot,
                                                         patch, &error);

  g_assert_no_error (error);
  return changes;
}

static void
test_snapshot (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *scratch = g_build_filename (fixture->root, "scratch", NULL);
  g_autofree char *kept = g_build_filename (fixture->main, "dir/kept.txt", NULL);
  g_autofree char *untracked = g_build_filename (fixture->main, "untracked.txt", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *objects = NULL, *objects_after = NULL, *snapshot = NULL, *text = NULL;
  g_autofree char *status = NULL, *status_after = NULL;
  g_autoptr (GPtrArray) nothing = NULL;
  g_autoptr (GPtrArray) changes = NULL;
  g_autoptr (GPtrArray) left = NULL;
  g_autoptr (GBytes) patch = NULL;

  /* The person's folder is dirty already, and stays so. */
  git_fixture_edit_line (fixture->main, "file.txt", 1, "by the person");
  git_fixture_write (fixture->main, "untracked.txt", "by the person\n");
  status = git_fixture_run (fixture->main, "status", "--porcelain", NULL);
  objects = git_fixture_run (fixture->main, "count-objects", NULL);
  snapshot = fore_repository_snapshot (fixture->repository, scratch, &error);
  g_assert_no_error (error);
  nothing = compare (fixture, scratch, snapshot, NULL);
  g_assert_cmpuint (nothing->len, ==, 0);

  git_fixture_edit_line (fixture->main, "file.txt", 9, "by an agent");
  git_fixture_write (fixture->main, "made/by/agent.txt", "by an agent\n");
  g_assert_cmpint (g_unlink (kept), ==, 0);
  g_assert_cmpint (g_unlink (untracked), ==, 0);
  changes = compare (fixture, scratch, snapshot, &patch);
  g_assert_cmpuint (changes->len, ==, 4);
  text = g_strndup (g_bytes_get_data (patch, NULL), g_bytes_get_size (patch));
  g_assert_nonnull (strstr (text, "+by an agent"));
  g_assert_null (strstr (text, "+by the person"));

  g_assert_true (
      fore_repository_restore_snapshot (fixture->repository, scratch, snapshot, NULL, &error));
  g_assert_no_error (error);
  left = compare (fixture, scratch, snapshot, NULL);
  g_assert_cmpuint (left->len, ==, 0);
  g_assert_false (git_fixture_exists (fixture->main, "made"));
  status_after = git_fixture_run (fixture->main, "status", "--porcelain", NULL);
  objects_after = git_fixture_run (fixture->main, "count-objects", NULL);
  g_assert_cmpstr (status, ==, status_after);
  g_assert_cmpstr (objects, ==, objects_after);
}

static void
test_snapshot_one_path (GitFixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { "file.txt", NULL };
  g_autofree char *scratch = g_build_filename (fixture->root, "scratch", NULL);
  g_autofree char *snapshot = fore_repository_snapshot (fixture->repository, scratch, NULL);
  g_autoptr (GPtrArray) left = NULL;
  g_autoptr (GError) error = NULL;

  git_fixture_edit_line (fixture->main, "file.txt", 9, "by an agent");
  git_fixture_edit_line (fixture->main, "dir/kept.txt", 1, "by the person meanwhile");
  g_assert_true (
      fore_repository_restore_snapshot (fixture->repository, scratch, snapshot, paths, &error));
  g_assert_no_error (error);
  left = compare (fixture, scratch, snapshot, NULL);
  g_assert_cmpuint (left->len, ==, 1);
  g_assert_nonnull (git_fixture_find (left, "dir/kept.txt"));
}

/* Bringing files back must not write through a link that was put in the way. */
static void
test_snapshot_link_in_way (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *scratch = g_build_filename (fixture->root, "scratch", NULL);
  g_autofree char *outside = g_build_filename (fixture->root, "outside", NULL);
  g_autofree char *dir = g_build_filename (fixture->main, "dir", NULL);
  g_autofree char *kept = g_build_filename (fixture->main, "dir/kept.txt", NULL);
  g_autofree char *snapshot = fore_repository_snapshot (fixture->repository, scratch, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL, *mine = NULL;

  git_fixture_write (outside, "kept.txt", "precious\n");
  g_assert_cmpint (g_unlink (kept), ==, 0);
  g_assert_cmpint (g_rmdir (dir), ==, 0);
  g_assert_cmpint (symlink (outside, dir), ==, 0);
  g_assert_true (
      fore_repository_restore_snapshot (fixture->repository, scratch, snapshot, NULL, &error));
  g_assert_no_error (error);
  text = git_fixture_read (outside, "kept.txt");
  mine = git_fixture_read (fixture->main, "dir/kept.txt");
  g_assert_cmpstr (text, ==, "precious\n");
  g_assert_cmpstr (mine, ==, "kept\n");
  g_assert_false (g_file_test (dir, G_FILE_TEST_IS_SYMLINK));
}

static void
test_snapshot_base (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *head = git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *staged = NULL, *status = NULL, *status_after = NULL, *base = NULL;
  g_autofree char *files = NULL, *parent = NULL, *head_after = NULL, *spec = NULL;

  git_fixture_write (fixture->main, "staged.txt", "staged\n");
  staged = git_fixture_run (fixture->main, "add", "staged.txt", NULL);
  git_fixture_write (fixture->main, "untracked.txt", "untracked\n");
  git_fixture_edit_line (fixture->main, "file.txt", 1, "edited");
  status = git_fixture_run (fixture->main, "status", "--porcelain", NULL);
  base = fore_repository_snapshot_base (fixture->repository, "abcdefgh", &error);
  g_assert_no_error (error);
  files = git_fixture_run (fixture->main, "ls-tree", "-r", "--name-only", base, NULL);
  g_assert_cmpstr (files, ==, "dir/kept.txt\nfile.txt\nstaged.txt\nuntracked.txt");
  spec = g_strconcat (base, "^", NULL);
  parent = git_fixture_run (fixture->main, "rev-parse", spec, NULL);
  head_after = git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL);
  status_after = git_fixture_run (fixture->main, "status", "--porcelain", NULL);
  g_assert_cmpstr (parent, ==, head);
  g_assert_cmpstr (head_after, ==, head);
  g_assert_cmpstr (status_after, ==, status);
}

static void
test_lease (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *home = g_build_filename (fixture->root, "home", NULL);
  g_autofree char *link = g_build_filename (fixture->root, "link", NULL);
  g_autofree char *beside = g_strconcat (fixture->main, "-beside", NULL);
  const char *const overlapping[] = { "dir", ".." };
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeLease) first = fore_lease_acquire (home, fixture->main, "abcdefgh", &error);
  g_autoptr (ForeLease) second = NULL;
  g_autoptr (ForeLease) other = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (symlink (fixture->main, link), ==, 0);
  g_assert_cmpint (g_mkdir (beside, 0755), ==, 0);
  second = fore_lease_acquire (home, link, "zyxwvuts", &error);
  g_assert_null (second);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_BUSY);
  g_assert_nonnull (strstr (error->message, "abcdefgh"));
  g_clear_error (&error);
  for (guint i = 0; i < G_N_ELEMENTS (overlapping); i++)
    {
      g_autofree char *folder = g_canonicalize_filename (overlapping[i], fixture->main);

      other = fore_lease_acquire (home, folder, "zyxwvuts", &error);
      g_assert_null (other);
      g_assert_error (error, FORE_ERROR, FORE_ERROR_BUSY);
      g_assert_nonnull (strstr (error->message, "abcdefgh"));
      g_clear_error (&error);
    }

  other = fore_lease_acquire (home, beside, "zyxwvuts", &error);
  g_assert_no_error (error);
  g_clear_pointer (&first, fore_lease_free);
  second = fore_lease_acquire (home, link, "zyxwvuts", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (fore_lease_get_path (second), ==, fixture->main);
  g_assert_null (fore_lease_acquire (home, "/no/such/folder", "zyxwvuts", &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
}

static void
test_bare (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->root, "bare.git", NULL);
  g_autofree char *tree = g_build_filename (fixture->root, "trees/one", NULL);
  g_autofree char *cloned = git_fixture_run (fixture->root, "clone", "-q", "--bare", fixture->main,
                                             path, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeRepository) bare = fore_repository_open (path, &error);
  g_autoptr (ForeRepositoryState) state = NULL;
  g_autoptr (ForeFingerprint) fingerprint = NULL;
  g_autoptr (ForeWorktree) worktree = NULL;

  g_assert_no_error (error);
  g_assert_null (fore_repository_get_workdir (bare));
  g_assert_cmpstr (fore_repository_get_name (bare), ==, "bare");
  state = fore_repository_read_state (bare, 10, &error);
  g_assert_no_error (error);
  g_assert_false (fore_repository_state_is_dirty (state));
  fingerprint = fore_repository_read_fingerprint (bare, &error);
  g_assert_null (fingerprint);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
  g_clear_error (&error);
  worktree = fore_repository_add_worktree (bare, "foredeck/run1/one", NULL, tree, &error);
  g_assert_no_error (error);
  g_assert_true (git_fixture_exists (tree, "file.txt"));
}

int
main (int argc, char **argv)
{
  git_test_init (&argc, &argv);

  git_test_add ("/git/state/open", test_open);
  git_test_add ("/git/state/open-extensions", test_open_extensions);
  git_test_add ("/git/state/state", test_state);
  git_test_add ("/git/state/unborn-and-conflicted", test_state_unborn_and_conflicted);
  git_test_add ("/git/state/fingerprint", test_fingerprint);
  git_test_add ("/git/state/resolve-and-prefix", test_resolve_and_prefix);
  git_test_add ("/git/state/snapshot", test_snapshot);
  git_test_add ("/git/state/snapshot-one-path", test_snapshot_one_path);
  git_test_add ("/git/state/snapshot-link-in-way", test_snapshot_link_in_way);
  git_test_add ("/git/state/snapshot-base", test_snapshot_base);
  git_test_add ("/git/state/lease", test_lease);
  git_test_add ("/git/state/bare", test_bare);

  return git_test_run ();
}
