/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-prompt-private.h"

#include "library/fore-knowledge.h"
#include "library/fore-library-text.h"
#include "text/fore-prune.h"
#include "text/fore-sanitise.h"

#include <string.h>

#define GUIDE_BYTES 8000
#define MEMORY_BYTES 8000
#define MAX_FILE (1024 * 1024)

/* A plain file of the project as UTF-8, or NULL; a link could show us what is none of its own. */
static char *
read_file (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text = NULL;
  g_autofree char *valid = NULL;
  gsize length;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return NULL;

  text = fore_library_text_read (path, MAX_FILE, FALSE, &length, NULL);

  if (text == NULL)
    return NULL;

  valid = g_utf8_make_valid (text, (gssize) length);

  return fore_sanitise (valid, FORE_SANITISE_OWN, NULL, NULL);
}

/* What a project tells every agent; an agent's file may want none of it. */
static gboolean
wants_project (ForeRunContext *context, const ForeTask *task)
{
  const ForeAgentDef *agent = fore_run_context_get_agent (context, task);

  return agent == NULL || agent->inherit_context != FORE_NO;
}

static char *
read_knowledge (ForeRunContext *context, const char **name)
{
  static const char *const names[] = { ".foredeck/knowledge.md", ".crew/knowledge.md" };
  char *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names) && text == NULL; i++)
    {
      *name = names[i];
      text = read_file (context->project, names[i]);
    }

  return text;
}

char *
fore_prompt_dup_project (ForeRunContext *context, const ForeTask *task)
{
  GString *text = g_string_new (NULL);
  g_autofree char *guide = NULL;
  g_autofree char *knowledge = NULL;
  const char *name = NULL;

  if (!wants_project (context, task))
    return g_string_free (text, FALSE);

  guide = read_file (context->project, "AGENTS.md");
  if (guide != NULL)
    {
      g_autofree char *part = fore_prune_text (guide, GUIDE_BYTES, "AGENTS.md");

      g_string_append_printf (text, "## AGENTS.md\n%s\n\n", part);
    }

  knowledge = read_knowledge (context, &name);
  if (knowledge != NULL)
    {
      g_autofree char *part = fore_knowledge_dup_conventions (
          knowledge,
          (gsize) fore_settings_get_size (context->settings, "prompts.conventions_bytes"));

      g_string_append_printf (text, "## %s\n%s\n\n", name, part);
    }

  return g_string_free (text, FALSE);
}

char *
fore_prompt_dup_knowledge (ForeRunContext *context, const ForePromptInput *input)
{
  g_autofree char *knowledge = NULL;
  g_autofree char *query = NULL;
  const char *name = NULL;

  if (!wants_project (context, input->task)
      || (knowledge = read_knowledge (context, &name)) == NULL)
    return NULL;

  query = g_strconcat (input->goal, "\n", input->task->title, "\n", input->task->text, NULL);

  return fore_knowledge_dup_sections (
      knowledge, query,
      (gsize) fore_settings_get_size (context->settings, "prompts.knowledge_bytes"));
}

char *
fore_prompt_dup_memory (ForeRunContext *context, const ForeTask *task)
{
  const ForeAgentDef *agent = fore_run_context_get_agent (context, task);
  g_autofree char *user_dir = NULL;
  g_autofree char *name = NULL;
  g_autofree char *memory = NULL;

  if (agent == NULL || agent->memory == NULL)
    return NULL;

  if (strcmp (agent->memory, "user") == 0)
    {
      user_dir = fore_library_dup_user_dir ();
      name = g_strdup_printf ("memory/%s.md", agent->name);
      memory = read_file (user_dir, name);
    }
  else
    {
      name = g_strdup_printf (".foredeck/memory%s/%s.md",
                              strcmp (agent->memory, "local") == 0 ? ".local" : "", agent->name);
      memory = read_file (context->project, name);
    }

  return memory != NULL ? fore_prune_text (memory, MEMORY_BYTES, name) : NULL;
}
