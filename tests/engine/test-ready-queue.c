/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-ready-queue.h"

#define MANY 10000

typedef struct
{
  GPtrArray *tasks;
  ForeReadyQueue *queue;
  GString *told;
  guint n_measured;
} Fixture;

/* The chain of a task is what its title says. */
static gint64
measure_by_title (const ForeTask *task, gpointer user_data)
{
  ((Fixture *) user_data)->n_measured++;
  return g_ascii_strtoll (task->title, NULL, 10);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_task_free);
  f->queue = fore_ready_queue_new (measure_by_title, f);
  f->told = g_string_new (NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  fore_ready_queue_free (f->queue);
  g_ptr_array_unref (f->tasks);
  g_string_free (f->told, TRUE);
}

static ForeTask *
add (Fixture *f, const char *key, const char *cli, const char *chain)
{
  ForeTask *task = fore_task_new (key);

  task->position = f->tasks->len;
  task->title = g_strdup (chain);
  task->cli = g_strdup (cli);
  g_ptr_array_add (f->tasks, task);
  fore_ready_queue_add (f->queue, task);

  return task;
}

static void
tell (ForeTask *task, const char *reason, gpointer user_data)
{
  g_string_append_printf (((Fixture *) user_data)->told, "%s:%s ", task->key, reason);
}

static void
assert_order (Fixture *f, ForeSlotPool pool, const char *keys)
{
  g_autoptr (GString) order = g_string_new (NULL);
  ForeTask *task;

  fore_ready_queue_begin_round (f->queue, pool);
  while ((task = fore_ready_queue_peek (f->queue, pool)) != NULL)
    {
      g_string_append (order, task->key);
      fore_ready_queue_remove (f->queue, task);
    }
  g_assert_cmpstr (order->str, ==, keys);
}

static void
test_longest_chain_first_then_the_plan (Fixture *f, gconstpointer data)
{
  add (f, "a", "pi", "1");
  add (f, "b", "pi", "7");
  add (f, "c", "claude", "9");
  add (f, "d", "claude", "7");
  add (f, "e", "pi", "7");
  add (f, "x", "command", "100");

  assert_order (f, FORE_SLOT_POOL_AGENTS, "cbdea");
  assert_order (f, FORE_SLOT_POOL_COMMANDS, "x");
  g_assert_true (fore_ready_queue_is_empty (f->queue));
}

static void
test_a_lane_that_is_held_up_holds_up_no_other (Fixture *f, gconstpointer data)
{
  ForeTask *a = add (f, "a", "pi", "9");

  add (f, "b", "pi", "8");
  add (f, "c", "claude", "1");

  fore_ready_queue_begin_round (f->queue, FORE_SLOT_POOL_AGENTS);
  g_assert_true (fore_ready_queue_peek (f->queue, FORE_SLOT_POOL_AGENTS) == a);
  fore_ready_queue_hold_up (f->queue, a, "no place");
  g_assert_cmpstr (fore_ready_queue_peek (f->queue, FORE_SLOT_POOL_AGENTS)->key, ==, "c");
  fore_ready_queue_end_round (f->queue, FORE_SLOT_POOL_AGENTS, "full", tell, f);
  g_assert_cmpstr (f->told->str, ==, "a:no place b:no place c:full ");

  /* Nobody is told twice, and the next round asks all again. */
  fore_ready_queue_begin_round (f->queue, FORE_SLOT_POOL_AGENTS);
  g_assert_true (fore_ready_queue_peek (f->queue, FORE_SLOT_POOL_AGENTS) == a);
  fore_ready_queue_end_round (f->queue, FORE_SLOT_POOL_AGENTS, "full", tell, f);
  g_assert_cmpstr (f->told->str, ==, "a:no place b:no place c:full ");
}

static void
test_measured_again (Fixture *f, gconstpointer data)
{
  ForeTask *a = add (f, "a", "pi", "1");

  add (f, "b", "pi", "2");
  g_free (a->title);
  a->title = g_strdup ("3");
  fore_ready_queue_measure_again (f->queue);

  assert_order (f, FORE_SLOT_POOL_AGENTS, "ab");
}

static void
test_taken_out_and_added_twice (Fixture *f, gconstpointer data)
{
  ForeTask *a = add (f, "a", "pi", "1");
  ForeTask *b = add (f, "b", "pi", "1");

  fore_ready_queue_add (f->queue, a);
  fore_ready_queue_remove (f->queue, b);
  fore_ready_queue_remove (f->queue, b);
  assert_order (f, FORE_SLOT_POOL_AGENTS, "a");

  fore_ready_queue_add (f->queue, b);
  fore_ready_queue_clear (f->queue);
  g_assert_true (fore_ready_queue_is_empty (f->queue));
}

/* A completion looks at the first of each lane, however many tasks are ready. */
static void
test_a_round_does_not_look_at_all (Fixture *f, gconstpointer data)
{
  for (guint i = 0; i < MANY; i++)
    {
      g_autofree char *key = g_strdup_printf ("t%u", i);
      g_autofree char *chain = g_strdup_printf ("%d", g_test_rand_int_range (0, 1000));

      add (f, key, "command", chain);
    }
  g_assert_cmpuint (f->n_measured, ==, MANY);

  for (guint i = 0; i < MANY; i++)
    {
      ForeTask *task;

      fore_ready_queue_begin_round (f->queue, FORE_SLOT_POOL_COMMANDS);
      task = fore_ready_queue_peek (f->queue, FORE_SLOT_POOL_COMMANDS);
      fore_ready_queue_remove (f->queue, task);
      fore_ready_queue_end_round (f->queue, FORE_SLOT_POOL_COMMANDS, "full", tell, f);
      g_string_truncate (f->told, i == 0 ? f->told->len : 0);
    }

  g_assert_cmpuint (f->n_measured, ==, MANY);
  g_assert_true (fore_ready_queue_is_empty (f->queue));
}

#define TEST(name, func) g_test_add ("/ready-queue/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  TEST ("longest-chain-first", test_longest_chain_first_then_the_plan);
  TEST ("lanes", test_a_lane_that_is_held_up_holds_up_no_other);
  TEST ("measured-again", test_measured_again);
  TEST ("taken-out", test_taken_out_and_added_twice);
  TEST ("many", test_a_round_does_not_look_at_all);

  return g_test_run ();
}
