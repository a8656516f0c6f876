/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-prompt-private.h"

#include "engine/fore-hand-off.h"
#include "text/fore-prune.h"

#include <string.h>

#define MAX_FILES_SHOWN 100

static void
append_changes (GString *text, const ForeTask *task)
{
  if (task->files->len == 0)
    return;

  g_string_append (text, "Changed files:\n");
  for (guint i = 0; i < task->files->len && i < MAX_FILES_SHOWN; i++)
    {
      const ForeChange *change = g_ptr_array_index (task->files, i);

      g_string_append_printf (text, "- %c %s\n", change->status, change->path);
    }
  if (task->files->len > MAX_FILES_SHOWN)
    g_string_append_printf (text, "- and %u more\n", task->files->len - MAX_FILES_SHOWN);
}

/* The file that @before left and @task reads: then its text need not stand here twice. */
static const char *
get_read_output (ForeRunContext *context, const ForeTask *task, const ForeTask *before)
{
  const ForeWorkflowStep *step = fore_run_context_get_step (context, task);
  const ForeWorkflowStep *earlier = fore_run_context_get_step (context, before);

  g_autofree char *path = NULL;

  if (step == NULL || step->reads == NULL || earlier == NULL || earlier->output == NULL
      || !g_strv_contains ((const char *const *) step->reads, earlier->output))
    return NULL;

  path = fore_hand_off_dup_path (context->run_dir, earlier->output);

  return g_file_test (path, G_FILE_TEST_EXISTS) ? earlier->output : NULL;
}

static void
append_result (ForeRunContext *context, GString *text, const ForeTask *before, gsize budget)
{
  g_autofree char *name = g_strdup_printf ("%s.md", before->key);
  g_autofree char *path = g_build_filename (context->run_dir, "results", name, NULL);
  g_autofree char *part = fore_prune_text (before->result != NULL ? before->result : "", budget,
                                           path);

  g_string_append_printf (text, "%s\n", part);
}

char *
fore_prompt_dup_results (ForeRunContext *context, const ForePromptInput *input)
{
  gsize each = (gsize) fore_settings_get_size (context->settings, "prompts.dependency_bytes");
  gsize all = (gsize) fore_settings_get_size (context->settings, "prompts.dependencies_bytes");
  GString *text = g_string_new (NULL);

  for (guint i = 0; input->dependencies != NULL && i < input->dependencies->len; i++)
    {
      const ForeTask *before = g_ptr_array_index (input->dependencies, i);
      const char *output = get_read_output (context, input->task, before);

      g_string_append_printf (text, "## Result of “%s” (%s)\n", before->title, before->role);
      if (output != NULL)
        g_string_append_printf (text, "It is the file %s, see below.\n", output);
      else
        append_result (context, text, before, MIN (each, text->len < all ? all - text->len : 0));
      append_changes (text, before);
      g_string_append_c (text, '\n');
    }

  return g_string_free (text, FALSE);
}

/* A spec of the person's own counts before one that the project brings. */
static char *
read_spec (ForeRunContext *context, const char *name, char **path)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autofree char *file = g_strdup_printf ("specs/%s.md", name);
  g_autofree char *project_file = g_build_filename (".foredeck", file, NULL);
  char *text;

  text = fore_hand_off_read_tree (user_dir, file, 0, path);
  if (text == NULL && context->trusted)
    text = fore_hand_off_read_tree (context->project, project_file, 0, path);

  return text;
}

char *
fore_prompt_dup_specs (ForeRunContext *context, const ForeTask *task)
{
  const ForeWorkflowStep *step = fore_run_context_get_step (context, task);
  gsize all = (gsize) fore_settings_get_size (context->settings, "prompts.dependencies_bytes");
  GString *text = g_string_new (NULL);

  for (guint i = 0; step != NULL && step->spec_refs != NULL && step->spec_refs[i] != NULL; i++)
    {
      g_autofree char *path = NULL;
      g_autofree char *whole = read_spec (context, step->spec_refs[i], &path);
      g_autofree char *part = NULL;

      part = whole != NULL ? fore_prune_text (whole, text->len < all ? all - text->len : 0, path)
                           : g_strdup ("There is no such spec.");
      g_string_append_printf (text, "## %s\n%s\n\n", step->spec_refs[i], part);
    }
  if (text->len > 0)
    g_string_append (text, "Say for each point of these specs how you have seen that it holds.\n");

  return g_string_free (text, FALSE);
}

char *
fore_prompt_dup_files (ForeRunContext *context, const ForePromptInput *input)
{
  const ForeWorkflowStep *step = fore_run_context_get_step (context, input->task);
  gsize each = (gsize) fore_settings_get_size (context->settings, "prompts.dependency_bytes");
  gsize all = (gsize) fore_settings_get_size (context->settings, "prompts.dependencies_bytes");
  GString *text = g_string_new (NULL);

  for (guint i = 0; step != NULL && step->reads != NULL && step->reads[i] != NULL; i++)
    {
      const char *name = step->reads[i];
      g_autofree char *path = NULL;
      g_autofree char *whole = fore_hand_off_read (context->run_dir, input->tree, name, &path);
      g_autofree char *part = NULL;

      if (whole == NULL)
        {
          g_string_append_printf (text, "## %s\nThere is no such file.\n\n", name);
          continue;
        }

      part = fore_prune_text (whole, MIN (each, text->len < all ? all - text->len : 0), path);
      g_string_append_printf (text, "## %s\n%s\n\n", name, part);
    }

  return g_string_free (text, FALSE);
}
