/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "git-fixture.h"
#include "model/fore-error.h"

/* Work inside of submodules: what an agent does there is in the result, or it is said. */

#define SUB "sub"

typedef struct
{
  ForeWorktree *worktree;
  char *base;
  char *sub; /* folder of the submodule in the tree */
} Task;

static void
task_clear (Task *task)
{
  g_clear_pointer (&task->worktree, fore_worktree_free);
  g_free (task->base);
  g_free (task->sub);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Task, task_clear)

static void
make_library (const char *path)
{
  g_autofree char *made = git_fixture_run (g_get_tmp_dir (), "init", "-q", path, NULL);
  g_autofree char *added = NULL, *first = NULL, *tag = NULL, *second = NULL;

  git_fixture_write (path, "lib.txt", "one\n");
  added = git_fixture_run (path, "add", "-A", NULL);
  first = git_fixture_run (path, "commit", "-qm", "first", NULL);
  tag = git_fixture_run (path, "tag", "v1", NULL);
  git_fixture_write (path, "lib.txt", "one\ntwo\n");
  second = git_fixture_run (path, "commit", "-qam", "second", NULL);
}

/* The project gets a submodule, which the person has checked out. */
static void
add_submodule (GitFixture *fixture)
{
  g_autofree char *library = g_build_filename (fixture->root, "library", NULL);
  g_autofree char *added = NULL, *commit = NULL;

  make_library (library);
  added = git_fixture_run (fixture->main, "submodule", "--quiet", "add", library, SUB, NULL);
  commit = git_fixture_run (fixture->main, "commit", "-qm", "submodule", NULL);
}

static Task
start_task (GitFixture *fixture, const char *name, const char *start)
{
  Task task = { git_fixture_add (fixture, name, start) };
  g_autofree char *log = fore_repository_add_modules (fixture->repository, task.worktree);

  g_test_message ("%s", log);
  task.base = git_fixture_run (fixture->main, "rev-parse", start != NULL ? start : "HEAD", NULL);
  task.sub = g_build_filename (task.worktree->path, SUB, NULL);
  return task;
}

static char *
read_gitlink (GitFixture *fixture, const char *commit)
{
  g_autofree char *spec = g_strconcat (commit, ":" SUB, NULL);

  return git_fixture_run (fixture->main, "rev-parse", spec, NULL);
}

static char *
get_head (const char *dir)
{
  return git_fixture_run (dir, "rev-parse", "HEAD", NULL);
}

static gboolean
mentions (char **sentences, const char *word)
{
  for (guint i = 0; sentences[i] != NULL; i++)
    {
      if (strstr (sentences[i], word) != NULL)
        return TRUE;
    }

  return FALSE;
}

static GStrv
retire (GitFixture *fixture, const ForeWorktree *worktree)
{
  g_autoptr (GError) error = NULL;
  GStrv refs = NULL;

  fore_repository_retire_worktree (fixture->repository, worktree, "run/task", FALSE, &refs, &error);
  g_assert_no_error (error);
  g_assert_false (g_file_test (worktree->path, G_FILE_TEST_EXISTS));

  return refs;
}

static void
test_checked_out (GitFixture *fixture, gconstpointer data)
{
  g_auto (Task) task = { NULL };
  g_autofree char *text = NULL, *status = NULL, *modules = NULL, *own = NULL, *theirs = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;

  add_submodule (fixture);
  task = start_task (fixture, "one", NULL);
  text = git_fixture_read (task.sub, "lib.txt");
  g_assert_cmpstr (text, ==, "one\ntwo\n");
  status = git_fixture_run (task.worktree->path, "status", "--porcelain", NULL);
  g_assert_cmpstr (status, ==, "");
  modules = git_fixture_run (task.worktree->path, "submodule", "status", NULL);
  g_assert_nonnull (strstr (modules, SUB));

  commit = git_fixture_commit (fixture, task.worktree, task.base);
  g_assert_cmpuint (commit->changes->len, ==, 0);
  g_assert_cmpuint (g_strv_length (commit->notes), ==, 0);
  own = git_fixture_run (fixture->main, "status", "--porcelain", NULL);
  g_assert_cmpstr (own, ==, "");
}

static void
test_commits_and_files (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *own = NULL, *made = NULL, *link = NULL, *text = NULL, *parent = NULL;
  g_autofree char *spec = NULL, *agent = NULL, *patch_text = NULL, *after = NULL, *before = NULL;
  g_autofree char *left = NULL, *branch_spec = NULL, *on_branch = NULL, *entries = NULL;
  g_auto (Task) task = { NULL };
  g_auto (GStrv) refs = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;
  g_autoptr (GBytes) patch = NULL;

  add_submodule (fixture);
  own = g_build_filename (fixture->main, SUB, NULL);
  before = get_head (own);
  task = start_task (fixture, "one", NULL);
  git_fixture_write (task.sub, "lib.txt", "one\ntwo\nthree\n");
  made = git_fixture_run (task.sub, "commit", "-qam", "by the agent", NULL);
  agent = get_head (task.sub);
  git_fixture_write (task.sub, "new.txt", "not committed\n");

  commit = git_fixture_commit (fixture, task.worktree, task.base);
  g_assert_cmpuint (commit->changes->len, ==, 1);
  g_assert_nonnull (git_fixture_find (commit->changes, SUB));
  g_assert_true (mentions (commit->notes, SUB));

  link = read_gitlink (fixture, commit->commit);
  spec = g_strconcat (link, ":new.txt", NULL);
  text = git_fixture_run (own, "show", spec, NULL);
  g_assert_cmpstr (text, ==, "not committed");
  branch_spec = g_strconcat (link, "^", NULL);
  parent = git_fixture_run (own, "rev-parse", branch_spec, NULL);
  g_assert_cmpstr (parent, ==, agent);
  patch = fore_repository_diff_patch (fixture->repository, task.base, commit->commit, NULL);
  patch_text = g_strndup (g_bytes_get_data (patch, NULL), g_bytes_get_size (patch));
  g_assert_nonnull (strstr (patch_text, link));

  refs = retire (fixture, task.worktree);
  g_assert_cmpuint (g_strv_length (refs), ==, 0);
  on_branch = git_fixture_run (own, "rev-parse", task.worktree->branch, NULL);
  g_assert_cmpstr (on_branch, ==, link);
  entries = git_fixture_run (own, "worktree", "list", "--porcelain", NULL);
  g_assert_null (strstr (entries, task.sub));
  after = get_head (own);
  g_assert_cmpstr (after, ==, before);
  left = git_fixture_run (own, "fsck", "--no-dangling", NULL);
}

/* An agent that goes back to a release gets that release, not a commit of ours. */
static void
test_older_release (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *moved = NULL, *link = NULL, *own = NULL, *tag = NULL;
  g_auto (Task) task = { NULL };
  g_autoptr (ForeTreeCommit) commit = NULL;

  add_submodule (fixture);
  task = start_task (fixture, "one", NULL);
  moved = git_fixture_run (task.sub, "checkout", "-q", "v1", NULL);
  commit = git_fixture_commit (fixture, task.worktree, task.base);
  link = read_gitlink (fixture, commit->commit);
  own = g_build_filename (fixture->main, SUB, NULL);
  tag = git_fixture_run (own, "rev-parse", "v1", NULL);
  g_assert_cmpstr (link, ==, tag);
  g_assert_cmpuint (g_strv_length (commit->notes), ==, 0);
}

static void
test_nested (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *library = g_build_filename (fixture->root, "library", NULL);
  g_autofree char *inner = g_build_filename (fixture->root, "inner", NULL);
  g_autofree char *added = NULL, *made = NULL, *update = NULL, *link = NULL, *deep = NULL;
  g_autofree char *more = NULL, *committed = NULL, *own = NULL, *own_deep = NULL, *text = NULL;
  g_autofree char *spec = NULL, *deep_link = NULL, *deep_spec = NULL, *path = NULL;
  g_auto (Task) task = { NULL };
  g_auto (GStrv) refs = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;

  make_library (library);
  make_library (inner);
  added = git_fixture_run (library, "submodule", "--quiet", "add", inner, "deep", NULL);
  made = git_fixture_run (library, "commit", "-qm", "deep", NULL);
  more = git_fixture_run (fixture->main, "submodule", "--quiet", "add", library, SUB, NULL);
  committed = git_fixture_run (fixture->main, "commit", "-qm", "submodule", NULL);
  update = git_fixture_run (fixture->main, "submodule", "--quiet", "update", "--init",
                            "--recursive", NULL);

  task = start_task (fixture, "one", NULL);
  deep = g_build_filename (task.sub, "deep", NULL);
  path = g_build_filename (SUB, "deep", "lib.txt", NULL);
  g_assert_true (git_fixture_exists (task.worktree->path, path));
  git_fixture_write (deep, "lib.txt", "deep work\n");

  commit = git_fixture_commit (fixture, task.worktree, task.base);
  link = read_gitlink (fixture, commit->commit);
  own = g_build_filename (fixture->main, SUB, NULL);
  own_deep = g_build_filename (own, "deep", NULL);
  spec = g_strconcat (link, ":deep", NULL);
  deep_link = git_fixture_run (own, "rev-parse", spec, NULL);
  deep_spec = g_strconcat (deep_link, ":lib.txt", NULL);
  text = git_fixture_run (own_deep, "show", deep_spec, NULL);
  g_assert_cmpstr (text, ==, "deep work");
  refs = retire (fixture, task.worktree);
}

static void
test_removed (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *removed = NULL, *names = NULL;
  g_auto (Task) task = { NULL };
  g_autoptr (ForeTreeCommit) commit = NULL;

  add_submodule (fixture);
  task = start_task (fixture, "one", NULL);
  removed = git_fixture_run (task.worktree->path, "rm", "-qf", SUB, NULL);
  commit = git_fixture_commit (fixture, task.worktree, task.base);
  names = git_fixture_run (fixture->main, "ls-tree", "--name-only", commit->commit, NULL);
  g_assert_null (strstr (names, SUB));
}

/* The files of a submodule become the project's own. */
static void
test_absorbed (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *link = NULL, *removed = NULL, *spec = NULL, *text = NULL;
  g_auto (Task) task = { NULL };
  g_autoptr (ForeTreeCommit) commit = NULL;

  add_submodule (fixture);
  task = start_task (fixture, "one", NULL);
  removed = git_fixture_run (task.worktree->path, "rm", "-q", "--cached", SUB, NULL);
  link = g_build_filename (task.sub, ".git", NULL);
  g_assert_cmpint (g_unlink (link), ==, 0);
  commit = git_fixture_commit (fixture, task.worktree, task.base);
  spec = g_strconcat (commit->commit, ":" SUB "/lib.txt", NULL);
  text = git_fixture_run (fixture->main, "show", spec, NULL);
  g_assert_cmpstr (text, ==, "one\ntwo");
}

static void
test_added_by_an_agent (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *library = g_build_filename (fixture->root, "library", NULL);
  g_autofree char *added = NULL, *entry = NULL, *work = NULL, *head = NULL, *link = NULL;
  g_auto (Task) task = { NULL };
  g_autoptr (ForeTreeCommit) commit = NULL;
  g_autoptr (ForeTreeCommit) again = NULL;
  g_autoptr (GError) error = NULL;

  make_library (library);
  task = start_task (fixture, "one", NULL);
  added = git_fixture_run (task.worktree->path, "submodule", "--quiet", "add", library, SUB, NULL);
  commit = git_fixture_commit (fixture, task.worktree, task.base);
  entry = git_fixture_run (fixture->main, "ls-tree", commit->commit, SUB, NULL);
  g_assert_true (g_str_has_prefix (entry, "160000 commit"));
  g_assert_cmpuint (g_strv_length (commit->notes), ==, 0);

  work = git_fixture_run (task.sub, "commit", "-q", "--allow-empty", "-m", "work", NULL);
  head = get_head (task.sub);
  again = git_fixture_commit (fixture, task.worktree, task.base);
  link = read_gitlink (fixture, again->commit);
  g_assert_cmpstr (link, ==, head);
  g_assert_true (mentions (again->notes, task.sub));
  g_assert_false (fore_repository_retire_worktree (fixture->repository, task.worktree, "run/task",
                                                   FALSE, NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
}

/* The person never checked the submodule out: an agent that fetches it works where nobody else
 * looks.
 */
static void
test_no_clone (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *gone = NULL, *modules = NULL, *update = NULL, *log = NULL;
  g_auto (Task) task = { NULL };
  g_autoptr (ForeTreeCommit) commit = NULL;
  g_autoptr (ForeTreeCommit) unseen = NULL;

  add_submodule (fixture);
  gone = git_fixture_run (fixture->main, "submodule", "--quiet", "deinit", "-f", SUB, NULL);
  modules = g_build_filename (fixture->main, ".git", "modules", SUB, NULL);
  log = g_strconcat (modules, ".elsewhere", NULL);
  g_assert_cmpint (g_rename (modules, log), ==, 0);

  task = start_task (fixture, "one", NULL);
  git_fixture_write (task.sub, "unseen.txt", "text\n");
  unseen = git_fixture_commit (fixture, task.worktree, task.base);
  g_assert_true (mentions (unseen->notes, SUB));
  git_fixture_write (task.sub, "unseen.txt", "");
  g_clear_pointer (&log, g_free);
  log = g_build_filename (task.sub, "unseen.txt", NULL);
  g_assert_cmpint (g_unlink (log), ==, 0);

  update = git_fixture_run (task.worktree->path, "submodule", "--quiet", "update", "--init", NULL);
  git_fixture_write (task.sub, "lib.txt", "nobody sees this\n");
  commit = git_fixture_commit (fixture, task.worktree, task.base);
  g_assert_true (mentions (commit->notes, task.sub));
}

/* The clone that the person has put away is enough. */
static void
test_clone_put_away (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *gone = NULL, *modules = NULL, *link = NULL, *spec = NULL, *text = NULL;
  g_auto (Task) task = { NULL };
  g_autoptr (ForeTreeCommit) commit = NULL;

  add_submodule (fixture);
  gone = git_fixture_run (fixture->main, "submodule", "--quiet", "deinit", "-f", SUB, NULL);
  task = start_task (fixture, "one", NULL);
  git_fixture_write (task.sub, "lib.txt", "work\n");
  commit = git_fixture_commit (fixture, task.worktree, task.base);
  link = read_gitlink (fixture, commit->commit);
  modules = g_build_filename (fixture->main, ".git", "modules", SUB, NULL);
  spec = g_strconcat (link, ":lib.txt", NULL);
  text = git_fixture_run (modules, "show", spec, NULL);
  g_assert_cmpstr (text, ==, "work");
}

/* An attempt that was cut short leaves its files to the rescue. */
static void
test_rescued (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *own = NULL, *spec = NULL, *text = NULL;
  g_auto (Task) task = { NULL };
  g_auto (GStrv) refs = NULL;
  g_autoptr (ForeTreeReport) report = NULL;

  add_submodule (fixture);
  task = start_task (fixture, "one", NULL);
  git_fixture_write (task.sub, "lib.txt", "half done\n");
  report = fore_repository_inspect_worktree (fixture->repository, task.worktree, NULL);
  g_assert_cmpuint (report->n_files, ==, 1);
  refs = retire (fixture, task.worktree);
  g_assert_cmpuint (g_strv_length (refs), ==, 1);
  g_assert_true (g_str_has_prefix (refs[0], SUB ":refs/foredeck/rescue/run/task/"));
  own = g_build_filename (fixture->main, SUB, NULL);
  spec = g_strconcat (refs[0] + strlen (SUB ":"), ":lib.txt", NULL);
  text = git_fixture_run (own, "show", spec, NULL);
  g_assert_cmpstr (text, ==, "half done");
}

static void
test_renewed (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *log = NULL, *text = NULL, *own = NULL, *rescues = NULL;
  g_auto (Task) task = { NULL };
  g_autoptr (ForeWorktree) renewed = NULL;
  g_autoptr (GError) error = NULL;

  add_submodule (fixture);
  task = start_task (fixture, "one", NULL);
  git_fixture_write (task.sub, "lib.txt", "half done\n");
  renewed = fore_repository_renew_worktree (fixture->repository, task.worktree, task.base,
                                            "run/task", &error);
  g_assert_no_error (error);
  log = fore_repository_add_modules (fixture->repository, renewed);
  text = git_fixture_read (task.sub, "lib.txt");
  g_assert_cmpstr (text, ==, "one\ntwo\n");
  own = g_build_filename (fixture->main, SUB, NULL);
  rescues = git_fixture_run (own, "for-each-ref", "refs/foredeck/rescue", NULL);
  g_assert_cmpstr (rescues, !=, "");
}

static void
test_undone (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *own = NULL, *entries = NULL, *branches = NULL;
  g_auto (Task) task = { NULL };
  g_autoptr (GError) error = NULL;

  add_submodule (fixture);
  task = start_task (fixture, "one", NULL);
  g_assert_true (fore_repository_undo_add_worktree (fixture->repository, task.worktree->branch,
                                                    task.worktree->path, &error));
  g_assert_no_error (error);
  own = g_build_filename (fixture->main, SUB, NULL);
  entries = git_fixture_run (own, "worktree", "list", "--porcelain", NULL);
  g_assert_null (strstr (entries, task.sub));
  branches = git_fixture_run (own, "branch", "--list", task.worktree->branch, NULL);
  g_assert_cmpstr (branches, ==, "");
}

static char *
change_submodule (GitFixture *fixture, const char *name, const char *text)
{
  g_auto (Task) task = start_task (fixture, name, NULL);
  g_autoptr (ForeTreeCommit) commit = NULL;

  git_fixture_write (task.sub, "lib.txt", text);
  commit = git_fixture_commit (fixture, task.worktree, task.base);
  return g_strdup (commit->commit);
}

/* Two tasks that move the same submodule are a conflict, and what is chosen is what stands. */
static void
test_two_move_it (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *one = NULL, *two = NULL, *link = NULL, *theirs = NULL;
  g_autoptr (ForeMergeResult) merge = NULL;
  g_autoptr (ForeMergeResult) chosen = NULL;
  g_autoptr (GError) error = NULL;

  add_submodule (fixture);
  one = change_submodule (fixture, "one", "by one\n");
  two = change_submodule (fixture, "two", "by two\n");
  merge = fore_repository_merge_commits (fixture->repository, (const char *[]){ one, two, NULL },
                                         FORE_MERGE_FAVOR_NONE, "merge\n", NULL, &error);
  g_assert_no_error (error);
  g_assert_false (merge->clean);
  g_assert_cmpstr (((ForeMergeConflict *) merge->conflicts->pdata[0])->path, ==, SUB);

  chosen = fore_repository_merge_commits (fixture->repository, (const char *[]){ one, two, NULL },
                                          FORE_MERGE_FAVOR_THEIRS, "merge\n", NULL, &error);
  g_assert_no_error (error);
  link = read_gitlink (fixture, chosen->commit);
  theirs = read_gitlink (fixture, two);
  g_assert_cmpstr (link, ==, theirs);
}

/* Merging moves the target; the person's own checkout of the submodule stays where it is, and a
 * further merge is not refused for that.
 */
static void
test_merged (GitFixture *fixture, gconstpointer data)
{
  g_autofree char *one = NULL, *two = NULL, *link = NULL, *now = NULL, *update = NULL;
  g_autofree char *text = NULL, *own = NULL;

  add_submodule (fixture);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *old = git_fixture_run (fixture->main, "rev-parse", "main", NULL);
      g_autofree char *work = change_submodule (fixture, i == 0 ? "one" : "two",
                                                i == 0 ? "by one\n" : "by two\n");
      g_autoptr (GError) error = NULL;
      g_autoptr (ForeMergeResult) merge = NULL;

      merge = fore_repository_merge_into (fixture->repository, "main", old, work,
                                          FORE_MERGE_FAST_FORWARD, "merge\n", FALSE, &error);
      g_assert_no_error (error);
      g_assert_true (merge->clean);
    }

  update = git_fixture_run (fixture->main, "submodule", "--quiet", "update", NULL);
  own = g_build_filename (fixture->main, SUB, NULL);
  text = git_fixture_read (own, "lib.txt");
  g_assert_cmpstr (text, ==, "by two\n");
}

int
main (int argc, char **argv)
{
  git_test_init (&argc, &argv);
  git_test_add ("/git/modules/checked-out", test_checked_out);
  git_test_add ("/git/modules/commits-and-files", test_commits_and_files);
  git_test_add ("/git/modules/older-release", test_older_release);
  git_test_add ("/git/modules/nested", test_nested);
  git_test_add ("/git/modules/removed", test_removed);
  git_test_add ("/git/modules/absorbed", test_absorbed);
  git_test_add ("/git/modules/added-by-an-agent", test_added_by_an_agent);
  git_test_add ("/git/modules/no-clone", test_no_clone);
  git_test_add ("/git/modules/clone-put-away", test_clone_put_away);
  git_test_add ("/git/modules/rescued", test_rescued);
  git_test_add ("/git/modules/renewed", test_renewed);
  git_test_add ("/git/modules/undone", test_undone);
  git_test_add ("/git/modules/two-move-it", test_two_move_it);
  git_test_add ("/git/modules/merged", test_merged);

  return git_test_run ();
}
