/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Workflows that are scripts: `NAME.crew.lua`. What other files say in their head, a script says in
 * comments at its beginning; the rest only foredeck-script reads.
 */

#include "config.h"

#include "library/fore-workflow-script.h"

#include "library/fore-workflow-step.h"

#include <string.h>

#define COMMENT "--"
#define FENCE "---"

/* The text after the comment's mark, or NULL where the line is none. */
static const char *
skip_mark (const char *line)
{
  if (!g_str_has_prefix (line, COMMENT))
    return NULL;

  line += strlen (COMMENT);
  return *line == ' ' ? line + 1 : line;
}

static gboolean
is_fence (const char *line)
{
  return line != NULL && strcmp (line, FENCE) == 0;
}

/**
 * fore_workflow_script_is_one:
 * @path: (nullable): a file
 *
 * Returns: whether it is a script, by its name
 */
gboolean
fore_workflow_script_is_one (const char *path)
{
  return path != NULL && g_str_has_suffix (path, FORE_SCRIPT_SUFFIX);
}

/**
 * fore_workflow_script_dup_head:
 * @text: bytes of a script
 * @length: how many, or -1 if @text ends with a NUL
 *
 * Takes the head out of the comments that a script begins with, each line where it was:
 * `-- ---`, `-- name: it`, `-- ---`.
 *
 * Returns: (transfer full): the head alone, as other files have it; empty if there is none
 */
char *
fore_workflow_script_dup_head (const char *text, gssize length)
{
  g_autofree char *copy = length < 0 ? g_strdup (text) : g_strndup (text, (gsize) length);
  g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);
  g_autoptr (GString) head = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = skip_mark (g_strchomp (lines[i]));

      if (line == NULL || (i == 0 && !is_fence (line)))
        break;

      g_string_append_printf (head, "%s\n", line);
      if (i > 0 && is_fence (line))
        return g_string_free (g_steal_pointer (&head), FALSE);
    }

  return g_strdup ("");
}

/**
 * fore_workflow_script_add_step:
 * @workflow: a workflow that is a script
 *
 * Adds its one step, which carries the script out.
 */
void
fore_workflow_script_add_step (ForeWorkflow *workflow)
{
  ForeWorkflowStep *step = fore_workflow_step_new (FORE_SCRIPT_STEP, FORE_SCRIPT_STEP);

  g_return_if_fail (workflow != NULL);

  step->cli = g_strdup (FORE_SCRIPT_STEP);
  step->title = g_strconcat (workflow->name, FORE_SCRIPT_SUFFIX, NULL);
  step->writes = FORE_NO;
  fore_workflow_add_step (workflow, step);
}
