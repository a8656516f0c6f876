/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-plan-file.h"

#include "engine/fore-plan-json.h"
#include "engine/fore-plan-markdown.h"
#include "model/fore-error.h"
#include "platform/fore-compat-glib.h"
#include "platform/fore-dirs.h"
#include "text/fore-json.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#define PLAN_NAME "plan.json"

/* The headline, else what the file is called. */
static char *
dup_goal (const char *text, const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  const char *end;

  while (g_ascii_isspace (*text))
    text++;
  end = text + strcspn (text, "\r\n");
  if (g_str_has_prefix (text, "# ") && g_utf8_validate (text, end - text, NULL))
    return g_strstrip (g_strndup (text + 2, (gsize) (end - text - 2)));

  return g_strdup_printf (_ ("Carry out the plan %s"), name);
}

/* At most one byte more than may be; what is longer is refused by its length. */
static char *
dup_content (const char *path, gsize *length, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *text = g_malloc (FORE_PLAN_MARKDOWN_MAX + 2);
  g_autoptr (GError) problem = NULL;
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, &problem);

  if (stream == NULL
      || !g_input_stream_read_all (G_INPUT_STREAM (stream), text, FORE_PLAN_MARKDOWN_MAX + 1,
                                   length, NULL, &problem))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("The plan cannot be read; name a Markdown file that is there: %s"),
                   problem->message);
      return NULL;
    }

  text[*length] = '\0';

  return g_steal_pointer (&text);
}

/**
 * fore_plan_file_read:
 * @spec: a spec; gets the plan, and a goal if it has none
 * @path: path of a Markdown file
 * @error: return location for an error
 *
 * Reads the file of a plan once, so that it may be a pipe. Blocking.
 *
 * Returns: whether it could be read
 */
gboolean
fore_plan_file_read (ForeRunSpec *spec, const char *path, GError **error)
{
  g_autofree char *text = NULL;
  gsize length;

  g_return_val_if_fail (spec != NULL && path != NULL, FALSE);

  text = dup_content (path, &length, error);
  if (text == NULL)
    return FALSE;

  if (strlen (text) < length)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID, "%s:1:1: %s", path,
                   _ ("The file has to be UTF-8 text."));
      return FALSE;
    }

  g_free (spec->plan_file);
  spec->plan_file = g_strdup (path);
  g_free (spec->plan_text);
  spec->plan_text = g_steal_pointer (&text);
  if (spec->goal == NULL || *spec->goal == '\0')
    {
      g_free (spec->goal);
      spec->goal = dup_goal (spec->plan_text, path);
    }

  return TRUE;
}

/**
 * fore_plan_file_list_roles:
 * @team: a team
 *
 * Returns: (transfer full): the roles that a plan may use
 */
GStrv
fore_plan_file_list_roles (const ForeTeam *team)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (team != NULL, NULL);

  for (guint i = 0; i < team->roles->len; i++)
    g_strv_builder_add (builder, ((ForeTeamRole *) g_ptr_array_index (team->roles, i))->name);

  return g_strv_builder_end (builder);
}

static ForeTask *
find_task (GPtrArray *tasks, const char *key)
{
  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);

      if (strcmp (task->key, key) == 0)
        return task;
    }

  return NULL;
}

static ForeTask *
find_planner (GPtrArray *tasks)
{
  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);

      if (task->adaptive)
        return task;
    }

  return NULL;
}

static gboolean
has_word (GStrv words, const char *word)
{
  return words != NULL && g_strv_contains ((const char *const *) words, word);
}

/* What the planner would have looked at: nobody looks where the plan is there. */
static void
list_before (GPtrArray *tasks, const ForeTask *task, GHashTable *keys)
{
  g_autoptr (GPtrArray) open = g_ptr_array_new ();

  g_ptr_array_add (open, (gpointer) task);
  for (guint i = 0; i < open->len; i++)
    {
      const ForeTask *at = g_ptr_array_index (open, i);

      for (guint j = 0; at->depends_on != NULL && at->depends_on[j] != NULL; j++)
        {
          ForeTask *before = find_task (tasks, at->depends_on[j]);

          if (before != NULL && g_hash_table_add (keys, before->key))
            g_ptr_array_add (open, before);
        }
    }
}

static void
forget_keys (ForeTask *task, GHashTable *keys)
{
  g_autoptr (GStrvBuilder) kept = g_strv_builder_new ();

  for (guint i = 0; task->depends_on != NULL && task->depends_on[i] != NULL; i++)
    {
      if (!g_hash_table_contains (keys, task->depends_on[i]))
        g_strv_builder_add (kept, task->depends_on[i]);
    }
  g_strfreev (task->depends_on);
  task->depends_on = g_strv_builder_end (kept);
}

static void
leave_out_before (GPtrArray *tasks, ForeTask *planner)
{
  g_autoptr (GHashTable) keys = g_hash_table_new (g_str_hash, g_str_equal);

  list_before (tasks, planner, keys);
  for (guint i = 0; i < tasks->len; i++)
    forget_keys (g_ptr_array_index (tasks, i), keys);
  for (guint i = tasks->len; i > 0; i--)
    {
      if (g_hash_table_contains (keys, ((ForeTask *) g_ptr_array_index (tasks, i - 1))->key))
        g_ptr_array_remove_index (tasks, i - 1);
    }
  for (guint i = 0; i < tasks->len; i++)
    ((ForeTask *) g_ptr_array_index (tasks, i))->position = i;

  planner->phase = FORE_PHASE_NONE;
  g_clear_pointer (&planner->waits_for, g_free);
}

static ForePlan *
parse (ForeRunContext *context, const ForeRunSpec *spec, GPtrArray *tasks, GError **error)
{
  g_auto (GStrv) roles = fore_plan_file_list_roles (context->team);
  g_autofree const char **taken = g_new0 (const char *, tasks->len + 1);
  ForePlanRules rules;
  ForePlan *plan;

  for (guint i = 0; i < tasks->len; i++)
    taken[i] = ((ForeTask *) g_ptr_array_index (tasks, i))->key;
  rules.roles = (const char *const *) roles;
  rules.taken = (const char *const *) taken;
  rules.max_items = (guint) fore_settings_get_int (context->settings, "limits.plan_items");

  plan = fore_plan_from_markdown (spec->plan_text, -1, &rules, error);
  if (plan == NULL)
    g_prefix_error (error, "%s:", spec->plan_file != NULL ? spec->plan_file : "");

  return plan;
}

static ForeTask *
make_task (ForeRunContext *context,
           const ForeRunSpec *spec,
           const ForePlanItem *item,
           const char *planner)
{
  ForeTask *task = fore_task_new (item->id);
  const char *const first[] = { planner, NULL };
  gboolean waits = item->depends_on != NULL && item->depends_on[0] != NULL;

  task->title = g_strdup (item->title);
  task->role = g_strdup (item->role);
  task->text = g_strdup (item->text);
  task->depends_on = g_strdupv (waits ? item->depends_on : (char **) first);
  task->paths = g_strdupv (item->paths);
  g_clear_pointer (&task->checks, g_ptr_array_unref);
  task->checks = fore_checks_copy (item->checks);
  fore_run_context_bind_task (context, task, &spec->options);

  return task;
}

/**
 * fore_plan_file_take:
 * @context: what the run is made of
 * @spec: what is asked for
 * @preview: what will be started; its tasks are there
 * @error: return location for an error
 *
 * Lets the person's plan, if @spec has one, take the place of a planner's answer: what comes before
 * the planner is left out. Errors begin with file, line and column.
 *
 * Returns: whether the plan can be carried out
 */
gboolean
fore_plan_file_take (ForeRunContext *context,
                     const ForeRunSpec *spec,
                     ForeRunPreview *preview,
                     GError **error)
{
  ForeTask *planner;

  g_return_val_if_fail (context != NULL && spec != NULL && preview != NULL, FALSE);

  if (spec->plan_text == NULL)
    return TRUE;

  planner = find_planner (preview->tasks);
  if (planner == NULL || spec->goal_loop)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("A plan from a file needs a workflow with a step that plans, such as “%s”, "
                      "and no goal loop."),
                   FORE_PLAN_FILE_WORKFLOW);
      return FALSE;
    }

  leave_out_before (preview->tasks, planner);
  preview->plan = parse (context, spec, preview->tasks, error);
  if (preview->plan == NULL)
    return FALSE;

  preview->planned = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_task_free);
  for (guint i = 0; i < preview->plan->items->len; i++)
    g_ptr_array_add (
        preview->planned,
        make_task (context, spec, g_ptr_array_index (preview->plan->items, i), planner->key));

  return TRUE;
}

static gboolean
is_last (GPtrArray *tasks, const char *key)
{
  for (guint i = 0; i < tasks->len; i++)
    {
      if (has_word (((ForeTask *) g_ptr_array_index (tasks, i))->depends_on, key))
        return FALSE;
    }

  return TRUE;
}

static void
wait_for_last (ForeTask *task, GPtrArray *planned)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_strv_builder_addv (builder, (const char **) task->depends_on);
  for (guint i = 0; i < planned->len; i++)
    {
      const ForeTask *last = g_ptr_array_index (planned, i);

      if (is_last (planned, last->key))
        g_strv_builder_add (builder, last->key);
    }
  g_strfreev (task->depends_on);
  task->depends_on = g_strv_builder_end (builder);
}

/**
 * fore_plan_file_show:
 * @preview: a preview
 *
 * Puts the tasks of the person's plan, if there is one, among the others, as they will be once the
 * plan is approved.
 */
void
fore_plan_file_show (ForeRunPreview *preview)
{
  const ForeTask *planner;
  guint at;

  g_return_if_fail (preview != NULL);

  if (preview->planned == NULL || (planner = find_planner (preview->tasks)) == NULL)
    return;

  for (guint i = 0; i < preview->tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (preview->tasks, i);

      if (has_word (task->depends_on, planner->key))
        wait_for_last (task, preview->planned);
    }

  at = planner->position + 1;
  g_ptr_array_set_free_func (preview->planned, NULL);
  for (guint i = 0; i < preview->planned->len; i++)
    g_ptr_array_insert (preview->tasks, (int) (at + i), g_ptr_array_index (preview->planned, i));
  g_clear_pointer (&preview->planned, g_ptr_array_unref);
  preview->adaptive = FALSE;
}

/**
 * fore_plan_file_save:
 * @store: the store
 * @run_id: a run that is about to be made, and has its folders
 * @preview: what it is made of
 * @error: return location for an error
 *
 * Keeps the person's plan, if there is one, for the runner.
 *
 * Returns: whether it is on disk
 */
gboolean
fore_plan_file_save (ForeStore *store,
                     const char *run_id,
                     const ForeRunPreview *preview,
                     GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) node = NULL;

  g_return_val_if_fail (run_id != NULL && preview != NULL, FALSE);

  if (preview->plan == NULL)
    return TRUE;

  path = fore_dirs_dup_run_subdir (fore_store_get_home (store), run_id, PLAN_NAME);
  node = fore_plan_to_json (preview->plan);
  text = fore_json_to_string (node, TRUE);

  return g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

/**
 * fore_plan_file_load:
 * @context: what a run is carried out with
 * @rules: what a plan must keep to
 * @error: return location for an error
 *
 * Reads the plan that the person brought along. Blocking.
 *
 * Returns: (transfer full) (nullable): the plan, or %NULL with @error unset if there is none
 */
ForePlan *
fore_plan_file_load (ForeRunContext *context, const ForePlanRules *rules, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;

  g_return_val_if_fail (context != NULL && rules != NULL, NULL);

  path = g_build_filename (context->run_dir, PLAN_NAME, NULL);
  if (!g_file_test (path, G_FILE_TEST_EXISTS) || !g_file_get_contents (path, &text, NULL, error))
    return NULL;

  return fore_plan_read_edited (text, rules, error);
}
