/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-acp-decoder.h"
#include "agents/fore-adapter-private.h"
#include "agents/fore-decoder-private.h"
#include "agents/fore-error-text.h"
#include "model/fore-error.h"

#include <glib/gi18n-lib.h>

/* The scripted agent's own stream: session, text, thinking, tool, usage, limit, error and result,
 * one a line. A usage event says what one model call used.
 */
typedef struct
{
  ForeDecoder parent;
  GString *text;
  char *text_id;
  char *open_id;
  ForeEntryKind open_kind;
} DemoDecoder;

enum
{
  LINE_TYPE,
  LINE_ID,
  LINE_DELTA,
  LINE_TEXT,
  LINE_NAME,
  LINE_TITLE,
  LINE_INPUT,
  LINE_OUTPUT,
  LINE_STATE,
  LINE_EXIT,
  LINE_MS,
  LINE_MODEL,
  LINE_USAGE,
  LINE_STATUS,
  LINE_MESSAGE,
  LINE_RESET,
  N_LINE
};

static const char *const line_names[N_LINE] = {
  [LINE_TYPE] = "type",   [LINE_ID] = "id",         [LINE_DELTA] = "delta",
  [LINE_TEXT] = "text",   [LINE_NAME] = "name",     [LINE_TITLE] = "title",
  [LINE_INPUT] = "input", [LINE_OUTPUT] = "output", [LINE_STATE] = "state",
  [LINE_EXIT] = "exit",   [LINE_MS] = "ms",         [LINE_MODEL] = "model",
  [LINE_USAGE] = "usage", [LINE_STATUS] = "status", [LINE_MESSAGE] = "message",
  [LINE_RESET] = "reset",
};

static void
on_session (DemoDecoder *self, const ForeJsonSlice *line)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_SESSION);

  fore_decoder_take_session (&self->parent, fore_json_slice_dup_string (&line[LINE_ID]));
  fore_decoder_take_model (&self->parent, fore_json_slice_dup_string (&line[LINE_MODEL]));
  entry.id = (char *) "session";
  entry.name = (char *) "demo";
  entry.title = self->parent.summary.session;
  fore_decoder_emit (&self->parent, &entry);
}

/* The final text is the last text, whether it came whole or in pieces. */
static void
keep_text (DemoDecoder *self, const char *id, const char *text, gboolean append)
{
  if (!append || g_strcmp0 (self->text_id, id) != 0)
    {
      g_free (self->text_id);
      self->text_id = g_strdup (id);
      g_string_truncate (self->text, 0);
    }

  if (self->text->len < FORE_LINE_FOLD)
    g_string_append (self->text, text);
}

/* A text is whole when something else begins. */
static void
end_open_text (DemoDecoder *self)
{
  if (self->open_id == NULL)
    return;

  fore_decoder_end_text (&self->parent, self->open_kind, self->open_id);
  g_clear_pointer (&self->open_id, g_free);
}

static void
on_text (DemoDecoder *self, const ForeJsonSlice *line, ForeEntryKind kind)
{
  gboolean append = fore_json_slice_exists (&line[LINE_DELTA]);
  g_autofree char *text = fore_json_slice_dup_string (&line[append ? LINE_DELTA : LINE_TEXT]);
  g_autofree char *whole_id = NULL;
  const char *id = self->open_id;

  if (text == NULL || line[LINE_ID].kind != FORE_JSON_STRING)
    return;

  if (id == NULL || !fore_json_slice_equals (&line[LINE_ID], id))
    {
      end_open_text (self);
      id = whole_id = fore_json_slice_dup_string (&line[LINE_ID]);
    }

  if (kind == FORE_ENTRY_TEXT)
    keep_text (self, id, text, append);
  fore_decoder_emit_text (&self->parent, kind, id, NULL, text, append);
  if (append && self->open_id == NULL)
    {
      self->open_id = g_steal_pointer (&whole_id);
      self->open_kind = kind;
    }
}

static void
on_tool (DemoDecoder *self, const ForeJsonSlice *line)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_TOOL);
  g_autofree char *id = fore_json_slice_dup_string (&line[LINE_ID]);
  g_autofree char *name = fore_json_slice_dup_string (&line[LINE_NAME]);
  g_autofree char *title = fore_json_slice_dup_string (&line[LINE_TITLE]);
  g_autofree char *input = fore_json_slice_dup_json (&line[LINE_INPUT]);
  g_autofree char *text = fore_json_slice_dup_string (&line[LINE_OUTPUT]);

  if (id == NULL)
    return;

  entry.id = id;
  entry.name = name;
  entry.title = title;
  entry.input = input;
  entry.text = text;
  entry.exit_code = CLAMP (fore_json_slice_get_int (&line[LINE_EXIT], -1), -1, 255);
  entry.ms = fore_json_slice_get_int (&line[LINE_MS], -1);
  if (fore_json_slice_equals (&line[LINE_STATE], "running"))
    entry.state = FORE_ENTRY_RUNNING;
  else if (fore_json_slice_equals (&line[LINE_STATE], "failed"))
    entry.state = FORE_ENTRY_FAILED;
  fore_decoder_emit_tool (&self->parent, &entry);
}

static void
on_usage (DemoDecoder *self, const ForeJsonSlice *line)
{
  static const char *const names[] = { "input", "output", "cache_read", "cache_write", "cost" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  ForeUsage usage = FORE_USAGE_INIT;
  g_autofree char *key = fore_json_slice_dup_string (&line[LINE_ID]);

  fore_json_slice_get_members (&line[LINE_USAGE], names, G_N_ELEMENTS (names), values);
  usage.input = fore_json_slice_get_int (&values[0], FORE_USAGE_UNKNOWN);
  usage.output = fore_json_slice_get_int (&values[1], FORE_USAGE_UNKNOWN);
  usage.cache_read = fore_json_slice_get_int (&values[2], FORE_USAGE_UNKNOWN);
  usage.cache_write = fore_json_slice_get_int (&values[3], FORE_USAGE_UNKNOWN);
  usage.cost = fore_decoder_cost_from_dollars (fore_json_slice_get_double (&values[4], -1));

  self->parent.summary.turns++;
  fore_decoder_set_message_usage (&self->parent, key != NULL ? key : "", &usage);
  fore_decoder_emit_usage (&self->parent);
}

static void
on_error (DemoDecoder *self, const ForeJsonSlice *line)
{
  g_autofree char *message = fore_json_slice_dup_string (&line[LINE_MESSAGE]);
  int status = CLAMP (fore_json_slice_get_int (&line[LINE_STATUS], 0), 0, 999);

  fore_decoder_emit_error (&self->parent, fore_error_text_classify (message, status), message);
}

static void
on_result (DemoDecoder *self, const ForeJsonSlice *line)
{
  ForeSummary *summary = &self->parent.summary;
  char *text = fore_json_slice_dup_string (&line[LINE_TEXT]);

  if (text != NULL)
    fore_decoder_take_final_text (&self->parent, text);
  else if (self->text->len > 0)
    fore_decoder_take_final_text (&self->parent, g_strdup (self->text->str));

  if (fore_json_slice_equals (&line[LINE_STATE], "failed"))
    fore_decoder_fail (&self->parent,
                       summary->cause != FORE_CAUSE_NONE ? summary->cause : FORE_CAUSE_ERROR, NULL);
  else
    fore_decoder_complete (&self->parent);
  fore_decoder_emit_result (&self->parent);
}

static void
on_other_event (DemoDecoder *self, const ForeJsonSlice *line, const char *text, gsize length)
{
  const ForeJsonSlice *type = &line[LINE_TYPE];

  end_open_text (self);
  if (fore_json_slice_equals (type, "tool"))
    on_tool (self, line);
  else if (fore_json_slice_equals (type, "usage"))
    on_usage (self, line);
  else if (fore_json_slice_equals (type, "session"))
    on_session (self, line);
  else if (fore_json_slice_equals (type, "error"))
    on_error (self, line);
  else if (fore_json_slice_equals (type, "limit"))
    fore_decoder_take_limit (&self->parent, TRUE, fore_json_slice_get_int (&line[LINE_RESET], 0));
  else if (fore_json_slice_equals (type, "result"))
    on_result (self, line);
  else
    fore_decoder_emit_raw (&self->parent, NULL, text, length, FALSE);
}

static void
on_event (DemoDecoder *self, const ForeJsonSlice *line, const char *text, gsize length)
{
  const ForeJsonSlice *type = &line[LINE_TYPE];

  if (fore_json_slice_equals (type, "text"))
    on_text (self, line, FORE_ENTRY_TEXT);
  else if (fore_json_slice_equals (type, "thinking"))
    on_text (self, line, FORE_ENTRY_THINKING);
  else
    on_other_event (self, line, text, length);
}

static void
demo_line (ForeDecoder *decoder, const char *line, gsize length, gboolean truncated)
{
  DemoDecoder *self = (DemoDecoder *) decoder;
  ForeJsonSlice values[N_LINE];

  if (self->text == NULL)
    self->text = g_string_new (NULL);

  if (!truncated && fore_decoder_read_line (decoder, line, length, line_names, N_LINE, values))
    on_event (self, values, line, length);
  else
    fore_decoder_emit_raw (decoder, NULL, line, length, truncated);
}

static void
demo_finish (ForeDecoder *decoder)
{
  end_open_text ((DemoDecoder *) decoder);
}

static void
demo_clear (ForeDecoder *decoder)
{
  DemoDecoder *self = (DemoDecoder *) decoder;

  g_free (self->text_id);
  g_free (self->open_id);
  if (self->text != NULL)
    g_string_free (self->text, TRUE);
}

static const ForeDecoderClass demo_decoder_class = {
  .instance_size = sizeof (DemoDecoder),
  .line = demo_line,
  .finish = demo_finish,
  .clear = demo_clear,
};

static const char *const demo_env_names[] = { "FOREDECK_DEMO_*", NULL };

static ForeAgentFound *
demo_find (const char *program, GCancellable *cancellable)
{
  ForeAgentFound *found = fore_agent_found_new (program, cancellable);

  found->login = g_strdup (_ ("needs no login"));

  return found;
}

static char *
find_scenario (const ForeLaunchRequest *request)
{
  const char *data = g_getenv ("FOREDECK_DATA");

  if (request->scenario != NULL)
    return g_strdup (request->scenario);

  return g_build_filename (data != NULL ? data : FORE_PKGDATADIR, "demo", "scenario.json", NULL);
}

static ForeLaunch *
demo_launch (const ForeLaunchRequest *request, GError **error)
{
  ForeLaunch *launch;
  GPtrArray *argv;
  g_autofree char *scenario = find_scenario (request);

  if (!g_file_test (scenario, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("The demo’s scenario %s is missing; install Foredeck again"), scenario);
      return NULL;
    }

  argv = g_ptr_array_new ();
  fore_argv_add (argv, request->program);
  fore_argv_add_option (argv, "--scenario", scenario);
  if (request->live)
    fore_argv_add (argv, "--live");

  launch = g_new0 (ForeLaunch, 1);
  launch->argv = fore_argv_finish (argv);
  launch->stdin_mode = request->live ? FORE_STDIN_LIVE : FORE_STDIN_FILE;

  return launch;
}

const ForeAdapter fore_adapter_demo = {
  .name = "demo",
  .title = "Demo",
  .program = "foredeck-demo-agent",
  .env_names = demo_env_names,
  .one_shot = TRUE,
  .live = TRUE,
  .stream_required = TRUE,
  .decoder_class = &demo_decoder_class,
  .live_decoder_class = &fore_acp_decoder_class,
  .find = demo_find,
  .launch = demo_launch,
};
