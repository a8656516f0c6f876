/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-format.h"
#include "app/fore-list-sync.h"

#include <gtk/gtk.h>

typedef struct
{
  guint n_added;
  guint n_removed;
} Counts;

static void
items_changed_cb (GListModel *model, guint position, guint removed, guint added, Counts *counts)
{
  counts->n_added += added;
  counts->n_removed += removed;
}

static GPtrArray *
pick (GObject **all, const char *letters)
{
  GPtrArray *items = g_ptr_array_new ();

  for (guint i = 0; letters[i] != 0; i++)
    g_ptr_array_add (items, all[letters[i] - 'a']);

  return items;
}

static void
assert_holds (GListStore *store, GPtrArray *items)
{
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (store)), ==, items->len);
  for (guint i = 0; i < items->len; i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (store), i);

      g_assert_true (item == g_ptr_array_index (items, i));
    }
}

static void
test_only_differences_are_told (void)
{
  g_autoptr (GListStore) store = g_list_store_new (G_TYPE_OBJECT);
  GObject *all[6];
  Counts counts = { 0, 0 };
  g_autoptr (GPtrArray) first = NULL;
  g_autoptr (GPtrArray) second = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    all[i] = g_object_new (G_TYPE_OBJECT, NULL);
  first = pick (all, "abcd");
  second = pick (all, "aecd");
  fore_list_sync (store, first);
  assert_holds (store, first);

  g_signal_connect (store, "items-changed", G_CALLBACK (items_changed_cb), &counts);
  fore_list_sync (store, first);
  g_assert_cmpuint (counts.n_added + counts.n_removed, ==, 0);
  fore_list_sync (store, second);
  assert_holds (store, second);
  g_assert_cmpuint (counts.n_added, ==, 1);
  g_assert_cmpuint (counts.n_removed, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_object_unref (all[i]);
}

static void
test_any_order_is_reached (void)
{
  static const char *const orders[]
      = { "abcdef", "fedcba", "a", "", "bdf", "fabdce", "cab", "abc" };
  g_autoptr (GListStore) store = g_list_store_new (G_TYPE_OBJECT);
  GObject *all[6];

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    all[i] = g_object_new (G_TYPE_OBJECT, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autoptr (GPtrArray) items = pick (all, orders[i]);

      fore_list_sync (store, items);
      assert_holds (store, items);
    }
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_object_unref (all[i]);
}

static void
assert_text (char *text, const char *wanted)
{
  g_assert_cmpstr (text, ==, wanted);
  g_free (text);
}

static void
test_numbers_as_people_read_them (void)
{
  assert_text (fore_format_tokens (FORE_USAGE_UNKNOWN), "–");
  assert_text (fore_format_tokens (840), "840");
  assert_text (fore_format_tokens (214000), "214 k");
  assert_text (fore_format_cost (FORE_USAGE_UNKNOWN), "–");
  assert_text (fore_format_cost (0), "$0.00");
  assert_text (fore_format_cost (1870000), "$1.87");
  assert_text (fore_format_span (G_GINT64_CONSTANT (187000000)), "3 min 7 s");
  assert_text (fore_format_span (G_GINT64_CONSTANT (3723000000)), "1 h 2 min");
  assert_text (fore_format_age (0, G_GINT64_CONSTANT (240000000)), "4 min");
}

static const char *
get_kept_id (gpointer item)
{
  return g_object_get_data (item, "id");
}

static void
set_kept_id (GObject *item, const char *id)
{
  g_object_set_data_full (item, "id", g_strdup (id), g_free);
}

static void
test_an_item_that_is_updated_is_still_found (void)
{
  g_autoptr (GListStore) store = g_list_store_new (G_TYPE_OBJECT);
  g_autoptr (GObject) item = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (GHashTable) index = NULL;

  set_kept_id (item, "one");
  g_list_store_append (store, item);
  index = fore_list_index (G_LIST_MODEL (store), get_kept_id);
  set_kept_id (item, "one");

  g_assert_true (g_hash_table_lookup (index, "one") == item);
}

static void
test_lines_show_what_would_hide (void)
{
  g_autofree char *line = fore_format_line ("rm\n-rf \033[2K\342\200\256x", 100);

  g_assert_null (strchr (line, '\n'));
  g_assert_null (strchr (line, '\033'));
  g_assert_null (strstr (line, "\342\200\256"));
}

static void
test_command_lines_can_be_pasted (void)
{
  const char *argv[] = { "sh", "-c", "echo 'a b'", "", NULL };
  g_autofree char *line = fore_format_command (argv);
  g_auto (GStrv) back = NULL;
  int argc;

  g_assert_true (g_shell_parse_argv (line, &argc, &back, NULL));
  g_assert_cmpint (argc, ==, 4);
  g_assert_cmpstr (back[2], ==, argv[2]);
  g_assert_cmpstr (back[3], ==, "");
}

int
main (int argc, char **argv)
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/app/list/differences", test_only_differences_are_told);
  g_test_add_func ("/app/list/orders", test_any_order_is_reached);
  g_test_add_func ("/app/list/updated", test_an_item_that_is_updated_is_still_found);
  g_test_add_func ("/app/format/numbers", test_numbers_as_people_read_them);
  g_test_add_func ("/app/format/line", test_lines_show_what_would_hide);
  g_test_add_func ("/app/format/command", test_command_lines_can_be_pasted);

  return g_test_run ();
}
