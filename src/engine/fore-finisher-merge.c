/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-finisher-private.h"

#include "engine/fore-event-data.h"
#include "engine/fore-pool.h"
#include "model/fore-error.h"
#include "model/fore-id.h"
#include "platform/fore-compat-glib.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  ForeFinisher *self;
  ForeCommand *command;
  char *target;
  ForeMergeMode mode;
  GStrv without; /* (nullable) files that are left out */
} Wish;

/* Merge and discard */

static void
wish_free (Wish *wish)
{
  g_clear_object (&wish->self);
  g_clear_pointer (&wish->command, fore_command_free);
  g_free (wish->target);
  g_strfreev (wish->without);
  g_free (wish);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Wish, wish_free)

static void
refuse (Wish *wish, int code, const char *message)
{
  g_autoptr (GError) refusal = g_error_new_literal (FORE_ERROR, code, message);

  fore_run_state_finish_command (fore_finisher_get_state (wish->self), wish->command, NULL,
                                 refusal);
}

/* Merging and discarding come after the end; one that was refused before it ends nothing. */
static void
let_go (ForeFinisher *self)
{
  if (!fore_run_is_active (fore_finisher_get_run (self)))
    fore_finisher_close_run (self);
}

static void
trees_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeFinisher) self = user_data;
  g_auto (GStrv) refs = NULL;
  g_autoptr (GError) error = NULL;

  self->n_busy--;
  refs = fore_trees_remove_finish (FORE_TREES (source), result, &error);
  if (refs == NULL)
    g_message ("Some working trees stay: %s", error->message);
  else
    fore_run_state_emit (fore_finisher_get_state (self), FORE_EVENT_TREE_REMOVED, NULL, 0,
                         fore_event_data_new ("v:refs", refs, NULL));

  let_go (self);
}

static void
remove_trees (ForeFinisher *self)
{
  if (!fore_trees_is_isolated (self->services->trees))
    {
      let_go (self);
      return;
    }

  self->n_busy++;
  fore_trees_remove_async (self->services->trees,
                           fore_run_state_get_tasks (fore_finisher_get_state (self)), NULL,
                           trees_removed, g_object_ref (self));
}

static char *
describe_conflicts (const ForeMergeResult *merge, const char *target)
{
  g_autoptr (GString) paths = g_string_new (NULL);

  for (guint i = 0; merge->local_conflicts != NULL && merge->local_conflicts[i] != NULL; i++)
    g_string_append_printf (paths, "%s%s", paths->len > 0 ? ", " : "", merge->local_conflicts[i]);
  if (paths->len > 0)
    return g_strdup_printf (
        _ ("Files that you changed yourself would be overwritten: %s. Commit or "
           "put away your changes and merge again."),
        paths->str);

  for (guint i = 0; i < merge->conflicts->len; i++)
    g_string_append_printf (paths, "%s%s", i > 0 ? ", " : "",
                            ((ForeMergeConflict *) g_ptr_array_index (merge->conflicts, i))->path);

  return g_strdup_printf (_ ("The result does not fit onto %s any more: %s."), target, paths->str);
}

static char *
describe_merge (const Wish *wish)
{
  g_autofree char *paths = wish->without != NULL ? g_strjoinv (", ", wish->without) : NULL;

  return paths != NULL ? g_strdup_printf (_ ("Merged into %s without %s"), wish->target, paths)
                       : g_strdup_printf (_ ("Merged into %s"), wish->target);
}

static void
merged (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Wish) wish = user_data;
  ForeFinisher *self = wish->self;
  ForeRun *run = fore_finisher_get_run (self);
  g_autoptr (ForeMergeResult) merge = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  self->n_busy--;
  merge = fore_trees_merge_finish (FORE_TREES (source), result, &error);
  if (merge == NULL)
    {
      refuse (wish, error->domain == FORE_ERROR ? error->code : FORE_ERROR_FAILED, error->message);
      let_go (self);
      return;
    }
  if (!merge->clean)
    {
      message = describe_conflicts (merge, wish->target);
      refuse (wish, FORE_ERROR_CONFLICT, message);
      let_go (self);
      return;
    }

  fore_set_str (&run->merged_into, wish->target);
  fore_set_str (&run->merged_commit, merge->commit);
  message = describe_merge (wish);
  if (run->status != FORE_RUN_FAILED)
    fore_set_str (&run->phase_text, message);
  fore_run_state_touch_run (fore_finisher_get_state (self));
  fore_run_state_emit (fore_finisher_get_state (self), FORE_EVENT_RUN_MERGED, NULL, 0,
                       fore_event_data_new ("s:into", wish->target, "s:commit", merge->commit,
                                            "s:mode", fore_merge_mode_to_string (wish->mode),
                                            "s:by", wish->command->by, "v:without", wish->without,
                                            NULL));
  fore_run_state_finish_command (fore_finisher_get_state (self), wish->command, message, NULL);
  remove_trees (self);
}

static char *
get_arg (const ForeCommand *command, guint position)
{
  if (command->args == NULL || g_strv_length (command->args) <= position
      || *command->args[position] == '\0')
    return NULL;

  return command->args[position];
}

/* Why the result cannot be merged (or discarded) now; NULL if it can. */
static const char *
find_obstacle (const ForeRun *run)
{
  if (fore_run_is_active (run))
    return _ ("The run has not finished; wait for it or cancel it.");
  if (run->merged_commit != NULL)
    return _ ("The run was merged already.");
  if (run->options.isolation == FORE_ISOLATION_NONE)
    return _ ("The run worked in the project's folder itself; there is nothing to merge.");
  if (run->result_commit == NULL)
    return _ ("The run changed nothing; there is nothing to merge.");

  return NULL;
}

static char *
make_message (const ForeRun *run)
{
  return g_strdup_printf ("%s\n\nForedeck-Run: %s\n", run->title, run->id);
}

static gboolean
is_commit_id (const char *text)
{
  return strlen (text) == 40 && strspn (text, "0123456789abcdef") == 40;
}

/**
 * fore_finisher_merge:
 * @self: a finisher
 * @command: (transfer full): args: target branch (default: where the run started), mode, the commit
 *   that the target must be at (default: whichever), what stands for the result with files
 *   left out (default: the result), those files, a line each
 *
 * Merges the result and finishes @command.
 */
void
fore_finisher_merge (ForeFinisher *self, ForeCommand *command)
{
  g_autoptr (Wish) wish = g_new0 (Wish, 1);
  const ForeRun *run;
  const char *obstacle;
  const char *mode;
  const char *expected;
  const char *trimmed;
  g_autofree char *message = NULL;

  g_return_if_fail (FORE_IS_FINISHER (self));

  run = fore_finisher_get_run (self);
  wish->self = g_object_ref (self);
  wish->command = command;
  wish->target = g_strdup (get_arg (command, 0) != NULL ? get_arg (command, 0) : run->base_branch);
  mode = get_arg (command, 1);
  expected = get_arg (command, 2);
  trimmed = get_arg (command, 3);
  if (trimmed != NULL && get_arg (command, 4) != NULL)
    wish->without = g_strsplit (get_arg (command, 4), "\n", -1);
  if (mode == NULL)
    mode = fore_settings_get_string (self->services->context->settings, "git.merge");

  obstacle = find_obstacle (run);
  if (obstacle != NULL)
    refuse (wish, run->merged_commit != NULL ? FORE_ERROR_STALE : FORE_ERROR_REFUSED, obstacle);
  else if (wish->target == NULL || !fore_id_is_ref (wish->target))
    refuse (wish, FORE_ERROR_USAGE,
            _ ("Say into which branch with --into; the run did not start "
               "on one."));
  else if ((expected != NULL && !is_commit_id (expected))
           || (trimmed != NULL && !is_commit_id (trimmed)))
    refuse (wish, FORE_ERROR_USAGE, _ ("Name the commit that you saw with all its 40 digits."));
  else if (!fore_merge_mode_from_string (mode, &wish->mode))
    refuse (wish, FORE_ERROR_USAGE, _ ("The ways to merge are ff, merge and squash."));
  else
    {
      message = make_message (run);
      self->n_busy++;
      fore_trees_merge_async (self->services->trees, wish->target, expected,
                              trimmed != NULL ? trimmed : run->result_commit, wish->mode, message,
                              trimmed != NULL ? run->result_commit : NULL, NULL, merged, wish);
      g_steal_pointer (&wish);
      return;
    }

  let_go (self);
}

/* Why a run failed stays what is said of it. */
static void
mark_discarded (ForeFinisher *self, gboolean discarded, const char *text)
{
  ForeRun *run = fore_finisher_get_run (self);

  fore_set_str (&run->merged_into, discarded ? "" : NULL);
  if (run->status != FORE_RUN_FAILED)
    fore_set_str (&run->phase_text, text);
  fore_run_state_touch_run (fore_finisher_get_state (self));
}

/* Undo */

static void
take_up_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const ForeRun *run = data;
  g_autoptr (ForeRepository) repository = NULL;
  g_autofree char *commit = NULL;
  g_autofree char *found = NULL;
  GError *error = NULL;

  repository = fore_repository_open (run->project, &error);
  if (repository != NULL)
    commit = fore_repository_resolve (repository, run->result_commit, &error);
  if (commit != NULL)
    found = fore_repository_resolve_branch (repository, run->result_branch, NULL);
  if (commit == NULL
      || (found == NULL
          && !fore_repository_create_branch (repository, run->result_branch, commit, &error)))
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
taken_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Wish) wish = user_data;
  ForeFinisher *self = wish->self;
  ForeRun *run = fore_finisher_get_run (self);
  g_autoptr (GError) error = NULL;

  self->n_busy--;
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    refuse (wish, error->domain == FORE_ERROR ? error->code : FORE_ERROR_FAILED, error->message);
  else
    {
      mark_discarded (self, FALSE, _ ("Taken up again"));
      fore_run_state_emit (fore_finisher_get_state (self), FORE_EVENT_RUN_RESULT, NULL, 0,
                           fore_event_data_new ("s:branch", run->result_branch, "s:commit",
                                                run->result_commit, "i:files", (gint64) run->files,
                                                "i:insertions", (gint64) run->insertions,
                                                "i:deletions", (gint64) run->deletions, NULL));
      fore_run_state_finish_command (fore_finisher_get_state (self), wish->command,
                                     _ ("Taken up again; it can be merged"), NULL);
    }

  let_go (self);
}

/* The branch of the result is still there, or is made again. */
static void
take_up_again (Wish *wish)
{
  ForeFinisher *self = wish->self;
  const ForeRun *run = fore_finisher_get_run (self);
  g_autoptr (GTask) task = NULL;

  if (run->result_commit == NULL || run->result_branch == NULL)
    {
      refuse (wish, FORE_ERROR_REFUSED, _ ("The run changed nothing; there is nothing to merge."));
      let_go (self);
      wish_free (wish);
      return;
    }

  self->n_busy++;
  task = g_task_new (NULL, NULL, taken_up, wish);
  g_task_set_name (task, "undo a discard");
  g_task_set_task_data (task, fore_run_copy (run), (GDestroyNotify) fore_run_free);
  fore_pool_run (FORE_POOL_GIT, task, take_up_in_thread);
}

/**
 * fore_finisher_discard:
 * @self: a finisher
 * @command: (transfer full): the command; args: nothing, or `undo`
 *
 * Removes the trees of a finished run; its branches, and refs for what only the trees held, stay.
 * Undone, the result can be merged again.
 */
void
fore_finisher_discard (ForeFinisher *self, ForeCommand *command)
{
  g_autoptr (Wish) wish = g_new0 (Wish, 1);
  ForeRun *run;

  g_return_if_fail (FORE_IS_FINISHER (self));

  run = fore_finisher_get_run (self);
  wish->self = g_object_ref (self);
  wish->command = command;
  if (fore_run_is_active (run))
    {
      refuse (wish, FORE_ERROR_REFUSED, _ ("The run has not finished; cancel it first."));
      return;
    }
  if (run->merged_commit != NULL)
    {
      refuse (wish, FORE_ERROR_STALE,
              _ ("The run was merged already; there is nothing left to discard."));
      let_go (self);
      return;
    }

  if (g_strcmp0 (get_arg (command, 0), "undo") == 0)
    {
      take_up_again (g_steal_pointer (&wish));
      return;
    }

  mark_discarded (self, TRUE, _ ("Discarded; its branches are kept"));
  fore_run_state_emit (fore_finisher_get_state (self), FORE_EVENT_RUN_DISCARDED, NULL, 0,
                       fore_event_data_new ("s:by", command->by, NULL));
  fore_run_state_finish_command (fore_finisher_get_state (self), command,
                                 _ ("Discarded; its branches are kept"), NULL);
  remove_trees (self);
}
