/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-library-private.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "library/fore-library-text.h"
#include "library/fore-settings.h"
#include "library/fore-workflow-script.h"

/* More files than this in one folder are a mistake or an attack. */
#define MAX_FILES 2000

typedef gpointer (*ParseFunc) (const char *text,
                               gssize length,
                               const char *path,
                               ForeLibraryLayer layer,
                               GPtrArray *diagnostics);

typedef struct
{
  const char *word;
  const char *suffix;
  ParseFunc parse;
  GDestroyNotify unref;
} KindRow;

static const KindRow kinds[FORE_N_KINDS] = {
  [FORE_KIND_AGENT] = { "agent", ".md", (ParseFunc) fore_agent_def_new_from_text,
                        (GDestroyNotify) fore_agent_def_unref },
  [FORE_KIND_TEAM] = { "team", ".team.md", (ParseFunc) fore_team_new_from_text,
                       (GDestroyNotify) fore_team_unref },
  [FORE_KIND_WORKFLOW] = { "workflow", ".workflow.md", (ParseFunc) fore_workflow_new_from_text,
                           (GDestroyNotify) fore_workflow_unref },
  [FORE_KIND_SKILL] = { "skill", "SKILL.md", (ParseFunc) fore_skill_new_from_text,
                        (GDestroyNotify) fore_skill_unref },
};

typedef struct
{
  ForeLibraryLayer layer;
  ForeLibraryKind kind;
  const char *dir;
} FolderRow;

/* Folders of a project, the ones that win first. */
static const FolderRow project_dirs[] = {
  { FORE_LAYER_PROJECT, FORE_KIND_AGENT, ".foredeck/agents" },
  { FORE_LAYER_PROJECT, FORE_KIND_TEAM, ".foredeck/teams" },
  { FORE_LAYER_PROJECT, FORE_KIND_WORKFLOW, ".foredeck/workflows" },
  { FORE_LAYER_PROJECT, FORE_KIND_SKILL, ".foredeck/skills" },
  { FORE_LAYER_CREW, FORE_KIND_AGENT, ".crew/agents" },
  { FORE_LAYER_CREW, FORE_KIND_TEAM, ".crew/teams" },
  { FORE_LAYER_CREW, FORE_KIND_WORKFLOW, ".crew/workflows" },
  { FORE_LAYER_CREW, FORE_KIND_SKILL, ".crew/skills" },
  { FORE_LAYER_PI, FORE_KIND_AGENT, ".pi/teams/agents" },
  { FORE_LAYER_PI, FORE_KIND_TEAM, ".pi/teams/teams" },
  { FORE_LAYER_PI, FORE_KIND_TEAM, ".pi/teams" },
  { FORE_LAYER_PI, FORE_KIND_WORKFLOW, ".pi/teams/workflows" },
  { FORE_LAYER_PI, FORE_KIND_AGENT, ".pi/agents" },
  { FORE_LAYER_PI, FORE_KIND_SKILL, ".pi/skills" },
  { FORE_LAYER_CLAUDE, FORE_KIND_AGENT, ".claude/agents" },
  { FORE_LAYER_CLAUDE, FORE_KIND_SKILL, ".claude/skills" },
  { FORE_LAYER_SHARED, FORE_KIND_SKILL, ".agents/skills" },
};

/* What a person has for other systems, below the home folder. */
static const FolderRow home_dirs[] = {
  { FORE_LAYER_HOME_PI, FORE_KIND_AGENT, ".pi/agent/agents" },
  { FORE_LAYER_HOME_PI, FORE_KIND_TEAM, ".pi/agent/teams" },
  { FORE_LAYER_HOME_PI, FORE_KIND_WORKFLOW, ".pi/agent/workflows" },
  { FORE_LAYER_HOME_PI, FORE_KIND_SKILL, ".pi/agent/skills" },
  { FORE_LAYER_HOME_PI, FORE_KIND_SKILL, ".pi/skills" },
  { FORE_LAYER_HOME_CLAUDE, FORE_KIND_AGENT, ".claude/agents" },
  { FORE_LAYER_HOME_CLAUDE, FORE_KIND_SKILL, ".claude/skills" },
  { FORE_LAYER_HOME_SHARED, FORE_KIND_SKILL, ".agents/skills" },
};

/**
 * fore_library_kind_to_string:
 * @kind: a kind
 *
 * Gets the word for @kind.
 *
 * Returns: (transfer none): a static string
 */
const char *
fore_library_kind_to_string (ForeLibraryKind kind)
{
  g_return_val_if_fail ((guint) kind < FORE_N_KINDS, "agent");

  return kinds[kind].word;
}

/**
 * fore_library_kind_from_string:
 * @text: a word, with or without a plural s
 * @kind: (out): place for the kind
 *
 * Reads the word for a kind.
 *
 * Returns: %FALSE if there is no such kind
 */
gboolean
fore_library_kind_from_string (const char *text, ForeLibraryKind *kind)
{
  g_return_val_if_fail (text != NULL, FALSE);
  g_return_val_if_fail (kind != NULL, FALSE);

  for (guint i = 0; i < FORE_N_KINDS; i++)
    {
      gsize length = strlen (kinds[i].word);

      if (strncmp (kinds[i].word, text, length) != 0)
        continue;
      if (text[length] == '\0' || strcmp (text + length, "s") == 0)
        {
          *kind = i;
          return TRUE;
        }
    }

  return FALSE;
}

/**
 * fore_library_kind_parse:
 * @kind: what the file is
 * @text: its bytes
 * @length: how many
 * @path: the file
 * @layer: where it comes from
 * @diagnostics: (nullable) (element-type ForeDiagnostic): where to say what is wrong
 *
 * Reads a file of any kind.
 *
 * Returns: (transfer full) (nullable): the object, for fore_library_kind_unref(), or %NULL if the
 *   file cannot be used
 */
gpointer
fore_library_kind_parse (ForeLibraryKind kind,
                         const char *text,
                         gsize length,
                         const char *path,
                         ForeLibraryLayer layer,
                         GPtrArray *diagnostics)
{
  g_return_val_if_fail ((guint) kind < FORE_N_KINDS, NULL);

  return kinds[kind].parse (text, (gssize) length, path, layer, diagnostics);
}

/**
 * fore_library_kind_unref:
 * @kind: what @object is
 * @object: (transfer full): an object of the library
 *
 * Gives a reference to an object of any kind back.
 */
void
fore_library_kind_unref (ForeLibraryKind kind, gpointer object)
{
  g_return_if_fail ((guint) kind < FORE_N_KINDS);

  kinds[kind].unref (object);
}

static gboolean
is_wanted (ForeLibraryKind kind, const char *name)
{
  if (name[0] == '.')
    return FALSE;
  if (kind == FORE_KIND_SKILL || (kind == FORE_KIND_WORKFLOW && fore_workflow_script_is_one (name)))
    return TRUE;
  if (!g_str_has_suffix (name, kinds[kind].suffix) || g_ascii_strcasecmp (name, "README.md") == 0)
    return FALSE;

  return kind != FORE_KIND_AGENT
         || (!g_str_has_suffix (name, ".team.md") && !g_str_has_suffix (name, ".workflow.md"));
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Names in a fixed order, so that the same file wins on every machine. */
static GPtrArray *
list_names (ForeLibrary *self, ForeLibraryKind kind, const char *path)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = NULL;
  const char *name;

  fore_library_look (self, path, TRUE);
  dir = g_dir_open (path, 0, NULL);

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      if (!is_wanted (kind, name))
        continue;
      if (names->len >= MAX_FILES)
        {
          fore_diagnostics_add (self->diagnostics, FORE_DIAGNOSTIC_ERROR, path, 0, 0, NULL,
                                _ ("Only %d files of this folder were read. Remove some."),
                                MAX_FILES);
          break;
        }
      g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_sort (names, compare_texts);

  return names;
}

/* Whether @object may stand in the library, given what is there under its name. */
static gboolean
may_add (ForeLibrary *self, ForeLibraryKind kind, ForeLibraryObject *object)
{
  ForeLibraryObject *old = g_hash_table_lookup (self->by_name[kind], object->name);
  gboolean project = fore_library_layer_is_project (object->source.layer);
  gboolean beside;

  if (old == NULL)
    return TRUE;

  beside = fore_library_layer_is_home (object->source.layer)
           || (project && fore_library_layer_is_project (old->source.layer));

  if (old->source.layer == object->source.layer)
    fore_diagnostics_add (self->diagnostics, FORE_DIAGNOSTIC_ERROR, object->source.path, 0, 0,
                          "name", _ ("The %s `%s` stands in %s already. Rename one of them."),
                          kinds[kind].word, object->name, old->source.path);
  else if (beside)
    fore_diagnostics_add (self->diagnostics, FORE_DIAGNOSTIC_NOTE, object->source.path, 0, 0,
                          "name", _ ("The %s `%s` of %s counts instead of this one."),
                          kinds[kind].word, object->name, old->source.path);
  else if (project)
    fore_diagnostics_add (
        self->diagnostics, FORE_DIAGNOSTIC_WARNING, object->source.path, 0, 0, "name",
        _ ("This file was left out: a project may not replace the %s `%s` of "
           "the %s layer. Give it another name."),
        kinds[kind].word, object->name, fore_library_layer_to_string (old->source.layer));
  else
    {
      object->source.replaced = g_strdup (old->source.path);
      return TRUE;
    }

  return FALSE;
}

static void
add_object (ForeLibrary *self, ForeLibraryKind kind, ForeLibraryObject *object)
{
  if (may_add (self, kind, object))
    g_hash_table_replace (self->by_name[kind], object->name, object);
  else
    kinds[kind].unref (object);
}

static void
load_file (ForeLibrary *self, ForeLibraryKind kind, const char *path, ForeLibraryLayer layer)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autofree char *text = NULL;
  ForeLibraryObject *object = NULL;
  gsize length;

  fore_library_look (self, path, !fore_library_layer_is_project (layer));
  text = fore_library_text_read (path, FORE_LIBRARY_MAX_FILE,
                                 !fore_library_layer_is_project (layer), &length, found);
  if (text != NULL)
    object = kinds[kind].parse (text, length, path, layer, found);

  fore_diagnostics_add_all (self->diagnostics, found);
  if (object == NULL)
    return;

  object->source.n_errors = fore_diagnostics_count (found, FORE_DIAGNOSTIC_ERROR);
  add_object (self, kind, object);
}

/* A skill is a folder; one without a SKILL.md is something else. */
static char *
dup_file_path (ForeLibrary *self,
               ForeLibraryKind kind,
               const char *dir,
               const char *name,
               ForeLibraryLayer layer)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);
  g_autofree char *file = NULL;

  if (kind != FORE_KIND_SKILL)
    return g_steal_pointer (&path);

  file = g_build_filename (path, kinds[kind].suffix, NULL);
  if (!g_file_test (file, G_FILE_TEST_EXISTS))
    {
      fore_library_look (self, file, TRUE);
      return NULL;
    }
  if (fore_library_layer_is_project (layer) && g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    return NULL;

  return g_steal_pointer (&file);
}

/**
 * fore_library_load_folder:
 * @self: a library that is being loaded
 * @kind: what the folder holds
 * @dir: the folder; it need not exist
 * @layer: its layer
 *
 * Loads the objects of one folder. Blocks on the disk.
 */
void
fore_library_load_folder (ForeLibrary *self,
                          ForeLibraryKind kind,
                          const char *dir,
                          ForeLibraryLayer layer)
{
  g_autoptr (GPtrArray) names = NULL;

  g_return_if_fail (self != NULL);
  g_return_if_fail (dir != NULL);

  names = list_names (self, kind, dir);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *path = dup_file_path (self, kind, dir, names->pdata[i], layer);

      if (path != NULL)
        load_file (self, kind, path, layer);
    }
}

/**
 * fore_library_get_home:
 *
 * Returns: (transfer none): the folder that other systems keep a person's files in
 */
const char *
fore_library_get_home (void)
{
  const char *home = g_getenv ("HOME");

  return home != NULL && *home != '\0' ? home : g_get_home_dir ();
}

/**
 * fore_library_load_home:
 * @self: a library that is being loaded
 *
 * Loads what the person has for other systems. Blocks on the disk.
 */
void
fore_library_load_home (ForeLibrary *self)
{
  const char *home = fore_library_get_home ();

  g_return_if_fail (self != NULL);

  for (guint i = 0; i < G_N_ELEMENTS (home_dirs); i++)
    {
      g_autofree char *dir = g_build_filename (home, home_dirs[i].dir, NULL);

      fore_library_load_folder (self, home_dirs[i].kind, dir, home_dirs[i].layer);
    }
}

/* A link out of the repository would let it show us files that are none of its own. */
static gboolean
is_real_folder (ForeLibrary *self, const char *project_dir, const char *dir)
{
  g_auto (GStrv) parts = g_strsplit (dir, "/", -1);
  g_autofree char *path = g_strdup (project_dir);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *parent = path;

      path = g_build_filename (parent, parts[i], NULL);
      fore_library_look (self, path, FALSE);
      if (g_file_test (path, G_FILE_TEST_IS_SYMLINK) || !g_file_test (path, G_FILE_TEST_IS_DIR))
        return FALSE;
    }

  return TRUE;
}

static gboolean
has_settings (ForeLibrary *self, const char *project_dir)
{
  g_autofree char *path = fore_settings_dup_project_path (project_dir);
  g_autofree char *crew_path = g_build_filename (project_dir, ".crew", "config.json", NULL);

  fore_library_look (self, path, TRUE);
  fore_library_look (self, crew_path, TRUE);

  return g_file_test (path, G_FILE_TEST_EXISTS) || g_file_test (crew_path, G_FILE_TEST_EXISTS);
}

/**
 * fore_library_load_project:
 * @self: a library that is being loaded
 * @project_dir: the project
 * @trusted: whether the person trusts it
 *
 * Loads the objects that a project brings, or says that there are some if it is not trusted.
 * Blocks on the disk.
 */
void
fore_library_load_project (ForeLibrary *self, const char *project_dir, gboolean trusted)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (project_dir != NULL);

  self->untrusted = !trusted && has_settings (self, project_dir);
  for (guint i = 0; i < G_N_ELEMENTS (project_dirs); i++)
    {
      g_autofree char *dir = g_build_filename (project_dir, project_dirs[i].dir, NULL);

      if (!is_real_folder (self, project_dir, project_dirs[i].dir))
        continue;

      if (trusted)
        {
          fore_library_load_folder (self, project_dirs[i].kind, dir, project_dirs[i].layer);
          continue;
        }

      self->untrusted = TRUE;
      fore_diagnostics_add (self->diagnostics, FORE_DIAGNOSTIC_NOTE, dir, 0, 0, NULL,
                            _ ("The files in this folder are not used, because you have not "
                               "said that you trust this project."));
    }
}
