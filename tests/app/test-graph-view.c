/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gallery-data.h"
#include "widget-test.h"

#include "app/fore-graph-focus.h"
#include "app/fore-graph-view.h"

#include <glib/gstdio.h>

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
  window = widget_test_show (GTK_WIDGET (*view));
  widget_test_wait (graph_is_settled, *view);

  return window;
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

  widget_test_press (GTK_WIDGET (view), GDK_KEY_Down, 0);
  widget_test_press (GTK_WIDGET (view), GDK_KEY_Down, 0);
  widget_test_press (GTK_WIDGET (view), GDK_KEY_Down, 0);
  widget_test_press (GTK_WIDGET (view), GDK_KEY_Left, 0);
  g_assert_cmpstr (fore_graph_view_get_selected_id (view), ==, "p1");
  g_assert_true (FORE_IS_GRAPH_FOCUS (get_focus (window)));
  gtk_test_accessible_assert_property (get_focus (window), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Writer for CSV rows, executor · claude, 4 m 20, Running");
  gtk_test_accessible_assert_property (get_focus (window), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       "After: Plan v2 approved");
  widget_test_press (GTK_WIDGET (view), GDK_KEY_Return, 0);
  g_assert_cmpstr (activated, ==, "p1");
  widget_test_press (GTK_WIDGET (view), GDK_KEY_End, 0);
  g_assert_cmpstr (fore_graph_view_get_selected_id (view), ==, "merge");
  widget_test_press (GTK_WIDGET (view), GDK_KEY_Home, 0);
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
  widget_test_press (GTK_WIDGET (view), GDK_KEY_Down, 0);
  g_assert_true (get_focus (window) != first);
  widget_test_wait_frames (window, 2);
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
  widget_test_wait_frames (window, 1);
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
  widget_test_wait (graph_is_settled, view);
  fore_graph_view_set_selected_id (view, "new");
  g_list_store_remove_all (G_LIST_STORE (model));
  widget_test_wait (graph_is_settled, view);
  widget_test_wait_frames (window, 2);
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

  widget_test_press (GTK_WIDGET (view), GDK_KEY_plus, GDK_CONTROL_MASK);
  g_assert_cmpfloat (fore_graph_view_get_zoom (view), >, before);
  widget_test_press (GTK_WIDGET (view), GDK_KEY_0, GDK_CONTROL_MASK);
  g_assert_cmpfloat (fore_graph_view_get_zoom (view), ==, 1);
  for (guint i = 0; i < 40; i++)
    widget_test_press (GTK_WIDGET (view), GDK_KEY_minus, GDK_CONTROL_MASK);
  widget_test_wait_frames (window, 1);
  g_assert_cmpfloat (fore_graph_view_get_zoom (view), >, 0);
  fore_graph_view_fit (view);
  widget_test_wait_frames (window, 1);
  fore_graph_view_set_search (view, "writer");
  fore_graph_view_set_status_mask (view, 1u << FORE_VIEW_DONE);
  widget_test_wait_frames (window, 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A graph of @n tasks side by side, as in a window of a phone. */
static GtkWidget *
show_narrow (guint n, ForeGraphView **view)
{
  g_autoptr (GListStore) model = g_list_store_new (FORE_TYPE_GRAPH_NODE);
  GtkWidget *window = gtk_window_new ();

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("task-%u", i);
      g_autoptr (ForeGraphNode) node = fore_graph_node_new (id, id);

      g_list_store_append (model, node);
    }
  *view = FORE_GRAPH_VIEW (fore_graph_view_new ());
  fore_graph_view_set_model (*view, G_LIST_MODEL (model));
  gtk_window_set_default_size (GTK_WINDOW (window), 400, 640);
  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (*view));
  gtk_window_present (GTK_WINDOW (window));
  widget_test_wait (graph_is_settled, *view);
  widget_test_wait_frames (window, 2);

  return window;
}

static void
test_three_tasks_fit_a_narrow_window (void)
{
  ForeGraphView *view;
  GtkWidget *window = show_narrow (3, &view);

  for (GtkPositionType side = GTK_POS_LEFT; side <= GTK_POS_BOTTOM; side++)
    g_assert_false (fore_graph_view_hides (view, side));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* What cannot be made to fit says on which side it goes on. */
static void
test_a_wide_graph_leads_on (void)
{
  ForeGraphView *view;
  GtkWidget *window = show_narrow (12, &view);

  fore_graph_view_reveal (view, "task-0");
  widget_test_wait_frames (window, 2);
  g_assert_true (fore_graph_view_hides (view, GTK_POS_RIGHT)
                 || fore_graph_view_hides (view, GTK_POS_LEFT));
  fore_graph_view_fit (view);
  widget_test_wait_frames (window, 2);
  g_assert_false (fore_graph_view_hides (view, GTK_POS_LEFT));
  g_assert_false (fore_graph_view_hides (view, GTK_POS_RIGHT));
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

int
main (int argc, char **argv)
{
  if (!widget_test_init (&argc, &argv))
    return 0;

  g_test_add_func ("/widgets/graph/keys", test_keys_move_along_edges);
  g_test_add_func ("/widgets/graph/focus", test_focus_lies_on_the_card);
  g_test_add_func ("/widgets/graph/status", test_status_only_redraws);
  g_test_add_func ("/widgets/graph/growth", test_growth_is_laid_out);
  g_test_add_func ("/widgets/graph/zoom", test_zoom);
  g_test_add_func ("/widgets/graph/narrow", test_three_tasks_fit_a_narrow_window);
  g_test_add_func ("/widgets/graph/wide", test_a_wide_graph_leads_on);
  g_test_add_func ("/widgets/graph/export", test_export);

  return g_test_run ();
}
