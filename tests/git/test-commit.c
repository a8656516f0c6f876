/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "git-fixture.h"
#include "model/fore-error.h"

/* One task's worktree and the commit it started from. */
typedef struct
{
  char *base;
  ForeWorktree *worktree;
} Task;

static void
task_clear (Task *task)
{
  g_free (task->base);
  fore_worktree_free (task->worktree);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Task, task_clear)

static Task
start_task (GitFixture *fixture)
{
  Task task = { git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL),
                git_fixture_add (fixture, "one", NULL) };

  return task;
}

/* After every commit: branch and answer agree, and nothing is left over. */
static void
assert_settled (GitFixture *fixture, const Task *task, const ForeTreeCommit *commit)
{
  g_autofree char *tip = git_fixture_run (fixture->main, "rev-parse", "foredeck/run1/one", NULL);
  g_autofree char *branch = git_fixture_run (task->worktree->path, "symbolic-ref", "--short",
                                             "HEAD", NULL);
  g_autofree char *status = git_fixture_run (task->worktree->path, "status", "--porcelain", NULL);

  g_assert_cmpstr (branch, ==, "foredeck/run1/one");
  g_assert_cmpstr (status, ==, "");
  g_assert_true (git_fixture_try (fixture->main, "merge-base", "--is-ancestor", task->base,
                                  "foredeck/run1/one", NULL));
  if (commit->changes->len > 0)
    g_assert_cmpstr (tip, ==, commit->commit);
  else
    g_assert_cmpstr (task->base, ==, commit->commit);
}

static char *
list_files (GitFixture *fixture, const char *commit)
{
  return git_fixture_run (fixture->main, "-c", "core.quotePath=false", "ls-tree", "-r",
                          "--name-only", commit, NULL);
}

static void
test_nothing_changed (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  g_autoptr (ForeTreeCommit) commit = git_fixture_commit (fixture, task.worktree, task.base);

  g_assert_cmpuint (commit->changes->len, ==, 0);
  g_assert_cmpuint (commit->n_agent_commits, ==, 0);
  g_assert_false (commit->was_detached);
  g_assert_null (commit->agent_branch);
  assert_settled (fixture, &task, commit);
}

static void
test_all_kinds (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  const char *tree = task.worktree->path;
  g_autofree char *script = g_build_filename (tree, "run.sh", NULL);
  g_autofree char *link = g_build_filename (tree, "link", NULL);
  g_autofree char *kept = g_build_filename (tree, "dir/kept.txt", NULL);
  g_autofree char *from = g_build_filename (tree, "file.txt", NULL);
  g_autofree char *to = g_build_filename (tree, "moved.txt", NULL);
  g_autoptr (ForeTreeCommit) commit = NULL;
  ForeFileChange *change;

  git_fixture_write (tree, ".gitignore", "*.o\n");
  git_fixture_write (tree, "ignored.o", "object\n");
  git_fixture_write (tree, "run.sh", "#!/bin/sh\n");
  g_assert_cmpint (g_chmod (script, 0755), ==, 0);
  g_assert_cmpint (symlink ("/etc/passwd", link), ==, 0);
  g_assert_cmpint (g_unlink (kept), ==, 0);
  g_assert_cmpint (g_rename (from, to), ==, 0);
  git_fixture_edit_line (tree, "moved.txt", 5, "five");

  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  g_assert_cmpuint (commit->changes->len, ==, 5);
  g_assert_null (git_fixture_find (commit->changes, "ignored.o"));
  change = git_fixture_find (commit->changes, "run.sh");
  g_assert_cmpuint (change->new_mode, ==, 0100755);
  g_assert_cmpint (change->status, ==, FORE_FILE_ADDED);
  change = git_fixture_find (commit->changes, "link");
  g_assert_cmpuint (change->new_mode, ==, 0120000);
  change = git_fixture_find (commit->changes, "dir/kept.txt");
  g_assert_cmpint (change->status, ==, FORE_FILE_DELETED);
  change = git_fixture_find (commit->changes, "moved.txt");
  g_assert_cmpint (change->status, ==, FORE_FILE_RENAMED);
  g_assert_cmpstr (change->old_path, ==, "file.txt");
  g_assert_cmpuint (change->insertions, ==, 1);
  g_assert_cmpuint (change->deletions, ==, 1);
}

static void
test_mode_only (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  g_autofree char *file = g_build_filename (task.worktree->path, "file.txt", NULL);
  g_autoptr (ForeTreeCommit) commit = NULL;
  ForeFileChange *change;

  g_assert_cmpint (g_chmod (file, 0755), ==, 0);
  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  change = git_fixture_find (commit->changes, "file.txt");
  g_assert_cmpuint (change->old_mode, ==, 0100644);
  g_assert_cmpuint (change->new_mode, ==, 0100755);
  g_assert_cmpuint (change->insertions, ==, 0);
}

static void
test_agent_commits (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  const char *tree = task.worktree->path;
  g_autofree char *commit_1 = NULL, *commit_2 = NULL, *count = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;

  git_fixture_edit_line (tree, "file.txt", 1, "one");
  commit_1 = git_fixture_run (tree, "commit", "-qam", "agent one", NULL);
  git_fixture_edit_line (tree, "file.txt", 2, "two");
  commit_2 = git_fixture_run (tree, "commit", "-qam", "agent two", NULL);
  git_fixture_edit_line (tree, "file.txt", 3, "three");

  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  g_assert_cmpuint (commit->n_agent_commits, ==, 2);
  g_assert_cmpuint (commit->changes->len, ==, 1);
  count = git_fixture_run (fixture->main, "rev-list", "--count", "HEAD..foredeck/run1/one", NULL);
  g_assert_cmpstr (count, ==, "3");
}

static void
test_agent_commits_only (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  const char *tree = task.worktree->path;
  g_autofree char *made = NULL, *head = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;

  git_fixture_edit_line (tree, "file.txt", 1, "one");
  made = git_fixture_run (tree, "commit", "-qam", "agent one", NULL);
  head = git_fixture_run (tree, "rev-parse", "HEAD", NULL);
  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  g_assert_cmpstr (commit->commit, ==, head);
}

static void
test_agent_detached (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  const char *tree = task.worktree->path;
  g_autofree char *detached = git_fixture_run (tree, "checkout", "-q", "--detach", NULL);
  g_autofree char *made = NULL, *agent = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;

  git_fixture_edit_line (tree, "file.txt", 1, "one");
  made = git_fixture_run (tree, "commit", "-qam", "agent one", NULL);
  agent = git_fixture_run (tree, "rev-parse", "HEAD", NULL);
  git_fixture_write (tree, "more.txt", "more\n");

  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  g_assert_true (commit->was_detached);
  g_assert_cmpuint (commit->changes->len, ==, 2);
  g_assert_true (git_fixture_try (fixture->main, "merge-base", "--is-ancestor", agent,
                                  "foredeck/run1/one", NULL));
}

static void
test_agent_other_branch (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  const char *tree = task.worktree->path;
  g_autofree char *first = NULL, *on_task = NULL, *branch = NULL, *second = NULL, *other = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;

  /* One commit on the task's branch, then another from the base on a branch of its own. */
  git_fixture_write (tree, "task.txt", "task\n");
  first = git_fixture_run (tree, "add", "task.txt", NULL);
  on_task = git_fixture_run (tree, "commit", "-qm", "on the task's branch", NULL);
  branch = git_fixture_run (tree, "checkout", "-qb", "feature/x", task.base, NULL);
  git_fixture_edit_line (tree, "file.txt", 9, "nine");
  second = git_fixture_run (tree, "commit", "-qam", "on another branch", NULL);
  other = git_fixture_run (tree, "rev-parse", "HEAD", NULL);

  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  g_assert_cmpstr (commit->agent_branch, ==, "feature/x");
  g_assert_cmpuint (commit->n_agent_commits, ==, 2);
  g_assert_cmpuint (commit->changes->len, ==, 1);
  g_assert_nonnull (git_fixture_find (commit->changes, "file.txt"));
  g_assert_true (git_fixture_try (fixture->main, "merge-base", "--is-ancestor", other,
                                  "foredeck/run1/one", NULL));
}

static void
test_agent_moved_back (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *older = NULL, *newer = NULL, *back = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;
  g_auto (Task) task = { NULL };

  git_fixture_edit_line (fixture->main, "file.txt", 9, "nine");
  newer = git_fixture_run (fixture->main, "commit", "-qam", "second", NULL);
  task = start_task (fixture);
  back = git_fixture_run (task.worktree->path, "reset", "-q", "--hard", "HEAD~1", NULL);

  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  g_assert_cmpuint (commit->changes->len, ==, 1);
}

static void
test_agent_hides_in_index (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  const char *tree = task.worktree->path;
  g_autofree char *mark = NULL, *skip = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;

  mark = git_fixture_run (tree, "update-index", "--assume-unchanged", "file.txt", NULL);
  skip = git_fixture_run (tree, "update-index", "--skip-worktree", "dir/kept.txt", NULL);
  git_fixture_edit_line (tree, "file.txt", 1, "hidden");
  git_fixture_edit_line (tree, "dir/kept.txt", 1, "hidden");

  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  g_assert_cmpuint (commit->changes->len, ==, 2);
}

static void
test_tracked_and_ignored (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  const char *tree = task.worktree->path;
  g_autofree char *forced = NULL, *untracked = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;

  /* Forced in although ignored; and taken out, to be ignored from now on. */
  git_fixture_write (tree, ".gitignore", "dist\nkept.txt\n");
  git_fixture_write (tree, "dist/app.js", "app\n");
  git_fixture_write (tree, "dist/map.js", "map\n");
  forced = git_fixture_run (tree, "add", "-f", "dist/app.js", NULL);
  untracked = git_fixture_run (tree, "rm", "-q", "--cached", "dir/kept.txt", NULL);

  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  g_assert_cmpuint (commit->changes->len, ==, 3);
  g_assert_nonnull (git_fixture_find (commit->changes, "dist/app.js"));
  g_assert_cmpint (git_fixture_find (commit->changes, "dir/kept.txt")->status, ==,
                   FORE_FILE_DELETED);
  g_assert_true (git_fixture_exists (tree, "dir/kept.txt"));
}

static void
test_broken_indexes (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  g_autoptr (ForeTreeCommit) commit = NULL;

  git_fixture_write (task.worktree->git_dir, "index", "garbage");
  git_fixture_write (task.worktree->git_dir, "foredeck-index", "garbage");
  git_fixture_write (task.worktree->git_dir, "index.lock", "");
  git_fixture_edit_line (task.worktree->path, "file.txt", 1, "one");
  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  g_assert_cmpuint (commit->changes->len, ==, 1);
}

static void
test_half_done_merge (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  const char *tree = task.worktree->path;
  g_autofree char *a = NULL, *b = NULL, *c = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;

  a = git_fixture_run (tree, "checkout", "-qb", "side", NULL);
  git_fixture_edit_line (tree, "file.txt", 1, "side");
  b = git_fixture_run (tree, "commit", "-qam", "side", NULL);
  c = git_fixture_run (tree, "checkout", "-q", "foredeck/run1/one", NULL);
  git_fixture_edit_line (tree, "file.txt", 1, "task");
  g_free (b);
  b = git_fixture_run (tree, "commit", "-qam", "task", NULL);
  g_assert_false (git_fixture_try (tree, "merge", "side", NULL));
  git_fixture_edit_line (tree, "file.txt", 1, "both");

  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  g_assert_false (git_fixture_exists (task.worktree->git_dir, "MERGE_HEAD"));
  g_assert_cmpuint (commit->changes->len, ==, 1);
}

static void
test_odd_names (GitFixture *fixture, gconstpointer data)
{
  static const char *const names[]
      = { "with space.txt", "zeilen\numbruch.txt", "größe/ключ.txt", "-rf",      "a\"b'c",
          "*.txt",          "latin\xe9.txt",       ":(glob)x",       "[ab].txt", "tab\tname" };
  g_auto (Task) task = start_task (fixture);
  g_autoptr (ForeTreeCommit) commit = NULL;
  g_autoptr (ForeRepository) tree = NULL;
  g_autoptr (GPtrArray) changes = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    git_fixture_write (task.worktree->path, names[i], names[i]);

  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  g_assert_cmpuint (commit->changes->len, ==, G_N_ELEMENTS (names));
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_nonnull (git_fixture_find (commit->changes, names[i]));
}

static void
test_binary_and_huge (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  g_autofree char *binary = g_build_filename (task.worktree->path, "image.bin", NULL);
  g_autofree char *huge = g_malloc0 (3 * 1024 * 1024 + 1);
  g_autoptr (ForeTreeCommit) commit = NULL;
  g_autoptr (ForeDiff) diff = NULL;
  ForeFileChange *change;

  g_assert_true (g_file_set_contents (binary, "\0\1\2\0\3", 5, NULL));
  memset (huge, 'x', 3 * 1024 * 1024);
  git_fixture_write (task.worktree->path, "huge.txt", huge);

  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  change = git_fixture_find (commit->changes, "image.bin");
  g_assert_true (change->binary);
  g_assert_false (change->too_large);
  change = git_fixture_find (commit->changes, "huge.txt");
  g_assert_true (change->too_large);
}

static void
test_link_out_of_tree (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  const char *tree = task.worktree->path;
  g_autofree char *outside = g_build_filename (fixture->root, "outside", NULL);
  g_autofree char *dir = g_build_filename (tree, "dir", NULL);
  g_autofree char *kept = g_build_filename (tree, "dir/kept.txt", NULL);
  g_autofree char *all = NULL, *files = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;

  /* A tracked folder becomes a link to secrets of the same names. */
  git_fixture_write (outside, "kept.txt", "secret\n");
  git_fixture_write (outside, "other.txt", "secret\n");
  g_assert_cmpint (g_unlink (kept), ==, 0);
  g_assert_cmpint (g_rmdir (dir), ==, 0);
  g_assert_cmpint (symlink (outside, dir), ==, 0);

  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  files = list_files (fixture, commit->commit);
  g_assert_cmpstr (files, ==, "dir\nfile.txt");
  all = git_fixture_run (fixture->main, "grep", "-c", "1", commit->commit, NULL);
  g_assert_false (git_fixture_try (fixture->main, "grep", "-q", "secret", commit->commit, NULL));
}

static void
test_special_files (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  g_autofree char *pipe_path = g_build_filename (task.worktree->path, "pipe", NULL);
  g_autoptr (ForeTreeCommit) commit = NULL;

  g_assert_cmpint (mkfifo (pipe_path, 0600), ==, 0);
  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  g_assert_cmpuint (commit->changes->len, ==, 0);
}

static void
test_file_becomes_folder (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  const char *tree = task.worktree->path;
  g_autofree char *file = g_build_filename (tree, "file.txt", NULL);
  g_autofree char *dir = g_build_filename (tree, "dir", NULL);
  g_autofree char *kept = g_build_filename (tree, "dir/kept.txt", NULL);
  g_autofree char *files = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;

  g_assert_cmpint (g_unlink (file), ==, 0);
  git_fixture_write (tree, "file.txt/inner.txt", "inner\n");
  g_assert_cmpint (g_unlink (kept), ==, 0);
  g_assert_cmpint (g_rmdir (dir), ==, 0);
  git_fixture_write (tree, "dir", "now a file\n");

  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  files = list_files (fixture, commit->commit);
  g_assert_cmpstr (files, ==, "dir\nfile.txt/inner.txt");
}

static void
test_nested_repository (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  const char *tree = task.worktree->path;
  g_autofree char *nested = g_build_filename (tree, "nested", NULL);
  g_autofree char *files = NULL, *init = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;

  git_fixture_write (nested, "src/main.c", "int main;\n");
  git_fixture_write (nested, ".gitignore", "*.o\n");
  git_fixture_write (nested, "main.o", "object\n");
  init = git_fixture_run (nested, "init", "-q", NULL);

  commit = git_fixture_commit (fixture, task.worktree, task.base);
  g_assert_cmpuint (g_strv_length (commit->nested), ==, 1);
  g_assert_cmpstr (commit->nested[0], ==, "nested");
  files = list_files (fixture, commit->commit);
  g_assert_cmpstr (files, ==, "dir/kept.txt\nfile.txt\nnested/.gitignore\nnested/src/main.c");
}

static void
test_second_attempt (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  g_autoptr (ForeTreeCommit) first = NULL;
  g_autoptr (ForeTreeCommit) second = NULL;

  git_fixture_edit_line (task.worktree->path, "file.txt", 1, "one");
  first = git_fixture_commit (fixture, task.worktree, task.base);
  git_fixture_edit_line (task.worktree->path, "file.txt", 2, "two");
  git_fixture_write (task.worktree->path, "new.txt", "new\n");
  second = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, second);
  g_assert_cmpuint (second->changes->len, ==, 2);
  g_assert_cmpstr (first->commit, !=, second->commit);
}

static void
test_agent_unborn_branch (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  g_autofree char *orphan = git_fixture_run (task.worktree->path, "checkout", "-q", "--orphan",
                                             "empty", NULL);
  g_autoptr (ForeTreeCommit) commit = NULL;

  git_fixture_write (task.worktree->path, "new.txt", "new\n");
  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  g_assert_cmpuint (commit->changes->len, ==, 1);
}

/* A power cut or an agent left HEAD empty or senseless. */
static void
test_broken_head (GitFixture *fixture, gconstpointer data)
{
  static const char *const heads[] = { "", "garbage\n", "ref: refs/heads/../../x\n" };
  g_auto (Task) task = start_task (fixture);

  for (gsize i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      g_autoptr (ForeTreeCommit) commit = NULL;

      git_fixture_write (task.worktree->git_dir, "HEAD", heads[i]);
      git_fixture_edit_line (task.worktree->path, "file.txt", i + 1, "changed");
      commit = git_fixture_commit (fixture, task.worktree, task.base);
      assert_settled (fixture, &task, commit);
      g_assert_cmpuint (commit->changes->len, ==, 1);
    }
}

static void
test_line_ends (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *set = git_fixture_run (fixture->main, "config", "core.autocrlf", "true", NULL);
  g_auto (Task) task = start_task (fixture);
  g_autofree char *text = git_fixture_read (task.worktree->path, "file.txt");
  g_autoptr (ForeTreeCommit) same = git_fixture_commit (fixture, task.worktree, task.base);
  g_autoptr (ForeTreeCommit) commit = NULL;
  ForeFileChange *change;

  g_assert_true (g_str_has_prefix (text, "1\r\n2\r\n"));
  g_assert_cmpuint (same->changes->len, ==, 0);
  git_fixture_edit_line (task.worktree->path, "file.txt", 1, "one\r");
  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  change = git_fixture_find (commit->changes, "file.txt");
  g_assert_cmpuint (change->insertions, ==, 1);
  g_assert_cmpuint (change->deletions, ==, 1);
}

static void
test_submodule_stays (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->root, "other", NULL);
  g_autoptr (ForeRepository) sub = fore_repository_create (other, "main", NULL);
  g_autofree char *first = NULL, *added = NULL, *made = NULL, *entry = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;
  g_auto (Task) task = { NULL };

  git_fixture_write (other, "sub.txt", "sub\n");
  first = fore_repository_commit_all (sub, "Sub\n", NULL, NULL);
  added = git_fixture_run (fixture->main, "submodule", "add", "-q", other, "sub", NULL);
  made = git_fixture_run (fixture->main, "commit", "-qm", "submodule", NULL);
  task = start_task (fixture);
  git_fixture_edit_line (task.worktree->path, "file.txt", 1, "one");

  commit = git_fixture_commit (fixture, task.worktree, task.base);
  assert_settled (fixture, &task, commit);
  g_assert_cmpuint (commit->changes->len, ==, 1);
  entry = git_fixture_run (fixture->main, "ls-tree", commit->commit, "sub", NULL);
  g_assert_true (g_str_has_prefix (entry, "160000 commit"));
}

static void
test_hooks_do_not_run (GitFixture *fixture, gconstpointer data)
{
  static const char *const hooks[] = { "pre-commit", "commit-msg", "post-commit",
                                       "reference-transaction" };
  g_autofree char *marker = g_build_filename (fixture->root, "hook-ran", NULL);
  g_autofree char *text = g_strdup_printf ("#!/bin/sh\ntouch '%s'\nexit 1\n", marker);
  g_autofree char *monitor = NULL;
  g_auto (Task) task = { NULL };
  g_autoptr (ForeTreeCommit) commit = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (hooks); i++)
    {
      g_autofree char *path = g_build_filename (".git/hooks", hooks[i], NULL);
      g_autofree char *full = g_build_filename (fixture->main, path, NULL);

      git_fixture_write (fixture->main, path, text);
      g_assert_cmpint (g_chmod (full, 0755), ==, 0);
    }

  monitor = git_fixture_run (fixture->main, "config", "core.fsmonitor", ".git/hooks/pre-commit",
                             NULL);
  task = start_task (fixture);
  g_unlink (marker);
  git_fixture_edit_line (task.worktree->path, "file.txt", 1, "one");
  commit = git_fixture_commit (fixture, task.worktree, task.base);
  g_assert_cmpuint (commit->changes->len, ==, 1);
  g_assert_false (g_file_test (marker, G_FILE_TEST_EXISTS));
}

static void
test_environment_ignored (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = start_task (fixture);
  g_autofree char *bogus = g_build_filename (fixture->root, "bogus", NULL);
  g_autoptr (ForeRepository) found = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;
  g_autoptr (GError) error = NULL;

  git_fixture_edit_line (task.worktree->path, "file.txt", 1, "one");
  g_setenv ("GIT_DIR", bogus, TRUE);
  g_setenv ("GIT_INDEX_FILE", bogus, TRUE);
  g_setenv ("GIT_WORK_TREE", bogus, TRUE);
  found = fore_repository_open (task.worktree->path, &error);
  commit = git_fixture_commit (fixture, task.worktree, task.base);
  g_unsetenv ("GIT_DIR");
  g_unsetenv ("GIT_INDEX_FILE");
  g_unsetenv ("GIT_WORK_TREE");
  g_assert_no_error (error);
  g_assert_cmpstr (fore_repository_get_git_dir (found), ==, task.worktree->git_dir);
  assert_settled (fixture, &task, commit);
  g_assert_false (g_file_test (bogus, G_FILE_TEST_EXISTS));
}

static void
test_no_identity (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *name = git_fixture_run (fixture->main, "config", "user.name", "", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeIdentity) identity = NULL;
  g_autoptr (ForeIdentity) other = fore_identity_new ("Somebody", "some@example.org");
  g_autofree char *commit = NULL;
  g_autofree char *author = NULL;

  identity = fore_repository_read_identity (fixture->repository, &error);
  g_assert_null (identity);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT);
  g_clear_error (&error);
  git_fixture_write (fixture->main, "new.txt", "new\n");
  g_assert_null (fore_repository_commit_all (fixture->repository, "x", NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT);
  g_clear_error (&error);
  commit = fore_repository_commit_all (fixture->repository, "x", other, &error);
  g_assert_no_error (error);
  author = git_fixture_run (fixture->main, "log", "-1", "--format=%an <%ae>", NULL);
  g_assert_cmpstr (author, ==, "Somebody <some@example.org>");
}

int
main (int argc, char **argv)
{
  git_test_init (&argc, &argv);

  git_test_add ("/git/commit/nothing-changed", test_nothing_changed);
  git_test_add ("/git/commit/all-kinds", test_all_kinds);
  git_test_add ("/git/commit/mode-only", test_mode_only);
  git_test_add ("/git/commit/agent-commits", test_agent_commits);
  git_test_add ("/git/commit/agent-commits-only", test_agent_commits_only);
  git_test_add ("/git/commit/agent-detached", test_agent_detached);
  git_test_add ("/git/commit/agent-other-branch", test_agent_other_branch);
  git_test_add ("/git/commit/agent-moved-back", test_agent_moved_back);
  git_test_add ("/git/commit/agent-hides-in-index", test_agent_hides_in_index);
  git_test_add ("/git/commit/agent-unborn-branch", test_agent_unborn_branch);
  git_test_add ("/git/commit/tracked-and-ignored", test_tracked_and_ignored);
  git_test_add ("/git/commit/broken-indexes", test_broken_indexes);
  git_test_add ("/git/commit/half-done-merge", test_half_done_merge);
  git_test_add ("/git/commit/odd-names", test_odd_names);
  git_test_add ("/git/commit/binary-and-huge", test_binary_and_huge);
  git_test_add ("/git/commit/link-out-of-tree", test_link_out_of_tree);
  git_test_add ("/git/commit/special-files", test_special_files);
  git_test_add ("/git/commit/file-becomes-folder", test_file_becomes_folder);
  git_test_add ("/git/commit/nested-repository", test_nested_repository);
  git_test_add ("/git/commit/second-attempt", test_second_attempt);
  git_test_add ("/git/commit/broken-head", test_broken_head);
  git_test_add ("/git/commit/line-ends", test_line_ends);
  git_test_add ("/git/commit/submodule-stays", test_submodule_stays);
  git_test_add ("/git/commit/hooks-do-not-run", test_hooks_do_not_run);
  git_test_add ("/git/commit/environment-ignored", test_environment_ignored);
  git_test_add ("/git/commit/no-identity", test_no_identity);

  return git_test_run ();
}
