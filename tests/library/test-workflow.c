/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>
#include <time.h>

#include "library-fixture.h"
#include "library/fore-library.h"
#include "library/fore-role.h"
#include "library/fore-workflow-check.h"
#include "model/fore-error.h"

#define HEAD "---\nname: w\ndescription: d\n---\n"

static ForeWorkflow *
parse (const char *body, GPtrArray *found)
{
  g_autofree char *text = g_strconcat (HEAD, body, NULL);

  return fore_workflow_new_from_text (text, -1, "/x/w.workflow.md", FORE_LAYER_USER, found);
}

static void
check (const char *body, guint line, const char *message)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeWorkflow) workflow = parse (body, found);
  g_autoptr (ForeTeam) team = fore_team_new ("crew");

  fore_team_add_role (team, fore_team_role_new ("executor", "executor"));
  fore_team_add_role (team, fore_team_role_new ("planner", "planner"));
  fore_workflow_validate (workflow, team, NULL, found);
  assert_says (found, FORE_DIAGNOSTIC_ERROR, line, message);
}

static void
test_all_keys (void)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeWorkflow) workflow = parse (
      "## one\nrole: explorer\ntitle: \"Look: around\"\nparallelGroup: g\nphase: p\n"
      "output: a/b.md\nreads: x.md, y.md\npaths: src, tests\nmodel: m\nfallback: n, o\n"
      "thinking: high\nskills: s\nchecks: make check\nchecks:\n  - ninja 'a b'\n"
      "  - true\nretries: 0\ntimeout: 5 min\nmaxTurns: 7\nmaxTokens: 9\n"
      "on-failure: stop-now\nlive: true\nwrites: no\nworktree: yes\nverify: true\n"
      "adaptive: true\ngate: ask\nspecRefs: S1\nspecStrict: true\npreStepScript: run.sh\n"
      "preStepArgs: a, b\npreStepTimeout: 1000\npreStepOptional: yes\nprogress: busy\n"
      "agent: explorer\n\nDo it.\n\n```\n## not-a-step\nrole: x\n```\n\n### Part\nMore.\n"
      "## two\ndependsOn: one\ntask: inline\n",
      found);
  const ForeWorkflowStep *one = fore_workflow_get_step (workflow, "one");
  const ForeWorkflowStep *two = fore_workflow_get_step (workflow, "two");

  assert_says (found, FORE_DIAGNOSTIC_ERROR, 33, "Specs are not held to by a gate yet");
  g_assert_cmpuint (found->len, ==, 1);
  g_assert_cmpuint (workflow->steps->len, ==, 2);
  g_assert_cmpstr (one->title, ==, "Look: around");
  g_assert_cmpstr (one->group, ==, "g");
  g_assert_cmpstr (one->phase, ==, "p");
  g_assert_cmpstr (one->output, ==, "a/b.md");
  g_assert_cmpstr (one->reads[1], ==, "y.md");
  g_assert_cmpstr (one->paths[0], ==, "src");
  g_assert_cmpstr (one->fallback[1], ==, "o");
  g_assert_cmpuint (one->checks->len, ==, 3);
  g_assert_cmpstr (((char **) one->checks->pdata[1])[1], ==, "a b");
  g_assert_cmpint (one->retries, ==, 0);
  g_assert_cmpint (one->time_limit, ==, 300000);
  g_assert_cmpuint (one->max_turns, ==, 7);
  g_assert_cmpuint (one->max_tokens, ==, 9);
  g_assert_cmpstr (one->on_failure, ==, "stop-now");
  g_assert_true (one->live && one->verify && one->adaptive && one->pre_optional);
  g_assert_cmpint (one->writes, ==, FORE_NO);
  g_assert_cmpint (one->worktree, ==, FORE_YES);
  g_assert_cmpint (one->gate, ==, FORE_YES);
  g_assert_cmpint (one->spec_strict, ==, FORE_YES);
  g_assert_cmpint (one->pre_timeout, ==, 1000);
  g_assert_cmpstr (one->pre_script, ==, "run.sh");
  g_assert_nonnull (strstr (one->task, "## not-a-step"));
  g_assert_true (g_str_has_prefix (one->task, "Do it."));
  g_assert_true (g_str_has_suffix (one->task, "### Part\nMore."));
  g_assert_cmpstr (two->task, ==, "inline");
  g_assert_cmpstr (two->role, ==, "two");
  g_assert_cmpint (two->retries, ==, -1);
  g_assert_true (fore_workflow_get_adaptive_step (workflow) == one);
}

static void
test_copy_is_complete (void)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeWorkflow) workflow = parse (
      "## one\nrole: r\nchecks: make\ncommand: a b\nretries: 3\nunknown-thing: 5\n", found);
  g_autoptr (ForeWorkflowStep) copy = fore_workflow_step_copy (
      fore_workflow_get_step (workflow, "one"));

  g_assert_cmpstr (copy->role, ==, "r");
  g_assert_cmpuint (copy->checks->len, ==, 1);
  g_assert_cmpstr (copy->command[1], ==, "b");
  g_assert_cmpint (copy->retries, ==, 3);
  g_assert_cmpstr (g_hash_table_lookup (copy->extra, "unknown-thing"), ==, "5");
  g_assert_cmpuint (copy->role_line, ==, 6);
}

/* A runner holds what its tasks do not say, and all of that. */
static void
test_forgets_what_tasks_say (void)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeWorkflow) workflow = parse (
      "## a\nrole: r\ncommand: x y\ndependsOn: g\nchecks: make\nretries: 3\n\n"
      "## b\nrole: r\nskills: s\n\n## c\nrole: r\nskills: false\n\n## d\nrole: r\nagent: o\n\n"
      "## e\nrole: r\nmaxTurns: 2\n\n## f\nrole: r\nonFailure: stop\n\n"
      "## g\nrole: r\ngate: true\n\n## h\nrole: r\ncli: pi\n\n## i\nrole: r\nthinking: high\n\n"
      "## j\nrole: r\noutput: o\n\n## k\nrole: r\nreads: o\n\n## l\nrole: r\nseedPaths: s\n\n"
      "## m\nrole: r\nfallback: f\n\n## n\nrole: r\nmaxTokens: 3\n\n"
      "## o\nrole: r\npreStepScript: p\n\n## p\nrole: r\nspecRefs: s\n",
      found);
  const guint n = workflow->steps->len;

  g_assert_cmpuint (n, ==, 16);
  fore_workflow_forget_plain_steps (workflow);
  g_assert_null (fore_workflow_get_step (workflow, "a"));
  g_assert_cmpuint (workflow->steps->len, ==, n - 1);
  for (char id[] = "b"; *id <= 'p'; id[0]++)
    g_assert_cmpstr (fore_workflow_get_step (workflow, id)->id, ==, id);
}

static void
test_headings_without_keys_are_text (void)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeWorkflow) workflow = parse (
      "# W\n\n## About this\n\nNote: nothing.\n\n## usage\nText.\n\n## run\n\n"
      "role: executor\n\nDo.\n\n## Output format\nA table.\n",
      found);

  g_assert_cmpuint (workflow->steps->len, ==, 1);
  g_assert_cmpstr (fore_workflow_get_step (workflow, "run")->task, ==,
                   "Do.\n\n## Output format\nA table.");
  assert_says (found, FORE_DIAGNOSTIC_NOTE, 11, "`usage` has no keys");
  g_assert_cmpuint (found->len, ==, 1);
}

static void
test_command_step (void)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeWorkflow) workflow = parse (
      "## a\ncli: command\ncommand: sh -c 'echo \"$1\"' -- {goal} x{prompt-file}y\n\n"
      "## b\ncli: command\ncommand: cat -\n",
      found);
  const ForeWorkflowStep *a = fore_workflow_get_step (workflow, "a");
  gboolean needs_stdin = TRUE;
  g_auto (GStrv) with = fore_workflow_step_dup_command (a, "P", "/f", "say {prompt}; rm",
                                                        &needs_stdin);
  g_auto (GStrv) without = NULL;

  assert_silent (found);
  g_assert_true (fore_workflow_step_is_command (a));
  g_assert_false (needs_stdin);
  g_assert_cmpstr (with[2], ==, "echo \"$1\"");
  g_assert_cmpstr (with[4], ==, "say {prompt}; rm");
  g_assert_cmpstr (with[5], ==, "x/fy");

  without = fore_workflow_step_dup_command (fore_workflow_get_step (workflow, "b"), "P", "/f", "G",
                                            &needs_stdin);
  g_assert_true (needs_stdin);
  g_assert_cmpuint (g_strv_length (without), ==, 2);
  g_assert_true (fore_workflow_validate (workflow, NULL, NULL, found));
}

static void
test_goal_is_filled_in_once (void)
{
  g_autoptr (ForeWorkflowStep) step = fore_workflow_step_new ("a", NULL);
  g_autofree char *text = NULL;

  g_free (step->task);
  step->task = g_strdup ("Do {goal}, then {goal}.");
  text = fore_workflow_step_dup_task (step, "{goal}!");
  g_assert_cmpstr (text, ==, "Do {goal}!, then {goal}!.");
}

static void
test_faults_have_file_and_line (void)
{
  check ("## a\nrole: executor\n\n## a\nrole: executor\n", 8,
         "There are two steps `a`, the first in line 5.");
  check ("## a\n\nrole: pilot\n", 7,
         "The step `a` wants the role `pilot`, which the team `crew` does not have. It has: "
         "executor, planner.");
  check ("## build\nrole: executor\n\n## b\nrole: executor\ndependsOn: buidl\n", 10,
         "depends on `buidl`, which is no step. Did you mean `build`?");
  check ("## a\nrole: executor\ndependsOn: nothing-like-it\n", 7,
         "which is no step. Add it or remove the dependency.");
  check ("Just text.\n", 0, "This workflow has no steps.");
  check ("## Two Words\nrole: executor\n", 5, "`Two Words` is no usable id of a step.");
  check ("## result\nrole: executor\n", 5, "A step may not be called `result`");
  check ("## a\ncli: command\n", 5, "runs a command but names none");
  check ("## a\nrole: executor\ncli: acp\n", 5, "runs a command but names none");
  check ("## a\nrole: executor\ncli: pi\ncommand: ls\n", 5, "its agent CLI is `pi`");
}

static void
test_circle_names_the_trail (void)
{
  check ("## a\nrole: executor\ndependsOn: b\n\n## b\nrole: executor\ndependsOn: a\n", 7,
         "in a circle: a -> b -> a.");
  check ("## a\nrole: executor\ndependsOn: a\n", 7, "in a circle: a -> a.");
  check ("## s\nrole: executor\ndependsOn: a\n\n## a\nrole: executor\ndependsOn: b\n\n"
         "## b\nrole: executor\ndependsOn: c\n\n## c\nrole: executor\ndependsOn: a\n",
         11, "in a circle: a -> b -> c -> a.");
}

static void
check_value (const char *line, const char *message)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autofree char *body = g_strconcat ("## a\nrole: executor\n", line, "\n", NULL);
  g_autoptr (ForeWorkflow) workflow = parse (body, found);

  g_assert_nonnull (workflow);
  assert_says (found, FORE_DIAGNOSTIC_ERROR, 7, message);
}

static void
test_bad_values (void)
{
  check_value ("retries: many", "`retries` of the step `a` is `many`; it must be a whole number");
  check_value ("maxTurns: 0", "it must be a whole number above 0");
  check_value ("timeout: soon", "it must be a time such as `10 min`");
  check_value ("onFailure: panic", "it must be continue, stop, stop-now, ask");
  check_value ("live: perhaps", "it must be true or false");
  check_value ("gate: never", "it must be ask or auto");
  check_value ("output: ../../etc/passwd", "it must be a file name without `..`");
  check_value ("output: /etc/passwd", "it must be a file name without `..`");
  check_value ("command: echo 'open", "it must be a command line with closed quotes");
  check_value ("checks: echo \"open", "it must be a command line with closed quotes");
  check_value ("agent: Not A Name", "it must be a name in small letters");
}

static void
test_unknown_step_key (void)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeWorkflow) workflow = parse (
      "## a\nrol: executor\ndependson:\ncolour: red\n\nText\n", found);
  const ForeWorkflowStep *a = fore_workflow_get_step (workflow, "a");

  assert_says (found, FORE_DIAGNOSTIC_WARNING, 6, "no key `rol`. Did you mean `role`?");
  assert_says (found, FORE_DIAGNOSTIC_WARNING, 8, "A step has no key `colour`. It is kept");
  g_assert_cmpstr (g_hash_table_lookup (a->extra, "colour"), ==, "red");
  g_assert_cmpuint (g_strv_length (a->depends_on), ==, 0);
}

static void
test_project_scripts_are_left_out (void)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeWorkflow) workflow = fore_workflow_new_from_text (
      HEAD "## a\nrole: executor\npreStepScript: evil.sh\n", -1, "/x/w.workflow.md",
      FORE_LAYER_PROJECT, found);

  g_assert_null (fore_workflow_get_step (workflow, "a")->pre_script);
  assert_says (found, FORE_DIAGNOSTIC_WARNING, 5, "a project may not bring scripts");
}

static void
test_large_graphs (void)
{
  g_autoptr (GString) chain = g_string_new (HEAD);
  g_autoptr (GString) many = g_string_new (HEAD);
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeWorkflow) workflow = NULL;
  g_autoptr (ForeWorkflow) too_large = NULL;
  clock_t start = clock ();

  for (guint i = 0; i < 15000; i++)
    g_string_append_printf (chain, "## s%u\ncommand: true\ndependsOn: s%u\n\n", i, i + 1);
  g_string_append (chain, "## s15000\ncommand: true\n");
  workflow = fore_workflow_new_from_text (chain->str, -1, "/x", FORE_LAYER_FILE, found);
  g_assert_true (fore_workflow_validate (workflow, NULL, NULL, found));
  g_assert_cmpstr (fore_workflow_get_topology (workflow), ==, "sequential");
  assert_silent (found);

  for (guint i = 0; i <= FORE_WORKFLOW_MAX_STEPS; i++)
    g_string_append_printf (many, "## s%u\ncommand: true\n\n", i);
  too_large = fore_workflow_new_from_text (many->str, -1, "/x", FORE_LAYER_FILE, found);
  g_assert_nonnull (too_large);
  g_assert_nonnull (find_diagnostic (found, "A workflow may have 20000 steps."));
  g_assert_cmpint (clock () - start, <, 20 * CLOCKS_PER_SEC);
}

static const char *
topology (const char *body)
{
  g_autoptr (ForeWorkflow) workflow = parse (body, NULL);

  return fore_workflow_get_topology (workflow);
}

static void
test_topology (void)
{
  g_assert_cmpstr (topology ("## a\nrole: r\n"), ==, "single");
  g_assert_cmpstr (topology ("## a\nrole: r\n## b\nrole: r\ndependsOn: a\n"), ==, "sequential");
  g_assert_cmpstr (topology ("## a\nrole: r\n## b\nrole: r\n## c\nrole: r\n"), ==, "concurrent");
  g_assert_cmpstr (topology ("## a\nrole: r\n## b\nrole: r\ndependsOn: a\n## c\nrole: r\n"
                             "dependsOn: a\n## d\nrole: r\ndependsOn: b, c\n"),
                   ==, "complex-dag");
}

static void
test_step_permission (void)
{
  g_autoptr (ForeWorkflowStep) step = fore_workflow_step_new ("a", "explorer");
  g_autoptr (ForeWorkflowStep) unknown = fore_workflow_step_new ("b", "gardener");
  g_autoptr (ForeWorkflowStep) general = fore_workflow_step_new ("c", "agent");
  g_autoptr (ForeAgentDef) planner = fore_agent_def_new ("planner");
  g_autoptr (ForeAgentDef) gardener = fore_agent_def_new ("gardener");

  g_assert_true (fore_workflow_step_is_read_only (step, NULL));
  step->writes = FORE_YES;
  g_assert_false (fore_workflow_step_is_read_only (step, NULL));

  g_assert_true (fore_workflow_step_is_read_only (unknown, NULL));
  g_assert_true (fore_workflow_step_is_read_only (unknown, gardener));
  gardener->writes = FORE_YES;
  g_assert_false (fore_workflow_step_is_read_only (unknown, gardener));
  gardener->writes = FORE_UNSET;
  gardener->tools = g_strsplit ("read,edit", ",", -1);
  g_assert_false (fore_workflow_step_is_read_only (unknown, gardener));

  g_assert_false (fore_workflow_step_is_read_only (general, NULL));
  g_assert_true (fore_workflow_step_is_read_only (general, planner));
}

static void
test_role_table (void)
{
  static const char *const readers[] = { "explorer",          "reviewer", "security-reviewer",
                                         "security_reviewer", "analyst",  "critic",
                                         "planner",           "nobody",   "" };
  static const char *const writers[] = { "executor", "test-engineer", "writer",         "verifier",
                                         "agent",    "cold-verifier", "chain-executor", "worker" };

  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    g_assert_true (fore_role_is_read_only (readers[i]));
  for (guint i = 0; i < G_N_ELEMENTS (writers); i++)
    g_assert_false (fore_role_is_read_only (writers[i]));
}

static void
test_role_tools (void)
{
  g_autoptr (ForeAgentDef) agent = fore_agent_def_new ("verifier");
  g_auto (GStrv) denied = NULL;
  g_auto (GStrv) written = NULL;
  g_auto (GStrv) plain = fore_role_dup_tools ("planner", NULL);

  agent->tools = g_strsplit ("read,edit,bash", ",", -1);
  denied = fore_role_dup_tools ("verifier", agent);
  agent->writes = FORE_YES;
  written = fore_role_dup_tools ("verifier", agent);

  g_assert_false (g_strv_contains ((const char *const *) plain, "bash"));
  g_assert_false (g_strv_contains ((const char *const *) denied, "edit"));
  g_assert_true (g_strv_contains ((const char *const *) written, "edit"));
  g_assert_null (fore_role_dup_tools ("executor", NULL));
}

static void
test_named_file (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *good = library_fixture_write (fixture->dir, "mine.md",
                                                 "## a\nrole: executor\n\nDo it.\n", -1);
  g_autofree char *bad = library_fixture_write (fixture->dir, "bad.workflow.md",
                                                "## a\nrole: executor\nretries: x\n", -1);
  g_autofree char *missing = g_build_filename (fixture->dir, "none.md", NULL);
  g_autofree char *expected = g_strconcat (bad, ":3:1: error: `retries`", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeWorkflow) workflow = fore_library_load_workflow_file (good, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (workflow->name, ==, "mine");
  g_assert_cmpint (workflow->source.layer, ==, FORE_LAYER_FILE);

  g_assert_null (fore_library_load_workflow_file (bad, NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_INVALID);
  g_assert_true (g_str_has_prefix (error->message, expected));
  g_clear_error (&error);

  g_assert_null (fore_library_load_workflow_file (missing, NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (fore_library_load_workflow_file (fixture->dir, NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_INVALID);
}

static void
test_check_refuses (void)
{
  g_autoptr (ForeWorkflow) workflow = parse ("## a\nrole: executor\ndependsOn: b\n", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (fore_workflow_check (workflow, NULL, NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_INVALID);
  g_assert_true (g_str_has_prefix (error->message, "/x/w.workflow.md:7:1: error: The step `a`"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/workflow/all-keys", test_all_keys);
  g_test_add_func ("/workflow/copy", test_copy_is_complete);
  g_test_add_func ("/workflow/forgets-what-tasks-say", test_forgets_what_tasks_say);
  g_test_add_func ("/workflow/headings-without-keys", test_headings_without_keys_are_text);
  g_test_add_func ("/workflow/command", test_command_step);
  g_test_add_func ("/workflow/goal", test_goal_is_filled_in_once);
  g_test_add_func ("/workflow/faults", test_faults_have_file_and_line);
  g_test_add_func ("/workflow/circle", test_circle_names_the_trail);
  g_test_add_func ("/workflow/bad-values", test_bad_values);
  g_test_add_func ("/workflow/unknown-key", test_unknown_step_key);
  g_test_add_func ("/workflow/project-scripts", test_project_scripts_are_left_out);
  g_test_add_func ("/workflow/large", test_large_graphs);
  g_test_add_func ("/workflow/topology", test_topology);
  g_test_add_func ("/workflow/permission", test_step_permission);
  g_test_add_func ("/workflow/check-refuses", test_check_refuses);
  library_test ("/workflow/named-file", test_named_file);
  g_test_add_func ("/role/table", test_role_table);
  g_test_add_func ("/role/tools", test_role_tools);

  return g_test_run ();
}
