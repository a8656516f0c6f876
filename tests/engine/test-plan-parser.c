/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "engine/fore-plan-json.h"
#include "engine/fore-plan-parser.h"
#include "model/fore-error.h"
#include "text/fore-json.h"

static const char *const roles[] = { "executor", "test-engineer", "writer", NULL };
static const char *const taken[] = { "explore", "plan", "verify", NULL };

static ForePlanFinding
parse (const char *answer, ForePlan **plan, char **problem)
{
  const ForePlanRules rules = { roles, taken, 50 };

  return fore_plan_parse (answer, &rules, plan, problem);
}

#define ITEM(id, more) "{\"id\":\"" id "\",\"role\":\"executor\",\"task\":\"Do it.\"" more "}"
#define PLAN(items) "{\"title\":\"T\",\"summary\":\"S\",\"items\":[" items "]}"
#define FENCED(plan) "Here it is.\n\n```json\n" plan "\n```\n"

static ForePlan *
assert_found (const char *answer)
{
  g_autofree char *problem = NULL;
  ForePlan *plan = NULL;

  g_assert_cmpint (parse (answer, &plan, &problem), ==, FORE_PLAN_FOUND);
  g_assert_null (problem);
  g_assert_null (plan->repaired);

  return plan;
}

static ForePlan *
assert_repaired (const char *answer, const char *const *words)
{
  g_autofree char *problem = NULL;
  ForePlan *plan = NULL;

  g_assert_cmpint (parse (answer, &plan, &problem), ==, FORE_PLAN_REPAIRED);
  for (guint i = 0; words[i] != NULL; i++)
    g_assert_nonnull (strstr (plan->repaired, words[i]));

  return plan;
}

static void
assert_broken (const char *answer, const char *word)
{
  g_autofree char *problem = NULL;
  ForePlan *plan = NULL;

  g_assert_cmpint (parse (answer, &plan, &problem), ==, FORE_PLAN_BROKEN);
  g_assert_null (plan);
  if (strstr (problem, word) == NULL)
    g_error ("“%s” is not in: %s", word, problem);
}

static const ForePlanItem *
get_item (const ForePlan *plan, guint i)
{
  g_assert_cmpuint (plan->items->len, >, i);

  return g_ptr_array_index (plan->items, i);
}

static void
test_found_in_a_fence (void)
{
  g_autoptr (ForePlan) plan = assert_found (FENCED (PLAN (ITEM ("a", "") "," ITEM (
      "b", ",\"dependsOn\":[\"a\"],\"paths\":[\"src/b.c\"],\"checks\":[[\"make\",\"check\"]]"))));
  const ForePlanItem *b = get_item (plan, 1);

  g_assert_cmpstr (plan->title, ==, "T");
  g_assert_cmpstr (b->depends_on[0], ==, "a");
  g_assert_cmpstr (b->paths[0], ==, "src/b.c");
  g_assert_cmpuint (b->checks->len, ==, 1);
}

static void
test_found_without_a_fence (void)
{
  g_autoptr (ForePlan) plan = assert_found ("Sure: " PLAN (ITEM ("a", "")) " That is all.");

  g_assert_cmpuint (plan->items->len, ==, 1);
}

static void
test_the_last_block_counts (void)
{
  g_autoptr (ForePlan) plan = assert_found (
      FENCED (PLAN (ITEM ("draft", ""))) "No, better:\n" FENCED (PLAN (ITEM ("final", ""))));

  g_assert_cmpstr (get_item (plan, 0)->id, ==, "final");
}

static void
test_a_block_of_code_is_no_plan (void)
{
  g_autoptr (ForePlan) plan = assert_found (
      FENCED (PLAN (ITEM ("a", ""))) "Try it:\n```sh\nmake {all}\n```\n");

  g_assert_cmpstr (get_item (plan, 0)->id, ==, "a");
}

static void
test_repaired_roles_and_dependencies (void)
{
  static const char *const words[] = { "executer", "executor", "ghost", NULL };
  g_autoptr (ForePlan) plan = assert_repaired (
      FENCED ("{\"items\":[{\"id\":\"a\",\"role\":\"executer\",\"dependsOn\":[\"ghost\"]}]}"),
      words);

  g_assert_cmpstr (get_item (plan, 0)->role, ==, "executor");
  g_assert_cmpuint (g_strv_length (get_item (plan, 0)->depends_on), ==, 0);
}

static void
test_repaired_ids_keep_their_edges (void)
{
  static const char *const words[] = { "first-thing", NULL };
  g_autoptr (ForePlan) plan = assert_repaired (
      FENCED (PLAN (ITEM ("First Thing", "") "," ITEM ("b", ",\"dependsOn\":[\"First Thing\"]"))),
      words);

  g_assert_cmpstr (get_item (plan, 0)->id, ==, "first-thing");
  g_assert_cmpstr (get_item (plan, 1)->depends_on[0], ==, "first-thing");
}

static void
test_ids_that_are_taken_get_a_number (void)
{
  static const char *const words[] = { "verify", "verify-2", NULL };
  g_autoptr (ForePlan) plan = assert_repaired (
      FENCED (PLAN (ITEM ("verify", "") "," ITEM ("b", ",\"dependsOn\":[\"verify\"]"))), words);

  g_assert_cmpstr (get_item (plan, 0)->id, ==, "verify-2");
  g_assert_cmpstr (get_item (plan, 1)->depends_on[0], ==, "verify-2");
}

static void
test_repaired_paths_and_checks (void)
{
  static const char *const words[] = { "../up", "/etc/passwd", "check", NULL };
  g_autoptr (ForePlan) plan = assert_repaired (
      FENCED (PLAN (ITEM (
          "a", ",\"paths\":[\"../up\",\"/etc/passwd\",\"ok\"],\"checks\":[7,[],[\"true\"]]"))),
      words);

  g_assert_cmpuint (g_strv_length (get_item (plan, 0)->paths), ==, 1);
  g_assert_cmpuint (get_item (plan, 0)->checks->len, ==, 1);
}

static void
test_truncated_at_every_byte (void)
{
  static const char whole[] = FENCED (
      PLAN (ITEM ("a", "") "," ITEM ("b", ",\"dependsOn\":[\"a\"]")));
  const char *first_end = strstr (whole, "}") + 1;
  const char *all_end = strstr (first_end, "}") + 1;

  for (gsize n = 0; n < sizeof whole - 1; n++)
    {
      g_autofree char *cut = g_strndup (whole, n);
      g_autofree char *problem = NULL;
      g_autoptr (ForePlan) plan = NULL;
      ForePlanFinding finding = parse (cut, &plan, &problem);

      if (n < (gsize) (first_end - whole))
        g_assert_null (plan);
      else if (n < (gsize) (all_end - whole))
        g_assert_cmpuint (plan->items->len, ==, 1);
      else
        g_assert_cmpuint (plan->items->len, ==, 2);
      g_assert_true ((plan == NULL) == (finding >= FORE_PLAN_BROKEN));
      g_assert_true ((problem == NULL) == (finding == FORE_PLAN_FOUND));
    }
}

static void
test_missing (void)
{
  static const char *const answers[]
      = { NULL, "", "No.", "{}", "```\nls\n```", "I {would} not [plan]." };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *problem = NULL;
      ForePlan *plan = NULL;

      g_assert_cmpint (parse (answers[i], &plan, &problem), ==, FORE_PLAN_MISSING);
      g_assert_null (plan);
      g_assert_nonnull (problem);
    }
}

static void
test_broken (void)
{
  assert_broken (FENCED ("{\"items\":[}"), "");
  assert_broken (FENCED ("{\"items\":[]}"), "items");
  assert_broken (FENCED ("{\"items\":{\"a\":1}}"), "items");
  assert_broken (FENCED (PLAN ("{\"id\":\"a\",\"role\":\"astronaut\"}")), "astronaut");
}

static void
test_cyclic_names_the_cycle (void)
{
  assert_broken (FENCED (PLAN (ITEM ("a", ",\"dependsOn\":[\"c\"]") "," ITEM (
                     "b", ",\"dependsOn\":[\"a\"]") "," ITEM ("c", ",\"dependsOn\":[\"b\"]"))),
                 "a");
  assert_broken (FENCED (PLAN (ITEM ("alone", ",\"dependsOn\":[\"alone\"]"))), "alone");
}

static void
test_the_same_id_twice (void)
{
  assert_broken (FENCED (PLAN (ITEM ("twin", "") "," ITEM ("twin", ""))), "twin");
}

static void
test_10000_items_are_over_the_limit (void)
{
  g_autoptr (GString) text = g_string_new ("```json\n{\"items\":[");
  gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < 10000; i++)
    g_string_append_printf (text, "%s{\"id\":\"t%u\",\"role\":\"executor\"}", i > 0 ? "," : "", i);
  g_string_append (text, "]}\n```");

  assert_broken (text->str, "10000");
  g_assert_cmpint (g_get_monotonic_time () - start, <, 5 * G_USEC_PER_SEC);
}

static void
test_100000_brackets (void)
{
  g_autofree char *brackets = g_strnfill (100000, '[');
  g_autofree char *braces = g_strnfill (100000, '{');
  g_autofree char *a = g_strconcat ("```\n{\"items\":", brackets, NULL);
  g_autofree char *b = g_strconcat ("{\"plan\":", braces, NULL);

  assert_broken (a, "");
  assert_broken (b, "");
}

static void
test_round_trip (void)
{
  g_autoptr (ForePlan) plan = assert_found (FENCED (PLAN (ITEM ("a", ",\"live\":true") "," ITEM (
      "b", ",\"dependsOn\":[\"a\"],\"paths\":[\"x\",\"y/"
           "z\"],\"checks\":[[\"sh\",\"-c\",\"\\\"q\\\" ü\"]],\"dropped\":true"))));
  g_autoptr (JsonNode) node = fore_plan_to_json (plan);
  g_autofree char *text = fore_json_to_string (node, TRUE);
  g_autoptr (JsonNode) again = fore_json_parse (text, -1, NULL, NULL);
  g_autoptr (GPtrArray) changes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (ForePlan) copy = fore_plan_from_json (again, changes, NULL);

  g_assert_cmpuint (changes->len, ==, 0);
  fore_plan_update_hash (plan);
  fore_plan_update_hash (copy);
  g_assert_cmpstr (plan->hash, ==, copy->hash);
  g_assert_true (get_item (copy, 1)->dropped);
  g_assert_true (get_item (copy, 0)->live);
}

#define CHECKED                                                                                    \
  "{\"items\":[{\"id\":\"a\",\"role\":\"executor\",\"checks\":[%s],\"dependsOn\":%s,\"paths\":[%"  \
  "s]}]}"

static ForePlan *
read_edited (const char *checks, const char *depends_on, const char *paths, GError **error)
{
  const ForePlanRules rules = { roles, NULL, 10 };
  g_autofree char *json = g_strdup_printf (CHECKED, checks, depends_on, paths);

  return fore_plan_read_edited (json, &rules, error);
}

static void
test_checks_as_foredeckctl_prints_them (void)
{
  g_autoptr (ForePlan) plan = read_edited ("{\"argv\":[\"make\",\"check\"],\"verified\":\"none\"}",
                                           "[]", "", NULL);
  const ForeCheck *check;

  g_assert_nonnull (plan);
  g_assert_cmpuint (get_item (plan, 0)->checks->len, ==, 1);
  check = g_ptr_array_index (get_item (plan, 0)->checks, 0);
  g_assert_cmpuint (g_strv_length (check->argv), ==, 2);
  g_assert_cmpstr (check->argv[1], ==, "check");
}

static void
test_an_edited_plan_is_never_changed (void)
{
  static const struct
  {
    const char *checks;
    const char *depends_on;
    const char *paths;
    const char *said;
  } cases[] = {
    { "{\"verified\":\"none\"}", "[]", "", "check" },
    { "", "[\"nosuch\"]", "", "nosuch" },
    { "", "\"nosuch\"", "", "dependsOn" },
    { "", "[1]", "", "dependsOn" },
    { "", "[]", "\"../out\"", "../out" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (read_edited (cases[i].checks, cases[i].depends_on, cases[i].paths, &error));
      g_assert_error (error, FORE_ERROR, FORE_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, cases[i].said));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/plan-parser/found-in-a-fence", test_found_in_a_fence);
  g_test_add_func ("/plan-parser/found-without-a-fence", test_found_without_a_fence);
  g_test_add_func ("/plan-parser/the-last-block-counts", test_the_last_block_counts);
  g_test_add_func ("/plan-parser/a-block-of-code-is-no-plan", test_a_block_of_code_is_no_plan);
  g_test_add_func ("/plan-parser/repaired/roles-and-dependencies",
                   test_repaired_roles_and_dependencies);
  g_test_add_func ("/plan-parser/repaired/ids-keep-their-edges",
                   test_repaired_ids_keep_their_edges);
  g_test_add_func ("/plan-parser/repaired/ids-that-are-taken",
                   test_ids_that_are_taken_get_a_number);
  g_test_add_func ("/plan-parser/repaired/paths-and-checks", test_repaired_paths_and_checks);
  g_test_add_func ("/plan-parser/truncated-at-every-byte", test_truncated_at_every_byte);
  g_test_add_func ("/plan-parser/missing", test_missing);
  g_test_add_func ("/plan-parser/broken", test_broken);
  g_test_add_func ("/plan-parser/cyclic-names-the-cycle", test_cyclic_names_the_cycle);
  g_test_add_func ("/plan-parser/the-same-id-twice", test_the_same_id_twice);
  g_test_add_func ("/plan-parser/10000-items", test_10000_items_are_over_the_limit);
  g_test_add_func ("/plan-parser/100000-brackets", test_100000_brackets);
  g_test_add_func ("/plan-parser/round-trip", test_round_trip);

  g_test_add_func ("/plan-parser/edited/checks-as-printed", test_checks_as_foredeckctl_prints_them);
  g_test_add_func ("/plan-parser/edited/never-changed", test_an_edited_plan_is_never_changed);

  return g_test_run ();
}
