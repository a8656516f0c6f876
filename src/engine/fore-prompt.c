/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-prompt-private.h"

#include "engine/fore-yield.h"
#include "text/fore-prune.h"

#include <string.h>

/* Prompts are read by agents, not by people, and so are not translated. What tasks of a run share
 * stands at the front and is the same to the byte, so that services can keep it.
 */
static const char *const names[] = { "project",   "goal",    "role",     "skills", "memory",
                                     "knowledge", "results", "files",    "specs",  "script",
                                     "changes",   "task",    "contract", "plan",   "previous plan",
                                     "mail",      "feedback" };

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
build_plan_contract (ForeRunContext *context, const ForeTask *task)
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
      "shell. Where what has to be done depends on what is found out first, plan only up to there "
      "and end with an item that has \"plans\": true: its agent plans what follows, knowing the "
      "results of what it depends on.%s",
      roles, fore_settings_get_int (context->settings, "limits.plan_items"),
      task->plan_version > 0 ? " What was done already is in the results above and is kept; plan "
                               "only what is left. If "
                               "nothing is, give an empty list of items."
                             : "");
}

static const char *
get_rules (const ForeTask *task)
{
  if (task->writes)
    return "Work only inside the current folder, which is a working tree of your own. Leave your "
           "changes there; committing is done for you. End with a short account of what you did, "
           "what you verified and how, and what is left.";

  return "You must not change any file: the tree is compared afterwards and a change fails the "
         "task. End with your findings, naming files and lines.";
}

static char *
build_contract (ForeRunContext *context, const ForeTask *task)
{
  const ForeWorkflowStep *step = fore_run_context_get_step (context, task);
  const char *rules = get_rules (task);

  if (step == NULL || step->output == NULL)
    return g_strdup (rules);

  if (!task->writes)
    return g_strdup_printf ("%s\n\nYour final answer is kept as the file %s and handed to others: "
                            "make it the whole text of that file.",
                            rules, step->output);

  return g_strdup_printf (
      "%s\n\nOthers are handed the file %s: write it, or make your final answer "
      "the whole text of that file.",
      rules, step->output);
}

static char *
build_whole_contract (ForeRunContext *context, const ForeTask *task)
{
  g_autofree char *contract = build_contract (context, task);

  if (!fore_yield_is_wanted (context, task))
    return g_steal_pointer (&contract);

  return g_strconcat (contract, "\n\n", fore_yield_get_contract (task), NULL);
}

static char *
build_changes (ForeRunContext *context, const ForePromptInput *input)
{
  if (input->changes == NULL)
    return NULL;

  return fore_prune_text (
      input->changes,
      (gsize) fore_settings_get_size (context->settings, "prompts.dependency_bytes"), NULL);
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
  add_block (blocks, "project", context->project, fore_prompt_dup_project (context, input->task));
  add_block (blocks, "goal", NULL, g_strdup (input->goal));
  if (agent != NULL)
    add_block (blocks, "role", agent->source.path, g_strdup (agent->prompt));
  add_block (blocks, "skills", NULL, fore_prompt_dup_skills (context, input->task));
  add_block (blocks, "memory", NULL, fore_prompt_dup_memory (context, input->task));
  add_block (blocks, "knowledge", context->project, fore_prompt_dup_knowledge (context, input));
  add_block (blocks, "results", NULL, fore_prompt_dup_results (context, input));
  add_block (blocks, "files", NULL, fore_prompt_dup_files (context, input));
  add_block (blocks, "specs", NULL, fore_prompt_dup_specs (context, input->task));
  add_block (blocks, "script", NULL, g_strdup (input->script));
  add_block (blocks, "changes", NULL, build_changes (context, input));
  add_block (blocks, "task", NULL, build_task (input->task));
  add_block (blocks, "contract", NULL, build_whole_contract (context, input->task));
  if (input->task->adaptive)
    add_block (blocks, "plan", NULL, build_plan_contract (context, input->task));
  if (input->plan_before != NULL)
    add_block (blocks, "previous plan", NULL,
               g_strdup_printf ("```json\n%s\n```", input->plan_before));
  add_block (blocks, "mail", NULL, g_strdup (input->mail));
  add_block (blocks, "feedback", NULL, g_strdup (input->feedback));

  return blocks;
}

/* The name of the block whose heading @line is, or NULL. */
static const char *
find_heading (const char *line, gsize length)
{
  if (length < 3 || line[0] != '#' || line[1] != ' ')
    return NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      if (strlen (names[i]) == length - 2 && g_ascii_toupper (names[i][0]) == line[2]
          && strncmp (names[i] + 1, line + 3, length - 3) == 0)
        return names[i];
    }

  return NULL;
}

/* A text that holds the heading of a block must not be taken for that block. */
static void
append_escaped (GString *text, const char *block)
{
  const char *next;

  for (const char *line = block; line != NULL; line = next)
    {
      if (find_heading (line, strcspn (line, "\n")) != NULL)
        g_string_append_c (text, '\\');

      next = strstr (line, "\n# ");
      if (next != NULL)
        next++;
      g_string_append_len (text, line, next != NULL ? next - line : -1);
    }
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

      g_string_append_printf (text, "# %c%s\n\n", g_ascii_toupper (block->name[0]),
                              block->name + 1);
      append_escaped (text, block->text);
      while (text->len > 0 && text->str[text->len - 1] == '\n')
        g_string_truncate (text, text->len - 1);
      g_string_append (text, "\n\n");
    }

  return g_string_free (text, FALSE);
}

/**
 * fore_prompt_split:
 * @prompt: what fore_prompt_join() made
 *
 * Takes a prompt apart again, so that it can be shown by its blocks. The texts are those of the
 * prompt, headings included, and together all of it; a text above the first heading is a block
 * `text`. Where they came from is not known any more.
 *
 * Returns: (transfer full) (element-type ForePromptBlock): its blocks in order
 */
GPtrArray *
fore_prompt_split (const char *prompt)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) block_free);
  const char *name = "text", *start = prompt, *line = prompt;

  g_return_val_if_fail (prompt != NULL, blocks);

  while (*line != '\0')
    {
      gsize length = strcspn (line, "\n");
      const char *heading = find_heading (line, length);

      if (heading != NULL)
        {
          add_block (blocks, name, NULL, g_strndup (start, (gsize) (line - start)));
          name = heading;
          start = line;
        }
      line += length + (line[length] == '\n');
    }
  add_block (blocks, name, NULL, g_strdup (start));

  return blocks;
}
