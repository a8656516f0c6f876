/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <utime.h>

#include "platform/fore-dirs.h"
#include "platform/fore-slot-line.h"
#include "platform/fore-slots.h"
#include "unit-tools.h"

typedef struct
{
  char *home;
  char *folder;
  ForeSlotLine *first;
  ForeSlotLine *second;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->home = unit_make_dir ();
  f->folder = fore_dirs_dup_slots_dir (f->home, FORE_POOL_COMMANDS);
  g_assert_true (fore_dirs_ensure_dir (f->folder, NULL));
  f->first = fore_slot_line_new (f->home, FORE_POOL_COMMANDS, "first");
  f->second = fore_slot_line_new (f->home, FORE_POOL_COMMANDS, "second");
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  fore_slot_line_free (f->first);
  fore_slot_line_free (f->second);
  unit_remove_dir (f->home);
  g_free (f->folder);
  g_free (f->home);
}

static void
test_who_came_first_is_first (Fixture *f, gconstpointer data)
{
  g_assert_true (fore_slot_line_is_our_turn (f->second));
  fore_slot_line_stand (f->first);
  g_assert_true (fore_slot_line_is_our_turn (f->first));
  g_assert_false (fore_slot_line_is_our_turn (f->second));

  fore_slot_line_stand (f->second);
  fore_slot_line_stand (f->first);
  g_assert_true (fore_slot_line_is_our_turn (f->first));
  g_assert_false (fore_slot_line_is_our_turn (f->second));
}

static void
test_who_had_a_turn_stands_behind (Fixture *f, gconstpointer data)
{
  fore_slot_line_stand (f->first);
  fore_slot_line_stand (f->second);
  fore_slot_line_leave (f->first);
  fore_slot_line_stand (f->first);

  g_assert_true (fore_slot_line_is_our_turn (f->second));
  g_assert_false (fore_slot_line_is_our_turn (f->first));
}

static void
test_who_died_is_not_waited_for (Fixture *f, gconstpointer data)
{
  g_autofree char *left = g_build_filename (f->folder, "line-00000000000000000001-dead", NULL);

  g_assert_true (g_file_set_contents (left, "", 0, NULL));
  g_assert_true (fore_slot_line_is_our_turn (f->first));
  g_assert_false (g_file_test (left, G_FILE_TEST_EXISTS));
}

/* A runner that was stopped holds its place and takes nothing. */
static void
test_who_takes_nothing_is_passed (Fixture *f, gconstpointer data)
{
  fore_slot_line_stand (f->first);
  fore_slot_line_stand (f->second);
  fore_slot_line_pass (f->second);
  g_assert_true (fore_slot_line_is_our_turn (f->second));

  fore_slot_line_leave (f->second);
  fore_slot_line_leave (f->first);
  fore_slot_line_stand (f->first);
  fore_slot_line_stand (f->second);
  g_assert_false (fore_slot_line_is_our_turn (f->second));
}

static void
test_a_line_is_no_slot (Fixture *f, gconstpointer data)
{
  ForeSlot *slot;

  fore_slot_line_stand (f->first);
  g_assert_cmpuint (fore_slots_count_used (f->home, FORE_POOL_COMMANDS, 1), ==, 0);
  slot = fore_slot_try (f->home, FORE_POOL_COMMANDS, 1, NULL);
  g_assert_nonnull (slot);
  g_assert_null (fore_slot_try (f->home, FORE_POOL_COMMANDS, 1, NULL));
  fore_slot_release (slot);
}

/* A folder that was found empty long after its last change is not read again until the next. */
static void
test_who_comes_after_long_quiet_is_seen (Fixture *f, gconstpointer data)
{
  struct utimbuf long_ago = { 1000000000, 1000000000 };

  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpint (g_utime (f->folder, &long_ago), ==, 0);
      g_assert_true (fore_slot_line_is_our_turn (f->second));
      g_assert_true (fore_slot_line_is_our_turn (f->second));
      fore_slot_line_stand (f->first);
      g_assert_false (fore_slot_line_is_our_turn (f->second));
      fore_slot_line_leave (f->first);
    }
}

#define TEST(name, func) g_test_add ("/slot-line/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  TEST ("first", test_who_came_first_is_first);
  TEST ("behind", test_who_had_a_turn_stands_behind);
  TEST ("died", test_who_died_is_not_waited_for);
  TEST ("passed", test_who_takes_nothing_is_passed);
  TEST ("quiet", test_who_comes_after_long_quiet_is_seen);
  TEST ("no-slot", test_a_line_is_no_slot);

  return g_test_run ();
}
