/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "git-fixture.h"
#include "git/fore-folder.h"

static char *home;

/* libgit2 1.5 leaks in PCRE2 when it looks through the settings of a repository of format 1. */
const char *__lsan_default_suppressions (void);

const char *
__lsan_default_suppressions (void)
{
  return "leak:libpcre2-8";
}

/* Everything that a person's own settings could change is out of the way. */
void
git_test_init (int *argc, char ***argv)
{
  g_autofree char *config = NULL;

  home = g_dir_make_tmp ("fore-git-home-XXXXXX", NULL);
  g_setenv ("HOME", home, TRUE);
  g_setenv ("XDG_CONFIG_HOME", home, TRUE);
  g_setenv ("GIT_CONFIG_NOSYSTEM", "1", TRUE);
  g_unsetenv ("GIT_DIR");
  config = g_build_filename (home, ".gitconfig", NULL);
  g_file_set_contents (config,
                       "[user]\n\tname = Test Person\n\temail = person@example.org\n"
                       "[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n",
                       -1, NULL);
  g_test_init (argc, argv, NULL);
}

int
git_test_run (void)
{
  int result = g_test_run ();

  fore_folder_remove (home, NULL);
  g_free (home);
  return result;
}

static gboolean
run (const char *dir, const char *first, va_list list, char **output)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autofree char *errors = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  g_ptr_array_add (argv, (char *) "git");
  for (const char *word = first; word != NULL; word = va_arg (list, const char *))
    g_ptr_array_add (argv, (char *) word);
  g_ptr_array_add (argv, NULL);

  g_spawn_sync (dir, (char **) argv->pdata, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &text, &errors,
                &status, &error);
  g_assert_no_error (error);
  if (output != NULL)
    *output = g_strchomp (g_steal_pointer (&text));
  if (status != 0)
    g_test_message ("git %s: %s", first, errors);

  return status == 0;
}

char *
git_fixture_run (const char *dir, const char *first, ...)
{
  va_list list;
  char *output = NULL;
  gboolean done;

  va_start (list, first);
  done = run (dir, first, list, &output);
  va_end (list);
  g_assert_true (done);

  return output;
}

gboolean
git_fixture_try (const char *dir, const char *first, ...)
{
  va_list list;
  gboolean done;

  va_start (list, first);
  done = run (dir, first, list, NULL);
  va_end (list);

  return done;
}

void
git_fixture_write (const char *dir, const char *path, const char *text)
{
  g_autofree char *full = g_build_filename (dir, path, NULL);
  g_autofree char *parent = g_path_get_dirname (full);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (parent, 0755), ==, 0);
  g_file_set_contents (full, text, -1, &error);
  g_assert_no_error (error);
}

char *
git_fixture_read (const char *dir, const char *path)
{
  g_autofree char *full = g_build_filename (dir, path, NULL);
  char *text = NULL;

  g_file_get_contents (full, &text, NULL, NULL);
  return text;
}

gboolean
git_fixture_exists (const char *dir, const char *path)
{
  g_autofree char *full = g_build_filename (dir, path, NULL);

  return g_file_test (full, G_FILE_TEST_EXISTS) || g_file_test (full, G_FILE_TEST_IS_SYMLINK);
}

void
git_fixture_edit_line (const char *dir, const char *path, guint line, const char *text)
{
  g_autofree char *old = git_fixture_read (dir, path);
  g_auto (GStrv) lines = g_strsplit (old, "\n", -1);
  g_autofree char *joined = NULL;

  g_assert_cmpuint (line, <=, g_strv_length (lines));
  g_free (lines[line - 1]);
  lines[line - 1] = g_strdup (text);
  joined = g_strjoinv ("\n", lines);
  git_fixture_write (dir, path, joined);
}

void
git_fixture_set_up (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *commit = NULL;

  fixture->root = g_dir_make_tmp ("fore-git-XXXXXX", NULL);
  fixture->main = g_build_filename (fixture->root, "main work", NULL);
  fixture->repository = fore_repository_create (fixture->main, "main", &error);
  g_assert_no_error (error);
  git_fixture_write (fixture->main, "file.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  git_fixture_write (fixture->main, "dir/kept.txt", "kept\n");
  commit = fore_repository_commit_all (fixture->repository, "First\n", NULL, &error);
  g_assert_no_error (error);
}

/* Whatever a test did, the repository is sound afterwards. */
void
git_fixture_tear_down (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (git_fixture_try (fixture->main, "fsck", "--full", "--strict", NULL));
  g_clear_object (&fixture->repository);
  fore_folder_remove (fixture->root, &error);
  g_assert_no_error (error);
  g_free (fixture->main);
  g_free (fixture->root);
}

ForeWorktree *
git_fixture_add (GitFixture *fixture, const char *task, const char *start)
{
  g_autofree char *branch = g_strconcat ("foredeck/run1/", task, NULL);
  g_autofree char *path = g_build_filename (fixture->root, "trees", task, NULL);
  g_autoptr (GError) error = NULL;
  ForeWorktree *worktree = fore_repository_add_worktree (fixture->repository, branch, start, path,
                                                         &error);

  g_assert_no_error (error);
  return worktree;
}

ForeTreeCommit *
git_fixture_commit (GitFixture *fixture, ForeWorktree *worktree, const char *base)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *branch = g_strconcat ("foredeck/run1/", strrchr (worktree->path, '/') + 1, NULL);
  g_autoptr (ForeRepository) tree = fore_repository_open_tree (worktree->git_dir, worktree->path,
                                                               &error);
  ForeTreeCommit *commit;

  g_assert_no_error (error);
  commit = fore_repository_commit_tree (tree, branch, base, "Work\n", NULL, &error);
  g_assert_no_error (error);
  return commit;
}

/* A whole task: a worktree, one edited line, a commit. */
char *
git_fixture_task (GitFixture *fixture,
                  const char *task,
                  const char *start,
                  const char *path,
                  guint line,
                  const char *text)
{
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, task, start);
  g_autoptr (ForeTreeCommit) commit = NULL;

  git_fixture_edit_line (worktree->path, path, line, text);
  commit = git_fixture_commit (fixture, worktree, start);
  g_assert_cmpuint (commit->changes->len, ==, 1);
  return g_strdup (commit->commit);
}

ForeFileChange *
git_fixture_find (GPtrArray *changes, const char *path)
{
  for (guint i = 0; i < changes->len; i++)
    {
      ForeFileChange *change = g_ptr_array_index (changes, i);

      if (g_str_equal (change->path, path))
        return change;
    }

  return NULL;
}

/* How much of what the machine has may be used from now on; what it was before. */
rlim_t
git_test_limit (int resource, rlim_t limit)
{
  struct rlimit all;
  rlim_t before;

  g_assert_cmpint (getrlimit (resource, &all), ==, 0);
  before = all.rlim_cur;
  all.rlim_cur = limit;
  g_assert_cmpint (setrlimit (resource, &all), ==, 0);

  return before;
}

/* The descriptor that the next file gets. */
rlim_t
git_test_find_next_file (void)
{
  int fd = dup (STDIN_FILENO);

  g_assert_cmpint (fd, >=, 0);
  close (fd);

  return (rlim_t) fd;
}
