/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-markdown.h"

#include <string.h>

static const ForeMarkdownBlock *
get_block (GPtrArray *blocks, guint index)
{
  g_assert_cmpuint (index, <, blocks->len);
  return g_ptr_array_index (blocks, index);
}

static void
test_blocks (void)
{
  g_autoptr (GPtrArray) blocks = fore_markdown_parse (
      "# Title\n\nSome *text*\n\n- one\n  1. inner\n- [x] two\n\n```c\nint i;\n```\n\n> "
      "said\n\n---\n",
      -1);

  g_assert_cmpuint (blocks->len, ==, 8);
  g_assert_cmpint (get_block (blocks, 0)->kind, ==, FORE_MARKDOWN_HEADING);
  g_assert_cmpuint (get_block (blocks, 0)->level, ==, 1);
  g_assert_cmpstr (get_block (blocks, 1)->text, ==, "Some text");
  g_assert_cmpint (get_block (blocks, 2)->kind, ==, FORE_MARKDOWN_ITEM);
  g_assert_cmpstr (get_block (blocks, 2)->marker, ==, "•");
  g_assert_cmpstr (get_block (blocks, 3)->marker, ==, "1.");
  g_assert_cmpuint (get_block (blocks, 3)->level, ==, 1);
  g_assert_cmpstr (get_block (blocks, 4)->marker, ==, "☑");
  g_assert_cmpint (get_block (blocks, 5)->kind, ==, FORE_MARKDOWN_CODE);
  g_assert_cmpstr (get_block (blocks, 5)->text, ==, "int i;");
  g_assert_cmpstr (get_block (blocks, 5)->language, ==, "c");
  g_assert_cmpuint (get_block (blocks, 6)->quoted, ==, 1);
  g_assert_cmpint (get_block (blocks, 7)->kind, ==, FORE_MARKDOWN_RULE);
}

static void
test_table (void)
{
  g_autoptr (GPtrArray) blocks = fore_markdown_parse ("| a | b |\n|---|---|\n| 1 | `2` |\n", -1);
  GPtrArray *row;

  g_assert_cmpuint (blocks->len, ==, 1);
  g_assert_cmpint (get_block (blocks, 0)->kind, ==, FORE_MARKDOWN_TABLE);
  g_assert_cmpuint (get_block (blocks, 0)->cells->len, ==, 2);
  row = g_ptr_array_index (get_block (blocks, 0)->cells, 1);
  g_assert_cmpuint (row->len, ==, 2);
  g_assert_cmpstr (get_block (row, 1)->text, ==, "2");
}

static void
test_attributes_lie_on_their_words (void)
{
  g_autoptr (GPtrArray) blocks = fore_markdown_parse ("a **böld** c", -1);
  const ForeMarkdownBlock *block = get_block (blocks, 0);
  PangoAttrIterator *iter = pango_attr_list_get_iterator (block->attributes);
  gboolean found = FALSE;

  do
    {
      PangoAttribute *weight = pango_attr_iterator_get (iter, PANGO_ATTR_WEIGHT);

      if (weight == NULL)
        continue;
      g_assert_cmpuint (weight->start_index, ==, 2);
      g_assert_cmpuint (weight->end_index, ==, 2 + strlen ("böld"));
      found = TRUE;
    }
  while (pango_attr_iterator_next (iter));
  pango_attr_iterator_destroy (iter);
  g_assert_true (found);
}

static void
test_markup_stays_text (void)
{
  g_autoptr (GPtrArray) blocks = fore_markdown_parse (
      "<span size=\"900000\">x</span> &amp; <a href=\"file:///\">y</a>\n\n<script>z</script>", -1);

  g_assert_nonnull (strstr (get_block (blocks, 0)->text, "<span size=\"900000\">"));
  g_assert_nonnull (strstr (get_block (blocks, 1)->text, "<script>"));
}

static void
test_link_shows_where_it_leads (void)
{
  g_autoptr (GPtrArray) blocks = fore_markdown_parse (
      "[bank](https://evil.example/) and <https://same.example/>", -1);

  g_assert_cmpstr (get_block (blocks, 0)->text, ==,
                   "bank (https://evil.example/) and https://same.example/");
}

static void
test_hidden_characters_are_seen (void)
{
  g_autoptr (GPtrArray) blocks = fore_markdown_parse (
      "a\u202eb\u200bc\x1b[31m `x\u2066`\n\n```\u202e\ny\u200f\n```", -1);

  for (guint i = 0; i < blocks->len; i++)
    {
      const ForeMarkdownBlock *block = get_block (blocks, i);

      g_assert_null (strstr (block->text, "\u202e"));
      g_assert_null (strstr (block->text, "\u200b"));
      g_assert_null (strstr (block->text, "\u2066"));
      g_assert_null (strstr (block->text, "\u200f"));
      g_assert_null (strchr (block->text, '\x1b'));
    }
  g_assert_nonnull (strstr (get_block (blocks, 0)->text, "U+202E"));
}

static char *
repeat (const char *part, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append (text, part);

  return g_string_free (text, FALSE);
}

static void
check_valid (GPtrArray *blocks)
{
  for (guint i = 0; i < blocks->len; i++)
    {
      const ForeMarkdownBlock *block = get_block (blocks, i);

      if (block->cells == NULL)
        g_assert_true (g_utf8_validate (block->text, -1, NULL));
    }
}

/* Deep nesting and unclosed spans are what parsers choke on. */
static void
test_hostile_shapes (void)
{
  static const char *const parts[] = { ">",    "- ",  "* *", "[",    "![", "**a ", "`",   "<",
                                       "| a ", "1. ", "_a*", "\n\n", "~~", "&",    "[a](" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *text = repeat (parts[i], 5000);
      gint64 begin = g_get_monotonic_time ();
      g_autoptr (GPtrArray) blocks = fore_markdown_parse (text, -1);

      check_valid (blocks);
      g_assert_cmpint (g_get_monotonic_time () - begin, <, 5 * G_USEC_PER_SEC);
    }
}

static void
test_random_bytes (void)
{
  static const char alphabet[] = "ab *_`#>-+[]()!|~<&\n\n\t 1.\\:\xc3\xb6\xff\xe2\x80\xae\"'=";
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (guint i = 0; i < 3000; i++)
    {
      char text[200];
      gsize n = g_rand_int_range (rand, 0, sizeof text);
      g_autoptr (GPtrArray) blocks = NULL;

      for (gsize k = 0; k < n; k++)
        text[k] = alphabet[g_rand_int_range (rand, 0, sizeof alphabet - 1)];
      blocks = fore_markdown_parse (text, n);
      check_valid (blocks);
    }
}

static void
test_long_text_is_plain (void)
{
  g_autofree char *text = repeat ("# a\n", 100000);
  g_autoptr (GPtrArray) blocks = fore_markdown_parse (text, -1);

  g_assert_cmpuint (blocks->len, ==, 1);
  g_assert_cmpuint (strlen (get_block (blocks, 0)->text), ==, strlen (text));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/markdown/blocks", test_blocks);
  g_test_add_func ("/markdown/table", test_table);
  g_test_add_func ("/markdown/attributes", test_attributes_lie_on_their_words);
  g_test_add_func ("/markdown/markup", test_markup_stays_text);
  g_test_add_func ("/markdown/link", test_link_shows_where_it_leads);
  g_test_add_func ("/markdown/hidden", test_hidden_characters_are_seen);
  g_test_add_func ("/markdown/hostile-shapes", test_hostile_shapes);
  g_test_add_func ("/markdown/random", test_random_bytes);
  g_test_add_func ("/markdown/long", test_long_text_is_plain);

  return g_test_run ();
}
