/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gallery-data.h"
#include "widget-test.h"

#include "app/fore-diff-row-view.h"
#include "app/fore-diff-view.h"
#include "app/fore-file-list.h"

static void
remember_line (ForeDiffView *view, const char *path, guint new_number, guint old, gpointer data)
{
  *(guint *) data = new_number;
}

static void
test_diff_view (void)
{
  g_autoptr (ForeDiffDoc) doc = gallery_make_diff ();
  ForeDiffView *view = FORE_DIFF_VIEW (fore_diff_view_new ());
  GtkWidget *window;
  GtkWidget *list;
  guint line = 0;

  fore_diff_view_set_doc (view, doc);
  fore_diff_view_set_path (view, "src/report-window.c");
  fore_diff_view_set_comment (view, "src/report-window.c", 116, "Why?");
  g_signal_connect (view, "line-activated", G_CALLBACK (remember_line), &line);
  window = widget_test_show (GTK_WIDGET (view));
  list = widget_test_find (GTK_WIDGET (view), GTK_TYPE_LIST_VIEW);
  gtk_test_accessible_assert_property (gtk_widget_get_first_child (list),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Show 111 unchanged lines   report_window_class_init");
  g_signal_emit_by_name (list, "activate", 5);
  g_assert_cmpuint (line, ==, 115);
  fore_diff_view_set_side_by_side (view, TRUE);
  widget_test_wait_frames (window, 2);
  fore_diff_view_set_path (view, NULL);
  widget_test_wait_frames (window, 2);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_long_diff_makes_few_rows (void)
{
  g_autoptr (ForeDiffDoc) doc = gallery_make_long_diff (20000);
  ForeDiffView *view = FORE_DIFF_VIEW (fore_diff_view_new ());
  GtkWidget *window;

  fore_diff_view_set_doc (view, doc);
  window = widget_test_show (GTK_WIDGET (view));
  g_assert_cmpuint (widget_test_count (GTK_WIDGET (view), g_type_from_name ("ForeDiffRowView")), <,
                    600);
  fore_diff_view_scroll_to_line (view, 9000);
  widget_test_wait_frames (window, 2);
  gtk_window_destroy (GTK_WINDOW (window));
}

static ForeDiffDoc *
make_two_long_files (void)
{
  ForeDiffDoc *doc = fore_diff_doc_new ();

  for (guint i = 0; i < 2; i++)
    {
      fore_diff_doc_add_file (doc, i == 0 ? "one" : "two", NULL, FORE_DIFF_FILE_ADDED, FALSE);
      fore_diff_doc_add_hunk (doc, 0, 1, NULL);
      for (guint j = 0; j < 400; j++)
        fore_diff_doc_add_line (doc, FORE_DIFF_LINE_ADDED, "text", -1);
    }

  return doc;
}

static void
test_another_file_begins_at_its_top (void)
{
  g_autoptr (ForeDiffDoc) doc = make_two_long_files ();
  ForeDiffView *view = FORE_DIFF_VIEW (fore_diff_view_new ());
  g_autofree char *quote = NULL;
  GtkAdjustment *place;
  GtkWidget *window;
  guint first, last;

  fore_diff_view_set_doc (view, doc);
  fore_diff_view_set_path (view, "one");
  window = widget_test_show (GTK_WIDGET (view));
  fore_diff_view_step (view, 1);
  g_assert_true (fore_diff_view_get_selection (view, &first, &last, &quote));
  fore_diff_view_scroll_to_line (view, 300);
  widget_test_wait_frames (window, 3);
  place = gtk_scrolled_window_get_vadjustment (
      GTK_SCROLLED_WINDOW (gtk_widget_get_first_child (GTK_WIDGET (view))));
  g_assert_cmpfloat (gtk_adjustment_get_value (place), >, 100);

  fore_diff_view_set_path (view, "two");
  widget_test_wait_frames (window, 3);
  g_assert_cmpfloat (gtk_adjustment_get_value (place), ==, 0);
  g_clear_pointer (&quote, g_free);
  g_assert_false (fore_diff_view_get_selection (view, &first, &last, &quote));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* What j, k, n, p and c lead to. */
static void
test_steps_through_changes (void)
{
  g_autoptr (ForeDiffDoc) doc = gallery_make_diff ();
  ForeDiffView *view = FORE_DIFF_VIEW (fore_diff_view_new ());
  GtkWidget *window;
  static const guint places[] = { 115, 157, 157, 115, 115 };
  static const int steps[] = { 1, 1, 1, -1, -1 };

  fore_diff_view_set_doc (view, doc);
  fore_diff_view_set_path (view, "src/report-window.c");
  fore_diff_view_set_side_by_side (view, TRUE);
  window = widget_test_show (GTK_WIDGET (view));
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autofree char *quote = NULL;
      guint first = 0;
      guint last = 0;

      fore_diff_view_step (view, steps[i]);
      g_assert_true (fore_diff_view_get_selection (view, &first, &last, &quote));
      g_assert_cmpuint (first, ==, places[i]);
      g_assert_cmpuint (last, ==, places[i]);
      g_assert_nonnull (quote);
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
remember_path (ForeFileList *list, const char *path, gpointer data)
{
  char **place = data;

  g_free (*place);
  *place = g_strdup (path);
}

static void
test_file_list (void)
{
  g_autoptr (ForeDiffDoc) doc = gallery_make_diff ();
  ForeFileList *files = FORE_FILE_LIST (fore_file_list_new ());
  GtkWidget *window;
  GtkWidget *list;
  GtkSelectionModel *model;
  g_autofree char *selected = NULL;

  fore_file_list_set_doc (files, doc);
  g_signal_connect (files, "file-selected", G_CALLBACK (remember_path), &selected);
  window = widget_test_show (GTK_WIDGET (files));
  list = widget_test_find (GTK_WIDGET (files), GTK_TYPE_LIST_VIEW);
  model = gtk_list_view_get_model (GTK_LIST_VIEW (list));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 7);
  gtk_selection_model_select_item (model, 1, TRUE);
  g_assert_cmpstr (selected, ==, "src/csv-writer.c");
  gtk_test_accessible_assert_property (
      gtk_widget_get_next_sibling (gtk_widget_get_first_child (list)),
      GTK_ACCESSIBLE_PROPERTY_LABEL, "src/csv-writer.c, 4 added, 0 removed");

  fore_file_list_set_viewed (files, "src/csv-writer.c", TRUE);
  fore_file_list_set_doc (files, doc);
  g_assert_true (fore_file_list_get_viewed (files, "src/csv-writer.c"));
  g_assert_cmpstr (fore_file_list_get_selected_path (files), ==, "src/csv-writer.c");
  widget_test_wait_frames (window, 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_file_list_steps_and_filters (void)
{
  g_autoptr (ForeDiffDoc) doc = gallery_make_diff ();
  ForeFileList *list = FORE_FILE_LIST (fore_file_list_new ());
  GtkWidget *window;

  fore_file_list_set_doc (list, doc);
  window = widget_test_show (GTK_WIDGET (list));
  fore_file_list_step (list, 1);
  g_assert_cmpstr (fore_file_list_get_selected_path (list), ==, "src/csv-writer.c");
  fore_file_list_step (list, -1);
  g_assert_cmpstr (fore_file_list_get_selected_path (list), ==, "src/csv-writer.c");
  fore_file_list_set_viewed (list, "src/csv-writer.h", TRUE);
  fore_file_list_set_filter (list, "CSV.c");
  fore_file_list_step (list, 1);
  g_assert_cmpstr (fore_file_list_get_selected_path (list), ==, "tests/test-csv.c");
  fore_file_list_step (list, 1);
  g_assert_cmpstr (fore_file_list_get_selected_path (list), ==, "tests/test-csv.c");
  fore_file_list_set_filter (list, NULL);
  g_assert_true (fore_file_list_get_viewed (list, "src/csv-writer.h"));
  fore_file_list_step (list, -1);
  g_assert_cmpstr (fore_file_list_get_selected_path (list), ==, "src/report-window.c");
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  if (!widget_test_init (&argc, &argv))
    return 0;

  g_test_add_func ("/widgets/diff/view", test_diff_view);
  g_test_add_func ("/widgets/diff/long", test_long_diff_makes_few_rows);
  g_test_add_func ("/widgets/diff/steps", test_steps_through_changes);
  g_test_add_func ("/widgets/diff/top", test_another_file_begins_at_its_top);
  g_test_add_func ("/widgets/file-list", test_file_list);
  g_test_add_func ("/widgets/file-list/steps", test_file_list_steps_and_filters);

  return g_test_run ();
}
