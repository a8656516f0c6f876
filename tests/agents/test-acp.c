/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-acp-decoder.h"
#include "text/fore-json.h"

#include <string.h>

/* The client's side of a session, with the agent's lines written by hand. */
typedef struct
{
  ForeDecoder *decoder;
  GPtrArray *entries;
} Session;

static void
add_entry (const ForeEntry *entry, gpointer user_data)
{
  g_ptr_array_add (user_data, fore_entry_copy (entry));
}

static void
hear (Session *session, const char *line)
{
  fore_decoder_feed (session->decoder, line, strlen (line), add_entry, session->entries);
  fore_decoder_feed (session->decoder, "\n", 1, add_entry, session->entries);
}

static void
expect (Session *session, const char *expected)
{
  g_autoptr (GBytes) bytes = fore_decoder_take_outbox (session->decoder);
  g_autofree char *text = bytes != NULL
                              ? g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes))
                              : NULL;

  g_assert_cmpstr (text, ==, expected);
}

static void
skip_outbox (Session *session)
{
  g_bytes_unref (fore_decoder_take_outbox (session->decoder));
}

static void
set_up (Session *session, gconstpointer data)
{
  session->decoder = fore_decoder_new (&fore_acp_decoder_class, TRUE);
  session->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_entry_free);
}

static void
tear_down (Session *session, gconstpointer data)
{
  fore_decoder_free (session->decoder);
  g_ptr_array_unref (session->entries);
}

static void
open_session (Session *session)
{
  fore_decoder_begin (session->decoder,
                      &(ForeSessionStart){ .prompt = "Say \"hi\"\n", .cwd = "/tmp/x" });
  skip_outbox (session);
  hear (session, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":1}}");
  expect (session, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"session/new\",\"params\":{\"cwd\":"
                   "\"/tmp/x\",\"mcpServers\":[]}}\n");
  hear (session, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"sessionId\":\"s-1\"}}");
  expect (session,
          "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"session/prompt\",\"params\":{"
          "\"sessionId\":\"s-1\",\"prompt\":[{\"type\":\"text\",\"text\":\"Say \\\"hi\\\"\\n"
          "\"}]}}\n");
}

static void
ask (Session *session, const char *id)
{
  g_autofree char *line = g_strdup_printf (
      "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"session/request_permission\",\"params\":{"
      "\"toolCall\":{\"toolCallId\":\"t\",\"title\":\"rm -rf "
      "x\"},\"options\":[{\"optionId\":\"yes\","
      "\"name\":\"Yes\",\"kind\":\"allow_once\"},{\"optionId\":0,\"name\":\"Never\",\"kind\":"
      "\"reject_always\"}]}}",
      id);

  hear (session, line);
}

static void
test_begins (Session *session, gconstpointer data)
{
  open_session (session);
  g_assert_cmpstr (fore_decoder_get_summary (session->decoder)->session, ==, "s-1");
  g_assert_false (fore_decoder_get_summary (session->decoder)->settled);
}

static void
test_takes_up_session (Session *session, gconstpointer data)
{
  fore_decoder_begin (session->decoder,
                      &(ForeSessionStart){ .prompt = "go on", .cwd = "/tmp/x", .session = "old" });
  skip_outbox (session);
  hear (session,
        "{\"id\":1,\"result\":{\"protocolVersion\":1,\"agentCapabilities\":{\"loadSession\":"
        "true}}}");
  expect (session, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"session/load\",\"params\":{"
                   "\"sessionId\":\"old\",\"cwd\":\"/tmp/x\",\"mcpServers\":[]}}\n");
  hear (session, "{\"id\":2,\"result\":null}");
  g_assert_cmpstr (fore_decoder_get_summary (session->decoder)->session, ==, "old");
  skip_outbox (session);
}

/* Ids go back as they came: numbers as numbers, 0 is an id. */
static void
test_answers_permission (Session *session, gconstpointer data)
{
  open_session (session);
  ask (session, "0");
  g_assert_false (fore_decoder_say (session->decoder, "answer", "permission-1", "yes"));
  g_assert_false (fore_decoder_say (session->decoder, "answer", "permission-0", "other"));
  g_assert_true (fore_decoder_say (session->decoder, "answer", "permission-0", "0"));
  expect (session,
          "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"outcome\":{\"outcome\":\"selected\","
          "\"optionId\":0}}}\n");
  g_assert_false (fore_decoder_say (session->decoder, "answer", "permission-0", "yes"));
  expect (session, NULL);
}

static void
test_answers_with_string_ids (Session *session, gconstpointer data)
{
  open_session (session);
  ask (session, "\"u-1\"");
  g_assert_true (fore_decoder_say (session->decoder, "answer", "permission-\"u-1\"", "yes"));
  expect (session, "{\"jsonrpc\":\"2.0\",\"id\":\"u-1\",\"result\":{\"outcome\":{\"outcome\":"
                   "\"selected\",\"optionId\":\"yes\"}}}\n");
}

static void
test_interrupt_cancels_permissions (Session *session, gconstpointer data)
{
  open_session (session);
  ask (session, "7");
  g_assert_true (fore_decoder_say (session->decoder, "interrupt", NULL, NULL));
  expect (session,
          "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"outcome\":{\"outcome\":\"cancelled\"}"
          "}}\n{\"jsonrpc\":\"2.0\",\"method\":\"session/cancel\",\"params\":{\"sessionId\":"
          "\"s-1\"}}\n");
  g_assert_false (fore_decoder_say (session->decoder, "answer", "permission-7", "yes"));
  hear (session, "{\"id\":3,\"result\":{\"stopReason\":\"cancelled\"}}");
  g_assert_cmpint (fore_decoder_get_summary (session->decoder)->cause, ==, FORE_CAUSE_INTERRUPTED);
  g_assert_true (fore_decoder_get_summary (session->decoder)->settled);
}

/* What the agent took back is not answered any more. */
static void
test_withdrawn_permission (Session *session, gconstpointer data)
{
  open_session (session);
  ask (session, "5");
  hear (session,
        "{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel_request\",\"params\":{\"requestId\":5}}");
  g_assert_false (fore_decoder_say (session->decoder, "answer", "permission-5", "yes"));
  expect (session, NULL);
}

static void
test_refuses_what_was_not_offered (Session *session, gconstpointer data)
{
  open_session (session);
  hear (session,
        "{\"jsonrpc\":\"2.0\",\"id\":\"f-1\",\"method\":\"fs/write_text_file\",\"params\":{}}");
  expect (session, "{\"jsonrpc\":\"2.0\",\"id\":\"f-1\",\"error\":{\"code\":-32601,\"message\":"
                   "\"Method not found\"}}\n");
}

/* A follow-up waits for the turn to end, and only the last turn's end is the end. */
static void
test_follow_up (Session *session, gconstpointer data)
{
  const ForeSummary *summary = fore_decoder_get_summary (session->decoder);

  open_session (session);
  g_assert_true (fore_decoder_say (session->decoder, "follow-up", NULL, "and then?"));
  expect (session, NULL);
  hear (session, "{\"id\":3,\"result\":{\"stopReason\":\"end_turn\"}}");
  g_assert_false (summary->settled);
  skip_outbox (session);
  hear (session,
        "{\"method\":\"session/update\",\"params\":{\"update\":{\"sessionUpdate\":"
        "\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"Then this.\"}}}}");
  hear (session, "{\"id\":4,\"result\":{\"stopReason\":\"end_turn\"}}");
  g_assert_true (summary->settled);
  g_assert_cmpint (summary->outcome, ==, FORE_OUTCOME_COMPLETED);
  g_assert_cmpstr (summary->final_text, ==, "Then this.");
}

static void
test_error_ends_it (Session *session, gconstpointer data)
{
  open_session (session);
  hear (session, "{\"id\":3,\"error\":{\"code\":429,\"message\":\"Rate limit reached\"}}");
  g_assert_cmpint (fore_decoder_get_summary (session->decoder)->cause, ==, FORE_CAUSE_RATE_LIMIT);
  g_assert_true (fore_decoder_get_summary (session->decoder)->settled);
}

static void
add (const char *name, void (*func) (Session *session, gconstpointer data))
{
  g_autofree char *path = g_strdup_printf ("/acp/%s", name);

  g_test_add (path, Session, NULL, set_up, func, tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("begins", test_begins);
  add ("takes-up-session", test_takes_up_session);
  add ("answers-permission", test_answers_permission);
  add ("answers-with-string-ids", test_answers_with_string_ids);
  add ("interrupt-cancels-permissions", test_interrupt_cancels_permissions);
  add ("withdrawn-permission", test_withdrawn_permission);
  add ("refuses-what-was-not-offered", test_refuses_what_was_not_offered);
  add ("follow-up", test_follow_up);
  add ("error-ends-it", test_error_ends_it);

  return g_test_run ();
}
