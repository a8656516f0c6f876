/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "git-fixture.h"
#include "model/fore-error.h"

#define HEX_LENGTH 40

/* What the person's git settings ask for and libgit2 cannot do: filters, hooks, signatures. */

static void
set (GitFixture *fixture, const char *key, const char *value)
{
  g_free (git_fixture_run (fixture->main, "config", key, value, NULL));
}

static void
commit_all (GitFixture *fixture)
{
  g_free (git_fixture_run (fixture->main, "add", "-A", NULL));
  g_free (git_fixture_run (fixture->main, "commit", "-qm", "more", NULL));
}

static void
write_hook (GitFixture *fixture, const char *folder, const char *name, const char *script)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *full = g_build_filename (fixture->main, path, NULL);
  g_autofree char *text = g_strconcat ("#!/bin/sh\n", script, "\n", NULL);

  git_fixture_write (fixture->main, path, text);
  g_assert_cmpint (g_chmod (full, 0755), ==, 0);
}

/* Every ref, where HEAD stands, what is staged and what is not: the whole state that counts. */
static char *
take_state (GitFixture *fixture)
{
  g_autofree char *refs = git_fixture_run (fixture->main, "for-each-ref", NULL);
  g_autofree char *head = git_fixture_run (fixture->main, "rev-parse", "HEAD", "HEAD:", NULL);
  g_autofree char *status = git_fixture_run (fixture->main, "status", "--porcelain", NULL);
  g_autofree char *trees = git_fixture_run (fixture->main, "worktree", "list", "--porcelain", NULL);

  return g_strjoin ("\n", refs, head, status, trees, NULL);
}

static void
expect_no_tree (GitFixture *fixture, int code, const char *word)
{
  g_autofree char *path = g_build_filename (fixture->root, "trees", "one", NULL);
  g_autofree char *before = take_state (fixture);
  g_autofree char *after = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeWorktree) worktree = fore_repository_add_worktree (
      fixture->repository, "foredeck/run1/one", NULL, path, &error);

  g_assert_null (worktree);
  g_assert_error (error, FORE_ERROR, code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, word));
  g_assert_false (git_fixture_exists (path, ""));
  after = take_state (fixture);
  g_assert_cmpstr (after, ==, before);
}

static void
test_filter (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *base = NULL, *stored = NULL, *seen = NULL, *mine = NULL, *status = NULL;
  g_autoptr (ForeWorktree) worktree = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;
  g_autoptr (ForeMergeResult) merged = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *object = NULL;

  set (fixture, "filter.swap.clean", "tr a-z A-Z");
  set (fixture, "filter.swap.smudge", "tr A-Z a-z");
  set (fixture, "filter.swap.required", "true");
  git_fixture_write (fixture->main, ".gitattributes", "*.swap filter=swap\n");
  git_fixture_write (fixture->main, "data.swap", "small letters\n");
  git_fixture_write (fixture->main, "other.swap", "untouched\n");
  commit_all (fixture);
  base = git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL);

  worktree = git_fixture_add (fixture, "one", NULL);
  seen = git_fixture_read (worktree->path, "data.swap");
  g_assert_cmpstr (seen, ==, "small letters\n");
  status = git_fixture_run (worktree->path, "status", "--porcelain", NULL);
  g_assert_cmpstr (status, ==, "");

  git_fixture_write (worktree->path, "data.swap", "by the agent\n");
  commit = git_fixture_commit (fixture, worktree, base);
  g_assert_cmpuint (commit->changes->len, ==, 1);
  object = g_strdup_printf ("%s:data.swap", commit->commit);
  stored = git_fixture_run (fixture->main, "cat-file", "blob", object, NULL);
  g_assert_cmpstr (stored, ==, "BY THE AGENT");

  merged = fore_repository_merge_into (fixture->repository, "main", NULL, commit->commit,
                                       FORE_MERGE_COMMIT, "Merge\n", FALSE, &error);
  g_assert_no_error (error);
  mine = git_fixture_read (fixture->main, "data.swap");
  g_assert_cmpstr (mine, ==, "by the agent\n");
  g_free (status);
  status = git_fixture_run (fixture->main, "status", "--porcelain", NULL);
  g_assert_cmpstr (status, ==, "");
}

static void
test_filter_missing (GitFixture *fixture, gconstpointer data)
{
  set (fixture, "filter.nope.clean", "cat");
  git_fixture_write (fixture->main, ".gitattributes", "*.bin filter=nope\n");
  git_fixture_write (fixture->main, "data.bin", "data\n");
  commit_all (fixture);
  set (fixture, "filter.nope.smudge", "no-such-program-here smudge");
  set (fixture, "filter.nope.required", "true");
  expect_no_tree (fixture, FORE_ERROR_FAILED, "nope");

  /* One that is not required is left out, as git does it. */
  set (fixture, "filter.nope.required", "false");
  fore_worktree_free (git_fixture_add (fixture, "one", NULL));
}

static void
test_checkout_hook (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = NULL;
  g_autofree char *text = NULL, *expected = NULL, *head = NULL;

  write_hook (fixture, ".git/hooks", "post-checkout", "echo no such tool >&2; exit 3");
  expect_no_tree (fixture, FORE_ERROR_REFUSED, "no such tool");

  write_hook (fixture, ".git/hooks", "post-checkout", "sleep 1000");
  fore_repository_set_hook_wait (fixture->repository, 300);
  expect_no_tree (fixture, FORE_ERROR_BUSY, "post-checkout");

  fore_repository_set_hook_wait (fixture->repository, 30000);
  write_hook (fixture, ".git/hooks", "post-checkout", "echo \"$1 $2 $3\" > hook-ran");
  worktree = git_fixture_add (fixture, "one", NULL);
  head = git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL);
  expected = g_strdup_printf ("0000000000000000000000000000000000000000 %s 1\n", head);
  text = git_fixture_read (worktree->path, "hook-ran");
  g_assert_cmpstr (text, ==, expected);
}

/* What an earlier task wrote into the tree is not run outside of its agent. */
static void
test_checkout_hook_of_tree (GitFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeWorktree) worktree = NULL;

  write_hook (fixture, ".husky", "post-checkout", "touch ran; exit 1");
  set (fixture, "core.hooksPath", ".husky");
  commit_all (fixture);
  worktree = git_fixture_add (fixture, "one", NULL);
  g_assert_false (git_fixture_exists (worktree->path, "ran"));
}

static char *
do_work (GitFixture *fixture)
{
  g_autofree char *base = git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL);
  g_autofree char *work = git_fixture_task (fixture, "one", base, "file.txt", 1, "one");
  ForeIntegrateTask task = { "one", "One", "demo", base, work };
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeMergeResult) result = fore_repository_integrate (fixture->repository, base, &task,
                                                                  1, "foredeck/run1/result", NULL,
                                                                  FORE_MERGE_FAVOR_NONE, &error);

  g_assert_no_error (error);
  return g_strdup (result->commit);
}

static ForeMergeResult *
merge (GitFixture *fixture, const char *commit, ForeMergeMode mode, GError **error)
{
  return fore_repository_merge_into (fixture->repository, "main", NULL, commit, mode,
                                     "Merge of a run\n", FALSE, error);
}

static void
test_merge_hooks (GitFixture *fixture, gconstpointer data)
{
  static const char *const refusing[] = { "pre-merge-commit", "commit-msg", "pre-commit" };
  static const ForeMergeMode modes[] = { FORE_MERGE_COMMIT, FORE_MERGE_COMMIT, FORE_MERGE_SQUASH };
  g_autofree char *work = do_work (fixture);
  g_autofree char *subject = NULL, *ran = NULL;
  g_autoptr (ForeMergeResult) merged = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) none = NULL;
  g_auto (GStrv) uses = NULL;
  gboolean has_git;

  none = fore_repository_list_programs (fixture->repository, &has_git, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (none), ==, 0);
  git_fixture_write (fixture->main, "dir/kept.txt", "edited by the person\n");
  for (guint i = 0; i < G_N_ELEMENTS (refusing); i++)
    {
      g_autofree char *path = g_build_filename (fixture->main, ".git/hooks", refusing[i], NULL);
      g_autofree char *before = take_state (fixture);
      g_autofree char *after = NULL;

      write_hook (fixture, ".git/hooks", refusing[i], "echo not on a Friday >&2; exit 1");
      g_assert_null (merge (fixture, work, modes[i], &error));
      g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
      g_assert_nonnull (strstr (error->message, "not on a Friday"));
      g_assert_nonnull (strstr (error->message, refusing[i]));
      g_clear_error (&error);
      after = take_state (fixture);
      g_assert_cmpstr (after, ==, before);
      g_assert_cmpint (g_unlink (path), ==, 0);
    }

  /* The hook before the commit sees the files of the merge. */
  write_hook (fixture, ".git/hooks", "pre-merge-commit", "grep -q one file.txt");
  write_hook (fixture, ".git/hooks", "commit-msg", "echo '[KEY-1] checked' > \"$1\"");
  write_hook (fixture, ".git/hooks", "post-merge", "echo \"$1\" > .git/merged; exit 1");
  set (fixture, "filter.swap.clean", "cat");
  uses = fore_repository_list_programs (fixture->repository, &has_git, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (uses), ==, 2);
  g_assert_cmpstr (uses[0], ==, "filters: swap");
  g_assert_cmpstr (uses[1], ==, "hooks: commit-msg, post-merge, pre-merge-commit");
  merged = merge (fixture, work, FORE_MERGE_COMMIT, &error);
  g_assert_no_error (error);
  subject = git_fixture_run (fixture->main, "log", "-1", "--format=%s", NULL);
  g_assert_cmpstr (subject, ==, "[KEY-1] checked");
  ran = git_fixture_read (fixture->main, ".git/merged");
  g_assert_cmpstr (ran, ==, "0\n");
}

/* Returns FALSE where nothing here can sign. */
static gboolean
set_up_signing (GitFixture *fixture)
{
  g_autofree char *program = g_find_program_in_path ("ssh-keygen");
  g_autofree char *key = g_build_filename (fixture->root, "key", NULL);
  g_autofree char *public_key = g_strconcat (key, ".pub", NULL);
  g_autofree char *allowed = g_build_filename (fixture->root, "allowed", NULL);
  const char *argv[] = { "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key, NULL };
  g_autofree char *text = NULL, *line = NULL;

  if (program == NULL)
    {
      g_test_skip ("ssh-keygen is not here");
      return FALSE;
    }

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                               NULL, NULL, NULL));
  g_assert_true (g_file_get_contents (public_key, &text, NULL, NULL));
  line = g_strconcat ("person@example.org ", text, NULL);
  g_assert_true (g_file_set_contents (allowed, line, -1, NULL));
  set (fixture, "gpg.format", "ssh");
  set (fixture, "user.signingkey", public_key);
  set (fixture, "gpg.ssh.allowedSignersFile", allowed);
  set (fixture, "commit.gpgsign", "true");
  return TRUE;
}

static void
assert_all_signed (GitFixture *fixture, const char *base, guint n_expected)
{
  g_autofree char *range = g_strdup_printf ("%s..main", base);
  g_autofree char *output = git_fixture_run (fixture->main, "log", "--format=%G?", range, NULL);
  g_auto (GStrv) lines = g_strsplit (output, "\n", -1);

  g_assert_cmpuint (g_strv_length (lines), ==, n_expected);
  for (guint i = 0; lines[i] != NULL; i++)
    g_assert_cmpstr (lines[i], ==, "G");
}

static void
test_signed (GitFixture *fixture, gconstpointer data)
{
  ForeMergeMode mode = GPOINTER_TO_INT (data);
  g_autofree char *base = NULL, *work = NULL, *trailer = NULL, *tree = NULL, *expected = NULL;
  g_autoptr (ForeMergeResult) merged = NULL;
  g_autoptr (GError) error = NULL;

  if (!set_up_signing (fixture))
    return;

  base = git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL);
  work = do_work (fixture);
  expected = g_strdup_printf ("%s:", work);
  merged = merge (fixture, work, mode, &error);
  g_assert_no_error (error);
  assert_all_signed (fixture, base, mode == FORE_MERGE_COMMIT ? 2 : 1);
  tree = git_fixture_run (fixture->main, "rev-parse", "main:", expected, NULL);
  g_assert_true (strncmp (tree, tree + HEX_LENGTH + 1, HEX_LENGTH) == 0);
  trailer = git_fixture_run (fixture->main, "log",
                             "--format=%(trailers:key=Foredeck-Task,valueonly)", "main", NULL);
  if (mode != FORE_MERGE_SQUASH)
    g_assert_nonnull (strstr (trailer, "one"));
}

static void
test_signing_fails (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *work = NULL, *before = NULL, *after = NULL;
  g_autoptr (GError) error = NULL;

  if (!set_up_signing (fixture))
    return;

  work = do_work (fixture);
  set (fixture, "user.signingkey", "/nonexistent/key.pub");
  before = take_state (fixture);
  g_assert_null (merge (fixture, work, FORE_MERGE_COMMIT, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
  g_assert_nonnull (strstr (error->message, "signed"));
  after = take_state (fixture);
  g_assert_cmpstr (after, ==, before);
}

int
main (int argc, char **argv)
{
  git_test_init (&argc, &argv);
  git_test_add ("/git/program/filter", test_filter);
  git_test_add ("/git/program/filter-missing", test_filter_missing);
  git_test_add ("/git/program/checkout-hook", test_checkout_hook);
  git_test_add ("/git/program/checkout-hook-of-tree", test_checkout_hook_of_tree);
  git_test_add ("/git/program/merge-hooks", test_merge_hooks);
  g_test_add ("/git/program/signed-merge", GitFixture, GINT_TO_POINTER (FORE_MERGE_COMMIT),
              git_fixture_set_up, test_signed, git_fixture_tear_down);
  g_test_add ("/git/program/signed-forward", GitFixture, GINT_TO_POINTER (FORE_MERGE_FAST_FORWARD),
              git_fixture_set_up, test_signed, git_fixture_tear_down);
  g_test_add ("/git/program/signed-squash", GitFixture, GINT_TO_POINTER (FORE_MERGE_SQUASH),
              git_fixture_set_up, test_signed, git_fixture_tear_down);
  git_test_add ("/git/program/signing-fails", test_signing_fails);
  return git_test_run ();
}
