/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-codex-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_OPTIONS 20

/* A rule for the future, spelled out: “always” has to say what. */
static char *
describe_rule (const ForeJsonSlice *decision)
{
  ForeJsonSlice rule, words, word;
  ForeJsonSliceIter iter;
  g_autoptr (GString) command = g_string_new (NULL);

  fore_json_slice_get_member (decision, "acceptWithExecpolicyAmendment", &rule);
  fore_json_slice_get_member (&rule, "execpolicy_amendment", &words);
  if (words.kind != FORE_JSON_ARRAY_START)
    return fore_json_slice_dup_json (decision);

  fore_json_slice_iter_init (&iter, &words);
  while (fore_json_slice_iter_next (&iter, NULL, &word))
    {
      g_autofree char *text = fore_json_slice_dup_string (&word);

      g_string_append_printf (command, "%s%s", command->len > 0 ? " " : "",
                              text != NULL ? text : "");
    }

  return g_strdup_printf (_ ("Always allow commands that begin with: %s"), command->str);
}

/* A decision as it was offered, and what it is called. */
static void
add_decision (GPtrArray *options,
              GStrvBuilder *replies,
              const char *request,
              const ForeJsonSlice *decision)
{
  static const struct
  {
    const char *decision;
    const char *name;
    const char *kind;
  } known[] = {
    { "accept", N_ ("Allow"), "allow_once" },
    { "acceptForSession", N_ ("Allow in this session"), "allow_always" },
    { "decline", N_ ("Deny"), "reject_once" },
    { "cancel", N_ ("Deny and stop"), "reject_once" },
  };
  g_autofree char *json = fore_json_slice_dup_json (decision);
  g_autofree char *id = decision->kind == FORE_JSON_STRING ? fore_json_slice_dup_string (decision)
                                                           : g_strdup (json);
  g_autofree char *rule = decision->kind == FORE_JSON_OBJECT_START ? describe_rule (decision)
                                                                   : NULL;
  g_autofree char *line = NULL;
  const char *name = rule != NULL ? rule : id;
  const char *kind = "allow_always";

  if (json == NULL || options->len >= MAX_OPTIONS)
    return;

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      if (strcmp (known[i].decision, id) == 0)
        {
          name = _ (known[i].name);
          kind = known[i].kind;
        }
    }

  line = g_strdup_printf ("{\"id\":%s,\"result\":{\"decision\":%s}}", request, json);
  g_ptr_array_add (options, fore_request_option_new (id, name, kind));
  g_strv_builder_add (replies, line);
}

/* Where it does not say what can be decided, that is what the protocol says. */
static GPtrArray *
read_decisions (const ForeJsonSlice *offered, const char *request, GStrv *replies)
{
  static const char usual[] = "[\"accept\",\"acceptForSession\",\"decline\",\"cancel\"]";
  GPtrArray *options = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_request_option_free);
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  ForeJsonSlice list = *offered, decision;
  ForeJsonSliceIter iter;

  if (list.kind != FORE_JSON_ARRAY_START)
    fore_json_slice_read (&list, usual, strlen (usual), 4);
  fore_json_slice_iter_init (&iter, &list);
  while (fore_json_slice_iter_next (&iter, NULL, &decision))
    add_decision (options, lines, request, &decision);
  *replies = g_strv_builder_end (lines);

  return options;
}

/* The request for a change does not say what is changed: its item does. */
void
fore_codex_on_approval (ForeDecoder *decoder, const ForeJsonSlice *id, const ForeJsonSlice *params)
{
  static const char *const names[] = { "itemId", "command", "reason", "availableDecisions" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  g_autofree char *request = fore_json_slice_dup_json (id);
  ForeEntry *entry = fore_entry_new (FORE_ENTRY_PERMISSION, NULL);
  const ForeEntry *tool = NULL;
  GStrv replies = NULL;

  fore_json_slice_get_members (params, names, G_N_ELEMENTS (names), values);
  entry->id = g_strdup_printf ("permission-%s", request);
  entry->parent = fore_json_slice_dup_string (&values[0]);
  if (entry->parent != NULL)
    tool = fore_decoder_find_tool (decoder, entry->parent);
  entry->title = fore_json_slice_dup_string (&values[1]);
  if (tool != NULL)
    {
      if (entry->title == NULL)
        entry->title = g_strdup (tool->title);
      entry->name = g_strdup (tool->name);
      entry->input = g_strdup (tool->input);
    }
  entry->text = fore_json_slice_dup_string (&values[2]);
  if (entry->text == NULL && tool != NULL)
    entry->text = g_strdup (tool->text);
  entry->options = read_decisions (&values[3], request, &replies);

  fore_decoder_ask (decoder, entry, replies,
                    g_strdup_printf ("{\"id\":%s,\"result\":{\"decision\":\"cancel\"}}", request));
}

void
fore_codex_on_resolved (ForeDecoder *decoder, const ForeJsonSlice *params)
{
  ForeJsonSlice request;
  g_autofree char *json = NULL;
  g_autofree char *id = NULL;

  fore_json_slice_get_member (params, "requestId", &request);
  json = fore_json_slice_dup_json (&request);
  id = g_strdup_printf ("permission-%s", json);
  fore_decoder_withdraw (decoder, id, FALSE);
}
