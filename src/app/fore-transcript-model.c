/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-transcript-model.h"

#include "app/fore-format.h"
#include "app/fore-transcript-item.h"
#include "engine/fore-transcript.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _ForeTranscriptModel
{
  GObject parent_instance;

  ForeTranscript *transcript;
  GListStore *items;
  GHashTable *by_id;
  gboolean ended;
};

G_DEFINE_FINAL_TYPE (ForeTranscriptModel, fore_transcript_model, G_TYPE_OBJECT)

enum
{
  ENDED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static ForeTranscriptKind
kind_of (const ForeEntry *entry)
{
  switch (entry->kind)
    {
    case FORE_ENTRY_TEXT:
      return FORE_TRANSCRIPT_TEXT;
    case FORE_ENTRY_THINKING:
      return FORE_TRANSCRIPT_THINKING;
    case FORE_ENTRY_TOOL:
      return FORE_TRANSCRIPT_TOOL;
    case FORE_ENTRY_PLAN:
      return FORE_TRANSCRIPT_PLAN;
    case FORE_ENTRY_PERMISSION:
      return FORE_TRANSCRIPT_PERMISSION;
    case FORE_ENTRY_PROMPT:
      return FORE_TRANSCRIPT_PERSON;
    case FORE_ENTRY_ERROR:
      return FORE_TRANSCRIPT_ERROR;
    case FORE_ENTRY_RESULT:
      return FORE_TRANSCRIPT_RESULT;
    default:
      return FORE_TRANSCRIPT_NOTICE;
    }
}

static gboolean
has_word (const char *name, const char *words)
{
  g_auto (GStrv) list = g_strsplit (words, " ", -1);
  g_autofree char *folded = name != NULL ? g_ascii_strdown (name, -1) : NULL;

  for (guint i = 0; folded != NULL && list[i] != NULL; i++)
    {
      if (strstr (folded, list[i]) != NULL)
        return TRUE;
    }

  return FALSE;
}

static const char *
tool_icon (const char *name)
{
  if (has_word (name, "grep find search glob"))
    return "fore-search-symbolic";
  if (has_word (name, "edit write patch"))
    return "fore-edit-symbolic";
  if (has_word (name, "bash shell exec command terminal"))
    return "fore-terminal-symbolic";
  if (has_word (name, "fetch web http"))
    return "fore-network-symbolic";
  if (has_word (name, "read cat view ls"))
    return "fore-file-symbolic";

  return "fore-tool-symbolic";
}

static char *
tool_detail (const ForeEntry *entry)
{
  g_autofree char *span = entry->ms >= 0 ? fore_format_span (entry->ms * 1000) : NULL;

  if (entry->state == FORE_ENTRY_RUNNING)
    return g_strdup (_ ("running"));
  if (entry->exit_code > 0 && span != NULL)
    return g_strdup_printf (_ ("exit %d · %s"), entry->exit_code, span);
  if (entry->exit_code > 0)
    return g_strdup_printf (_ ("exit %d"), entry->exit_code);
  if (entry->state == FORE_ENTRY_FAILED)
    return g_strdup (_ ("failed"));

  return g_steal_pointer (&span);
}

static char *
tool_body (const ForeEntry *entry)
{
  gboolean input = entry->input != NULL && strcmp (entry->input, "{}") != 0;

  if (input && entry->text != NULL && *entry->text != 0)
    return g_strdup_printf ("%s\n\n%s", entry->input, entry->text);

  return g_strdup (input ? entry->input : entry->text);
}

static void
update_tool (ForeTranscriptItem *item, const ForeEntry *entry, gboolean fresh)
{
  g_autofree char *detail = tool_detail (entry);
  const char *old = fore_transcript_item_get_body (item);

  if (entry->title != NULL)
    fore_transcript_item_set_summary (item, entry->title);
  fore_transcript_item_set_detail (item, detail);
  fore_transcript_item_set_icon_name (item, tool_icon (entry->name));
  if (entry->append && !fresh)
    {
      g_autofree char *body = g_strconcat (old != NULL ? old : "", entry->text, NULL);

      fore_transcript_item_set_body (item, body);
    }
  else
    {
      g_autofree char *body = tool_body (entry);

      if (body != NULL)
        fore_transcript_item_set_body (item, body);
    }
  fore_transcript_item_set_live (item, entry->state == FORE_ENTRY_RUNNING);
  fore_transcript_item_set_outcome (item, entry->state == FORE_ENTRY_FAILED || entry->exit_code > 0
                                              ? FORE_TRANSCRIPT_OUTCOME_FAILED
                                          : entry->state == FORE_ENTRY_RUNNING
                                              ? FORE_TRANSCRIPT_OUTCOME_NONE
                                              : FORE_TRANSCRIPT_OUTCOME_OK);
}

static void
update_text (ForeTranscriptItem *item, const ForeEntry *entry, gboolean fresh)
{
  const char *old = fore_transcript_item_get_text (item);

  if (entry->append && !fresh && old != NULL)
    {
      g_autofree char *text = g_strconcat (old, entry->text, NULL);

      fore_transcript_item_set_text (item, text);
    }
  else if (entry->text != NULL || fresh)
    fore_transcript_item_set_text (item, entry->text != NULL ? entry->text : entry->title);
  if (entry->kind == FORE_ENTRY_RESULT && entry->state == FORE_ENTRY_FAILED)
    {
      fore_transcript_item_set_outcome (item, FORE_TRANSCRIPT_OUTCOME_FAILED);
      fore_transcript_item_set_icon_name (item, "fore-failed-symbolic");
    }
  fore_transcript_item_set_live (item, entry->state == FORE_ENTRY_RUNNING);
}

/* What programs print is shown as they laid it out, and not folded away: it is all they say. */
static gboolean
is_printed (const ForeEntry *entry)
{
  return (entry->kind == FORE_ENTRY_TEXT && g_strcmp0 (entry->name, "stdout") == 0)
         || (entry->kind == FORE_ENTRY_RAW && g_strcmp0 (entry->name, "stderr") == 0);
}

static void
update_printed (ForeTranscriptItem *item, const ForeEntry *entry)
{
  const char *old = fore_transcript_item_get_body (item);
  g_autofree char *body = NULL;

  if (entry->text != NULL && *entry->text != '\0')
    {
      body = g_strconcat (old != NULL ? old : "", entry->text, NULL);
      fore_transcript_item_set_body (item, body);
    }
  fore_transcript_item_set_live (item, entry->state == FORE_ENTRY_RUNNING);
}

static ForeTranscriptItem *
new_printed (const ForeEntry *entry)
{
  gboolean error = entry->kind == FORE_ENTRY_RAW;
  ForeTranscriptItem *item = fore_transcript_item_new_tool (
      error ? _ ("Error output") : _ ("Output"), NULL, NULL);

  fore_transcript_item_set_icon_name (item, "fore-terminal-symbolic");
  fore_transcript_item_set_expanded (item, TRUE);
  update_printed (item, entry);

  return item;
}

static gboolean
is_shown (const ForeEntry *entry)
{
  if (entry->kind == FORE_ENTRY_USAGE || entry->kind == FORE_ENTRY_SESSION)
    return FALSE;
  if (entry->kind == FORE_ENTRY_TOOL)
    return TRUE;

  return (entry->text != NULL && *entry->text != 0) || entry->title != NULL || entry->id != NULL;
}

static ForeTranscriptItem *
new_item (const ForeEntry *entry)
{
  ForeTranscriptItem *item;

  if (entry->kind == FORE_ENTRY_TOOL)
    {
      item = fore_transcript_item_new_tool (entry->name != NULL ? entry->name : _ ("tool"),
                                            entry->title, NULL);
      update_tool (item, entry, TRUE);
      return item;
    }
  if (is_printed (entry))
    return new_printed (entry);

  item = fore_transcript_item_new (kind_of (entry), NULL);
  update_text (item, entry, TRUE);

  return item;
}

static void
take_entry (ForeTranscriptModel *self, const ForeEntry *entry, GPtrArray *fresh)
{
  ForeTranscriptItem *item = entry->id != NULL ? g_hash_table_lookup (self->by_id, entry->id)
                                               : NULL;

  if (item != NULL && entry->kind == FORE_ENTRY_TOOL)
    update_tool (item, entry, FALSE);
  else if (item != NULL && is_printed (entry))
    update_printed (item, entry);
  else if (item != NULL)
    update_text (item, entry, FALSE);
  if (item != NULL || !is_shown (entry))
    return;

  item = new_item (entry);
  g_ptr_array_add (fresh, item);
  if (entry->id != NULL)
    g_hash_table_insert (self->by_id, g_strdup (entry->id), g_object_ref (item));
}

static void
entries_cb (ForeTranscript *transcript, GPtrArray *entries, ForeTranscriptModel *self)
{
  g_autoptr (GPtrArray) fresh = g_ptr_array_new_with_free_func (g_object_unref);

  g_assert (FORE_IS_TRANSCRIPT_MODEL (self));

  for (guint i = 0; i < entries->len; i++)
    take_entry (self, g_ptr_array_index (entries, i), fresh);
  if (fresh->len > 0)
    g_list_store_splice (self->items, g_list_model_get_n_items (G_LIST_MODEL (self->items)), 0,
                         fresh->pdata, fresh->len);
}

static void
ended_cb (ForeTranscript *transcript, ForeTranscriptModel *self)
{
  self->ended = TRUE;
  g_signal_emit (self, signals[ENDED], 0);
}

static void
fore_transcript_model_dispose (GObject *object)
{
  ForeTranscriptModel *self = FORE_TRANSCRIPT_MODEL (object);

  fore_transcript_model_stop (self);
  g_clear_object (&self->items);
  g_clear_pointer (&self->by_id, g_hash_table_unref);

  G_OBJECT_CLASS (fore_transcript_model_parent_class)->dispose (object);
}

static void
fore_transcript_model_class_init (ForeTranscriptModelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fore_transcript_model_dispose;

  signals[ENDED] = g_signal_new ("ended", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
fore_transcript_model_init (ForeTranscriptModel *self)
{
  self->items = g_list_store_new (FORE_TYPE_TRANSCRIPT_ITEM);
  self->by_id = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
}

/**
 * fore_transcript_model_new:
 * @store: the store
 * @run_id: id of a run
 * @task: key of one of its tasks
 * @attempt: number of the attempt, from 1
 *
 * Returns: (transfer full): its transcript, empty until it is started
 */
ForeTranscriptModel *
fore_transcript_model_new (ForeStore *store, const char *run_id, const char *task, guint attempt)
{
  ForeTranscriptModel *self;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL && task != NULL, NULL);

  self = g_object_new (FORE_TYPE_TRANSCRIPT_MODEL, NULL);
  self->transcript = fore_transcript_new (store, run_id, task, attempt);
  g_signal_connect_object (self->transcript, "entries", G_CALLBACK (entries_cb), self, 0);
  g_signal_connect_object (self->transcript, "ended", G_CALLBACK (ended_cb), self, 0);

  return self;
}

/**
 * fore_transcript_model_start:
 * @self: a transcript model
 *
 * Begins to read the capture.
 */
void
fore_transcript_model_start (ForeTranscriptModel *self)
{
  g_return_if_fail (FORE_IS_TRANSCRIPT_MODEL (self));

  fore_transcript_start (self->transcript);
}

/**
 * fore_transcript_model_stop:
 * @self: a transcript model
 *
 * Ends reading; it cannot be started again.
 */
void
fore_transcript_model_stop (ForeTranscriptModel *self)
{
  g_return_if_fail (FORE_IS_TRANSCRIPT_MODEL (self));

  if (self->transcript == NULL)
    return;

  g_signal_handlers_disconnect_by_data (self->transcript, self);
  fore_transcript_stop (self->transcript);
  g_clear_object (&self->transcript);
}

/**
 * fore_transcript_model_get_items:
 * @self: a transcript model
 *
 * Returns: (transfer none): list of #ForeTranscriptItem
 */
GListModel *
fore_transcript_model_get_items (ForeTranscriptModel *self)
{
  g_return_val_if_fail (FORE_IS_TRANSCRIPT_MODEL (self), NULL);

  return G_LIST_MODEL (self->items);
}

/**
 * fore_transcript_model_has_ended:
 * @self: a transcript model
 *
 * Returns: whether nothing will be added any more
 */
gboolean
fore_transcript_model_has_ended (ForeTranscriptModel *self)
{
  g_return_val_if_fail (FORE_IS_TRANSCRIPT_MODEL (self), TRUE);

  return self->ended;
}

/**
 * fore_transcript_model_dup_plain:
 * @self: a transcript model
 *
 * Returns: (transfer full): the whole transcript as plain text, for the clipboard
 */
char *
fore_transcript_model_dup_plain (ForeTranscriptModel *self)
{
  GString *text = g_string_new (NULL);
  guint n;

  g_return_val_if_fail (FORE_IS_TRANSCRIPT_MODEL (self), NULL);

  n = g_list_model_get_n_items (G_LIST_MODEL (self->items));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeTranscriptItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);
      g_autofree char *plain = fore_transcript_item_dup_plain (item);

      g_string_append_printf (text, "%s\n\n", plain);
    }

  return g_string_free (text, FALSE);
}
