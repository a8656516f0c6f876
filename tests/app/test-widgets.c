/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gallery-data.h"

#include "app/fore-diff-view.h"
#include "app/fore-file-list.h"
#include "app/fore-graph-focus.h"
#include "app/fore-markdown-view.h"
#include "app/fore-status-dot.h"
#include "app/fore-transcript-row.h"
#include "app/fore-transcript-view.h"
#include "app/fore-widgets.h"

#include <adwaita.h>
#include <glib/gstdio.h>

#define DEADLINE (10 * G_USEC_PER_SEC)

typedef gboolean (*Condition) (gpointer data);

static gboolean
wake (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
wait_for (Condition condition, gpointer data)
{
  gint64 end = g_get_monotonic_time () + DEADLINE;
  guint source = g_timeout_add (10, wake, NULL);

  while (!condition (data))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, TRUE);
    }
  g_source_remove (source);
}

typedef struct
{
  guint left;
  gboolean done;
} Frames;

static gboolean
count_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  Frames *frames = data;

  gtk_widget_queue_draw (widget);
  frames->done = frames->left-- == 0;
  return frames->done ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

static gboolean
frames_are_done (gpointer data)
{
  return ((Frames *) data)->done;
}

static void
wait_frames (GtkWidget *widget, guint n)
{
  Frames frames = { n, FALSE };

  gtk_widget_add_tick_callback (widget, count_frame, &frames, NULL);
  wait_for (frames_are_done, &frames);
}

static GtkWidget *
show (GtkWidget *child)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_default_size (GTK_WINDOW (window), 900, 640);
  gtk_window_set_child (GTK_WINDOW (window), child);
  gtk_window_present (GTK_WINDOW (window));
  wait_frames (window, 2);

  return window;
}

static gboolean
graph_is_settled (gpointer data)
{
  return fore_graph_view_is_settled (data);
}

static GtkWidget *
show_graph (GListModel **model, ForeGraphView **view)
{
  g_autoptr (GPtrArray) edges = NULL;
  GtkWidget *window;

  *view = FORE_GRAPH_VIEW (fore_graph_view_new ());
  *model = gallery_make_run (&edges);
  fore_graph_view_set_model (*view, *model);
  fore_graph_view_set_edges (*view, edges);
  window = show (GTK_WIDGET (*view));
  wait_for (graph_is_settled, *view);

  return window;
}

static gboolean
is_key (GtkShortcut *shortcut, guint key, GdkModifierType modifiers)
{
  GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

  return GTK_IS_KEYVAL_TRIGGER (trigger)
         && gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)) == key
         && gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) == modifiers;
}

/* Does what the key bindings of a widget's class do for a key. */
static void
press (GtkWidget *widget, guint key, GdkModifierType modifiers)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      GListModel *shortcuts;

      if (!GTK_IS_SHORTCUT_CONTROLLER (controller))
        continue;
      shortcuts = G_LIST_MODEL (controller);
      for (guint k = 0; k < g_list_model_get_n_items (shortcuts); k++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (shortcuts, k);

          if (!is_key (shortcut, key, modifiers))
            continue;
          gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut),
                                        GTK_SHORTCUT_ACTION_EXCLUSIVE, widget,
                                        gtk_shortcut_get_arguments (shortcut));
          return;
        }
    }
  g_assert_not_reached ();
}

static GtkWidget *
get_focus (GtkWidget *window)
{
  return gtk_root_get_focus (GTK_ROOT (window));
}

static void
remember_id (ForeGraphView *view, const char *id, gpointer data)
{
  char **place = data;

  g_free (*place);
  *place = g_strdup (id);
}

static void
test_keys_move_along_edges (void)
{
  g_autoptr (GListModel) model = NULL;
  ForeGraphView *view;
  GtkWidget *window = show_graph (&model, &view);
  g_autofree char *activated = NULL;
  GtkWidget *first;

  g_signal_connect (view, "node-activated", G_CALLBACK (remember_id), &activated);
  gtk_widget_grab_focus (GTK_WIDGET (view));
  g_assert_cmpstr (fore_graph_view_get_selected_id (view), ==, "explore");
  first = get_focus (window);
  g_assert_true (FORE_IS_GRAPH_FOCUS (first));
  gtk_test_accessible_assert_role (first, GTK_ACCESSIBLE_ROLE_BUTTON);
  gtk_test_accessible_assert_property (first, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Map the report window, explorer · pi, 1 m 02, Done");

  press (GTK_WIDGET (view), GDK_KEY_Down, 0);
  press (GTK_WIDGET (view), GDK_KEY_Down, 0);
  press (GTK_WIDGET (view), GDK_KEY_Down, 0);
  press (GTK_WIDGET (view), GDK_KEY_Left, 0);
  g_assert_cmpstr (fore_graph_view_get_selected_id (view), ==, "p1");
  g_assert_true (FORE_IS_GRAPH_FOCUS (get_focus (window)));
  gtk_test_accessible_assert_property (get_focus (window), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Writer for CSV rows, executor · claude, 4 m 20, Running");
  gtk_test_accessible_assert_property (get_focus (window), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       "After: Plan v2 approved");
  press (GTK_WIDGET (view), GDK_KEY_Return, 0);
  g_assert_cmpstr (activated, ==, "p1");
  press (GTK_WIDGET (view), GDK_KEY_End, 0);
  g_assert_cmpstr (fore_graph_view_get_selected_id (view), ==, "merge");
  press (GTK_WIDGET (view), GDK_KEY_Home, 0);
  g_assert_cmpstr (fore_graph_view_get_selected_id (view), ==, "explore");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The focus must be another widget after each move, else a screen reader says nothing. */
static void
test_focus_lies_on_the_card (void)
{
  g_autoptr (GListModel) model = NULL;
  ForeGraphView *view;
  GtkWidget *window = show_graph (&model, &view);
  GtkWidget *first;
  graphene_rect_t place;

  gtk_widget_grab_focus (GTK_WIDGET (view));
  first = get_focus (window);
  press (GTK_WIDGET (view), GDK_KEY_Down, 0);
  g_assert_true (get_focus (window) != first);
  wait_frames (window, 2);
  g_assert_true (gtk_widget_compute_bounds (get_focus (window), GTK_WIDGET (view), &place));
  g_assert_cmpfloat (place.size.width, >, 80);
  g_assert_cmpfloat (place.origin.x, >, 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_status_only_redraws (void)
{
  g_autoptr (GListModel) model = NULL;
  ForeGraphView *view;
  GtkWidget *window = show_graph (&model, &view);
  g_autoptr (ForeGraphNode) node = g_list_model_get_item (model, 3);

  gtk_test_accessible_assert_property (view, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Task graph: 10 tasks, 2 running");
  fore_graph_node_set_status (node, FORE_VIEW_DONE);
  g_assert_true (fore_graph_view_is_settled (view));
  gtk_test_accessible_assert_property (view, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Task graph: 10 tasks, 1 running");
  wait_frames (window, 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_growth_is_laid_out (void)
{
  g_autoptr (GListModel) model = NULL;
  ForeGraphView *view;
  GtkWidget *window = show_graph (&model, &view);
  g_autoptr (ForeGraphNode) node = fore_graph_node_new ("new", "New task");

  g_list_store_append (G_LIST_STORE (model), node);
  g_assert_false (fore_graph_view_is_settled (view));
  wait_for (graph_is_settled, view);
  fore_graph_view_set_selected_id (view, "new");
  g_list_store_remove_all (G_LIST_STORE (model));
  wait_for (graph_is_settled, view);
  wait_frames (window, 2);
  g_assert_true (gtk_widget_get_focusable (GTK_WIDGET (view)));
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_zoom (void)
{
  g_autoptr (GListModel) model = NULL;
  ForeGraphView *view;
  GtkWidget *window = show_graph (&model, &view);
  double before = fore_graph_view_get_zoom (view);

  press (GTK_WIDGET (view), GDK_KEY_plus, GDK_CONTROL_MASK);
  g_assert_cmpfloat (fore_graph_view_get_zoom (view), >, before);
  press (GTK_WIDGET (view), GDK_KEY_0, GDK_CONTROL_MASK);
  g_assert_cmpfloat (fore_graph_view_get_zoom (view), ==, 1);
  for (guint i = 0; i < 40; i++)
    press (GTK_WIDGET (view), GDK_KEY_minus, GDK_CONTROL_MASK);
  wait_frames (window, 1);
  g_assert_cmpfloat (fore_graph_view_get_zoom (view), >, 0);
  fore_graph_view_fit (view);
  wait_frames (window, 1);
  fore_graph_view_set_search (view, "writer");
  fore_graph_view_set_status_mask (view, 1u << FORE_VIEW_DONE);
  wait_frames (window, 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
count_element (GMarkupParseContext *context,
               const char *name,
               const char **names,
               const char **values,
               gpointer data,
               GError **error)
{
  guint *n_rects = data;

  *n_rects += g_str_equal (name, "rect");
}

static void
test_export (void)
{
  g_autoptr (GListModel) model = NULL;
  ForeGraphView *view;
  GtkWidget *window = show_graph (&model, &view);
  g_autoptr (ForeGraphNode) node = g_list_model_get_item (model, 0);
  g_autofree char *folder = g_dir_make_tmp ("foredeck-export-XXXXXX", NULL);
  g_autofree char *svg_path = g_build_filename (folder, "graph.svg", NULL);
  g_autofree char *png_path = g_build_filename (folder, "graph.png", NULL);
  g_autofree char *bad_path = g_build_filename (folder, "none", "graph.svg", NULL);
  g_autofree char *svg = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  g_autoptr (GError) error = NULL;
  const GMarkupParser parser = { .start_element = count_element };
  g_autoptr (GMarkupParseContext) context = NULL;
  guint n_rects = 0;

  fore_graph_node_set_title (node, "<b>&\"Map\"</b>");
  g_assert_true (fore_graph_view_export_svg (view, svg_path, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (svg_path, &svg, NULL, NULL));
  context = g_markup_parse_context_new (&parser, 0, &n_rects, NULL);
  g_assert_true (g_markup_parse_context_parse (context, svg, -1, &error));
  g_assert_cmpuint (n_rects, ==, 1 + 2 * 10);
  g_assert_nonnull (strstr (svg, "&lt;b&gt;"));

  g_assert_true (fore_graph_view_export_png (view, png_path, 2, &error));
  texture = gdk_texture_new_from_filename (png_path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (texture), >, 1000);

  g_assert_false (fore_graph_view_export_svg (view, bad_path, &error));
  g_assert_nonnull (error);
  g_unlink (svg_path);
  g_unlink (png_path);
  g_rmdir (folder);
  gtk_window_destroy (GTK_WINDOW (window));
}

static guint
count_widgets (GtkWidget *widget, GType type)
{
  guint n = G_TYPE_CHECK_INSTANCE_TYPE (widget, type);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_widgets (child, type);

  return n;
}

static GtkWidget *
find_widget (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_widget (child, type);

      if (found != NULL)
        return found;
    }

  return NULL;
}

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
  window = show (GTK_WIDGET (view));
  list = find_widget (GTK_WIDGET (view), GTK_TYPE_LIST_VIEW);
  gtk_test_accessible_assert_property (gtk_widget_get_first_child (list),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "111 unchanged lines");
  g_signal_emit_by_name (list, "activate", 5);
  g_assert_cmpuint (line, ==, 115);
  fore_diff_view_set_side_by_side (view, TRUE);
  wait_frames (window, 2);
  fore_diff_view_set_path (view, NULL);
  wait_frames (window, 2);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_long_diff_makes_few_rows (void)
{
  g_autoptr (ForeDiffDoc) doc = gallery_make_long_diff (20000);
  ForeDiffView *view = FORE_DIFF_VIEW (fore_diff_view_new ());
  GtkWidget *window;

  fore_diff_view_set_doc (view, doc);
  window = show (GTK_WIDGET (view));
  g_assert_cmpuint (count_widgets (GTK_WIDGET (view), g_type_from_name ("ForeDiffRowView")), <,
                    600);
  fore_diff_view_scroll_to_line (view, 9000);
  wait_frames (window, 2);
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
  window = show (GTK_WIDGET (view));
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
  window = show (GTK_WIDGET (files));
  list = find_widget (GTK_WIDGET (files), GTK_TYPE_LIST_VIEW);
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
  wait_frames (window, 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_file_list_steps_and_filters (void)
{
  g_autoptr (ForeDiffDoc) doc = gallery_make_diff ();
  ForeFileList *list = FORE_FILE_LIST (fore_file_list_new ());
  GtkWidget *window;

  fore_file_list_set_doc (list, doc);
  window = show (GTK_WIDGET (list));
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

static GtkAdjustment *
get_adjustment (ForeTranscriptView *view)
{
  GtkWidget *scroller = find_widget (GTK_WIDGET (view), GTK_TYPE_SCROLLED_WINDOW);

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
  window = show (GTK_WIDGET (view));
  wait_frames (window, 2);
  row = find_widget (GTK_WIDGET (view), FORE_TYPE_TRANSCRIPT_ROW);
  fore_transcript_item_set_text (item, "Ended");
  wait_frames (window, 3);
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
  window = show (GTK_WIDGET (view));
  adjustment = get_adjustment (view);
  wait_for (is_at_end, view);
  for (guint i = 0; i < 30; i++)
    {
      g_autoptr (ForeTranscriptItem) item = fore_transcript_item_new (FORE_TRANSCRIPT_TEXT,
                                                                      "More\n\n- and\n- more");

      g_list_store_append (G_LIST_STORE (model), item);
      wait_frames (window, 1);
    }
  wait_for (is_at_end, view);
  g_assert_true (fore_transcript_view_get_following (view));

  fore_transcript_view_scroll_to (view, 200);
  wait_frames (window, 3);
  g_assert_false (fore_transcript_view_get_following (view));
  pinned = gtk_adjustment_get_value (adjustment);
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (ForeTranscriptItem) item = fore_transcript_item_new (FORE_TRANSCRIPT_NOTICE,
                                                                      "Later");

      g_list_store_append (G_LIST_STORE (model), item);
      wait_frames (window, 1);
    }
  g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_value (adjustment), pinned, 200);
  g_assert_false (is_at_end (view));

  gtk_widget_activate_action (GTK_WIDGET (view), "transcript.latest", NULL);
  wait_for (is_at_end, view);
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
  window = show (GTK_WIDGET (view));
  wait_for (is_at_end, view);
  g_assert_cmpuint (count_widgets (GTK_WIDGET (view), FORE_TYPE_TRANSCRIPT_ROW), <, 600);
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
  window = show (GTK_WIDGET (view));
  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (ForeTranscriptItem) item = g_list_model_get_item (model, i);

      fore_transcript_item_set_expanded (item, TRUE);
    }
  wait_frames (window, 2);
  fore_transcript_item_set_detail (tool, "0.2 s");
  fore_transcript_item_set_live (tool, TRUE);
  wait_frames (window, 2);
  row = fore_transcript_row_new ();
  g_object_ref_sink (row);
  fore_transcript_row_set_item (FORE_TRANSCRIPT_ROW (row), tool);
  gtk_test_accessible_assert_property (find_widget (row, GTK_TYPE_BUTTON),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "read src/report-model.c, 0.2 s");
  gtk_test_accessible_assert_state (find_widget (row, GTK_TYPE_BUTTON),
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
  view = find_widget (row, FORE_TYPE_MARKDOWN_VIEW);
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
  window = show (GTK_WIDGET (view));
  first = gtk_widget_get_first_child (GTK_WIDGET (view));
  fore_markdown_view_set_text (view, "One\n\nTwo and more\n\n| a |\n|---|\n| b |\n");
  g_assert_true (gtk_widget_get_first_child (GTK_WIDGET (view)) == first);
  g_assert_cmpuint (count_widgets (GTK_WIDGET (view), GTK_TYPE_LABEL), ==, 4);
  wait_frames (window, 1);
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
  g_setenv ("GTK_A11Y", "test", TRUE);
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  adw_init ();
  fore_widgets_init ();

  g_test_add_func ("/widgets/graph/keys", test_keys_move_along_edges);
  g_test_add_func ("/widgets/graph/focus", test_focus_lies_on_the_card);
  g_test_add_func ("/widgets/graph/status", test_status_only_redraws);
  g_test_add_func ("/widgets/graph/growth", test_growth_is_laid_out);
  g_test_add_func ("/widgets/graph/zoom", test_zoom);
  g_test_add_func ("/widgets/graph/export", test_export);
  g_test_add_func ("/widgets/diff/view", test_diff_view);
  g_test_add_func ("/widgets/diff/long", test_long_diff_makes_few_rows);
  g_test_add_func ("/widgets/diff/steps", test_steps_through_changes);
  g_test_add_func ("/widgets/file-list", test_file_list);
  g_test_add_func ("/widgets/file-list/steps", test_file_list_steps_and_filters);
  g_test_add_func ("/widgets/transcript/name", test_transcript_entry_is_named_anew);
  g_test_add_func ("/widgets/transcript/follow", test_transcript_follows);
  g_test_add_func ("/widgets/transcript/long", test_long_transcript_makes_few_rows);
  g_test_add_func ("/widgets/transcript/rows", test_transcript_rows);
  g_test_add_func ("/widgets/transcript/long-prose-is-cut", test_long_prose_is_cut);
  g_test_add_func ("/widgets/markdown/growing", test_growing_text_keeps_its_beginning);
  g_test_add_func ("/widgets/icons", test_every_icon_is_there);

  return g_test_run ();
}
