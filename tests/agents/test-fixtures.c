/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents-tools.h"

#include "agents/fore-decode-json.h"
#include "text/fore-json.h"

#include <math.h>
#include <string.h>

/* fixtures/CLI/NAME.jsonl is what a CLI printed (NAME.live.jsonl in a live session), and the
 * NAME.json beside it says what has to come out: `summary` and `entries` as foredeckctl decode
 * prints them, of which only what stands there is compared; `kinds`, those of all entries in order;
 * and what the attempt is judged to be after `exit`, `signal` and `stderr`: `cause` and `message`.
 * Each is also fed in two pieces, cut anywhere.
 */
typedef struct
{
  const ForeAdapter *adapter;
  gboolean live;
  char *path;
  JsonObject *expected;
} Fixture;

static void
fixture_free (gpointer data)
{
  Fixture *fixture = data;

  g_free (fixture->path);
  json_object_unref (fixture->expected);
  g_free (fixture);
}

static void assert_includes (const char *where, JsonNode *expected, JsonNode *found);

static void
assert_members (const char *where, JsonObject *expected, JsonNode *found)
{
  g_autoptr (GList) members = json_object_get_members (expected);

  if (!JSON_NODE_HOLDS_OBJECT (found))
    g_error ("%s is no object", where);

  for (GList *l = members; l != NULL; l = l->next)
    {
      g_autofree char *inner = g_strconcat (where, ".", l->data, NULL);
      JsonNode *member = json_object_get_member (json_node_get_object (found), l->data);

      if (member == NULL)
        g_error ("%s is missing", inner);
      assert_includes (inner, json_object_get_member (expected, l->data), member);
    }
}

static void
assert_elements (const char *where, JsonArray *expected, JsonNode *found)
{
  if (!JSON_NODE_HOLDS_ARRAY (found)
      || json_array_get_length (json_node_get_array (found)) != json_array_get_length (expected))
    g_error ("%s has another length", where);

  for (guint i = 0; i < json_array_get_length (expected); i++)
    assert_includes (where, json_array_get_element (expected, i),
                     json_array_get_element (json_node_get_array (found), i));
}

static void
assert_includes (const char *where, JsonNode *expected, JsonNode *found)
{
  g_autofree char *expected_text = fore_json_to_string (expected, FALSE);
  g_autofree char *found_text = fore_json_to_string (found, FALSE);

  if (JSON_NODE_HOLDS_OBJECT (expected))
    assert_members (where, json_node_get_object (expected), found);
  else if (JSON_NODE_HOLDS_ARRAY (expected))
    assert_elements (where, json_node_get_array (expected), found);
  else if (json_node_get_value_type (expected) == G_TYPE_DOUBLE)
    g_assert_cmpfloat_with_epsilon (json_node_get_double (expected), json_node_get_double (found),
                                    1e-9);
  else if (strcmp (expected_text, found_text) != 0)
    g_error ("%s is %s and not %s", where, found_text, expected_text);
}

static JsonNode *
find_entry (JsonArray *entries, const char *id)
{
  for (guint i = 0; i < json_array_get_length (entries); i++)
    {
      JsonObject *entry = json_array_get_object_element (entries, i);

      if (g_strcmp0 (fore_json_get_string (entry, "id", NULL), id) == 0)
        return json_array_get_element (entries, i);
    }

  g_error ("there is no entry %s", id);
}

static void
assert_entries (JsonObject *expected, JsonArray *entries)
{
  JsonArray *wanted = fore_json_get_array (expected, "entries");
  const char *kinds = fore_json_get_string (expected, "kinds", NULL);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; wanted != NULL && i < json_array_get_length (wanted); i++)
    {
      JsonNode *entry = json_array_get_element (wanted, i);
      const char *id = fore_json_get_string (json_node_get_object (entry), "id", NULL);

      assert_includes (id, entry, find_entry (entries, id));
    }

  for (guint i = 0; i < json_array_get_length (entries); i++)
    g_string_append_printf (
        found, "%s%s", i > 0 ? " " : "",
        fore_json_get_string (json_array_get_object_element (entries, i), "kind", ""));
  if (kinds != NULL)
    g_assert_cmpstr (found->str, ==, kinds);
}

static void
test_decoded (gconstpointer data)
{
  const Fixture *fixture = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = fore_decoder_decode_file (fixture->adapter, fixture->path,
                                                        fixture->live, &error);
  JsonObject *decoded;

  g_assert_no_error (error);
  decoded = json_node_get_object (node);
  if (json_object_has_member (fixture->expected, "summary"))
    assert_includes ("summary", json_object_get_member (fixture->expected, "summary"),
                     json_object_get_member (decoded, "summary"));
  assert_entries (fixture->expected, fore_json_get_array (decoded, "entries"));
}

static void
test_judged (gconstpointer data)
{
  const Fixture *fixture = data;
  const char *expected = fore_json_get_string (fixture->expected, "cause", NULL);
  const char *sentence = fore_json_get_string (fixture->expected, "message", NULL);
  const char *said = fore_json_get_string (fixture->expected, "stderr", "");
  int signal = fore_json_get_int (fixture->expected, "signal", 0);
  int exit_code = signal != 0 ? -1 : fore_json_get_int (fixture->expected, "exit", 0);
  g_autoptr (ForeDecoder) decoder = NULL;
  g_autofree char *message = NULL;
  g_autofree char *bytes = NULL;
  gsize length;
  ForeCause cause;

  if (expected == NULL)
    return;

  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  decoder = agents_tools_decode (fixture->adapter, fixture->live, bytes, length);
  fore_decoder_note_stderr (decoder, said, strlen (said));
  cause = fore_decoder_judge (decoder, exit_code, signal, fixture->adapter->stream_required,
                              &message);
  g_assert_cmpstr (cause == FORE_CAUSE_NONE ? "none" : fore_cause_to_string (cause), ==, expected);
  g_assert_true ((cause == FORE_CAUSE_NONE) == (message == NULL));
  if (sentence != NULL)
    g_assert_cmpstr (message, ==, sentence);
}

static void
test_cut_anywhere (gconstpointer data)
{
  const Fixture *fixture = data;
  g_autofree char *bytes = NULL;
  g_autofree char *whole = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  whole = agents_tools_dump (fixture->adapter, fixture->live, bytes, length, NULL, 0);
  for (gsize cut = 0; cut <= length; cut += 1 + length / 300)
    {
      g_autofree char *pieces = agents_tools_dump (fixture->adapter, fixture->live, bytes, length,
                                                   &cut, 1);

      g_assert_cmpstr (pieces, ==, whole);
    }
}

static JsonObject *
load_expected (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = fore_json_load_file (path, NULL, &error);

  g_assert_no_error (error);

  return json_object_ref (json_node_get_object (node));
}

static void
add_test (const char *what, const char *cli, const char *name, Fixture *fixture, GTestDataFunc func)
{
  g_autofree char *path = g_strdup_printf ("/fixtures/%s/%s/%s", cli, name, what);

  g_test_add_data_func (path, fixture, func);
}

static void
add_fixture (GPtrArray *fixtures, const char *dir, const char *cli, const char *file)
{
  gboolean live = g_str_has_suffix (file, ".live.jsonl");
  g_autofree char *name = g_strndup (file,
                                     strlen (file) - strlen (live ? ".live.jsonl" : ".jsonl"));
  g_autofree char *json = g_strconcat (name, ".json", NULL);
  g_autofree char *expected = g_build_filename (dir, json, NULL);
  Fixture *fixture = g_new0 (Fixture, 1);

  fixture->adapter = fore_adapter_lookup (cli);
  fixture->live = live;
  fixture->path = g_build_filename (dir, file, NULL);
  fixture->expected = load_expected (expected);
  g_ptr_array_add (fixtures, fixture);

  if (fixture->adapter == NULL)
    g_error ("%s is no agent CLI", cli);
  add_test ("decoded", cli, name, fixture, test_decoded);
  add_test ("judged", cli, name, fixture, test_judged);
  add_test ("cut-anywhere", cli, name, fixture, test_cut_anywhere);
}

static void
add_folder (GPtrArray *fixtures, const char *root, const char *cli)
{
  g_autofree char *path = g_build_filename (root, cli, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *file;

  while (dir != NULL && (file = g_dir_read_name (dir)) != NULL)
    {
      if (g_str_has_suffix (file, ".jsonl"))
        add_fixture (fixtures, path, cli, file);
    }
}

int
main (int argc, char **argv)
{
  g_autofree char *root = NULL;
  g_autoptr (GDir) dir = NULL;
  g_autoptr (GPtrArray) fixtures = g_ptr_array_new_with_free_func (fixture_free);
  const char *cli;

  g_test_init (&argc, &argv, NULL);
  root = g_test_build_filename (G_TEST_DIST, "agents", "fixtures", NULL);
  dir = g_dir_open (root, 0, NULL);
  while (dir != NULL && (cli = g_dir_read_name (dir)) != NULL)
    add_folder (fixtures, root, cli);
  g_assert_cmpuint (fixtures->len, >, 0);

  return g_test_run ();
}
