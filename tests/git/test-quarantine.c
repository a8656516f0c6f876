/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "git-fixture.h"
#include "git/fore-quarantine.h"

#define BRANCH "foredeck/r/task"

/* A place for what a sandbox writes to the repository of the fixture, and a second repository. */
typedef struct
{
  char *folder;
  char *objects;
  char *refs;
  char *other;
} Place;

static void
place_clear (Place *place)
{
  g_free (place->folder);
  g_free (place->objects);
  g_free (place->refs);
  g_free (place->other);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

static void
make_place (GitFixture *fixture, Place *place)
{
  g_autofree char *common = g_build_filename (fixture->main, ".git", NULL);
  g_autofree char *name = g_compute_checksum_for_string (G_CHECKSUM_SHA1, common, -1);
  g_autoptr (ForeSandbox) sandbox = fore_sandbox_new ("workspace-write");
  g_autoptr (GError) error = NULL;
  g_autofree char *said = NULL;

  place->folder = g_build_filename (fixture->root, "place", NULL);
  place->objects = g_build_filename (place->folder, name, "objects", NULL);
  place->refs = g_build_filename (place->folder, name, "refs", NULL);
  place->other = g_build_filename (fixture->root, "other", NULL);
  g_free (git_fixture_run (fixture->main, "branch", BRANCH, NULL));
  g_free (git_fixture_run (fixture->main, "branch", "foredeck/r/beside", NULL));
  fore_quarantine_add (place->folder, common, BRANCH, sandbox, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_mkdir (place->other, 0700), ==, 0);
  said = git_fixture_run (place->other, "init", "-q", NULL);
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
has_object (GitFixture *fixture, const char *oid)
{
  return git_fixture_try (fixture->main, "cat-file", "-e", oid, NULL);
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
test_objects (GitFixture *fixture, gconstpointer data)
{
  g_auto (Place) place = { 0 };
  g_autofree char *big = g_strnfill (3000000, 'x');
  g_autofree char *one = NULL;
  g_autofree char *empty = NULL;
  g_autofree char *large = NULL;
  g_autofree char *content = NULL;

  make_place (fixture, &place);
  one = make_object (&place, "one\n");
  empty = make_object (&place, "");
  large = make_object (&place, big);
  plant_object (&place, one);
  plant_object (&place, empty);
  plant_object (&place, large);
  import (&place);

  g_assert_true (has_object (fixture, one));
  g_assert_true (has_object (fixture, empty));
  content = git_fixture_run (fixture->main, "cat-file", "blob", large, NULL);
  g_assert_cmpuint (strlen (content), ==, strlen (big));
  g_free (git_fixture_run (fixture->main, "fsck", "--full", NULL));
}

/* Many come in a pack: those that are whole, and large ones apart. */
static void
test_many (GitFixture *fixture, gconstpointer data)
{
  g_auto (Place) place = { 0 };
  g_autofree char *big = g_strnfill (2000000, 'x');
  g_autofree char *large = NULL;
  g_autofree char *packs = g_build_filename (fixture->main, ".git", "objects", "pack", NULL);
  g_autoptr (GPtrArray) oids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = NULL;
  guint n_packs = 0;
  const char *name;

  make_place (fixture, &place);
  for (guint i = 0; i < 120; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u\n", i);

      g_ptr_array_add (oids, make_object (&place, text));
      plant_object (&place, g_ptr_array_index (oids, i));
    }
  large = make_object (&place, big);
  plant_object (&place, large);
  plant (&place, "1111111111111111111111111111111111111111", "no zlib", 7);
  import (&place);

  for (guint i = 0; i < oids->len; i++)
    g_assert_true (has_object (fixture, g_ptr_array_index (oids, i)));
  g_assert_true (has_object (fixture, large));
  dir = g_dir_open (packs, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    n_packs += g_str_has_suffix (name, ".pack");
  g_assert_cmpuint (n_packs, ==, 1);
  g_free (git_fixture_run (fixture->main, "fsck", "--full", NULL));
}

static void
test_packs (GitFixture *fixture, gconstpointer data)
{
  g_auto (Place) place = { 0 };
  g_autofree char *packs = NULL;
  g_autofree char *broken = NULL;
  g_autofree char *own = NULL;
  g_autofree char *oid = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;

  make_place (fixture, &place);
  git_fixture_write (place.other, "packed", "packed\n");
  g_free (git_fixture_run (place.other, "add", "packed", NULL));
  g_free (git_fixture_run (place.other, "commit", "-q", "-m", "packed", NULL));
  g_free (git_fixture_run (place.other, "repack", "-a", "-d", "-q", NULL));
  oid = git_fixture_run (place.other, "rev-parse", "HEAD", NULL);
  g_strstrip (oid);
  packs = g_build_filename (place.other, ".git", "objects", "pack", NULL);
  own = g_build_filename (place.objects, "pack", NULL);
  dir = g_dir_open (packs, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *from = g_build_filename (packs, name, NULL);
      g_autofree char *to = g_build_filename (own, name, NULL);

      g_assert_cmpint (g_rename (from, to), ==, 0);
    }
  broken = g_build_filename (own, "pack-broken.pack", NULL);
  g_assert_true (g_file_set_contents (broken, "PACK and no more", -1, NULL));

  import (&place);
  g_assert_true (has_object (fixture, oid));
  g_free (git_fixture_run (fixture->main, "fsck", "--full", "--no-dangling", NULL));
}

/* Whoever brings it home can read more than who wrote it. */
static void
test_traps (GitFixture *fixture, gconstpointer data)
{
  g_auto (Place) place = { 0 };
  g_autofree char *secret = NULL;
  g_autofree char *linked = NULL;
  g_autofree char *good = NULL;
  g_autofree char *path = NULL;
  g_autofree char *target = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *target_folder = NULL;
  g_autofree char *pipe_path = NULL;

  make_place (fixture, &place);
  secret = make_object (&place, "secret\n");
  linked = make_object (&place, "linked\n");
  good = make_object (&place, "good\n");

  target = dup_other_path (&place, secret);
  path = dup_object_path (place.objects, secret);
  target_folder = g_path_get_dirname (target);
  folder = g_path_get_dirname (path);
  g_assert_cmpint (symlink (target_folder, folder), ==, 0);

  g_free (target);
  g_free (path);
  target = dup_other_path (&place, linked);
  path = dup_object_path (place.objects, linked);
  plant (&place, linked, "", 0);
  g_unlink (path);
  g_assert_cmpint (symlink (target, path), ==, 0);

  plant (&place, "00112233445566778899aabbccddeeff00112233", "no zlib", 7);
  pipe_path = dup_object_path (place.objects, "0011223344556677889900000000000000000000");
  g_assert_cmpint (mkfifo (pipe_path, 0600), ==, 0);
  plant_object (&place, good);

  import (&place);
  g_assert_false (has_object (fixture, secret));
  g_assert_false (has_object (fixture, linked));
  g_assert_true (has_object (fixture, good));
  g_free (git_fixture_run (fixture->main, "fsck", "--full", NULL));
}

/* An object by a name that is not its own, one that is cut off, and one that claims to be longer.
 */
static void
test_lies (GitFixture *fixture, gconstpointer data)
{
  g_auto (Place) place = { 0 };
  g_autofree char *one = NULL;
  g_autofree char *two = NULL;
  g_autofree char *long_text = g_strnfill (100000, 'y');
  g_autofree char *path = NULL;
  g_autofree char *bytes = NULL;
  g_autofree char *cut_path = NULL;
  g_autofree char *cut_bytes = NULL;
  gsize length;

  make_place (fixture, &place);
  one = make_object (&place, "one\n");
  two = make_object (&place, long_text);
  path = dup_other_path (&place, one);
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  plant (&place, "1111111111111111111111111111111111111111", bytes, length);
  cut_path = dup_other_path (&place, two);
  g_assert_true (g_file_get_contents (cut_path, &cut_bytes, &length, NULL));
  plant (&place, two, cut_bytes, length - 8);

  import (&place);
  g_assert_false (has_object (fixture, one));
  g_assert_false (has_object (fixture, two));
  g_assert_false (has_object (fixture, "1111111111111111111111111111111111111111"));
}

static void
write_ref (const Place *place, const char *name, const char *oid)
{
  g_autofree char *text = g_strconcat (oid, "\n", NULL);

  git_fixture_write (place->refs, name, text);
}

static char *
read_branch (GitFixture *fixture, const char *branch)
{
  return g_strstrip (git_fixture_run (fixture->main, "rev-parse", branch, NULL));
}

static void
test_branches (GitFixture *fixture, gconstpointer data)
{
  g_auto (Place) place = { 0 };
  g_autofree char *head = read_branch (fixture, "HEAD");
  g_autofree char *tree = g_strstrip (
      git_fixture_run (fixture->main, "rev-parse", "HEAD^{tree}", NULL));
  g_autofree char *next = NULL;
  g_autofree char *own = NULL;
  g_autofree char *beside = NULL;
  g_autofree char *fresh = NULL;
  g_autofree char *link = NULL;

  make_place (fixture, &place);
  next = g_strstrip (
      git_fixture_run (fixture->main, "commit-tree", "-p", head, "-m", "next", tree, NULL));
  write_ref (&place, "task", next);
  write_ref (&place, "beside", next);
  write_ref (&place, "new", next);
  write_ref (&place, "bad..name", next);
  write_ref (&place, "nowhere", "1111111111111111111111111111111111111111");
  git_fixture_write (place.refs, "text", "ref: refs/heads/main\n");
  link = g_build_filename (place.refs, "link", NULL);
  g_assert_cmpint (symlink ("task", link), ==, 0);
  import (&place);

  own = read_branch (fixture, BRANCH);
  beside = read_branch (fixture, "foredeck/r/beside");
  fresh = read_branch (fixture, "foredeck/r/new");
  g_assert_cmpstr (own, ==, next);
  g_assert_cmpstr (beside, ==, head);
  g_assert_cmpstr (fresh, ==, next);
  for (guint i = 0; i < 3; i++)
    {
      const char *const names[] = { "foredeck/r/nowhere", "foredeck/r/text", "foredeck/r/link" };

      g_assert_false (
          git_fixture_try (fixture->main, "rev-parse", "-q", "--verify", names[i], NULL));
    }
}

/* What cannot be brought home now is there the next time. */
static void
test_repository_away (GitFixture *fixture, gconstpointer data)
{
  g_auto (Place) place = { 0 };
  g_autofree char *common = g_build_filename (fixture->main, ".git", NULL);
  g_autofree char *away = g_build_filename (fixture->main, "away", NULL);
  g_autofree char *oid = NULL;
  g_autoptr (GError) error = NULL;

  make_place (fixture, &place);
  oid = make_object (&place, "one\n");
  plant_object (&place, oid);
  g_assert_cmpint (g_rename (common, away), ==, 0);
  g_assert_false (fore_quarantine_import (place.folder, &error));
  g_assert_nonnull (error);
  g_assert_true (g_file_test (place.folder, G_FILE_TEST_IS_DIR));

  g_assert_cmpint (g_rename (away, common), ==, 0);
  import (&place);
  g_assert_true (has_object (fixture, oid));
}

static void
test_copy (GitFixture *fixture, gconstpointer data)
{
  g_auto (Place) place = { 0 };
  g_autofree char *one = NULL;
  g_autoptr (GError) error = NULL;

  make_place (fixture, &place);
  one = make_object (&place, "one\n");
  plant_object (&place, one);
  g_assert_true (fore_quarantine_copy (place.folder, G_MAXINT64, &error));
  g_assert_false (has_object (fixture, one));
  g_assert_true (fore_quarantine_copy (place.folder, 1, &error));
  g_assert_no_error (error);
  g_assert_true (has_object (fixture, one));
  g_assert_true (g_file_test (place.objects, G_FILE_TEST_IS_DIR));
  import (&place);
}

int
main (int argc, char **argv)
{
  git_test_init (&argc, &argv);
  git_test_add ("/quarantine/objects", test_objects);
  git_test_add ("/quarantine/many", test_many);
  git_test_add ("/quarantine/packs", test_packs);
  git_test_add ("/quarantine/traps", test_traps);
  git_test_add ("/quarantine/lies", test_lies);
  git_test_add ("/quarantine/branches", test_branches);
  git_test_add ("/quarantine/repository-away", test_repository_away);
  git_test_add ("/quarantine/copy", test_copy);

  return git_test_run ();
}
