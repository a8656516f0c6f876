/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-pool.h"

static void
note_thread (gpointer data, GObject *object)
{
  GThread **thread = data;

  g_atomic_pointer_set (thread, g_thread_self ());
}

static gint completed;

static void
note_completed (void)
{
  g_atomic_int_set (&completed, TRUE);
}

/* It stays until whoever waits for the task has had it, and so holds it longest. */
static void
work_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_boolean (task, TRUE);
  while (!g_atomic_int_get (&completed))
    g_thread_yield ();
}

/* Nobody waits for the task, and nobody else holds its object. */
static void
test_objects_end_where_they_began (void)
{
  for (guint i = 0; i < 200; i++)
    {
      GObject *object = g_object_new (G_TYPE_OBJECT, NULL);
      GTask *task = g_task_new (object, NULL, NULL, NULL);
      GThread *thread = NULL;

      g_object_weak_ref (object, note_thread, &thread);
      g_object_unref (object);
      g_atomic_int_set (&completed, FALSE);
      g_signal_connect (task, "notify::completed", note_completed, NULL);
      fore_pool_run (FORE_POOL_FILE, task, work_in_thread);
      g_object_unref (task);
      while (g_atomic_pointer_get (&thread) == NULL)
        g_main_context_iteration (NULL, FALSE);
      g_assert_true (thread == g_thread_self ());
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pool/objects-end-where-they-began", test_objects_end_where_they_began);

  return g_test_run ();
}
