/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-plan-markdown.h"
#include "model/fore-error.h"

#include <string.h>

static const char *const roles[] = { "executor", "test-engineer", "writer", NULL };
static const char *const taken[] = { "plan", "verify", NULL };

static ForePlan *
read_plan (const char *text, GError **error)
{
  const ForePlanRules rules = { roles, taken, 50 };

  return fore_plan_from_markdown (text, -1, &rules, error);
}

static ForePlan *
assert_plan (const char *text, guint n_items)
{
  g_autoptr (GError) error = NULL;
  ForePlan *plan = read_plan (text, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (plan->items->len, ==, n_items);

  return plan;
}

static const ForePlanItem *
get_item (const ForePlan *plan, guint i)
{
  g_assert_cmpuint (plan->items->len, >, i);

  return g_ptr_array_index (plan->items, i);
}

static void
assert_item (const ForePlan *plan, guint i, const char *id, const char *title, const char *after)
{
  const ForePlanItem *item = get_item (plan, i);
  g_autofree char *all = g_strjoinv (",", item->depends_on);

  g_assert_cmpstr (item->id, ==, id);
  g_assert_cmpstr (item->title, ==, title);
  g_assert_cmpstr (all, ==, after);
}

static void
assert_wrong (const char *text, const char *place, const char *word)
{
  g_autoptr (GError) error = NULL;
  ForePlan *plan = read_plan (text, &error);

  g_assert_null (plan);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_INVALID);
  if (!g_str_has_prefix (error->message, place) || strstr (error->message, word) == NULL)
    g_error ("“%s” with “%s” is not: %s", place, word, error->message);
}

static void
test_lists (void)
{
  g_autoptr (ForePlan) plan = assert_plan (
      "# The title\n\nWhat for.\n\n"
      "1. First\n   - a detail\n     more of it\n\n   and more\n"
      "2. Second\n3. Third\n\n"
      "* Beside\n+ Another\n",
      5);

  g_assert_cmpstr (plan->title, ==, "The title");
  g_assert_cmpstr (plan->summary, ==, "What for.");
  assert_item (plan, 0, "first", "First", "");
  g_assert_cmpstr (get_item (plan, 0)->text, ==, "First\n\n- a detail\n  more of it\n\nand more");
  assert_item (plan, 1, "second", "Second", "first");
  assert_item (plan, 2, "third", "Third", "second");
  assert_item (plan, 3, "beside", "Beside", "");
  assert_item (plan, 4, "another", "Another", "");
  g_assert_cmpstr (get_item (plan, 4)->role, ==, "executor");
}

static void
test_headings (void)
{
  g_autoptr (ForePlan) plan = assert_plan ("# T\r\n## Part\r\nWhy.\r\n### One\r\nDo it.\r\n"
                                           "### Two @writer\r\n- first this\r\n- then that\r\n"
                                           "## Lists\r\n- Three\r\n## Four\r\n"
                                           "- paths: a.c\r\n",
                                           4);

  assert_item (plan, 0, "one", "One", "");
  g_assert_cmpstr (get_item (plan, 0)->text, ==, "One\n\nDo it.");
  assert_item (plan, 1, "two", "Two", "");
  g_assert_cmpstr (get_item (plan, 1)->role, ==, "writer");
  g_assert_cmpstr (get_item (plan, 1)->text, ==, "Two\n\n- first this\n- then that");
  assert_item (plan, 2, "three", "Three", "");
  assert_item (plan, 3, "four", "Four", "");
  g_assert_cmpstr (get_item (plan, 3)->paths[0], ==, "a.c");
  g_assert_nonnull (strstr (plan->summary, "Why."));
}

static void
test_tags (void)
{
  g_autoptr (ForePlan) plan = assert_plan (
      "- @writer Tell it (id: docs; after: later, `Third thing`; paths: `a b.md`, docs/x.md) all\n"
      "- Later, in `@code (after: x)` and to a@b.c\n"
      "  - check: `make test`, `sh -c \"a | b\"`\n"
      "  - role: test-engineer\n"
      "  - id: later\n"
      "- Third thing\n",
      3);
  const ForePlanItem *later = get_item (plan, 1);

  assert_item (plan, 0, "docs", "Tell it  all", "later,third-thing");
  g_assert_cmpstr (get_item (plan, 0)->role, ==, "writer");
  g_assert_cmpstr (get_item (plan, 0)->paths[0], ==, "a b.md");
  g_assert_cmpstr (get_item (plan, 0)->paths[1], ==, "docs/x.md");
  assert_item (plan, 1, "later", "Later, in `@code (after: x)` and to a@b.c", "");
  g_assert_cmpstr (later->role, ==, "test-engineer");
  g_assert_cmpuint (later->checks->len, ==, 2);
  g_assert_cmpstr (((ForeCheck *) later->checks->pdata[1])->argv[2], ==, "a | b");
  g_assert_cmpstr (later->text, ==, later->title);
}

static void
test_order_is_what_tags_say (void)
{
  g_autoptr (ForePlan) plan = assert_plan ("1. a\n2. b (after: none)\n3. c (after: a)\n4. d\n"
                                           "## Next\n1. e\n",
                                           5);

  assert_item (plan, 1, "b", "b", "");
  assert_item (plan, 2, "c", "c", "a");
  assert_item (plan, 3, "d", "d", "c");
  assert_item (plan, 4, "e", "e", "");
}

static void
test_what_is_done_is_left_out (void)
{
  g_autoptr (ForePlan) plan = assert_plan (
      "1. [ ] a\n2. [x] b\n   - c\n3. [ ] d\n\n- e (after: b, a)\n- [X] f\n- [link](x) g\n", 4);

  assert_item (plan, 0, "a", "a", "");
  assert_item (plan, 1, "d", "d", "a");
  assert_item (plan, 2, "e", "e", "a");
  g_assert_nonnull (strstr (plan->summary, "b, f"));
}

static void
test_code_and_comments (void)
{
  g_autoptr (ForePlan) plan = assert_plan ("<!-- SPDX\n- not this\n-->\n- a\n\n  ```\n  # no\n"
                                           "  - no\n  check: no\n  ```\n- b\n",
                                           2);

  g_assert_cmpstr (get_item (plan, 0)->text, ==, "a\n\n```\n# no\n- no\ncheck: no\n```");
}

static void
test_ids (void)
{
  g_autoptr (ForePlan) plan = assert_plan ("- Do\n- Do\n- Verify\n- Ü\n", 4);

  assert_item (plan, 1, "do-2", "Do", "");
  assert_item (plan, 2, "verify-2", "Verify", "");
  assert_item (plan, 3, "task", "Ü", "");
}

static void
test_what_is_wrong_is_said_with_its_place (void)
{
  assert_wrong ("", "1:1:", "no items");
  assert_wrong ("# Only\n\ntext\n", "1:1:", "no items");
  assert_wrong ("- [x] a\n", "1:1:", "ticked");
  assert_wrong ("- a\n- ü @wirter\n", "2:5:", "writer");
  assert_wrong ("- a\n  - role: nobody\n", "2:11:", "nobody");
  assert_wrong ("- a @writer @executor\n", "1:13:", "already");
  assert_wrong ("- abc\n- b (after: abd)\n", "2:13:", "“abc”");
  assert_wrong ("- a (after: b)\n- b (after: a)\n", "1:13:", "→");
  assert_wrong ("- a (after: a)\n", "1:13:", "a");
  assert_wrong ("- a (after: )\n", "1:13:", "missing");
  assert_wrong ("- a\n  paths: ok, ../up\n", "2:14:", "../up");
  assert_wrong ("- a (paths: /etc/passwd)\n", "1:13:", "/etc/passwd");
  assert_wrong ("- a\n  check: make\n", "2:10:", "backquotes");
  assert_wrong ("- a\n  check: `make && rm`\n", "2:10:", "shell");
  assert_wrong ("- a\n  check: `x 'y`\n", "2:10:", "command");
  assert_wrong ("- a (id: A b)\n", "1:10:", "id");
  assert_wrong ("- a (id: b)\n- c (id: b)\n", "2:3:", "already");
  assert_wrong ("- a (id: plan)\n", "1:3:", "already");
  assert_wrong ("- a (after: b\n", "1:5:", "bracket");
  assert_wrong ("- a (id: b; what)\n", "1:13:", "after:");
  assert_wrong ("- @writer\n", "1:3:", "title");
  assert_wrong ("- a\n  ~~~\n  b\n", "2:3:", "~~~");
  assert_wrong ("- a\n<!-- b\n", "2:1:", "-->");
  assert_wrong ("- a\n- \xff\n", "2:1:", "UTF-8");
}

static void
test_limits (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) words = g_string_new ("- a (after: a");
  g_autofree char *line = g_strnfill (5000, 'x');
  g_autofree char *long_title = g_strconcat ("- ", line, NULL);
  g_autofree char *huge = g_strnfill (FORE_PLAN_MARKDOWN_MAX + 1, 'x');
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 50; i++)
    g_string_append_printf (text, "- item\n- [x] done\n");
  fore_plan_free (assert_plan (text->str, 50));
  g_string_append (text, "- one more\n");
  assert_wrong (text->str, "101:3:", "50");
  for (guint i = 0; i < 1000; i++)
    g_string_prepend (text, "- [x] done\n");
  assert_wrong (text->str, "1001:", "1000");
  for (guint i = 0; i < 101; i++)
    g_string_append (words, ", a");
  g_string_append (words, ")");
  assert_wrong (words->str, "1:", "100");
  assert_wrong (long_title, "1:1:", "4096");
  g_assert_null (read_plan (huge, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_LIMIT);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/plan-markdown/lists", test_lists);
  g_test_add_func ("/plan-markdown/headings", test_headings);
  g_test_add_func ("/plan-markdown/tags", test_tags);
  g_test_add_func ("/plan-markdown/order", test_order_is_what_tags_say);
  g_test_add_func ("/plan-markdown/done", test_what_is_done_is_left_out);
  g_test_add_func ("/plan-markdown/code", test_code_and_comments);
  g_test_add_func ("/plan-markdown/ids", test_ids);
  g_test_add_func ("/plan-markdown/wrong", test_what_is_wrong_is_said_with_its_place);
  g_test_add_func ("/plan-markdown/limits", test_limits);

  return g_test_run ();
}
