/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "git-fixture.h"
#include "git/fore-quarantine.h"

#define BRANCH "foredeck/r/task"

/* A place for what a sandbox writes to the repository of the fixture, and a second repository. */
typedef struct
{
  GitFixture git;
  char *folder;
  char *objects;
  char *refs;
  char *other;
} Place;

static void
set_up (Place *place, gconstpointer data)
{
  g_autoptr (ForeSandbox) sandbox = fore_sandbox_new ("workspace-write");
  g_autoptr (GError) error = NULL;
  g_autofree char *common = NULL;
  g_autofree char *name = NULL;

  git_fixture_set_up (&place->git, data);
  common = g_build_filename (place->git.main, ".git", NULL);
  name = g_compute_checksum_for_string (G_CHECKSUM_SHA1, common, -1);
  place->folder = g_build_filename (place->git.root, "place", NULL);
  place->objects = g_build_filename (place->folder, name, "objects", NULL);
  place->refs = g_build_filename (place->folder, name, "refs", NULL);
  place->other = g_build_filename (place->git.root, "other", NULL);
  g_free (git_fixture_run (place->git.main, "branch", BRANCH, NULL));
  g_free (git_fixture_run (place->git.main, "branch", "foredeck/r/beside", NULL));
  fore_quarantine_add (place->folder, common, BRANCH, sandbox, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_mkdir (place->other, 0700), ==, 0);
  g_free (git_fixture_run (place->other, "init", "-q", NULL));
}

static void
tear_down (Place *place, gconstpointer data)
{
  g_free (place->folder);
  g_free (place->objects);
  g_free (place->refs);
  g_free (place->other);
  git_fixture_tear_down (&place->git, data);
}

/* A loose object of the other repository: its id. */
static char *
make_object (const Place *place, const char *text)
{
  g_autofree char *oid = NULL;

  git_fixture_write (place->other, "text", text);
  oid = git_fixture_run (place->other, "hash-object", "-w", "text", NULL);

  return g_strdup (g_strstrip (oid));
}

static char *
dup_object_path (const char *objects, const char *oid)
{
  g_autofree char *folder = g_strndup (oid, 2);

  return g_build_filename (objects, folder, oid + 2, NULL);
}

static char *
dup_other_path (const Place *place, const char *oid)
{
  g_autofree char *objects = g_build_filename (place->other, ".git", "objects", NULL);

  return dup_object_path (objects, oid);
}

/* Writes bytes where an object of that name would lie. */
static void
plant (const Place *place, const char *oid, const char *bytes, gsize length)
{
  g_autofree char *path = dup_object_path (place->objects, oid);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
}

static void
plant_object (const Place *place, const char *oid)
{
  g_autofree char *path = dup_other_path (place, oid);
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  plant (place, oid, bytes, length);
}

static gboolean
has_object (const Place *place, const char *oid)
{
  return git_fixture_try (place->git.main, "cat-file", "-e", oid, NULL);
}

/* One that lies in both: its id. */
static char *
plant_text (const Place *place, const char *text)
{
  char *oid = make_object (place, text);

  plant_object (place, oid);

  return oid;
}

static void
check_repository (const Place *place)
{
  g_free (git_fixture_run (place->git.main, "fsck", "--full", "--no-dangling", NULL));
}

static void
import (const Place *place)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (fore_quarantine_import (place->folder, &error));
  g_assert_no_error (error);
  g_assert_false (g_file_test (place->folder, G_FILE_TEST_EXISTS));
  g_assert_true (fore_quarantine_import (place->folder, &error));
}

static void
test_objects (Place *place, gconstpointer data)
{
  g_autofree char *big = g_strnfill (3000000, 'x');
  g_autofree char *one = NULL;
  g_autofree char *empty = NULL;
  g_autofree char *large = NULL;
  g_autofree char *content = NULL;

  one = plant_text (place, "one\n");
  empty = plant_text (place, "");
  large = plant_text (place, big);
  import (place);

  g_assert_true (has_object (place, one));
  g_assert_true (has_object (place, empty));
  content = git_fixture_run (place->git.main, "cat-file", "blob", large, NULL);
  g_assert_cmpuint (strlen (content), ==, strlen (big));
  check_repository (place);
}

/* Many come in a pack: those that are whole, and large ones apart. */
static void
test_many (Place *place, gconstpointer data)
{
  g_autofree char *big = g_strnfill (2000000, 'x');
  g_autofree char *large = NULL;
  g_autofree char *packs = g_build_filename (place->git.main, ".git", "objects", "pack", NULL);
  g_autoptr (GPtrArray) oids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = NULL;
  guint n_packs = 0;
  const char *name;

  for (guint i = 0; i < 120; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u\n", i);

      g_ptr_array_add (oids, plant_text (place, text));
    }
  large = plant_text (place, big);
  plant (place, "1111111111111111111111111111111111111111", "no zlib", 7);
  import (place);

  for (guint i = 0; i < oids->len; i++)
    g_assert_true (has_object (place, g_ptr_array_index (oids, i)));
  g_assert_true (has_object (place, large));
  dir = g_dir_open (packs, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    n_packs += g_str_has_suffix (name, ".pack");
  g_assert_cmpuint (n_packs, ==, 1);
  check_repository (place);
}

static void
test_packs (Place *place, gconstpointer data)
{
  g_autofree char *packs = NULL;
  g_autofree char *broken = NULL;
  g_autofree char *own = NULL;
  g_autofree char *oid = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;

  git_fixture_write (place->other, "packed", "packed\n");
  g_free (git_fixture_run (place->other, "add", "packed", NULL));
  g_free (git_fixture_run (place->other, "commit", "-q", "-m", "packed", NULL));
  g_free (git_fixture_run (place->other, "repack", "-a", "-d", "-q", NULL));
  oid = git_fixture_run (place->other, "rev-parse", "HEAD", NULL);
  g_strstrip (oid);
  packs = g_build_filename (place->other, ".git", "objects", "pack", NULL);
  own = g_build_filename (place->objects, "pack", NULL);
  dir = g_dir_open (packs, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *from = g_build_filename (packs, name, NULL);
      g_autofree char *to = g_build_filename (own, name, NULL);

      g_assert_cmpint (g_rename (from, to), ==, 0);
    }
  broken = g_build_filename (own, "pack-broken.pack", NULL);
  g_assert_true (g_file_set_contents (broken, "PACK and no more", -1, NULL));

  import (place);
  g_assert_true (has_object (place, oid));
  check_repository (place);
}

/* Whoever brings it home can read more than who wrote it. */
static void
test_traps (Place *place, gconstpointer data)
{
  g_autofree char *secret = NULL;
  g_autofree char *linked = NULL;
  g_autofree char *good = NULL;
  g_autofree char *path = NULL;
  g_autofree char *target = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *target_folder = NULL;
  g_autofree char *pipe_path = NULL;

  secret = make_object (place, "secret\n");
  linked = make_object (place, "linked\n");
  good = make_object (place, "good\n");

  target = dup_other_path (place, secret);
  path = dup_object_path (place->objects, secret);
  target_folder = g_path_get_dirname (target);
  folder = g_path_get_dirname (path);
  g_assert_cmpint (symlink (target_folder, folder), ==, 0);

  g_free (target);
  g_free (path);
  target = dup_other_path (place, linked);
  path = dup_object_path (place->objects, linked);
  plant (place, linked, "", 0);
  g_unlink (path);
  g_assert_cmpint (symlink (target, path), ==, 0);

  plant (place, "00112233445566778899aabbccddeeff00112233", "no zlib", 7);
  pipe_path = dup_object_path (place->objects, "0011223344556677889900000000000000000000");
  g_assert_cmpint (mkfifo (pipe_path, 0600), ==, 0);
  plant_object (place, good);

  import (place);
  g_assert_false (has_object (place, secret));
  g_assert_false (has_object (place, linked));
  g_assert_true (has_object (place, good));
  check_repository (place);
}

/* An object by a name that is not its own, one that is cut off, and one that claims to be longer.
 */
static void
test_lies (Place *place, gconstpointer data)
{
  g_autofree char *one = NULL;
  g_autofree char *two = NULL;
  g_autofree char *long_text = g_strnfill (100000, 'y');
  g_autofree char *path = NULL;
  g_autofree char *bytes = NULL;
  g_autofree char *cut_path = NULL;
  g_autofree char *cut_bytes = NULL;
  gsize length;

  one = make_object (place, "one\n");
  two = make_object (place, long_text);
  path = dup_other_path (place, one);
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  plant (place, "1111111111111111111111111111111111111111", bytes, length);
  cut_path = dup_other_path (place, two);
  g_assert_true (g_file_get_contents (cut_path, &cut_bytes, &length, NULL));
  plant (place, two, cut_bytes, length - 8);

  import (place);
  g_assert_false (has_object (place, one));
  g_assert_false (has_object (place, two));
  g_assert_false (has_object (place, "1111111111111111111111111111111111111111"));
}

static void
write_ref (const Place *place, const char *name, const char *oid)
{
  g_autofree char *text = g_strconcat (oid, "\n", NULL);

  git_fixture_write (place->refs, name, text);
}

static char *
read_branch (const Place *place, const char *branch)
{
  return g_strstrip (git_fixture_run (place->git.main, "rev-parse", branch, NULL));
}

static void
test_branches (Place *place, gconstpointer data)
{
  g_autofree char *head = read_branch (place, "HEAD");
  g_autofree char *tree = g_strstrip (
      git_fixture_run (place->git.main, "rev-parse", "HEAD^{tree}", NULL));
  g_autofree char *next = NULL;
  g_autofree char *own = NULL;
  g_autofree char *elsewhere = NULL;
  g_autofree char *rescued = NULL;
  g_autofree char *beside = NULL;
  g_autofree char *fresh = NULL;
  g_autofree char *link = NULL;

  next = g_strstrip (
      git_fixture_run (place->git.main, "commit-tree", "-p", head, "-m", "next", tree, NULL));
  write_ref (place, "task", next);
  elsewhere = g_strstrip (
      git_fixture_run (place->git.main, "commit-tree", "-p", head, "-m", "elsewhere", tree, NULL));
  write_ref (place, "beside", elsewhere);
  write_ref (place, "new", next);
  write_ref (place, "bad..name", next);
  write_ref (place, "nowhere", "1111111111111111111111111111111111111111");
  git_fixture_write (place->refs, "text", "ref: refs/heads/main\n");
  link = g_build_filename (place->refs, "link", NULL);
  g_assert_cmpint (symlink ("task", link), ==, 0);
  import (place);

  own = read_branch (place, BRANCH);
  beside = read_branch (place, "foredeck/r/beside");
  fresh = read_branch (place, "foredeck/r/new");
  g_assert_cmpstr (own, ==, next);
  g_assert_cmpstr (beside, ==, head);
  rescued = git_fixture_run (place->git.main, "for-each-ref", "--points-at", elsewhere,
                             "refs/foredeck/rescue/r/task", NULL);
  g_assert_cmpstr (rescued, !=, "");
  g_assert_cmpstr (fresh, ==, next);
  for (guint i = 0; i < 3; i++)
    {
      const char *const names[] = { "foredeck/r/nowhere", "foredeck/r/text", "foredeck/r/link" };

      g_assert_false (
          git_fixture_try (place->git.main, "rev-parse", "-q", "--verify", names[i], NULL));
    }
}

static gboolean
is_rescued (const Place *place, const char *oid)
{
  g_autofree char *found = git_fixture_run (place->git.main, "for-each-ref", "--points-at", oid,
                                            "refs/foredeck/rescue/r/task", NULL);

  return *found != '\0';
}

static char *
commit_next (const Place *place, const char *message)
{
  return g_strstrip (git_fixture_run (place->git.main, "commit-tree", "-p", "HEAD", "-m", message,
                                      "HEAD^{tree}", NULL));
}

/* Also a branch in a folder of branches has work of somebody on it. */
static void
test_branches_in_folders (Place *place, gconstpointer data)
{
  g_autofree char *nested = commit_next (place, "nested");
  g_autofree char *below = commit_next (place, "below a branch");
  g_autofree char *above = commit_next (place, "above a branch");
  g_autofree char *outside = commit_next (place, "outside");
  g_autofree char *found = NULL;
  g_autofree char *link = g_build_filename (place->refs, "link", NULL);
  g_autofree char *other = g_build_filename (place->folder, "other", NULL);

  g_assert_true (git_fixture_try (place->git.main, "branch", "foredeck/r/taken", NULL));
  g_assert_true (git_fixture_try (place->git.main, "branch", "foredeck/r/folder/branch", NULL));
  write_ref (place, "deep/and/deeper", nested);
  write_ref (place, "taken/sub", below);
  write_ref (place, "folder", above);
  git_fixture_write (other, "name", outside);
  g_assert_cmpint (symlink (other, link), ==, 0);
  import (place);

  found = read_branch (place, "foredeck/r/deep/and/deeper");
  g_assert_cmpstr (found, ==, nested);
  g_assert_true (is_rescued (place, below));
  g_assert_true (is_rescued (place, above));
  g_assert_false (is_rescued (place, outside));
  g_assert_false (git_fixture_try (place->git.main, "rev-parse", "-q", "--verify",
                                   "foredeck/r/link/name", NULL));
}

/* What cannot be brought home now is there the next time. */
static void
test_repository_away (Place *place, gconstpointer data)
{
  g_autofree char *common = g_build_filename (place->git.main, ".git", NULL);
  g_autofree char *away = g_build_filename (place->git.main, "away", NULL);
  g_autofree char *oid = NULL;
  g_autoptr (GError) error = NULL;

  oid = plant_text (place, "one\n");
  g_assert_cmpint (g_rename (common, away), ==, 0);
  g_assert_false (fore_quarantine_import (place->folder, &error));
  g_assert_nonnull (error);
  g_assert_true (g_file_test (place->folder, G_FILE_TEST_IS_DIR));

  g_assert_cmpint (g_rename (away, common), ==, 0);
  import (place);
  g_assert_true (has_object (place, oid));
}

static void
test_copy (Place *place, gconstpointer data)
{
  g_autofree char *one = NULL;
  g_autoptr (GError) error = NULL;

  one = plant_text (place, "one\n");
  g_assert_true (fore_quarantine_copy (place->folder, G_MAXINT64, &error));
  g_assert_false (has_object (place, one));
  g_assert_true (fore_quarantine_copy (place->folder, 1, &error));
  g_assert_no_error (error);
  g_assert_true (has_object (place, one));
  g_assert_true (g_file_test (place->objects, G_FILE_TEST_IS_DIR));
  import (place);
}

/* Work of which every part has a way of its own: loose objects, a large one, a pack, branches. */
typedef struct
{
  char *commit;
  char *packed;
  char *large;
} Work;

static void
work_clear (Work *work)
{
  g_free (work->commit);
  g_free (work->packed);
  g_free (work->large);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static void
copy_tree (const char *from, const char *to)
{
  const char *argv[] = { "cp", "-r", from, to, NULL };

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                               NULL, NULL, NULL));
}

static char *
commit_all (const Place *place, const char *message)
{
  g_free (git_fixture_run (place->other, "add", "-A", NULL));
  g_free (git_fixture_run (place->other, "commit", "-q", "-m", message, NULL));

  return g_strstrip (git_fixture_run (place->other, "rev-parse", "HEAD", NULL));
}

static void
do_work (const Place *place, guint n_files, Work *work)
{
  g_autofree char *objects = g_build_filename (place->other, ".git", "objects", ".", NULL);
  g_autofree char *big = g_strnfill (1500000, 'z');

  git_fixture_write (place->other, "packed", "packed\n");
  work->packed = commit_all (place, "packed");
  g_free (git_fixture_run (place->other, "repack", "-a", "-d", "-q", NULL));
  work->large = make_object (place, big);
  for (guint i = 0; i < n_files; i++)
    {
      g_autofree char *name = g_strdup_printf ("file-%u", i);

      git_fixture_write (place->other, name, name);
    }
  work->commit = commit_all (place, "loose");
  copy_tree (objects, place->objects);
  write_ref (place, "task", work->commit);
}

/* Either all of it is at home, or it still lies where it was written. */
static void
check_work (const Place *place, const Work *work)
{
  g_autofree char *branch = read_branch (place, BRANCH);

  g_assert_cmpstr (branch, ==, work->commit);
  g_assert_true (has_object (place, work->packed));
  g_assert_true (has_object (place, work->large));
  check_repository (place);
}

/* With so little of what the machine has that it ends somewhere in the middle. */
static gboolean
import_with (const Place *place, int resource, rlim_t limit)
{
  g_autoptr (GError) error = NULL;
  rlim_t before = git_test_limit (resource, limit);
  gboolean done = fore_quarantine_import (place->folder, &error);

  git_test_limit (resource, before);
  g_assert_true (done == (error == NULL));
  if (!done)
    g_assert_true (g_file_test (place->refs, G_FILE_TEST_IS_DIR));

  return done;
}

/* Files that cannot be opened just now are no traps. */
static void
test_few_files (Place *place, gconstpointer data)
{
  g_auto (Work) work = { 0 };
  rlim_t limit = git_test_find_next_file ();
  guint n_failed = 0;

  do_work (place, GPOINTER_TO_UINT (data), &work);
  while (!import_with (place, RLIMIT_NOFILE, limit++))
    n_failed++;

  g_assert_cmpuint (n_failed, >, 2);
  check_work (place, &work);
}

/* As a disk with no more room than that. */
static void
test_full_disk (Place *place, gconstpointer data)
{
  g_auto (Work) work = { 0 };
  void (*was) (int) = signal (SIGXFSZ, SIG_IGN);
  guint n_failed = 0;

  do_work (place, GPOINTER_TO_UINT (data), &work);
  for (rlim_t limit = 0; !import_with (place, RLIMIT_FSIZE, limit); limit = limit * 2 + 1)
    n_failed++;

  signal (SIGXFSZ, was);
  g_assert_cmpuint (n_failed, >, 2);
  check_work (place, &work);
}

/* Killed a bit later each time, until it comes to its end. */
static void
test_killed (Place *place, gconstpointer data)
{
  g_auto (Work) work = { 0 };
  int status = SIGKILL;

  do_work (place, GPOINTER_TO_UINT (data), &work);
  for (gulong wait = 100; !WIFEXITED (status); wait += wait / 2)
    {
      pid_t child = fork ();

      g_assert_cmpint (child, >=, 0);
      if (child == 0)
        _exit (fore_quarantine_import (place->folder, NULL) ? 0 : 1);
      g_usleep (wait);
      kill (child, SIGKILL);
      g_assert_cmpint (waitpid (child, &status, 0), ==, child);
      check_repository (place);
    }

  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
  check_work (place, &work);
}

static void
add (const char *path, void (*test) (Place *place, gconstpointer data))
{
  g_test_add (path, Place, NULL, set_up, test, tear_down);
}

/* With few objects, which come one by one, and with many, which come in a pack. */
static void
add_trouble (const char *path, void (*test) (Place *place, gconstpointer data))
{
  g_autofree char *few = g_strconcat (path, "/one-by-one", NULL);
  g_autofree char *many = g_strconcat (path, "/in-a-pack", NULL);

  g_test_add (few, Place, GUINT_TO_POINTER (3), set_up, test, tear_down);
  g_test_add (many, Place, GUINT_TO_POINTER (80), set_up, test, tear_down);
}

int
main (int argc, char **argv)
{
  git_test_init (&argc, &argv);
  add ("/quarantine/objects", test_objects);
  add ("/quarantine/many", test_many);
  add ("/quarantine/packs", test_packs);
  add ("/quarantine/traps", test_traps);
  add ("/quarantine/lies", test_lies);
  add ("/quarantine/branches", test_branches);
  add ("/quarantine/branches/folders", test_branches_in_folders);
  add ("/quarantine/repository-away", test_repository_away);
  add ("/quarantine/copy", test_copy);
  add_trouble ("/quarantine/few-files", test_few_files);
  add_trouble ("/quarantine/full-disk", test_full_disk);
  add_trouble ("/quarantine/killed", test_killed);

  return git_test_run ();
}
