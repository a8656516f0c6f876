/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-request.h"
#include "model/fore-usage.h"

#include <glib.h>

G_BEGIN_DECLS

/* A notice of this name turns to whoever supervises the agent; its title is the reason. */
#define FORE_CONTACT_NAME "supervisor-contact"
#define FORE_CONTACT_PREFIX "contact-"

typedef enum
{
  FORE_ENTRY_SESSION,
  FORE_ENTRY_TEXT,
  FORE_ENTRY_THINKING,
  FORE_ENTRY_TOOL,
  FORE_ENTRY_PLAN,
  FORE_ENTRY_PERMISSION,
  FORE_ENTRY_PROMPT,
  FORE_ENTRY_NOTICE,
  FORE_ENTRY_ERROR,
  FORE_ENTRY_USAGE,
  FORE_ENTRY_RESULT,
  FORE_ENTRY_RAW,
  FORE_N_ENTRY_KINDS
} ForeEntryKind;

typedef enum
{
  FORE_ENTRY_DONE,
  FORE_ENTRY_RUNNING,
  FORE_ENTRY_FAILED,
  FORE_N_ENTRY_STATES
} ForeEntryState;

/**
 * ForeEntry:
 * @id: (nullable): stable id: a later entry with the same id replaces (upserts) the earlier one
 * @kind: what it is
 * @state: running entries will come again under the same id
 * @append: @text is added to the text of the entry with the same id instead of replacing it
 * @parent: (nullable): id of the tool call (sub-agent) that it belongs to
 * @name: (nullable): tool's name; option of a plan; title of a notice
 * @title: (nullable): one line about it: tool's argument summary
 * @text: (nullable): its text; output of a tool
 * @input: (nullable): a tool's input as JSON
 * @exit_code: exit code of a tool, or -1
 * @ms: how long it took, or -1
 * @usage: for usage entries
 * @options: (nullable) (element-type ForeRequestOption): for permission entries, as sent
 * @offset: where in the capture it (last) came from
 *
 * One thing that an agent did or said, whatever its CLI.
 */
typedef struct
{
  char *id;
  ForeEntryKind kind;
  ForeEntryState state;
  gboolean append;
  char *parent;
  char *name;
  char *title;
  char *text;
  char *input;
  int exit_code;
  gint64 ms;
  ForeUsage usage;
  GPtrArray *options;
  gint64 offset;
} ForeEntry;

#define FORE_ENTRY_INIT(what)                                                                      \
  ((ForeEntry){ .kind = (what), .exit_code = -1, .ms = -1, .usage = FORE_USAGE_INIT, .offset = -1 })

ForeEntry *fore_entry_new (ForeEntryKind kind, const char *id);
ForeEntry *fore_entry_copy (const ForeEntry *entry);
void fore_entry_free (ForeEntry *entry);
const char *fore_entry_kind_to_string (ForeEntryKind kind);
const char *fore_entry_state_to_string (ForeEntryState state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeEntry, fore_entry_free)

G_END_DECLS
