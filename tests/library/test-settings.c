/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "library-fixture.h"
#include "library/fore-hook-def.h"
#include "library/fore-settings.h"
#include "model/fore-error.h"
#include "model/fore-nearest.h"
#include "model/fore-quantity.h"

static ForeSettings *
load_user (LibraryFixture *fixture, const char *text, GPtrArray *found)
{
  g_autofree char *path = library_fixture_write (fixture->user, "config.json", text, -1);

  return fore_settings_load (fixture->user, NULL, FALSE, found);
}

static ForeSettings *
load_both (LibraryFixture *fixture, const char *user, const char *project, GPtrArray *found)
{
  g_autofree char *a = library_fixture_write (fixture->user, "config.json", user, -1);
  g_autofree char *b = library_fixture_write (fixture->project, ".foredeck/config.json", project,
                                              -1);

  return fore_settings_load (fixture->user, fixture->project, TRUE, found);
}

static void
test_every_key_has_a_usable_default (void)
{
  g_autoptr (ForeSettings) settings = fore_settings_load (NULL, NULL, FALSE, NULL);
  const ForeSettingKey *keys;
  guint n_keys;

  keys = fore_setting_keys_get (&n_keys);
  g_assert_cmpuint (n_keys, >, 50);
  for (guint i = 0; i < n_keys; i++)
    {
      g_assert_true (fore_setting_keys_find (keys[i].name) == &keys[i]);
      g_assert_true (keys[i].flags & FORE_SETTING_IN_USER);
      g_assert_nonnull (fore_setting_type_to_string (keys[i].type));
      g_assert_true ((keys[i].type == FORE_SETTING_ENUM) == (keys[i].choices != NULL));
      if (keys[i].fallback != NULL && !fore_setting_key_is_pattern (&keys[i]))
        g_assert_true (fore_settings_is_set (settings, keys[i].name));
    }
}

static void
test_defaults (void)
{
  g_autoptr (ForeSettings) settings = fore_settings_load (NULL, NULL, FALSE, NULL);

  g_assert_cmpint (fore_settings_get_int (settings, "limits.machine_agents"), ==, 8);
  g_assert_cmpint (fore_settings_get_int (settings, "limits.machine_commands"), >=, 8);
  g_assert_cmpint (fore_settings_get_duration (settings, "limits.run_time"), ==, 4 * 3600000);
  g_assert_cmpint (fore_settings_get_duration (settings, "approval.timeout"), ==, -1);
  g_assert_cmpint (fore_settings_get_size (settings, "limits.capture_size"), ==, 512 << 20);
  g_assert_cmpfloat (fore_settings_get_double (settings, "budget.warn"), ==, 0.8);
  g_assert_cmpstr (fore_settings_get_string (settings, "approval.plan"), ==, "ask");
  g_assert_null (fore_settings_get_string (settings, "agents.default_cli"));
  g_assert_null (fore_settings_get_strv (settings, "agents.fallback"));
  g_assert_cmpuint (fore_settings_get_commands (settings, "checks.commands")->len, ==, 0);
  g_assert_true (fore_settings_get_bool (settings, "checks.sandbox"));
  g_assert_false (fore_settings_is_set (settings, "budget.cost"));
  g_assert_cmpint (fore_settings_get_int (settings, "limits.cli_agents.pi"), ==, 0);
  g_assert_cmpstr (fore_settings_get_string (settings, "sandbox.profile.explorer"), ==,
                   "read-only");
  g_assert_cmpstr (fore_settings_get_string (settings, "sandbox.profile.executor"), ==,
                   "workspace-write");
  g_assert_nonnull (fore_settings_get_hooks (settings));
}

static void
test_user_values (LibraryFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeSettings) settings = load_user (
      fixture,
      "\xef\xbb\xbf{\"limits\": {\"run_agents\": 6.0, \"silence\": \"1h 30m\", \"cli_agents\": "
      "{\"pi\": 2},\r\n \"capture_size\": \"1 GiB\"}, \"git.merge\": \"squash\", \"checks\": "
      "{\"commands\": [[\"make\", \"a b\"], \"ninja -C 'b d'\"]}, \"agents\": {\"fallback\": "
      "[\"a\", \"b\"], \"overrides\": {\"planner\": {\"disabled\": true}}}, \"budget\": {\"cost\": "
      "2, \"tokens\": null}, \"$schema\": \"x\"}",
      found);
  GPtrArray *commands = fore_settings_get_commands (settings, "checks.commands");

  assert_silent (found);
  g_assert_cmpint (fore_settings_get_int (settings, "limits.run_agents"), ==, 6);
  g_assert_cmpint (fore_settings_get_duration (settings, "limits.silence"), ==, 5400000);
  g_assert_cmpint (fore_settings_get_int (settings, "limits.cli_agents.pi"), ==, 2);
  g_assert_cmpint (fore_settings_get_size (settings, "limits.capture_size"), ==, 1 << 30);
  g_assert_cmpstr (fore_settings_get_string (settings, "git.merge"), ==, "squash");
  g_assert_cmpstr (((char **) commands->pdata[0])[1], ==, "a b");
  g_assert_cmpstr (((char **) commands->pdata[1])[2], ==, "b d");
  g_assert_cmpstr (fore_settings_get_strv (settings, "agents.fallback")[1], ==, "b");
  g_assert_true (fore_settings_get_bool (settings, "agents.overrides.planner.disabled"));
  g_assert_cmpfloat (fore_settings_get_double (settings, "budget.cost"), ==, 2);
  g_assert_false (fore_settings_is_set (settings, "budget.tokens"));
  g_assert_cmpint (fore_settings_get_layer (settings, "git.merge"), ==, FORE_SETTINGS_USER);
  g_assert_cmpint (fore_settings_get_layer (settings, "git.setup"), ==, FORE_SETTINGS_DEFAULT);
}

static void
test_every_bad_value_is_named (LibraryFixture *fixture, gconstpointer data)
{
  static const char *const keys[] = {
    "limits.run_agents", "limits.silence", "limits.depth", "limits.capture_size", "approval.plan",
    "budget.warn",       "checks.sandbox", "agents.model", "agents.fallback",     "git.setup",
    "checks.commands",   "hooks",          "retry",        "limits.turns"
  };
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autofree char *path = g_build_filename (fixture->user, "config.json", NULL);
  g_autoptr (ForeSettings) settings = load_user (
      fixture,
      "{\"limits\": {\"run_agents\": 0, \"silence\": \"soon\", \"depth\": 11, \"capture_size\": "
      "\"1 B\", \"turns\": 1.5}, \"approval\": {\"plan\": \"maybe\"}, \"budget\": {\"warn\": 80}, "
      "\"agents\": {\"model\": \"\", \"fallback\": \"a\"}, "
      "\"git\": {\"setup\": [1]}, \"checks\": {\"commands\": [[]], \"sandbox\": \"yes\"}, "
      "\"hooks\": 5, \"retry\": 3}",
      found);

  g_assert_cmpuint (found->len, ==, G_N_ELEMENTS (keys));
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const ForeDiagnostic *fault = NULL;

      for (guint j = 0; j < found->len && fault == NULL; j++)
        {
          ForeDiagnostic *diagnostic = found->pdata[j];

          if (g_strcmp0 (diagnostic->key, keys[i]) == 0)
            fault = diagnostic;
        }
      if (fault == NULL)
        g_error ("nobody complains of %s", keys[i]);
      g_assert_cmpstr (fault->path, ==, path);
      g_assert_cmpint (fault->severity, ==, FORE_DIAGNOSTIC_ERROR);
      g_assert_nonnull (strstr (fault->message, keys[i]));
    }
  assert_says (found, FORE_DIAGNOSTIC_ERROR, 0,
               "`limits.run_agents` was left out: it must be from "
               "1 to 1024");
  assert_says (found, FORE_DIAGNOSTIC_ERROR, 0, "it must be one of ask, auto");
  assert_says (found, FORE_DIAGNOSTIC_ERROR, 0, "from 64 KiB to");
  g_assert_cmpint (fore_settings_get_int (settings, "limits.run_agents"), ==, 4);
}

static void
test_unknown_keys_are_reported (LibraryFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeSettings) settings = load_user (
      fixture, "{\"limits\": {\"run_agent\": 2}, \"colour\": {\"a\": 1}, \"git\": {\"merge\": {}}}",
      found);

  g_assert_nonnull (settings);
  assert_says (found, FORE_DIAGNOSTIC_WARNING, 0,
               "no setting `limits.run_agent`. Did you mean `limits.run_agents`?");
  assert_says (found, FORE_DIAGNOSTIC_WARNING, 0, "no setting `colour`. It is kept");
  assert_says (found, FORE_DIAGNOSTIC_ERROR, 0, "The value of `git.merge` was left out");
}

static void
check_bad_file (LibraryFixture *fixture, const char *text, gssize length)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autofree char *path = library_fixture_write (fixture->user, "config.json", text, length);
  g_autoptr (ForeSettings) settings = fore_settings_load (fixture->user, NULL, FALSE, found);

  g_assert_cmpuint (found->len, ==, 1);
  g_assert_cmpint (((ForeDiagnostic *) found->pdata[0])->severity, ==, FORE_DIAGNOSTIC_ERROR);
  g_assert_cmpstr (((ForeDiagnostic *) found->pdata[0])->path, ==, path);
  g_assert_cmpint (fore_settings_get_int (settings, "limits.run_agents"), ==, 4);
}

static void
test_hostile_files (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *deep = g_strnfill (100000, '[');
  g_autofree char *huge = g_strnfill (1100000, ' ');

  check_bad_file (fixture, "{\"a\": ", -1);
  check_bad_file (fixture, "[1]", -1);
  check_bad_file (fixture, "{} {}", -1);
  check_bad_file (fixture, "{\"a\": \"\xff\"}", -1);
  check_bad_file (fixture, "{\"a\": 1}\0", 9);
  check_bad_file (fixture, deep, -1);
  check_bad_file (fixture, huge, -1);
}

static void
test_project_layer (LibraryFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeSettings) settings = load_both (
      fixture, "{\"limits\": {\"run_agents\": 2}}",
      "{\"limits\": {\"run_agents\": 9, \"machine_agents\": 99}, \"checks\": "
      "{\"commands\": [[\"make\"]]}}",
      found);

  g_assert_cmpint (fore_settings_get_int (settings, "limits.run_agents"), ==, 9);
  g_assert_cmpint (fore_settings_get_layer (settings, "limits.run_agents"), ==,
                   FORE_SETTINGS_PROJECT);
  g_assert_cmpint (fore_settings_get_int (settings, "limits.machine_agents"), ==, 8);
  assert_says (found, FORE_DIAGNOSTIC_WARNING, 0,
               "`limits.machine_agents` was left out: it may stand in your own settings only");
  g_assert_cmpuint (found->len, ==, 1);
}

static void
test_project_may_only_tighten (LibraryFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeSettings) looser = load_both (
      fixture, "{\"limits\": {\"helpers\": 5}}",
      "{\"approval\": {\"plan\": \"auto\", \"tools\": \"allow-in-tree\"}, \"limits\": "
      "{\"depth\": 3, \"helpers\": 6}, \"budget\": {\"stop\": 1}, \"sandbox\": "
      "{\"profile\": {\"explorer\": \"full\", \"executor\": \"full\"}}}",
      found);
  g_autoptr (GPtrArray) none = fore_diagnostics_new ();
  g_autoptr (ForeSettings) stricter = NULL;

  g_assert_cmpuint (found->len, ==, 7);
  assert_says (found, FORE_DIAGNOSTIC_WARNING, 0, "`approval.plan` was left out: a project may");
  g_assert_cmpstr (fore_settings_get_string (looser, "approval.plan"), ==, "ask");
  g_assert_cmpint (fore_settings_get_int (looser, "limits.helpers"), ==, 5);
  g_assert_cmpstr (fore_settings_get_string (looser, "sandbox.profile.explorer"), ==, "read-only");

  stricter = load_both (fixture,
                        "{\"approval\": {\"plan\": \"auto\"}, \"sandbox\": {\"profile\": "
                        "{\"executor\": \"full\"}}}",
                        "{\"approval\": {\"plan\": \"ask\", \"tools\": \"deny\"}, \"limits\": "
                        "{\"depth\": 0}, \"budget\": {\"cost\": 1, \"warn\": 0.5}, \"sandbox\": "
                        "{\"profile\": {\"executor\": \"workspace-write\"}}}",
                        none);
  assert_silent (none);
  g_assert_cmpstr (fore_settings_get_string (stricter, "approval.plan"), ==, "ask");
  g_assert_cmpstr (fore_settings_get_string (stricter, "approval.tools"), ==, "deny");
  g_assert_cmpint (fore_settings_get_int (stricter, "limits.depth"), ==, 0);
  g_assert_cmpfloat (fore_settings_get_double (stricter, "budget.cost"), ==, 1);
  g_assert_cmpstr (fore_settings_get_string (stricter, "sandbox.profile.executor"), ==,
                   "workspace-write");
}

static char *
make_hooks (const char *name, guint n)
{
  GString *text = g_string_new ("{\"hooks\": [");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text,
                            "%s{\"name\": \"%s\", \"on\": \"run.finished\", \"command\": \"x\"}",
                            i > 0 ? ", " : "", name);
  g_string_append (text, "]}");

  return g_string_free (text, FALSE);
}

static void
test_own_hooks_stay_beside_a_project_s (LibraryFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autofree char *mine = make_hooks ("mine", 60);
  g_autofree char *theirs = make_hooks ("theirs", 100);
  g_autoptr (ForeSettings) settings = load_both (fixture, mine, theirs, found);
  GPtrArray *hooks = fore_settings_get_hooks (settings);

  g_assert_cmpuint (found->len, ==, 0);
  g_assert_cmpuint (hooks->len, ==, 160);
  g_assert_cmpstr (((ForeHookDef *) hooks->pdata[59])->name, ==, "mine");
  g_assert_cmpstr (((ForeHookDef *) hooks->pdata[60])->name, ==, "theirs");
}

static void
test_untrusted_project_is_not_read (LibraryFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autofree char *path = library_fixture_write (fixture->project, ".foredeck/config.json",
                                                 "{\"hooks\": [{\"command\": [\"evil\"]}]}", -1);
  g_autoptr (ForeSettings) settings = fore_settings_load (NULL, fixture->project, FALSE, found);

  g_assert_cmpint (fore_settings_get_layer (settings, "hooks"), ==, FORE_SETTINGS_DEFAULT);
  assert_says (found, FORE_DIAGNOSTIC_NOTE, 0, "you trust this project");
  g_assert_cmpstr (((ForeDiagnostic *) found->pdata[0])->path, ==, path);
}

static void
test_settings_of_pi_crew (LibraryFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autofree char *theirs = library_fixture_write (
      fixture->project, ".crew/config.json",
      "{\"limits\": {\"maxConcurrentWorkers\": 3, \"maxRunMinutes\": 90, \"maxTaskDepth\": 9}, "
      "\"runtime\": {\"requirePlanApproval\": true, \"taskTimeoutMs\": 0}, \"ui\": {\"x\": 1}}",
      -1);
  g_autofree char *user = library_fixture_write (fixture->user, "config.json",
                                                 "{\"approval.plan\": \"auto\"}", -1);
  g_autoptr (ForeSettings) settings = fore_settings_load (fixture->user, fixture->project, TRUE,
                                                          found);

  g_assert_nonnull (theirs);
  g_assert_nonnull (user);
  g_assert_cmpint (fore_settings_get_int (settings, "limits.run_agents"), ==, 3);
  g_assert_cmpint (fore_settings_get_duration (settings, "limits.run_time"), ==, 5400000);
  g_assert_cmpstr (fore_settings_get_string (settings, "approval.plan"), ==, "ask");
  g_assert_cmpint (fore_settings_get_int (settings, "limits.depth"), ==, 2);
  g_assert_cmpint (fore_settings_get_duration (settings, "limits.task_time"), ==, 3600000);
  g_assert_cmpuint (found->len, ==, 1);
}

static void
test_run_options (void)
{
  g_autoptr (ForeSettings) settings = fore_settings_load (NULL, NULL, FALSE, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (fore_settings_set_run_option (settings, "approval.plan", "auto", &error));
  g_assert_true (fore_settings_set_run_option (settings, "limits.run_time", "10 min", &error));
  g_assert_true (fore_settings_set_run_option (settings, "agents.fallback", "a, b", &error));
  g_assert_true (fore_settings_set_run_option (settings, "budget.cost", "0.5", &error));
  g_assert_no_error (error);
  g_assert_cmpstr (fore_settings_get_string (settings, "approval.plan"), ==, "auto");
  g_assert_cmpint (fore_settings_get_duration (settings, "limits.run_time"), ==, 600000);
  g_assert_cmpstr (fore_settings_get_strv (settings, "agents.fallback")[1], ==, "b");
  g_assert_cmpint (fore_settings_get_layer (settings, "budget.cost"), ==, FORE_SETTINGS_RUN);

  g_assert_false (fore_settings_set_run_option (settings, "limits.depth", "1", &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
  g_clear_error (&error);
  g_assert_false (fore_settings_set_run_option (settings, "limits.run_agents", "x", &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (fore_settings_set_run_option (settings, "no.such", "x", &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_USAGE);
  g_clear_error (&error);
  g_assert_true (fore_settings_set_run_option (settings, "budget.cost", NULL, &error));
  g_assert_false (fore_settings_is_set (settings, "budget.cost"));
}

static void
test_list (LibraryFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeSettings) settings = load_user (
      fixture, "{\"limits\": {\"cli_agents\": {\"pi\": 2, \"claude\": 1}}}", NULL);
  g_autoptr (GPtrArray) list = fore_settings_list (settings);
  guint claude = 0, pi = 0;

  for (guint i = 0; i < list->len; i++)
    {
      const ForeSettingsEntry *entry = list->pdata[i];
      g_autofree char *text = fore_settings_dup_text (settings, entry->name);

      g_assert_cmpstr (text, ==, entry->text);
      if (strcmp (entry->name, "limits.cli_agents.claude") == 0)
        claude = i;
      if (strcmp (entry->name, "limits.cli_agents.pi") == 0)
        pi = i;
    }
  g_assert_cmpstr (((ForeSettingsEntry *) list->pdata[0])->name, ==, "limits.machine_agents");
  g_assert_cmpuint (claude, >, 0);
  g_assert_cmpuint (pi, ==, claude + 1);
  g_assert_cmpint (((ForeSettingsEntry *) list->pdata[pi])->layer, ==, FORE_SETTINGS_USER);
}

static void
assert_contents (const char *path, const char *expected)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

static void
store (const char *path, const char *name, const char *text, gboolean expect_change)
{
  g_autoptr (GError) error = NULL;
  gboolean changed = !expect_change;

  g_assert_true (fore_settings_store (path, FORE_SETTINGS_USER, name, text, &changed, &error));
  g_assert_no_error (error);
  g_assert_cmpint (changed, ==, expect_change);
}

static void
test_rewrite_keeps_order_and_unknown_keys (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *path = library_fixture_write (
      fixture->user, "config.json",
      "{\"zebra\":{\"x\":0.8,\"y\":[1,\"\\u00fc\\n\"]},\"retry\":{\"factor\":1.5,\"attempts\":3},"
      "\"git.merge\":\"ff\",\"big\":9007199254740993}",
      -1);

  store (path, "retry.attempts", "4", TRUE);
  store (path, "git.merge", "squash", TRUE);
  store (path, "limits.cli_agents.pi", "2", TRUE);
  assert_contents (path, "{\n"
                         "  \"zebra\": {\n"
                         "    \"x\": 0.8,\n"
                         "    \"y\": [1, \"ü\\n\"]\n"
                         "  },\n"
                         "  \"retry\": {\n"
                         "    \"factor\": 1.5,\n"
                         "    \"attempts\": 4\n"
                         "  },\n"
                         "  \"git.merge\": \"squash\",\n"
                         "  \"big\": 9007199254740993,\n"
                         "  \"limits\": {\n"
                         "    \"cli_agents\": {\n"
                         "      \"pi\": 2\n"
                         "    }\n"
                         "  }\n"
                         "}\n");
  store (path, "limits.cli_agents.pi", NULL, TRUE);
  store (path, "retry.factor", NULL, TRUE);
  assert_contents (path, "{\n"
                         "  \"zebra\": {\n"
                         "    \"x\": 0.8,\n"
                         "    \"y\": [1, \"ü\\n\"]\n"
                         "  },\n"
                         "  \"retry\": {\n"
                         "    \"attempts\": 4\n"
                         "  },\n"
                         "  \"git.merge\": \"squash\",\n"
                         "  \"big\": 9007199254740993\n"
                         "}\n");
}

static void
test_no_change_writes_nothing (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *path = library_fixture_write (fixture->user, "config.json",
                                                 "{\"retry\": {\"attempts\":3}}", -1);

  store (path, "retry.attempts", "3", FALSE);
  store (path, "limits.cli_agents.pi", NULL, FALSE);
  assert_contents (path, "{\"retry\": {\"attempts\":3}}");
}

static void
test_first_write_makes_the_file (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *path = fore_settings_dup_user_path (fixture->user);
  GStatBuf info;

  store (path, "checks.commands", "[[\"make\", \"check\"]]", TRUE);
  store (path, "agents.fallback", "a, b", TRUE);
  store (path, "limits.silence", "5 min", TRUE);
  assert_contents (path, "{\n"
                         "  \"checks\": {\n"
                         "    \"commands\": [\n"
                         "      [\"make\", \"check\"]\n"
                         "    ]\n"
                         "  },\n"
                         "  \"agents\": {\n"
                         "    \"fallback\": [\"a\", \"b\"]\n"
                         "  },\n"
                         "  \"limits\": {\n"
                         "    \"silence\": \"5 min\"\n"
                         "  }\n"
                         "}\n");
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
}

static void
test_store_refuses (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *path = library_fixture_write (fixture->user, "config.json", "{broken", -1);
  g_autoptr (GError) error = NULL;

  g_assert_false (
      fore_settings_store (path, FORE_SETTINGS_USER, "retry.attempts", "3", NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_INVALID);
  g_assert_true (g_str_has_prefix (error->message, path));
  assert_contents (path, "{broken");
  g_clear_error (&error);

  g_assert_false (
      fore_settings_store (path, FORE_SETTINGS_USER, "retry.attempt", "3", NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, "`retry.attempts`"));
  g_clear_error (&error);

  g_assert_false (
      fore_settings_store (path, FORE_SETTINGS_USER, "retry.attempts", "lots", NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_INVALID);
  g_clear_error (&error);

  g_assert_false (
      fore_settings_store (path, FORE_SETTINGS_PROJECT, "limits.day_cost", "3", NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
}

static void
test_store_through_a_link (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *target = library_fixture_write (fixture->dir, "dotfiles/foredeck.json", "{}",
                                                   -1);
  g_autofree char *path = fore_settings_dup_user_path (fixture->user);

  g_assert_cmpint (g_mkdir_with_parents (fixture->user, 0700), ==, 0);
  g_assert_cmpint (symlink (target, path), ==, 0);
  store (path, "checks.sandbox", "yes", TRUE);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_SYMLINK));
  assert_contents (target, "{\n  \"checks\": {\n    \"sandbox\": true\n  }\n}\n");
}

static void
check_duration (const char *text, gint64 expected, const char *formatted)
{
  g_autofree char *back = NULL;
  gint64 ms;

  g_assert_true (fore_duration_parse (text, &ms));
  g_assert_cmpint (ms, ==, expected);
  back = fore_duration_format (ms);
  g_assert_cmpstr (back, ==, formatted);
}

static void
test_durations_and_sizes (void)
{
  static const char *const bad[]
      = { "", " ", "soon", "10 parsecs", "-5 s", "5 s x", "1e400 h", "." };
  gint64 value;

  check_duration ("10 min", 600000, "10 min");
  check_duration ("5s", 5000, "5 s");
  check_duration ("1h", 3600000, "1 h");
  check_duration ("1h 30m", 5400000, "90 min");
  check_duration ("1.5 s", 1500, "1500 ms");
  check_duration ("250", 250, "250 ms");
  check_duration ("14 days", G_GINT64_CONSTANT (1209600000), "14 days");
  check_duration ("0", 0, "0 s");

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_false (fore_duration_parse (bad[i], &value));
      g_assert_false (fore_size_parse (bad[i], &value));
    }

  g_assert_true (fore_size_parse ("512 MiB", &value));
  g_assert_cmpint (value, ==, 512 << 20);
  g_assert_true (fore_size_parse ("10kB", &value));
  g_assert_cmpint (value, ==, 10000);
  g_assert_true (fore_size_parse ("2g", &value));
  g_assert_cmpint (value, ==, G_GINT64_CONSTANT (2) << 30);
}

static void
test_nearest_word (void)
{
  static const char *const words[] = { "role", "reads", "retries", NULL };

  g_assert_cmpstr (fore_nearest_word ("rol", words), ==, "role");
  g_assert_cmpstr (fore_nearest_word ("reties", words), ==, "retries");
  g_assert_cmpstr (fore_nearest_word ("rloe", words), ==, "role");
  g_assert_null (fore_nearest_word ("zebra", words));
  g_assert_cmpuint (fore_edit_distance ("kitten", "sitting", 5), ==, 3);
  g_assert_cmpuint (fore_edit_distance ("", "abc", 2), ==, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/settings/registry", test_every_key_has_a_usable_default);
  g_test_add_func ("/settings/defaults", test_defaults);
  library_test ("/settings/user-values", test_user_values);
  library_test ("/settings/bad-values", test_every_bad_value_is_named);
  library_test ("/settings/unknown-keys", test_unknown_keys_are_reported);
  library_test ("/settings/hostile-files", test_hostile_files);
  library_test ("/settings/project", test_project_layer);
  library_test ("/settings/tighten", test_project_may_only_tighten);
  library_test ("/settings/untrusted", test_untrusted_project_is_not_read);
  library_test ("/settings/hooks", test_own_hooks_stay_beside_a_project_s);
  library_test ("/settings/pi-crew", test_settings_of_pi_crew);
  g_test_add_func ("/settings/run-options", test_run_options);
  library_test ("/settings/list", test_list);
  library_test ("/settings/store/keeps", test_rewrite_keeps_order_and_unknown_keys);
  library_test ("/settings/store/no-change", test_no_change_writes_nothing);
  library_test ("/settings/store/first", test_first_write_makes_the_file);
  library_test ("/settings/store/refuses", test_store_refuses);
  library_test ("/settings/store/link", test_store_through_a_link);
  g_test_add_func ("/settings/quantities", test_durations_and_sizes);
  g_test_add_func ("/settings/nearest", test_nearest_word);

  return g_test_run ();
}
