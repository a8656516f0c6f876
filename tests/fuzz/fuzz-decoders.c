/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
count_entry (const ForeEntry *entry, gpointer user_data)
{
  guint *count = user_data;

  if (entry->text != NULL && !g_utf8_validate (entry->text, -1, NULL))
    fuzz_fail ("an entry is not UTF-8");
  (*count)++;
}

static guint
decode (const ForeAdapter *adapter, gboolean live, const char *data, gsize size, gsize cut)
{
  g_autoptr (ForeDecoder) decoder = fore_adapter_new_decoder (adapter, live);
  guint count = 0;

  fore_decoder_feed (decoder, data, cut, count_entry, &count);
  fore_decoder_feed (decoder, data + cut, size - cut, count_entry, &count);
  fore_decoder_finish (decoder, count_entry, &count);
  fore_decoder_judge (decoder, 0, 0, TRUE, NULL);

  return count;
}

/* The first byte says which stream (0 to 9, then : ; < = > ?) and, with the second, where the rest
 * is cut in two. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const struct
  {
    const char *name;
    gboolean live;
  } streams[] = {
    { "pi" },          { "claude" },       { "command" }, { "demo" },
    { "acp", TRUE },   { "codex" },        { "gemini" },  { "opencode" },
    { "codex", TRUE }, { "claude", TRUE }, { "script" },
  };
  guint which;
  gsize cut;
  const ForeAdapter *adapter;

  if (size < 2)
    return 0;

  which = data[0] % 16;
  if (which >= G_N_ELEMENTS (streams))
    return 0;

  cut = data[1] % (size - 1);
  adapter = fore_adapter_lookup (streams[which].name);
  data += 2;
  size -= 2;
  cut = MIN (cut, size);
  if (decode (adapter, streams[which].live, (const char *) data, size, cut)
      != decode (adapter, streams[which].live, (const char *) data, size, 0))
    fuzz_fail ("the cut made a difference");

  return 0;
}
