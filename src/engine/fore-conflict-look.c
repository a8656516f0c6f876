/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-conflict-look.h"

#include "git/fore-folder.h"
#include "git/fore-repository-predict.h"

#include <string.h>

/* Those at work come first, then those that have finished, the last ones before. */
#define MAX_TREES 64
#define MAX_TRIED 100
#define SEPARATOR "\n"

typedef struct
{
  char *key;
  char *base;
  char *commit;
  char *git_dir;
  char *path;
  GHashTable *before; /* keys of all that it builds on */
  char *stamp;        /* (nullable) of @touched */
  GStrv touched;      /* (nullable) */
  gboolean is_new;    /* something was written since the last look */
} Work;

struct ForeConflictLook
{
  char *project;
  char *scratch_dir;
  GPtrArray *works;
  GHashTable *pairs; /* pair → GStrv: the files in the way */
  guint n_tried;
};

static void
work_free (gpointer data)
{
  Work *work = data;

  g_free (work->key);
  g_free (work->base);
  g_free (work->commit);
  g_free (work->git_dir);
  g_free (work->path);
  g_hash_table_unref (work->before);
  g_free (work->stamp);
  g_strfreev (work->touched);
  g_free (work);
}

/**
 * fore_conflict_look_free:
 * @self: (nullable) (transfer full): a look
 *
 * Frees @self.
 */
void
fore_conflict_look_free (ForeConflictLook *self)
{
  if (self == NULL)
    return;

  g_free (self->project);
  g_free (self->scratch_dir);
  g_ptr_array_unref (self->works);
  g_hash_table_unref (self->pairs);
  g_free (self);
}

static gboolean
is_at_work (const ForeTask *task)
{
  return task->status == FORE_TASK_RUNNING && task->writes && task->worktree != NULL
         && task->gitdir != NULL && task->base != NULL;
}

static gboolean
has_work (const ForeTask *task)
{
  return task->status == FORE_TASK_COMPLETED && task->effect == FORE_EFFECT_CHANGED
         && task->commit != NULL && task->base != NULL;
}

static void
add_before (GHashTable *before, GHashTable *by_key, const ForeTask *task)
{
  for (guint i = 0; task->depends_on != NULL && task->depends_on[i] != NULL; i++)
    {
      const ForeTask *next = g_hash_table_lookup (by_key, task->depends_on[i]);

      if (next != NULL && g_hash_table_add (before, g_strdup (next->key)))
        add_before (before, by_key, next);
    }
}

static Work *
work_new (const ForeTask *task, GHashTable *by_key)
{
  Work *work = g_new0 (Work, 1);

  work->key = g_strdup (task->key);
  work->base = g_strdup (task->base);
  if (is_at_work (task))
    {
      work->git_dir = g_strdup (task->gitdir);
      work->path = g_strdup (task->worktree);
    }
  else
    work->commit = g_strdup (task->commit);
  work->before = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  add_before (work->before, by_key, task);

  return work;
}

/**
 * fore_conflict_look_new:
 * @project: folder of the repository
 * @scratch_dir: a folder that is made, and removed again
 * @tasks: (element-type ForeTask): all tasks of the run
 *
 * Returns: (transfer full) (nullable): a look; %NULL when there are no two to compare, or nobody is
 *   at work
 */
ForeConflictLook *
fore_conflict_look_new (const char *project, const char *scratch_dir, GPtrArray *tasks)
{
  g_autoptr (ForeConflictLook) self = g_new0 (ForeConflictLook, 1);
  g_autoptr (GHashTable) by_key = g_hash_table_new (g_str_hash, g_str_equal);

  self->project = g_strdup (project);
  self->scratch_dir = g_strdup (scratch_dir);
  self->works = g_ptr_array_new_with_free_func (work_free);
  self->pairs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                       (GDestroyNotify) g_strfreev);

  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);

      g_hash_table_insert (by_key, task->key, task);
    }
  for (guint i = 0; i < tasks->len && self->works->len < MAX_TREES; i++)
    {
      if (is_at_work (g_ptr_array_index (tasks, i)))
        g_ptr_array_add (self->works, work_new (g_ptr_array_index (tasks, i), by_key));
    }
  if (self->works->len == 0)
    return NULL;

  for (guint i = tasks->len; i > 0 && self->works->len < MAX_TREES; i--)
    {
      if (has_work (g_ptr_array_index (tasks, i - 1)))
        g_ptr_array_add (self->works, work_new (g_ptr_array_index (tasks, i - 1), by_key));
    }

  return self->works->len > 1 ? g_steal_pointer (&self) : NULL;
}

static const Work *
find_work (ForeConflictLook *self, const char *key)
{
  for (guint i = 0; self != NULL && i < self->works->len; i++)
    {
      const Work *work = g_ptr_array_index (self->works, i);

      if (g_str_equal (work->key, key))
        return work;
    }

  return NULL;
}

static ForeWorkState
get_state (const Work *work)
{
  return (ForeWorkState){ work->base, work->commit, work->git_dir, work->path };
}

/* Somebody writes there just now: what cannot be read is read the next time. */
static void
look_at_work (ForeRepository *repository, Work *work, const Work *before)
{
  ForeWorkState state = get_state (work);

  if (before != NULL && work->commit != NULL && g_strcmp0 (before->stamp, work->commit) == 0)
    {
      work->stamp = g_strdup (before->stamp);
      work->touched = g_strdupv (before->touched);
      return;
    }

  work->touched = fore_repository_list_touched (repository, &state, &work->stamp, NULL);
  work->is_new = before == NULL || g_strcmp0 (before->stamp, work->stamp) != 0;
}

static GStrv
list_both (const Work *one, const Work *two)
{
  g_autoptr (GStrvBuilder) both = g_strv_builder_new ();
  guint i = 0, j = 0;

  while (one->touched[i] != NULL && two->touched[j] != NULL)
    {
      int order = strcmp (one->touched[i], two->touched[j]);

      if (order == 0)
        g_strv_builder_add (both, one->touched[i]);
      if (order <= 0)
        i++;
      if (order >= 0)
        j++;
    }

  return g_strv_builder_end (both);
}

static gboolean
are_related (const Work *one, const Work *two)
{
  return g_hash_table_contains (one->before, two->key)
         || g_hash_table_contains (two->before, one->key);
}

static GStrv
try_pair (ForeConflictLook *self, ForeRepository *repository, const Work *one, const Work *two)
{
  g_auto (GStrv) both = list_both (one, two);
  ForeWorkState ours = get_state (one);
  ForeWorkState theirs = get_state (two);

  if (both[0] == NULL || self->n_tried++ >= MAX_TRIED)
    return NULL;

  return fore_repository_predict_pair (repository, self->scratch_dir, &ours, &theirs,
                                       (const char *const *) both, NULL);
}

static void
look_at_pair (ForeConflictLook *self,
              ForeConflictLook *before,
              ForeRepository *repository,
              const Work *one,
              const Work *two)
{
  g_autofree char *pair = fore_conflict_pair_new (one->key, two->key);
  GStrv known = before != NULL ? g_hash_table_lookup (before->pairs, pair) : NULL;
  GStrv found;

  if (are_related (one, two))
    return;

  if (one->touched == NULL || two->touched == NULL || (!one->is_new && !two->is_new))
    found = g_strdupv (known);
  else
    found = try_pair (self, repository, one, two);

  if (found != NULL && found[0] != NULL)
    g_hash_table_insert (self->pairs, g_steal_pointer (&pair), found);
  else
    g_strfreev (found);
}

/**
 * fore_conflict_look_run:
 * @self: a look
 * @before: (nullable): the one before it
 *
 * Finds out which tasks will not fit together. What nobody has written to since @before is not
 * compared again. Blocks.
 */
void
fore_conflict_look_run (ForeConflictLook *self, ForeConflictLook *before)
{
  g_autoptr (ForeRepository) repository = NULL;

  g_return_if_fail (self != NULL);

  repository = fore_repository_open (self->project, NULL);
  if (repository == NULL)
    return;

  for (guint i = 0; i < self->works->len; i++)
    {
      Work *work = g_ptr_array_index (self->works, i);

      look_at_work (repository, work, find_work (before, work->key));
    }
  for (guint i = 0; i < self->works->len; i++)
    {
      for (guint j = i + 1; j < self->works->len; j++)
        look_at_pair (self, before, repository, g_ptr_array_index (self->works, i),
                      g_ptr_array_index (self->works, j));
    }

  fore_folder_remove (self->scratch_dir, NULL);
}

/**
 * fore_conflict_look_get_pairs:
 * @self: a look that was run
 *
 * Returns: (transfer none) (element-type utf8 GStrv): pairs of tasks, and the files in their way
 */
GHashTable *
fore_conflict_look_get_pairs (ForeConflictLook *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->pairs;
}

/**
 * fore_conflict_pair_new:
 * @one: key of a task
 * @two: key of another
 *
 * Returns: (transfer full): both as one word, in whichever order they were given
 */
char *
fore_conflict_pair_new (const char *one, const char *two)
{
  g_return_val_if_fail (one != NULL && two != NULL, NULL);

  return strcmp (one, two) < 0 ? g_strconcat (one, SEPARATOR, two, NULL)
                               : g_strconcat (two, SEPARATOR, one, NULL);
}

/**
 * fore_conflict_pair_split:
 * @pair: what fore_conflict_pair_new() made
 * @one: (out) (transfer full): the first key
 * @two: (out) (transfer full): the second
 */
void
fore_conflict_pair_split (const char *pair, char **one, char **two)
{
  const char *middle = strstr (pair, SEPARATOR);

  g_return_if_fail (middle != NULL);

  *one = g_strndup (pair, (gsize) (middle - pair));
  *two = g_strdup (middle + strlen (SEPARATOR));
}
