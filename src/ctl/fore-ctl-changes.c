/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-actions.h"
#include "engine/fore-changes.h"
#include "git/fore-merge-result.h"

#include <glib/gi18n.h>

#define MERGE_TIMEOUT_MS 120000

static void
print_stat (ForeCtl *ctl, const ForeDiff *diff)
{
  const char *headings[] = { N_ ("FILE"), N_ ("ADDED"), N_ ("REMOVED"), NULL };
  g_autoptr (ForeCtlTable) table = fore_ctl_table_new (headings);

  for (guint i = 0; i < diff->files->len; i++)
    {
      const ForeFileChange *change = ((const ForeDiffFile *) diff->files->pdata[i])->change;
      gboolean counted = !change->binary && !change->too_large;
      g_autofree char *added = counted ? g_strdup_printf ("+%u", change->insertions) : NULL;
      g_autofree char *removed = counted ? g_strdup_printf ("−%u", change->deletions) : NULL;

      fore_ctl_table_add_row (table);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, change->path);
      fore_ctl_table_add (table, FORE_CTL_GOOD, counted ? added : _ ("binary"));
      fore_ctl_table_add (table, FORE_CTL_BAD, removed);
    }

  fore_ctl_table_print (ctl, table);
  fore_ctl_print (ctl,
                  g_dngettext (NULL, "%u file, +%u −%u\n", "%u files, +%u −%u\n", diff->files->len),
                  diff->files->len, diff->insertions, diff->deletions);
}

static ForeCtlStyle
get_line_style (const char *line)
{
  if (g_str_has_prefix (line, "@@"))
    return FORE_CTL_BUSY;
  if (g_str_has_prefix (line, "diff ") || g_str_has_prefix (line, "+++ ")
      || g_str_has_prefix (line, "--- "))
    return FORE_CTL_BOLD;

  return *line == '+' ? FORE_CTL_GOOD : *line == '-' ? FORE_CTL_BAD : FORE_CTL_PLAIN;
}

/* What goes to a file or a program is the patch byte for byte; a terminal gets clean lines. */
static void
print_patch (ForeCtl *ctl, const char *patch)
{
  g_auto (GStrv) lines = NULL;

  if (!ctl->terminal)
    {
      fore_ctl_write (patch, -1);
      return;
    }

  lines = g_strsplit (patch, "\n", -1);
  for (guint i = 0; lines[i] != NULL && (lines[i + 1] != NULL || *lines[i] != '\0'); i++)
    {
      g_autofree char *clean = fore_ctl_dup_clean (lines[i]);

      fore_ctl_print_styled (ctl, get_line_style (clean), clean);
      fore_ctl_write ("\n", 1);
    }
}

static gboolean
print_changes (ForeCtl *ctl, const char *run_id, const char *task, GError **error)
{
  gboolean stat = fore_ctl_has (ctl, "stat");
  g_autoptr (ForeDiff) diff = NULL;
  g_autofree char *patch = NULL;

  if (!ctl->json && !stat)
    {
      patch = fore_changes_load_patch (ctl->store, run_id, task, error);
      if (patch != NULL)
        print_patch (ctl, patch);
      return patch != NULL;
    }

  diff = fore_changes_load (ctl->store, run_id, task, error);
  if (diff == NULL)
    return FALSE;

  if (ctl->json)
    {
      JsonObject *object = fore_ctl_json_diff (diff, !stat);

      json_object_set_string_member (object, "run", run_id);
      fore_ctl_json_set_text (object, "task", task);
      fore_ctl_print_object (ctl, object);
    }
  else
    print_stat (ctl, diff);

  return TRUE;
}

gboolean
fore_ctl_do_diff (ForeCtl *ctl, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_ctl_read_run (ctl, fore_ctl_get_word (ctl, 0), 0, error);
  const ForeTask *task = NULL;

  if (delta == NULL)
    return FALSE;

  if (ctl->words->len > 1)
    {
      task = fore_ctl_find_task (ctl, delta, fore_ctl_get_word (ctl, 1), error);
      if (task == NULL)
        return FALSE;
    }

  return print_changes (ctl, delta->run->id, task != NULL ? task->key : NULL, error);
}

static void
print_prediction (ForeCtl *ctl, const ForeRun *run, const char *target, GPtrArray *paths)
{
  guint n_paths = paths != NULL ? paths->len : 0;
  JsonObject *object;

  if (ctl->json)
    {
      object = json_object_new ();
      json_object_set_string_member (object, "run", run->id);
      fore_ctl_json_set_text (object, "into", target);
      json_object_set_boolean_member (object, "clean", n_paths == 0);
      json_object_set_array_member (object, "conflicts", fore_ctl_json_texts (paths));
      fore_ctl_print_object (ctl, object);
      return;
    }

  if (n_paths == 0)
    fore_ctl_print (ctl, _ ("The merge into %s would be clean.\n"), target);
  else
    fore_ctl_print (ctl, _ ("In the way of a merge into %s:\n"), target);
  for (guint i = 0; i < n_paths; i++)
    {
      g_autofree char *clean = fore_ctl_dup_clean (paths->pdata[i]);

      fore_ctl_print (ctl, "%s\n", clean);
    }
}

static gboolean
predict (ForeCtl *ctl, const char *run_id, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_run_read (ctl->store, run_id, 0, 0, 0, error);
  const char *target = fore_ctl_get (ctl, "into");
  g_autoptr (GPtrArray) paths = NULL;
  g_autoptr (GError) local_error = NULL;

  if (delta == NULL)
    return FALSE;

  paths = fore_changes_predict_merge (ctl->store, run_id, target, &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }

  print_prediction (ctl, delta->run, target != NULL ? target : delta->run->base_branch, paths);
  ctl->exit_code = paths != NULL && paths->len > 0 ? 1 : 0;
  return TRUE;
}

static gboolean
print_merged (ForeCtl *ctl, const char *run_id, const char *outcome, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_run_read (ctl->store, run_id, 0, 0, 0, error);
  JsonObject *object;

  if (delta == NULL)
    return FALSE;

  if (!ctl->json)
    {
      if (outcome != NULL)
        fore_ctl_print (ctl, "%s\n", outcome);
      else
        fore_ctl_print (ctl, _ ("Merged into %s.\n"), delta->run->merged_into);
      return TRUE;
    }

  object = json_object_new ();
  json_object_set_string_member (object, "run", run_id);
  fore_ctl_json_set_text (object, "into", delta->run->merged_into);
  fore_ctl_json_set_text (object, "commit", delta->run->merged_commit);
  fore_ctl_json_set_text (object, "message", outcome);
  fore_ctl_print_object (ctl, object);

  return TRUE;
}

/* Arguments of the command: the target (empty: where the run came from), then the way. */
gboolean
fore_ctl_do_merge (ForeCtl *ctl, GError **error)
{
  g_autofree char *run_id = fore_ctl_find_run (ctl, fore_ctl_get_word (ctl, 0), error);
  const char *into = fore_ctl_get (ctl, "into");
  const char *args[3] = { into != NULL ? into : "", NULL, NULL };
  g_autofree char *outcome = NULL;

  if (run_id == NULL)
    return FALSE;
  if (fore_ctl_has (ctl, "squash") && fore_ctl_has (ctl, "ff"))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("--squash and --ff do not go together; leave one of them out."));
      return FALSE;
    }
  if (fore_ctl_has (ctl, "dry-run"))
    return predict (ctl, run_id, error);

  if (fore_ctl_has (ctl, "squash"))
    args[1] = fore_merge_mode_to_string (FORE_MERGE_SQUASH);
  else if (fore_ctl_has (ctl, "ff"))
    args[1] = fore_merge_mode_to_string (FORE_MERGE_FAST_FORWARD);

  if (!fore_actions_command (ctl->store, run_id, FORE_COMMAND_MERGE, args, FORE_CTL_NAME,
                             MERGE_TIMEOUT_MS, &outcome, error))
    return FALSE;

  return print_merged (ctl, run_id, outcome, error);
}

static void
print_discardable (ForeCtl *ctl, const ForeRun *run)
{
  JsonObject *object;

  if (!ctl->json)
    {
      fore_ctl_print (ctl, _ ("The result of run %s, %s, would be dropped.\n"), run->id,
                      run->result_branch != NULL ? run->result_branch : _ ("which has no branch"));
      return;
    }

  object = json_object_new ();
  json_object_set_string_member (object, "run", run->id);
  fore_ctl_json_set_text (object, "branch", run->result_branch);
  fore_ctl_json_set_text (object, "commit", run->result_commit);
  fore_ctl_print_object (ctl, object);
}

gboolean
fore_ctl_do_discard (ForeCtl *ctl, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_ctl_read_run (ctl, fore_ctl_get_word (ctl, 0), 0, error);
  g_autofree char *outcome = NULL;
  g_autofree char *question = NULL;

  if (delta == NULL)
    return FALSE;

  if (fore_ctl_has (ctl, "dry-run"))
    {
      print_discardable (ctl, delta->run);
      return TRUE;
    }

  question = g_strdup_printf (_ ("Drop the result of run %s?"), delta->run->id);
  if (!fore_ctl_confirm (ctl, question, error)
      || !fore_actions_command (ctl->store, delta->run->id, FORE_COMMAND_DISCARD, NULL,
                                FORE_CTL_NAME, MERGE_TIMEOUT_MS, &outcome, error))
    return FALSE;

  return print_merged (ctl, delta->run->id, outcome != NULL ? outcome : _ ("Dropped."), error);
}
