/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "git-fixture.h"
#include "git/fore-folder.h"
#include "model/fore-error.h"

/* Repositories as people have them, and the life of a run in each: every step comes out right, or
 * is refused with a sentence and leaves everything as it was.
 */
typedef enum
{
  STEP_NONE, /* nothing is refused */
  STEP_OPEN,
  STEP_ADD,
  STEP_MERGE,
  STEP_SNAPSHOT,
} Step;

typedef struct
{
  const char *name;
  const char *script; /* run by sh in an empty folder; makes a repository in ./repo */
  Step refused;       /* the first step that is */
  int code;
  const char *target; /* (nullable) what is merged into; main otherwise */
} Animal;

#define FIRST                                                                                      \
  "git init -q -b main repo && cd repo && printf '1\\n2\\n3\\n' > file.txt && mkdir -p dir && "    \
  "echo kept > dir/kept.txt && git add -A && git commit -qm first && "

static const Animal animals[] = {
  { "plain", FIRST "true", STEP_NONE, 0, NULL },
  { "bare", FIRST "cd .. && git clone -q --bare repo bare && rm -rf repo && mv bare repo",
    STEP_SNAPSHOT, FORE_ERROR_REFUSED, NULL },
  { "linked", FIRST "cd .. && mv repo base && git -C base worktree add -q -b side ../repo",
    STEP_NONE, 0, "side" },
  { "unborn", "git init -q -b main repo", STEP_ADD, FORE_ERROR_REFUSED, NULL },
  { "detached", FIRST "git checkout -q --detach", STEP_NONE, 0, NULL },
  { "dirty",
    FIRST "echo edited > dir/kept.txt && echo new > untracked.txt && echo staged > staged.txt && "
          "git add staged.txt",
    STEP_NONE, 0, NULL },
  { "sparse",
    FIRST "mkdir other && echo other > other/o.txt && git add -A && git commit -qm other && "
          "git sparse-checkout set --cone dir",
    STEP_NONE, 0, NULL },
  { "partial-clone",
    FIRST "git config uploadpack.allowFilter true && cd .. && mv repo origin && "
          "git clone -q --filter=blob:none \"file://$PWD/origin\" repo && cd repo && "
          "git config core.repositoryFormatVersion 1 && git config extensions.partialClone origin",
    STEP_OPEN, FORE_ERROR_ENVIRONMENT, NULL },
  { "sha256",
    "git init -q -b main --object-format=sha256 repo && cd repo && echo 1 > file.txt && "
    "git add -A && git commit -qm first",
    STEP_OPEN, FORE_ERROR_ENVIRONMENT, NULL },
  { "unknown-format",
    FIRST "git config core.repositoryFormatVersion 1 && git config extensions.refStorage reftable",
    STEP_OPEN, FORE_ERROR_ENVIRONMENT, NULL },
  { "worktree-config",
    FIRST "git config core.repositoryFormatVersion 1 && git config extensions.worktreeConfig true",
    STEP_NONE, 0, NULL },
  { "submodule",
    FIRST "cd .. && git clone -q repo other && cd repo && "
          "git submodule --quiet add \"$PWD/../other\" sub && git commit -qm sub",
    STEP_NONE, 0, NULL },
  { "filter",
    FIRST "git config filter.swap.clean 'tr a-z A-Z' && git config filter.swap.smudge 'tr A-Z a-z' "
          "&& git config filter.swap.required true && echo '*.swap filter=swap' > .gitattributes "
          "&& echo swap > a.swap && git add -A && git commit -qm swap",
    STEP_NONE, 0, NULL },
  { "filter-missing",
    FIRST "echo '*.swap filter=swap' > .gitattributes && echo swap > a.swap && git add -A && "
          "git commit -qm swap && git config filter.swap.smudge no-such-program-here && "
          "git config filter.swap.required true",
    STEP_ADD, FORE_ERROR_FAILED, NULL },
  { "hook-fails",
    FIRST "mkdir -p .git/hooks && printf '#!/bin/sh\\nexit 1\\n' > .git/hooks/post-checkout && "
          "chmod +x .git/hooks/post-checkout",
    STEP_ADD, FORE_ERROR_REFUSED, NULL },
  { "merge-hook-fails",
    FIRST "mkdir -p .git/hooks && printf '#!/bin/sh\\nexit 1\\n' > .git/hooks/pre-merge-commit && "
          "chmod +x .git/hooks/pre-merge-commit",
    STEP_MERGE, FORE_ERROR_REFUSED, NULL },
  { "index-locked", FIRST "touch .git/index.lock", STEP_MERGE, FORE_ERROR_BUSY, NULL },
  { "config-locked", FIRST "touch .git/config.lock", STEP_NONE, 0, NULL },
  { "branch-locked", FIRST "touch .git/refs/heads/main.lock", STEP_MERGE, FORE_ERROR_BUSY, NULL },
  { "mid-merge",
    FIRST "git checkout -qb other && echo o > file.txt && git commit -qam o && "
          "git checkout -q main && echo m > file.txt && git commit -qam m && "
          "! git merge -q other > /dev/null",
    STEP_MERGE, FORE_ERROR_REFUSED, NULL },
  { "in-the-way", FIRST "echo mine > zoo.txt", STEP_MERGE, FORE_ERROR_CONFLICT, NULL },
  { "long-history",
    "git init -q -b main repo && cd repo && (i=1; while [ $i -le 3000 ]; do "
    "printf 'commit refs/heads/main\\ncommitter A <a@b.c> %d +0000\\ndata 2\\nx\\n"
    "M 644 inline file.txt\\ndata 6\\n%05d\\n\\n' $i $i; i=$((i+1)); done) | "
    "git fast-import --quiet && git reset -q --hard",
    STEP_NONE, 0, NULL },
  { "odd-names",
    FIRST
    "echo a > 'with space.txt' && echo b > 'ümläut ☃.txt' && echo c > \"$(printf 'a\\nb.txt')\""
    " && echo d > '-dash' && echo e > 'quo\"te' && echo f > 'back\\slash' && "
    "echo g > '*star' && git add -A && git commit -qm odd",
    STEP_NONE, 0, NULL },
  { "case-clash", FIRST "echo a > README && echo b > readme && git add -A && git commit -qm case",
    STEP_NONE, 0, NULL },
  { "no-identity", FIRST "git config user.name '' && git config user.email ''", STEP_MERGE,
    FORE_ERROR_ENVIRONMENT, NULL },
  { "alternates", FIRST "cd .. && mv repo base && git clone -q --shared base repo", STEP_NONE, 0,
    NULL },
  { "shallow",
    FIRST "echo 2 > file.txt && git commit -qam second && cd .. && mv repo base && "
          "git clone -q --depth 1 \"file://$PWD/base\" repo",
    STEP_NONE, 0, NULL },
  { "packed", FIRST "git gc -q && git pack-refs --all", STEP_NONE, 0, NULL },
  { "crlf",
    FIRST "git config core.autocrlf true && printf 'a\\r\\nb\\r\\n' > crlf.txt && git add -A && "
          "git commit -qm crlf",
    STEP_NONE, 0, NULL },
  { "links",
    FIRST "ln -s file.txt link && ln -s /nonexistent broken && ln -s dir folder && "
          "git add -A && git commit -qm links",
    STEP_NONE, 0, NULL },
  { "tree-gone", FIRST "git worktree add -q ../gone && rm -rf ../gone", STEP_NONE, 0, NULL },
  { "tree-broken",
    FIRST "git worktree add -q ../gone && printf 'garb' > .git/worktrees/gone/HEAD && "
          "printf '' > .git/worktrees/gone/gitdir",
    STEP_NONE, 0, NULL },
  { "branch-in-the-way", FIRST "git branch foredeck", STEP_ADD, FORE_ERROR_REFUSED, NULL },
  { "path-with-newline",
    FIRST "cd .. && mkdir \"$(printf 'a\\nb')\" && mv repo \"$(printf 'a\\nb')/\" && "
          "ln -s \"$(printf 'a\\nb')/repo\" repo",
    STEP_NONE, 0, NULL },
};

typedef struct
{
  const Animal *animal;
  char *root;
  char *repo;
  ForeRepository *repository;
  char *base;
  ForeWorktree *tree;
  char *commit;
} Life;

static char *
run_shell (const char *dir, const char *script, gboolean must)
{
  const char *argv[] = { "sh", "-c", script, NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *errors = NULL;
  char *output = NULL;
  int status = 0;

  g_spawn_sync (dir, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, &errors,
                &status, &error);
  g_assert_no_error (error);
  if (must && status != 0)
    g_error ("%s: %s", script, errors);

  return g_strchomp (output);
}

/* Refs, HEAD, index, worktrees, settings, and every file of the work folder. */
static char *
take_state (const Life *life)
{
  return run_shell (life->repo,
                    "git for-each-ref; cat \"$(git rev-parse --git-dir)/HEAD\"; git ls-files -s; "
                    "git worktree list --porcelain; git config --list --local; "
                    "git status --porcelain; ls -a; "
                    "find . -name .git -prune -o -type f -print0 | sort -z | xargs -0 sha1sum",
                    FALSE);
}

/* TRUE: the life ends here, as was meant. */
static gboolean
expect (Life *life, Step step, gboolean done, GError *error, const char *before)
{
  g_autofree char *after = NULL;

  if (life->animal->refused != step)
    {
      if (error != NULL)
        g_error ("%s: step %d: %s", life->animal->name, step, error->message);
      g_assert_true (done);
      return FALSE;
    }

  if (done)
    g_error ("%s: step %d was not refused", life->animal->name, step);
  g_test_message ("%s: %s", life->animal->name, error->message);
  g_assert_error (error, FORE_ERROR, life->animal->code);
  g_assert_cmpuint (strlen (error->message), >, 20);
  after = take_state (life);
  g_assert_cmpstr (after, ==, before);
  return TRUE;
}

static gboolean
open_it (Life *life)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *before = take_state (life);

  life->repository = fore_repository_open (life->repo, &error);
  return expect (life, STEP_OPEN, life->repository != NULL, error, before);
}

static void
look_at_it (Life *life)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *before = take_state (life);
  g_autofree char *after = NULL;
  g_autoptr (ForeRepositoryState) state = fore_repository_read_state (life->repository, 10, &error);
  g_autofree char *head = NULL;

  g_assert_no_error (error);
  head = run_shell (life->repo, "git rev-parse -q --verify HEAD", FALSE);
  g_assert_cmpstr (state->commit != NULL ? state->commit : "", ==, head);
  if (fore_repository_get_workdir (life->repository) != NULL)
    {
      g_autoptr (ForeFingerprint) one = fore_repository_read_fingerprint (life->repository, &error);
      g_autoptr (ForeFingerprint) two = NULL;

      g_assert_no_error (error);
      two = fore_repository_read_fingerprint (life->repository, &error);
      g_assert_no_error (error);
      g_assert_true (fore_fingerprint_equal (one, two));
    }

  after = take_state (life);
  g_assert_cmpstr (after, ==, before);
  life->base = g_strdup (state->commit);
}

static gboolean
add_tree (Life *life)
{
  g_autofree char *path = g_build_filename (life->root, "trees", "one", NULL);
  g_autofree char *before = take_state (life);
  g_autofree char *status = NULL;
  g_autoptr (GError) error = NULL;

  life->tree = fore_repository_add_worktree (life->repository, "foredeck/run1/one", NULL, path,
                                             &error);
  if (expect (life, STEP_ADD, life->tree != NULL, error, before))
    {
      g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
      return TRUE;
    }

  status = run_shell (life->tree->path, "git status --porcelain; git diff --stat HEAD", TRUE);
  g_assert_cmpstr (status, ==, "");
  return FALSE;
}

static void
work (Life *life)
{
  const ForeIdentity somebody = { (char *) "Somebody", (char *) "somebody@example.org" };
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeRepository) tree = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;
  g_autofree char *before = take_state (life);
  g_autofree char *files = NULL, *expected = NULL, *status = NULL, *script = NULL;

  git_fixture_write (life->tree->path, "zoo.txt", "by the agent\n");
  tree = fore_repository_open_tree (life->tree->git_dir, life->tree->path, &error);
  g_assert_no_error (error);
  commit = fore_repository_commit_tree (tree, "foredeck/run1/one", life->base, "Work\n", &somebody,
                                        &error);
  g_assert_no_error (error);
  life->commit = g_strdup (commit->commit);
  g_assert_cmpuint (commit->changes->len, ==, 1);

  script = g_strdup_printf ("git diff --name-status %s %s", life->base, life->commit);
  files = run_shell (life->tree->path, script, TRUE);
  g_assert_cmpstr (files, ==, "A\tzoo.txt");
  status = run_shell (life->tree->path, "git status --porcelain", TRUE);
  g_assert_cmpstr (status, ==, "");
}

static gboolean
take_snapshot (Life *life)
{
  g_autofree char *before = take_state (life);
  g_autoptr (GError) error = NULL;
  g_autofree char *scratch = g_build_filename (life->root, "scratch", NULL);
  g_autofree char *after = NULL;
  g_autofree char *id = fore_repository_snapshot (life->repository, scratch, &error);
  g_autoptr (GPtrArray) changes = NULL;

  if (expect (life, STEP_SNAPSHOT, id != NULL, error, before))
    return TRUE;

  changes = fore_repository_compare_snapshot (life->repository, scratch, id, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (changes->len, ==, 0);
  after = take_state (life);
  g_assert_cmpstr (after, ==, before);
  return FALSE;
}

static gboolean
merge (Life *life)
{
  const char *target = life->animal->target != NULL ? life->animal->target : "main";
  g_autofree char *before = take_state (life);
  g_autofree char *dry_after = NULL, *script = NULL, *text = NULL;
  g_autofree char *dirt = run_shell (life->repo, "git status --porcelain", FALSE);
  g_autofree char *dirt_after = NULL;
  g_autoptr (ForeMergeResult) dry = NULL;
  g_autoptr (ForeMergeResult) result = NULL;
  g_autoptr (GError) error = NULL;

  dry = fore_repository_merge_into (life->repository, target, NULL, life->commit, FORE_MERGE_COMMIT,
                                    "Merge\n", TRUE, NULL);
  dry_after = take_state (life);
  g_assert_cmpstr (dry_after, ==, before);

  result = fore_repository_merge_into (life->repository, target, NULL, life->commit,
                                       FORE_MERGE_COMMIT, "Merge\n", FALSE, &error);
  if (expect (life, STEP_MERGE, result != NULL, error, before))
    return TRUE;

  g_assert_true (dry->clean);
  script = g_strdup_printf ("git show %s:zoo.txt", target);
  text = run_shell (life->repo, script, TRUE);
  g_assert_cmpstr (text, ==, "by the agent");
  dirt_after = run_shell (life->repo, "git status --porcelain", FALSE);
  g_assert_cmpstr (dirt_after, ==, dirt);
  return FALSE;
}

static void
retire (Life *life)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) refs = NULL;

  fore_repository_retire_worktree (life->repository, life->tree, "run1/one", FALSE, &refs, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (refs), ==, 0);
  g_assert_false (g_file_test (life->tree->path, G_FILE_TEST_EXISTS));
  fore_repository_delete_branch (life->repository, "foredeck/run1/one", &error);
  g_assert_no_error (error);
}

static void
live (Life *life)
{
  if (open_it (life))
    return;

  look_at_it (life);
  if (add_tree (life))
    return;

  work (life);
  if (!merge (life))
    take_snapshot (life);
  retire (life);
}

static void
test_animal (gconstpointer data)
{
  Life life = { .animal = data };
  g_autoptr (GError) error = NULL;

  life.root = g_dir_make_tmp ("fore-zoo-XXXXXX", NULL);
  life.repo = g_build_filename (life.root, "repo", NULL);
  g_free (run_shell (life.root, life.animal->script, TRUE));
  live (&life);
  if (life.repository != NULL)
    g_free (run_shell (life.repo, "git fsck --full > /dev/null", TRUE));

  g_clear_object (&life.repository);
  g_clear_pointer (&life.tree, fore_worktree_free);
  fore_folder_remove (life.root, &error);
  g_assert_no_error (error);
  g_free (life.root);
  g_free (life.repo);
  g_free (life.base);
  g_free (life.commit);
}

/* Somebody else's folder, as far as git is concerned. */
static void
test_foreign_owner (void)
{
  g_autofree char *root = g_dir_make_tmp ("fore-zoo-XXXXXX", NULL);
  g_autofree char *repo = g_build_filename (root, "repo", NULL);
  g_autoptr (ForeRepository) repository = NULL;
  g_autoptr (GError) error = NULL;

  if (getuid () != 0)
    {
      g_test_skip ("only root can give a folder away");
      fore_folder_remove (root, NULL);
      return;
    }

  g_free (run_shell (root, FIRST "cd .. && chown -R 12345 repo", TRUE));
  repository = fore_repository_open (repo, &error);
  g_assert_null (repository);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT);
  g_assert_nonnull (strstr (error->message, "safe.directory"));
  fore_folder_remove (root, NULL);
}

int
main (int argc, char **argv)
{
  git_test_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (animals); i++)
    {
      g_autofree char *path = g_strconcat ("/git/zoo/", animals[i].name, NULL);

      g_test_add_data_func (path, &animals[i], test_animal);
    }
  g_test_add_func ("/git/zoo/foreign-owner", test_foreign_owner);
  return git_test_run ();
}
