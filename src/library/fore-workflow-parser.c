/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-workflow-parser.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "library/fore-library-text.h"

/* The body of a workflow's file, line by line. A step is a heading `## id` with a block of keys
 * right below it; the text below that block, down to the next step, is its task. A heading without
 * keys is documentation: above the first step it is nobody's, later it is text of the step above.
 */
typedef struct
{
  ForeWorkflow *workflow;
  ForeFrontMatter *matter;
  char **lines;
  guint n_lines;
  guint line;
  ForeWorkflowStep *step;
  GString *text;
} Parser;

static void
step_key_free (ForeStepKey *key)
{
  g_free (key->key);
  g_string_free (key->value, TRUE);
  g_ptr_array_unref (key->items);
  g_free (key);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeStepKey, step_key_free)

static gboolean
is_blank (const char *line)
{
  return line[strspn (line, " \t")] == '\0';
}

static gboolean
is_heading (const char *line)
{
  return g_str_has_prefix (line, "## ") || g_str_has_prefix (line, "##\t");
}

/* Length of the key at the start of @line, 0 if there is none. Keys start with a small letter, so
 * that prose such as `Note: …` is none.
 */
static gsize
key_length (const char *line)
{
  gsize length = 0;

  if (!g_ascii_islower (line[0]))
    return 0;
  while (g_ascii_isalnum (line[length]) || line[length] == '-' || line[length] == '_')
    length++;
  if (line[length] != ':' || (line[length + 1] != '\0' && !g_ascii_isspace (line[length + 1])))
    return 0;

  return length;
}

static gboolean
is_list_item (const char *line)
{
  return line[0] == '-' && (line[1] == ' ' || line[1] == '\t');
}

static gboolean
continues_key (const char *line)
{
  return !is_blank (line) && (g_ascii_isspace (*line) || is_list_item (line));
}

static guint
skip_blank (Parser *parser, guint line)
{
  while (line < parser->n_lines && is_blank (parser->lines[line]))
    line++;

  return line;
}

/* Whether the block of keys that starts at @line makes the heading above it a step. */
static gboolean
is_key_block (Parser *parser, guint line)
{
  gboolean first = TRUE;

  for (; line < parser->n_lines; line++, first = FALSE)
    {
      const char *text = parser->lines[line];
      gsize length = key_length (text);
      g_autofree char *key = NULL;

      if (length == 0 && (first || !continues_key (text)))
        return FALSE;
      if (length == 0)
        continue;

      key = g_strndup (text, length);
      if (fore_step_key_is_known (key) || (first && fore_step_key_suggest (key) != NULL))
        return TRUE;
    }

  return FALSE;
}

static ForeStepKey *
step_key_new (const char *line, gsize length, guint number)
{
  ForeStepKey *key = g_new0 (ForeStepKey, 1);
  g_autofree char *value = g_strstrip (g_strdup (line + length + 1));

  key->key = g_strndup (line, length);
  key->value = g_string_new (value);
  key->items = g_ptr_array_new_with_free_func (g_free);
  key->line = number;
  key->column = 1;

  return key;
}

static void
continue_step_key (ForeStepKey *key, const char *line)
{
  g_autofree char *text = g_strstrip (g_strdup (line));

  if (strcmp (key->value->str, "|") == 0 || strcmp (key->value->str, ">") == 0)
    g_string_truncate (key->value, 0);

  if (is_list_item (text) || key->value->len == 0)
    g_ptr_array_add (key->items, g_strstrip (g_strdup (is_list_item (text) ? text + 1 : text)));
  else
    g_string_append_printf (key->value, " %s", text);
}

static void
read_keys (Parser *parser)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  parser->line = skip_blank (parser, parser->line);
  while (parser->line < parser->n_lines)
    {
      const char *line = parser->lines[parser->line];
      gsize length = key_length (line);
      g_autoptr (ForeStepKey) key = NULL;

      if (length == 0)
        return;

      key = step_key_new (line, length, parser->matter->body_line + parser->line);
      parser->line++;
      while (parser->line < parser->n_lines && continues_key (parser->lines[parser->line]))
        continue_step_key (key, parser->lines[parser->line++]);
      fore_step_key_apply (key, parser->step, seen, parser->matter->path,
                           parser->matter->diagnostics);
    }
}

/* Scripts that run before an agent are the person's own business: a repository may not bring
 * them.
 */
static void
strip_script (Parser *parser)
{
  ForeWorkflowStep *step = parser->step;

  if (step->pre_script == NULL || !fore_library_layer_is_project (parser->workflow->source.layer))
    return;

  fore_diagnostics_add (parser->matter->diagnostics, FORE_DIAGNOSTIC_WARNING, parser->matter->path,
                        step->line, 0, "preStepScript",
                        _ ("The script of the step `%s` was left out: a project may not bring "
                           "scripts. Put the workflow into your own folder to use it."),
                        step->id);
  g_clear_pointer (&step->pre_script, g_free);
  g_clear_pointer (&step->pre_args, g_strfreev);
}

/* Two agents that write in one tree undo each other's work; only the run as a whole may want that.
 */
static void
check_tree (Parser *parser)
{
  const ForeWorkflowStep *step = parser->step;

  if (step->worktree == FORE_NO && !fore_workflow_step_is_read_only (step, NULL))
    fore_diagnostics_add (
        parser->matter->diagnostics,
        parser->matter->foreign ? FORE_DIAGNOSTIC_WARNING : FORE_DIAGNOSTIC_ERROR,
        parser->matter->path, step->worktree_line, 1, "worktree",
        _ ("The step `%s` writes and so has a tree of its own. Remove `worktree`, or start the run "
           "with --isolation none."),
        step->id);
}

static void
finish_step (Parser *parser)
{
  ForeWorkflowStep *step = g_steal_pointer (&parser->step);
  g_autofree char *text = g_strstrip (g_strdup (parser->text->str));

  g_string_truncate (parser->text, 0);
  if (step == NULL)
    return;

  if (*text != '\0')
    {
      gboolean has_own = step->task != NULL && strcmp (step->task, "{goal}") != 0;
      g_autofree char *old = step->task;

      step->task = has_own ? g_strconcat (old, "\n\n", text, NULL) : g_strdup (text);
    }
  if (step->task == NULL)
    step->task = g_strdup ("{goal}");
  if (step->command != NULL && step->cli == NULL)
    step->cli = g_strdup ("command");

  fore_workflow_add_step (parser->workflow, step);
}

static void
start_step (Parser *parser)
{
  g_autofree char *id = g_strstrip (g_strdup (parser->lines[parser->line] + 2));

  finish_step (parser);
  parser->step = fore_workflow_step_new (id, NULL);
  parser->step->line = parser->matter->body_line + parser->line;
  parser->line++;
  read_keys (parser);
  check_tree (parser);
  strip_script (parser);
}

static void
note_documentation (Parser *parser, const char *line)
{
  g_autofree char *id = g_strstrip (g_strdup (line + 2));

  if (fore_workflow_step_id_is_valid (id))
    fore_diagnostics_add (parser->matter->diagnostics, FORE_DIAGNOSTIC_NOTE, parser->matter->path,
                          parser->matter->body_line + parser->line, 0, NULL,
                          _ ("The heading `%s` has no keys such as `role:` below it, so it is "
                             "text and no step."),
                          id);
}

/* Returns FALSE when there are too many steps. */
static gboolean
read_line (Parser *parser, gboolean in_fence)
{
  const char *line = parser->lines[parser->line];

  if (!in_fence && is_heading (line))
    {
      if (is_key_block (parser, skip_blank (parser, parser->line + 1)))
        {
          if (parser->workflow->steps->len + 1 >= FORE_WORKFLOW_MAX_STEPS)
            return FALSE;
          start_step (parser);
          return TRUE;
        }
      note_documentation (parser, line);
    }

  g_string_append (parser->text, line);
  g_string_append_c (parser->text, '\n');
  parser->line++;
  return TRUE;
}

static void
read_body (Parser *parser)
{
  gboolean in_fence = FALSE;

  while (parser->line < parser->n_lines)
    {
      guint line = parser->line;

      if (g_str_has_prefix (parser->lines[line], "```")
          || g_str_has_prefix (parser->lines[line], "~~~"))
        in_fence = !in_fence;
      if (read_line (parser, in_fence))
        continue;

      fore_diagnostics_add (parser->matter->diagnostics, FORE_DIAGNOSTIC_ERROR,
                            parser->matter->path, parser->matter->body_line + line, 0, NULL,
                            _ ("A workflow may have %d steps. Split it into several."),
                            FORE_WORKFLOW_MAX_STEPS);
      return;
    }
}

/**
 * fore_workflow_parse_steps:
 * @workflow: where the steps go
 * @matter: the workflow's file
 *
 * Reads the steps in the body of a workflow's file.
 */
void
fore_workflow_parse_steps (ForeWorkflow *workflow, ForeFrontMatter *matter)
{
  g_autofree char *body = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  Parser parser = { .workflow = workflow, .matter = matter, .text = text };

  g_return_if_fail (workflow != NULL);
  g_return_if_fail (matter != NULL);

  body = fore_library_text_sanitise (matter->body, workflow->source.layer, matter->path,
                                     matter->body_line, matter->diagnostics);
  lines = g_strsplit_set (body, "\n", -1);
  parser.lines = lines;
  parser.n_lines = g_strv_length (lines);
  read_body (&parser);
  finish_step (&parser);
}
