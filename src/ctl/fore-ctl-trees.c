/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-ledger.h"
#include "text/fore-text.h"

#include <glib/gi18n.h>

#define DEFAULT_RUNS 100

static GPtrArray *
list_trees (ForeCtl *ctl, GError **error)
{
  const char *prefix = fore_ctl_get_word (ctl, 0);
  ForeStore *store = fore_ctl_get_store (ctl, error);
  g_autofree char *run_id = NULL;

  if (store == NULL)
    return NULL;

  run_id = prefix != NULL ? fore_ctl_find_run (ctl, prefix, error) : NULL;
  if (prefix != NULL && run_id == NULL)
    return NULL;

  return fore_ledger_list_trees (store, run_id,
                                 (guint) fore_ctl_get_number (ctl, "limit", DEFAULT_RUNS), error);
}

static JsonArray *
ignored_to_json (GPtrArray *ignored)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < ignored->len; i++)
    {
      const ForeIgnored *entry = g_ptr_array_index (ignored, i);
      JsonObject *object = json_object_new ();

      fore_ctl_json_set_text (object, "path", entry->path);
      json_object_set_int_member (object, "bytes", (gint64) entry->bytes);
      json_object_set_int_member (object, "files", entry->n_files);
      json_object_set_string_member (object, "fate", fore_ignored_fate_to_string (entry->fate));
      json_array_add_object_element (array, object);
    }

  return array;
}

static JsonObject *
tree_to_json (const ForeTreeRecord *record)
{
  JsonObject *object = json_object_new ();

  fore_ctl_json_set_text (object, "run", record->run);
  fore_ctl_json_set_text (object, "task", record->task);
  fore_ctl_json_set_text (object, "path", record->path);
  fore_ctl_json_set_text (object, "branch", record->branch);
  fore_ctl_json_set_text (object, "base", record->base);
  fore_ctl_json_set_text (object, "commit", record->commit);
  json_object_set_boolean_member (object, "exists", g_file_test (record->path, G_FILE_TEST_IS_DIR));
  json_object_set_boolean_member (object, "leftover", record->leftover);
  json_object_set_boolean_member (object, "safe", fore_tree_record_is_safe (record));
  json_object_set_array_member (object, "obstacles",
                                fore_ctl_json_strv ((const char *const *) record->obstacles));
  if (record->exists)
    json_object_set_int_member (object, "bytes", (gint64) record->bytes);
  if (record->report != NULL)
    {
      json_object_set_int_member (object, "uncommitted", record->report->n_files);
      json_object_set_int_member (object, "unreached", record->report->n_commits);
      json_object_set_array_member (object, "ignored", ignored_to_json (record->report->ignored));
    }

  return object;
}

static void
take_phrase (GString *text, guint n, char *phrase)
{
  if (n > 0)
    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", phrase);

  g_free (phrase);
}

static char *
describe_kept (const ForeTreeReport *report)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = report->n_files;

  take_phrase (text, n,
               g_strdup_printf (g_dngettext (NULL, "%u uncommitted file is kept",
                                             "%u uncommitted files are kept", n),
                                n));
  n = report->n_commits;
  take_phrase (
      text, n,
      g_strdup_printf (g_dngettext (NULL, "%u commit is kept", "%u commits are kept", n), n));
  n = 0;
  for (guint i = 0; i < report->ignored->len; i++)
    n += ((ForeIgnored *) report->ignored->pdata[i])->fate == FORE_IGNORED_KEPT;
  take_phrase (text, n,
               g_strdup_printf (g_dngettext (NULL, "%u ignored file or folder is kept",
                                             "%u ignored files or folders are kept", n),
                                n));

  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* What a person wants to know before it goes: why it stays, or what would be kept of it. */
static char *
describe (const ForeTreeRecord *record)
{
  char *kept;

  if (!record->exists)
    return g_strdup (_ ("gone"));
  if (record->obstacles[0] != NULL)
    return g_strjoinv ("; ", record->obstacles);

  kept = describe_kept (record->report);
  return kept != NULL ? kept : g_strdup (_ ("all of it is on its branch"));
}

static void
print_trees (ForeCtl *ctl, GPtrArray *records)
{
  const char *headings[] = { N_ ("RUN"), N_ ("TASK"),   N_ ("SIZE"), N_ ("SAFE"),
                             N_ ("WHY"), N_ ("FOLDER"), NULL };
  g_autoptr (ForeCtlTable) table = fore_ctl_table_new (headings);

  for (guint i = 0; i < records->len; i++)
    {
      const ForeTreeRecord *record = g_ptr_array_index (records, i);
      gboolean safe = fore_tree_record_is_safe (record);
      g_autofree char *size = record->exists ? fore_text_format_size (record->bytes) : NULL;
      g_autofree char *why = describe (record);

      fore_ctl_table_add_row (table);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, record->run);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, record->task);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, size);
      fore_ctl_table_add (table, safe ? FORE_CTL_GOOD : FORE_CTL_WAIT,
                          !record->exists ? ""
                          : safe          ? _ ("yes")
                                          : _ ("no"));
      fore_ctl_table_add (table, FORE_CTL_PLAIN, why);
      fore_ctl_table_add (table, record->exists ? FORE_CTL_PLAIN : FORE_CTL_DIM, record->path);
    }

  fore_ctl_table_print (ctl, table);
}

gboolean
fore_ctl_do_worktrees (ForeCtl *ctl, GError **error)
{
  g_autoptr (GPtrArray) records = list_trees (ctl, error);
  JsonObject *object;
  JsonArray *array;

  if (records == NULL)
    return FALSE;

  if (!ctl->json)
    {
      print_trees (ctl, records);
      return TRUE;
    }

  object = json_object_new ();
  array = json_array_new ();
  for (guint i = 0; i < records->len; i++)
    json_array_add_object_element (array, tree_to_json (g_ptr_array_index (records, i)));
  json_object_set_array_member (object, "worktrees", array);
  fore_ctl_print_object (ctl, object);

  return TRUE;
}

/* clean */

typedef struct
{
  ForeCtl *ctl;
  JsonArray *trees;
  guint n_removed;
  guint n_stay;
  guint64 bytes;
} Cleaning;

static void
note_tree (Cleaning *cleaning,
           const ForeTreeRecord *record,
           gboolean removed,
           char *const *refs,
           const char *problem)
{
  JsonObject *object = tree_to_json (record);
  g_autofree char *why = describe (record);

  json_object_set_boolean_member (object, "removed", removed);
  if (refs != NULL)
    json_object_set_array_member (object, "refs", fore_ctl_json_strv ((const char *const *) refs));
  fore_ctl_json_set_text (object, "problem", problem);
  json_array_add_object_element (cleaning->trees, object);
  cleaning->n_removed += removed;
  cleaning->n_stay += !removed;
  cleaning->bytes += removed ? record->bytes : 0;
  if (cleaning->ctl->json)
    return;

  fore_ctl_print_styled (cleaning->ctl, removed ? FORE_CTL_GOOD : FORE_CTL_WAIT,
                         removed ? "✓" : "•");
  fore_ctl_print (cleaning->ctl, " %s/%s: %s\n", record->run, record->task,
                  problem != NULL ? problem : why);
  for (guint i = 0; refs != NULL && refs[i] != NULL; i++)
    fore_ctl_print (cleaning->ctl, "    %s\n", refs[i]);
}

static gboolean
may_lose (ForeCtl *ctl, const ForeTreeRecord *record, GError **error)
{
  g_autofree char *why = g_strjoinv ("; ", record->obstacles);
  g_autofree char *question = g_strdup_printf (_ ("Remove the tree of %s/%s although %s?"),
                                               record->run, record->task, why);

  return fore_ctl_confirm (ctl, question, error);
}

static gboolean
clean_tree (Cleaning *cleaning, const ForeTreeRecord *record, GError **error)
{
  gboolean safe = fore_tree_record_is_safe (record);
  gboolean dry = fore_ctl_has (cleaning->ctl, "dry-run");
  g_autoptr (GError) problem = NULL;
  g_auto (GStrv) refs = NULL;
  gboolean removed;

  if (!record->exists)
    return TRUE;

  if (dry || (!safe && !fore_ctl_has (cleaning->ctl, "everything")))
    {
      note_tree (cleaning, record, dry && safe, NULL, NULL);
      return TRUE;
    }

  if (!safe && !may_lose (cleaning->ctl, record, error))
    return FALSE;

  removed = fore_ledger_remove_tree (cleaning->ctl->store, record, !safe, &refs, &problem);
  note_tree (cleaning, record, removed, refs, problem != NULL ? problem->message : NULL);
  return TRUE;
}

static void
print_cleaned (Cleaning *cleaning)
{
  ForeCtl *ctl = cleaning->ctl;
  gboolean dry = fore_ctl_has (ctl, "dry-run");
  g_autofree char *size = fore_text_format_size (cleaning->bytes);
  JsonObject *object;

  if (!ctl->json)
    {
      fore_ctl_print (
          ctl, dry ? _ ("%u would be removed (%s), %u stay.\n") : _ ("%u removed (%s), %u stay.\n"),
          cleaning->n_removed, size, cleaning->n_stay);
      return;
    }

  object = json_object_new ();
  json_object_set_boolean_member (object, "dry_run", dry);
  json_object_set_int_member (object, "removed", cleaning->n_removed);
  json_object_set_int_member (object, "stay", cleaning->n_stay);
  json_object_set_int_member (object, "bytes", (gint64) cleaning->bytes);
  json_object_set_array_member (object, "trees", json_array_ref (cleaning->trees));
  fore_ctl_print_object (ctl, object);
}

static guint
count_safe (GPtrArray *records)
{
  guint n = 0;

  for (guint i = 0; i < records->len; i++)
    n += fore_tree_record_is_safe (g_ptr_array_index (records, i));

  return n;
}

static gboolean
confirm_clean (ForeCtl *ctl, GPtrArray *records, GError **error)
{
  guint n = count_safe (records);
  g_autofree char *question = g_strdup_printf (
      g_dngettext (NULL, "Remove %u working tree? What only it holds is kept as rescued work.",
                   "Remove %u working trees? What only they hold is kept as rescued work.", n),
      n);

  return n == 0 || fore_ctl_has (ctl, "dry-run") || fore_ctl_confirm (ctl, question, error);
}

gboolean
fore_ctl_do_clean (ForeCtl *ctl, GError **error)
{
  g_autoptr (GPtrArray) records = list_trees (ctl, error);
  g_autoptr (JsonArray) trees = json_array_new ();
  Cleaning cleaning = { ctl, trees };

  if (records == NULL || !confirm_clean (ctl, records, error))
    return FALSE;

  for (guint i = 0; i < records->len; i++)
    {
      if (!clean_tree (&cleaning, g_ptr_array_index (records, i), error))
        return FALSE;
    }

  print_cleaned (&cleaning);
  return TRUE;
}
