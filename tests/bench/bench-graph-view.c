/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-overview.h"
#include "app/fore-graph-painter.h"

#include <stdlib.h>
#include <time.h>

/* What it costs to pan over 10,000 tasks at several zooms: building the snapshot (CPU time of the
 * thread), how many render nodes it has, and drawing it with cairo. Needs no display. One JSON
 * object a line; exits with 1 when the median snapshot or the nodes are beyond their bar.
 */

#define N_TASKS 10000
#define N_FRAMES 60
#define WIDTH 1600
#define HEIGHT 900
#define BAR_MS 2.0
#define BAR_NODES 2000

typedef struct
{
  double build_ms[N_FRAMES];
  double draw_ms[N_FRAMES];
  guint n_nodes;
} Result;

static double
get_cpu_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static guint
count_nodes (GskRenderNode *node)
{
  guint n = 1;

  switch (gsk_render_node_get_node_type (node))
    {
    case GSK_CONTAINER_NODE:
      for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
        n += count_nodes (gsk_container_node_get_child (node, i));
      return n;
    case GSK_TRANSFORM_NODE:
      return n + count_nodes (gsk_transform_node_get_child (node));
    case GSK_ROUNDED_CLIP_NODE:
      return n + count_nodes (gsk_rounded_clip_node_get_child (node));
    case GSK_OPACITY_NODE:
      return n + count_nodes (gsk_opacity_node_get_child (node));
    case GSK_REPEAT_NODE:
      return n + count_nodes (gsk_repeat_node_get_child (node));
    default:
      return n;
    }
}

static ForeGraphScene *
make_scene (void)
{
  ForeGraphScene *scene = fore_graph_scene_new ();
  g_autoptr (GListStore) store = g_list_store_new (FORE_TYPE_GRAPH_NODE);
  g_autoptr (GPtrArray) edges = g_ptr_array_new_with_free_func (
      (GDestroyNotify) fore_graph_edge_free);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (ForeGraphLayout) layout = NULL;

  for (guint i = 0; i < N_TASKS; i++)
    {
      g_autofree char *id = g_strdup_printf ("t%u", i);
      g_autofree char *from = g_strdup_printf ("t%u",
                                               (guint) g_rand_int_range (rand, i / 2, i + 1));
      g_autoptr (ForeGraphNode) node = fore_graph_node_new (id, "Write the table model");

      fore_graph_node_set_subtitle (node, "executor · claude");
      fore_graph_node_set_status (node, i % FORE_N_VIEW_STATUSES);
      g_list_store_append (store, node);
      g_ptr_array_add (edges, fore_graph_edge_new (from, id, FORE_GRAPH_EDGE_DEPENDENCY, NULL));
    }
  fore_graph_scene_splice (scene, 0, 0, G_LIST_MODEL (store), N_TASKS);
  fore_graph_scene_set_edges (scene, edges);
  layout = fore_graph_scene_make_layout (scene);
  fore_graph_layout_run (layout, NULL, NULL);
  fore_graph_scene_apply (scene, layout, FORE_NO_NODE);
  fore_graph_scene_move (scene, 1);

  return scene;
}

static void
draw_frame (ForeGraphPainter *painter,
            GdkTexture *overview,
            const ForeGraphBox *bounds,
            cairo_surface_t *surface,
            Result *result,
            guint frame)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  cairo_t *cr = cairo_create (surface);
  double begin = get_cpu_ms ();
  GskRenderNode *node;

  gtk_snapshot_scale (snapshot, painter->zoom, painter->zoom);
  gtk_snapshot_translate (snapshot,
                          &GRAPHENE_POINT_INIT (-painter->visible.x, -painter->visible.y));
  fore_graph_painter_draw (painter, snapshot, overview, bounds);
  node = gtk_snapshot_free_to_node (snapshot);
  result->build_ms[frame] = get_cpu_ms () - begin;

  if (node != NULL)
    {
      begin = get_cpu_ms ();
      gsk_render_node_draw (node, cr);
      result->draw_ms[frame] = get_cpu_ms () - begin;
      result->n_nodes = MAX (result->n_nodes, count_nodes (node));
      gsk_render_node_unref (node);
    }
  cairo_destroy (cr);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a;
  double right = *(const double *) b;

  return left < right ? -1 : left > right;
}

static gboolean
pan (ForeGraphPainter *painter, GdkTexture *overview, double zoom)
{
  Result result = { { 0 } };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  ForeGraphBox bounds = painter->scene->bounds;

  painter->zoom = zoom;
  painter->visible = (ForeGraphBox){ bounds.x + bounds.width / 2 - WIDTH / zoom / 2,
                                     bounds.y + bounds.height / 2 - HEIGHT / zoom / 2, WIDTH / zoom,
                                     HEIGHT / zoom };
  for (guint i = 0; i < N_FRAMES; i++)
    {
      painter->visible.x += 12 / zoom;
      draw_frame (painter, overview, &bounds, surface, &result, i);
    }
  cairo_surface_destroy (surface);

  qsort (result.build_ms, N_FRAMES, sizeof (double), compare);
  qsort (result.draw_ms, N_FRAMES, sizeof (double), compare);
  g_print ("{\"bench\":\"graph-view\",\"tasks\":%d,\"zoom\":%.2f,\"snapshot_ms\":%.2f,"
           "\"snapshot_p95_ms\":%.2f,\"bar_ms\":%.0f,\"render_nodes\":%u,\"bar_nodes\":%d,"
           "\"cairo_p95_ms\":%.1f}\n",
           N_TASKS, zoom, result.build_ms[N_FRAMES / 2], result.build_ms[N_FRAMES * 95 / 100],
           BAR_MS, result.n_nodes, BAR_NODES, result.draw_ms[N_FRAMES * 95 / 100]);

  return result.build_ms[N_FRAMES / 2] <= BAR_MS && result.n_nodes <= BAR_NODES;
}

int
main (int argc, char **argv)
{
  static const double zooms[] = { 1.5, 1, 0.6, 0.41, 0.39, 0.2, 0.1, 0.03 };
  ForeGraphCardStyle style = { .scale = 1 };
  g_autoptr (ForeGraphScene) scene = NULL;
  g_autoptr (ForeGraphOverview) overview = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  ForeGraphPainter painter
      = { .style = &style, .selected = FORE_NO_NODE, .hovered = FORE_NO_NODE, .progress = 1 };
  gboolean good = TRUE;

  gtk_init_check ();
  fore_palette_init (&style.palette, FALSE, FALSE);
  style.context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  painter.scene = scene = make_scene ();
  overview = fore_graph_overview_new (scene, &style.palette);
  texture = fore_graph_overview_paint (overview, 2048);

  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    good = pan (&painter, texture, zooms[i]) && good;
  g_object_unref (style.context);

  return good ? 0 : 1;
}
