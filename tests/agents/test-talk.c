/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter.h"

#include <string.h>

/* What is written to live agents, line by line. */
typedef struct
{
  ForeDecoder *decoder;
  GPtrArray *entries;
} Talk;

static void
add_entry (const ForeEntry *entry, gpointer user_data)
{
  g_ptr_array_add (user_data, fore_entry_copy (entry));
}

static void
hear (Talk *talk, const char *line)
{
  fore_decoder_feed (talk->decoder, line, strlen (line), add_entry, talk->entries);
  fore_decoder_feed (talk->decoder, "\n", 1, add_entry, talk->entries);
}

static char *
take (Talk *talk)
{
  g_autoptr (GBytes) bytes = fore_decoder_take_outbox (talk->decoder);

  return bytes != NULL ? g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes))
                       : NULL;
}

static void
expect (Talk *talk, const char *expected)
{
  g_autofree char *text = take (talk);

  g_assert_cmpstr (text, ==, expected);
}

static gboolean
say (Talk *talk, const char *kind, const char *id, const char *text)
{
  return fore_decoder_say (talk->decoder, kind, id, text);
}

static const ForeEntry *
find_permission (Talk *talk, const char *id)
{
  for (guint i = talk->entries->len; i > 0; i--)
    {
      const ForeEntry *entry = g_ptr_array_index (talk->entries, i - 1);

      if (g_strcmp0 (entry->id, id) == 0)
        return entry;
    }

  g_error ("nobody asked %s", id);
}

static void
set_up (Talk *talk, gconstpointer data)
{
  ForeSessionStart start = { .prompt = "go", .cwd = "/p" };
  g_autofree char *begun = NULL;

  talk->decoder = fore_adapter_new_decoder (fore_adapter_lookup (data), TRUE);
  talk->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_entry_free);
  fore_decoder_begin (talk->decoder, &start);
  fore_decoder_begin (talk->decoder, &start);
  begun = take (talk);
  g_assert_nonnull (begun);
}

static void
tear_down (Talk *talk, gconstpointer data)
{
  fore_decoder_free (talk->decoder);
  g_ptr_array_unref (talk->entries);
}

static const char claude_asks[]
    = "{\"type\":\"control_request\",\"request_id\":\"R\",\"request\":{\"subtype\":\"can_use_"
      "tool\","
      "\"tool_name\":\"Bash\",\"input\":{\"command\":\"git status && rm -rf "
      "./tmp\"},\"tool_use_id\":"
      "\"t\",\"permission_suggestions\":[{\"type\":\"addRules\",\"rules\":[{\"toolName\":\"Bash\","
      "\"ruleContent\":\"git status\"},{\"toolName\":\"Bash\",\"ruleContent\":\"rm -rf ./tmp\"}],"
      "\"behavior\":\"allow\",\"destination\":\"session\"}]}}";

/* “Always” spells out both rules, and sends back exactly what was suggested. */
static void
test_claude_always (Talk *talk, gconstpointer data)
{
  const ForeEntry *asked;
  const ForeRequestOption *always;

  hear (talk, claude_asks);
  asked = find_permission (talk, "permission-R");
  g_assert_cmpuint (asked->options->len, ==, 4);
  always = g_ptr_array_index (asked->options, 1);
  g_assert_cmpstr (always->name, ==,
                   "Always allow Bash(git status), Bash(rm -rf ./tmp) in this session");
  g_assert_cmpstr (always->kind, ==, "allow_always");
  g_assert_true (say (talk, "answer", "permission-R", "allow-1"));
  expect (
      talk,
      "{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"R\","
      "\"response\":{\"behavior\":\"allow\",\"updatedInput\":{\"command\":\"git status && rm -rf "
      "./tmp\"},\"updatedPermissions\":[{\"type\":\"addRules\",\"rules\":[{\"toolName\":\"Bash\","
      "\"ruleContent\":\"git status\"},{\"toolName\":\"Bash\",\"ruleContent\":\"rm -rf ./tmp\"}],"
      "\"behavior\":\"allow\",\"destination\":\"session\"}]}}}\n");
  g_assert_false (say (talk, "answer", "permission-R", "allow"));
  expect (talk, NULL);
}

/* What the program took back is not answered. */
static void
test_claude_takes_back (Talk *talk, gconstpointer data)
{
  hear (talk, claude_asks);
  hear (talk, "{\"type\":\"control_cancel_request\",\"request_id\":\"R\"}");
  g_assert_cmpint (find_permission (talk, "permission-R")->state, ==, FORE_ENTRY_FAILED);
  g_assert_false (say (talk, "answer", "permission-R", "allow"));
  expect (talk, NULL);
}

static void
test_claude_question (Talk *talk, gconstpointer data)
{
  hear (talk, "{\"type\":\"control_request\",\"request_id\":\"Q\",\"request\":{\"subtype\":"
              "\"can_use_tool\",\"tool_name\":\"AskUserQuestion\",\"input\":{\"questions\":[{"
              "\"question\":\"Which?\",\"options\":[{\"label\":\"Red\"},{\"label\":\"Blue\"}]}]},"
              "\"tool_use_id\":\"t\"}}");
  g_assert_cmpstr (find_permission (talk, "permission-Q")->title, ==, "Which?");
  g_assert_true (say (talk, "answer", "permission-Q", "answer-2"));
  expect (
      talk,
      "{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"Q\","
      "\"response\":{\"behavior\":\"allow\",\"updatedInput\":{\"questions\":[{\"question\":"
      "\"Which?\",\"options\":[{\"label\":\"Red\"},{\"label\":\"Blue\"}]}],\"answers\":{\"Which?\":"
      "\"Blue\"}}}}}\n");
}

/* In plan mode the host has to refuse what writes. */
static void
test_claude_plan_mode (Talk *talk, gconstpointer data)
{
  g_autofree char *reply = NULL;

  hear (talk, "{\"type\":\"system\",\"subtype\":\"status\",\"permissionMode\":\"plan\"}");
  hear (talk, "{\"type\":\"control_request\",\"request_id\":\"W\",\"request\":{\"subtype\":"
              "\"can_use_tool\",\"tool_name\":\"Write\",\"input\":{},\"tool_use_id\":\"t\"}}");
  reply = take (talk);
  g_assert_nonnull (strstr (reply, "\"behavior\":\"deny\""));
}

static void
test_claude_settings (Talk *talk, gconstpointer data)
{
  g_assert_true (say (talk, "mode", NULL, "plan"));
  expect (talk, "{\"type\":\"control_request\",\"request_id\":\"fore-2\",\"request\":{\"subtype\":"
                "\"set_permission_mode\",\"mode\":\"plan\"}}\n");
  g_assert_true (say (talk, "model", NULL, "opus"));
  expect (talk, "{\"type\":\"control_request\",\"request_id\":\"fore-3\",\"request\":{\"subtype\":"
                "\"set_model\",\"model\":\"opus\"}}\n");
  g_assert_true (say (talk, "interrupt", NULL, NULL));
  expect (talk, "{\"type\":\"control_request\",\"request_id\":\"fore-4\",\"request\":{\"subtype\":"
                "\"interrupt\"}}\n");
}

/* Something that nobody here can answer gets an error and not silence. */
static void
test_claude_refuses_the_unknown (Talk *talk, gconstpointer data)
{
  hear (talk, "{\"type\":\"control_request\",\"request_id\":\"H\",\"request\":{\"subtype\":"
              "\"hook_callback\"}}");
  expect (talk, "{\"type\":\"control_response\",\"response\":{\"subtype\":\"error\",\"request_id\":"
                "\"H\",\"error\":\"not supported\"}}\n");
}

/* What comes too late for a turn gets one of its own: the first result is not the end. */
static void
test_claude_waits_for_what_was_said (Talk *talk, gconstpointer data)
{
  static const char result[] = "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,"
                               "\"result\":\"x\",\"stop_reason\":\"end_turn\"}";
  static const char started[]
      = "{\"type\":\"command_lifecycle\",\"command_uuid\":\"u\",\"state\":\"started\"}";
  const ForeSummary *summary = fore_decoder_get_summary (talk->decoder);

  hear (talk, started);
  g_assert_true (say (talk, "follow-up", NULL, "and?"));
  hear (talk, result);
  g_assert_false (summary->settled);
  hear (talk, started);
  hear (talk, result);
  g_assert_true (summary->settled);
}

static void
open_codex (Talk *talk)
{
  g_autofree char *opened = NULL;
  g_autofree char *turn = NULL;

  hear (talk, "{\"id\":1,\"result\":{\"userAgent\":\"x\"}}");
  opened = take (talk);
  g_assert_cmpstr (
      opened, ==,
      "{\"method\":\"initialized\"}\n{\"id\":2,\"method\":\"thread/start\",\"params\":{"
      "\"cwd\":\"/p\",\"approvalPolicy\":\"untrusted\",\"sandbox\":\"workspace-write\"}}"
      "\n");
  hear (talk, "{\"id\":2,\"result\":{\"thread\":{\"id\":\"th\"}}}");
  turn = take (talk);
  g_assert_cmpstr (
      turn, ==,
      "{\"id\":3,\"method\":\"turn/start\",\"params\":{\"threadId\":\"th\",\"input\":[{"
      "\"type\":\"text\",\"text\":\"go\",\"text_elements\":[]}]}}\n");
}

/* Zero is an id, and a decision that is an object goes back as it came. */
static void
test_codex_answers (Talk *talk, gconstpointer data)
{
  const ForeEntry *asked;
  const ForeRequestOption *always;

  open_codex (talk);
  hear (talk,
        "{\"method\":\"item/commandExecution/requestApproval\",\"id\":0,\"params\":{\"itemId\":"
        "\"c\",\"command\":\"touch x\",\"availableDecisions\":[\"accept\",{"
        "\"acceptWithExecpolicyAmendment\":{\"execpolicy_amendment\":[\"touch\"]}},\"cancel\"]}}");
  asked = find_permission (talk, "permission-0");
  g_assert_cmpuint (asked->options->len, ==, 3);
  always = g_ptr_array_index (asked->options, 1);
  g_assert_true (say (talk, "answer", "permission-0", always->id));
  expect (talk, "{\"id\":0,\"result\":{\"decision\":{\"acceptWithExecpolicyAmendment\":{"
                "\"execpolicy_amendment\":[\"touch\"]}}}}\n");
}

/* What was decided elsewhere while somebody still thinks about it here is withdrawn. */
static void
test_codex_resolves (Talk *talk, gconstpointer data)
{
  open_codex (talk);
  hear (talk, "{\"method\":\"item/fileChange/requestApproval\",\"id\":5,\"params\":{\"itemId\":"
              "\"f\"}}");
  hear (talk, "{\"method\":\"serverRequest/resolved\",\"params\":{\"threadId\":\"th\","
              "\"requestId\":5}}");
  g_assert_cmpint (find_permission (talk, "permission-5")->state, ==, FORE_ENTRY_FAILED);
  g_assert_false (say (talk, "answer", "permission-5", "accept"));
  expect (talk, NULL);
}

/* Interrupted before the turn has a name: as soon as it has one. */
static void
test_codex_interrupts_early (Talk *talk, gconstpointer data)
{
  open_codex (talk);
  g_assert_true (say (talk, "interrupt", NULL, NULL));
  expect (talk, NULL);
  hear (talk, "{\"id\":3,\"result\":{\"turn\":{\"id\":\"tu\"}}}");
  expect (talk,
          "{\"id\":4,\"method\":\"turn/interrupt\",\"params\":{\"threadId\":\"th\",\"turnId\":"
          "\"tu\"}}\n");
}

static void
test_codex_steers (Talk *talk, gconstpointer data)
{
  open_codex (talk);
  hear (talk, "{\"id\":3,\"result\":{\"turn\":{\"id\":\"tu\"}}}");
  g_assert_true (say (talk, "steer", NULL, "left"));
  expect (talk, "{\"id\":4,\"method\":\"turn/steer\",\"params\":{\"threadId\":\"th\","
                "\"expectedTurnId\":\"tu\",\"input\":[{\"type\":\"text\",\"text\":\"left\","
                "\"text_elements\":[]}]}}\n");
}

/* Said before the turn has a name: into that turn, as soon as it has one, and not into the next. */
static void
test_codex_steers_early (Talk *talk, gconstpointer data)
{
  open_codex (talk);
  g_assert_true (say (talk, "steer", NULL, "left"));
  expect (talk, NULL);
  hear (talk, "{\"id\":3,\"result\":{\"turn\":{\"id\":\"tu\"}}}");
  expect (talk, "{\"id\":4,\"method\":\"turn/steer\",\"params\":{\"threadId\":\"th\","
                "\"expectedTurnId\":\"tu\",\"input\":[{\"type\":\"text\",\"text\":\"left\","
                "\"text_elements\":[]}]}}\n");
}

static void
test_pi_questions (Talk *talk, gconstpointer data)
{
  hear (talk, "{\"type\":\"extension_ui_request\",\"id\":\"u\",\"method\":\"select\",\"title\":"
              "\"Which?\",\"options\":[\"a\",\"b\"]}");
  g_assert_true (say (talk, "answer", "permission-\"u\"", "choice-2"));
  expect (talk, "{\"type\":\"extension_ui_response\",\"id\":\"u\",\"value\":\"b\"}\n");
  hear (talk, "{\"type\":\"extension_ui_request\",\"id\":\"v\",\"method\":\"input\",\"title\":"
              "\"Name?\"}");
  g_assert_true (say (talk, "answer", "permission-\"v\"", "Ann \"A\""));
  expect (talk, "{\"type\":\"extension_ui_response\",\"id\":\"v\",\"value\":\"Ann \\\"A\\\"\"}\n");
  hear (talk, "{\"type\":\"extension_ui_request\",\"id\":\"w\",\"method\":\"confirm\",\"title\":"
              "\"Sure?\"}");
  g_assert_true (say (talk, "answer", "permission-\"w\"", NULL));
  expect (talk, "{\"type\":\"extension_ui_response\",\"id\":\"w\",\"cancelled\":true}\n");
}

static void
test_pi_steers (Talk *talk, gconstpointer data)
{
  g_assert_true (say (talk, "steer", NULL, "left"));
  expect (talk, "{\"id\":\"fore-3\",\"type\":\"prompt\",\"message\":\"left\",\"streamingBehavior\":"
                "\"steer\"}\n");
  g_assert_true (say (talk, "interrupt", NULL, NULL));
  expect (talk, "{\"id\":\"fore-4\",\"type\":\"abort\"}\n");
  g_assert_false (say (talk, "model", NULL, "m"));
}

/* A mode or model that was not offered is not asked for. */
static void
test_acp_settings (Talk *talk, gconstpointer data)
{
  g_autofree char *opening = NULL;
  g_autofree char *prompt = NULL;

  hear (talk, "{\"id\":1,\"result\":{\"protocolVersion\":1}}");
  opening = take (talk);
  hear (talk, "{\"id\":2,\"result\":{\"sessionId\":\"s\",\"modes\":{\"currentModeId\":\"ask\","
              "\"availableModes\":[{\"id\":\"ask\",\"name\":\"Ask\"},{\"id\":\"code\",\"name\":"
              "\"Code\"}]},\"configOptions\":[{\"id\":\"mod\",\"category\":\"model\",\"options\":[{"
              "\"value\":\"big\",\"name\":\"Big\"}]}]}}");
  prompt = take (talk);
  g_assert_false (say (talk, "mode", NULL, "yolo"));
  g_assert_true (say (talk, "mode", NULL, "code"));
  expect (talk, "{\"jsonrpc\":\"2.0\",\"id\":\"set-4\",\"method\":\"session/set_mode\",\"params\":{"
                "\"sessionId\":\"s\",\"modeId\":\"code\"}}\n");
  g_assert_true (say (talk, "model", NULL, "big"));
  expect (talk, "{\"jsonrpc\":\"2.0\",\"id\":\"set-5\",\"method\":\"session/set_config_option\","
                "\"params\":{\"sessionId\":\"s\",\"configId\":\"mod\",\"value\":\"big\"}}\n");
}

static void
add (const char *agent, const char *name, void (*func) (Talk *talk, gconstpointer data))
{
  g_autofree char *path = g_strdup_printf ("/talk/%s/%s", agent, name);

  g_test_add (path, Talk, agent, set_up, func, tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("claude", "always", test_claude_always);
  add ("claude", "takes-back", test_claude_takes_back);
  add ("claude", "question", test_claude_question);
  add ("claude", "plan-mode", test_claude_plan_mode);
  add ("claude", "settings", test_claude_settings);
  add ("claude", "refuses-the-unknown", test_claude_refuses_the_unknown);
  add ("claude", "waits-for-what-was-said", test_claude_waits_for_what_was_said);
  add ("codex", "answers", test_codex_answers);
  add ("codex", "resolves", test_codex_resolves);
  add ("codex", "interrupts-early", test_codex_interrupts_early);
  add ("codex", "steers", test_codex_steers);
  add ("codex", "steers-early", test_codex_steers_early);
  add ("pi", "questions", test_pi_questions);
  add ("pi", "steers", test_pi_steers);
  add ("acp", "settings", test_acp_settings);

  return g_test_run ();
}
