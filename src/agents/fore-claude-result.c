/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-claude-private.h"
#include "agents/fore-error-text.h"

#include <glib/gi18n-lib.h>

static void
add_model_usage (ForeUsage *total, const ForeJsonSlice *model)
{
  static const char *const names[] = { "inputTokens", "outputTokens", "cacheReadInputTokens",
                                       "cacheCreationInputTokens" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  ForeUsage usage = FORE_USAGE_INIT;

  fore_json_slice_get_members (model, names, G_N_ELEMENTS (names), values);
  usage.input = fore_json_slice_get_int (&values[0], FORE_USAGE_UNKNOWN);
  usage.output = fore_json_slice_get_int (&values[1], FORE_USAGE_UNKNOWN);
  usage.cache_read = fore_json_slice_get_int (&values[2], FORE_USAGE_UNKNOWN);
  usage.cache_write = fore_json_slice_get_int (&values[3], FORE_USAGE_UNKNOWN);
  fore_usage_add (total, &usage);
}

/* What a request used, in the words of the Messages API. */
ForeUsage
fore_claude_read_usage (const ForeJsonSlice *usage)
{
  static const char *const names[] = { "input_tokens", "output_tokens", "cache_read_input_tokens",
                                       "cache_creation_input_tokens" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  ForeUsage read = FORE_USAGE_INIT;

  fore_json_slice_get_members (usage, names, G_N_ELEMENTS (names), values);
  read.input = fore_json_slice_get_int (&values[0], FORE_USAGE_UNKNOWN);
  read.output = fore_json_slice_get_int (&values[1], FORE_USAGE_UNKNOWN);
  read.cache_read = fore_json_slice_get_int (&values[2], FORE_USAGE_UNKNOWN);
  read.cache_write = fore_json_slice_get_int (&values[3], FORE_USAGE_UNKNOWN);

  return read;
}

/* The counters of the program begin again: what they said until now is kept. */
void
fore_claude_on_reset (ClaudeDecoder *self, const ForeJsonSlice *line)
{
  self->base = self->parent.summary.usage;
  self->turns = FORE_USAGE_INIT;
  fore_decoder_take_session (&self->parent, fore_json_slice_dup_string (&line[LINE_SESSION]));
}

/* Results of releases that do not tell the totals of the models tell what the turn used. */
static void
take_turn (ClaudeDecoder *self, const ForeJsonSlice *line, ForeUsage *total)
{
  ForeUsage turn = fore_claude_read_usage (&line[LINE_USAGE]);

  fore_usage_add (&turn, &self->turns);
  turn.cost = FORE_USAGE_UNKNOWN;
  self->turns = turn;
  *total = turn;
}

/* The totals of all models and turns of the process replace what was counted from the messages. */
static void
take_totals (ClaudeDecoder *self, const ForeJsonSlice *line)
{
  ForeUsage total = FORE_USAGE_INIT;
  ForeJsonSlice model;
  ForeJsonSliceIter iter;

  fore_json_slice_iter_init (&iter, &line[LINE_MODEL_USAGE]);
  while (fore_json_slice_iter_next (&iter, NULL, &model))
    add_model_usage (&total, &model);
  if (!fore_json_slice_exists (&line[LINE_MODEL_USAGE]))
    take_turn (self, line, &total);

  total.cost = fore_decoder_cost_from_dollars (fore_json_slice_get_double (&line[LINE_COST], -1));
  fore_usage_add (&total, &self->base);
  if (fore_usage_get_tokens (&total) <= 0 && total.cost <= 0
      && fore_usage_is_known (&self->parent.summary.usage))
    return;

  self->parent.summary.usage = total;
  fore_decoder_emit_usage (&self->parent);
}

/* Calls that were not allowed do not make a success a failure, but they are worth a word. */
static void
note_denials (ClaudeDecoder *self, const ForeJsonSlice *line)
{
  ForeJsonSlice denial, tool;
  ForeJsonSliceIter iter;
  g_autoptr (GString) tools = g_string_new (NULL);

  fore_json_slice_iter_init (&iter, &line[LINE_DENIALS]);
  while (line[LINE_DENIALS].kind == FORE_JSON_ARRAY_START
         && fore_json_slice_iter_next (&iter, NULL, &denial))
    {
      g_autofree char *name = NULL;

      fore_json_slice_get_member (&denial, "tool_name", &tool);
      name = fore_json_slice_dup_string (&tool);
      g_string_append_printf (tools, "%s%s", tools->len > 0 ? ", " : "", name != NULL ? name : "?");
    }

  if (tools->len > 0)
    fore_decoder_emit_notice (&self->parent, "denials", "permission_denied", _ ("Was not allowed"),
                              tools->str);
}

static char *
result_message (const ForeJsonSlice *line)
{
  ForeJsonSliceIter iter;
  ForeJsonSlice error;

  fore_json_slice_iter_init (&iter, &line[LINE_ERRORS]);
  if (fore_json_slice_iter_next (&iter, NULL, &error))
    return fore_json_slice_dup_string (&error);

  return fore_json_slice_dup_string (&line[LINE_RESULT]);
}

static ForeCause
result_cause (const ForeJsonSlice *line, const char *message)
{
  static const struct
  {
    const char *reason;
    ForeCause cause;
  } reasons[] = {
    { "prompt_too_long", FORE_CAUSE_CONTEXT },   { "aborted_streaming", FORE_CAUSE_INTERRUPTED },
    { "aborted_tools", FORE_CAUSE_INTERRUPTED }, { "max_turns", FORE_CAUSE_TURN_LIMIT },
    { "budget_exhausted", FORE_CAUSE_BUDGET },
  };
  g_autofree char *kind = fore_json_slice_dup_string (&line[LINE_ERROR_TYPE]);
  g_autofree char *whole = g_strconcat (kind != NULL ? kind : "", " ", message, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      if (fore_json_slice_equals (&line[LINE_TERMINAL], reasons[i].reason))
        return reasons[i].cause;
    }

  return fore_error_text_classify (whole,
                                   CLAMP (fore_json_slice_get_int (&line[LINE_STATUS], 0), 0, 999));
}

static void
take_outcome (ClaudeDecoder *self, const ForeJsonSlice *line)
{
  gboolean failed = fore_json_slice_get_bool (&line[LINE_IS_ERROR], FALSE)
                    || !fore_json_slice_equals (&line[LINE_SUBTYPE], "success");
  g_autofree char *message = NULL;

  if (failed)
    {
      message = result_message (line);
      fore_decoder_fail (&self->parent, result_cause (line, message != NULL ? message : ""),
                         message);
    }
  else if (fore_json_slice_equals (&line[LINE_STOP], "refusal"))
    {
      fore_decoder_fail (&self->parent, FORE_CAUSE_REFUSED, _ ("The model refused."));
    }
  else if (fore_json_slice_equals (&line[LINE_STOP], "max_tokens"))
    {
      fore_decoder_fail (&self->parent, FORE_CAUSE_OUTPUT_LIMIT,
                         _ ("The answer was cut at the model's output limit."));
    }
  else
    {
      fore_decoder_take_final_text (&self->parent, fore_json_slice_dup_string (&line[LINE_RESULT]));
      fore_decoder_complete (&self->parent);
    }
}

void
fore_claude_on_result (ClaudeDecoder *self, const ForeJsonSlice *line)
{
  if (self->parent.summary.session == NULL)
    fore_decoder_take_session (&self->parent, fore_json_slice_dup_string (&line[LINE_SESSION]));

  take_totals (self, line);
  note_denials (self, line);
  take_outcome (self, line);
  /* What was said and not heard yet brings another turn. */
  if (self->parent.speaking && self->heard < self->said)
    fore_decoder_reopen (&self->parent);
  fore_decoder_emit_result (&self->parent);
}
