/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "library-fixture.h"
#include "library/fore-library.h"
#include "library/fore-workflow-check.h"

/* What a key takes, and what it must not take. */
typedef enum
{
  ANY,
  TEXT,
  NAME,
  OWN_NAME,
  MODEL,
  LIST,
  COUNT,
  RETRIES,
  FLAG,
  WORD,
  GATE,
  TIME,
  FILE_NAME,
  FILES,
  COMMAND,
  COMMANDS,
} Takes;

static const char *const wrong[][8] = {
  [ANY] = { NULL },
  [TEXT] = { "[a, b]", "{a: b}", NULL },
  [NAME] = { "[a, b]", "{a: b}", "Not A Name", "../x", NULL },
  [OWN_NAME] = { "[a, b]", "{a: b}", "../x", NULL },
  [MODEL] = { "[a, b]", "{a: b}", "two words", "a,b", NULL },
  [LIST] = { "{a: b}", NULL },
  [COUNT] = { "many", "0", "-3", "1.5", "[1]", "{a: 1}", "99999999999", NULL },
  [RETRIES] = { "many", "-1", "1.5", "[1]", "{a: 1}", "101", NULL },
  [FLAG] = { "perhaps", "2", "[true]", "{a: true}", NULL },
  [WORD] = { "huge", "1", "[low]", "{a: low}", NULL },
  [GATE] = { "never", "1.5", "[ask]", "{a: ask}", NULL },
  [TIME] = { "soon", "-5 min", "0", "5 fortnights", "[1]", "{a: 1}", NULL },
  [FILE_NAME] = { "../x", "/etc/passwd", "a/../../b", "[a, b]", "{a: b}", "", NULL },
  [FILES] = { "../x", "a, /etc/passwd", "[a, b/../..]", "{a: b}", "~/x", NULL },
  [COMMAND] = { "sh -c 'open", "[make, check", "{a: b}", "[]", "[[a], b]", "", NULL },
  [COMMANDS] = { "sh -c 'open", "[make, check", "{a: b}", "[]", "", NULL },
};

typedef struct
{
  const char *key;
  Takes takes;
} Row;

static const Row agent_rows[] = {
  { "name", OWN_NAME },   { "description", TEXT },
  { "model", MODEL },     { "fallbackModels", LIST },
  { "fallback", LIST },   { "thinking", MODEL },
  { "tools", LIST },      { "cli", NAME },
  { "skills", LIST },     { "skill", LIST },
  { "writes", FLAG },     { "systemPromptMode", WORD },
  { "memory", WORD },     { "inheritProjectContext", FLAG },
  { "maxTurns", COUNT },  { "inheritSkills", FLAG },
  { "maxTokens", COUNT }, { "effort", WORD },
  { "disabled", FLAG },   { "enabled", FLAG },
  { "triggers", LIST },   { "trigger", LIST },
  { "useWhen", LIST },    { "avoidWhen", LIST },
  { "cost", WORD },       { "category", TEXT },
};

static const Row team_rows[] = {
  { "name", OWN_NAME },  { "description", TEXT },   { "defaultWorkflow", NAME },
  { "workflow", NAME },  { "workspaceMode", WORD }, { "maxConcurrency", COUNT },
  { "triggers", LIST },  { "trigger", LIST },       { "useWhen", LIST },
  { "avoidWhen", LIST }, { "cost", WORD },          { "category", TEXT },
};

static const Row workflow_rows[] = {
  { "name", OWN_NAME },        { "description", TEXT }, { "team", NAME },
  { "maxConcurrency", COUNT }, { "topology", WORD },    { "coalesceMicroTasks", FLAG },
  { "specStrict", FLAG },
};

static const Row skill_rows[] = {
  { "name", OWN_NAME }, { "description", TEXT },   { "license", TEXT }, { "version", TEXT },
  { "author", TEXT },   { "allowed-tools", LIST }, { "metadata", ANY }, { "compatibility", ANY },
};

static const Row role_rows[] = {
  { "agent", NAME },     { "model", MODEL }, { "fallback", ANY },         { "fallbackModels", ANY },
  { "thinking", MODEL }, { "skills", ANY },  { "maxConcurrency", COUNT },
};

static const Row step_rows[] = {
  { "role", NAME },
  { "dependsOn", LIST },
  { "title", ANY },
  { "task", ANY },
  { "agent", NAME },
  { "parallelGroup", ANY },
  { "phase", ANY },
  { "output", FILE_NAME },
  { "reads", FILES },
  { "paths", FILES },
  { "seedPaths", FILES },
  { "cli", NAME },
  { "command", COMMAND },
  { "model", MODEL },
  { "fallback", LIST },
  { "fallbackModels", LIST },
  { "thinking", MODEL },
  { "skills", LIST },
  { "checks", COMMANDS },
  { "retries", RETRIES },
  { "timeLimit", TIME },
  { "timeout", TIME },
  { "maxTurns", COUNT },
  { "maxTokens", COUNT },
  { "onFailure", WORD },
  { "live", FLAG },
  { "writes", FLAG },
  { "worktree", FLAG },
  { "verify", FLAG },
  { "adaptive", FLAG },
  { "gate", GATE },
  { "specRefs", LIST },
  { "specStrict", FLAG },
  { "preStepScript", FILE_NAME },
  { "preStepArgs", LIST },
  { "preStepTimeout", TIME },
  { "preStepOptional", FLAG },
  { "progress", ANY },
};

typedef struct
{
  const char *kind;
  const Row *rows;
  guint n_rows;
  const char *file;
  const char *before;
  const char *between;
  const char *after;
  guint line;
  guint column;
} Kind;

#define ROWS(rows) rows, G_N_ELEMENTS (rows)

static const Kind kinds[] = {
  { "agent", ROWS (agent_rows), "agents/x.md", "---\n", ": ", "\n---\nWork.\n", 2, 1 },
  { "team", ROWS (team_rows), "teams/x.team.md", "---\n", ": ",
    "\n---\n## Roles\n- executor: agent=executor\n", 2, 1 },
  { "workflow", ROWS (workflow_rows), "workflows/x.workflow.md", "---\n", ": ",
    "\n---\n## a\nrole: executor\n\nWork.\n", 2, 1 },
  { "skill", ROWS (skill_rows), "skills/x/SKILL.md", "---\n", ": ", "\n---\nKnow.\n", 2, 1 },
  { "role", ROWS (role_rows), "teams/x.team.md", "---\nname: x\n---\n## Roles\n- executor: ", "=\"",
    "\" text\n", 5, 13 },
  { "step", ROWS (step_rows), "workflows/x.workflow.md", "---\nname: x\n---\n## a\n", ": ",
    "\n\nWork.\n", 5, 1 },
};

static const Row *
find_row (const Kind *kind, const char *key)
{
  for (guint i = 0; i < kind->n_rows; i++)
    {
      if (strcmp (kind->rows[i].key, key) == 0)
        return &kind->rows[i];
    }

  return NULL;
}

static void
test_every_key_is_held_to_its_kind (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const char *const *keys = fore_library_get_keys (kinds[i].kind);

      for (guint j = 0; keys[j] != NULL; j++)
        {
          if (find_row (&kinds[i], keys[j]) == NULL)
            g_error ("%s: nothing is known of the key %s", kinds[i].kind, keys[j]);
        }
      g_assert_cmpuint (g_strv_length ((char **) keys), ==, kinds[i].n_rows);
    }
  g_assert_null (fore_library_get_keys ("nonsense"));
}

static gboolean
is_reported (GPtrArray *found, const Kind *kind, const char *key, const char *path)
{
  for (guint i = 0; i < found->len; i++)
    {
      const ForeDiagnostic *diagnostic = found->pdata[i];

      if (diagnostic->severity == FORE_DIAGNOSTIC_ERROR && diagnostic->line == kind->line
          && diagnostic->column == kind->column && g_strcmp0 (diagnostic->key, key) == 0
          && g_strcmp0 (diagnostic->path, path) == 0)
        return TRUE;
    }

  return FALSE;
}

static void
try_value (LibraryFixture *fixture, const Kind *kind, const char *key, const char *value)
{
  g_autofree char *text = g_strconcat (kind->before, key, kind->between, value, kind->after, NULL);
  g_autofree char *path = library_fixture_write (fixture->user, kind->file, text, -1);
  g_autoptr (ForeLibrary) library = fore_library_load (fixture->user, NULL, FALSE, NULL);

  if (!is_reported (fore_library_get_diagnostics (library), kind, key, path))
    {
      g_autofree char *all = dup_diagnostics (fore_library_get_diagnostics (library));

      g_error ("%s: nothing is wrong at %u:%u with `%s: %s`, only:%s", kind->kind, kind->line,
               kind->column, key, value, all);
    }
}

static void
test_wrong_values_are_errors (LibraryFixture *fixture, gconstpointer data)
{
  const Kind *kind = data;

  for (guint i = 0; i < kind->n_rows; i++)
    {
      const Row *row = &kind->rows[i];

      for (guint j = 0; wrong[row->takes][j] != NULL; j++)
        try_value (fixture, kind, row->key, wrong[row->takes][j]);
    }
}

/* Their owners know what they mean by it. */
static void
test_files_of_other_systems_are_only_warned_of (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *path = library_fixture_write (
      fixture->project, ".claude/agents/x.md",
      "---\nname: x\nmaxTurns: lots\neffort: max\ntools: Read, mcp__x__y\nskills: a-b\n---\nW.\n",
      -1);
  g_autoptr (ForeLibrary) library = fore_library_load (fixture->user, fixture->project, TRUE, NULL);
  GPtrArray *found = fore_library_get_diagnostics (library);

  assert_says (found, FORE_DIAGNOSTIC_WARNING, 3, "`maxTurns` must be a whole number");
  g_assert_cmpuint (fore_diagnostics_count (found, FORE_DIAGNOSTIC_ERROR), ==, 0);
  g_assert_nonnull (path);
}

static void
test_mistyped_tools_are_suggested (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *path = library_fixture_write (
      fixture->user, "agents/x.md", "---\ntools: raed, bash, mcp__x, Bash(git:*)\n---\nW.\n", -1);
  g_autoptr (ForeLibrary) library = fore_library_load (fixture->user, NULL, FALSE, NULL);

  assert_says (fore_library_get_diagnostics (library), FORE_DIAGNOSTIC_WARNING, 2,
               "There is no tool `raed`. Did you mean `read`?");
  g_assert_cmpuint (fore_library_get_diagnostics (library)->len, ==, 1);
  g_assert_nonnull (path);
}

static void
test_missing_skills_are_named (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *agent = library_fixture_write (fixture->user, "agents/x.md",
                                                  "---\nskills: carefull-review\n---\nW.\n", -1);
  g_autofree char *team = library_fixture_write (
      fixture->user, "teams/x.team.md",
      "---\nname: x\n---\n## Roles\n- executor: skills=nothing-of-the-kind\n", -1);
  g_autofree char *workflow = library_fixture_write (
      fixture->user, "workflows/x.workflow.md",
      "---\nname: x\n---\n## a\nrole: executor\nskills: safe-comands\n\nW.\n", -1);
  g_autoptr (ForeLibrary) library = fore_library_load (fixture->user, NULL, FALSE, NULL);
  GPtrArray *found = fore_library_get_diagnostics (library);

  assert_says (found, FORE_DIAGNOSTIC_WARNING, 2, "Did you mean `careful-review`?");
  assert_says (found, FORE_DIAGNOSTIC_WARNING, 5, "There is no skill `nothing-of-the-kind`");
  assert_says (found, FORE_DIAGNOSTIC_WARNING, 6, "Did you mean `safe-commands`?");
  g_assert_cmpuint (found->len, ==, 3);
  g_assert_true (agent != NULL && team != NULL && workflow != NULL);
}

static void
test_commands_may_be_lists (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *path = library_fixture_write (
      fixture->user, "workflows/x.workflow.md",
      "---\nname: x\n---\n## a\ncommand: [sh, -c, \"a, b\", sh, sh]\n\nW.\n"
      "## b\nrole: executor\nchecks: [[make, a b], ninja -C build]\n\nW.\n",
      -1);
  g_autoptr (ForeLibrary) library = fore_library_load (fixture->user, NULL, FALSE, NULL);
  ForeWorkflow *workflow = fore_library_get_workflow (library, "x");
  const ForeWorkflowStep *a = fore_workflow_get_step (workflow, "a");
  const ForeWorkflowStep *b = fore_workflow_get_step (workflow, "b");

  assert_silent (fore_library_get_diagnostics (library));
  g_assert_cmpuint (g_strv_length (a->command), ==, 5);
  g_assert_cmpstr (a->command[2], ==, "a, b");
  g_assert_cmpuint (b->checks->len, ==, 2);
  g_assert_cmpstr (((char **) b->checks->pdata[0])[1], ==, "a b");
  g_assert_cmpstr (((char **) b->checks->pdata[1])[2], ==, "build");
  g_assert_nonnull (path);
}

static void
test_a_key_of_a_step_stands_once (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *path = library_fixture_write (
      fixture->user, "workflows/x.workflow.md",
      "---\nname: x\n---\n## a\nrole: executor\nretries: 1\nretries: 2\nchecks: a\nchecks: "
      "b\n\nW.\n",
      -1);
  g_autoptr (ForeLibrary) library = fore_library_load (fixture->user, NULL, FALSE, NULL);
  GPtrArray *found = fore_library_get_diagnostics (library);

  assert_says (found, FORE_DIAGNOSTIC_WARNING, 7, "`retries` stands here twice");
  g_assert_cmpuint (found->len, ==, 1);
  g_assert_nonnull (path);
}

static void
test_faulty_agents_are_not_started (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *agent = library_fixture_write (fixture->user, "agents/x.md",
                                                  "---\nmaxTokens: lots\n---\nW.\n", -1);
  g_autofree char *path = library_fixture_write (fixture->user, "workflows/x.workflow.md",
                                                 "---\nname: x\n---\n## a\nagent: x\n\nW.\n", -1);
  g_autoptr (ForeLibrary) library = fore_library_load (fixture->user, NULL, FALSE, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (
      fore_workflow_check (fore_library_get_workflow (library, "x"), NULL, library, &error));
  g_assert_nonnull (strstr (error->message, "agent `x`, whose file has errors"));
  g_assert_true (agent != NULL && path != NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/values/every-key", test_every_key_is_held_to_its_kind);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path = g_strdup_printf ("/values/wrong/%s", kinds[i].kind);

      g_test_add (path, LibraryFixture, &kinds[i], library_fixture_set_up,
                  test_wrong_values_are_errors, library_fixture_tear_down);
    }
  library_test ("/values/other-systems", test_files_of_other_systems_are_only_warned_of);
  library_test ("/values/tools", test_mistyped_tools_are_suggested);
  library_test ("/values/skills", test_missing_skills_are_named);
  library_test ("/values/commands", test_commands_may_be_lists);
  library_test ("/values/twice", test_a_key_of_a_step_stands_once);
  library_test ("/values/faulty-agent", test_faulty_agents_are_not_started);

  return g_test_run ();
}
