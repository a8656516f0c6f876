/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents-tools.h"
#include "conformance-checks.h"

#include <string.h>

/* Every recording of a real agent that is at hand, whole and in pieces, and with its lines doubled,
 * lost, out of order and garbled. Skipped where there are no recordings.
 */
typedef struct
{
  char *path;
  char *name;
  const ForeAdapter *adapter;
  gboolean live;
} Recording;

/* Of a folder with both kinds, @live_files is how the names of the live ones begin. */
static const struct
{
  const char *prefix;
  const char *adapter;
  const char *live_files;
} folders[] = {
  { "pi-1", "pi", "rpc-" },
  { "pi-0", "pi", "rpc-" },
  { "claude-2", "claude", "stream-" },
  { "codex-0", "codex", "app-" },
  { "gemini-0.61.0-acp", "demo", "" },
  { "gemini-0", "gemini", NULL },
  { "opencode-1.18.33-acp", "demo", "" },
  { "opencode-1", "opencode", NULL },
  { "claude-agent-acp", "demo", "" },
  { "codex-acp", "demo", "" },
  { "pi-acp", "demo", "" },
};

static GPtrArray *recordings;

static void
recording_free (gpointer data)
{
  Recording *recording = data;

  g_free (recording->path);
  g_free (recording->name);
  g_free (recording);
}

static void
add_folder (const char *root, const char *folder)
{
  g_autofree char *path = g_build_filename (root, folder, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  guint kind;

  for (kind = 0; kind < G_N_ELEMENTS (folders); kind++)
    {
      if (g_str_has_prefix (folder, folders[kind].prefix))
        break;
    }

  while (dir != NULL && kind < G_N_ELEMENTS (folders) && (name = g_dir_read_name (dir)) != NULL)
    {
      Recording *recording;

      if (!g_str_has_suffix (name, ".jsonl") || g_str_has_suffix (name, ".stdin.jsonl")
          || g_str_has_suffix (name, ".timeline.jsonl") || g_str_has_prefix (name, "serve-"))
        continue;

      recording = g_new0 (Recording, 1);
      recording->path = g_build_filename (path, name, NULL);
      recording->name = g_strdup_printf ("%s/%s", folder, name);
      recording->adapter = fore_adapter_lookup (folders[kind].adapter);
      recording->live = folders[kind].live_files != NULL
                        && g_str_has_prefix (name, folders[kind].live_files);
      g_ptr_array_add (recordings, recording);
    }
}

static void
find_recordings (void)
{
  g_autofree char *root = agents_tools_find_recordings ();
  g_autoptr (GDir) dir = root != NULL ? g_dir_open (root, 0, NULL) : NULL;
  const char *name;

  recordings = g_ptr_array_new_with_free_func (recording_free);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    add_folder (root, name);
}

static char *
load (const Recording *recording, gsize *length)
{
  char *data;

  g_assert_true (g_file_get_contents (recording->path, &data, length, NULL));

  return data;
}

static gboolean
skip_without_recordings (void)
{
  if (recordings->len == 0)
    g_test_skip ("no recordings; FOREDECK_CONFORMANCE names their folder");

  return recordings->len == 0;
}

static int
compare_sizes (gconstpointer a, gconstpointer b)
{
  gsize first = *(const gsize *) a;
  gsize second = *(const gsize *) b;

  return (first > second) - (first < second);
}

static void
test_pieces (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);

  if (skip_without_recordings ())
    return;

  for (guint i = 0; i < recordings->len; i++)
    {
      const Recording *recording = g_ptr_array_index (recordings, i);
      gsize length;
      g_autofree char *data = load (recording, &length);
      g_autofree char *whole = agents_tools_dump (recording->adapter, recording->live, data, length,
                                                  NULL, 0);
      gsize cuts[40];
      g_autofree char *pieces = NULL;

      for (guint n = 0; n < G_N_ELEMENTS (cuts); n++)
        cuts[n] = length > 0 ? (gsize) g_rand_int_range (rand, 0, length) : 0;
      qsort (cuts, G_N_ELEMENTS (cuts), sizeof cuts[0], compare_sizes);
      pieces = agents_tools_dump (recording->adapter, recording->live, data, length, cuts,
                                  G_N_ELEMENTS (cuts));
      g_test_message ("%s", recording->name);
      g_assert_cmpstr (pieces, ==, whole);
    }
}

static void
test_outcomes (void)
{
  guint checked = 0;

  if (skip_without_recordings ())
    return;

  for (guint i = 0; i < recordings->len; i++)
    {
      const Recording *recording = g_ptr_array_index (recordings, i);
      gsize length;
      g_autofree char *data = load (recording, &length);
      g_autoptr (ForeDecoder) decoder = agents_tools_decode (recording->adapter, recording->live,
                                                             data, length);
      const ForeSummary *summary = fore_decoder_get_summary (decoder);

      g_test_message ("%s", recording->name);
      if (!recording->live)
        checked += conformance_check (recording->adapter->name, data, summary);
    }

  g_assert_cmpuint (checked, >, 20);
}

static void
swap_lines (GPtrArray *lines, guint a, guint b)
{
  gpointer line = lines->pdata[a];

  lines->pdata[a] = lines->pdata[b];
  lines->pdata[b] = line;
}

static void
garble (char *line, GRand *rand)
{
  gsize length = strlen (line);

  if (length == 0)
    return;
  if (g_rand_boolean (rand))
    line[g_rand_int_range (rand, 0, length)] = '\0';
  else
    line[g_rand_int_range (rand, 0, length)] = (char) g_rand_int_range (rand, 1, 256);
}

static char *
disturb (const char *data, GRand *rand)
{
  g_auto (GStrv) split = g_strsplit (data, "\n", -1);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; split[i] != NULL; i++)
    {
      int what = g_rand_int_range (rand, 0, 20);

      if (what == 0)
        continue;
      g_ptr_array_add (lines, g_strdup (split[i]));
      if (what == 1)
        g_ptr_array_add (lines, g_strdup (split[i]));
      if (what == 2)
        garble (lines->pdata[lines->len - 1], rand);
      if (what == 3 && lines->len > 1)
        swap_lines (lines, lines->len - 1, g_rand_int_range (rand, 0, lines->len));
    }
  g_ptr_array_add (lines, NULL);

  return g_strjoinv ("\n", (char **) lines->pdata);
}

static void
test_disturbed (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  if (skip_without_recordings ())
    return;

  for (guint i = 0; i < recordings->len; i++)
    {
      const Recording *recording = g_ptr_array_index (recordings, i);
      gsize length;
      g_autofree char *data = load (recording, &length);

      for (guint n = 0; n < 3; n++)
        {
          g_autofree char *disturbed = disturb (data, rand);
          g_autofree char *dump = agents_tools_dump (recording->adapter, recording->live, disturbed,
                                                     strlen (disturbed), NULL, 0);

          g_assert_true (g_utf8_validate (dump, -1, NULL));
        }
    }
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  find_recordings ();
  g_test_add_func ("/conformance/pieces", test_pieces);
  g_test_add_func ("/conformance/outcomes", test_outcomes);
  g_test_add_func ("/conformance/disturbed", test_disturbed);
  result = g_test_run ();
  g_ptr_array_unref (recordings);

  return result;
}
