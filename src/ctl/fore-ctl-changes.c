/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-notes.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-actions.h"
#include "engine/fore-changes.h"
#include "engine/fore-merge-queue.h"
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
print_changes (ForeCtl *ctl, const ForeRunDelta *of, const char *task, GError **error)
{
  const char *run_id = of->run->id;
  gboolean stat = fore_ctl_has (ctl, "stat");
  g_autoptr (ForeDiff) diff = NULL;
  g_autofree char *patch = NULL;

  if (!ctl->json && !stat)
    {
      patch = fore_changes_load_patch (ctl->store, run_id, task, error);
      if (patch == NULL)
        return FALSE;

      print_patch (ctl, patch);
      fore_ctl_notes_print (of->tasks, task);
      return TRUE;
    }

  diff = fore_changes_load (ctl->store, run_id, task, error);
  if (diff == NULL)
    return FALSE;

  if (ctl->json)
    {
      JsonObject *object = fore_ctl_json_diff (diff, !stat);

      json_object_set_string_member (object, "run", run_id);
      fore_ctl_json_set_text (object, "task", task);
      fore_ctl_notes_add_json (object, of->tasks, task);
      fore_ctl_print_object (ctl, object);
    }
  else
    {
      print_stat (ctl, diff);
      fore_ctl_notes_print (of->tasks, task);
    }

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

  return print_changes (ctl, delta, task != NULL ? task->key : NULL, error);
}

static void
print_prediction (ForeCtl *ctl,
                  const ForeRunDelta *delta,
                  const char *target,
                  GPtrArray *paths,
                  guint n_conflicts)
{
  guint n_paths = paths != NULL ? paths->len : 0;
  JsonObject *object;

  if (ctl->json)
    {
      object = json_object_new ();
      json_object_set_string_member (object, "run", delta->run->id);
      fore_ctl_json_set_text (object, "into", target);
      json_object_set_boolean_member (object, "clean", n_paths == 0);
      json_object_set_array_member (object, "conflicts", fore_ctl_json_texts (paths));
      fore_ctl_notes_add_json (object, delta->tasks, NULL);
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

      fore_ctl_print (ctl,
                      i < n_conflicts ? _ ("%s: changed on both sides\n")
                                      : _ ("%s: changed in your folder and not committed\n"),
                      clean);
    }
  fore_ctl_notes_print (delta->tasks, NULL);
}

static gboolean
predict (ForeCtl *ctl, const char *run_id, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_run_read (ctl->store, run_id, 0, 0, 0, error);
  const char *target = fore_ctl_get (ctl, "into");
  g_autoptr (GPtrArray) paths = NULL;
  g_autoptr (GError) local_error = NULL;
  guint n_conflicts = 0;

  if (delta == NULL)
    return FALSE;

  paths = fore_changes_predict_merge (ctl->store, run_id, target, NULL, &n_conflicts, &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }

  print_prediction (ctl, delta, target != NULL ? target : delta->run->base_branch, paths,
                    n_conflicts);
  ctl->exit_code = paths != NULL && paths->len > 0 ? 1 : 0;
  return TRUE;
}

static void
print_checks (ForeCtl *ctl, const ForeMergeWish *wish, GPtrArray *checks)
{
  if (wish->check && checks->len == 0 && !ctl->json)
    fore_ctl_print (ctl, _ ("Nothing was checked: neither the project nor the run has checks.\n"));

  for (guint i = 0; i < checks->len && !ctl->json; i++)
    {
      const ForeCheck *check = checks->pdata[i];
      g_autofree char *label = fore_check_dup_label (check);
      gboolean passed = check->verified == FORE_VERIFIED_YES;

      if (check->verified == FORE_VERIFIED_NONE)
        continue;
      fore_ctl_print_styled (ctl, passed ? FORE_CTL_GOOD : FORE_CTL_BAD, passed ? "✓" : "✗");
      fore_ctl_print (ctl, " %s\n", label);
      if (!passed && check->output != NULL)
        {
          g_autofree char *clean = fore_ctl_dup_clean (check->output);

          fore_ctl_print (ctl, "%s\n", clean);
        }
    }
}

static void
set_checks (JsonObject *object, const ForeMergeWish *wish, GPtrArray *checks)
{
  json_object_set_boolean_member (object, "checked", wish->check && checks->len > 0);
  json_object_set_array_member (object, "checks", fore_ctl_json_checks (checks));
}

static gboolean
print_merged (ForeCtl *ctl,
              const ForeMergeWish *wish,
              GPtrArray *checks,
              const char *run_id,
              const char *outcome,
              GError **error)
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
      fore_ctl_notes_print (delta->tasks, NULL);
      return TRUE;
    }

  object = json_object_new ();
  json_object_set_string_member (object, "run", run_id);
  if (delta->run->merged_commit != NULL)
    fore_ctl_json_set_text (object, "into", delta->run->merged_into);
  fore_ctl_json_set_text (object, "commit", delta->run->merged_commit);
  fore_ctl_json_set_text (object, "message", outcome);
  fore_ctl_notes_add_json (object, delta->tasks, NULL);
  if (wish != NULL && wish->check)
    set_checks (object, wish, checks);
  fore_ctl_print_object (ctl, object);

  return TRUE;
}

static gboolean
make_wish (ForeCtl *ctl, ForeMergeWish *wish, GError **error)
{
  gboolean several = ctl->words->len > 1;

  if (fore_ctl_has (ctl, "squash") && fore_ctl_has (ctl, "ff"))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("--squash and --ff do not go together; leave one of them out."));
      return FALSE;
    }
  if (several
      && (fore_ctl_has (ctl, "dry-run") || fore_ctl_has (ctl, "expect")
          || fore_ctl_has (ctl, "without")))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("--dry-run, --expect and --without are for one run; name only one."));
      return FALSE;
    }

  if (fore_ctl_has (ctl, "without") && fore_ctl_has (ctl, "dry-run"))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("--without and --dry-run do not go together; leave one of them out."));
      return FALSE;
    }

  wish->target = fore_ctl_get (ctl, "into");
  wish->expected = fore_ctl_get (ctl, "expect");
  wish->check = !fore_ctl_has (ctl, "no-check") && (several || fore_ctl_has (ctl, "check"));
  wish->by = FORE_CTL_NAME;
  wish->timeout_ms = MERGE_TIMEOUT_MS;
  if (fore_ctl_has (ctl, "squash"))
    wish->mode = fore_merge_mode_to_string (FORE_MERGE_SQUASH);
  else if (fore_ctl_has (ctl, "ff"))
    wish->mode = fore_merge_mode_to_string (FORE_MERGE_FAST_FORWARD);

  return TRUE;
}

static void
note_merge (JsonArray *runs,
            ForeCtl *ctl,
            const ForeMergeWish *wish,
            const char *run_id,
            GPtrArray *checks,
            GError *problem)
{
  g_autoptr (ForeRunDelta) delta = fore_run_read (ctl->store, run_id, 0, 0, 0, NULL);
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "run", run_id);
  json_object_set_boolean_member (object, "merged", problem == NULL);
  if (problem == NULL && delta != NULL)
    {
      fore_ctl_json_set_text (object, "into", delta->run->merged_into);
      fore_ctl_json_set_text (object, "commit", delta->run->merged_commit);
      fore_ctl_notes_add_json (object, delta->tasks, NULL);
    }
  fore_ctl_json_set_text (object, "problem", problem != NULL ? problem->message : NULL);
  set_checks (object, wish, checks);
  json_array_add_object_element (runs, object);
}

/* One after the other; what does not fit or fails its checks stays out, and the next are tried. */
static gboolean
merge_several (ForeCtl *ctl, const ForeMergeWish *wish, GPtrArray *ids)
{
  g_autoptr (JsonArray) runs = json_array_new ();
  JsonObject *object;

  for (guint i = 0; i < ids->len; i++)
    {
      const char *run_id = ids->pdata[i];
      g_autoptr (GPtrArray) checks = fore_checks_copy (NULL);
      g_autoptr (GError) problem = NULL;
      g_autofree char *outcome = NULL;

      if (!fore_merge_queue_merge (ctl->store, run_id, wish, checks, &outcome, &problem))
        ctl->exit_code = 1;
      note_merge (runs, ctl, wish, run_id, checks, problem);
      if (problem == NULL || checks->len > 0)
        print_checks (ctl, wish, checks);
      if (!ctl->json)
        fore_ctl_print (ctl, "%s: %s\n", run_id, problem != NULL ? problem->message : outcome);
    }

  if (ctl->json)
    {
      object = json_object_new ();
      json_object_set_array_member (object, "runs", json_array_ref (runs));
      fore_ctl_print_object (ctl, object);
    }

  return TRUE;
}

static gboolean
merge_one (ForeCtl *ctl, const ForeMergeWish *wish, const char *run_id, GError **error)
{
  g_autoptr (GPtrArray) checks = fore_checks_copy (NULL);
  g_autofree char *outcome = NULL;
  gboolean done = fore_merge_queue_merge (ctl->store, run_id, wish, checks, &outcome, error);

  if (done || checks->len > 0)
    print_checks (ctl, wish, checks);
  return done && print_merged (ctl, wish, checks, run_id, outcome, error);
}

gboolean
fore_ctl_do_merge (ForeCtl *ctl, GError **error)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) without = NULL;
  ForeMergeWish wish = { NULL };

  if (!make_wish (ctl, &wish, error))
    return FALSE;

  if (fore_ctl_has (ctl, "without"))
    without = g_strsplit (fore_ctl_get (ctl, "without"), "\n", -1);
  wish.without = (const char *const *) without;
  for (guint i = 0; i < ctl->words->len; i++)
    {
      char *run_id = fore_ctl_find_run (ctl, fore_ctl_get_word (ctl, i), error);

      if (run_id == NULL)
        return FALSE;
      g_ptr_array_add (ids, run_id);
    }

  if (fore_ctl_has (ctl, "dry-run"))
    return predict (ctl, ids->pdata[0], error);

  return ids->len > 1 ? merge_several (ctl, &wish, ids)
                      : merge_one (ctl, &wish, ids->pdata[0], error);
}

gboolean
fore_ctl_do_branch (ForeCtl *ctl, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_ctl_read_run (ctl, fore_ctl_get_word (ctl, 0), 0, error);
  const char *branch = fore_ctl_get_word (ctl, 1);
  JsonObject *object;

  if (delta == NULL || !fore_changes_make_branch (ctl->store, delta->run->id, branch, error))
    return FALSE;

  if (!ctl->json)
    {
      fore_ctl_print (ctl, _ ("%s holds the result of run %s.\n"), branch, delta->run->id);
      return TRUE;
    }

  object = json_object_new ();
  json_object_set_string_member (object, "run", delta->run->id);
  json_object_set_string_member (object, "branch", branch);
  fore_ctl_json_set_text (object, "commit", delta->run->result_commit);
  fore_ctl_print_object (ctl, object);
  return TRUE;
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

static gboolean
send_discard (ForeCtl *ctl, const char *run_id, gboolean undo, GError **error)
{
  const char *args[] = { undo ? "undo" : NULL, NULL };
  g_autofree char *outcome = NULL;

  if (!fore_actions_command (ctl->store, run_id, FORE_COMMAND_DISCARD, args, FORE_CTL_NAME,
                             MERGE_TIMEOUT_MS, &outcome, error))
    return FALSE;

  return print_merged (ctl, NULL, NULL, run_id, outcome != NULL ? outcome : _ ("Dropped."), error);
}

gboolean
fore_ctl_do_discard (ForeCtl *ctl, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_ctl_read_run (ctl, fore_ctl_get_word (ctl, 0), 0, error);
  g_autofree char *question = NULL;

  if (delta == NULL)
    return FALSE;

  if (fore_ctl_has (ctl, "dry-run"))
    {
      print_discardable (ctl, delta->run);
      return TRUE;
    }

  if (fore_ctl_has (ctl, "undo"))
    return send_discard (ctl, delta->run->id, TRUE, error);

  question = g_strdup_printf (_ ("Drop the result of run %s?"), delta->run->id);
  return fore_ctl_confirm (ctl, question, error)
         && send_discard (ctl, delta->run->id, FALSE, error);
}
