/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "model/fore-error.h"
#include "model/fore-graph.h"

#define MAX_NODES 60

/* A graph as a table, against which the real one is held. */
typedef struct
{
  guint n;
  gboolean arrow[MAX_NODES][MAX_NODES]; /* [before][after] */
  gboolean done[MAX_NODES];
} Table;

static char *
dup_key (guint i)
{
  return g_strdup_printf ("t%u", i);
}

static guint
get_number (const char *key)
{
  return (guint) g_ascii_strtoull (key + 1, NULL, 10);
}

static void
fill_random (Table *table)
{
  guint percent = (guint) g_test_rand_int_range (0, 40);

  memset (table, 0, sizeof *table);
  table->n = (guint) g_test_rand_int_range (1, MAX_NODES);
  for (guint after = 0; after < table->n; after++)
    for (guint before = 0; before < after; before++)
      table->arrow[before][after] = (guint) g_test_rand_int_range (0, 100) < percent;
}

static GStrv
list_before (const Table *table, guint after)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint before = 0; before < table->n; before++)
    {
      g_autofree char *key = dup_key (before);

      if (table->arrow[before][after])
        g_strv_builder_add (builder, key);
    }

  return g_strv_builder_end (builder);
}

/* The nodes are handed over in any order, as a plan lists them. */
static ForeGraph *
build (const Table *table, GError **error)
{
  g_autoptr (ForeGraph) graph = fore_graph_new ();
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  GStrv deps[MAX_NODES];
  guint order[MAX_NODES];
  gboolean built;

  for (guint i = 0; i < table->n; i++)
    order[i] = i;
  for (guint i = table->n; i > 1; i--)
    {
      guint j = (guint) g_test_rand_int_range (0, (gint32) i);
      guint swap = order[i - 1];

      order[i - 1] = order[j];
      order[j] = swap;
    }
  for (guint i = 0; i < table->n; i++)
    {
      g_ptr_array_add (keys, dup_key (order[i]));
      deps[i] = list_before (table, order[i]);
    }

  built = fore_graph_add_all (graph, (const char *const *) keys->pdata, deps, table->n, error);
  for (guint i = 0; i < table->n; i++)
    g_strfreev (deps[i]);

  return built ? g_steal_pointer (&graph) : NULL;
}

static guint
count_unmet (const Table *table, guint after)
{
  guint unmet = 0;

  for (guint before = 0; before < table->n; before++)
    unmet += table->arrow[before][after] && !table->done[before];

  return unmet;
}

static void
assert_unmet (ForeGraph *graph, const Table *table)
{
  for (guint i = 0; i < table->n; i++)
    {
      g_autofree char *key = dup_key (i);

      g_assert_cmpuint (fore_graph_get_unmet (graph, key), ==, count_unmet (table, i));
      g_assert_true (fore_graph_is_satisfied (graph, key) == table->done[i]);
    }
}

static guint
choose_ready (const Table *table)
{
  guint start = (guint) g_test_rand_int_range (0, (gint32) table->n);

  for (guint i = 0; i < table->n; i++)
    {
      guint candidate = (start + i) % table->n;

      if (!table->done[candidate] && count_unmet (table, candidate) == 0)
        return candidate;
    }

  g_assert_not_reached ();
}

static void
satisfy_one (ForeGraph *graph, Table *table)
{
  guint chosen = choose_ready (table);
  g_autofree char *key = dup_key (chosen);
  g_autoptr (GPtrArray) released = NULL;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  table->done[chosen] = TRUE;
  released = fore_graph_satisfy (graph, key);
  for (guint i = 0; i < released->len; i++)
    {
      const char *name = g_ptr_array_index (released, i);

      g_assert_true (g_hash_table_add (seen, (gpointer) name));
      g_assert_true (table->arrow[chosen][get_number (name)]);
      g_assert_cmpuint (count_unmet (table, get_number (name)), ==, 0);
    }
  for (guint after = 0; after < table->n; after++)
    {
      g_autofree char *name = dup_key (after);

      if (table->arrow[chosen][after] && count_unmet (table, after) == 0)
        g_assert_true (g_hash_table_contains (seen, name));
    }
}

static void
test_release_on_random_graphs (void)
{
  for (guint round = 0; round < 150; round++)
    {
      g_autoptr (ForeGraph) graph = NULL;
      g_autoptr (GError) error = NULL;
      Table table;

      fill_random (&table);
      graph = build (&table, &error);
      g_assert_no_error (error);
      for (guint i = 0; i < table.n; i++)
        {
          assert_unmet (graph, &table);
          satisfy_one (graph, &table);
        }
      assert_unmet (graph, &table);
    }
}

static void
test_sorted_after_what_it_depends_on (void)
{
  for (guint round = 0; round < 150; round++)
    {
      g_autoptr (ForeGraph) graph = NULL;
      g_autoptr (GPtrArray) sorted = NULL;
      guint place[MAX_NODES];
      Table table;

      fill_random (&table);
      graph = build (&table, NULL);
      sorted = fore_graph_sort (graph);
      g_assert_cmpuint (sorted->len, ==, table.n);
      for (guint i = 0; i < sorted->len; i++)
        place[get_number (g_ptr_array_index (sorted, i))] = i;
      for (guint before = 0; before < table.n; before++)
        for (guint after = 0; after < table.n; after++)
          if (table.arrow[before][after])
            g_assert_cmpuint (place[before], <, place[after]);
    }
}

static void
close_over (Table *table)
{
  for (guint k = 0; k < table->n; k++)
    for (guint i = 0; i < table->n; i++)
      for (guint j = 0; j < table->n; j++)
        table->arrow[i][j] |= table->arrow[i][k] && table->arrow[k][j];
}

static void
test_near_and_far (void)
{
  for (guint round = 0; round < 60; round++)
    {
      g_autoptr (ForeGraph) graph = NULL;
      Table table;

      fill_random (&table);
      graph = build (&table, NULL);
      close_over (&table);
      for (guint i = 0; i < table.n; i++)
        {
          g_autofree char *key = dup_key (i);
          g_autoptr (GPtrArray) after = fore_graph_list_dependants (graph, key, TRUE);
          g_autoptr (GPtrArray) before = fore_graph_list_dependencies (graph, key, TRUE);
          guint n_after = 0;
          guint n_before = 0;

          for (guint j = 0; j < table.n; j++)
            {
              n_after += table.arrow[i][j];
              n_before += table.arrow[j][i];
            }
          g_assert_cmpuint (after->len, ==, n_after);
          g_assert_cmpuint (before->len, ==, n_before);
          for (guint j = 0; j < after->len; j++)
            g_assert_true (table.arrow[i][get_number (g_ptr_array_index (after, j))]);
        }
    }
}

/* The trail in the message has to be a real walk along the arrows, back to where it began. */
static void
assert_trail (const Table *table, const char *message)
{
  g_autoptr (GRegex) regex = g_regex_new ("\\bt[0-9]+\\b", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autoptr (GArray) trail = g_array_new (FALSE, FALSE, sizeof (guint));

  g_regex_match (regex, message, 0, &match);
  while (g_match_info_matches (match))
    {
      g_autofree char *word = g_match_info_fetch (match, 0);
      guint number = get_number (word);

      g_array_append_val (trail, number);
      g_match_info_next (match, NULL);
    }

  g_assert_cmpuint (trail->len, >=, 2);
  g_assert_cmpuint (g_array_index (trail, guint, 0), ==,
                    g_array_index (trail, guint, trail->len - 1));
  for (guint i = 1; i < trail->len; i++)
    {
      guint a = g_array_index (trail, guint, i - 1);
      guint b = g_array_index (trail, guint, i);

      g_assert_true (table->arrow[a][b] || table->arrow[b][a]);
    }
}

static void
test_cycles_are_refused_with_their_trail (void)
{
  for (guint round = 0; round < 150; round++)
    {
      g_autoptr (ForeGraph) graph = NULL;
      g_autoptr (GError) error = NULL;
      Table table;
      Table closed;
      guint from;
      guint to;

      fill_random (&table);
      closed = table;
      close_over (&closed);
      from = (guint) g_test_rand_int_range (0, (gint32) table.n);
      to = (guint) g_test_rand_int_range (0, (gint32) table.n);
      table.arrow[from][to] = TRUE;

      graph = build (&table, &error);
      if (from != to && !closed.arrow[to][from])
        {
          g_assert_no_error (error);
          continue;
        }
      g_assert_error (error, FORE_ERROR, FORE_ERROR_INVALID);
      assert_trail (&table, error->message);
    }
}

static void
test_a_refused_growth_changes_nothing (void)
{
  static const char *const bad[] = { "x", "y", NULL };
  g_autoptr (ForeGraph) graph = fore_graph_new ();
  g_auto (GStrv) on_y = g_strsplit ("y", ",", -1);
  g_auto (GStrv) on_x = g_strsplit ("x", ",", -1);
  GStrv const deps[] = { on_y, on_x };
  g_autoptr (GError) error = NULL;

  g_assert_true (fore_graph_add (graph, "a", NULL, NULL));
  g_assert_false (fore_graph_add_all (graph, bad, deps, 2, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_INVALID);
  g_assert_cmpuint (fore_graph_get_size (graph), ==, 1);
  g_assert_false (fore_graph_contains (graph, "x"));
  g_assert_true (fore_graph_check (graph, NULL));
  g_assert_true (fore_graph_add (graph, "x", NULL, NULL));
}

static void
test_growth_counts_only_what_is_not_done (void)
{
  static const char *const on_both[] = { "a", "b", NULL };
  g_autoptr (ForeGraph) graph = fore_graph_new ();
  g_autoptr (GPtrArray) released = NULL;

  g_assert_true (fore_graph_add (graph, "a", NULL, NULL));
  g_assert_true (fore_graph_add (graph, "b", NULL, NULL));
  g_ptr_array_unref (fore_graph_satisfy (graph, "a"));
  g_assert_true (fore_graph_add (graph, "c", on_both, NULL));
  g_assert_cmpuint (fore_graph_get_unmet (graph, "c"), ==, 1);
  g_assert_true (fore_graph_add (graph, "d", NULL, NULL));
  fore_graph_connect (graph, "d", "c");
  g_assert_cmpuint (fore_graph_get_unmet (graph, "c"), ==, 2);
  g_ptr_array_unref (fore_graph_satisfy (graph, "d"));
  released = fore_graph_satisfy (graph, "b");
  g_assert_cmpuint (released->len, ==, 1);
}

static void
test_bad_nodes_are_refused (void)
{
  static const char *const on_nobody[] = { "nobody", NULL };
  g_autoptr (ForeGraph) graph = fore_graph_new ();
  g_autoptr (GError) twice = NULL;
  g_autoptr (GError) unknown = NULL;

  g_assert_true (fore_graph_add (graph, "a", NULL, NULL));
  g_assert_false (fore_graph_add (graph, "a", NULL, &twice));
  g_assert_nonnull (strstr (twice->message, "a"));
  g_assert_false (fore_graph_add (graph, "b", on_nobody, &unknown));
  g_assert_nonnull (strstr (unknown->message, "nobody"));
  g_assert_cmpuint (fore_graph_get_size (graph), ==, 1);
}

static void
test_10000_in_a_chain (void)
{
  g_autoptr (ForeGraph) graph = fore_graph_new ();
  g_autoptr (GPtrArray) after = NULL;
  g_autofree char *before = NULL;
  gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < 10000; i++)
    {
      char *key = dup_key (i);
      const char *const deps[] = { before, NULL };

      g_assert_true (fore_graph_add (graph, key, before != NULL ? deps : NULL, NULL));
      g_free (before);
      before = key;
    }
  after = fore_graph_list_dependants (graph, "t0", TRUE);
  g_assert_cmpuint (after->len, ==, 9999);
  g_assert_true (fore_graph_check (graph, NULL));
  g_assert_cmpint (g_get_monotonic_time () - start, <, 2 * G_USEC_PER_SEC);
}

static gint64
weigh_by_name (const char *key, gpointer user_data)
{
  return g_ascii_strtoll (key + 1, NULL, 10);
}

static void
test_longest_chains (void)
{
  static const char *const keys[] = { "a1", "b2", "c3", "d4", "e50" };
  static char *after_a[] = { "a1", NULL };
  static char *after_b_c[] = { "b2", "c3", NULL };
  static const GStrv deps[] = { NULL, after_a, after_a, after_b_c, NULL };
  g_autoptr (ForeGraph) graph = fore_graph_new ();

  g_assert_true (fore_graph_add_all (graph, keys, deps, G_N_ELEMENTS (keys), NULL));
  fore_graph_measure (graph, weigh_by_name, NULL);
  g_assert_cmpint (fore_graph_get_chain (graph, "d4"), ==, 4);
  g_assert_cmpint (fore_graph_get_chain (graph, "b2"), ==, 6);
  g_assert_cmpint (fore_graph_get_chain (graph, "c3"), ==, 7);
  g_assert_cmpint (fore_graph_get_chain (graph, "a1"), ==, 8);
  g_assert_cmpint (fore_graph_get_chain (graph, "e50"), ==, 50);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/graph/release-on-random-graphs", test_release_on_random_graphs);
  g_test_add_func ("/graph/sorted", test_sorted_after_what_it_depends_on);
  g_test_add_func ("/graph/near-and-far", test_near_and_far);
  g_test_add_func ("/graph/cycles", test_cycles_are_refused_with_their_trail);
  g_test_add_func ("/graph/a-refused-growth-changes-nothing",
                   test_a_refused_growth_changes_nothing);
  g_test_add_func ("/graph/growth", test_growth_counts_only_what_is_not_done);
  g_test_add_func ("/graph/bad-nodes", test_bad_nodes_are_refused);
  g_test_add_func ("/graph/longest-chains", test_longest_chains);
  g_test_add_func ("/graph/10000-in-a-chain", test_10000_in_a_chain);

  return g_test_run ();
}
