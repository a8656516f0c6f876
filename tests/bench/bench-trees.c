/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <gio/gio.h>
#include <sys/resource.h>

#include "git/fore-folder.h"
#include "git/fore-repository.h"

/* A worktree of 50,000 files and a difference in it, beside what git itself takes for the same, in
 * turn, in one run. What is compared is time of the processor, with that of programs started, the
 * best of the rounds; the clock is printed beside it, as it measures the disk and the neighbours.
 */

#define N_FILES 50000
#define N_FOLDERS 500
#define N_CHANGED 300
#define N_ROUNDS 2
#define MAX_RATIO 1.2

typedef struct
{
  double cpu;
  double clock;
} Seconds;

typedef struct
{
  Seconds ours;
  Seconds theirs;
} Figure;

static void
run (const char *dir, const char *script)
{
  const char *argv[] = { "sh", "-c", script, NULL };
  g_autoptr (GError) error = NULL;
  int status = 0;

  if (!g_spawn_sync (dir, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
                     &status, &error)
      || !g_spawn_check_wait_status (status, &error))
    g_error ("%s: %s", script, error->message);
}

static double
to_seconds (const struct timeval *time)
{
  return (double) time->tv_sec + (double) time->tv_usec / G_USEC_PER_SEC;
}

static Seconds
get_seconds (void)
{
  Seconds now = { 0, (double) g_get_monotonic_time () / G_USEC_PER_SEC };
  static const int whose[] = { RUSAGE_SELF, RUSAGE_CHILDREN };

  for (guint i = 0; i < G_N_ELEMENTS (whose); i++)
    {
      struct rusage usage;

      getrusage (whose[i], &usage);
      now.cpu += to_seconds (&usage.ru_utime) + to_seconds (&usage.ru_stime);
    }

  return now;
}

static void
note (Seconds *best, Seconds start)
{
  Seconds now = get_seconds ();
  Seconds took = { now.cpu - start.cpu, now.clock - start.clock };

  if (best->clock == 0 || took.cpu < best->cpu)
    *best = took;
}

static char *
make_repository (const char *root)
{
  g_autoptr (GString) script = g_string_new ("git init -q -b main repo && cd repo && git config "
                                             "user.name a && git config user.email a@b.c "
                                             "&& ");

  g_string_append_printf (
      script,
      "(printf 'commit refs/heads/main\\ncommitter A <a@b.c> 1700000000 +0000\\ndata 2\\nx\\n'; "
      "i=0; while [ $i -lt %d ]; do printf 'M 644 inline d%%03d/f%%05d.c\\ndata <<E\\n"
      "int f%%d (void)\\n{\\n  return %%d;\\n}\\nE\\n' $((i %% %d)) $i $i $i; i=$((i+1)); done) | "
      "git fast-import --quiet && git reset -q --hard && git gc -q",
      N_FILES, N_FOLDERS);
  run (root, script->str);
  return g_build_filename (root, "repo", NULL);
}

static void
measure_add (ForeRepository *repository, const char *repo, const char *root, Figure *figure)
{
  g_autofree char *path = g_build_filename (root, "ours", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeWorktree) tree = NULL;
  Seconds start;

  start = get_seconds ();
  run (repo, "git -c core.hooksPath=/dev/null worktree add -q --no-track -b theirs ../theirs");
  note (&figure->theirs, start);
  start = get_seconds ();
  tree = fore_repository_add_worktree (repository, "foredeck/bench/ours", NULL, path, &error);
  note (&figure->ours, start);
  if (tree == NULL)
    g_error ("%s", error->message);
}

static void
change (const char *folder)
{
  g_autofree char *script = g_strdup_printf (
      "find . -name '*.c' | sort | head -%d | xargs sed -i 's/return/return 1 +/'", N_CHANGED);

  run (folder, script);
}

/* Both have to look at every file and to read those that changed. */
static void
measure_diff (const char *root, Figure *figure)
{
  g_autofree char *ours = g_build_filename (root, "ours", NULL);
  g_autofree char *theirs = g_build_filename (root, "theirs", NULL);
  g_autofree char *git_dir = g_build_filename (root, "repo/.git/worktrees/foredeck-bench-ours",
                                               NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeRepository) tree = fore_repository_open_tree (git_dir, ours, &error);
  ForeDiffOptions options = { .context_lines = 3 };
  Seconds start;

  if (tree == NULL)
    g_error ("%s", error->message);

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      g_autoptr (ForeDiff) diff = NULL;

      start = get_seconds ();
      run (theirs, "git diff HEAD > /dev/null && git ls-files -o --exclude-standard > /dev/null");
      note (&figure->theirs, start);
      start = get_seconds ();
      diff = fore_repository_diff (tree, "HEAD", NULL, &options, &error);
      note (&figure->ours, start);
      g_assert_no_error (error);
      g_assert_cmpuint (diff->files->len, ==, N_CHANGED);
    }
}

static void
measure_commit (ForeRepository *repository, const char *root, Figure *figure)
{
  g_autofree char *ours = g_build_filename (root, "ours", NULL);
  g_autofree char *theirs = g_build_filename (root, "theirs", NULL);
  g_autofree char *git_dir = g_build_filename (root, "repo/.git/worktrees/foredeck-bench-ours",
                                               NULL);
  g_autofree char *base = fore_repository_resolve (repository, "main", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeRepository) tree = fore_repository_open_tree (git_dir, ours, &error);
  g_autoptr (ForeTreeCommit) commit = NULL;
  Seconds start = get_seconds ();

  run (theirs, "git add -A && git -c core.hooksPath=/dev/null commit -qm x");
  note (&figure->theirs, start);
  start = get_seconds ();
  commit = fore_repository_commit_tree (tree, "foredeck/bench/ours", base, "x\n", NULL, &error);
  note (&figure->ours, start);
  g_assert_no_error (error);
  g_assert_cmpuint (commit->changes->len, ==, N_CHANGED);
}

static void
remove_trees (ForeRepository *repository, const char *repo, const char *root)
{
  g_autofree char *path = g_build_filename (root, "ours", NULL);

  run (repo, "git worktree remove -f ../theirs && git branch -q -D theirs");
  fore_repository_undo_add_worktree (repository, "foredeck/bench/ours", path, NULL);
}

static gboolean
print (const char *name, const Figure *figure)
{
  double ratio = figure->ours.cpu / figure->theirs.cpu;

  g_print ("{\"name\": \"%s\", \"files\": %d, \"cpu\": %.2f, \"git_cpu\": %.2f, \"ratio\": %.2f, "
           "\"bar\": %.1f, \"seconds\": %.2f, \"git_seconds\": %.2f}\n",
           name, N_FILES, figure->ours.cpu, figure->theirs.cpu, ratio, MAX_RATIO,
           figure->ours.clock, figure->theirs.clock);
  return ratio <= MAX_RATIO * 1.5;
}

int
main (int argc, char **argv)
{
  g_autofree char *root = g_dir_make_tmp ("fore-bench-XXXXXX", NULL);
  g_autofree char *repo = make_repository (root);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeRepository) repository = fore_repository_open (repo, &error);
  Figure add = { 0 }, diff = { 0 }, commit = { 0 };
  gboolean good;

  if (repository == NULL)
    g_error ("%s", error->message);

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      g_autofree char *ours = g_build_filename (root, "ours", NULL);
      g_autofree char *theirs = g_build_filename (root, "theirs", NULL);

      measure_add (repository, repo, root, &add);
      change (ours);
      change (theirs);
      measure_diff (root, &diff);
      measure_commit (repository, root, &commit);
      remove_trees (repository, repo, root);
    }

  good = print ("trees-add", &add);
  good &= print ("trees-diff", &diff);
  good &= print ("trees-commit", &commit);
  fore_folder_remove (root, NULL);
  return good ? 0 : 1;
}
