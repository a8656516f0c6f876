/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents-tools.h"

#include "agents/fore-decode-json.h"
#include "text/fore-json.h"

char *
agents_tools_read_fixture (const char *name, gsize *length)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "agents", "fixtures", name, NULL);
  char *data;

  g_file_get_contents (path, &data, length, &error);
  g_assert_no_error (error);

  return data;
}

static void
dump_entry (const ForeEntry *entry, gpointer user_data)
{
  GString *dump = user_data;
  g_autoptr (JsonNode) node = fore_entry_to_json (entry);
  g_autofree char *text = fore_json_to_string (node, FALSE);

  g_assert_nonnull (entry->id);
  g_string_append_printf (dump, "%s\n", text);
}

/* Decodes the data, cut into pieces, into one line for each entry and one for the summary. */
char *
agents_tools_dump (const ForeAdapter *adapter,
                   gboolean live,
                   const char *data,
                   gsize length,
                   const gsize *cuts,
                   guint n_cuts)
{
  g_autoptr (ForeDecoder) decoder = fore_adapter_new_decoder (adapter, live);
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *summary = NULL;
  GString *dump = g_string_new (NULL);
  gsize position = 0;

  for (guint i = 0; i < n_cuts; i++)
    {
      fore_decoder_feed (decoder, data + position, cuts[i] - position, dump_entry, dump);
      position = cuts[i];
    }
  fore_decoder_feed (decoder, data + position, length - position, dump_entry, dump);
  fore_decoder_finish (decoder, dump_entry, dump);

  node = fore_summary_to_json (fore_decoder_get_summary (decoder));
  summary = fore_json_to_string (node, FALSE);
  g_string_append_printf (dump, "%s\n", summary);

  return g_string_free (dump, FALSE);
}

ForeDecoder *
agents_tools_decode (const ForeAdapter *adapter, gboolean live, const char *data, gsize length)
{
  ForeDecoder *decoder = fore_adapter_new_decoder (adapter, live);

  fore_decoder_feed (decoder, data, length, NULL, NULL);
  fore_decoder_finish (decoder, NULL, NULL);

  return decoder;
}

/* The folder with recordings of real agents, or NULL where there is none. */
char *
agents_tools_find_recordings (void)
{
  const char *set = g_getenv ("FOREDECK_CONFORMANCE");
  g_autofree char *root = g_test_build_filename (G_TEST_DIST, "..", "..", "shared", "conformance",
                                                 NULL);
  g_autofree char *path = g_build_filename (set != NULL ? set : root, "wire", NULL);

  return g_file_test (path, G_FILE_TEST_IS_DIR) ? g_steal_pointer (&path) : NULL;
}
