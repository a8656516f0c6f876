/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "git-fixture.h"
#include "model/fore-error.h"

#define N_ROUNDS 5
#define N_ROUNDS_SLOW 100
#define N_FILES 4
#define N_SLOTS 4
#define MAX_TASKS 6
#define SPACER "-\n-\n-\n-\n-\n"

/* A plain model of a tree beside the real one. A file has slots so far apart that git merges edits
 * of different ones; each edit is a word that was never used before. Two tasks of which neither
 * knows the other fit together unless they wrote the same slot, or one deleted what the other
 * wrote and nobody else did who knew it.
 */
typedef struct
{
  gboolean there[N_FILES];
  guint slots[N_FILES][N_SLOTS]; /* the word that stands there */
} Model;

typedef struct
{
  guint n;
  gboolean knows[MAX_TASKS]; /* tasks whose work it started from, directly or not */
  Model before, after;
  char *key;
  char *base;
  char *commit;
  ForeWorktree *worktree;
} Task;

typedef struct
{
  GitFixture *fixture;
  guint n_tasks;
  Task tasks[MAX_TASKS];
  guint n_words;
  GHashTable *alive; /* words that an agent wrote and did not take away itself */
} Round;

static char *
dup_path (guint file)
{
  return g_strdup_printf ("src/file-%u.txt", file);
}

static char *
dup_text (const Model *model, guint file)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < N_SLOTS; i++)
    g_string_append_printf (text, "word-%u.\n" SPACER, model->slots[file][i]);

  return g_string_free (text, FALSE);
}

static void
put_file (const char *folder, const Model *model, guint file)
{
  g_autofree char *path = dup_path (file);
  g_autofree char *full = g_build_filename (folder, path, NULL);
  g_autofree char *text = dup_text (model, file);

  if (model->there[file])
    git_fixture_write (folder, path, text);
  else
    g_unlink (full);
}

static guint
new_word (Round *round)
{
  guint word = ++round->n_words;

  g_hash_table_add (round->alive, GUINT_TO_POINTER (word));
  return word;
}

static gboolean
chance (guint percent)
{
  return (guint) g_test_rand_int_range (0, 100) < percent;
}

/* Words of this attempt that were not committed yet are gone once they are written over. */
static void
forget (Round *round, guint word, gboolean committed)
{
  if (!committed)
    g_hash_table_remove (round->alive, GUINT_TO_POINTER (word));
}

static void
change_file (Round *round, Task *task, guint file, guint committed_up_to)
{
  guint slot = (guint) g_test_rand_int_range (0, N_SLOTS);
  Model *model = &task->after;

  if (!model->there[file])
    return;

  if (chance (12))
    {
      for (guint i = 0; i < N_SLOTS; i++)
        forget (round, model->slots[file][i], model->slots[file][i] <= committed_up_to);
      model->there[file] = FALSE;
    }
  else
    {
      forget (round, model->slots[file][slot], model->slots[file][slot] <= committed_up_to);
      model->slots[file][slot] = new_word (round);
    }

  put_file (task->worktree->path, model, file);
}

static void
git (const char *folder, const char *one, const char *two, const char *three, const char *four)
{
  g_free (git_fixture_run (folder, one, two, three, four, NULL));
}

/* Edits, with commits of the agent's own in between, on a branch of any kind. */
static void
work (Round *round, Task *task)
{
  const char *folder = task->worktree->path;
  guint n_edits = (guint) g_test_rand_int_range (0, 5);
  guint committed_up_to = round->n_words;

  if (chance (20))
    git (folder, "checkout", "-q", "--detach", NULL);
  else if (chance (15))
    git (folder, "checkout", "-q", "-b", task->key);

  for (guint i = 0; i < n_edits; i++)
    {
      change_file (round, task, (guint) g_test_rand_int_range (0, N_FILES), committed_up_to);
      if (chance (25))
        {
          git (folder, "add", "-A", NULL, NULL);
          git (folder, "commit", "-q", "--allow-empty", "-mown");
          committed_up_to = round->n_words;
        }
    }
}

static gboolean
differs (const Model *a, const Model *b, guint file, guint slot)
{
  return a->there[file] != b->there[file] || a->slots[file][slot] != b->slots[file][slot];
}

static gboolean
wrote (const Task *task, guint file, guint slot)
{
  return differs (&task->before, &task->after, file, slot);
}

static gboolean
wrote_file (const Task *task, guint file)
{
  for (guint i = 0; i < N_SLOTS; i++)
    {
      if (wrote (task, file, i))
        return TRUE;
    }

  return FALSE;
}

static gboolean
deleted (const Task *task, guint file)
{
  return task->before.there[file] && !task->after.there[file];
}

typedef enum
{
  FIT,
  EITHER, /* as the order in which they are merged has it */
  CLASH,
} Fit;

/* What one wrote and the other deleted is in nobody's way once somebody who knew the words has
 * deleted them too.
 */
static Fit
fit_delete (const Round *round, const gboolean *among, const Task *writer, guint file)
{
  for (guint i = 0; i < round->n_tasks; i++)
    {
      const Task *other = &round->tasks[i];

      if (among[i] && other->knows[writer->n] && deleted (other, file))
        return EITHER;
    }

  return CLASH;
}

static Fit
fit_file (const Round *round, const gboolean *among, const Task *a, const Task *b, guint file)
{
  gboolean gone_a = deleted (a, file);
  gboolean gone_b = deleted (b, file);

  if (gone_a && gone_b)
    return FIT;
  if (gone_a)
    return wrote_file (b, file) ? fit_delete (round, among, b, file) : FIT;
  if (gone_b)
    return wrote_file (a, file) ? fit_delete (round, among, a, file) : FIT;

  for (guint slot = 0; slot < N_SLOTS; slot++)
    {
      if (wrote (a, file, slot) && wrote (b, file, slot))
        return CLASH;
    }

  return FIT;
}

static Fit
fit_pair (const Round *round, const gboolean *among, const Task *a, const Task *b)
{
  Fit fit = FIT;

  for (guint file = 0; file < N_FILES && !a->knows[b->n] && !b->knows[a->n]; file++)
    fit = MAX (fit, fit_file (round, among, a, b, file));

  return fit;
}

static void
apply (Model *model, const Task *task)
{
  for (guint file = 0; file < N_FILES; file++)
    {
      if (task->before.there[file] && !task->after.there[file])
        model->there[file] = FALSE;
      for (guint slot = 0; slot < N_SLOTS; slot++)
        {
          if (wrote (task, file, slot))
            model->slots[file][slot] = task->after.slots[file][slot];
        }
    }
}

static void
know (Task *task, const Task *other)
{
  task->knows[other->n] = TRUE;
  for (guint i = 0; i < MAX_TASKS; i++)
    task->knows[i] |= other->knows[i];
}

static Fit
fit_all (const Round *round, const gboolean *among)
{
  Fit fit = FIT;

  for (guint i = 0; i < round->n_tasks; i++)
    {
      for (guint j = 0; j < i; j++)
        {
          if (among[i] && among[j])
            fit = MAX (fit, fit_pair (round, among, &round->tasks[i], &round->tasks[j]));
        }
    }

  return fit;
}

/* Where a task starts: the merged work of those before it. FALSE: they do not fit together. */
static gboolean
choose_base (Round *round, Task *task, const Model *start, const char *run_base)
{
  g_autoptr (GPtrArray) commits = g_ptr_array_new ();
  g_autoptr (ForeMergeResult) merge = NULL;
  g_autoptr (GError) error = NULL;
  Fit expected;

  task->before = *start;
  for (guint i = 0; i < task->n; i++)
    {
      if (chance (40))
        {
          know (task, &round->tasks[i]);
          g_ptr_array_add (commits, round->tasks[i].commit);
        }
    }

  for (guint i = 0; i < task->n; i++)
    {
      if (task->knows[i])
        apply (&task->before, &round->tasks[i]);
    }

  expected = fit_all (round, task->knows);
  task->base = g_strdup (commits->len == 1 ? g_ptr_array_index (commits, 0) : run_base);
  if (commits->len < 2)
    return TRUE;

  g_ptr_array_add (commits, NULL);
  merge = fore_repository_merge_commits (round->fixture->repository,
                                         (const char *const *) commits->pdata,
                                         FORE_MERGE_FAVOR_NONE, "Merge\n", NULL, &error);
  g_assert_no_error (error);
  if (expected != EITHER)
    g_assert_cmpint (merge->clean, ==, expected == FIT);
  g_assert_cmpint (merge->conflicts->len > 0, ==, !merge->clean);
  if (merge->clean)
    {
      g_free (task->base);
      task->base = g_strdup (merge->commit);
    }

  return merge->clean;
}

static gboolean
run_task (Round *round, Task *task, const Model *start, const char *run_base)
{
  g_autoptr (ForeTreeCommit) commit = NULL;
  g_autofree char *branch = NULL;

  if (!choose_base (round, task, start, run_base))
    return FALSE;

  task->key = g_strdup_printf ("task-%u", task->n);
  task->after = task->before;
  task->worktree = git_fixture_add (round->fixture, task->key, task->base);
  for (guint file = 0; file < N_FILES; file++)
    {
      g_autofree char *path = dup_path (file);
      g_autofree char *expected = task->before.there[file] ? dup_text (&task->before, file) : NULL;
      g_autofree char *found = git_fixture_read (task->worktree->path, path);

      g_assert_cmpstr (found, ==, expected);
    }

  work (round, task);
  commit = git_fixture_commit (round->fixture, task->worktree, task->base);
  task->commit = g_strdup (commit->commit);
  return TRUE;
}

static void
check_integration (Round *round, const Model *start, const char *run_base)
{
  ForeIntegrateTask parts[MAX_TASKS];
  gboolean all[MAX_TASKS] = { FALSE };
  Model expected = *start;
  Fit expected_fit;
  g_autoptr (ForeMergeResult) result = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < round->n_tasks; i++)
    {
      const Task *task = &round->tasks[i];

      parts[i] = (ForeIntegrateTask){ task->key, task->key, NULL, task->base, task->commit };
      all[i] = TRUE;
      apply (&expected, task);
    }

  result = fore_repository_integrate (round->fixture->repository, run_base, parts, round->n_tasks,
                                      "foredeck/run1/result", NULL, FORE_MERGE_FAVOR_NONE, &error);
  g_assert_no_error (error);
  expected_fit = fit_all (round, all);
  if (expected_fit != EITHER)
    g_assert_cmpint (result->clean, ==, expected_fit == FIT);
  if (!result->clean)
    {
      g_assert_cmpuint (result->conflicts->len, >, 0);
      g_assert_nonnull (result->conflict_with);
      g_assert_false (git_fixture_try (round->fixture->main, "rev-parse", "-q", "--verify",
                                       "refs/heads/foredeck/run1/result", NULL));
      return;
    }

  for (guint file = 0; file < N_FILES; file++)
    {
      g_autofree char *path = dup_path (file);
      g_autofree char *object = g_strdup_printf ("foredeck/run1/result:%s", path);
      g_autofree char *text = dup_text (&expected, file);
      g_autofree char *found = NULL;

      g_assert_cmpint (git_fixture_try (round->fixture->main, "cat-file", "-e", object, NULL), ==,
                       expected.there[file]);
      if (!expected.there[file])
        continue;
      found = git_fixture_run (round->fixture->main, "show", object, NULL);
      g_assert_cmpstr (found, ==, g_strchomp (text));
    }
}

/* What an agent, or a person who looked around in the tree, can leave behind beside its branch. */
static void
leave_something (Round *round, Task *task)
{
  const char *folder = task->worktree->path;
  g_autofree char *text = g_strdup_printf ("word-%u.\n", new_word (round));

  switch (g_test_rand_int_range (0, 6))
    {
    case 0:
      git_fixture_write (folder, "left over.txt", text);
      break;

    case 1:
      git_fixture_write (folder, "ignored/deep/left.txt", text);
      break;

    case 2:
      git_fixture_write (folder, "staged.txt", text);
      git (folder, "add", "staged.txt", NULL, NULL);
      git_fixture_write (folder, "staged.txt", "other\n");
      break;

    case 3:
      git (folder, "checkout", "-q", "--detach", NULL);
      git_fixture_write (folder, "lost.txt", text);
      git (folder, "add", "-A", NULL, NULL);
      git (folder, "commit", "-q", "-m", "lost");
      git (folder, "reset", "-q", "--hard", "HEAD~1");
      break;

    case 4:
      git_fixture_write (folder, "put-away.txt", text);
      git (folder, "stash", "-q", "-u", NULL);
      break;

    case 5:
    default:
      git (folder, "checkout", "-q", "-b", "side");
      git_fixture_write (folder, "side.txt", text);
      git (folder, "add", "-A", NULL, NULL);
      git (folder, "commit", "-q", "-m", "side");
      git (folder, "checkout", "-q", "--detach", NULL);
      git (folder, "branch", "-q", "-D", "side");
      break;
    }
}

static void
remove_everything (Round *round)
{
  g_auto (GStrv) branches = NULL;

  for (guint i = 0; i < round->n_tasks; i++)
    {
      Task *task = &round->tasks[i];
      g_autofree char *name = g_strdup_printf ("run1/%s", task->key != NULL ? task->key : "");
      g_autoptr (GError) error = NULL;

      if (task->worktree == NULL)
        continue;
      leave_something (round, task);
      fore_repository_retire_worktree (round->fixture->repository, task->worktree, name, FALSE,
                                       NULL, &error);
      g_assert_no_error (error);
    }

  branches = fore_repository_list_branches (round->fixture->repository, "foredeck/", NULL);
  for (guint i = 0; branches[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;

      fore_repository_delete_branch (round->fixture->repository, branches[i], &error);
      g_assert_no_error (error);
    }
}

/* Everything that a ref or a stash reaches, after git has thrown away what none does. */
static void
check_words (Round *round)
{
  const char *folder = round->fixture->main;
  const char *script
      = "git rev-list --objects --all --reflog | cut -d' ' -f1 | git cat-file --batch"
        " | grep -ao 'word-[0-9]*\\.' | sort -u";
  const char *argv[] = { "sh", "-c", script, NULL };
  g_autoptr (GHashTable) found = g_hash_table_new (NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *output = NULL;
  g_auto (GStrv) lines = NULL;
  GHashTableIter iter;
  gpointer word;

  git (folder, "reflog", "expire", "--expire=now", "HEAD");
  git (folder, "gc", "-q", "--prune=now", NULL);
  g_spawn_sync (folder, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, NULL, NULL,
                &error);
  g_assert_no_error (error);
  lines = g_strsplit (output, "\n", -1);
  for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    g_hash_table_add (found, GUINT_TO_POINTER ((guint) atoi (lines[i] + strlen ("word-"))));

  g_hash_table_iter_init (&iter, round->alive);
  while (g_hash_table_iter_next (&iter, &word, NULL))
    {
      if (!g_hash_table_contains (found, word))
        g_error ("word-%u was lost", GPOINTER_TO_UINT (word));
    }
}

static void
round_clear (Round *round)
{
  for (guint i = 0; i < MAX_TASKS; i++)
    {
      g_free (round->tasks[i].key);
      g_free (round->tasks[i].base);
      g_free (round->tasks[i].commit);
      g_clear_pointer (&round->tasks[i].worktree, fore_worktree_free);
    }
  g_clear_pointer (&round->alive, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Round, round_clear)

static void
play (GitFixture *fixture)
{
  g_auto (Round) round = { fixture };
  Model start = { 0 };
  g_autofree char *base = NULL;

  round.alive = g_hash_table_new (NULL, NULL);
  for (guint file = 0; file < N_FILES; file++)
    {
      start.there[file] = TRUE;
      for (guint slot = 0; slot < N_SLOTS; slot++)
        start.slots[file][slot] = new_word (&round);
      put_file (fixture->main, &start, file);
    }
  git_fixture_write (fixture->main, ".gitignore", "ignored\n");
  git (fixture->main, "add", "-A", NULL, NULL);
  git (fixture->main, "commit", "-q", "-m", "start");
  base = git_fixture_run (fixture->main, "rev-parse", "HEAD", NULL);

  round.n_tasks = (guint) g_test_rand_int_range (2, MAX_TASKS + 1);
  for (guint i = 0; i < round.n_tasks; i++)
    {
      round.tasks[i].n = i;
      if (!run_task (&round, &round.tasks[i], &start, base))
        round.n_tasks = i;
    }

  check_integration (&round, &start, base);
  remove_everything (&round);
  check_words (&round);
}

static void
test_random_runs (void)
{
  guint n_rounds = g_test_slow () ? N_ROUNDS_SLOW : N_ROUNDS;

  for (guint i = 0; i < n_rounds; i++)
    {
      GitFixture fixture = { 0 };

      git_fixture_set_up (&fixture, NULL);
      play (&fixture);
      git_fixture_tear_down (&fixture, NULL);
    }
}

int
main (int argc, char **argv)
{
  git_test_init (&argc, &argv);
  g_test_add_func ("/git/random/runs", test_random_runs);
  return git_test_run ();
}
