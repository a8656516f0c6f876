/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-transcript-item.h"

#include <string.h>

struct _ForeTranscriptItem
{
  GObject parent_instance;

  ForeTranscriptKind kind;
  ForeTranscriptOutcome outcome;
  char *text;
  char *name;
  char *summary;
  char *detail;
  char *body;
  char *icon_name;
  ForeDiffDoc *diff;
  gboolean live;
  gboolean expanded;
};

G_DEFINE_FINAL_TYPE (ForeTranscriptItem, fore_transcript_item, G_TYPE_OBJECT)

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static const char *const kind_icons[FORE_N_TRANSCRIPT_KINDS] = {
  [FORE_TRANSCRIPT_TEXT] = "fore-message-symbolic",
  [FORE_TRANSCRIPT_PERSON] = "fore-person-symbolic",
  [FORE_TRANSCRIPT_THINKING] = "fore-thinking-symbolic",
  [FORE_TRANSCRIPT_TOOL] = "fore-tool-symbolic",
  [FORE_TRANSCRIPT_DIFF] = "fore-changes-symbolic",
  [FORE_TRANSCRIPT_NOTICE] = "fore-info-symbolic",
  [FORE_TRANSCRIPT_ERROR] = "fore-warning-symbolic",
  [FORE_TRANSCRIPT_PLAN] = "fore-plan-symbolic",
  [FORE_TRANSCRIPT_PERMISSION] = "fore-permission-symbolic",
  [FORE_TRANSCRIPT_RESULT] = "fore-result-symbolic",
};

/* Words in the names that agent programs give their tools. */
static const struct
{
  const char *word;
  const char *icon_name;
} tool_icons[] = {
  { "bash", "fore-terminal-symbolic" },     { "shell", "fore-terminal-symbolic" },
  { "exec", "fore-terminal-symbolic" },     { "command", "fore-terminal-symbolic" },
  { "terminal", "fore-terminal-symbolic" }, { "run", "fore-terminal-symbolic" },
  { "edit", "fore-edit-symbolic" },         { "write", "fore-edit-symbolic" },
  { "patch", "fore-edit-symbolic" },        { "grep", "fore-search-symbolic" },
  { "search", "fore-search-symbolic" },     { "find", "fore-search-symbolic" },
  { "glob", "fore-search-symbolic" },       { "read", "fore-file-symbolic" },
  { "cat", "fore-file-symbolic" },          { "view", "fore-file-symbolic" },
  { "ls", "fore-folder-symbolic" },         { "list", "fore-folder-symbolic" },
  { "fetch", "fore-network-symbolic" },     { "web", "fore-network-symbolic" },
  { "task", "fore-agent-symbolic" },        { "agent", "fore-agent-symbolic" },
  { "todo", "fore-plan-symbolic" },         { "plan", "fore-plan-symbolic" },
};

static const char *
find_tool_icon (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (tool_icons); i++)
    if (strstr (lower, tool_icons[i].word) != NULL)
      return tool_icons[i].icon_name;

  return kind_icons[FORE_TRANSCRIPT_TOOL];
}

static void
set_string (ForeTranscriptItem *self, char **field, const char *value)
{
  if (g_strcmp0 (*field, value) == 0)
    return;

  g_free (*field);
  *field = g_strdup (value);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
fore_transcript_item_finalize (GObject *object)
{
  ForeTranscriptItem *self = FORE_TRANSCRIPT_ITEM (object);

  g_free (self->text);
  g_free (self->name);
  g_free (self->summary);
  g_free (self->detail);
  g_free (self->body);
  g_free (self->icon_name);
  g_clear_pointer (&self->diff, fore_diff_doc_unref);

  G_OBJECT_CLASS (fore_transcript_item_parent_class)->finalize (object);
}

static void
fore_transcript_item_class_init (ForeTranscriptItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_transcript_item_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
fore_transcript_item_init (ForeTranscriptItem *self)
{
}

/**
 * fore_transcript_item_new:
 * @kind: what it is
 * @text: (nullable): what it says; Markdown for %FORE_TRANSCRIPT_TEXT, else plain
 *
 * Returns: (transfer full): a new entry
 */
ForeTranscriptItem *
fore_transcript_item_new (ForeTranscriptKind kind, const char *text)
{
  ForeTranscriptItem *self;

  g_return_val_if_fail (kind < FORE_N_TRANSCRIPT_KINDS, NULL);

  self = g_object_new (FORE_TYPE_TRANSCRIPT_ITEM, NULL);
  self->kind = kind;
  self->text = g_strdup (text);

  return self;
}

/**
 * fore_transcript_item_new_tool:
 * @name: what the agent calls the tool
 * @summary: (nullable): its arguments in a few words
 * @detail: (nullable): what stands at the end of the row: duration, exit, lines changed
 *
 * Returns: (transfer full): a new entry for a tool call
 */
ForeTranscriptItem *
fore_transcript_item_new_tool (const char *name, const char *summary, const char *detail)
{
  ForeTranscriptItem *self;

  g_return_val_if_fail (name != NULL, NULL);

  self = fore_transcript_item_new (FORE_TRANSCRIPT_TOOL, NULL);
  self->name = g_strdup (name);
  self->summary = g_strdup (summary);
  self->detail = g_strdup (detail);

  return self;
}

ForeTranscriptKind
fore_transcript_item_get_kind (ForeTranscriptItem *self)
{
  g_return_val_if_fail (FORE_IS_TRANSCRIPT_ITEM (self), FORE_TRANSCRIPT_NOTICE);

  return self->kind;
}

const char *
fore_transcript_item_get_text (ForeTranscriptItem *self)
{
  g_return_val_if_fail (FORE_IS_TRANSCRIPT_ITEM (self), NULL);

  return self->text;
}

void
fore_transcript_item_set_text (ForeTranscriptItem *self, const char *text)
{
  g_return_if_fail (FORE_IS_TRANSCRIPT_ITEM (self));

  set_string (self, &self->text, text);
}

const char *
fore_transcript_item_get_name (ForeTranscriptItem *self)
{
  g_return_val_if_fail (FORE_IS_TRANSCRIPT_ITEM (self), NULL);

  return self->name;
}

const char *
fore_transcript_item_get_summary (ForeTranscriptItem *self)
{
  g_return_val_if_fail (FORE_IS_TRANSCRIPT_ITEM (self), NULL);

  return self->summary;
}

void
fore_transcript_item_set_summary (ForeTranscriptItem *self, const char *summary)
{
  g_return_if_fail (FORE_IS_TRANSCRIPT_ITEM (self));

  set_string (self, &self->summary, summary);
}

const char *
fore_transcript_item_get_detail (ForeTranscriptItem *self)
{
  g_return_val_if_fail (FORE_IS_TRANSCRIPT_ITEM (self), NULL);

  return self->detail;
}

void
fore_transcript_item_set_detail (ForeTranscriptItem *self, const char *detail)
{
  g_return_if_fail (FORE_IS_TRANSCRIPT_ITEM (self));

  set_string (self, &self->detail, detail);
}

const char *
fore_transcript_item_get_body (ForeTranscriptItem *self)
{
  g_return_val_if_fail (FORE_IS_TRANSCRIPT_ITEM (self), NULL);

  return self->body;
}

/**
 * fore_transcript_item_set_body:
 * @self: an entry
 * @body: (nullable): what is shown when the entry is unfolded: input and output of a tool
 */
void
fore_transcript_item_set_body (ForeTranscriptItem *self, const char *body)
{
  g_return_if_fail (FORE_IS_TRANSCRIPT_ITEM (self));

  set_string (self, &self->body, body);
}

/**
 * fore_transcript_item_get_icon_name:
 * @self: an entry
 *
 * Returns: (transfer none): the icon that was set, or one that fits kind and tool
 */
const char *
fore_transcript_item_get_icon_name (ForeTranscriptItem *self)
{
  g_return_val_if_fail (FORE_IS_TRANSCRIPT_ITEM (self), NULL);

  if (self->icon_name != NULL)
    return self->icon_name;
  if (self->kind == FORE_TRANSCRIPT_TOOL && self->name != NULL)
    return find_tool_icon (self->name);

  return kind_icons[self->kind];
}

void
fore_transcript_item_set_icon_name (ForeTranscriptItem *self, const char *icon_name)
{
  g_return_if_fail (FORE_IS_TRANSCRIPT_ITEM (self));

  set_string (self, &self->icon_name, icon_name);
}

gboolean
fore_transcript_item_get_live (ForeTranscriptItem *self)
{
  g_return_val_if_fail (FORE_IS_TRANSCRIPT_ITEM (self), FALSE);

  return self->live;
}

/**
 * fore_transcript_item_set_live:
 * @self: an entry
 * @live: whether it is still going on: a tool that runs, a text that grows
 */
void
fore_transcript_item_set_live (ForeTranscriptItem *self, gboolean live)
{
  g_return_if_fail (FORE_IS_TRANSCRIPT_ITEM (self));

  live = !!live;
  if (self->live == live)
    return;

  self->live = live;
  g_signal_emit (self, signals[CHANGED], 0);
}

ForeTranscriptOutcome
fore_transcript_item_get_outcome (ForeTranscriptItem *self)
{
  g_return_val_if_fail (FORE_IS_TRANSCRIPT_ITEM (self), FORE_TRANSCRIPT_OUTCOME_NONE);

  return self->outcome;
}

void
fore_transcript_item_set_outcome (ForeTranscriptItem *self, ForeTranscriptOutcome outcome)
{
  g_return_if_fail (FORE_IS_TRANSCRIPT_ITEM (self));

  if (self->outcome == outcome)
    return;

  self->outcome = outcome;
  g_signal_emit (self, signals[CHANGED], 0);
}

ForeDiffDoc *
fore_transcript_item_get_diff (ForeTranscriptItem *self)
{
  g_return_val_if_fail (FORE_IS_TRANSCRIPT_ITEM (self), NULL);

  return self->diff;
}

void
fore_transcript_item_set_diff (ForeTranscriptItem *self, ForeDiffDoc *diff)
{
  g_return_if_fail (FORE_IS_TRANSCRIPT_ITEM (self));

  if (self->diff == diff)
    return;

  if (diff != NULL)
    fore_diff_doc_ref (diff);
  g_clear_pointer (&self->diff, fore_diff_doc_unref);
  self->diff = diff;
  g_signal_emit (self, signals[CHANGED], 0);
}

gboolean
fore_transcript_item_get_expanded (ForeTranscriptItem *self)
{
  g_return_val_if_fail (FORE_IS_TRANSCRIPT_ITEM (self), FALSE);

  return self->expanded;
}

/**
 * fore_transcript_item_set_expanded:
 * @self: an entry
 * @expanded: whether its folded part is shown; kept here because rows come and go
 */
void
fore_transcript_item_set_expanded (ForeTranscriptItem *self, gboolean expanded)
{
  g_return_if_fail (FORE_IS_TRANSCRIPT_ITEM (self));

  expanded = !!expanded;
  if (self->expanded == expanded)
    return;

  self->expanded = expanded;
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
append_part (GString *text, const char *part, const char *before)
{
  if (part != NULL && *part != '\0')
    g_string_append_printf (text, "%s%s", text->len > 0 ? before : "", part);
}

/**
 * fore_transcript_item_dup_plain:
 * @self: an entry
 *
 * Returns: (transfer full): the whole entry as text, as for the clipboard or a screen reader
 */
char *
fore_transcript_item_dup_plain (ForeTranscriptItem *self)
{
  GString *text;

  g_return_val_if_fail (FORE_IS_TRANSCRIPT_ITEM (self), NULL);

  text = g_string_new (NULL);
  append_part (text, self->name, "");
  append_part (text, self->summary, " ");
  append_part (text, self->detail, ", ");
  append_part (text, self->text, "\n");
  append_part (text, self->body, "\n");

  return g_string_free (text, FALSE);
}
