/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-doctor.h"

#include "agents/fore-adapter.h"
#include "engine/fore-attempt-sandbox.h"
#include "engine/fore-sandbox-settings.h"
#include "git/fore-repository.h"
#include "library/fore-library.h"
#include "library/fore-settings.h"
#include "platform/fore-crash.h"
#include "platform/fore-dirs.h"
#include "platform/fore-process.h"
#include "platform/fore-sandbox.h"
#include "text/fore-json.h"
#include "text/fore-text.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sqlite3.h>

#define WARN_SPACE (2 * G_GUINT64_CONSTANT (1024) * 1024 * 1024)
#define STOP_SPACE (500 * G_GUINT64_CONSTANT (1024) * 1024)
#define DIRTY_PATHS 5

static const char *const level_words[] = { "good", "note", "bad" };

/**
 * fore_finding_free:
 * @finding: (nullable): a finding
 */
void
fore_finding_free (ForeFinding *finding)
{
  if (finding == NULL)
    return;

  g_free (finding->section);
  g_free (finding->name);
  g_free (finding->value);
  g_free (finding->hint);
  g_free (finding);
}

static ForeFinding *
add (GPtrArray *findings,
     const char *section,
     const char *name,
     ForeFindingLevel level,
     const char *value,
     const char *hint)
{
  ForeFinding *finding = g_new0 (ForeFinding, 1);

  finding->section = g_strdup (section);
  finding->name = g_strdup (name);
  finding->level = level;
  finding->value = g_strdup (value);
  finding->hint = g_strdup (hint);
  g_ptr_array_add (findings, finding);

  return finding;
}

static char *
describe_agent (const ForeAdapter *adapter, const ForeAgentFound *found)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();

  if (found->version != NULL)
    g_ptr_array_add (parts, found->version);
  if (found->login != NULL)
    g_ptr_array_add (parts, found->login);
  if (adapter->live)
    g_ptr_array_add (parts, _ ("also as a live session"));
  if (found->path != NULL)
    g_ptr_array_add (parts, found->path);
  g_ptr_array_add (parts, NULL);

  return g_strjoinv (" · ", (char **) parts->pdata);
}

static char *
dup_agent_hint (const ForeAdapter *adapter, const ForeAgentFound *found)
{
  if (found->problem == NULL && found->no_login)
    return g_strdup_printf (_ ("Start “%s” once and log in with it."), adapter->program);

  return g_strdup (found->problem);
}

/* Programs of workflow steps are no agent that one could look for. */
static void
examine_agents (GPtrArray *findings, GCancellable *cancellable)
{
  const ForeAdapter *const *adapters = fore_adapter_list ();
  guint n_usable = 0;

  for (guint i = 0; adapters[i] != NULL && !g_cancellable_is_cancelled (cancellable); i++)
    {
      const ForeAdapter *adapter = adapters[i];
      g_autoptr (ForeAgentFound) found = NULL;
      g_autofree char *value = NULL, *advice = NULL;
      ForeFinding *finding;

      if (adapter->program == NULL)
        continue;

      found = fore_adapter_find (adapter, cancellable);
      if (found == NULL || found->path == NULL)
        {
          g_autofree char *hint = adapter->install != NULL
                                      ? g_strdup_printf (_ ("To have it: %s"), adapter->install)
                                      : NULL;

          add (findings, "agents", adapter->name, FORE_FINDING_NOTE, _ ("not found"), hint);
          continue;
        }

      value = describe_agent (adapter, found);
      advice = dup_agent_hint (adapter, found);
      n_usable += found->usable && g_strcmp0 (adapter->name, "demo") != 0;
      finding = add (findings, "agents", adapter->name,
                     !found->usable    ? FORE_FINDING_BAD
                     : found->no_login ? FORE_FINDING_NOTE
                                       : FORE_FINDING_GOOD,
                     value, advice);
      finding->testable = found->usable;
    }

  if (n_usable == 0)
    add (findings, "agents", "agents", FORE_FINDING_NOTE, _ ("none but the demo"),
         _ ("Install an agent CLI such as pi or claude and make sure that it is in PATH."));
}

static void
examine_state (GPtrArray *findings, ForeRepository *repository)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *value = NULL;
  ForeRepositoryState *state = fore_repository_read_state (repository, DIRTY_PATHS, &error);

  if (state == NULL)
    {
      add (findings, "git", "repository", FORE_FINDING_BAD, error->message, NULL);
      return;
    }

  if (state->unborn)
    add (findings, "git", "repository", FORE_FINDING_NOTE, _ ("has no commit yet"),
         _ ("Make a first commit; runs with worktrees start from one."));
  else if (state->operation != NULL)
    {
      value = g_strdup_printf (_ ("in the middle of a %s"), state->operation);
      add (findings, "git", "repository", FORE_FINDING_NOTE, value,
           _ ("Finish it before you merge the result of a run."));
    }
  else
    {
      value = g_strdup_printf (_ ("on %s, %u changed, %u untracked"),
                               state->branch != NULL ? state->branch : _ ("no branch"),
                               state->n_modified, state->n_untracked);
      add (findings, "git", "repository",
           fore_repository_state_is_dirty (state) ? FORE_FINDING_NOTE : FORE_FINDING_GOOD, value,
           fore_repository_state_is_dirty (state) ? _ (
               "Runs start from the last commit; local changes are only taken along when asked.")
                                                  : NULL);
    }

  fore_repository_state_free (state);
}

static void
examine_identity (GPtrArray *findings, ForeRepository *repository)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeIdentity) identity = fore_repository_read_identity (repository, &error);
  g_autofree char *value = NULL;

  if (identity == NULL)
    {
      add (findings, "git", "identity", FORE_FINDING_NOTE, _ ("not set"),
           _ ("Tell git who you are: git config --global user.name and user.email."));
      return;
    }

  value = g_strdup_printf ("%s <%s>", identity->name, identity->email);
  add (findings, "git", "identity", FORE_FINDING_GOOD, value, NULL);
}

/* What the person's settings ask for beyond what is done without the git program. */
static void
examine_programs (GPtrArray *findings, ForeRepository *repository)
{
  gboolean has_git = FALSE;
  g_auto (GStrv) uses = fore_repository_list_programs (repository, &has_git, NULL);
  g_autofree char *value = uses != NULL ? g_strjoinv ("; ", uses) : NULL;

  if (value == NULL || *value == '\0')
    add (findings, "git", "programs", FORE_FINDING_GOOD, _ ("none needed"), NULL);
  else if (has_git)
    add (findings, "git", "programs", FORE_FINDING_GOOD, value, NULL);
  else
    add (findings, "git", "programs", FORE_FINDING_BAD, value,
         _ ("Install the git program; without it these cannot be carried out."));
}

static void
examine_git (GPtrArray *findings, const char *project)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeRepository) repository = NULL;

  if (project == NULL)
    return;

  repository = fore_repository_open (project, &error);
  if (repository == NULL)
    {
      add (findings, "git", "repository", FORE_FINDING_NOTE, error->message,
           _ ("Without git, agents share the folder; “git init” and a commit give each its own."));
      return;
    }

  examine_identity (findings, repository);
  examine_state (findings, repository);
  examine_programs (findings, repository);
}

static void
examine_profiles (GPtrArray *findings,
                  ForeSettings *settings,
                  const char *user_dir,
                  const char *project,
                  gboolean trusted)
{
  g_autoptr (ForeLibrary) library = fore_library_load (user_dir, project, trusted, NULL);
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);

  if (library == NULL)
    return;

  fore_sandbox_settings_check (settings, library, problems, NULL);
  for (guint i = 0; i < problems->len; i++)
    add (findings, "sandbox", "profile", FORE_FINDING_NOTE, _ ("a setting does nothing"),
         g_ptr_array_index (problems, i));
}

/* Whether it is there says nothing: many systems forbid what it needs. */
static void
examine_sandbox (GPtrArray *findings, ForeStore *store, const char *project)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) nonsense = NULL;
  g_autofree char *program = fore_sandbox_find (&error);
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  gboolean trusted = project != NULL && fore_store_is_trusted (store, project);
  g_autoptr (ForeSettings) settings = fore_settings_load (user_dir, project, trusted, NULL);
  const char *mode = settings != NULL ? fore_attempt_sandbox_get_mode (settings) : NULL;

  if (!fore_sandbox_settings_check_mode (&nonsense))
    add (findings, "sandbox", "bubblewrap", FORE_FINDING_BAD, _ ("no run can start"),
         nonsense->message);
  else if (g_strcmp0 (mode, "off") == 0)
    add (findings, "sandbox", "bubblewrap", FORE_FINDING_NOTE, _ ("agents run without a sandbox"),
         _ ("sandbox.mode is off."));
  else if (program != NULL)
    add (findings, "sandbox", "bubblewrap", FORE_FINDING_GOOD, program, NULL);
  else if (g_strcmp0 (mode, "required") == 0)
    add (findings, "sandbox", "bubblewrap", FORE_FINDING_BAD,
         _ ("no run can start: sandbox.mode is required"), error->message);
  else
    add (findings, "sandbox", "bubblewrap", FORE_FINDING_NOTE, _ ("agents run without a sandbox"),
         error->message);
  if (settings != NULL)
    examine_profiles (findings, settings, user_dir, project, trusted);
}

static void
examine_space (GPtrArray *findings, const char *home)
{
  guint64 space = fore_dirs_get_free_space (home);
  g_autofree char *value = NULL;

  if (space == G_MAXUINT64)
    return;

  value = fore_text_format_size (space);
  if (space < STOP_SPACE)
    add (findings, "store", "free space", FORE_FINDING_BAD, value,
         _ ("Nothing new starts below 500 MB; make room."));
  else if (space < WARN_SPACE)
    add (findings, "store", "free space", FORE_FINDING_NOTE, value, _ ("Make room soon."));
  else
    add (findings, "store", "free space", FORE_FINDING_GOOD, value, NULL);
}

static gboolean
can_write (const char *home)
{
  g_autofree char *path = g_build_filename (home, ".doctor-XXXXXX", NULL);
  int fd = g_mkstemp (path);

  if (fd < 0)
    return FALSE;

  g_close (fd, NULL);
  return g_unlink (path) == 0;
}

static void
examine_store (GPtrArray *findings, ForeStore *store)
{
  const char *home = fore_store_get_home (store);
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  gboolean writable = can_write (home);

  add (findings, "store", "folder", writable ? FORE_FINDING_GOOD : FORE_FINDING_BAD, home,
       writable ? NULL : _ ("Nothing can be written there; check who owns it."));
  examine_space (findings, home);
  if (fore_dirs_is_network (home))
    add (findings, "store", "file system", FORE_FINDING_BAD, _ ("on the network"),
         _ ("Locks are not safe there; set FOREDECK_HOME to a folder on a local disk."));

  if (!fore_store_check (store, problems, NULL, &error))
    add (findings, "store", "integrity", FORE_FINDING_BAD, error->message, NULL);
  else if (problems->len > 0)
    add (findings, "store", "integrity", FORE_FINDING_BAD, problems->pdata[0],
         _ ("“foredeckctl doctor --check-store” tells everything and makes the index anew."));
  else
    add (findings, "store", "integrity", FORE_FINDING_GOOD, _ ("sound"), NULL);
}

/* With a home of its own, what lies in the usual folder does nothing. */
static void
examine_user_folder (GPtrArray *findings, const char *user_dir)
{
  g_autofree char *usual = g_build_filename (g_get_user_config_dir (), "foredeck", NULL);
  g_autofree char *hint = NULL;

  if (strcmp (usual, user_dir) == 0 || !g_file_test (usual, G_FILE_TEST_IS_DIR))
    {
      add (findings, "settings", "folder", FORE_FINDING_GOOD, user_dir, NULL);
      return;
    }

  hint = g_strdup_printf (
      _ ("FOREDECK_HOME is set, so nothing in %s is read. What is meant to count "
         "belongs into %s."),
      usual, user_dir);
  add (findings, "settings", "folder", FORE_FINDING_NOTE, user_dir, hint);
}

static void
examine_settings (GPtrArray *findings, ForeStore *store, const char *project)
{
  g_autoptr (GPtrArray) diagnostics = fore_diagnostics_new ();
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autoptr (ForeSettings) settings = NULL;

  examine_user_folder (findings, user_dir);
  settings = fore_settings_load (
      user_dir, project, project != NULL && fore_store_is_trusted (store, project), diagnostics);
  for (guint i = 0; i < diagnostics->len; i++)
    {
      const ForeDiagnostic *diagnostic = diagnostics->pdata[i];
      gboolean bad = diagnostic->severity == FORE_DIAGNOSTIC_ERROR;

      add (findings, "settings", diagnostic->key != NULL ? diagnostic->key : "file",
           bad ? FORE_FINDING_BAD : FORE_FINDING_NOTE, diagnostic->message, diagnostic->path);
    }

  if (diagnostics->len == 0)
    add (findings, "settings", "files", FORE_FINDING_GOOD, _ ("valid"), NULL);
}

static void
examine_crashes (GPtrArray *findings, const char *home)
{
  g_auto (GStrv) reports = fore_crash_list_unseen (home);
  guint n_reports = reports != NULL ? g_strv_length (reports) : 0;
  g_autofree char *value = NULL;

  if (n_reports == 0)
    {
      add (findings, "system", "crash reports", FORE_FINDING_GOOD, _ ("none"), NULL);
      return;
    }

  value = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u new: %s", "%u new, the newest: %s", n_reports), n_reports,
      reports[0]);
  add (findings, "system", "crash reports", FORE_FINDING_NOTE, value,
       _ ("Nothing was sent to anyone; “foredeckctl doctor --bundle FILE” gathers them."));
}

static void
examine_system (GPtrArray *findings, const char *home)
{
  g_autofree char *name = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);
  g_autofree char *libraries = g_strdup_printf ("GLib %u.%u.%u, SQLite %s", glib_major_version,
                                                glib_minor_version, glib_micro_version,
                                                sqlite3_libversion ());
  g_autofree char *cores = g_strdup_printf ("%u", fore_platform_get_cores ());
  const char *path = g_getenv ("PATH");

  add (findings, "system", "Foredeck", FORE_FINDING_GOOD, FORE_VERSION, NULL);
  add (findings, "system", "libraries", FORE_FINDING_GOOD, libraries, NULL);
  if (name != NULL)
    add (findings, "system", "system", FORE_FINDING_GOOD, name, NULL);
  add (findings, "system", "cores", FORE_FINDING_GOOD, cores, NULL);
  add (findings, "system", "PATH", path != NULL ? FORE_FINDING_GOOD : FORE_FINDING_BAD,
       path != NULL ? path : _ ("not set"), NULL);
  examine_crashes (findings, home);
}

/**
 * fore_doctor_examine:
 * @store: the store
 * @project: (nullable): folder of a project to look at too
 * @cancellable: (nullable): a cancellable
 *
 * Looks at everything that a run needs. Blocking: it runs each agent's `--version`.
 *
 * Returns: (transfer full) (element-type ForeFinding): what was found, by section
 */
GPtrArray *
fore_doctor_examine (ForeStore *store, const char *project, GCancellable *cancellable)
{
  GPtrArray *findings = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_finding_free);

  g_return_val_if_fail (FORE_IS_STORE (store), findings);

  examine_agents (findings, cancellable);
  examine_git (findings, project);
  examine_sandbox (findings, store, project);
  examine_store (findings, store);
  examine_settings (findings, store, project);
  examine_system (findings, fore_store_get_home (store));

  return findings;
}

/**
 * fore_doctor_to_json:
 * @findings: (element-type ForeFinding): what was found
 *
 * Returns: (transfer full): {good, findings: [{section, name, level, value, hint}]}; good says that
 *   nothing is in the way
 */
JsonNode *
fore_doctor_to_json (GPtrArray *findings)
{
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);
  JsonObject *object = json_object_new ();
  JsonArray *array = json_array_new ();
  gboolean good = TRUE;

  g_return_val_if_fail (findings != NULL, NULL);

  for (guint i = 0; i < findings->len; i++)
    {
      const ForeFinding *finding = findings->pdata[i];
      JsonObject *row = json_object_new ();

      fore_json_set_text (row, "section", finding->section);
      fore_json_set_text (row, "name", finding->name);
      fore_json_set_text (row, "level", level_words[finding->level]);
      fore_json_set_text (row, "value", finding->value);
      fore_json_set_text (row, "hint", finding->hint);
      json_array_add_object_element (array, row);
      good &= finding->level != FORE_FINDING_BAD;
    }

  json_object_set_boolean_member (object, "good", good);
  json_object_set_array_member (object, "findings", array);
  json_node_take_object (node, object);

  return node;
}
