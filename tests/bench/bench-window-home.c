/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "bench-window.h"

#include <glib/gstdio.h>
#include <ftw.h>
#include <stdio.h>

#include "platform/fore-dirs.h"
#include "store/fore-run-writer.h"

#define N_TASKS 9
#define DELTAS_A_MESSAGE 40
#define BEAT_US 5000

struct _BenchAgent
{
  GThread *thread;
  char *path;
  guint lines_a_second;
  int stop;
  guint n_written;
};

static void
check (gboolean done, const GError *error)
{
  if (!done)
    g_error ("bench: %s", error != NULL ? error->message : "failed");
}

/**
 * bench_home_new:
 * @home: (out): the folder
 *
 * Returns: (transfer full): the store of a new home, which the child finds in its environment
 */
ForeStore *
bench_home_new (char **home)
{
  g_autoptr (GError) error = NULL;
  ForeStore *store;

  *home = g_dir_make_tmp ("foredeck-bench-XXXXXX", &error);
  check (*home != NULL, error);
  g_setenv ("FOREDECK_HOME", *home, TRUE);
  store = fore_store_open (*home, &error);
  check (store != NULL, error);

  return store;
}

static int
remove_cb (const char *path, const struct stat *info, int kind, struct FTW *where)
{
  return remove (path);
}

void
bench_home_remove (const char *home)
{
  nftw (home, remove_cb, 16, FTW_DEPTH | FTW_PHYS);
}

static ForeTask *
make_task (guint position, gint64 now)
{
  g_autofree char *key = position == 0 ? g_strdup (BENCH_TASK) : g_strdup_printf ("t%u", position);
  ForeTask *task = fore_task_new (key);

  task->position = position;
  task->title = g_strdup_printf ("Write the table model, part %u", position);
  task->role = g_strdup ("executor");
  task->cli = g_strdup ("demo");
  task->status = position == 0 ? FORE_TASK_RUNNING : FORE_TASK_QUEUED;
  task->phase = position == 0 ? FORE_PHASE_AGENT : FORE_PHASE_DEPENDENCIES;
  if (position == 0)
    {
      task->attempts = 1;
      task->started = now;
    }
  else
    task->depends_on = g_strsplit (position % 3 == 0 ? "t1 t2" : BENCH_TASK, " ", -1);

  return task;
}

static void
put_attempt (ForeStore *store, const char *run, ForeRunWriter *writer)
{
  g_autoptr (ForeAttempt) attempt = fore_attempt_new (BENCH_TASK, 1);
  g_autofree char *path = fore_dirs_dup_attempt_path (fore_store_get_home (store), run, BENCH_TASK,
                                                      1, "out");
  g_autofree char *dir = g_path_get_dirname (path);

  attempt->cli = g_strdup ("demo");
  attempt->started = g_get_real_time ();
  fore_run_writer_put_attempt (writer, attempt);
  g_mkdir_with_parents (dir, 0700);
  check (g_file_set_contents (path, "{\"type\":\"text\",\"id\":\"m\",\"delta\":\"I begin.\"}\n", -1,
                              NULL),
         NULL);
}

static void
add_run (ForeStore *store, const char *id, guint number, ForeRunStatus status, GPtrArray *owners)
{
  g_autoptr (ForeRun) run = fore_run_new (id);
  g_autoptr (GPtrArray) tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_task_free);
  g_autoptr (GPtrArray) events = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_event_free);
  g_autofree char *goal = g_strdup_printf ("Add part %u of the export", number);
  g_autoptr (ForeRunWriter) writer = NULL;
  g_autoptr (GError) error = NULL;

  fore_run_set_goal (run, goal);
  run->project = g_strdup ("/src/reporter");
  run->status = status;
  run->created = run->started = g_get_real_time ();
  run->finished = fore_run_status_get_class (status) == FORE_CLASS_FINISHED ? run->started : 0;
  for (guint i = 0; i < N_TASKS; i++)
    {
      ForeTask *task = make_task (i, run->started);

      run->n_tasks++;
      run->counts[task->status]++;
      g_ptr_array_add (tasks, task);
      g_ptr_array_add (events, fore_event_new (FORE_EVENT_TASK_ADDED, task->key, 0, NULL));
    }
  check (fore_run_writer_create (store, run, tasks, events, &error), error);
  writer = fore_run_writer_open (store, id, &error);
  check (writer != NULL, error);
  put_attempt (store, id, writer);
  check (fore_run_writer_barrier (writer, &error), error);
  if (owners != NULL)
    g_ptr_array_add (owners, g_steal_pointer (&writer));
  else
    check (fore_run_writer_close (writer, &error), error);
}

/**
 * bench_home_add_runs:
 * @store: a store
 * @prefix: four letters that the ids begin with
 * @n: how many
 * @status: how they stand
 * @owners: (nullable) (element-type ForeRunWriter): where who owns them is kept; %NULL for nobody
 */
void
bench_home_add_runs (
    ForeStore *store, const char *prefix, guint n, ForeRunStatus status, GPtrArray *owners)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("%s%c%c%c%c", prefix, 'a' + i / 676 % 26,
                                             'a' + i / 26 % 26, 'a' + i % 26, 'a');

      add_run (store, id, i, status, owners);
    }
}

static void
write_lines (BenchAgent *self, FILE *file, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      guint line = self->n_written++;

      if (line % DELTAS_A_MESSAGE == DELTAS_A_MESSAGE - 1)
        fprintf (file,
                 "{\"type\":\"tool\",\"id\":\"c%u\",\"name\":\"read\",\"title\":\"src/part-%u.c\","
                 "\"state\":\"done\",\"output\":\"static int part;\\n\",\"ms\":12}\n",
                 line, line);
      else
        fprintf (file,
                 "{\"type\":\"text\",\"id\":\"m%u\",\"delta\":\"The row writer of part %u. \"}\n",
                 line / DELTAS_A_MESSAGE, line);
    }
  fflush (file);
}

static gpointer
agent_thread (gpointer data)
{
  BenchAgent *self = data;
  FILE *file = g_fopen (self->path, "a");
  gint64 begin = g_get_monotonic_time ();

  check (file != NULL, NULL);
  while (!g_atomic_int_get (&self->stop))
    {
      gint64 due = (g_get_monotonic_time () - begin) * self->lines_a_second / G_USEC_PER_SEC;

      if (due > self->n_written)
        write_lines (self, file, due - self->n_written);
      g_usleep (BEAT_US);
    }
  fclose (file);

  return NULL;
}

/**
 * bench_agent_start:
 * @store: a store
 * @run: one of its runs
 * @lines_a_second: how much its agent says
 *
 * Returns: (transfer full): an agent that talks without end
 */
BenchAgent *
bench_agent_start (ForeStore *store, const char *run, guint lines_a_second)
{
  BenchAgent *self = g_new0 (BenchAgent, 1);

  self->path = fore_dirs_dup_attempt_path (fore_store_get_home (store), run, BENCH_TASK, 1, "out");
  self->lines_a_second = lines_a_second;
  self->thread = g_thread_new ("agent", agent_thread, self);

  return self;
}

/**
 * bench_agent_stop:
 * @self: (transfer full): an agent
 *
 * Returns: how many lines it wrote
 */
guint
bench_agent_stop (BenchAgent *self)
{
  guint n;

  g_atomic_int_set (&self->stop, 1);
  g_thread_join (self->thread);
  n = self->n_written;
  g_free (self->path);
  g_free (self);

  return n;
}
