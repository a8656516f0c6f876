/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-painter.h"
#include "app/fore-graph-scene.h"

#include "gallery-data.h"

static void
lay_out (ForeGraphScene *scene, guint anchor)
{
  g_autoptr (ForeGraphLayout) layout = fore_graph_scene_make_layout (scene);

  g_assert_true (fore_graph_layout_run (layout, NULL, NULL));
  fore_graph_scene_apply (scene, layout, anchor);
  fore_graph_scene_move (scene, 1);
}

static ForeGraphScene *
make_scene (GListModel **model)
{
  ForeGraphScene *scene = fore_graph_scene_new ();
  g_autoptr (GPtrArray) edges = NULL;

  *model = gallery_make_run (&edges);
  fore_graph_scene_splice (scene, 0, 0, *model, g_list_model_get_n_items (*model));
  g_assert_true (fore_graph_scene_set_edges (scene, edges));
  g_assert_false (fore_graph_scene_set_edges (scene, edges));
  lay_out (scene, FORE_NO_NODE);

  return scene;
}

static const char *
get_id (ForeGraphScene *scene, guint index)
{
  return fore_graph_node_get_id (fore_graph_scene_get_node (scene, index)->node);
}

static void
check_go (ForeGraphScene *scene, const char *from, ForeGraphDirection direction, const char *to)
{
  guint index = fore_graph_scene_go (scene, fore_graph_scene_find (scene, from), direction);

  g_assert_cmpstr (get_id (scene, index), ==, to);
}

static void
test_go_along_edges (void)
{
  g_autoptr (GListModel) model = NULL;
  g_autoptr (ForeGraphScene) scene = make_scene (&model);

  check_go (scene, NULL, FORE_GRAPH_DOWN, "explore");
  check_go (scene, "explore", FORE_GRAPH_DOWN, "plan");
  check_go (scene, "gate", FORE_GRAPH_DOWN, "p2");
  check_go (scene, "p2", FORE_GRAPH_LEFT, "p1");
  check_go (scene, "p2", FORE_GRAPH_RIGHT, "p3");
  check_go (scene, "p3", FORE_GRAPH_RIGHT, "p3");
  check_go (scene, "p4", FORE_GRAPH_UP, "p1");
  check_go (scene, "p1", FORE_GRAPH_FIRST, "explore");
  check_go (scene, "p1", FORE_GRAPH_LAST, "merge");
  g_assert_cmpuint (fore_graph_scene_measure_longest_path (scene), ==, 7);
  g_assert_cmpstr (get_id (scene, fore_graph_scene_find_active (scene)), ==, "p1");
}

static void
test_hit (void)
{
  g_autoptr (GListModel) model = NULL;
  g_autoptr (ForeGraphScene) scene = make_scene (&model);
  const ForeGraphBox *box
      = &fore_graph_scene_get_node (scene, fore_graph_scene_find (scene, "p3"))->box;

  g_assert_cmpstr (get_id (scene, fore_graph_scene_hit (scene, box->x + 2, box->y + 2)), ==, "p3");
  g_assert_cmpuint (fore_graph_scene_hit (scene, box->x - 5, box->y - 5), ==, FORE_NO_NODE);
}

/* A model that is sorted anew gives all its nodes back: they must not lose their places. */
static void
test_node_that_comes_back_keeps_its_place (void)
{
  g_autoptr (GListModel) model = NULL;
  g_autoptr (ForeGraphScene) scene = make_scene (&model);
  guint n = g_list_model_get_n_items (model);
  ForeGraphBox before = fore_graph_scene_get_node (scene, 3)->box;
  const ForeGraphSceneNode *node;

  fore_graph_scene_splice (scene, 0, n, model, n);
  node = fore_graph_scene_get_node (scene, 3);
  g_assert_true (node->placed);
  g_assert_cmpfloat (node->box.x, ==, before.x);
  g_assert_cmpfloat (node->box.y, ==, before.y);
}

/* The next run has tasks of the same keys, and nothing else in common. */
static void
test_another_graph_begins_anew (void)
{
  g_autoptr (GListModel) model = NULL;
  g_autoptr (ForeGraphScene) scene = make_scene (&model);
  guint n = g_list_model_get_n_items (model);

  fore_graph_scene_splice (scene, 0, n, model, 0);
  fore_graph_scene_forget_places (scene);
  fore_graph_scene_splice (scene, 0, 0, model, n);
  g_assert_false (fore_graph_scene_get_node (scene, 3)->placed);
}

static void
test_node_shows_what_would_hide (void)
{
  g_autoptr (ForeGraphNode) node = fore_graph_node_new ("a", "x\342\200\256y");

  g_assert_cmpstr (fore_graph_node_get_title (node), ==, "x\342\237\250U+202E\342\237\251y");
}

static void
test_edges_wait_for_their_nodes (void)
{
  g_autoptr (GListModel) model = NULL;
  g_autoptr (ForeGraphScene) scene = make_scene (&model);
  g_autoptr (ForeGraphNode) node = fore_graph_node_new ("late", "Late");
  g_autoptr (GPtrArray) edges = NULL;
  g_autoptr (GListModel) other = gallery_make_run (&edges);
  guint n = g_list_model_get_n_items (model);

  g_ptr_array_add (edges, fore_graph_edge_new ("merge", "late", FORE_GRAPH_EDGE_DEPENDENCY, NULL));
  g_assert_true (fore_graph_scene_set_edges (scene, edges));
  g_assert_cmpuint (scene->edges->len, ==, edges->len - 1);
  g_list_store_append (G_LIST_STORE (model), node);
  fore_graph_scene_splice (scene, n, 0, model, 1);
  g_assert_cmpuint (scene->edges->len, ==, edges->len);
  lay_out (scene, FORE_NO_NODE);
  check_go (scene, "merge", FORE_GRAPH_DOWN, "late");
}

static void
test_anchor_stays (void)
{
  g_autoptr (GListModel) model = NULL;
  g_autoptr (ForeGraphScene) scene = make_scene (&model);
  g_autoptr (ForeGraphNode) node = fore_graph_node_new ("first", "First");
  g_autoptr (GPtrArray) edges = NULL;
  g_autoptr (GListModel) other = gallery_make_run (&edges);
  guint anchor = fore_graph_scene_find (scene, "p5");
  ForeGraphBox before = fore_graph_scene_get_node (scene, anchor)->box;
  guint n = g_list_model_get_n_items (model);

  g_list_store_append (G_LIST_STORE (model), node);
  fore_graph_scene_splice (scene, n, 0, model, 1);
  g_ptr_array_add (edges,
                   fore_graph_edge_new ("first", "explore", FORE_GRAPH_EDGE_DEPENDENCY, NULL));
  fore_graph_scene_set_edges (scene, edges);
  anchor = fore_graph_scene_find (scene, "p5");
  lay_out (scene, anchor);
  g_assert_cmpfloat (fore_graph_scene_get_node (scene, anchor)->box.x, ==, before.x);
  g_assert_cmpfloat (fore_graph_scene_get_node (scene, anchor)->box.y, ==, before.y);
}

static void
init_style (ForeGraphCardStyle *style, gboolean dark)
{
  PangoFontDescription *font;

  *style = (ForeGraphCardStyle){ { 0 } };
  fore_palette_init (&style->palette, dark, FALSE);
  style->scale = 1;
  style->context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  font = pango_font_description_from_string ("Sans 11");
  pango_context_set_font_description (style->context, font);
  pango_font_description_free (font);
}

static guint32
get_pixel (cairo_surface_t *surface, int x, int y)
{
  const guchar *data = cairo_image_surface_get_data (surface);

  return *(const guint32 *) (data + y * cairo_image_surface_get_stride (surface) + 4 * x)
         & 0xffffff;
}

static guint32
to_pixel (const GdkRGBA *colour)
{
  return (guint32) (colour->red * 255 + 0.5) << 16 | (guint32) (colour->green * 255 + 0.5) << 8
         | (guint32) (colour->blue * 255 + 0.5);
}

static cairo_surface_t *
draw_card (ForeGraphCardStyle *style, ForeGraphNode *node)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 200, 60);
  cairo_t *cr = cairo_create (surface);
  GskRenderNode *drawn;

  fore_graph_card_snapshot (snapshot, style, node, 192, 56);
  drawn = gtk_snapshot_free_to_node (snapshot);
  gsk_render_node_draw (drawn, cr);
  gsk_render_node_unref (drawn);
  cairo_destroy (cr);
  cairo_surface_flush (surface);

  return surface;
}

static void
test_card_shows_status_by_colour (void)
{
  g_autoptr (ForeGraphNode) node = fore_graph_node_new ("a", "Title");
  ForeGraphCardStyle style;

  for (guint dark = 0; dark < 2; dark++)
    {
      init_style (&style, dark);
      for (guint status = 0; status < FORE_N_VIEW_STATUSES; status++)
        {
          cairo_surface_t *surface;

          fore_graph_node_set_status (node, status);
          surface = draw_card (&style, node);
          g_assert_cmphex (get_pixel (surface, 10, 28), ==,
                           to_pixel (&style.palette.status[status]));
          g_assert_cmphex (get_pixel (surface, 17, 28), ==, to_pixel (&style.palette.card));
          cairo_surface_destroy (surface);
          style.rtl = TRUE;
          surface = draw_card (&style, node);
          g_assert_cmphex (get_pixel (surface, 192 - 11, 28), ==,
                           to_pixel (&style.palette.status[status]));
          cairo_surface_destroy (surface);
          style.rtl = FALSE;
        }
      g_object_unref (style.context);
    }
}

static void
test_only_what_is_seen_is_drawn (void)
{
  g_autoptr (GPtrArray) edges = NULL;
  g_autoptr (GListModel) model = gallery_make_random (3000, &edges);
  g_autoptr (ForeGraphScene) scene = fore_graph_scene_new ();
  ForeGraphCardStyle style;
  ForeGraphPainter painter = { .scene = scene,
                               .style = &style,
                               .zoom = 1,
                               .progress = 1,
                               .selected = FORE_NO_NODE,
                               .hovered = FORE_NO_NODE };
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GskRenderNode *drawn;

  init_style (&style, FALSE);
  fore_graph_scene_splice (scene, 0, 0, model, g_list_model_get_n_items (model));
  fore_graph_scene_set_edges (scene, edges);
  lay_out (scene, FORE_NO_NODE);
  painter.visible = fore_graph_scene_get_node (scene, 1500)->box;
  painter.visible.width = 1200;
  painter.visible.height = 800;
  g_assert_cmpuint (fore_graph_painter_count (&painter), >, 1);
  g_assert_cmpuint (fore_graph_painter_count (&painter), <, 1500);
  fore_graph_painter_draw (&painter, snapshot, NULL, NULL);
  drawn = gtk_snapshot_free_to_node (snapshot);
  g_assert_nonnull (drawn);
  gsk_render_node_unref (drawn);
  g_assert_null (fore_graph_scene_get_node (scene, 0)->card);
  g_assert_nonnull (fore_graph_scene_get_node (scene, 1500)->card);
  g_object_unref (style.context);
}

static gboolean
overlap (const ForeGraphBox *a, const ForeGraphBox *b)
{
  return a->x <= b->x + b->width && b->x <= a->x + a->width && a->y <= b->y + b->height
         && b->y <= a->y + a->height;
}

/* Looks at every node and edge, and wants to find the same as the scene did. */
static void
check_visible (ForeGraphScene *scene, const ForeGraphBox *visible)
{
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n = 0;

  fore_graph_scene_find_visible (scene, visible, nodes, edges);
  for (guint i = 0; i < scene->nodes->len; i++)
    if (overlap (&fore_graph_scene_get_node (scene, i)->box, visible))
      g_assert_cmpuint (g_array_index (nodes, guint, n++), ==, i);
  g_assert_cmpuint (nodes->len, ==, n);

  n = 0;
  for (guint i = 0; i < scene->edges->len; i++)
    if (overlap (&fore_graph_scene_get_edge (scene, i)->bounds, visible))
      g_assert_cmpuint (g_array_index (edges, guint, n++), ==, i);
  g_assert_cmpuint (edges->len, ==, n);
}

static void
test_what_is_seen_follows_what_moves (void)
{
  g_autoptr (GListModel) model = NULL;
  g_autoptr (ForeGraphScene) scene = make_scene (&model);
  g_autoptr (ForeGraphLayout) layout = NULL;
  ForeGraphBox corner = { scene->bounds.x, scene->bounds.y, scene->bounds.width / 3,
                          scene->bounds.height / 3 };

  check_visible (scene, &corner);
  scene->node_width *= 2;
  layout = fore_graph_scene_make_layout (scene);
  g_assert_true (fore_graph_layout_run (layout, NULL, NULL));
  fore_graph_scene_apply (scene, layout, FORE_NO_NODE);
  check_visible (scene, &corner);
  fore_graph_scene_move (scene, 0.5);
  check_visible (scene, &corner);
  fore_graph_scene_move (scene, 1);
  check_visible (scene, &corner);
  g_list_store_remove (G_LIST_STORE (model), 0);
  fore_graph_scene_splice (scene, 0, 1, model, 0);
  check_visible (scene, &scene->bounds);
}

static void
test_accessible_name_says_status (void)
{
  g_autoptr (ForeGraphNode) node = fore_graph_node_new ("a", "Writer");
  g_autofree char *name = NULL;

  fore_graph_node_set_subtitle (node, "executor · claude");
  fore_graph_node_set_status (node, FORE_VIEW_ACTIVE);
  name = fore_graph_node_dup_accessible_name (node);
  g_assert_cmpstr (name, ==, "Writer, executor · claude, Running");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  /* Drawing works without a display, but its types are registered here. */
  gtk_init_check ();
  g_test_add_func ("/graph-scene/go", test_go_along_edges);
  g_test_add_func ("/graph-scene/hit", test_hit);
  g_test_add_func ("/graph-scene/comes-back", test_node_that_comes_back_keeps_its_place);
  g_test_add_func ("/graph-scene/another", test_another_graph_begins_anew);
  g_test_add_func ("/graph-scene/hidden", test_node_shows_what_would_hide);
  g_test_add_func ("/graph-scene/late-nodes", test_edges_wait_for_their_nodes);
  g_test_add_func ("/graph-scene/anchor", test_anchor_stays);
  g_test_add_func ("/graph-scene/card", test_card_shows_status_by_colour);
  g_test_add_func ("/graph-scene/culling", test_only_what_is_seen_is_drawn);
  g_test_add_func ("/graph-scene/seen", test_what_is_seen_follows_what_moves);
  g_test_add_func ("/graph-scene/accessible-name", test_accessible_name_says_status);

  return g_test_run ();
}
