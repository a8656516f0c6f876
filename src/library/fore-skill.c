/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-skill.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "library/fore-front-matter.h"
#include "library/fore-library-text.h"

#define MAX_DESCRIPTION 1024

G_DEFINE_BOXED_TYPE (ForeSkill, fore_skill, fore_skill_ref, fore_skill_unref)

static const char *const known_keys[] = {
  "name",          "description", "license",       "version", "author",
  "allowed-tools", "metadata",    "compatibility", NULL,
};

static const char *const foreign_keys[] = {
  "metadata",       "compatibility", "model", "context", "agent", "disable-model-invocation",
  "user-invocable", "argument-hint", "hooks", NULL,
};

/**
 * fore_skill_get_keys:
 *
 * Gets the keys that a skill may have.
 *
 * Returns: (transfer none) (array zero-terminated=1): the keys
 */
const char *const *
fore_skill_get_keys (void)
{
  return known_keys;
}

static ForeSkill *
skill_new (const char *name, ForeLibraryLayer layer, const char *path)
{
  ForeSkill *self = g_atomic_rc_box_new0 (ForeSkill);

  fore_source_init (&self->source, layer, path);
  self->name = g_strdup (name);

  return self;
}

/**
 * fore_skill_new:
 * @name: its name
 *
 * Makes an empty skill, from no file.
 *
 * Returns: (transfer full): the skill
 */
ForeSkill *
fore_skill_new (const char *name)
{
  ForeSkill *self;

  g_return_val_if_fail (name != NULL, NULL);

  self = skill_new (name, FORE_LAYER_MADE, NULL);
  self->description = g_strdup ("");
  self->body = g_strdup ("");

  return self;
}

/* A skill without a name has that of its folder. */
static char *
dup_name (ForeFrontMatter *matter)
{
  g_autofree char *folder = NULL;
  g_autofree char *name = NULL;

  if (fore_front_matter_find (matter, "name") != NULL || matter->path == NULL)
    return fore_front_matter_dup_name (matter, ".md");

  folder = g_path_get_dirname (matter->path);
  name = fore_library_name_from_path (folder, "");
  if (fore_library_name_is_valid (name))
    return g_steal_pointer (&name);

  fore_diagnostics_add (matter->diagnostics, FORE_DIAGNOSTIC_ERROR, matter->path, 0, 0, "name",
                        _ ("`%s` is no usable name. Use small letters, digits and dashes, at most "
                           "64."),
                        name);
  return NULL;
}

static void
check_description (ForeSkill *self, ForeFrontMatter *matter)
{
  ForeFrontMatterEntry *entry = fore_front_matter_find (matter, "description");

  if (self->description == NULL)
    {
      fore_diagnostics_add (matter->diagnostics, FORE_DIAGNOSTIC_WARNING, matter->path, 1, 0,
                            "description",
                            _ ("This skill has no description. Say in one line when it helps."));
      self->description = g_strdup (_ ("No description"));
    }
  else if (strlen (self->description) > MAX_DESCRIPTION)
    {
      fore_diagnostics_add (matter->diagnostics, FORE_DIAGNOSTIC_WARNING, matter->path, entry->line,
                            entry->column, "description",
                            _ ("The description is longer than %d bytes. Shorten it."),
                            MAX_DESCRIPTION);
    }
}

/**
 * fore_skill_new_from_text:
 * @text: bytes of a SKILL.md
 * @length: how many, or -1 if @text ends with a NUL
 * @path: (nullable): the file, for its name and for messages
 * @layer: where it comes from
 * @diagnostics: (nullable) (element-type ForeDiagnostic): where to say what is wrong
 *
 * Reads a skill. Any bytes may be given.
 *
 * Returns: (transfer full) (nullable): the skill, or %NULL if the file cannot be used
 */
ForeSkill *
fore_skill_new_from_text (const char *text,
                          gssize length,
                          const char *path,
                          ForeLibraryLayer layer,
                          GPtrArray *diagnostics)
{
  g_autoptr (ForeFrontMatter) matter = NULL;
  g_autofree char *name = NULL;
  ForeSkill *self;

  g_return_val_if_fail (text != NULL, NULL);

  matter = fore_front_matter_parse (text, length, path, diagnostics);
  if (matter == NULL)
    return NULL;

  matter->foreign = fore_library_layer_is_foreign (layer);
  name = dup_name (matter);
  if (name == NULL)
    return NULL;

  self = skill_new (name, layer, path);
  self->description = fore_front_matter_dup_string (matter, "description");
  check_description (self, matter);
  self->body = fore_library_text_sanitise (matter->body, layer, path, matter->body_line,
                                           diagnostics);
  g_strstrip (self->body);
  if (*self->body == '\0')
    fore_diagnostics_add (diagnostics, FORE_DIAGNOSTIC_WARNING, path, matter->body_line, 0, NULL,
                          _ ("This skill is empty. Write below the keys what one should know."));
  self->license = fore_front_matter_dup_string (matter, "license");
  self->version = fore_front_matter_dup_string (matter, "version");
  self->author = fore_front_matter_dup_string (matter, "author");
  self->allowed_tools = fore_front_matter_dup_list (matter, "allowed-tools");
  fore_front_matter_keep_rest (matter, known_keys, foreign_keys, &self->source);

  return self;
}

/**
 * fore_skill_ref:
 * @self: a skill
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 */
ForeSkill *
fore_skill_ref (ForeSkill *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
skill_clear (gpointer data)
{
  ForeSkill *self = data;

  fore_source_clear (&self->source);
  g_free (self->name);
  g_free (self->description);
  g_free (self->body);
  g_free (self->license);
  g_free (self->version);
  g_free (self->author);
  g_strfreev (self->allowed_tools);
}

/**
 * fore_skill_unref:
 * @self: (transfer full): a skill
 *
 * Gives a reference back.
 */
void
fore_skill_unref (ForeSkill *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, skill_clear);
}
