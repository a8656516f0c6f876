/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-error.h"
#include "text/fore-json-slice.h"
#include "text/fore-json.h"

#include <math.h>
#include <string.h>

static void
assert_refused (const char *text, gssize length, int code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = fore_json_parse (text, length, NULL, &error);

  g_assert_null (node);
  g_assert_error (error, FORE_ERROR, code);
}

static char *
round_trip (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = fore_json_parse (text, -1, NULL, &error);

  g_assert_no_error (error);

  return fore_json_to_string (node, FALSE);
}

static void
test_documents (void)
{
  static const char *const texts[] = {
    "{}",
    "[]",
    "null",
    "true",
    "false",
    "0",
    "-0",
    "\"\"",
    "[[],{}]",
    "{\"a\":{\"b\":[1,2,3]}}",
    "[0.1,1e+300,-2.5]",
    "\"é 🚀 \\\" \\\\ \\n\"",
    "9223372036854775807",
    "-9223372036854775808",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *text = round_trip (texts[i]);

      g_assert_cmpstr (text, ==, strcmp (texts[i], "-0") == 0 ? "0" : texts[i]);
    }
}

static void
test_malformed (void)
{
  static const char *const texts[] = {
    "",         " ",         "{",
    "[",        "}",         "]",
    "{]",       "[}",        "[1",
    "[1,",      "[1,]",      "[,1]",
    "{\"a\"}",  "{\"a\":}",  "{\"a\":1,}",
    "{a:1}",    "{\"a\" 1}", "{1:2}",
    "tru",      "nul",       "True",
    "NaN",      "Infinity",  "01",
    "-",        "1.",        ".5",
    "1e",       "1e+",       "+1",
    "0x1",      "\"",        "\"\\\"",
    "\"\\x\"",  "\"\\u12\"", "\"\\u12g4\"",
    "\"a\nb\"", "\"a\tb\"",  "1 2",
    "{} x",     "[] ]",      "\"a\" \"b\"",
    "'a'",      "[1 2]",     "{\"a\":1 \"b\":2}",
    "// c\n1",  "\xef\xbb",  "[1]\x01",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_refused (texts[i], -1, FORE_ERROR_INVALID);

  assert_refused ("\"a\0b\"", 5, FORE_ERROR_INVALID);
  assert_refused ("1\0", 2, FORE_ERROR_INVALID);
}

static void
test_utf8 (void)
{
  static const char *const bad[] = { "\"\x80\"",
                                     "\"\xc3\"",
                                     "\"\xc0\xaf\"",
                                     "\"\xe0\x80\x80\"",
                                     "\"\xed\xa0\x80\"",
                                     "\"\xf5\x80\x80\"",
                                     "\"\xf4\x90\x80\x80\"",
                                     "\"\xf0\x80\x80\x80\"",
                                     "\"\xff\"",
                                     "\"abcdefgh\xe2\x82\"" };
  g_autofree char *good = round_trip (
      "\"\xed\x9f\xbf \xee\x80\x80 \xf4\x8f\xbf\xbf \xe2\x80\xa8\"");

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    assert_refused (bad[i], -1, FORE_ERROR_INVALID);

  g_assert_cmpstr (good, ==, "\"\xed\x9f\xbf \xee\x80\x80 \xf4\x8f\xbf\xbf \xe2\x80\xa8\"");
}

static void
test_surrogates (void)
{
  g_autofree char *pair = round_trip ("\"\\ud83d\\ude80\"");
  g_autofree char *lone = round_trip ("\"\\ud83d!\"");
  g_autofree char *two_high = round_trip ("\"\\ud83d\\ud83d\\ude80\"");
  g_autofree char *low = round_trip ("\"\\ude80\"");
  g_autofree char *nul = round_trip ("\"a\\u0000b\"");

  g_assert_cmpstr (pair, ==, "\"🚀\"");
  g_assert_cmpstr (lone, ==, "\"\xef\xbf\xbd!\"");
  g_assert_cmpstr (two_high, ==, "\"\xef\xbf\xbd🚀\"");
  g_assert_cmpstr (low, ==, "\"\xef\xbf\xbd\"");
  g_assert_cmpstr (nul, ==,
                   "\"a\xef\xbf\xbd"
                   "b\"");
}

static char *
nested (guint depth)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < depth; i++)
    g_string_append_c (text, '[');
  for (guint i = 0; i < depth; i++)
    g_string_append_c (text, ']');

  return g_string_free (text, FALSE);
}

static void
test_depth (void)
{
  ForeJsonLimits limits = { FORE_JSON_MAX_DEPTH, 1024 * 1024 };
  g_autofree char *allowed = nested (FORE_JSON_MAX_DEPTH);
  g_autofree char *deep = nested (FORE_JSON_MAX_DEPTH + 1);
  g_autofree char *abyss = nested (100000);
  g_autoptr (JsonNode) node = fore_json_parse (allowed, -1, &limits, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (node);
  g_assert_null (fore_json_parse (deep, -1, &limits, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_LIMIT);
  assert_refused (abyss, -1, FORE_ERROR_LIMIT);
}

static void
test_size (void)
{
  ForeJsonLimits limits = { 8, 10 };
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = fore_json_parse ("\"12345678\"", -1, &limits, NULL);

  g_assert_nonnull (node);
  g_assert_null (fore_json_parse ("\"123456789\"", -1, &limits, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_LIMIT);
}

static void
test_numbers (void)
{
  g_autoptr (JsonNode) node = fore_json_parse (
      "{\"big\":9223372036854775808,\"small\":-9223372036854775809,\"huge\":1e999,"
      "\"tiny\":-1e999,\"half\":2.5,\"long\":123456789012345678901234567890123456789012345678901234"
      "5678901234567890,\"text\":\"7\"}",
      -1, NULL, NULL);
  JsonObject *object = json_node_get_object (node);

  g_assert_cmpint (fore_json_get_int (object, "big", 0), ==, G_MAXINT64);
  g_assert_cmpint (fore_json_get_int (object, "small", 0), ==, G_MININT64);
  g_assert_cmpint (fore_json_get_int (object, "huge", 0), ==, G_MAXINT64);
  g_assert_cmpint (fore_json_get_int (object, "tiny", 0), ==, G_MININT64);
  g_assert_cmpint (fore_json_get_int (object, "half", 0), ==, 2);
  g_assert_cmpint (fore_json_get_int (object, "long", 0), ==, G_MAXINT64);
  g_assert_cmpint (fore_json_get_int (object, "text", -1), ==, -1);
  g_assert_cmpint (fore_json_get_int (object, "none", -1), ==, -1);
  g_assert_true (isfinite (fore_json_get_double (object, "huge", 0)));
}

static void
test_duplicate_members (void)
{
  g_autofree char *text = round_trip ("{\"a\":1,\"b\":2,\"a\":{\"c\":3}}");

  g_assert_cmpstr (text, ==, "{\"a\":{\"c\":3},\"b\":2}");
}

static void
test_getters_tolerate_other_types (void)
{
  g_autoptr (JsonNode) node = fore_json_parse ("{\"n\":null,\"s\":\"x\",\"a\":[\"p\",1,\"q\"]}", -1,
                                               NULL, NULL);
  JsonObject *object = json_node_get_object (node);
  g_auto (GStrv) words = fore_json_dup_strv (object, "a");

  g_assert_cmpstr (fore_json_get_string (object, "n", "f"), ==, "f");
  g_assert_cmpstr (fore_json_get_string (object, "a", "f"), ==, "f");
  g_assert_cmpstr (fore_json_get_string (NULL, "a", "f"), ==, "f");
  g_assert_true (fore_json_get_bool (object, "s", TRUE));
  g_assert_null (fore_json_get_object (object, "a"));
  g_assert_null (fore_json_get_array (object, "s"));
  g_assert_null (fore_json_dup_strv (object, "s"));
  g_assert_cmpuint (g_strv_length (words), ==, 2);
  g_assert_cmpstr (words[1], ==, "q");
}

static void
test_error_names_the_place (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (fore_json_parse ("{\n  \"a\": 1,\n  \"b\": x\n}", -1, NULL, &error));
  g_assert_nonnull (strstr (error->message, "line 3, byte 8"));
}

static void
test_scanner_skips (void)
{
  ForeJsonScanner scanner;

  fore_json_scanner_init (&scanner, "{\"a\":[1,{\"x\":[]}],\"b\":\"\\u0062\"}", -1, 8);
  g_assert_cmpint (fore_json_scanner_next (&scanner), ==, FORE_JSON_OBJECT_START);
  g_assert_cmpint (fore_json_scanner_next (&scanner), ==, FORE_JSON_KEY);
  g_assert_true (fore_json_scanner_skip (&scanner));
  g_assert_cmpint (fore_json_scanner_next (&scanner), ==, FORE_JSON_KEY);
  g_assert_true (fore_json_scanner_equals (&scanner, "b"));
  g_assert_cmpint (fore_json_scanner_next (&scanner), ==, FORE_JSON_STRING);
  g_assert_true (fore_json_scanner_equals (&scanner, "b"));
  g_assert_cmpint (fore_json_scanner_next (&scanner), ==, FORE_JSON_OBJECT_END);
  g_assert_cmpint (fore_json_scanner_next (&scanner), ==, FORE_JSON_END);
  g_assert_cmpint (fore_json_scanner_next (&scanner), ==, FORE_JSON_END);
}

static void
test_slices (void)
{
  static const char *const names[] = { "type", "missing", "list" };
  static const char text[] = "{\"list\":[\"a\",{\"k\":true},5],\"type\":\"x\\ty\"}";
  ForeJsonSlice values[3], element, member;
  ForeJsonSliceIter iter;
  g_autofree char *type = NULL;
  g_autofree char *json = NULL;

  g_assert_true (fore_json_slice_read_members (text, strlen (text), 16, names, 3, values));
  type = fore_json_slice_dup_string (&values[0]);
  json = fore_json_slice_dup_json (&values[0]);
  g_assert_cmpstr (type, ==, "x\ty");
  g_assert_cmpstr (json, ==, "\"x\\ty\"");
  g_assert_false (fore_json_slice_exists (&values[1]));

  fore_json_slice_iter_init (&iter, &values[2]);
  g_assert_true (fore_json_slice_iter_next (&iter, NULL, &element));
  g_assert_true (fore_json_slice_equals (&element, "a"));
  g_assert_true (fore_json_slice_iter_next (&iter, NULL, &element));
  fore_json_slice_get_member (&element, "k", &member);
  g_assert_true (fore_json_slice_get_bool (&member, FALSE));
  g_assert_true (fore_json_slice_iter_next (&iter, NULL, &element));
  g_assert_cmpint (fore_json_slice_get_int (&element, 0), ==, 5);
  g_assert_false (fore_json_slice_iter_next (&iter, NULL, &element));
}

/* Whatever bytes are changed in a document, it is taken or refused, and never read past its end. */
static void
test_mutations (void)
{
  static const char base[]
      = "{\"type\":\"message\",\"n\":[1,-2.5e3,null,true],\"t\":\"é\\u00e9\\ud83d\\ude80\"}";
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint i = 0; i < 20000; i++)
    {
      gsize length = g_rand_int_range (rand, 0, sizeof base);
      g_autofree char *text = g_memdup2 (base, MAX (length, 1));
      g_autoptr (JsonNode) node = NULL;

      for (guint n = g_rand_int_range (rand, 0, 3); n > 0 && length > 0; n--)
        text[g_rand_int_range (rand, 0, length)] = (char) g_rand_int_range (rand, 0, 256);
      node = fore_json_parse (text, length, NULL, NULL);
      if (node != NULL)
        {
          g_autofree char *again = fore_json_to_string (node, FALSE);

          g_assert_true (g_utf8_validate (again, -1, NULL));
        }
    }
}

static void
test_no_utf8_is_written (void)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (JsonNode) node = NULL;

  fore_json_append_string (out, "a\xff\"b\xe2\x80");
  g_assert_true (g_utf8_validate (out->str, -1, NULL));
  node = fore_json_parse (out->str, -1, NULL, NULL);
  g_assert_nonnull (node);
  g_assert_true (g_str_has_prefix (json_node_get_string (node), "a"));
  g_assert_nonnull (strstr (json_node_get_string (node), "\"b"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/documents", test_documents);
  g_test_add_func ("/json/malformed", test_malformed);
  g_test_add_func ("/json/utf8", test_utf8);
  g_test_add_func ("/json/surrogates", test_surrogates);
  g_test_add_func ("/json/depth", test_depth);
  g_test_add_func ("/json/size", test_size);
  g_test_add_func ("/json/numbers", test_numbers);
  g_test_add_func ("/json/duplicate-members", test_duplicate_members);
  g_test_add_func ("/json/getters", test_getters_tolerate_other_types);
  g_test_add_func ("/json/error-place", test_error_names_the_place);
  g_test_add_func ("/json/scanner-skips", test_scanner_skips);
  g_test_add_func ("/json/slices", test_slices);
  g_test_add_func ("/json/mutations", test_mutations);
  g_test_add_func ("/json/write/no-utf8", test_no_utf8_is_written);

  return g_test_run ();
}
