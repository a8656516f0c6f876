/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-decoder-private.h"

#include "text/fore-json.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define RAW_KEPT (64 * 1024)
#define MAX_TOOLS 4096
#define MAX_ERRORS 100
#define MAX_USAGES 100000

gboolean
fore_decoder_read_line (ForeDecoder *decoder,
                        const char *line,
                        gsize length,
                        const char *const *names,
                        guint n_names,
                        ForeJsonSlice *values)
{
  if (fore_json_slice_read_members (line, length, FORE_JSON_MAX_DEPTH, names, n_names, values))
    return TRUE;

  if (length == 0 || line[0] != '{' || g_utf8_validate_len (line, length, NULL))
    return FALSE;

  g_free (decoder->repaired);
  decoder->repaired = fore_text_make_valid (line, length);

  return fore_json_slice_read_members (decoder->repaired, strlen (decoder->repaired),
                                       FORE_JSON_MAX_DEPTH, names, n_names, values);
}

void
fore_decoder_emit (ForeDecoder *decoder, ForeEntry *entry)
{
  entry->offset = decoder->offset;
  decoder->func (entry, decoder->user_data);
}

/* For what happens between two pieces of the stream: it comes out before the next one. */
void
fore_decoder_queue (ForeDecoder *decoder, const ForeEntry *entry)
{
  g_ptr_array_add (decoder->queued, fore_entry_copy (entry));
}

void
fore_decoder_emit_raw (
    ForeDecoder *decoder, const char *name, const char *line, gsize length, gboolean truncated)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_RAW);
  g_autofree char *text = fore_text_make_valid (line, MIN (length, RAW_KEPT));
  g_autofree char *id = g_strdup_printf ("raw-%" G_GINT64_FORMAT, decoder->offset);

  entry.id = id;
  entry.name = (char *) name;
  entry.title = truncated || length > RAW_KEPT ? (char *) "long line" : NULL;
  entry.text = text;
  fore_decoder_emit (decoder, &entry);
}

void
fore_decoder_emit_notice (
    ForeDecoder *decoder, const char *id, const char *name, const char *title, const char *text)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_NOTICE);
  g_autofree char *own_id = NULL;

  if (id == NULL)
    id = own_id = g_strdup_printf ("notice-%" G_GINT64_FORMAT, decoder->offset);

  entry.id = (char *) id;
  entry.name = (char *) name;
  entry.title = (char *) title;
  entry.text = (char *) text;
  fore_decoder_emit (decoder, &entry);
}

void
fore_decoder_emit_text (ForeDecoder *decoder,
                        ForeEntryKind kind,
                        const char *id,
                        const char *parent,
                        const char *text,
                        gboolean append)
{
  ForeEntry entry = FORE_ENTRY_INIT (kind);

  entry.id = (char *) id;
  entry.parent = (char *) parent;
  entry.text = (char *) text;
  entry.append = append;
  entry.state = append ? FORE_ENTRY_RUNNING : FORE_ENTRY_DONE;
  if (kind == FORE_ENTRY_TEXT && text != NULL && text[0] != '\0')
    decoder->summary.answered = TRUE;
  fore_decoder_emit (decoder, &entry);
}

/* A text that came in pieces is whole now. */
void
fore_decoder_end_text (ForeDecoder *decoder, ForeEntryKind kind, const char *id)
{
  ForeEntry entry = FORE_ENTRY_INIT (kind);

  entry.id = (char *) id;
  entry.text = (char *) "";
  entry.append = TRUE;
  fore_decoder_emit (decoder, &entry);
}

/* The terminal event says again what the last error said. */
static void
add_error (ForeDecoder *decoder, const char *message)
{
  GPtrArray *errors = decoder->summary.errors;
  char *kept;

  if (message == NULL || errors->len >= MAX_ERRORS)
    return;

  kept = fore_text_shorten (message, 2000);
  if (errors->len > 0 && strcmp (g_ptr_array_index (errors, errors->len - 1), kept) == 0)
    g_free (kept);
  else
    g_ptr_array_add (errors, kept);
}

/* An error after which the agent may still go on. */
void
fore_decoder_emit_error (ForeDecoder *decoder, ForeCause cause, const char *message)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_ERROR);
  g_autofree char *id = g_strdup_printf ("error-%" G_GINT64_FORMAT, decoder->offset);

  entry.id = id;
  entry.state = FORE_ENTRY_FAILED;
  entry.name = (char *) fore_cause_to_string (cause);
  entry.text = (char *) message;
  decoder->summary.cause = cause;
  add_error (decoder, message);
  fore_decoder_emit (decoder, &entry);
}

void
fore_decoder_emit_usage (ForeDecoder *decoder)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_USAGE);

  entry.id = (char *) "usage";
  entry.usage = decoder->summary.usage;
  fore_decoder_emit (decoder, &entry);
}

void
fore_decoder_emit_result (ForeDecoder *decoder)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_RESULT);
  const ForeSummary *summary = &decoder->summary;

  entry.id = (char *) "result";
  entry.usage = summary->usage;
  if (summary->outcome == FORE_OUTCOME_FAILED)
    {
      entry.state = FORE_ENTRY_FAILED;
      entry.name = (char *) fore_cause_to_string (summary->cause);
      if (summary->errors->len > 0)
        entry.title = g_ptr_array_index (summary->errors, summary->errors->len - 1);
    }
  fore_decoder_emit (decoder, &entry);
}

static void
inherit (char **field, const char *earlier, char **owned)
{
  if (*field == NULL && earlier != NULL)
    *field = *owned = g_strdup (earlier);
}

static void
remember_tool (ForeDecoder *decoder, const ForeEntry *entry)
{
  ForeEntry *kept;

  if (entry->state != FORE_ENTRY_RUNNING)
    {
      g_hash_table_remove (decoder->tools, entry->id);
    }
  else if (g_hash_table_size (decoder->tools) < MAX_TOOLS
           || g_hash_table_contains (decoder->tools, entry->id))
    {
      kept = fore_entry_copy (entry);
      g_hash_table_replace (decoder->tools, kept->id, kept);
    }

  decoder->summary.tools_running = g_hash_table_size (decoder->tools);
}

void
fore_decoder_emit_tool (ForeDecoder *decoder, ForeEntry *entry)
{
  const ForeEntry *earlier;
  g_autofree char *name = NULL;
  g_autofree char *title = NULL;
  g_autofree char *input = NULL;
  g_autofree char *parent = NULL;
  g_autofree char *text = NULL;
  ForeEntry whole = *entry;

  g_assert (entry->id != NULL);

  earlier = fore_decoder_find_tool (decoder, entry->id);
  if (earlier != NULL)
    {
      inherit (&whole.name, earlier->name, &name);
      inherit (&whole.title, earlier->title, &title);
      inherit (&whole.input, earlier->input, &input);
      inherit (&whole.parent, earlier->parent, &parent);
      inherit (&whole.text, earlier->text, &text);
    }

  decoder->summary.answered = TRUE;
  remember_tool (decoder, &whole);
  fore_decoder_emit (decoder, &whole);
  if (whole.state != FORE_ENTRY_RUNNING)
    fore_decoder_close_asked_of_tool (decoder, whole.id);
}

const ForeEntry *
fore_decoder_find_tool (ForeDecoder *decoder, const char *id)
{
  return g_hash_table_lookup (decoder->tools, id);
}

/* A tool whose end never came did not end well. */
void
fore_decoder_fail_open_tools (ForeDecoder *decoder)
{
  g_autoptr (GList) ids = g_list_sort (g_hash_table_get_keys (decoder->tools),
                                       (GCompareFunc) strcmp);

  for (GList *l = ids; l != NULL; l = l->next)
    {
      g_autoptr (ForeEntry) entry = fore_entry_copy (g_hash_table_lookup (decoder->tools, l->data));

      entry->state = FORE_ENTRY_FAILED;
      fore_decoder_emit_tool (decoder, entry);
    }
}

/* One line about what a tool is called with: the argument that says most. */
char *
fore_decoder_describe_input (const ForeJsonSlice *input)
{
  static const char *const names[] = { "command", "file_path",   "path",    "pattern", "query",
                                       "url",     "description", "subject", "prompt" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];

  fore_json_slice_get_members (input, names, G_N_ELEMENTS (names), values);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *text = fore_json_slice_dup_string (&values[i]);

      if (text != NULL && text[0] != '\0')
        return fore_text_first_line (text, 160);
    }

  return NULL;
}

void
fore_decoder_take_final_text (ForeDecoder *decoder, char *text)
{
  if (text != NULL && text[0] == '\0')
    g_clear_pointer (&text, g_free);
  if (text != NULL)
    decoder->summary.answered = TRUE;

  g_free (decoder->summary.final_text);
  decoder->summary.final_text = text;
}

void
fore_decoder_take_session (ForeDecoder *decoder, char *session)
{
  if (session == NULL)
    return;

  g_free (decoder->summary.session);
  decoder->summary.session = session;
}

void
fore_decoder_take_model (ForeDecoder *decoder, char *model)
{
  if (model == NULL)
    return;

  g_free (decoder->summary.model);
  decoder->summary.model = model;
}

void
fore_decoder_take_mode (ForeDecoder *decoder, char *mode)
{
  if (mode == NULL)
    return;

  g_free (decoder->summary.mode);
  decoder->summary.mode = mode;
}

/* What a CLI says of its rate limits; the time is in seconds since 1970, or 0 if it is not known.
 */
void
fore_decoder_take_limit (ForeDecoder *decoder, gboolean reached, gint64 reset_seconds)
{
  ForeSummary *summary = &decoder->summary;
  gint64 reset = reset_seconds > 0 && reset_seconds < G_MAXINT64 / G_USEC_PER_SEC
                     ? reset_seconds * G_USEC_PER_SEC
                     : 0;
  g_autoptr (GDateTime) time = NULL;
  g_autofree char *text = NULL;

  if (reached && (!summary->limit_reached || summary->limit_reset != reset))
    {
      time = reset > 0 ? g_date_time_new_from_unix_utc (reset_seconds) : NULL;
      text = time != NULL ? g_date_time_format_iso8601 (time) : NULL;
      fore_decoder_emit_notice (decoder, "rate-limit", "rate-limit", _ ("Rate limit reached"),
                                text);
    }
  summary->limit_reached = reached;
  summary->limit_reset = reset;
}

/* The terminal event came and says that all went well. */
void
fore_decoder_complete (ForeDecoder *decoder)
{
  decoder->summary.outcome = FORE_OUTCOME_COMPLETED;
  decoder->summary.cause = FORE_CAUSE_NONE;
  decoder->summary.settled = TRUE;
}

/* The terminal event came and says that it failed. */
void
fore_decoder_fail (ForeDecoder *decoder, ForeCause cause, const char *message)
{
  decoder->summary.outcome = FORE_OUTCOME_FAILED;
  decoder->summary.cause = cause;
  decoder->summary.settled = TRUE;
  add_error (decoder, message);
}

/* What looked like the end was none: the agent goes on. */
void
fore_decoder_reopen (ForeDecoder *decoder)
{
  decoder->summary.outcome = FORE_OUTCOME_UNFINISHED;
  decoder->summary.settled = FALSE;
}

static void
add_difference (gint64 *total, gint64 earlier, gint64 now)
{
  if (now < 0 || now <= earlier)
    return;

  now -= MAX (earlier, 0);
  *total = MAX (*total, 0);
  *total = *total > G_MAXINT64 - now ? G_MAXINT64 : *total + now;
}

/* Counts the usage of a message once, however often and in however many steps it is reported. */
void
fore_decoder_set_message_usage (ForeDecoder *decoder, const char *key, const ForeUsage *usage)
{
  ForeUsage *total = &decoder->summary.usage;
  ForeUsage *known = g_hash_table_lookup (decoder->usages, key);

  if (known == NULL)
    {
      if (g_hash_table_size (decoder->usages) >= MAX_USAGES)
        return;
      known = g_new (ForeUsage, 1);
      *known = FORE_USAGE_INIT;
      g_hash_table_insert (decoder->usages, g_strdup (key), known);
    }

  add_difference (&total->input, known->input, usage->input);
  add_difference (&total->output, known->output, usage->output);
  add_difference (&total->cache_read, known->cache_read, usage->cache_read);
  add_difference (&total->cache_write, known->cache_write, usage->cache_write);
  add_difference (&total->cost, known->cost, usage->cost);
  fore_usage_raise (known, usage);
}

/* Millionths of a dollar; unknown for what is no amount. */
gint64
fore_decoder_cost_from_dollars (double dollars)
{
  if (!(dollars >= 0))
    return FORE_USAGE_UNKNOWN;
  if (dollars > 1e9)
    return (gint64) 1e15;

  return (gint64) llround (dollars * 1e6);
}

void
fore_decoder_send (ForeDecoder *decoder, const char *line)
{
  g_byte_array_append (decoder->outbox, (const guint8 *) line, strlen (line));
  g_byte_array_append (decoder->outbox, (const guint8 *) "\n", 1);
}

/* A string as JSON writes it, quotes and all. */
char *
fore_decoder_quote (const char *text)
{
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), text != NULL ? text : "");

  return fore_json_to_string (node, FALSE);
}

/* What opens a conversation with a CLI that was told by its command line which one it is. */
const char *
fore_decoder_choose_prompt (const ForeSessionStart *start)
{
  return start->session != NULL && start->again != NULL ? start->again : start->prompt;
}

void
fore_decoder_note_taken_up (ForeDecoder *decoder)
{
  decoder->summary.taken_up = FORE_TAKEN_UP;
}

/* What another session used is no part of this one's totals. */
void
fore_decoder_note_begun_anew (ForeDecoder *decoder, const char *reason)
{
  g_hash_table_remove (decoder->usages, FORE_DECODER_SESSION);
  decoder->summary.taken_up = FORE_TAKEN_UP_ANEW;
  decoder->summary.anew_reason = g_strdup (reason);
}
