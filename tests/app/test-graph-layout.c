/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-layout.h"

#include <math.h>

#define WIDTH 192
#define HEIGHT 56
#define N_GRAPHS 60

typedef struct
{
  guint n;
  GArray *from;
  GArray *to;
} Dag;

static Dag *
dag_new (GRand *rand, guint n)
{
  Dag *dag = g_new0 (Dag, 1);

  dag->n = n;
  dag->from = g_array_new (FALSE, FALSE, sizeof (guint));
  dag->to = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 1; i < n; i++)
    {
      guint n_parents = g_rand_int_range (rand, 0, 4);

      for (guint k = 0; k < n_parents; k++)
        {
          guint parent = g_rand_int_range (rand, 0, i);

          g_array_append_val (dag->from, parent);
          g_array_append_val (dag->to, i);
        }
    }

  return dag;
}

static void
dag_free (Dag *dag)
{
  g_array_unref (dag->from);
  g_array_unref (dag->to);
  g_free (dag);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Dag, dag_free)

static ForeGraphLayout *
make_layout (const Dag *dag)
{
  ForeGraphLayout *layout = fore_graph_layout_new (NULL);

  for (guint i = 0; i < dag->n; i++)
    fore_graph_layout_add_node (layout, WIDTH, HEIGHT);
  for (guint e = 0; e < dag->from->len; e++)
    fore_graph_layout_add_edge (layout, g_array_index (dag->from, guint, e),
                                g_array_index (dag->to, guint, e), TRUE);

  return layout;
}

static void
run (ForeGraphLayout *layout)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (fore_graph_layout_run (layout, NULL, &error));
  g_assert_no_error (error);
}

static void
check_no_overlap (const ForeGraphLayout *layout)
{
  guint n = fore_graph_layout_get_n_nodes (layout);

  for (guint i = 0; i < n; i++)
    for (guint k = i + 1; k < n; k++)
      {
        const ForeGraphBox *a = fore_graph_layout_get_node_box (layout, i);
        const ForeGraphBox *b = fore_graph_layout_get_node_box (layout, k);
        gboolean apart = a->x + a->width <= b->x || b->x + b->width <= a->x
                         || a->y + a->height <= b->y || b->y + b->height <= a->y;

        g_assert_true (apart);
      }
}

/* Every line begins below its upper card, ends on top of its lower one, and turns square. */
static void
check_edges (const ForeGraphLayout *layout, const Dag *dag)
{
  for (guint e = 0; e < dag->from->len; e++)
    {
      const ForeGraphBox *from = fore_graph_layout_get_node_box (
          layout, g_array_index (dag->from, guint, e));
      const ForeGraphBox *to = fore_graph_layout_get_node_box (layout,
                                                               g_array_index (dag->to, guint, e));
      guint n;
      const ForeGraphPoint *points = fore_graph_layout_get_edge_points (layout, e, &n);

      g_assert_cmpuint (n, >=, 2);
      g_assert_cmpfloat_with_epsilon (points[0].x, from->x + from->width / 2, 1);
      g_assert_cmpfloat_with_epsilon (points[0].y, from->y + from->height, 0.01);
      g_assert_cmpfloat_with_epsilon (points[n - 1].y, to->y, 0.01);
      g_assert_cmpfloat_with_epsilon (points[n - 1].x, to->x + to->width / 2, 1);
      for (guint i = 0; i + 1 < n; i++)
        {
          g_assert_cmpfloat (points[i + 1].y, >=, points[i].y);
          g_assert_true (points[i].x == points[i + 1].x || points[i].y == points[i + 1].y);
        }
    }
}

static gboolean
line_hits_box (const ForeGraphPoint *a, const ForeGraphPoint *b, const ForeGraphBox *box)
{
  return MAX (a->x, b->x) > box->x + 1 && MIN (a->x, b->x) < box->x + box->width - 1
         && MAX (a->y, b->y) > box->y + 1 && MIN (a->y, b->y) < box->y + box->height - 1;
}

static void
check_lines_miss_cards (const ForeGraphLayout *layout)
{
  for (guint e = 0; e < fore_graph_layout_get_n_edges (layout); e++)
    {
      guint n;
      const ForeGraphPoint *points = fore_graph_layout_get_edge_points (layout, e, &n);

      for (guint i = 0; i + 1 < n; i++)
        for (guint k = 0; k < fore_graph_layout_get_n_nodes (layout); k++)
          g_assert_false (line_hits_box (&points[i], &points[i + 1],
                                         fore_graph_layout_get_node_box (layout, k)));
    }
}

static void
test_random_graphs (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint i = 0; i < N_GRAPHS; i++)
    {
      g_autoptr (Dag) dag = dag_new (rand, g_rand_int_range (rand, 1, 60));
      g_autoptr (ForeGraphLayout) layout = make_layout (dag);

      run (layout);
      check_no_overlap (layout);
      check_edges (layout, dag);
      check_lines_miss_cards (layout);
    }
}

static void
test_same_input_same_output (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  g_autoptr (Dag) dag = dag_new (rand, 120);
  g_autoptr (ForeGraphLayout) first = make_layout (dag);
  g_autoptr (ForeGraphLayout) second = make_layout (dag);

  run (first);
  run (second);
  run (second);
  for (guint i = 0; i < dag->n; i++)
    {
      const ForeGraphBox *a = fore_graph_layout_get_node_box (first, i);
      const ForeGraphBox *b = fore_graph_layout_get_node_box (second, i);

      g_assert_cmpfloat (a->x, ==, b->x);
      g_assert_cmpfloat (a->y, ==, b->y);
    }
}

static void
remember (ForeGraphLayout *layout, const ForeGraphLayout *before, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const ForeGraphBox *box = fore_graph_layout_get_node_box (before, i);

      guint layer = fore_graph_layout_get_node_layer (before, i);
      guint n_trunk;
      const double *trunk = fore_graph_layout_get_trunk (before, i, &n_trunk);

      fore_graph_layout_set_previous (layout, i, box->x + box->width / 2, layer);
      for (guint k = 0; k < n_trunk; k++)
        fore_graph_layout_set_previous_trunk (layout, i, layer + 1 + k, trunk[k]);
    }
}

static void
test_nothing_new_moves_nothing (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (13);

  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (Dag) dag = dag_new (rand, 40);
      g_autoptr (ForeGraphLayout) before = make_layout (dag);
      g_autoptr (ForeGraphLayout) after = make_layout (dag);

      run (before);
      remember (after, before, dag->n);
      run (after);
      for (guint k = 0; k < dag->n; k++)
        g_assert_cmpfloat (fore_graph_layout_get_node_box (before, k)->x, ==,
                           fore_graph_layout_get_node_box (after, k)->x);
      check_no_overlap (after);
      check_edges (after, dag);
    }
}

/* A task that is added at the end needs no room that others have. */
static void
test_new_leaf_moves_nobody (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (17);

  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (Dag) dag = dag_new (rand, 40);
      g_autoptr (ForeGraphLayout) before = make_layout (dag);
      g_autoptr (ForeGraphLayout) after = NULL;
      const guint leaf = dag->n;
      guint parent = 0;

      run (before);
      for (guint k = 0; k < dag->n; k++)
        if (fore_graph_layout_get_node_layer (before, k) + 1
            == fore_graph_layout_get_n_layers (before))
          parent = k;
      dag->n++;
      g_array_append_val (dag->from, parent);
      g_array_append_val (dag->to, leaf);
      after = make_layout (dag);
      remember (after, before, leaf);
      run (after);
      for (guint k = 0; k < leaf; k++)
        {
          g_assert_cmpfloat (fore_graph_layout_get_node_box (before, k)->x, ==,
                             fore_graph_layout_get_node_box (after, k)->x);
          g_assert_cmpfloat (fore_graph_layout_get_node_box (before, k)->y, ==,
                             fore_graph_layout_get_node_box (after, k)->y);
        }
      check_no_overlap (after);
    }
}

static void
test_grown_graph_keeps_order (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (19);

  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (Dag) dag = dag_new (rand, 50);
      Dag part = { 35, g_array_new (FALSE, FALSE, sizeof (guint)),
                   g_array_new (FALSE, FALSE, sizeof (guint)) };
      g_autoptr (ForeGraphLayout) before = NULL;
      g_autoptr (ForeGraphLayout) after = make_layout (dag);

      for (guint e = 0; e < dag->from->len; e++)
        if (g_array_index (dag->to, guint, e) < part.n)
          {
            g_array_append_val (part.from, g_array_index (dag->from, guint, e));
            g_array_append_val (part.to, g_array_index (dag->to, guint, e));
          }
      before = make_layout (&part);
      run (before);
      remember (after, before, part.n);
      run (after);
      check_no_overlap (after);
      check_edges (after, dag);
      for (guint a = 0; a < part.n; a++)
        for (guint b = 0; b < part.n; b++)
          if (fore_graph_layout_get_node_layer (before, a)
                  == fore_graph_layout_get_node_layer (before, b)
              && fore_graph_layout_get_node_layer (after, a)
                     == fore_graph_layout_get_node_layer (after, b)
              && fore_graph_layout_get_node_box (before, a)->x
                     < fore_graph_layout_get_node_box (before, b)->x)
            g_assert_cmpfloat (fore_graph_layout_get_node_box (after, a)->x, <,
                               fore_graph_layout_get_node_box (after, b)->x);
      g_array_unref (part.from);
      g_array_unref (part.to);
    }
}

static void
test_parent_stands_over_its_children (void)
{
  g_autoptr (ForeGraphLayout) layout = fore_graph_layout_new (NULL);

  for (guint i = 0; i < 5; i++)
    fore_graph_layout_add_node (layout, WIDTH, HEIGHT);
  for (guint i = 1; i < 4; i++)
    {
      fore_graph_layout_add_edge (layout, 0, i, TRUE);
      fore_graph_layout_add_edge (layout, i, 4, TRUE);
    }
  run (layout);
  g_assert_cmpuint (fore_graph_layout_get_n_layers (layout), ==, 3);
  g_assert_cmpuint (fore_graph_layout_count_crossings (layout), ==, 0);
  g_assert_cmpfloat_with_epsilon (fore_graph_layout_get_node_box (layout, 0)->x,
                                  fore_graph_layout_get_node_box (layout, 2)->x, 1);
  g_assert_cmpfloat_with_epsilon (fore_graph_layout_get_node_box (layout, 4)->x,
                                  fore_graph_layout_get_node_box (layout, 2)->x, 1);
}

static void
test_cycle_is_drawn (void)
{
  g_autoptr (ForeGraphLayout) layout = fore_graph_layout_new (NULL);
  guint n;

  for (guint i = 0; i < 3; i++)
    fore_graph_layout_add_node (layout, WIDTH, HEIGHT);
  fore_graph_layout_add_edge (layout, 0, 1, TRUE);
  fore_graph_layout_add_edge (layout, 1, 2, TRUE);
  fore_graph_layout_add_edge (layout, 2, 0, TRUE);
  run (layout);
  check_no_overlap (layout);
  fore_graph_layout_get_edge_points (layout, 2, &n);
  g_assert_cmpuint (n, >=, 2);
}

static void
test_loose_edges_have_no_say (void)
{
  g_autoptr (ForeGraphLayout) layout = fore_graph_layout_new (NULL);
  const ForeGraphPoint *points;
  guint n;

  for (guint i = 0; i < 4; i++)
    fore_graph_layout_add_node (layout, WIDTH, HEIGHT);
  fore_graph_layout_add_edge (layout, 0, 1, TRUE);
  fore_graph_layout_add_edge (layout, 0, 2, TRUE);
  fore_graph_layout_add_edge (layout, 1, 3, TRUE);
  fore_graph_layout_add_edge (layout, 1, 2, FALSE);
  fore_graph_layout_add_edge (layout, 3, 2, FALSE);
  fore_graph_layout_add_edge (layout, 3, 0, FALSE);
  run (layout);
  g_assert_cmpuint (fore_graph_layout_get_node_layer (layout, 1), ==, 1);
  g_assert_cmpuint (fore_graph_layout_get_node_layer (layout, 2), ==, 1);
  points = fore_graph_layout_get_edge_points (layout, 3, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpfloat (points[0].y, ==, points[1].y);
  points = fore_graph_layout_get_edge_points (layout, 5, &n);
  g_assert_cmpfloat (points[0].y, >, points[n - 1].y);
}

static void
test_isolated_nodes_fill_rows (void)
{
  g_autoptr (ForeGraphLayout) layout = fore_graph_layout_new (NULL);
  ForeGraphBox bounds;

  for (guint i = 0; i < 100; i++)
    fore_graph_layout_add_node (layout, WIDTH, HEIGHT);
  run (layout);
  check_no_overlap (layout);
  fore_graph_layout_get_bounds (layout, &bounds);
  g_assert_cmpfloat (bounds.width, <, 12 * (WIDTH + 60));
}

static void
test_empty (void)
{
  g_autoptr (ForeGraphLayout) layout = fore_graph_layout_new (NULL);
  ForeGraphBox bounds;

  run (layout);
  fore_graph_layout_get_bounds (layout, &bounds);
  g_assert_cmpfloat (bounds.width, ==, 0);
}

static void
test_can_be_cancelled (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (23);
  g_autoptr (Dag) dag = dag_new (rand, 500);
  g_autoptr (ForeGraphLayout) layout = make_layout (dag);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (fore_graph_layout_run (layout, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  run (layout);
}

static void
test_dense_stages_share_one_bus (void)
{
  g_autoptr (ForeGraphLayout) layout = fore_graph_layout_new (NULL);
  double y = -1;

  for (guint i = 0; i < 6; i++)
    fore_graph_layout_add_node (layout, WIDTH, HEIGHT);
  for (guint a = 0; a < 3; a++)
    for (guint b = 3; b < 6; b++)
      fore_graph_layout_add_edge (layout, a, b, TRUE);
  run (layout);
  for (guint e = 0; e < 9; e++)
    {
      guint n;
      const ForeGraphPoint *points = fore_graph_layout_get_edge_points (layout, e, &n);

      if (n < 4)
        continue;
      if (y < 0)
        y = points[1].y;
      g_assert_cmpfloat (points[1].y, ==, y);
    }
  g_assert_cmpfloat (y, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph-layout/random-graphs", test_random_graphs);
  g_test_add_func ("/graph-layout/same-input-same-output", test_same_input_same_output);
  g_test_add_func ("/graph-layout/nothing-new-moves-nothing", test_nothing_new_moves_nothing);
  g_test_add_func ("/graph-layout/new-leaf-moves-nobody", test_new_leaf_moves_nobody);
  g_test_add_func ("/graph-layout/grown-graph-keeps-order", test_grown_graph_keeps_order);
  g_test_add_func ("/graph-layout/parent-over-children", test_parent_stands_over_its_children);
  g_test_add_func ("/graph-layout/cycle", test_cycle_is_drawn);
  g_test_add_func ("/graph-layout/loose-edges", test_loose_edges_have_no_say);
  g_test_add_func ("/graph-layout/isolated-nodes", test_isolated_nodes_fill_rows);
  g_test_add_func ("/graph-layout/empty", test_empty);
  g_test_add_func ("/graph-layout/cancel", test_can_be_cancelled);
  g_test_add_func ("/graph-layout/one-bus", test_dense_stages_share_one_bus);

  return g_test_run ();
}
