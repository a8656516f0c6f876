/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"

/**
 * fore_ctl_json_entry:
 * @entry: an entry of a transcript
 *
 * Returns: (transfer full): the entry
 */
JsonObject *
fore_ctl_json_entry (const ForeEntry *entry)
{
  JsonObject *object = json_object_new ();

  fore_ctl_json_set_text (object, "id", entry->id);
  fore_ctl_json_set_text (object, "kind", fore_entry_kind_to_string (entry->kind));
  fore_ctl_json_set_text (object, "state", fore_entry_state_to_string (entry->state));
  if (entry->append)
    json_object_set_boolean_member (object, "append", TRUE);
  fore_ctl_json_set_text (object, "parent", entry->parent);
  fore_ctl_json_set_text (object, "name", entry->name);
  fore_ctl_json_set_text (object, "title", entry->title);
  fore_ctl_json_set_text (object, "text", entry->text);
  fore_ctl_json_set_text (object, "input", entry->input);
  fore_ctl_json_set_known (object, "exit", entry->exit_code);
  fore_ctl_json_set_known (object, "ms", entry->ms);
  if (fore_usage_is_known (&entry->usage))
    json_object_set_object_member (object, "usage", fore_ctl_json_usage (&entry->usage));
  if (entry->options != NULL)
    json_object_set_array_member (object, "options", fore_ctl_json_options (entry->options));
  fore_ctl_json_set_known (object, "offset", entry->offset);

  return object;
}

static const char *
outcome_to_string (ForeOutcome outcome)
{
  switch (outcome)
    {
    case FORE_OUTCOME_COMPLETED:
      return "completed";
    case FORE_OUTCOME_FAILED:
      return "failed";
    case FORE_OUTCOME_UNFINISHED:
    default:
      return "unfinished";
    }
}

/**
 * fore_ctl_json_summary:
 * @summary: what a decoder concluded
 *
 * Returns: (transfer full): {outcome, cause, final_text, usage, session, model, errors, turns}
 */
JsonObject *
fore_ctl_json_summary (const ForeSummary *summary)
{
  JsonObject *object = json_object_new ();

  fore_ctl_json_set_text (object, "outcome", outcome_to_string (summary->outcome));
  if (summary->cause != FORE_CAUSE_NONE)
    fore_ctl_json_set_text (object, "cause", fore_cause_to_string (summary->cause));
  fore_ctl_json_set_text (object, "final_text", summary->final_text);
  json_object_set_object_member (object, "usage", fore_ctl_json_usage (&summary->usage));
  fore_ctl_json_set_text (object, "session", summary->session);
  fore_ctl_json_set_text (object, "model", summary->model);
  json_object_set_array_member (object, "errors", fore_ctl_json_texts (summary->errors));
  json_object_set_int_member (object, "turns", summary->turns);

  return object;
}

static JsonArray *
lines_to_json (const GArray *lines)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < lines->len; i++)
    {
      const ForeDiffLine *line = &g_array_index (lines, ForeDiffLine, i);
      JsonObject *object = json_object_new ();
      const char origin[] = { line->origin, '\0' };

      fore_ctl_json_set_text (object, "origin", origin);
      fore_ctl_json_set_positive (object, "old", line->old_line);
      fore_ctl_json_set_positive (object, "new", line->new_line);
      fore_ctl_json_set_text (object, "text", line->text);
      if (line->no_newline)
        json_object_set_boolean_member (object, "no_newline", TRUE);
      json_array_add_object_element (array, object);
    }

  return array;
}

static JsonArray *
hunks_to_json (GPtrArray *hunks)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; hunks != NULL && i < hunks->len; i++)
    {
      const ForeDiffHunk *hunk = hunks->pdata[i];
      JsonObject *object = json_object_new ();

      json_object_set_int_member (object, "old_start", hunk->old_start);
      json_object_set_int_member (object, "old_lines", hunk->old_lines);
      json_object_set_int_member (object, "new_start", hunk->new_start);
      json_object_set_int_member (object, "new_lines", hunk->new_lines);
      fore_ctl_json_set_text (object, "header", hunk->header);
      json_object_set_array_member (object, "lines", lines_to_json (hunk->lines));
      json_array_add_object_element (array, object);
    }

  return array;
}

static const char *
get_status_letter (ForeFileStatus status)
{
  switch (status)
    {
    case FORE_FILE_ADDED:
      return "A";
    case FORE_FILE_DELETED:
      return "D";
    case FORE_FILE_RENAMED:
      return "R";
    case FORE_FILE_TYPE_CHANGED:
      return "T";
    case FORE_FILE_MODIFIED:
    default:
      return "M";
    }
}

static JsonObject *
diff_file_to_json (const ForeDiffFile *file, gboolean with_hunks)
{
  const ForeFileChange *change = file->change;
  JsonObject *object = json_object_new ();

  fore_ctl_json_set_text (object, "path", change->path);
  fore_ctl_json_set_text (object, "old_path", change->old_path);
  fore_ctl_json_set_text (object, "status", get_status_letter (change->status));
  if (!change->binary && !change->too_large)
    {
      json_object_set_int_member (object, "insertions", change->insertions);
      json_object_set_int_member (object, "deletions", change->deletions);
    }
  json_object_set_boolean_member (object, "binary", change->binary);
  if (change->too_large)
    json_object_set_boolean_member (object, "too_large", TRUE);
  if (with_hunks)
    json_object_set_array_member (object, "hunks", hunks_to_json (file->hunks));

  return object;
}

/**
 * fore_ctl_json_diff:
 * @diff: a difference
 * @with_hunks: whether to include what changed in the files
 *
 * Returns: (transfer full): {files, insertions, deletions, truncated}
 */
JsonObject *
fore_ctl_json_diff (const ForeDiff *diff, gboolean with_hunks)
{
  JsonObject *object = json_object_new ();
  JsonArray *files = json_array_new ();

  for (guint i = 0; i < diff->files->len; i++)
    json_array_add_object_element (files, diff_file_to_json (diff->files->pdata[i], with_hunks));

  json_object_set_array_member (object, "files", files);
  json_object_set_int_member (object, "insertions", diff->insertions);
  json_object_set_int_member (object, "deletions", diff->deletions);
  json_object_set_boolean_member (object, "truncated", diff->truncated);

  return object;
}
