/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-layout.h"

#include <stdlib.h>
#include <time.h>

/* How long a layout takes and how many crossings it leaves, on three families of graphs; as one
 * JSON object a line. The bar is held against the CPU time of the thread (median of the runs),
 * which other programs on the machine do not change much; the wall time stands beside it. Exits
 * with 1 when a time is beyond one and a half times its bar.
 */

#define N_RUNS 5
#define SLACK 1.5

typedef enum
{
  FAMILY_WINDOW,
  FAMILY_FORK_JOIN,
  FAMILY_RANDOM,
} Family;

static const char *const family_names[] = { "window", "fork-join", "random" };

static void
add_random_parents (ForeGraphLayout *layout, GRand *rand, guint node, guint reach)
{
  guint n_parents = g_rand_int_range (rand, 1, 3);
  guint last = G_MAXUINT;

  for (guint i = 0; i < n_parents && node > 0; i++)
    {
      guint parent = node - 1 - g_rand_int_range (rand, 0, MIN (node, reach));

      if (parent != last)
        fore_graph_layout_add_edge (layout, parent, node, TRUE);
      last = parent;
    }
}

static void
add_fork_join (ForeGraphLayout *layout, GRand *rand, guint n)
{
  guint head = 0;
  guint next = 1;

  while (next < n)
    {
      guint width = MIN ((guint) g_rand_int_range (rand, 2, 9), n - next);
      guint first = next;

      for (guint i = 0; i < width; i++)
        fore_graph_layout_add_edge (layout, head, next++, TRUE);
      if (next == n)
        break;
      for (guint i = 0; i < width; i++)
        fore_graph_layout_add_edge (layout, first + i, next, TRUE);
      head = next++;
    }
}

static ForeGraphLayout *
make_graph (Family family, guint n)
{
  ForeGraphLayout *layout = fore_graph_layout_new (NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (4711);

  for (guint i = 0; i < n; i++)
    fore_graph_layout_add_node (layout, 186, 54);
  if (family == FAMILY_FORK_JOIN)
    add_fork_join (layout, rand, n);
  else
    for (guint i = 1; i < n; i++)
      add_random_parents (layout, rand, i, family == FAMILY_WINDOW ? 20 : n);

  return layout;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a;
  double right = *(const double *) b;

  return left < right ? -1 : left > right;
}

static double
get_cpu_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static double
measure (ForeGraphLayout *layout, double *wall_ms)
{
  double cpu[N_RUNS], wall[N_RUNS];

  for (guint i = 0; i < N_RUNS; i++)
    {
      gint64 begin = g_get_monotonic_time ();
      double cpu_begin = get_cpu_ms ();

      fore_graph_layout_run (layout, NULL, NULL);
      cpu[i] = get_cpu_ms () - cpu_begin;
      wall[i] = (g_get_monotonic_time () - begin) / 1000.0;
    }
  qsort (cpu, N_RUNS, sizeof (double), compare_times);
  qsort (wall, N_RUNS, sizeof (double), compare_times);
  *wall_ms = wall[N_RUNS / 2];

  return cpu[N_RUNS / 2];
}

int
main (int argc, char **argv)
{
  static const struct
  {
    guint n;
    double bar;
  } sizes[] = { { 100, 5 }, { 300, 10 }, { 1000, 20 }, { 10000, 300 } };
  gboolean good = TRUE;

  for (guint f = 0; f < G_N_ELEMENTS (family_names); f++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      {
        g_autoptr (ForeGraphLayout) layout = make_graph (f, sizes[s].n);
        double wall;
        double time = measure (layout, &wall);

        g_print ("{\"bench\":\"graph-layout\",\"family\":\"%s\",\"nodes\":%u,\"edges\":%u,"
                 "\"cpu_ms\":%.2f,\"wall_ms\":%.2f,\"bar_ms\":%.0f,\"crossings\":%" G_GUINT64_FORMAT
                 "}\n",
                 family_names[f], sizes[s].n, fore_graph_layout_get_n_edges (layout), time, wall,
                 sizes[s].bar, fore_graph_layout_count_crossings (layout));
        good = good && time <= SLACK * sizes[s].bar;
      }

  return good ? 0 : 1;
}
