/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gallery-data.h"
#include "widget-test.h"

#include "app/fore-markdown-view.h"
#include "app/fore-status-dot.h"
#include "app/fore-transcript-row.h"
#include "app/fore-transcript-view.h"

static GtkAdjustment *
get_adjustment (ForeTranscriptView *view)
{
  GtkWidget *scroller = widget_test_find (GTK_WIDGET (view), GTK_TYPE_SCROLLED_WINDOW);

  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
}

static gboolean
is_at_end (gpointer data)
{
  GtkAdjustment *adjustment = get_adjustment (data);

  return gtk_adjustment_get_value (adjustment) + gtk_adjustment_get_page_size (adjustment)
         >= gtk_adjustment_get_upper (adjustment) - 24;
}

/* The name of an entry is heard again when it has ended. */
static void
test_transcript_entry_is_named_anew (void)
{
  g_autoptr (GListStore) model = g_list_store_new (FORE_TYPE_TRANSCRIPT_ITEM);
  g_autoptr (ForeTranscriptItem) item = fore_transcript_item_new (FORE_TRANSCRIPT_NOTICE, "Begun");
  ForeTranscriptView *view = FORE_TRANSCRIPT_VIEW (fore_transcript_view_new ());
  g_autofree char *name = NULL;
  GtkWidget *window;
  GtkWidget *row;

  g_list_store_append (model, item);
  fore_transcript_view_set_model (view, G_LIST_MODEL (model));
  window = widget_test_show (GTK_WIDGET (view));
  widget_test_wait_frames (window, 2);
  row = widget_test_find (GTK_WIDGET (view), FORE_TYPE_TRANSCRIPT_ROW);
  fore_transcript_item_set_text (item, "Ended");
  widget_test_wait_frames (window, 3);
  name = fore_transcript_item_dup_plain (item);
  g_assert_nonnull (strstr (name, "Ended"));
  gtk_test_accessible_assert_property (gtk_widget_get_parent (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       name);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_transcript_follows (void)
{
  g_autoptr (GListModel) model = gallery_make_long_transcript (500);
  ForeTranscriptView *view = FORE_TRANSCRIPT_VIEW (fore_transcript_view_new ());
  GtkWidget *window;
  GtkAdjustment *adjustment;
  double pinned;

  fore_transcript_view_set_model (view, model);
  window = widget_test_show (GTK_WIDGET (view));
  adjustment = get_adjustment (view);
  widget_test_wait (is_at_end, view);
  for (guint i = 0; i < 30; i++)
    {
      g_autoptr (ForeTranscriptItem) item = fore_transcript_item_new (FORE_TRANSCRIPT_TEXT,
                                                                      "More\n\n- and\n- more");

      g_list_store_append (G_LIST_STORE (model), item);
      widget_test_wait_frames (window, 1);
    }
  widget_test_wait (is_at_end, view);
  g_assert_true (fore_transcript_view_get_following (view));

  fore_transcript_view_scroll_to (view, 200);
  widget_test_wait_frames (window, 3);
  g_assert_false (fore_transcript_view_get_following (view));
  pinned = gtk_adjustment_get_value (adjustment);
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (ForeTranscriptItem) item = fore_transcript_item_new (FORE_TRANSCRIPT_NOTICE,
                                                                      "Later");

      g_list_store_append (G_LIST_STORE (model), item);
      widget_test_wait_frames (window, 1);
    }
  g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_value (adjustment), pinned, 200);
  g_assert_false (is_at_end (view));

  gtk_widget_activate_action (GTK_WIDGET (view), "transcript.latest", NULL);
  widget_test_wait (is_at_end, view);
  g_assert_true (fore_transcript_view_get_following (view));
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_long_transcript_makes_few_rows (void)
{
  g_autoptr (GListModel) model = gallery_make_long_transcript (100000);
  ForeTranscriptView *view = FORE_TRANSCRIPT_VIEW (fore_transcript_view_new ());
  GtkWidget *window;

  fore_transcript_view_set_model (view, model);
  window = widget_test_show (GTK_WIDGET (view));
  widget_test_wait (is_at_end, view);
  g_assert_cmpuint (widget_test_count (GTK_WIDGET (view), FORE_TYPE_TRANSCRIPT_ROW), <, 600);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_transcript_rows (void)
{
  g_autoptr (GListModel) model = gallery_make_transcript ();
  ForeTranscriptView *view = FORE_TRANSCRIPT_VIEW (fore_transcript_view_new ());
  g_autoptr (ForeTranscriptItem) tool = g_list_model_get_item (model, 2);
  GtkWidget *window;
  GtkWidget *row;

  fore_transcript_view_set_model (view, model);
  window = widget_test_show (GTK_WIDGET (view));
  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (ForeTranscriptItem) item = g_list_model_get_item (model, i);

      fore_transcript_item_set_expanded (item, TRUE);
    }
  widget_test_wait_frames (window, 2);
  fore_transcript_item_set_detail (tool, "0.2 s");
  fore_transcript_item_set_live (tool, TRUE);
  widget_test_wait_frames (window, 2);
  row = fore_transcript_row_new ();
  g_object_ref_sink (row);
  fore_transcript_row_set_item (FORE_TRANSCRIPT_ROW (row), tool);
  gtk_test_accessible_assert_property (widget_test_find (row, GTK_TYPE_BUTTON),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "read src/report-model.c, 0.2 s");
  gtk_test_accessible_assert_state (widget_test_find (row, GTK_TYPE_BUTTON),
                                    GTK_ACCESSIBLE_STATE_EXPANDED, TRUE);
  g_object_unref (row);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A megabyte that a command printed took half a minute of measuring. */
static void
test_long_prose_is_cut (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (ForeTranscriptItem) item = NULL;
  GtkWidget *row = fore_transcript_row_new ();
  GtkWidget *view;
  g_autofree char *shown = NULL;

  while (text->len < 1000000)
    g_string_append (text, "ä line of some words in it\n");
  item = fore_transcript_item_new (FORE_TRANSCRIPT_TEXT, text->str);
  g_object_ref_sink (row);
  fore_transcript_row_set_item (FORE_TRANSCRIPT_ROW (row), item);
  view = widget_test_find (row, FORE_TYPE_MARKDOWN_VIEW);
  g_object_get (view, "text", &shown, NULL);
  g_assert_cmpuint (strlen (shown), <, 20000);
  g_assert_nonnull (strstr (shown, "foredeckctl transcript"));
  g_assert_true (g_utf8_validate (shown, -1, NULL));
  g_object_unref (row);
}

static void
test_growing_text_keeps_its_beginning (void)
{
  ForeMarkdownView *view = FORE_MARKDOWN_VIEW (fore_markdown_view_new ());
  GtkWidget *window;
  GtkWidget *first;

  fore_markdown_view_set_text (view, "One\n\nTwo");
  window = widget_test_show (GTK_WIDGET (view));
  first = gtk_widget_get_first_child (GTK_WIDGET (view));
  fore_markdown_view_set_text (view, "One\n\nTwo and more\n\n| a |\n|---|\n| b |\n");
  g_assert_true (gtk_widget_get_first_child (GTK_WIDGET (view)) == first);
  g_assert_cmpuint (widget_test_count (GTK_WIDGET (view), GTK_TYPE_LABEL), ==, 4);
  widget_test_wait_frames (window, 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_every_icon_is_there (void)
{
  GtkIconTheme *theme = gtk_icon_theme_get_for_display (gdk_display_get_default ());

  for (guint i = 0; i < FORE_N_VIEW_STATUSES; i++)
    {
      GtkWidget *dot = fore_status_dot_new (i);

      g_object_ref_sink (dot);
      g_assert_true (gtk_icon_theme_has_icon (theme, fore_view_status_get_icon_name (i)));
      gtk_test_accessible_assert_property (dot, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                           fore_view_status_get_word (i));
      g_object_unref (dot);
    }
  for (guint i = 0; i < FORE_N_TRANSCRIPT_KINDS; i++)
    {
      g_autoptr (ForeTranscriptItem) item = fore_transcript_item_new (i, "x");

      g_assert_true (gtk_icon_theme_has_icon (theme, fore_transcript_item_get_icon_name (item)));
    }
}

int
main (int argc, char **argv)
{
  if (!widget_test_init (&argc, &argv))
    return 0;

  g_test_add_func ("/widgets/transcript/name", test_transcript_entry_is_named_anew);
  g_test_add_func ("/widgets/transcript/follow", test_transcript_follows);
  g_test_add_func ("/widgets/transcript/long", test_long_transcript_makes_few_rows);
  g_test_add_func ("/widgets/transcript/rows", test_transcript_rows);
  g_test_add_func ("/widgets/transcript/long-prose-is-cut", test_long_prose_is_cut);
  g_test_add_func ("/widgets/markdown/growing", test_growing_text_keeps_its_beginning);
  g_test_add_func ("/widgets/icons", test_every_icon_is_there);

  return g_test_run ();
}
