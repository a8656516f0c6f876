/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-diff-rows.h"

#include "gallery-data.h"

static guint
count (ForeDiffRows *rows)
{
  return g_list_model_get_n_items (G_LIST_MODEL (rows));
}

static ForeDiffRow *
get_row (ForeDiffRows *rows, guint position)
{
  return g_list_model_get_item (G_LIST_MODEL (rows), position);
}

static void
test_patch_is_read (void)
{
  g_autoptr (ForeDiffDoc) doc = gallery_make_diff ();
  const ForeDiffDocFile *file;
  const ForeDiffDocHunk *hunk;
  const ForeDiffDocLine *line;
  guint n_added, n_removed;

  g_assert_cmpuint (fore_diff_doc_get_n_files (doc), ==, 5);
  fore_diff_doc_get_totals (doc, &n_added, &n_removed);
  g_assert_cmpuint (n_added, ==, 10);
  g_assert_cmpuint (n_removed, ==, 3);
  file = fore_diff_doc_find_file (doc, "src/report-window.c");
  g_assert_nonnull (file);
  g_assert_cmpint (file->state, ==, FORE_DIFF_FILE_MODIFIED);
  hunk = g_ptr_array_index (file->hunks, 1);
  g_assert_cmpuint (hunk->new_start, ==, 156);
  line = &g_array_index (hunk->lines, ForeDiffDocLine, 2);
  g_assert_cmpint (line->kind, ==, FORE_DIFF_LINE_ADDED);
  g_assert_cmpuint (line->new_number, ==, 157);
  g_assert_cmpuint (line->old_number, ==, 0);
  g_assert_cmpint (fore_diff_doc_find_file (doc, "src/csv-writer.c")->state, ==,
                   FORE_DIFF_FILE_ADDED);
  g_assert_null (fore_diff_doc_find_file (doc, "src/none.c"));
}

static void
test_changed_part_is_marked (void)
{
  g_autoptr (ForeDiffDoc) doc = fore_diff_doc_new_from_patch (
      "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-größer als früher\n"
      "+größer als später\n",
      -1);
  const ForeDiffDocFile *file = fore_diff_doc_get_file (doc, 0);
  const ForeDiffDocHunk *hunk = g_ptr_array_index (file->hunks, 0);
  const ForeDiffDocLine *old = &g_array_index (hunk->lines, ForeDiffDocLine, 0);
  const ForeDiffDocLine *new = &g_array_index (hunk->lines, ForeDiffDocLine, 1);
  g_autofree char *old_mark = g_strndup (old->text + old->mark_start,
                                         old->mark_end - old->mark_start);
  g_autofree char *new_mark = g_strndup (new->text + new->mark_start,
                                         new->mark_end - new->mark_start);

  g_assert_true (g_utf8_validate (old_mark, -1, NULL));
  g_assert_cmpstr (old_mark, ==, "früh");
  g_assert_cmpstr (new_mark, ==, "spät");
}

static void
test_hostile_patches (void)
{
  static const char *const patches[] = {
    "",
    "@@ -1 +1 @@\n+orphan\n",
    "--- a/f\n+++ b/f\n@@ -1,99999999999999999999 +1,4 @@\n x\n",
    "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n+a\n",
    "--- a/f\n+++ b/f\n@@ -\n@@ -1 +\n@@ @@\n",
    "\\ No newline at end of file\n",
    "--- a/f\n+++ b/f\n@@ -1 +1 @@\n\\ No newline\n-\xff\xfe\n+\x1b[31m\u202e\n",
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (guint i = 0; i < G_N_ELEMENTS (patches); i++)
    {
      g_autoptr (ForeDiffDoc) doc = fore_diff_doc_new_from_patch (patches[i], -1);
      g_autoptr (ForeDiffRows) rows = fore_diff_rows_new ();

      fore_diff_rows_set_doc (rows, doc, NULL);
      for (guint k = 0; k < count (rows); k++)
        {
          g_autoptr (ForeDiffRow) row = get_row (rows, k);
          g_autofree char *name = fore_diff_row_dup_accessible_name (row);

          g_assert_true (g_utf8_validate (name, -1, NULL));
          g_assert_null (strstr (name, "\u202e"));
          g_assert_null (strchr (name, '\x1b'));
        }
    }

  for (guint i = 0; i < 500; i++)
    {
      static const char alphabet[] = "+-@ \\\n\n0123456789,abc\xc3\xff/";
      char text[256];
      g_autoptr (ForeDiffDoc) doc = NULL;

      for (guint k = 0; k < sizeof text; k++)
        text[k] = alphabet[g_rand_int_range (rand, 0, sizeof alphabet - 1)];
      memcpy (text, "--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n", 32);
      doc = fore_diff_doc_new_from_patch (text, sizeof text);
      g_assert_cmpuint (fore_diff_doc_get_n_files (doc), >=, 1);
    }
}

static void
test_gap_between_hunks_is_a_fold (void)
{
  g_autoptr (ForeDiffDoc) doc = gallery_make_diff ();
  g_autoptr (ForeDiffRows) rows = fore_diff_rows_new ();
  g_autoptr (ForeDiffRow) first = NULL;
  g_autoptr (ForeDiffRow) fold = NULL;

  fore_diff_rows_set_doc (rows, doc, "src/report-window.c");
  first = get_row (rows, 0);
  g_assert_cmpint (fore_diff_row_get_data (first)->kind, ==, FORE_DIFF_ROW_FOLD);
  g_assert_cmpuint (fore_diff_row_get_data (first)->count, ==, 111);
  fold = get_row (rows, 8);
  g_assert_cmpint (fore_diff_row_get_data (fold)->kind, ==, FORE_DIFF_ROW_FOLD);
  g_assert_cmpuint (fore_diff_row_get_data (fold)->count, ==, 38);
}

static ForeDiffDoc *
make_long_context (void)
{
  ForeDiffDoc *doc = fore_diff_doc_new ();

  fore_diff_doc_add_file (doc, "f", NULL, FORE_DIFF_FILE_MODIFIED, FALSE);
  fore_diff_doc_add_hunk (doc, 1, 1, NULL);
  fore_diff_doc_add_line (doc, FORE_DIFF_LINE_ADDED, "new", -1);
  for (guint i = 0; i < 60; i++)
    fore_diff_doc_add_line (doc, FORE_DIFF_LINE_CONTEXT, "same", -1);
  fore_diff_doc_add_line (doc, FORE_DIFF_LINE_REMOVED, "old", -1);

  return doc;
}

/* A fold that stood for one line would take as much room as that line. */
static void
test_fold_stands_for_more_than_itself (void)
{
  g_autoptr (ForeDiffDoc) doc = fore_diff_doc_new_from_patch (
      "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n 5\n 6\n 7\n-old\n+new\n", -1);
  g_autoptr (ForeDiffDoc) top = fore_diff_doc_new_from_patch (
      "--- a/f\n+++ b/f\n@@ -1,5 +1,5 @@\n 1\n 2\n 3\n 4\n-old\n+new\n", -1);
  g_autoptr (ForeDiffRows) rows = fore_diff_rows_new ();
  g_autoptr (ForeDiffRow) fold = NULL;

  fore_diff_rows_set_doc (rows, doc, "f");
  fold = get_row (rows, 0);
  g_assert_cmpint (fore_diff_row_get_data (fold)->kind, ==, FORE_DIFF_ROW_FOLD);
  g_assert_cmpuint (fore_diff_row_get_data (fold)->count, ==, 4);
  g_assert_cmpuint (count (rows), ==, 1 + 3 + 2);
  fore_diff_rows_set_doc (rows, top, "f");
  g_assert_cmpuint (count (rows), ==, 4 + 2);
}

static void
test_long_context_opens (void)
{
  g_autoptr (ForeDiffDoc) doc = make_long_context ();
  g_autoptr (ForeDiffRows) rows = fore_diff_rows_new ();
  g_autoptr (ForeDiffRow) fold = NULL;

  fore_diff_rows_set_doc (rows, doc, NULL);
  g_assert_cmpuint (count (rows), ==, 1 + 1 + 4 + 1 + 4 + 1);
  fold = get_row (rows, 6);
  g_assert_cmpint (fore_diff_row_get_data (fold)->kind, ==, FORE_DIFF_ROW_FOLD);
  g_assert_cmpuint (fore_diff_row_get_data (fold)->count, ==, 52);
  fore_diff_rows_open_fold (rows, 6);
  g_assert_cmpuint (count (rows), ==, 1 + 62);
}

typedef struct
{
  guint position;
  guint removed;
  guint added;
} Change;

static void
note_change (GListModel *model, guint position, guint removed, guint added, gpointer data)
{
  *(Change *) data = (Change){ position, removed, added };
}

static void
test_comment_changes_one_row (void)
{
  g_autoptr (ForeDiffDoc) doc = gallery_make_diff ();
  g_autoptr (ForeDiffRows) rows = fore_diff_rows_new ();
  g_autoptr (ForeDiffRow) row = NULL;
  Change change = { 0 };
  guint n;

  fore_diff_rows_set_doc (rows, doc, "src/report-window.c");
  n = count (rows);
  g_signal_connect (rows, "items-changed", G_CALLBACK (note_change), &change);
  fore_diff_rows_set_comment (rows, "src/report-window.c", 116, "Why?");
  g_assert_cmpuint (count (rows), ==, n + 1);
  g_assert_cmpuint (change.position, ==, 7);
  g_assert_cmpuint (change.removed, ==, 0);
  g_assert_cmpuint (change.added, ==, 1);
  row = get_row (rows, 7);
  g_assert_cmpstr (fore_diff_row_get_data (row)->comment, ==, "Why?");
  fore_diff_rows_set_comment (rows, "src/report-window.c", 116, NULL);
  g_assert_cmpuint (count (rows), ==, n);
  g_assert_cmpstr (fore_diff_row_get_data (row)->comment, ==, "Why?");
}

typedef struct
{
  guint n_changed;
  guint removed;
  guint added;
} Seen;

static void
row_changed_cb (ForeDiffRow *row, Seen *seen)
{
  seen->n_changed++;
}

static void
items_changed_cb (GListModel *model, guint position, guint removed, guint added, Seen *seen)
{
  seen->removed += removed;
  seen->added += added;
}

/* Widgets of a long list take longer to make than a frame has. */
static void
test_rows_of_another_file_are_the_same_objects (void)
{
  g_autoptr (ForeDiffDoc) doc = fore_diff_doc_new_from_patch (
      "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n one\n+two\n three\n"
      "--- a/g\n+++ b/g\n@@ -1 +1,2 @@\n four\n+five\n",
      -1);
  g_autoptr (ForeDiffRows) rows = fore_diff_rows_new ();
  g_autoptr (ForeDiffRow) first = NULL;
  g_autoptr (ForeDiffRow) again = NULL;
  g_autoptr (ForeDiffRow) last = NULL;
  Seen seen = { 0 };

  fore_diff_rows_set_doc (rows, doc, "f");
  g_assert_cmpuint (count (rows), ==, 3);
  first = get_row (rows, 0);
  g_signal_connect (first, "changed", G_CALLBACK (row_changed_cb), &seen);
  g_signal_connect (rows, "items-changed", G_CALLBACK (items_changed_cb), &seen);

  fore_diff_rows_set_doc (rows, doc, "g");
  g_assert_cmpuint (count (rows), ==, 2);
  again = get_row (rows, 0);
  g_assert_true (again == first);
  g_assert_cmpuint (seen.n_changed, ==, 1);
  g_assert_cmpuint (seen.removed, ==, 1);
  g_assert_cmpuint (seen.added, ==, 0);
  g_assert_cmpstr (fore_diff_row_get_data (first)->left->text, ==, "four");

  fore_diff_rows_set_doc (rows, doc, "f");
  g_assert_cmpstr (fore_diff_row_get_data (first)->left->text, ==, "one");
  last = get_row (rows, 2);
  g_assert_cmpstr (fore_diff_row_get_data (last)->left->text, ==, "three");
}

static void
test_sides_are_paired (void)
{
  g_autoptr (ForeDiffDoc) doc = gallery_make_diff ();
  g_autoptr (ForeDiffRows) rows = fore_diff_rows_new ();
  g_autoptr (ForeDiffRow) row = NULL;
  guint position;

  fore_diff_rows_set_side_by_side (rows, TRUE);
  fore_diff_rows_set_doc (rows, doc, "src/report-window.c");
  position = fore_diff_rows_find_line (rows, 115);
  row = get_row (rows, position);
  g_assert_cmpuint (fore_diff_row_get_data (row)->left->old_number, ==, 115);
  g_assert_cmpuint (fore_diff_row_get_data (row)->right->new_number, ==, 115);
  g_assert_cmpuint (fore_diff_rows_find_line (rows, 116), ==, position + 1);
}

static void
test_many_lines_are_quick (void)
{
  g_autoptr (ForeDiffDoc) doc = gallery_make_long_diff (20000);
  g_autoptr (ForeDiffRows) rows = fore_diff_rows_new ();
  gint64 begin = g_get_monotonic_time ();

  fore_diff_rows_set_doc (rows, doc, NULL);
  g_assert_cmpuint (count (rows), ==, 20001);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 500 * 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diff/patch", test_patch_is_read);
  g_test_add_func ("/diff/marks", test_changed_part_is_marked);
  g_test_add_func ("/diff/hostile", test_hostile_patches);
  g_test_add_func ("/diff/fold", test_gap_between_hunks_is_a_fold);
  g_test_add_func ("/diff/short-fold", test_fold_stands_for_more_than_itself);
  g_test_add_func ("/diff/long-context", test_long_context_opens);
  g_test_add_func ("/diff/comment", test_comment_changes_one_row);
  g_test_add_func ("/diff/reuse", test_rows_of_another_file_are_the_same_objects);
  g_test_add_func ("/diff/sides", test_sides_are_paired);
  g_test_add_func ("/diff/many-lines", test_many_lines_are_quick);

  return g_test_run ();
}
