/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "git-fixture.h"
#include "git/fore-repository-predict.h"
#include "model/fore-error.h"

static char *
get_base (GitFixture *fixture)
{
  return git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL);
}

static char *
show (GitFixture *fixture, const char *commit, const char *path)
{
  g_autofree char *spec = g_strdup_printf ("%s:%s", commit, path);

  return git_fixture_run (fixture->main, "show", spec, NULL);
}

static ForeMergeResult *
merge (GitFixture *fixture, ForeMergeFavor favor, const char *const *commits)
{
  g_autoptr (GError) error = NULL;
  ForeMergeResult *result = fore_repository_merge_commits (fixture->repository, commits, favor,
                                                           "Merge of tasks\n", NULL, &error);

  g_assert_no_error (error);
  return result;
}

static guint
count_objects (GitFixture *fixture)
{
  g_autofree char *text = git_fixture_run (fixture->main, "count-objects", NULL);

  return (guint) g_ascii_strtoull (text, NULL, 10);
}

static void
test_octopus (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *base = get_base (fixture);
  g_autofree char *a = git_fixture_task (fixture, "a", base, "file.txt", 1, "a");
  g_autofree char *b = git_fixture_task (fixture, "b", base, "file.txt", 5, "b");
  g_autofree char *c = git_fixture_task (fixture, "c", base, "dir/kept.txt", 1, "c");
  const char *const commits[] = { a, b, c, NULL };
  g_autoptr (ForeMergeResult) result = merge (fixture, FORE_MERGE_FAVOR_NONE, commits);
  g_autofree char *text = NULL, *other = NULL, *status = NULL;

  g_assert_true (result->clean);
  text = show (fixture, result->commit, "file.txt");
  other = show (fixture, result->commit, "dir/kept.txt");
  g_assert_cmpstr (text, ==, "a\n2\n3\n4\nb\n6\n7\n8\n9");
  g_assert_cmpstr (other, ==, "c");
  for (gsize i = 0; commits[i] != NULL; i++)
    g_assert_true (git_fixture_try (fixture->main, "merge-base", "--is-ancestor", commits[i],
                                    result->commit, NULL));
  status = git_fixture_run (fixture->main, "status", "--porcelain", NULL);
  g_assert_cmpstr (status, ==, "");
}

static void
test_shared_ancestry (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *base = get_base (fixture);
  g_autofree char *a = git_fixture_task (fixture, "a", base, "file.txt", 1, "a");
  g_autofree char *b = git_fixture_task (fixture, "b", a, "file.txt", 5, "b");
  const char *const forward[] = { base, a, b, a, NULL };
  const char *const backward[] = { b, a, base, NULL };
  const char *const single[] = { a, NULL };
  g_autoptr (ForeMergeResult) one = merge (fixture, FORE_MERGE_FAVOR_NONE, forward);
  g_autoptr (ForeMergeResult) two = merge (fixture, FORE_MERGE_FAVOR_NONE, backward);
  g_autoptr (ForeMergeResult) three = merge (fixture, FORE_MERGE_FAVOR_NONE, single);

  g_assert_cmpstr (one->commit, ==, b);
  g_assert_cmpstr (two->commit, ==, b);
  g_assert_cmpstr (three->commit, ==, a);
}

static void
test_conflict (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *base = get_base (fixture);
  g_autofree char *a = git_fixture_task (fixture, "a", base, "file.txt", 1, "a");
  g_autofree char *b = git_fixture_task (fixture, "b", base, "file.txt", 1, "b");
  g_autofree char *c = git_fixture_task (fixture, "c", base, "dir/kept.txt", 1, "c");
  const char *const commits[] = { c, a, b, NULL };
  g_autofree char *blob = git_fixture_run (fixture->main, "rev-parse", "HEAD:file.txt", NULL);
  g_autoptr (ForeMergeResult) result = merge (fixture, FORE_MERGE_FAVOR_NONE, commits);
  ForeMergeConflict *conflict;

  g_assert_false (result->clean);
  g_assert_null (result->commit);
  g_assert_cmpstr (result->conflict_with, ==, b);
  g_assert_cmpuint (result->conflicts->len, ==, 1);
  conflict = result->conflicts->pdata[0];
  g_assert_cmpstr (conflict->path, ==, "file.txt");
  g_assert_cmpstr (conflict->base, ==, blob);
  g_assert_nonnull (conflict->ours);
  g_assert_nonnull (conflict->theirs);
}

static void
test_favors (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *base = get_base (fixture);
  g_autoptr (ForeWorktree) tree_a = git_fixture_add (fixture, "a", base);
  g_autoptr (ForeWorktree) tree_b = git_fixture_add (fixture, "b", base);
  g_autofree char *kept = g_build_filename (tree_b->path, "dir/kept.txt", NULL);
  g_autoptr (ForeTreeCommit) a = NULL;
  g_autoptr (ForeTreeCommit) b = NULL;
  g_autoptr (ForeMergeResult) ours = NULL;
  g_autoptr (ForeMergeResult) theirs = NULL;
  g_autoptr (ForeMergeResult) marks = NULL;
  g_autofree char *ours_text = NULL, *theirs_text = NULL, *marks_text = NULL;

  /* One file conflicts in a line and merges in another; one is edited here and deleted there. */
  git_fixture_edit_line (tree_a->path, "file.txt", 1, "a");
  git_fixture_edit_line (tree_a->path, "file.txt", 9, "a");
  git_fixture_edit_line (tree_a->path, "dir/kept.txt", 1, "a");
  git_fixture_edit_line (tree_b->path, "file.txt", 1, "b");
  git_fixture_edit_line (tree_b->path, "file.txt", 5, "b");
  g_assert_cmpint (g_unlink (kept), ==, 0);
  a = git_fixture_commit (fixture, tree_a, base);
  b = git_fixture_commit (fixture, tree_b, base);

  {
    const char *const commits[] = { a->commit, b->commit, NULL };

    ours = merge (fixture, FORE_MERGE_FAVOR_OURS, commits);
    theirs = merge (fixture, FORE_MERGE_FAVOR_THEIRS, commits);
    marks = merge (fixture, FORE_MERGE_FAVOR_MARKERS, commits);
  }

  ours_text = show (fixture, ours->commit, "file.txt");
  theirs_text = show (fixture, theirs->commit, "file.txt");
  marks_text = show (fixture, marks->commit, "file.txt");
  g_assert_true (ours->clean && theirs->clean);
  g_assert_cmpstr (ours_text, ==, "a\n2\n3\n4\nb\n6\n7\n8\na");
  g_assert_cmpstr (theirs_text, ==, "b\n2\n3\n4\nb\n6\n7\n8\na");
  g_assert_true (git_fixture_try (fixture->main, "cat-file", "-e", ours->commit, NULL));
  g_assert_false (marks->clean);
  g_assert_cmpuint (marks->conflicts->len, ==, 2);
  g_assert_nonnull (strstr (marks_text, "<<<<<<<"));
  g_assert_nonnull (strstr (marks_text, "4\nb\n6"));
  g_free (ours_text);
  ours_text = show (fixture, ours->commit, "dir/kept.txt");
  g_assert_cmpstr (ours_text, ==, "a");
  g_free (theirs_text);
  theirs_text = git_fixture_run (fixture->main, "ls-tree", "-r", theirs->commit, "dir", NULL);
  g_assert_cmpstr (theirs_text, ==, "");
  g_free (marks_text);
  marks_text = show (fixture, marks->commit, "dir/kept.txt");
  g_assert_cmpstr (marks_text, ==, "a");
}

static void
test_binary_conflict (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *base = get_base (fixture);
  g_autoptr (ForeWorktree) tree_a = git_fixture_add (fixture, "a", base);
  g_autoptr (ForeWorktree) tree_b = git_fixture_add (fixture, "b", base);
  g_autofree char *file_a = g_build_filename (tree_a->path, "image.bin", NULL);
  g_autofree char *file_b = g_build_filename (tree_b->path, "image.bin", NULL);
  g_autoptr (ForeTreeCommit) a = NULL;
  g_autoptr (ForeTreeCommit) b = NULL;
  g_autoptr (ForeMergeResult) none = NULL;
  g_autoptr (ForeMergeResult) theirs = NULL;
  g_autofree char *blob_b = NULL, *blob = NULL, *spec = NULL, *spec_b = NULL;

  g_assert_true (g_file_set_contents (file_a, "\0a", 2, NULL));
  g_assert_true (g_file_set_contents (file_b, "\0b", 2, NULL));
  a = git_fixture_commit (fixture, tree_a, base);
  b = git_fixture_commit (fixture, tree_b, base);

  {
    const char *const commits[] = { a->commit, b->commit, NULL };

    none = merge (fixture, FORE_MERGE_FAVOR_NONE, commits);
    theirs = merge (fixture, FORE_MERGE_FAVOR_THEIRS, commits);
  }

  g_assert_false (none->clean);
  g_assert_cmpuint (none->conflicts->len, ==, 1);
  spec = g_strconcat (theirs->commit, ":image.bin", NULL);
  spec_b = g_strconcat (b->commit, ":image.bin", NULL);
  blob = git_fixture_run (fixture->main, "rev-parse", spec, NULL);
  blob_b = git_fixture_run (fixture->main, "rev-parse", spec_b, NULL);
  g_assert_cmpstr (blob, ==, blob_b);
}

static void
test_prediction_writes_nothing (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *base = get_base (fixture);
  g_autofree char *a = git_fixture_task (fixture, "a", base, "file.txt", 1, "a");
  g_autofree char *b = git_fixture_task (fixture, "b", base, "file.txt", 5, "b");
  g_autofree char *c = git_fixture_task (fixture, "c", base, "file.txt", 1, "c");
  const char *const clean[] = { a, b, NULL };
  const char *const dirty[] = { a, b, c, NULL };
  guint before = count_objects (fixture);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeMergeResult) one = fore_repository_predict_merge (fixture->repository, clean,
                                                                   &error);
  g_autoptr (ForeMergeResult) two = fore_repository_predict_merge (fixture->repository, dirty,
                                                                   &error);

  g_assert_no_error (error);
  g_assert_true (one->clean);
  g_assert_false (two->clean);
  g_assert_cmpuint (two->conflicts->len, ==, 1);
  g_assert_cmpuint (count_objects (fixture), ==, before);
}

static char *
snapshot (ForeWorktree *worktree, const char *scratch)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeRepository) tree = fore_repository_open_tree (worktree->git_dir, worktree->path,
                                                               &error);
  char *id;

  g_assert_no_error (error);
  id = fore_repository_snapshot (tree, scratch, &error);
  g_assert_no_error (error);
  return id;
}

static void
test_prediction_of_running_tasks (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *scratch = g_build_filename (fixture->root, "scratch", NULL);
  g_autofree char *base = get_base (fixture);
  g_autoptr (ForeWorktree) a = git_fixture_add (fixture, "a", base);
  g_autoptr (ForeWorktree) b = git_fixture_add (fixture, "b", base);
  guint before = count_objects (fixture);
  g_autoptr (ForeMergeResult) clean = NULL;
  g_autoptr (ForeMergeResult) dirty = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *tree_a = NULL, *tree_b = NULL;

  git_fixture_edit_line (a->path, "file.txt", 1, "a");
  git_fixture_edit_line (b->path, "file.txt", 5, "b");
  tree_a = snapshot (a, scratch);
  tree_b = snapshot (b, scratch);
  clean = fore_repository_predict_trees (fixture->repository, scratch, base, tree_a, tree_b,
                                         &error);
  g_assert_no_error (error);
  g_assert_true (clean->clean);

  git_fixture_edit_line (b->path, "file.txt", 1, "b");
  g_free (tree_b);
  tree_b = snapshot (b, scratch);
  dirty = fore_repository_predict_trees (fixture->repository, scratch, base, tree_a, tree_b,
                                         &error);
  g_assert_no_error (error);
  g_assert_false (dirty->clean);
  g_assert_cmpuint (dirty->conflicts->len, ==, 1);
  g_assert_cmpuint (count_objects (fixture), ==, before);
}

static ForeMergeResult *
integrate (GitFixture *fixture,
           const char *base,
           const ForeIntegrateTask *tasks,
           gsize n_tasks,
           const char *expected,
           ForeMergeFavor favor)
{
  g_autoptr (GError) error = NULL;
  ForeMergeResult *result = fore_repository_integrate (
      fixture->repository, base, tasks, n_tasks, "foredeck/run1/result", expected, favor, &error);

  g_assert_no_error (error);
  return result;
}

static void
test_integrate_order (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *base = get_base (fixture);
  g_autofree char *a = git_fixture_task (fixture, "a", base, "file.txt", 1, "a");
  g_autofree char *b = git_fixture_task (fixture, "b", base, "file.txt", 5, "b");
  const char *const dependencies[] = { a, b, NULL };
  g_autoptr (ForeMergeResult) merged = merge (fixture, FORE_MERGE_FAVOR_NONE, dependencies);
  g_autofree char *c = git_fixture_task (fixture, "c", merged->commit, "dir/kept.txt", 1, "c");
  const ForeIntegrateTask tasks[] = {
    { "a", "Do a", "coder", base, a },
    { "b", "Do b\nin two lines", "demo", base, b },
    { "read", "Only read", "reviewer", base, base },
    { "c", "", NULL, merged->commit, c },
  };
  g_autoptr (ForeMergeResult) result = integrate (fixture, base, tasks, G_N_ELEMENTS (tasks), NULL,
                                                  FORE_MERGE_FAVOR_NONE);
  g_autofree char *log = NULL, *text = NULL, *kept = NULL, *body = NULL, *tip = NULL;

  g_assert_true (result->clean);
  tip = git_fixture_run (fixture->main, "rev-parse", "foredeck/run1/result", NULL);
  g_assert_cmpstr (tip, ==, result->commit);
  log = git_fixture_run (fixture->main, "log", "--reverse",
                         "--format=%s|%an|%(trailers:key=Foredeck-Task,valueonly,separator=)|"
                         "%(trailers:key=Foredeck-Agent,valueonly,separator=)",
                         "--first-parent", "HEAD..foredeck/run1/result", NULL);
  g_assert_cmpstr (log, ==,
                   "Do a|Test Person|a|coder\n"
                   "Do b in two lines|Test Person|b|demo\n"
                   "c|Test Person|c|");
  text = show (fixture, result->commit, "file.txt");
  kept = show (fixture, result->commit, "dir/kept.txt");
  g_assert_cmpstr (text, ==, "a\n2\n3\n4\nb\n6\n7\n8\n9");
  g_assert_cmpstr (kept, ==, "c");
  body = git_fixture_run (fixture->main, "rev-list", "--count", "--merges",
                          "HEAD..foredeck/run1/result", NULL);
  g_assert_cmpstr (body, ==, "0");
}

static void
test_integrate_conflict (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *base = get_base (fixture);
  g_autofree char *a = git_fixture_task (fixture, "a", base, "file.txt", 1, "a");
  g_autofree char *b = git_fixture_task (fixture, "b", base, "file.txt", 1, "b");
  const ForeIntegrateTask tasks[] = { { "a", "Do a", NULL, base, a },
                                      { "b", "Do b", NULL, base, b } };
  g_autoptr (ForeMergeResult) none = integrate (fixture, base, tasks, G_N_ELEMENTS (tasks), NULL,
                                                FORE_MERGE_FAVOR_NONE);
  g_autoptr (ForeMergeResult) theirs = NULL;
  g_autofree char *text = NULL;

  g_assert_false (none->clean);
  g_assert_null (none->commit);
  g_assert_cmpstr (none->conflict_with, ==, "b");
  g_assert_false (
      git_fixture_try (fixture->main, "rev-parse", "--verify", "foredeck/run1/result", NULL));

  theirs = integrate (fixture, base, tasks, G_N_ELEMENTS (tasks), NULL, FORE_MERGE_FAVOR_THEIRS);
  g_assert_true (theirs->clean);
  text = show (fixture, theirs->commit, "file.txt");
  g_assert_cmpstr (text, ==, "b\n2\n3\n4\n5\n6\n7\n8\n9");
}

/* A person, or an agent, settled a conflict when a third task started: nobody is asked twice. */
static void
test_integrate_settled (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *base = get_base (fixture);
  g_autofree char *a = git_fixture_task (fixture, "a", base, "file.txt", 1, "a");
  g_autofree char *b = git_fixture_task (fixture, "b", base, "file.txt", 1, "b");
  const char *const dependencies[] = { a, b, NULL };
  g_autoptr (ForeMergeResult) marks = merge (fixture, FORE_MERGE_FAVOR_MARKERS, dependencies);
  g_autoptr (ForeWorktree) worktree = git_fixture_add (fixture, "resolve", marks->commit);
  g_autoptr (ForeTreeCommit) resolved = NULL;
  g_autoptr (ForeMergeResult) result = NULL;
  g_autofree char *text = NULL;

  git_fixture_write (worktree->path, "file.txt", "a and b\n2\n3\n4\n5\n6\n7\n8\n9\n");
  resolved = git_fixture_commit (fixture, worktree, marks->commit);

  {
    const ForeIntegrateTask tasks[] = {
      { "a", "Do a", NULL, base, a },
      { "b", "Do b", NULL, base, b },
      { "resolve", "Settle", NULL, marks->commit, resolved->commit },
    };

    result = integrate (fixture, base, tasks, G_N_ELEMENTS (tasks), NULL, FORE_MERGE_FAVOR_NONE);
  }

  g_assert_true (result->clean);
  text = show (fixture, result->commit, "file.txt");
  g_assert_cmpstr (text, ==, "a and b\n2\n3\n4\n5\n6\n7\n8\n9");
}

static void
test_integrate_swaps (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *base = get_base (fixture);
  g_autofree char *a = git_fixture_task (fixture, "a", base, "file.txt", 1, "a");
  g_autofree char *b = git_fixture_task (fixture, "b", base, "file.txt", 2, "b");
  const ForeIntegrateTask tasks[] = { { "a", "Do a", NULL, base, a } };
  const ForeIntegrateTask others[] = { { "b", "Do b", NULL, base, b } };
  g_autoptr (ForeMergeResult) first = integrate (fixture, base, NULL, 0, NULL,
                                                 FORE_MERGE_FAVOR_NONE);
  g_autoptr (ForeMergeResult) second = NULL;
  g_autoptr (ForeMergeResult) stale = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (first->commit, ==, base);
  stale = fore_repository_integrate (fixture->repository, base, tasks, 1, "foredeck/run1/result",
                                     NULL, FORE_MERGE_FAVOR_NONE, &error);
  g_assert_null (stale);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_STALE);
  g_clear_error (&error);
  second = integrate (fixture, base, tasks, 1, base, FORE_MERGE_FAVOR_NONE);
  g_assert_cmpstr (second->commit, !=, base);
  stale = fore_repository_integrate (fixture->repository, base, others, 1, "foredeck/run1/result",
                                     base, FORE_MERGE_FAVOR_NONE, &error);
  g_assert_null (stale);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_STALE);
}

/* Whoever moved the branch died before it could say so. */
static void
test_integrate_again (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *base = get_base (fixture);
  g_autofree char *a = git_fixture_task (fixture, "a", base, "file.txt", 1, "a");
  const ForeIntegrateTask tasks[] = { { "a", "Do a", NULL, base, a } };
  g_autoptr (ForeMergeResult) first = integrate (fixture, base, tasks, 1, NULL,
                                                 FORE_MERGE_FAVOR_NONE);
  g_autoptr (ForeMergeResult) again = integrate (fixture, base, tasks, 1, NULL,
                                                 FORE_MERGE_FAVOR_NONE);

  g_assert_cmpstr (again->commit, ==, first->commit);
}

static void
test_unknown_commit (GitFixture *fixture, gconstpointer data)
{
  const char *const commits[] = { "HEAD", "0123456789012345678901234567890123456789", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeMergeResult) result = fore_repository_predict_merge (fixture->repository, commits,
                                                                      &error);

  g_assert_null (result);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
}

static GStrv
list_touched (GitFixture *fixture, const ForeWorkState *work)
{
  g_autofree char *stamp = NULL;
  g_autoptr (GError) error = NULL;
  GStrv paths = fore_repository_list_touched (fixture->repository, work, &stamp, &error);

  g_assert_no_error (error);
  return paths;
}

static GStrv
predict_pair (GitFixture *fixture, const ForeWorkState *ours, const ForeWorkState *theirs)
{
  g_autofree char *scratch = g_build_filename (fixture->root, "scratch", NULL);
  g_auto (GStrv) one = list_touched (fixture, ours);
  g_auto (GStrv) two = list_touched (fixture, theirs);
  g_autoptr (GStrvBuilder) both = g_strv_builder_new ();
  g_auto (GStrv) paths = NULL;
  g_autoptr (GError) error = NULL;
  GStrv found;

  for (guint i = 0; one[i] != NULL; i++)
    {
      if (g_strv_contains ((const char *const *) two, one[i]))
        g_strv_builder_add (both, one[i]);
    }

  paths = g_strv_builder_end (both);
  found = fore_repository_predict_pair (fixture->repository, scratch, ours, theirs,
                                        (const char *const *) paths, &error);
  g_assert_no_error (error);
  return found;
}

/* Agents at work: what stands in their folders is compared, and nothing is written but by us. */
static void
test_predict_at_work (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) one = git_fixture_add (fixture, "one", NULL);
  g_autoptr (ForeWorktree) two = git_fixture_add (fixture, "two", NULL);
  g_autofree char *base = git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL);
  g_autofree char *before = git_fixture_run (fixture->main, "count-objects", "-v", NULL);
  g_autofree char *after = NULL, *stamp = NULL, *later = NULL, *link = NULL;
  const ForeWorkState ours = { base, NULL, one->git_dir, one->path };
  const ForeWorkState theirs = { base, NULL, two->git_dir, two->path };
  g_auto (GStrv) none = NULL, apart = NULL, same = NULL, lines = NULL, added = NULL, gone = NULL;
  g_auto (GStrv) touched = NULL, again = NULL;

  none = predict_pair (fixture, &ours, &theirs);
  g_assert_cmpuint (g_strv_length (none), ==, 0);

  git_fixture_edit_line (one->path, "file.txt", 1, "by one");
  git_fixture_edit_line (two->path, "file.txt", 9, "by two");
  apart = predict_pair (fixture, &ours, &theirs);
  g_assert_cmpuint (g_strv_length (apart), ==, 0);

  touched = fore_repository_list_touched (fixture->repository, &theirs, &stamp, NULL);
  g_assert_cmpstr (touched[0], ==, "file.txt");
  git_fixture_edit_line (two->path, "file.txt", 1, "by two as well");
  again = fore_repository_list_touched (fixture->repository, &theirs, &later, NULL);
  g_assert_cmpstr (stamp, !=, later);
  lines = predict_pair (fixture, &ours, &theirs);
  g_assert_cmpuint (g_strv_length (lines), ==, 1);
  g_assert_cmpstr (lines[0], ==, "file.txt");

  git_fixture_edit_line (two->path, "file.txt", 1, "by one");
  git_fixture_write (one->path, "new.txt", "one\n");
  git_fixture_write (two->path, "new.txt", "two\n");
  added = predict_pair (fixture, &ours, &theirs);
  g_assert_cmpuint (g_strv_length (added), ==, 1);
  g_assert_cmpstr (added[0], ==, "new.txt");
  git_fixture_write (two->path, "new.txt", "one\n");
  same = predict_pair (fixture, &ours, &theirs);
  g_assert_cmpuint (g_strv_length (same), ==, 0);

  link = g_build_filename (one->path, "dir/kept.txt", NULL);
  g_assert_cmpint (g_unlink (link), ==, 0);
  git_fixture_write (two->path, "dir/kept.txt", "changed\n");
  gone = predict_pair (fixture, &ours, &theirs);
  g_assert_cmpuint (g_strv_length (gone), ==, 1);
  g_assert_cmpstr (gone[0], ==, "dir/kept.txt");

  after = git_fixture_run (fixture->main, "count-objects", "-v", NULL);
  g_assert_cmpstr (before, ==, after);
}

static void
test_predict_with_finished (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *base = git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL);
  g_autofree char *done = git_fixture_task (fixture, "one", base, "file.txt", 2, "done");
  g_autoptr (ForeWorktree) two = git_fixture_add (fixture, "two", NULL);
  const ForeWorkState ours = { base, done, NULL, NULL };
  const ForeWorkState theirs = { base, NULL, two->git_dir, two->path };
  g_auto (GStrv) found = NULL;

  git_fixture_edit_line (two->path, "file.txt", 2, "at work");
  found = predict_pair (fixture, &ours, &theirs);
  g_assert_cmpuint (g_strv_length (found), ==, 1);
  g_assert_cmpstr (found[0], ==, "file.txt");
}

int
main (int argc, char **argv)
{
  git_test_init (&argc, &argv);

  git_test_add ("/git/merge/octopus", test_octopus);
  git_test_add ("/git/merge/shared-ancestry", test_shared_ancestry);
  git_test_add ("/git/merge/conflict", test_conflict);
  git_test_add ("/git/merge/favors", test_favors);
  git_test_add ("/git/merge/binary-conflict", test_binary_conflict);
  git_test_add ("/git/merge/prediction-writes-nothing", test_prediction_writes_nothing);
  git_test_add ("/git/merge/prediction-of-running-tasks", test_prediction_of_running_tasks);
  git_test_add ("/git/merge/integrate-order", test_integrate_order);
  git_test_add ("/git/merge/integrate-conflict", test_integrate_conflict);
  git_test_add ("/git/merge/integrate-settled", test_integrate_settled);
  git_test_add ("/git/merge/integrate-swaps", test_integrate_swaps);
  git_test_add ("/git/merge/integrate-again", test_integrate_again);
  git_test_add ("/git/merge/unknown-commit", test_unknown_commit);
  git_test_add ("/git/merge/predict-at-work", test_predict_at_work);
  git_test_add ("/git/merge/predict-with-finished", test_predict_with_finished);

  return git_test_run ();
}
