/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-mcp.h"
#include "text/fore-json.h"
#include "text/fore-line-reader.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check_line (const char *line, gpointer user_data)
{
  g_autoptr (JsonNode) node = fore_json_parse (line, -1, &FORE_JSON_DEFAULT_LIMITS, NULL);

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    fuzz_fail ("an answer is no object: %s", line);
}

static void
call (const char *name,
      const char *text,
      const char *const *options,
      ForeMcpReply *reply,
      gpointer user_data)
{
  g_autofree char *line = fore_mcp_reply (reply, text, options != NULL);

  check_line (line, NULL);
}

static void
cancel (const char *id, gboolean timed_out, gpointer user_data)
{
  g_autoptr (JsonNode) node = fore_json_parse (id, -1, &FORE_JSON_DEFAULT_LIMITS, NULL);

  if (node == NULL)
    fuzz_fail ("an id is no JSON: %s", id);
}

static void
take (const char *line, gsize length, gint64 offset, gboolean truncated, gpointer user_data)
{
  fore_mcp_take (user_data, line, length, truncated);
}

/* Whatever a client says, all answers are JSON. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (ForeMcp) mcp = fore_mcp_new (call, cancel, check_line, NULL);
  g_autoptr (ForeLineReader) reader = fore_line_reader_new (4096);

  fore_line_reader_feed (reader, (const char *) data, size, take, mcp);
  fore_line_reader_finish (reader, take, mcp);

  return 0;
}
