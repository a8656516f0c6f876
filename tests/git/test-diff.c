/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "git-fixture.h"
#include "model/fore-error.h"

static ForeDiff *
load (GitFixture *fixture, const char *new_revision, const ForeDiffOptions *options)
{
  g_autoptr (GError) error = NULL;
  ForeDiff *diff = fore_repository_diff (fixture->repository, "HEAD", new_revision, options,
                                         &error);

  g_assert_no_error (error);
  return diff;
}

static ForeDiffFile *
find_file (ForeDiff *diff, const char *path)
{
  for (guint i = 0; i < diff->files->len; i++)
    {
      ForeDiffFile *file = diff->files->pdata[i];

      if (g_str_equal (file->change->path, path))
        return file;
    }

  return NULL;
}

static void
test_hunks_and_lines (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeDiff) diff = NULL;
  ForeDiffFile *file;
  ForeDiffHunk *hunk;
  ForeDiffLine *line;

  git_fixture_edit_line (fixture->main, "file.txt", 1, "one");
  git_fixture_write (fixture->main, "new.txt", "no newline");
  diff = load (fixture, NULL, NULL);
  g_assert_cmpuint (diff->files->len, ==, 2);
  g_assert_cmpuint (diff->insertions, ==, 2);
  g_assert_cmpuint (diff->deletions, ==, 1);

  file = find_file (diff, "file.txt");
  g_assert_cmpuint (file->hunks->len, ==, 1);
  hunk = file->hunks->pdata[0];
  g_assert_cmpstr (hunk->header, ==, "@@ -1,4 +1,4 @@");
  g_assert_cmpint (hunk->old_start, ==, 1);
  g_assert_cmpint (hunk->new_lines, ==, 4);
  g_assert_cmpuint (hunk->lines->len, ==, 5);
  line = &g_array_index (hunk->lines, ForeDiffLine, 0);
  g_assert_cmpint (line->origin, ==, '-');
  g_assert_cmpstr (line->text, ==, "1");
  g_assert_cmpint (line->old_line, ==, 1);
  g_assert_cmpint (line->new_line, ==, -1);
  line = &g_array_index (hunk->lines, ForeDiffLine, 2);
  g_assert_cmpint (line->origin, ==, ' ');
  g_assert_cmpint (line->old_line, ==, 2);
  g_assert_cmpint (line->new_line, ==, 2);

  file = find_file (diff, "new.txt");
  g_assert_cmpint (file->change->status, ==, FORE_FILE_ADDED);
  hunk = file->hunks->pdata[0];
  g_assert_cmpuint (hunk->lines->len, ==, 1);
  line = &g_array_index (hunk->lines, ForeDiffLine, 0);
  g_assert_true (line->no_newline);
  g_assert_cmpstr (line->text, ==, "no newline");
}

static void
test_limits (GitFixture *fixture, gconstpointer data)
{
  ForeDiffOptions few_lines = { .max_file_lines = 100 };
  ForeDiffOptions few_files = { .max_files = 1 };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *binary = g_build_filename (fixture->main, "image.bin", NULL);
  g_autoptr (ForeDiff) diff = NULL;
  g_autoptr (ForeDiff) short_diff = NULL;
  g_autoptr (ForeDiff) cut_diff = NULL;
  ForeDiffFile *file;

  for (guint i = 0; i < 25000; i++)
    g_string_append_printf (text, "%u\n", i);
  git_fixture_write (fixture->main, "many-lines.txt", text->str);
  while (text->len <= 1024 * 1024)
    g_string_append (text, "some more text on a line\n");
  git_fixture_write (fixture->main, "large.txt", text->str);
  g_assert_true (g_file_set_contents (binary, "\0\1\2", 3, NULL));
  git_fixture_edit_line (fixture->main, "file.txt", 1, "one");

  diff = load (fixture, NULL, NULL);
  g_assert_cmpuint (diff->files->len, ==, 4);
  file = find_file (diff, "large.txt");
  g_assert_true (file->change->too_large);
  g_assert_cmpuint (file->hunks->len, ==, 0);
  file = find_file (diff, "many-lines.txt");
  g_assert_true (file->change->too_large);
  g_assert_cmpuint (file->change->insertions, ==, 25000);
  g_assert_cmpuint (file->hunks->len, ==, 0);
  file = find_file (diff, "image.bin");
  g_assert_true (file->change->binary);
  g_assert_cmpuint (file->hunks->len, ==, 0);
  file = find_file (diff, "file.txt");
  g_assert_cmpuint (file->hunks->len, ==, 1);

  short_diff = load (fixture, NULL, &few_lines);
  g_assert_true (find_file (short_diff, "many-lines.txt")->change->too_large);
  cut_diff = load (fixture, NULL, &few_files);
  g_assert_cmpuint (cut_diff->files->len, ==, 1);
  g_assert_true (cut_diff->truncated);
}

static void
test_paths_and_context (GitFixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { "file.txt", NULL };
  ForeDiffOptions options = { .context_lines = 1, .paths = paths };
  g_autoptr (ForeDiff) diff = NULL;
  ForeDiffHunk *hunk;

  git_fixture_edit_line (fixture->main, "file.txt", 5, "five");
  git_fixture_edit_line (fixture->main, "dir/kept.txt", 1, "changed");
  diff = load (fixture, NULL, &options);
  g_assert_cmpuint (diff->files->len, ==, 1);
  hunk = ((ForeDiffFile *) diff->files->pdata[0])->hunks->pdata[0];
  g_assert_cmpuint (hunk->lines->len, ==, 4);
}

/* The patch does to another clone exactly what was done here, binary files and all. */
static void
test_patch_applies (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *clone = g_build_filename (fixture->root, "clone", NULL);
  g_autofree char *patch_path = g_build_filename (fixture->root, "a.patch", NULL);
  g_autofree char *binary = g_build_filename (fixture->main, "image.bin", NULL);
  g_autofree char *kept = g_build_filename (fixture->main, "dir/kept.txt", NULL);
  g_autofree char *cloned = git_fixture_run (fixture->root, "clone", "-q", fixture->main, clone,
                                             NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) patch = NULL;
  g_autoptr (GBytes) empty = NULL;
  g_autofree char *commit = NULL, *apply = NULL, *tree = NULL, *expected = NULL, *add = NULL;

  g_assert_true (g_file_set_contents (binary, "\0\1\2\xff", 4, NULL));
  g_assert_cmpint (g_chmod (binary, 0755), ==, 0);
  g_assert_cmpint (g_unlink (kept), ==, 0);
  git_fixture_edit_line (fixture->main, "file.txt", 1, "no end");
  git_fixture_write (fixture->main, "mit leer.txt", "ohne Ende");
  commit = fore_repository_commit_all (fixture->repository, "Second\n", NULL, &error);
  g_assert_no_error (error);
  patch = fore_repository_diff_patch (fixture->repository, "HEAD~1", "HEAD", &error);
  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (patch_path, g_bytes_get_data (patch, NULL),
                                      g_bytes_get_size (patch), NULL));
  apply = git_fixture_run (clone, "apply", "--index", patch_path, NULL);
  tree = git_fixture_run (clone, "write-tree", NULL);
  expected = git_fixture_run (fixture->main, "rev-parse", "HEAD^{tree}", NULL);
  g_assert_cmpstr (tree, ==, expected);
  empty = fore_repository_diff_patch (fixture->repository, "HEAD", "HEAD", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (empty), ==, 0);
}

static void
test_totals_match_git (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *from = g_build_filename (fixture->main, "file.txt", NULL);
  g_autofree char *to = g_build_filename (fixture->main, "renamed file.txt", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *first = NULL, *commit = NULL, *numstat = NULL;
  g_autoptr (GPtrArray) changes = NULL;
  ForeFileChange *change;

  for (guint i = 0; i < 40; i++)
    g_string_append_printf (text, "a line of text, number %u\n", i);
  git_fixture_write (fixture->main, "file.txt", text->str);
  first = fore_repository_commit_all (fixture->repository, "Longer\n", NULL, &error);
  g_assert_cmpint (g_rename (from, to), ==, 0);
  git_fixture_edit_line (fixture->main, "renamed file.txt", 3, "three\nand a half");
  commit = fore_repository_commit_all (fixture->repository, "Second\n", NULL, &error);
  g_assert_no_error (error);
  changes = fore_repository_list_changes (fixture->repository, "HEAD~1", "HEAD", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (changes->len, ==, 1);
  change = changes->pdata[0];
  numstat = git_fixture_run (fixture->main, "diff", "-M", "--numstat", "HEAD~1", "HEAD", NULL);
  g_assert_true (g_str_has_prefix (numstat, "2\t1\t"));
  g_assert_cmpuint (change->insertions, ==, 2);
  g_assert_cmpuint (change->deletions, ==, 1);
  g_assert_cmpstr (change->path, ==, "renamed file.txt");
  g_assert_cmpstr (change->old_path, ==, "file.txt");
}

static void
test_unknown_revision (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeDiff) diff = fore_repository_diff (fixture->repository, "HEAD", "nowhere", NULL,
                                                    &error);

  g_assert_null (diff);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
}

int
main (int argc, char **argv)
{
  git_test_init (&argc, &argv);

  git_test_add ("/git/diff/hunks-and-lines", test_hunks_and_lines);
  git_test_add ("/git/diff/limits", test_limits);
  git_test_add ("/git/diff/paths-and-context", test_paths_and_context);
  git_test_add ("/git/diff/patch-applies", test_patch_applies);
  git_test_add ("/git/diff/totals-match-git", test_totals_match_git);
  git_test_add ("/git/diff/unknown-revision", test_unknown_revision);

  return git_test_run ();
}
