/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter-private.h"
#include "agents/fore-decoder-private.h"
#include "model/fore-error.h"
#include "platform/fore-process.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Scripts: foredeck-script carries one out and says in lines of JSON what it does. */

enum
{
  LINE_TYPE,
  LINE_ID,
  LINE_NAME,
  LINE_TITLE,
  LINE_TEXT,
  LINE_STATE,
  LINE_INPUT,
  LINE_OUTPUT,
  LINE_MESSAGE,
  N_LINE
};

static const char *const line_names[N_LINE] = {
  [LINE_TYPE] = "type",   [LINE_ID] = "id",         [LINE_NAME] = "name",
  [LINE_TITLE] = "title", [LINE_TEXT] = "text",     [LINE_STATE] = "state",
  [LINE_INPUT] = "input", [LINE_OUTPUT] = "output", [LINE_MESSAGE] = "message",
};

static void
on_text (ForeDecoder *decoder, const ForeJsonSlice *line)
{
  g_autofree char *text = fore_json_slice_dup_string (&line[LINE_TEXT]);
  g_autofree char *id = g_strdup_printf ("said-%u", ++decoder->summary.turns);

  if (text != NULL)
    fore_decoder_emit_text (decoder, FORE_ENTRY_TEXT, id, NULL, text, FALSE);
}

static void
on_call (ForeDecoder *decoder, const ForeJsonSlice *line)
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
  if (fore_json_slice_equals (&line[LINE_STATE], "running"))
    entry.state = FORE_ENTRY_RUNNING;
  else if (fore_json_slice_equals (&line[LINE_STATE], "failed"))
    entry.state = FORE_ENTRY_FAILED;
  fore_decoder_emit_tool (decoder, &entry);
}

static void
on_result (ForeDecoder *decoder, const ForeJsonSlice *line)
{
  char *text = fore_json_slice_dup_string (&line[LINE_TEXT]);

  if (text != NULL)
    fore_decoder_take_final_text (decoder, text);
  fore_decoder_complete (decoder);
  fore_decoder_emit_result (decoder);
}

/* A mistake in a script is there every time: nothing passes, whatever words the message has. */
static void
on_error (ForeDecoder *decoder, const ForeJsonSlice *line)
{
  g_autofree char *message = fore_json_slice_dup_string (&line[LINE_MESSAGE]);

  fore_decoder_emit_error (decoder, FORE_CAUSE_ERROR, message);
  fore_decoder_fail (decoder, FORE_CAUSE_ERROR, message);
  fore_decoder_emit_result (decoder);
}

static void
script_line (ForeDecoder *decoder, const char *line, gsize length, gboolean truncated)
{
  ForeJsonSlice values[N_LINE];
  const ForeJsonSlice *type = &values[LINE_TYPE];

  if (truncated || !fore_decoder_read_line (decoder, line, length, line_names, N_LINE, values))
    fore_decoder_emit_raw (decoder, NULL, line, length, truncated);
  else if (fore_json_slice_equals (type, "tool"))
    on_call (decoder, values);
  else if (fore_json_slice_equals (type, "text"))
    on_text (decoder, values);
  else if (fore_json_slice_equals (type, "result"))
    on_result (decoder, values);
  else if (fore_json_slice_equals (type, "error"))
    on_error (decoder, values);
  else
    fore_decoder_emit_raw (decoder, NULL, line, length, FALSE);
}

static const ForeDecoderClass script_decoder_class = {
  .instance_size = sizeof (ForeDecoder),
  .line = script_line,
};

static ForeAgentFound *
script_find (const char *program, GCancellable *cancellable)
{
  ForeAgentFound *found = g_new0 (ForeAgentFound, 1);

  found->path = g_strdup (program);
  found->usable = TRUE;

  return found;
}

/* The words of the step: the script's file, its name, and where its answers are kept. */
static ForeLaunch *
script_launch (const ForeLaunchRequest *request, GError **error)
{
  char *program = fore_platform_find_program ("foredeck-script");
  GPtrArray *argv;
  ForeLaunch *launch;

  if (program == NULL || request->script == NULL)
    {
      g_free (program);
      g_set_error_literal (
          error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
          _ ("The program foredeck-script was not found; install Foredeck again."));
      return NULL;
    }

  argv = g_ptr_array_new ();
  g_ptr_array_add (argv, program);
  fore_argv_add_option (argv, "--name", request->script_name);
  fore_argv_add_option (argv, "--memory", request->script_memory);
  fore_argv_add (argv, request->script);

  launch = g_new0 (ForeLaunch, 1);
  launch->argv = fore_argv_finish (argv);
  launch->stdin_mode = FORE_STDIN_NULL;

  return launch;
}

const ForeAdapter fore_adapter_script = {
  .name = FORE_ADAPTER_SCRIPT,
  .title = "Script",
  .one_shot = TRUE,
  .stream_required = TRUE,
  .decoder_class = &script_decoder_class,
  .find = script_find,
  .launch = script_launch,
};
