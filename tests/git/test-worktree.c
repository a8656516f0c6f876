/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
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

static GPid
start_adding (GitFixture *fixture, const char *path)
{
  const char *argv[] = { "/proc/self/exe", "--add", fixture->main, path, NULL };
  g_autoptr (GError) error = NULL;
  GPid pid = 0;

  g_spawn_async (NULL, (char **) argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, &error);
  g_assert_no_error (error);
  return pid;
}

static void
check_nothing_is_left (GitFixture *fixture, const char *path)
{
  g_autofree char *trees = git_fixture_run (fixture->main, "worktree", "list", NULL);
  g_autofree char *branches = git_fixture_run (fixture->main, "branch", "--list", "foredeck/*",
                                               NULL);

  g_assert_false (git_fixture_exists (path, ""));
  g_assert_null (strchr (trees, '\n'));
  g_assert_cmpstr (branches, ==, "");
}

/* Whatever a killed program had made of a tree is found and undone, and then it can be made. */
static void
test_add_killed (GitFixture *fixture, gconstpointer data)
{
  static const char *const signs[] = { ".git/refs/heads/foredeck/run1/one",
                                       ".git/worktrees/foredeck-run1-one",
                                       ".git/worktrees/foredeck-run1-one/gitdir",
                                       "../trees/one",
                                       "../trees/one/.git",
                                       "../trees/one/many",
                                       ".git/worktrees/foredeck-run1-one/index" };
  g_autofree char *path = g_build_filename (fixture->root, "trees", "one", NULL);
  g_autofree char *done = NULL;

  for (guint i = 0; i < 3000; i++)
    {
      g_autofree char *name = g_strdup_printf ("many/%u.txt", i);

      git_fixture_write (fixture->main, name, "x\n");
    }
  g_free (git_fixture_run (fixture->main, "add", "-A", NULL));
  done = git_fixture_run (fixture->main, "commit", "-qm", "many", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    {
      g_autoptr (GError) error = NULL;
      GPid pid = start_adding (fixture, path);
      int status = 0;
      gboolean ended = FALSE;

      while (!ended && !git_fixture_exists (fixture->main, signs[i]))
        ended = waitpid (pid, &status, WNOHANG) == pid;
      if (!ended)
        {
          kill (pid, SIGKILL);
          waitpid (pid, &status, 0);
        }

      g_assert_true (fore_repository_undo_add_worktree (fixture->repository, "foredeck/run1/one",
                                                        path, &error));
      g_assert_no_error (error);
      check_nothing_is_left (fixture, path);
    }

  fore_worktree_free (git_fixture_add (fixture, "one", NULL));
}

/* A tree with so little of what the machine has that it may end somewhere in the middle. */
static gboolean
add_with (GitFixture *fixture, const char *path, int resource, rlim_t limit)
{
  g_autoptr (GError) error = NULL;
  rlim_t before = git_test_limit (resource, limit);
  g_autoptr (ForeWorktree) worktree = fore_repository_add_worktree (
      fixture->repository, "foredeck/run1/one", NULL, path, &error);

  git_test_limit (resource, before);
  g_assert_true ((worktree == NULL) == (error != NULL));

  return worktree != NULL;
}

/* A file that is larger than the rest of the disk, and one that just fits. */
static void
test_add_full_disk (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->root, "trees", "one", NULL);
  g_autofree char *large = g_strnfill (100000, 'x');
  g_autofree char *status = NULL;
  void (*was) (int) = signal (SIGXFSZ, SIG_IGN);
  guint n_failed = 0;

  git_fixture_write (fixture->main, "large.txt", large);
  g_free (git_fixture_run (fixture->main, "add", "-A", NULL));
  g_free (git_fixture_run (fixture->main, "commit", "-qm", "large", NULL));
  for (rlim_t limit = 0; !add_with (fixture, path, RLIMIT_FSIZE, limit); limit = limit * 2 + 1)
    {
      check_nothing_is_left (fixture, path);
      n_failed++;
    }

  signal (SIGXFSZ, was);
  g_assert_cmpuint (n_failed, >, 2);
  status = git_fixture_run (path, "status", "--porcelain", NULL);
  g_assert_cmpstr (status, ==, "");
}

/* Who cannot open a file to make a tree may be unable to take it back, too: that is done later. */
static void
test_add_few_files (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->root, "trees", "one", NULL);
  rlim_t limit = git_test_find_next_file ();
  guint n_failed = 0;

  while (!add_with (fixture, path, RLIMIT_NOFILE, limit++))
    {
      g_assert_true (
          fore_repository_undo_add_worktree (fixture->repository, "foredeck/run1/one", path, NULL));
      check_nothing_is_left (fixture, path);
      n_failed++;
    }

  g_assert_cmpuint (n_failed, >, 2);
}

/* The program that is killed. */
static int
add_for_killing (const char *main_dir, const char *path)
{
  g_autoptr (ForeRepository) repository = fore_repository_open (main_dir, NULL);
  g_autoptr (ForeWorktree) worktree = fore_repository_add_worktree (repository, "foredeck/run1/one",
                                                                    NULL, path, NULL);

  return worktree != NULL ? 0 : 1;
}

/* What git ignores is brought along as asked; nothing of it becomes the agent's work. */
static void
test_seed (GitFixture *fixture, gconstpointer data)
{
  static const char *const copy[] = { ".env", "/conf/*.local", "tracked.txt", NULL };
  static const char *const links[] = { "node_modules", "missing", NULL };
  g_autofree char *base = NULL, *log = NULL, *env = NULL, *deep = NULL, *through = NULL;
  g_autofree char *commit_all = NULL, *own = NULL;
  g_autoptr (ForeWorktree) worktree = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) refs = NULL;

  git_fixture_write (fixture->main, ".gitignore", ".env\nconf\nnode_modules/\nkeys\n");
  git_fixture_write (fixture->main, ".worktreeinclude", "# what tests need\nkeys/\n");
  g_free (git_fixture_run (fixture->main, "add", "-A", NULL));
  commit_all = git_fixture_run (fixture->main, "commit", "-qm", "ignore", NULL);
  base = git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL);
  git_fixture_write (fixture->main, ".env", "A=1\n");
  git_fixture_write (fixture->main, "sub/.env", "B=2\n");
  git_fixture_write (fixture->main, "conf/db.local", "db\n");
  git_fixture_write (fixture->main, "conf/db.other", "no\n");
  git_fixture_write (fixture->main, "keys/deep/a.pem", "key\n");
  git_fixture_write (fixture->main, "node_modules/x/index.js", "x\n");
  git_fixture_write (fixture->main, "tracked.txt", "not ignored: the person's own\n");

  worktree = git_fixture_add (fixture, "one", NULL);
  log = fore_repository_seed_tree (fixture->repository, worktree, copy, links, &error);
  g_assert_no_error (error);
  env = git_fixture_read (worktree->path, "sub/.env");
  g_assert_cmpstr (env, ==, "B=2\n");
  deep = git_fixture_read (worktree->path, "keys/deep/a.pem");
  g_assert_cmpstr (deep, ==, "key\n");
  g_assert_true (git_fixture_exists (worktree->path, "conf/db.local"));
  g_assert_false (git_fixture_exists (worktree->path, "conf/db.other"));
  g_assert_false (git_fixture_exists (worktree->path, "tracked.txt"));
  through = git_fixture_read (worktree->path, "node_modules/x/index.js");
  g_assert_cmpstr (through, ==, "x\n");
  g_assert_nonnull (strstr (log, "copied keys/deep/a.pem\n"));
  g_assert_nonnull (strstr (log, "linked node_modules\n"));

  git_fixture_write (worktree->path, "own.txt", "own\n");
  commit = git_fixture_commit (fixture, worktree, base);
  g_assert_cmpuint (commit->changes->len, ==, 1);
  g_assert_nonnull (git_fixture_find (commit->changes, "own.txt"));
  g_assert_true (fore_repository_retire_worktree (fixture->repository, worktree, "run1/one", FALSE,
                                                  &refs, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (refs), ==, 0);
  own = git_fixture_read (fixture->main, "node_modules/x/index.js");
  g_assert_cmpstr (own, ==, "x\n");
}

int
main (int argc, char **argv)
{
  if (argc == 4 && g_str_equal (argv[1], "--add"))
    return add_for_killing (argv[2], argv[3]);

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

  git_test_add ("/git/worktree/add-killed", test_add_killed);
  git_test_add ("/git/worktree/add-full-disk", test_add_full_disk);
  git_test_add ("/git/worktree/add-few-files", test_add_few_files);
  git_test_add ("/git/worktree/seed", test_seed);
  return git_test_run ();
}
