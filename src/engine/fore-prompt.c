/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-prompt.h"

#include "library/fore-role.h"
#include "platform/fore-dirs.h"

#include <string.h>

/* Prompts are read by agents, not by people, and so are not translated. Blocks stand in an order
 * that keeps what tasks of a run share at the front.
 */

static void
block_free (ForePromptBlock *block)
{
  g_free (block->name);
  g_free (block->provenance);
  g_free (block->text);
  g_free (block);
}

static void
add_block (GPtrArray *blocks, const char *name, const char *provenance, char *text)
{
  ForePromptBlock *block;

  if (text == NULL || *text == '\0')
    {
      g_free (text);
      return;
    }

  block = g_new0 (ForePromptBlock, 1);
  block->name = g_strdup (name);
  block->provenance = g_strdup (provenance);
  block->text = text;
  g_ptr_array_add (blocks, block);
}

/* At most @budget bytes of @text, cut at a character; says how much is left out and where it is. */
static char *
cut (const char *text, gsize budget, const char *where)
{
  gsize length = strlen (text);
  const char *end;
  g_autofree char *head = NULL;

  if (length <= budget)
    return g_strdup (text);

  end = g_utf8_find_prev_char (text, text + budget);
  head = g_strndup (text, end != NULL ? end - text : 0);

  return g_strdup_printf ("%s\n[%" G_GSIZE_FORMAT " more bytes%s%s]", head, length - strlen (head),
                          where != NULL ? ": whole text in " : " left out",
                          where != NULL ? where : "");
}

static void
add_skill (GString *text, ForeRunContext *context, const char *name, gsize budget, GHashTable *seen)
{
  ForeSkill *skill = fore_library_get_skill (context->library, name);
  gsize limit = fore_settings_get_size (context->settings, "prompts.skill_bytes");
  g_autofree char *body = NULL;

  if (skill == NULL || text->len >= budget || !g_hash_table_add (seen, g_strdup (name)))
    return;

  body = cut (skill->body, MIN (limit, budget - text->len), skill->source.path);
  g_string_append_printf (text, "## Skill: %s\n%s\n\n", skill->name, body);
}

static char *
build_skills (ForeRunContext *context, const ForeTask *task)
{
  const ForeWorkflowStep *step = fore_run_context_get_step (context, task);
  const ForeAgentDef *agent = fore_run_context_get_agent (context, task);
  const ForeTeamRole *role = fore_team_get_role (context->team, task->role);
  const char *const *by_role = fore_role_get_skills (task->role);
  gsize budget = fore_settings_get_size (context->settings, "prompts.skills_bytes");
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GString *text;
  const char *const *lists[4];

  if ((step != NULL && step->no_skills) || (agent != NULL && agent->no_skills)
      || (role != NULL && role->no_skills))
    return NULL;

  lists[0] = step != NULL ? (const char *const *) step->skills : NULL;
  lists[1] = role != NULL ? (const char *const *) role->skills : NULL;
  lists[2] = agent != NULL ? (const char *const *) agent->skills : NULL;
  lists[3] = by_role;

  text = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      for (guint j = 0; lists[i] != NULL && lists[i][j] != NULL; j++)
        add_skill (text, context, lists[i][j], budget, seen);
    }

  return g_string_free (text, FALSE);
}

static char *
build_project (ForeRunContext *context)
{
  static const char *const names[] = { "AGENTS.md", ".foredeck/knowledge.md" };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (context->project, names[i], NULL);
      g_autofree char *content = NULL;
      g_autofree char *valid = NULL;
      g_autofree char *part = NULL;

      if (g_file_test (path, G_FILE_TEST_IS_SYMLINK)
          || !g_file_get_contents (path, &content, NULL, NULL))
        continue;

      valid = g_utf8_make_valid (content, -1);
      part = cut (valid, 8000, names[i]);
      g_string_append_printf (text, "## %s\n%s\n\n", names[i], part);
    }

  return g_string_free (text, FALSE);
}

static void
append_files (GString *text, const ForeTask *task)
{
  if (task->files->len == 0)
    return;

  g_string_append (text, "Changed files:\n");
  for (guint i = 0; i < task->files->len && i < 100; i++)
    {
      const ForeChange *change = g_ptr_array_index (task->files, i);

      g_string_append_printf (text, "- %c %s\n", change->status, change->path);
    }
  if (task->files->len > 100)
    g_string_append_printf (text, "- and %u more\n", task->files->len - 100);
}

static char *
build_results (ForeRunContext *context, const ForePromptInput *input)
{
  gsize each = fore_settings_get_size (context->settings, "prompts.dependency_bytes");
  gsize all = fore_settings_get_size (context->settings, "prompts.dependencies_bytes");
  GString *text = g_string_new (NULL);

  for (guint i = 0; input->dependencies != NULL && i < input->dependencies->len; i++)
    {
      const ForeTask *before = g_ptr_array_index (input->dependencies, i);
      gsize left = text->len < all ? all - text->len : 0;
      g_autofree char *name = g_strdup_printf ("%s.md", before->key);
      g_autofree char *path = g_build_filename (context->run_dir, "results", name, NULL);
      g_autofree char *part = NULL;

      part = cut (before->result != NULL ? before->result : "", MIN (each, left), path);
      g_string_append_printf (text, "## Result of “%s” (%s)\n%s\n", before->title, before->role,
                              part);
      append_files (text, before);
      g_string_append_c (text, '\n');
    }

  return g_string_free (text, FALSE);
}

static char *
build_task (const ForeTask *task)
{
  GString *text = g_string_new (task->text);

  if (task->paths != NULL && task->paths[0] != NULL)
    {
      g_autofree char *paths = g_strjoinv (", ", task->paths);

      g_string_append_printf (text, "\n\nThe plan says that you write to: %s.", paths);
    }

  for (guint i = 0; i < task->checks->len; i++)
    {
      g_autofree char *label = fore_check_dup_label (g_ptr_array_index (task->checks, i));

      if (i == 0)
        g_string_append (text, "\n\nWhen you are done, these commands are run in your tree to "
                               "verify the work:\n");
      g_string_append_printf (text, "- %s\n", label);
    }

  return g_string_free (text, FALSE);
}

static char *
build_plan_contract (ForeRunContext *context)
{
  g_autofree char *roles = g_strjoinv (", ", context->roles);

  return g_strdup_printf (
      "End your answer with the plan as one fenced block:\n"
      "```json\n"
      "{\"plan\": {\"title\": \"…\", \"summary\": \"…\", \"items\": [\n"
      "  {\"id\": \"short-id\", \"title\": \"…\", \"role\": \"…\", \"task\": \"…\", "
      "\"dependsOn\": [], \"paths\": [\"…\"], \"checks\": [[\"program\", \"argument\"]]}\n"
      "]}}\n"
      "```\n"
      "Ids are lower-case letters, digits and dashes. Roles of this team: %s. At most "
      "%" G_GINT64_FORMAT
      " items. Items without a common dependency run at the same time, each in a working tree of "
      "its own that holds the merged work of what it depends on. Checks are commands that need no "
      "shell.",
      roles, fore_settings_get_int (context->settings, "limits.plan_items"));
}

static const char *
get_contract (const ForeTask *task)
{
  if (task->writes)
    return "Work only inside the current folder, which is a working tree of your own. Leave your "
           "changes there; committing is done for you. End with a short account of what you did, "
           "what you verified and how, and what is left.";

  return "You must not change any file: the tree is compared afterwards and a change fails the "
         "task. End with your findings, naming files and lines.";
}

/**
 * fore_prompt_build:
 * @context: what the run is carried out with
 * @input: what the prompt is about
 *
 * Builds the prompt of an attempt. Reads files of the project: for worker threads.
 *
 * Returns: (transfer full) (element-type ForePromptBlock): its blocks in order
 */
GPtrArray *
fore_prompt_build (ForeRunContext *context, const ForePromptInput *input)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) block_free);
  const ForeAgentDef *agent;

  g_return_val_if_fail (context != NULL && input != NULL && input->task != NULL, blocks);

  agent = fore_run_context_get_agent (context, input->task);
  if (agent != NULL)
    add_block (blocks, "role", agent->source.path, g_strdup (agent->prompt));
  add_block (blocks, "skills", NULL, build_skills (context, input->task));
  add_block (blocks, "project", NULL, build_project (context));
  add_block (blocks, "goal", NULL, g_strdup (input->goal));
  add_block (blocks, "results", NULL, build_results (context, input));
  add_block (blocks, "task", NULL, build_task (input->task));
  add_block (blocks, "contract", NULL, g_strdup (get_contract (input->task)));
  if (input->task->adaptive)
    add_block (blocks, "plan", NULL, build_plan_contract (context));
  if (input->plan_before != NULL)
    add_block (blocks, "previous plan", NULL,
               g_strdup_printf ("```json\n%s\n```", input->plan_before));
  add_block (blocks, "feedback", NULL, g_strdup (input->feedback));

  return blocks;
}

/**
 * fore_prompt_join:
 * @blocks: (element-type ForePromptBlock): blocks
 *
 * Returns: (transfer full): the exact text that the agent gets
 */
char *
fore_prompt_join (GPtrArray *blocks)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (blocks != NULL, NULL);

  for (guint i = 0; i < blocks->len; i++)
    {
      const ForePromptBlock *block = g_ptr_array_index (blocks, i);

      g_string_append_printf (text, "# %c%s\n\n%s", g_ascii_toupper (block->name[0]),
                              block->name + 1, block->text);
      while (text->len > 0 && text->str[text->len - 1] == '\n')
        g_string_truncate (text, text->len - 1);
      g_string_append (text, "\n\n");
    }

  return g_string_free (text, FALSE);
}
